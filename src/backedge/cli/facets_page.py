"""What `backedge facets` does and prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import click

from backedge.assembling.investigating import Investigations
from backedge.cli.exits import ANSWERED
from backedge.cli.investigate_page import opened, print_standing
from backedge.cli.lines import one_line, plain
from backedge.cli.session import project_flag
from backedge.evidence.facets import CommandKind, Facet, FacetCommand, FacetName, FacetValue, Importance
from backedge.evidence.investigate.states import AwaitingFacets
from backedge.evidence.views import FacetsView, facets_view
from backedge.kernel.run import Run
from backedge.query.exact_json import dumps

LINE = 110


@dataclass(frozen=True)
class Typed:
    """A command as it was typed; without `seen` it is on the facets as they are."""

    kind: str
    run: str
    by: str
    seen: int | None
    because: str
    facet: str | None = None
    value: int = 1
    texts: tuple[str, ...] = ()
    importance: str | None = None


async def show_facets(folder: Path, run: str, as_json: bool) -> None:
    """Print the facets of an investigation."""
    async with opened(folder) as (app, investigations):
        view = await facets_view(await investigations.named(run), app.library)
    _print(view, folder, as_json)


async def command(folder: Path, typed: Typed, as_json: bool) -> int:
    """Offer a command, and print the facets, or how the investigation stands where it went on; the exit code."""
    async with opened(folder) as (app, investigations):
        run = await _offered(investigations, typed)
        if typed.kind == "confirm":
            return await print_standing(investigations, run, folder, as_json)
        if run.stopped is not None:
            return await print_standing(investigations, run, folder, as_json)
        view = await facets_view(run, app.library)
    _print(view, folder, as_json)
    return ANSWERED


async def confirm_some(folder: Path, typed: Typed, names: Sequence[str], as_json: bool) -> int:
    """Confirm facets one after the other, and print them."""
    async with opened(folder) as (app, investigations):
        run = await investigations.named(typed.run)
        for number, name in enumerate(dict.fromkeys(names)):
            seen = None if typed.seen is None else typed.seen + number
            run = await _offered(investigations, replace(typed, kind="confirm_facet", facet=name, seen=seen))
        view = await facets_view(run, app.library)
    _print(view, folder, as_json)
    return ANSWERED


async def _offered(investigations: Investigations, typed: Typed) -> Run:
    run = await investigations.named(typed.run)
    now = run.state.changes if isinstance(run.state, AwaitingFacets) else 0
    said = FacetCommand(
        cast("CommandKind", typed.kind),
        typed.by,
        now if typed.seen is None else typed.seen,
        cast("FacetName | None", typed.facet),
        typed.value,
        typed.texts,
        cast("Importance | None", typed.importance),
        typed.because,
    )
    return await investigations.command(run, said)


def _print(view: FacetsView, folder: Path, as_json: bool) -> None:
    if as_json:
        click.echo(dumps(view, 2))
        return
    click.echo(f"facets of investigation {view.run}, after {view.seen} changes")
    click.echo(f"  {one_line(view.request, LINE)}")
    for facet in view.facets:
        _print_facet(facet)
    _print_round_trip(view)
    if view.history:
        click.echo("\nhistory:")
    for change in view.history:
        because = f" because {plain(change.reason)}" if change.reason else ""
        click.echo(f"  {change.number}. {change.by}: {change.what} {change.facet}{because}")
        click.echo(f"     {one_line(change.before, LINE)}\n     → {one_line(change.after, LINE)}")
    if view.open:
        flag = project_flag(folder)
        click.echo(f"\nnext: backedge facets edit|add|split|remove|assume|flag {view.run} FACET …{flag}")
        click.echo(f"      backedge facets confirm {view.run} FACET …{flag}, then without FACET to go on")


def _print_facet(facet: Facet) -> None:
    flagged = ", flagged" if facet.flagged else ""
    note = f": {plain(facet.note)}" if facet.note else ""
    click.echo(f"\n{facet.name} ({facet.importance}; {facet.confirmation}{flagged}{note})")
    for number, value in enumerate(facet.values, 1):
        click.echo(f"  {number}. {plain(value.text)}")
        click.echo(f"     {_origin(value)}")
    if not facet.values:
        click.echo("  not stated")


def _origin(value: FacetValue) -> str:
    if value.origin == "explicit":
        return "explicit: " + " … ".join(f"“{plain(s.exact)}” [{s.start}, {s.end})" for s in value.spans)
    return f"{value.origin}: {plain(value.reason)}" if value.reason else value.origin


def _print_round_trip(view: FacetsView) -> None:
    trip = view.round_trip
    if trip is None:
        return
    late = "" if trip.number == view.seen else f" (of the facets after {trip.number} changes: out of date)"
    click.echo(f"\nround trip{late}: {plain(trip.reconstruction)}")
    found: dict[str, Any] = {
        "left out": trip.omissions,
        "added": trip.additions,
        "contradicted": trip.contradictions,
    }
    for what, each in found.items():
        for text in each:
            click.echo(f"  {what}: {plain(text)}")
    if not any(found.values()):
        click.echo("  nothing is left out, added or contradicted")
