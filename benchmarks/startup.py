"""Start-up against `python -c pass`: `backedge --help`, and what `backedge ask` imports, beside the libraries alone."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 15
BARE = "pass"
MEASURED = {
    "backedge --help": "import sys; sys.argv = ['backedge', '--help']; from backedge.cli.app import run; run()",
    "what ask imports": "import backedge.cli.ask, backedge.cli.driving, backedge.cli.show, backedge.assemble",
    "its libraries alone": "import click, rich.console, rich.table, pydantic, sqlglot.dialects.duckdb, yaml, nanoarrow",
}


def milliseconds(code: str) -> float:
    """Wall time of one run of `code`, which must succeed."""
    start = time.perf_counter()
    subprocess.run((sys.executable, "-c", code), check=True, capture_output=True)
    return (time.perf_counter() - start) * 1000


def main() -> None:
    """Warm all up once, run them in turn so that other load hits each, and print the ratios of the medians."""
    codes = (BARE, *MEASURED.values())
    for code in codes:
        milliseconds(code)
    bare, *medians = map(statistics.median, zip(*(map(milliseconds, codes) for _ in range(RUNS)), strict=True))
    print(f"python -c pass: {bare:.0f} ms ({RUNS} runs each)")
    for name, median in zip(MEASURED, medians, strict=True):
        print(f"{name}: {median:.0f} ms; ratio {median / bare:.2f}")


if __name__ == "__main__":
    main()
