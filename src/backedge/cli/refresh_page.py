"""What `backedge sources refresh` and `restrict` do and print, and what others print of judgements that changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from backedge.assembling.cataloguing import all_sources, source_named
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.rejudging import refreshed, up_to_date
from backedge.cli.exits import ANSWERED, FAILED
from backedge.cli.lines import plain
from backedge.evidence import kinds
from backedge.evidence.records import Judgement
from backedge.evidence.refresh.states import Checking, Refreshed, Rejudging
from backedge.evidence.watch.states import Seen
from backedge.kernel.codec import adapter
from backedge.kernel.defect import Permanent
from backedge.kernel.run import Run
from backedge.query.exact_json import dumps


async def refresh_sources(folder: Path, typed: tuple[str, ...], older_than: int, by: str, as_json: bool) -> int:
    """Ask registries, and print what is new and what is judged otherwise now; the exit code."""
    app = open_evidence(folder)
    try:
        anew = await up_to_date(app, by)
        if typed:
            ids = [(await source_named(app.library, text)).id for text in typed]
        else:
            ids = [entry.id for entry in await all_sources(app.library)]
        if older_than:
            ids = [source for source in ids if await _is_stale(app, source, older_than)]
        runs = await refreshed(app, ids, by)
        told = await _refreshed_data(app, ids, (*anew, *runs), runs)
    finally:
        await app.close()
    if as_json:
        click.echo(dumps(told, 2))
    else:
        _print_refreshed(told, older_than)
    unfinished = [line for line in told["runs"] if line["status"] != "done"]
    return FAILED if unfinished or (ids and not told["checked"]) else ANSWERED


async def _is_stale(app: EvidenceApp, source: str, days: int) -> bool:
    """Whether no check of a source is as young as that; one that brought no news is a check too."""
    since = (datetime.now(UTC) - timedelta(days=days)).date().isoformat()
    checked = await app.library.all(kinds.CHECKED, f"{source}/")
    return not checked or checked[-1].at < since


async def _refreshed_data(
    app: EvidenceApp, ids: Sequence[str], judged: Sequence[Run], runs: Sequence[Run]
) -> dict[str, Any]:
    told = [run.state for run in runs if isinstance(run.state, Checking | Rejudging | Refreshed)]
    ends = [run.state for run in judged if isinstance(run.state, Refreshed)]
    judgements = [judgement for end in ends for judgement in end.judgements]
    return {
        "asked": len(ids),
        "checked": sum(state.checked for state in told),
        "news": [source for state in told for source in state.news],
        "unknown": [source for state in told for source in state.unknown],
        "silent": list(dict.fromkeys(silent for state in told for silent in state.silent)),
        "judgements": [adapter(Judgement).dump_python(judgement, mode="json") for judgement in judgements],
        "accepted_records": await _affected(app, judgements),
        "runs": [_run(run) for run in runs],
    }


def _run(run: Run) -> dict[str, Any]:
    stopped = run.stopped
    status = "done" if run.status == "ended" else "unfinished"
    if stopped is not None:
        status = "paused" if stopped.resumable else "failed"
    return {
        "run": run.id,
        "asked": run.labels.get("asked", ""),
        "status": status,
        "why": stopped.reason if stopped else "",
        "mend": stopped.mend if stopped else "",
    }


async def _affected(app: EvidenceApp, judgements: Sequence[Judgement]) -> dict[str, int]:
    """How many accepted records each version has that is judged otherwise now."""
    found: dict[str, int] = {}
    for judgement in judgements:
        standings = [await app.library.standing(r.key) for r in await app.library.records_of(judgement.version)]
        found[judgement.version] = sum(s is not None and s.status == "accepted" for s in standings)
    return found


def _print_refreshed(told: dict[str, Any], older_than: int) -> None:
    if not told["asked"]:
        click.echo("no source is to be asked for" + (f": all were in {older_than} days" if older_than else ""))
        return
    counts = f"{len(told['news'])} with news, {len(told['unknown'])} that nobody knows"
    click.echo(f"{told['checked']} of {told['asked']} sources checked, {counts}")
    for silent in told["silent"]:
        click.echo(f"not heard: {silent}; try again later")
    for run in told["runs"]:
        _print_unfinished(run)
    if not told["checked"]:
        heard = told["silent"] or any(run["status"] != "done" for run in told["runs"])
        why = "no registry was heard" if heard else "none of these sources has a name that a registry is asked for"
        click.echo(f"0 checked: {why}; how these sources stand now is not known", err=True)
    _print_judgements(told)
    if not told["judgements"]:
        click.echo("nothing is judged otherwise than before")


def _print_unfinished(run: dict[str, Any]) -> None:
    if run["status"] == "done":
        return
    why = f": {run['why']}" if run["why"] else ""
    mend = f"; {run['mend']}" if run["mend"] else ""
    click.echo(plain(f"{run['status']}: {run['asked']} (run {run['run']}){why}{mend}"), err=True)
    if run["status"] != "failed":
        click.echo("it goes on with: backedge sources retry", err=True)


def _print_judgements(told: dict[str, Any]) -> None:
    for judgement in told["judgements"]:
        word = "may be used now" if judgement["eligible"] else "may not be used now"
        reasons = "; ".join(f"{reason['kind']} ({reason['by']})" for reason in judgement["reasons"])
        click.echo(plain(f"version {judgement['version'][:12]} {word}{': ' + reasons if reasons else ''}").rstrip())
        if count := told["accepted_records"][judgement["version"]]:
            counted = f"{count} accepted {'records count' if count > 1 else 'record counts'}"
            click.echo(f"  {counted} {'again' if judgement['eligible'] else 'no more'}")


async def restrict_source(folder: Path, typed: str, because: str, lift: bool, by: str, as_json: bool) -> None:
    """Mark a source, and print what is judged otherwise now."""
    if not because.strip():
        raise Permanent("a mark needs a reason", mend="say why with --because")
    app = open_evidence(folder)
    try:
        source = await source_named(app.library, typed)
        anew = await changes_data(app, await up_to_date(app, by))
        run = await app.restrict(source.id, because, by=by, lifted=lift)
        (told,) = await changes_data(app, (run,))
    finally:
        await app.close()
    if told["status"] != "done":
        raise Permanent(told["why"] or "it is not done", mend="it goes on with: backedge sources retry")
    if as_json:
        click.echo(dumps(told, 2))
        return
    print_changes((*anew, told))
    if not told["judgements"]:
        click.echo("nothing is judged otherwise than before")


async def changes_data(app: EvidenceApp, runs: Sequence[Run]) -> tuple[dict[str, Any], ...]:
    """Each mark, refresh or look as JSON: how it ended, and what is judged otherwise, or found, by it."""
    told: list[dict[str, Any]] = []
    for run in runs:
        state, line = run.state, {"workflow": run.workflow.name, **_run(run)}
        if isinstance(state, Refreshed):
            judgements = [adapter(Judgement).dump_python(judgement, mode="json") for judgement in state.judgements]
            line |= {"checked": state.checked, "news": list(state.news), "unknown": list(state.unknown)}
            line |= {"silent": list(state.silent), "judgements": judgements}
            line["accepted_records"] = await _affected(app, state.judgements)
        if isinstance(state, Seen):
            line["new"] = {found.target: list(found.ids) for found in state.new}
        told.append(line)
    return tuple(told)


def print_changes(changes: Sequence[dict[str, Any]]) -> None:
    """Print what marks, refreshes and looks came to."""
    for line in changes:
        _print_unfinished(line)
        for target, ids in line.get("new", {}).items():
            click.echo(plain(f"{line['asked']} in {target}: {', '.join(ids) or 'nothing new'}"))
        if "judgements" in line:
            _print_judgements(line)
