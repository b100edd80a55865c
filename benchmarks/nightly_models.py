"""Sixty questions in other words than the files have, with any model: answered right, wrong or not, per path."""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from backedge.ask.evaluate import Score, report
from backedge.cli.test_run import run_sets
from backedge.demo.shop import make_shop
from tests.real.defog.made import DUMPS, make

SETS = Path(__file__).parent / "nightly"
SHARED = Path(__file__).parents[2] / "shared" / "data" / "oxygen-demo"
PROJECTS = ("shop", "oxygen-demo", "cars", "wallet")
OUTCOMES = ("right", "wrong", "asked", "refused", "failed", "unchecked")
# Rows are what is judged: templates put them into words, which spares a call for each question.
MEASURED = {"llm": {"ref": "measured"}, "privacy": {"result_rows": 0}}


def project(name: str, folder: Path, model: dict[str, Any]) -> Path | None:
    """A copy of a project with that model in its stages; None where its data is not here."""
    match name:
        case "shop":
            make_shop(folder)
        case "oxygen-demo" if SHARED.is_dir():
            shutil.copytree(SHARED, folder, copy_function=shutil.copyfile)
        case "cars" | "wallet" if DUMPS.is_dir():
            make(name, folder)
        case _:
            return None
    agents = sorted(folder.glob("*.agentic.yml")) or [folder / "measured.agentic.yml"]
    _change(folder / "config.yml", {"models": [{**model, "name": "measured"}]})
    for agent in agents:
        _change(agent, MEASURED, without=("states",))
    return folder


def _change(file: Path, keys: dict[str, Any], without: tuple[str, ...] = ()) -> None:
    known = yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else {}
    kept = {key: value for key, value in (known or {}).items() if key not in without}
    file.write_text(yaml.safe_dump({**kept, **keys}, allow_unicode=True), encoding="utf-8")


def asked(folder: Path, name: str, first: int) -> Iterator[Score]:
    """The score of each question, as it is known: a night is long."""
    cases = yaml.safe_load((SETS / f"{name}.test.yml").read_text(encoding="utf-8"))
    for number, case in list(enumerate(cases["cases"]))[:first]:
        one = folder.parent / f"{name}-{number}.test.yml"
        one.write_text(yaml.safe_dump({**cases, "cases": [case]}, allow_unicode=True), encoding="utf-8")
        began = time.perf_counter()
        (score,) = asyncio.run(run_sets(folder, (one,), (), (), {}))
        print(f"{name:12} {score.outcome:9} {time.perf_counter() - began:6.1f} s  {case['prompt']}", flush=True)
        if score.outcome in ("wrong", "failed"):
            print(f"{'':13}{score.why[:200]}", flush=True)
        yield replace(score, case=replace(score.case, tags=(name,)))


def table(rows: Sequence[tuple[str, Sequence[Score]]]) -> Iterator[str]:
    """The counts of each outcome, a line for each group."""
    yield f"{'':14}" + "".join(f"{outcome:>11}" for outcome in OUTCOMES)
    for name, scores in rows:
        counts = (sum(score.outcome == outcome for score in scores) for outcome in OUTCOMES)
        yield f"{name:14}" + "".join(f"{count:>11}" for count in counts)


def main() -> None:
    """Ask, and print the counts per project and per path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=yaml.safe_load, help="as under `models` of config.yml: {vendor: …, model_ref: …}")
    parser.add_argument("--only", nargs="*", choices=PROJECTS, default=PROJECTS)
    parser.add_argument("--first", type=int, default=60, help="only so many questions of each project")
    parser.add_argument("--json", type=Path, help="write the whole report there")
    told = parser.parse_args()
    scores: list[Score] = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in told.only:
            if (folder := project(name, Path(scratch) / name, told.model)) is None:
                print(f"{name}: its data is not here, so it is not measured")
                continue
            scores += asked(folder, name, told.first)
    print()
    projects = [(name, [score for score in scores if name in score.case.tags]) for name in told.only]
    paths = sorted({score.path for score in scores if score.path})
    print("\n".join(table([*projects, ("all", scores), *((p, [s for s in scores if s.path == p]) for p in paths)])))
    met = sum(score.passed for score in scores)
    print(f"\n{met} of {len(scores)} ended as their question deserves")
    if told.json:
        told.json.write_text(json.dumps(report(scores), default=str, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
