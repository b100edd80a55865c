"""The TPC-H questions on another semantic layer, in an environment of its own: right or wrong, and its compile time."""

from __future__ import annotations

import json
import subprocess
import tempfile
from decimal import Decimal
from pathlib import Path

from benchmarks.compile import compile_times
from benchmarks.engines import PEERS, environment
from tests.semantic.tpch.data import connect, generate
from tests.semantic.tpch.questions import HAND

REPEATS = 20
PEER_PACKAGES = {"bsl": ("boring-semantic-layer==0.3.18", "ibis-framework[duckdb]>=11,<12")}
Rows = list[list[str]]


def right(found: Rows, expected: Rows) -> bool:
    """Whether two results have the same rows; numbers are compared to nine digits."""
    pairs = zip(sorted(found), sorted(expected), strict=True)
    return len(found) == len(expected) and all(
        same_cell(a, b) for mine, other in pairs for a, b in zip(mine, other, strict=True)
    )


def same_cell(a: str, b: str) -> bool:
    """Whether two cells, as text, are the same word or about the same number."""
    if a == b or not (a[:1].isdigit() and b[:1].isdigit()):
        return a == b
    return abs(Decimal(a) - Decimal(b)) <= abs(Decimal(b)) * Decimal("1e-9")


def main() -> None:
    """Print a line for each question of each peer."""
    times = compile_times()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(folder, "0.01")
        with connect(folder, load=False) as connection:
            expected = {
                q: [[str(cell) for cell in row] for row in connection.execute(HAND[q]).fetchall()] for q in HAND
            }
        print("peer  question  compile ms  of ours  answer")
        for peer, packages in PEER_PACKAGES.items():
            python = environment(folder, peer, packages)
            if python is None:
                continue
            command = [python, str(PEERS / f"{peer}_compile.py"), str(folder), str(REPEATS)]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            for question, found in json.loads(said.splitlines()[-1]).items():
                verdict = "right" if right(found["rows"], expected[question]) else "WRONG"
                print(f"{peer:4}  {question:8}  {found['ms']:10.1f}  {found['ms'] / times[question]:7.1f}  {verdict}")


if __name__ == "__main__":
    main()
