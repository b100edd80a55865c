"""Sources as people see them: a line for each, all that is recorded of one, and a passage; one form for all faces."""

from __future__ import annotations

from collections import Counter
from typing import Any

from backedge.assembling.cataloguing import (
    SourceShown,
    VersionShown,
    all_sources,
    runs_of,
    source_named,
    source_shown,
)
from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import kinds
from backedge.evidence.facts import Notice
from backedge.evidence.judging import name_of
from backedge.evidence.records import Judgement
from backedge.evidence.summary import counted
from backedge.evidence.texts import reading_of
from backedge.kernel.codec import adapter
from backedge.kernel.defect import Permanent
from backedge.kernel.ports import Head


async def sources_data(app: EvidenceApp, status: str | None, limit: int) -> dict[str, Any]:
    """A line for each source, or each of one status; at most `limit`."""
    policy = name_of(app.project.policy)
    lines: list[dict[str, Any]] = []
    for entry in await all_sources(app.library):
        line = _line(await source_shown(app.library, entry), policy)
        if status is None or line["status"] == status:
            if len(lines) == limit:
                return {"sources": lines, "more": True}
            lines.append(line)
    return {"sources": lines, "more": False}


def _line(source: SourceShown, policy: str) -> dict[str, Any]:
    """A source in a list. It is `outdated` where one of its versions was judged by another policy than that."""
    newest = source.newest
    standings: Counter[str] = Counter(standing.status if standing else "proposed" for _, standing in newest.records)
    return {
        "id": source.entry.id,
        "named": source.entry.named,
        "title": newest.metadata.title,
        "status": newest.status,
        "identifiers": list(newest.metadata.identifiers.named()),
        "versions": len(source.versions),
        "outdated": any(v.judgement is not None and v.judgement.policy != policy for v in source.versions),
        "reasons": [reason.kind for reason in newest.judgement.reasons] if newest.judgement else [],
        "records": dict(standings),
        "records_said": counted(standings) if standings else "no records",
    }


async def source_data(app: EvidenceApp, typed: str) -> dict[str, Any]:
    """All that is recorded of a source. Raises `Permanent` where not exactly one is named so."""
    library = app.library
    shown = await source_shown(library, await source_named(library, typed))
    return {
        **_line(shown, name_of(app.project.policy)),
        "relations": [
            adapter(kinds.Related).dump_python(each, mode="json")["relation"]
            for each in await library.all(kinds.RELATED, f"{shown.entry.id}/")
        ],
        "notices": [
            adapter(Notice).dump_python(each, mode="json")
            for each in (await library.facts(shown.newest.version)).notices
        ],
        "versions": [await _version_data(app, version) for version in shown.versions],
        "checked": [check.at for check in await library.all(kinds.CHECKED, f"{shown.entry.id}/")],
        "runs": [_run(head) for head in await runs_of(app, shown)],
    }


async def _version_data(app: EvidenceApp, shown: VersionShown) -> dict[str, Any]:
    content = shown.version.content
    history = await app.library.all(kinds.JUDGEMENT, content)
    measured = await app.library.one(kinds.MEASUREMENTS, content)
    return {**_version(shown, history), "measurements": _measurements(measured)}


def _run(head: Head) -> dict[str, Any]:
    return {
        "run": head.id,
        "workflow": head.workflow,
        "status": head.status,
        "state": head.state,
        "asked": head.labels.get("asked", ""),
        "created": head.created.isoformat(),
    }


def _version(shown: VersionShown, history: tuple[Judgement, ...]) -> dict[str, Any]:
    text, unread = shown.text, shown.unread
    return {
        "content": shown.version.content,
        "number": shown.version.number,
        "supersedes": shown.version.supersedes,
        "from": f"{shown.version.fetched.adapter}:{shown.version.fetched.identifier}",
        "notes": list(shown.version.fetched.notes),
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


async def passage_data(app: EvidenceApp, version: str, start: int, end: int) -> dict[str, Any]:
    """The innermost section of a version's text that holds a stretch of it (code points, half-open), in three parts.

    Raises `Permanent` where there is no such version, or no such stretch in its text.
    """
    found = await app.library.all(kinds.VERSION, version) if version else ()
    if len(found) != 1:
        raise Permanent(f"{len(found)} versions begin with {version!r}", mend="`backedge sources show` names them")
    shown = found[0]
    kept = await app.library.text(shown.content)
    reading = await reading_of(kept, app.contents)
    if not 0 <= start < end <= len(reading.text):
        raise Permanent(f"the text has {len(reading.text)} characters: there is no stretch from {start} to {end}")
    holding = [s for s in reading.sections if s.start <= start and end <= s.end]
    section = min(holding, key=lambda each: each.end - each.start, default=None)
    low, high = (section.start, section.end) if section else (0, len(reading.text))
    return {
        "source": shown.source,
        "version": shown.content,
        "title": (await app.library.metadata(shown)).title,
        "section": section.key if section else "",
        "role": section.role if section else "",
        "heading": (section.label or section.title) if section else "",
        "start": start,
        "end": end,
        "before": reading.text[low:start],
        "exact": reading.text[start:end],
        "after": reading.text[end:high],
    }
