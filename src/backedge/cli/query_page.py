"""What `backedge query` prints: the rows of each step, or why it was refused."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from backedge.ask.saved import StepResult
from backedge.assemble import open_saver
from backedge.cli.draw import grid
from backedge.cli.exits import ANSWERED, CANNOT_ANSWER, FORBIDDEN, NOT_PERMITTED, USAGE, fail
from backedge.kernel.defect import Defect
from backedge.query.exact_json import dumps
from backedge.query.table import Table
from backedge.semantic.saved_queries import SavedQuery

ROWS_SHOWN = 20


async def run_query(
    folder: Path,
    agent: str | None,
    name: str,
    given: Mapping[str, str],
    attributes: Mapping[str, tuple[str, ...]],
    as_json: bool,
) -> int:
    """Run and print it; gives the exit code."""
    queries, saver, close = open_saver(folder, agent, attributes)
    saved = next((q for q in queries if q.name == name), None)
    if saved is None:
        fail(_unknown(name, queries), USAGE)
    try:
        results = await saver.run(saved, given)
    finally:
        await close()
    steps = [r for r in results if isinstance(r, StepResult)]
    wrong = tuple(r for r in results if isinstance(r, Defect))
    if as_json:
        click.echo(dumps(_as_json(saved, steps, wrong), 2))
    else:
        _print(steps, wrong)
    return _code((*wrong, *(defect for step in steps for defect in step.defects)))


def _unknown(name: str, queries: tuple[SavedQuery, ...]) -> str:
    names = [q.name for q in queries]
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return f"there is no saved query {name!r}; did you mean {near[0]!r}?"
    known = ", ".join(names) or "none: write a .query.yml file"
    return f"there is no saved query {name!r}; there is: {known}"


def _as_json(saved: SavedQuery, steps: list[StepResult], wrong: tuple[Defect, ...]) -> dict[str, Any]:
    if wrong:
        return {"query": saved.name, "defects": [asdict(defect) for defect in wrong]}
    return {"query": saved.name, "description": saved.description, "steps": [_step_json(step) for step in steps]}


def _step_json(result: StepResult) -> dict[str, Any]:
    head = {"name": result.step.name, "description": result.step.description}
    if result.query is None or result.table is None:
        return {**head, "defects": [asdict(defect) for defect in result.defects]}
    table = result.table
    return {
        **head,
        "sql": result.query.sql,
        "params": list(result.query.params),
        "columns": [asdict(column) for column in result.query.columns],
        "rows": [list(row) for row in table.rows],
        "truncated": table.truncated,
        "filters": list(result.query.filters),
        "notes": list(result.notes),
    }


def _print(steps: list[StepResult], wrong: tuple[Defect, ...]) -> None:
    console, errors = Console(), Console(stderr=True)
    for defect in wrong:
        _refused(defect, errors)
    for step in steps:
        said = f": {step.step.description}" if step.step.description else ""
        console.print(f"[bold]{escape(step.step.name)}[/]{escape(said)}", highlight=False)
        for defect in step.defects:
            sys.stdout.flush()
            _refused(defect, errors)
        if step.query is not None and step.table is not None:
            console.print(grid(step.table, step.query.columns, ROWS_SHOWN))
            _noted(step, step.table, console)
        console.print()


def _noted(step: StepResult, table: Table, console: Console) -> None:
    rows = [("filter", text) for text in step.query.filters] if step.query else []
    rows += [("note", text) for text in step.notes]
    if table.truncated:
        rows.append(("note", f"cut off at its limit of {table.truncated}"))
    for name, text in rows:
        console.print(f"[dim]{name:>8}[/]  {escape(text)}", highlight=False, soft_wrap=True)


def _refused(defect: Defect, console: Console) -> None:
    hint = f"\n  {defect.hint}" if defect.hint else ""
    console.print(escape(f"{defect.kind}: {defect.message}{hint}"), highlight=False, soft_wrap=True)


def _code(defects: tuple[Defect, ...]) -> int:
    if any(defect.kind in FORBIDDEN for defect in defects):
        return NOT_PERMITTED
    return CANNOT_ANSWER if defects else ANSWERED
