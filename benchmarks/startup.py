"""Start-up of `backedge --help` against `python -c pass`: medians of interleaved runs, and their ratio."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 20
BARE = (sys.executable, "-c", "pass")
HELP = (sys.executable, "-m", "backedge", "--help")


def milliseconds(command: tuple[str, ...]) -> float:
    """Wall time of one run of `command`, which must succeed."""
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return (time.perf_counter() - start) * 1000


def main() -> None:
    """Warm both up once, run them in turn so that other load hits both, and print the ratio of the medians."""
    milliseconds(BARE)
    milliseconds(HELP)
    pairs = [(milliseconds(BARE), milliseconds(HELP)) for _ in range(RUNS)]
    bare, help_ = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(
        f"python -c pass: {bare:.0f} ms; backedge --help: {help_:.0f} ms; ratio {help_ / bare:.2f} ({RUNS} runs each)"
    )


if __name__ == "__main__":
    main()
