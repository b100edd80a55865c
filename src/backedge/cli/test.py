"""`backedge test`: asks every question of the project's question sets and says how many answers are right."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from backedge.cli.exits import FAILED, THRESHOLD_MISSED
from backedge.cli.session import as_option, go, json_option, project_option

_SHARE = click.FloatRange(0, 1)


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--tag", "tags", multiple=True, help="Only cases with this tag; may be given several times.")
@click.option("--case", "names", multiple=True, help="Only the case of this name; may be given several times.")
@click.option("--min-precision", type=_SHARE, default=1.0, show_default=True, help="Right answers among all answers.")
@click.option("--min-coverage", type=_SHARE, default=0.0, show_default=True, help="Answers among answerable questions.")
@project_option
@as_option
@json_option
def test(
    files: tuple[Path, ...],
    tags: tuple[str, ...],
    names: tuple[str, ...],
    min_precision: float,
    min_coverage: float,
    folder: Path,
    attributes: Mapping[str, tuple[str, ...]],
    as_json: bool,
) -> None:
    """Ask every question of FILES (default: all `.test.yml` of the project) and compare each answer with what is right.

    \b
    backedge test --project backedge-demo
    backedge test questions/sales.test.yml --tag ranking --min-coverage 0.6
    """
    from backedge.ask.evaluate import missed, report
    from backedge.cli.test_run import run_sets
    from backedge.query.exact_json import dumps

    found = report(go(lambda: run_sets(folder, files, tags, names, attributes)))
    gaps = missed(found, min_precision, min_coverage)
    if as_json:
        thresholds = {"min_precision": min_precision, "min_coverage": min_coverage, "missed": gaps}
        print(dumps({**found, "thresholds": thresholds}, 2))
    else:
        from rich.console import Console

        from backedge.cli.test_page import show_report

        show_report(dict(found), Console(highlight=False))
    for gap in gaps:
        print(f"backedge: {gap}", file=sys.stderr)
    raise SystemExit(THRESHOLD_MISSED if gaps else FAILED if found["failed"] else 0)
