"""What `backedge sources` does and prints."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from backedge.assembling.cataloguing import SourceShown, VersionShown, all_sources, source_named, source_shown
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.opening_evidence import open_evidence
from backedge.cli.exact_json import dumps
from backedge.cli.exits import ANSWERED, FAILED
from backedge.cli.ingest_page import counted, print_summary, progress, told_data
from backedge.evidence import kinds
from backedge.evidence.records import Judgement
from backedge.evidence.refresh.states import Refreshed
from backedge.evidence.summary import summed
from backedge.kernel.codec import adapter
from backedge.kernel.defect import Permanent
from backedge.kernel.run import Run

TITLE = 60


async def list_sources(folder: Path, status: str, as_json: bool) -> None:
    """Print a line for each source, or their JSON."""
    app = open_evidence(folder)
    try:
        shown = [await source_shown(app.library, entry) for entry in await all_sources(app.library)]
    finally:
        await app.close()
    shown = [source for source in shown if status in ("", source.newest.status)]
    if as_json:
        click.echo(dumps([_line(source) for source in shown], 2))
        return
    for source in shown:
        line = _line(source)
        title = line["title"] if len(line["title"]) <= TITLE else line["title"][: TITLE - 1] + "…"
        click.echo(f"{line['id']}  {line['status']:<11}  {title or line['named']}  [{line['records_said']}]")
    if not shown:
        click.echo("no source: backedge ingest FILE, FOLDER or identifier")


def _line(source: SourceShown) -> dict[str, Any]:
    newest = source.newest
    standings: Counter[str] = Counter(standing.status if standing else "proposed" for _, standing in newest.records)
    return {
        "id": source.entry.id,
        "named": source.entry.named,
        "title": newest.metadata.title,
        "status": newest.status,
        "identifiers": list(newest.metadata.identifiers.named()),
        "versions": len(source.versions),
        "reasons": [reason.kind for reason in newest.judgement.reasons] if newest.judgement else [],
        "records": dict(standings),
        "records_said": counted(standings) if standings else "no records",
    }


async def show_source(folder: Path, typed: str, as_json: bool) -> None:
    """Print all that is recorded of a source."""
    app = open_evidence(folder)
    try:
        shown = await source_shown(app.library, await source_named(app.library, typed))
        relations = await app.library.all(kinds.RELATED, f"{shown.entry.id}/")
        measured: dict[str, kinds.Measurements | None] = {}
        for version in shown.versions:
            kept = await app.library.one(kinds.MEASUREMENTS, version.version.content)
            measured[version.version.content] = kept
        histories = {
            v.version.content: await app.library.all(kinds.JUDGEMENT, v.version.content) for v in shown.versions
        }
    finally:
        await app.close()
    data = {
        **_line(shown),
        "relations": [adapter(kinds.Related).dump_python(each, mode="json")["relation"] for each in relations],
        "versions": [
            {
                **_version(version, histories[version.version.content]),
                "measurements": _measurements(measured[version.version.content]),
            }
            for version in shown.versions
        ],
    }
    click.echo(dumps(data, 2)) if as_json else _print_source(data)


def _version(shown: VersionShown, history: tuple[Judgement, ...]) -> dict[str, Any]:
    text, unread = shown.text, shown.unread
    return {
        "content": shown.version.content,
        "number": shown.version.number,
        "supersedes": shown.version.supersedes,
        "from": f"{shown.version.fetched.adapter}:{shown.version.fetched.identifier}",
        "bytes": shown.version.fetched.size,
        "media_type": shown.version.fetched.media_type,
        "status": shown.status,
        "metadata": adapter(type(shown.metadata)).dump_python(shown.metadata, mode="json"),
        "reader": text.reader if text else unread.reader if unread else "",
        "text": text.text if text else "",
        "sections": [adapter(type(s)).dump_python(s, mode="json") for s in text.sections] if text else [],
        "issues": [adapter(type(i)).dump_python(i, mode="json") for i in text.issues] if text else [],
        "completeness": text.completeness.value if text else 0.0,
        "completeness_parts": {part.name: part.share for part in text.completeness.parts} if text else {},
        "quarantined": {"why": unread.why, "message": unread.message} if unread else None,
        "judgements": [adapter(Judgement).dump_python(judgement, mode="json") for judgement in history],
        "records": [
            {"key": record.key, "statement": record.proposal.statement, "standing": standing.status if standing else ""}
            for record, standing in shown.records
        ],
    }


def _measurements(kept: kinds.Measurements | None) -> list[dict[str, Any]]:
    return [adapter(type(each)).dump_python(each, mode="json") for each in kept.measurements] if kept else []


def _print_source(data: dict[str, Any]) -> None:
    click.echo(f"{data['id']}  {data['named']}")
    click.echo(data["title"] or "(no title)")
    for relation in data["relations"]:
        other = " ".join(name for name in relation["other"].values() if name)
        click.echo(f"  {relation['kind']}: {other} {relation['note']}".rstrip())
    for version in data["versions"]:
        click.echo(
            f"\nversion {version['number']}  {version['content'][:12]}  {version['status']}  from {version['from']}"
        )
        if version["quarantined"]:
            click.echo(f"  quarantined: {version['quarantined']['why']}: {version['quarantined']['message']}")
        for judgement in version["judgements"]:
            word = "may be used" if judgement["eligible"] else "may not be used"
            click.echo(f"  judgement {judgement['number']}: {word}")
            for reason in judgement["reasons"]:
                click.echo(f"    because: {reason['kind']} ({reason['by']}) {reason['detail']}".rstrip())
            for reason in judgement["warnings"]:
                click.echo(f"    note: {reason['kind']} ({reason['by']}) {reason['detail']}".rstrip())
        if version["reader"]:
            parts = ", ".join(f"{name} {share:g}" for name, share in version["completeness_parts"].items())
            click.echo(
                f"  read by {version['reader']}; completeness {version['completeness']:g} ({parts or 'no parts'})"
            )
        for section in version["sections"]:
            name = section["label"] or section["title"]
            click.echo(
                f"  {section['key']:<5} {section['role']:<13} {section['start']}-{section['end']}  {name[:TITLE]}"
            )
        for issue in version["issues"]:
            click.echo(f"  issue: {issue['kind']} ×{issue['count']}: {issue['message']}")
        for measured in version["measurements"]:
            _print_measurement(measured)
        for record in version["records"]:
            click.echo(f"  record {record['key']}  {record['standing'] or 'proposed'}  {record['statement'][:TITLE]}")


def _print_measurement(found: dict[str, Any]) -> None:
    spread = f" ± {found['uncertainty']} {found['uncertainty_kind']}".rstrip() if found["uncertainty"] else ""
    around = ", ".join(
        text for text in (found["group"], found["time_point"], f"n = {found['n']}" if found["n"] else "") if text
    )
    invalid = "" if found["valid"] else f"  INVALID: {found['reason']}"
    click.echo(f"  {found['name']}: {found['value']}{spread} {found['unit']}  ({around or found['place']}){invalid}")


async def retry_sources(folder: Path, wanted: tuple[str, ...], by: str, as_json: bool) -> int:
    """Go on with what paused; the exit code."""
    app = open_evidence(folder)
    try:
        runs = [head.id for head in await app.unfinished("ingest") if _is_wanted(head.id, dict(head.labels), wanted)]
        if wanted and not runs:
            mend = "`backedge ingest` begins one; `backedge sources list` lists what is there"
            raise Permanent(f"no ingest of {', '.join(wanted)} has paused", mend=mend)
        with progress(len(runs), quiet=as_json) as tick:
            told = []
            for run in runs:
                told.append(await app.retry(run, by=by))
                tick(told[-1])
    finally:
        await app.close()
    summary = summed(told)
    if as_json:
        click.echo(dumps({**summary.as_data(), "runs": [told_data(each) for each in told]}, 2))
    elif not told:
        click.echo("nothing has paused")
    else:
        print_summary(tuple(told), summary)
    return FAILED if told and summary.nothing_checked else ANSWERED


def _is_wanted(run_id: str, labels: dict[str, str], wanted: tuple[str, ...]) -> bool:
    named = labels.get("wanted", "")
    return not wanted or any(run_id.startswith(text) or named in (text, f"file:{text}") for text in wanted)


async def refresh_sources(folder: Path, typed: tuple[str, ...], older_than: int, by: str, as_json: bool) -> None:
    """Ask registries, and print what is new and what is judged otherwise now."""
    app = open_evidence(folder)
    try:
        if typed:
            ids = [(await source_named(app.library, text)).id for text in typed]
        else:
            ids = [entry.id for entry in await all_sources(app.library)]
        if older_than:
            ids = [source for source in ids if await _is_stale(app, source, older_than)]
        run = await app.refresh(ids, by=by)
    finally:
        await app.close()
    _print_refreshed(run, as_json)


async def _is_stale(app: EvidenceApp, source: str, days: int) -> bool:
    since = (datetime.now(UTC) - timedelta(days=days)).date().isoformat()
    asked = await app.library.all(kinds.REFRESHED, f"{source}/")
    return not asked or asked[-1].at < since


async def restrict_source(folder: Path, typed: str, because: str, lift: bool, by: str, as_json: bool) -> None:
    """Mark a source, and print what is judged otherwise now."""
    app = open_evidence(folder)
    try:
        source = await source_named(app.library, typed)
        run = await app.restrict(source.id, because, by=by, lifted=lift)
    finally:
        await app.close()
    _print_refreshed(run, as_json)


def _print_refreshed(run: Run, as_json: bool) -> None:
    end = run.state
    if not isinstance(end, Refreshed):
        stopped = run.stopped
        raise Permanent(stopped.reason if stopped else "it is not done", mend=stopped.mend if stopped else "")
    if as_json:
        click.echo(dumps({"run": run.id, **adapter(Refreshed).dump_python(end, mode="json")}, 2))
        return
    if end.checked:
        click.echo(f"{end.checked} sources asked for, {len(end.news)} with news, {len(end.unknown)} that nobody knows")
    for silent in end.silent:
        click.echo(f"not heard: {silent}; try again later")
    for judgement in end.judgements:
        word = "may be used now" if judgement.eligible else "may not be used now"
        reasons = "; ".join(f"{reason.kind} ({reason.by})" for reason in judgement.reasons)
        click.echo(f"version {judgement.version[:12]} {word}{': ' + reasons if reasons else ''}")
    if not end.judgements:
        click.echo("nothing is judged otherwise than before")
