"""What compiling eight TPC-H questions costs, and how long their SQL runs against SQL written by hand."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import duckdb

from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import Compiled, Spec
from tests.semantic.tpch.data import connect, generate
from tests.semantic.tpch.questions import HAND, MODEL, SPECS

COMPILES, RUNS, WARM = 200, 9, 20
COMPILE_GOAL, RUN_GOAL, MEDIAN_GOAL = 2.0, 2.0, 1.5


def milliseconds(work: Callable[[], object]) -> float:
    """How long some work takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def compiled(spec: Spec) -> Compiled:
    """The query of a spec."""
    made = compile_spec(MODEL, spec)
    if not isinstance(made, Compiled):
        raise SystemExit(f"refused: {made}")
    return made


def compile_times() -> dict[str, float]:
    """The median of many compiles of each spec, the specs in turn."""
    times: dict[str, list[float]] = {name: [] for name in SPECS}
    for turn in range(WARM + COMPILES):
        for name, spec in SPECS.items():
            took = milliseconds(partial(compiled, spec))
            if turn >= WARM:
                times[name].append(took)
    return {name: statistics.median(found) for name, found in times.items()}


def run_ratios(connection: duckdb.DuckDBPyConnection, name: str) -> tuple[float, float]:
    """The fastest run of a spec's SQL as a ratio to the fastest of the hand-written, in turn; and the latter in ms."""
    made, ours, hand = compiled(SPECS[name]), [], []
    for _ in range(RUNS):
        ours.append(milliseconds(lambda: connection.execute(made.sql, list(made.params)).fetchall()))
        hand.append(milliseconds(lambda: connection.execute(HAND[name]).fetchall()))
    return min(ours) / min(hand), min(hand)


def main() -> int:
    """Print both tables; 1 where a goal is missed."""
    scale = sys.argv[1] if len(sys.argv) > 1 else "0.1"
    times = compile_times()
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder), scale)
        with connect(Path(folder), load=True) as connection:
            found = {name: run_ratios(connection, name) for name in SPECS}
    print(f"TPC-H at scale factor {scale}; compile: median of {COMPILES}; run: fastest of {RUNS}, in turn\n")
    print("question  compile ms  hand SQL ms  ours / hand")
    for name, (ratio, hand) in found.items():
        print(f"{name:8}  {times[name]:10.2f}  {hand:11.1f}  {ratio:11.2f}")
    compile_median = statistics.median(times.values())
    ratios = [ratio for ratio, _ in found.values()]
    run_median = statistics.median(ratios)
    print(f"median    {compile_median:10.2f}  {'':11}  {run_median:11.2f}")
    print(f"goals: compile {COMPILE_GOAL:g} ms, each run {RUN_GOAL:g}, median of runs {MEDIAN_GOAL:g}")
    return int(compile_median > COMPILE_GOAL or max(ratios) > RUN_GOAL or run_median > MEDIAN_GOAL)


if __name__ == "__main__":
    sys.exit(main())
