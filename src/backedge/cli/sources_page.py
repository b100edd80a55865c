"""What `backedge sources` does and prints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.going_over import begin_anew, begin_over, open_records
from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.rejudging import gone_on, interrupted, up_to_date
from backedge.assembling.source_views import source_data, sources_data
from backedge.cli.exits import ANSWERED, FAILED
from backedge.cli.ingest_page import Report
from backedge.cli.lines import one_line, plain
from backedge.cli.refresh_page import changes_data, print_changes
from backedge.evidence.summary import record_of, record_status
from backedge.evidence.watch.states import Looking
from backedge.kernel.defect import Permanent
from backedge.kernel.ports import Head
from backedge.kernel.run import Run
from backedge.query.exact_json import dumps

TITLE = 60


async def list_sources(folder: Path, status: str | None, limit: int, as_json: bool) -> None:
    """Print a line for each source, or their JSON."""
    app = open_evidence(folder)
    try:
        data = await sources_data(app, status, limit)
    finally:
        await app.close()
    if as_json:
        click.echo(dumps(data, 2))
        return
    lines, more = data["sources"], data["more"]
    for line in lines:
        title = one_line(line["title"] or line["named"], TITLE)
        click.echo(f"{line['id']}  {line['status']:<11}  {title}  [{line['records_said']}]")
    if not lines:
        click.echo(f"no source is {status}" if status else "no source: backedge ingest FILE, FOLDER or identifier")
    if more:
        click.echo(f"… more than {limit}; see --limit")
    if outdated := sum(line["outdated"] for line in lines):
        said = f"{outdated} of them judged by another policy than evidence.yml has now"
        click.echo(f"{said}; to judge them anew: backedge sources refresh", err=True)


async def show_source(folder: Path, typed: str, as_json: bool) -> None:
    """Print all that is recorded of a source."""
    app = open_evidence(folder)
    try:
        data = await source_data(app, typed)
    finally:
        await app.close()
    click.echo(dumps(data, 2)) if as_json else _print_source(data, app.project.units.version)


def _print_source(data: dict[str, Any], unit_table: str) -> None:
    say = _said
    say(f"{data['id']}  {data['named']}")
    say(data["title"] or "(no title)")
    for relation in data["relations"]:
        other = " ".join(name for name in relation["other"].values() if name)
        say(f"  {relation['kind']}: {other} {relation['note']}")
    for notice in data["notices"]:
        say(f"  notice: {notice['kind']}, by {notice['by']}: {notice['title']}")
    if data["outdated"]:
        say("  judged by another policy than evidence.yml has now; to judge it anew: backedge sources refresh")
    if data["checked"]:
        say(f"  checked with registries on {data['checked'][-1]}")
    for run in data["runs"]:
        say(f"  run {run['run']}  {run['status']}  {run['state']}  {one_line(run['asked'], TITLE)}")
    for version in data["versions"]:
        say(f"\nversion {version['number']}  {version['content'][:12]}  {version['status']}  from {version['from']}")
        for note in version["notes"]:
            say(f"  note: {note}")
        if version["quarantined"]:
            say(f"  quarantined: {version['quarantined']['why']}: {version['quarantined']['message']}")
        for judgement in version["judgements"]:
            _print_judgement(judgement)
        if version["reader"]:
            parts = ", ".join(f"{name} {share:g}" for name, share in version["completeness_parts"].items())
            say(f"  read by {version['reader']}; completeness {version['completeness']:g}{f' ({parts})' * bool(parts)}")
        for section in version["sections"]:
            name = one_line(section["label"] or section["title"], TITLE)
            say(f"  {section['key']:<5} {section['role']:<13} {section['start']}-{section['end']}  {name}")
        for issue in version["issues"]:
            say(f"  issue: {issue['kind']} ×{issue['count']}: {issue['message']}")
        _print_measurements(version["measurements"], unit_table)
        for record in version["records"]:
            statement = one_line(record["statement"], TITLE)
            say(f"  record {record['key']}  {record['standing'] or 'proposed'}  {statement}")


def _said(line: str) -> None:
    click.echo(plain(line).rstrip())


def _print_judgement(judgement: dict[str, Any]) -> None:
    word = "may be used" if judgement["eligible"] else "may not be used"
    _said(f"  judgement {judgement['number']}: {word}")
    for because, named in (("because", "reasons"), ("note", "warnings")):
        for reason in judgement[named]:
            _said(f"    {because}: {reason['kind']} ({reason['by']}) {reason['detail']}")


def _print_measurements(found: list[dict[str, Any]], unit_table: str) -> None:
    for version in dict.fromkeys(measured["table"] for measured in found):
        since = "" if version == unit_table else f", which is {unit_table} now: what was measured stays"
        _said(f"  measured by unit table {version or 'of before'}{since}")
    for measured in found:
        _print_measurement(measured)


def _print_measurement(found: dict[str, Any]) -> None:
    spread = f" ± {found['uncertainty']} {found['uncertainty_kind']}".rstrip() if found["uncertainty"] else ""
    around = ", ".join(
        text for text in (found["group"], found["time_point"], f"n = {found['n']}" if found["n"] else "") if text
    )
    invalid = "" if found["valid"] else f"  INVALID: {found['reason']}"
    _said(f"  {found['name']}: {found['value']}{spread} {found['unit']}  ({around or found['place']}){invalid}")


async def retry_sources(folder: Path, wanted: tuple[str, ...], by: str, as_json: bool) -> int:
    """Go on with what paused; the exit code."""
    app = open_evidence(folder)
    report = Report(quiet=as_json)
    try:
        changed = await up_to_date(app, by)
        left = [run for run in await interrupted(app) if not wanted or _is_named(run, wanted)]
        changes = await changes_data(app, (*changed, *await gone_on(app, left, by)))
        runs = [head.id for head in await app.open_ingests() if not wanted or await _is_wanted(app, head, wanted)]
        for text in wanted:
            runs += [run for run in await begin_over(app, text, by=by) if run not in runs]
        records = await _records(app, wanted, by)
        if wanted and not runs and not records and not left:
            mend = "`backedge ingest` begins one; `backedge sources list` lists what is there"
            raise Permanent(f"nothing of {', '.join(wanted)} has paused", mend=mend)
        for run_id in runs:
            await app.go_on(run_id, by=by)
        await report.driven(app, runs)
        verified = [await _verified(app, run_id, by) for run_id in records]
    finally:
        await app.close()
    if as_json:
        report.print_data({"verified": verified, "changes": changes})
    elif not runs and not verified and not changes:
        click.echo("nothing has paused")
    else:
        print_changes(changes)
        report.print() if runs else None
        for line in verified:
            click.echo(plain(f"record {line['key']}: {line['status']}{': ' * bool(line['why'])}{line['why']}"))
    unfinished = [line for line in verified if line["status"] in ("paused", "failed", "unfinished")]
    unfinished += [line for line in changes if line["status"] != "done"]
    return FAILED if unfinished else report.code if runs else ANSWERED


async def _records(app: EvidenceApp, wanted: tuple[str, ...], by: str) -> list[str]:
    """Verifications apart from an ingest that paused, and those of records that were forbidden and are not now."""
    runs = []
    for head in await open_records(app):
        named = (head.id, head.labels.get("record", ""), head.labels.get("source", ""))
        if not wanted or any(name.startswith(text) for text in wanted for name in named):
            runs.append(head.id)
    for text in wanted:
        runs += [run for run in await begin_anew(app, text, by=by) if run not in runs]
    return runs


async def _verified(app: EvidenceApp, run_id: str, by: str) -> dict[str, str]:
    await app.driver.retry(run_id, by=by)
    run = await app.driver.drive(run_id)
    why = run.stopped.reason if run.stopped else getattr(run.state, "why", "")
    return {"run": run.id, "key": record_of(run).key, "status": record_status(run), "why": why}


def _is_named(run: Run, wanted: tuple[str, ...]) -> bool:
    """Whether a mark, refresh or look is of what somebody typed: its run, a source of it, or the saved search."""
    asked = getattr(run.state, "asked", None)
    of = (
        *getattr(asked or run.state, "sources", ()),
        getattr(asked, "source", ""),
        run.state.saved.name if isinstance(run.state, Looking) else "",
    )
    return any(run.id.startswith(text) or text in of for text in wanted)


async def _is_wanted(app: EvidenceApp, head: Head, wanted: tuple[str, ...]) -> bool:
    """Whether an ingest is of what somebody typed: as it was named, its run, or its source."""
    named = head.labels.get("wanted", "")
    if any(head.id.startswith(text) or text in (named, named.partition(":")[2]) for text in wanted):
        return True
    state = (await app.driver.load(head.id)).state
    source = getattr(state, "source", "") or getattr(getattr(state, "version", None), "source", "")
    return source in wanted
