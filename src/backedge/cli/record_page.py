"""One record as a page: its fields, its quotations in their context, its checks, its flags, and its history."""

from __future__ import annotations

from typing import Any

import click

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.reviewing import Reviewed
from backedge.cli.lines import plain
from backedge.evidence.reading import Reading
from backedge.evidence.records import EvidenceRecord, Span
from backedge.evidence.spans import resolve
from backedge.evidence.texts import reading_of
from backedge.kernel.codec import adapter

AROUND = 160  # characters of its section that are shown before and behind a span
FIELDS = (
    "species",
    "population",
    "treatment",
    "comparator",
    "endpoint",
    "direction",
    "effect",
    "units",
    "n",
)


async def record_data(app: EvidenceApp, reviewed: Reviewed) -> dict[str, Any]:
    """The record with all that is shown of it; spans are read against the text as it is stored now."""
    record = reviewed.record
    text = await app.library.text(record.version)
    reading = await reading_of(text, app.contents)
    judgement = await app.library.judgement(record.version)
    version = await app.library.version(record.version)
    metadata = await app.library.metadata(version)
    quotations = [_quotation(record, number, spans, reading, text.text) for number, spans in enumerate(record.spans)]
    standing = reviewed.standings[-1] if reviewed.standings else None
    return {
        "key": record.key,
        "kind": record.proposal.kind,
        "statement": record.proposal.statement,
        "fields": {name: getattr(record.proposal, name) for name in FIELDS},
        "source": record.source,
        "source_title": metadata.title,
        "version": record.version,
        "standing": standing.status if standing else "proposed",
        "standing_number": reviewed.standing,
        "reason": standing.reason if standing else "",
        "usable": bool(standing and standing.status == "accepted" and judgement and judgement.eligible),
        "source_reasons": [reason.kind for reason in judgement.reasons] if judgement else ["not judged"],
        "attempt": record.attempt,
        "replaces": record.replaces,
        "quotations": quotations,
        "verification": adapter(type(reviewed.verification)).dump_python(reviewed.verification, mode="json")
        if reviewed.verification
        else None,
        "standings": [adapter(type(each)).dump_python(each, mode="json") for each in reviewed.standings],
        "decisions": [_decision(each.decision, each.number) for each in reviewed.decided],
    }


def _quotation(
    record: EvidenceRecord, number: int, spans: tuple[Span, ...], reading: Reading, text_hash: str
) -> dict[str, Any]:
    quoted = record.proposal.quotations[number]
    return {
        "said": quoted.text,
        "section": quoted.section,
        "found": bool(spans),
        "spans": [_span(span, reading, text_hash) for span in spans],
    }


def _span(span: Span, reading: Reading, text_hash: str) -> dict[str, Any]:
    section = reading.section(span.section)
    defect = resolve(span, reading.text, text_hash)
    low, high = (section.start, section.end) if section else (0, len(reading.text))
    return {
        "section": span.section,
        "role": span.role,
        "title": (section.label or section.title) if section else "",
        "start": span.start,
        "end": span.end,
        "exact": span.exact,
        "before": reading.text[max(low, span.start - AROUND) : span.start],
        "after": reading.text[span.end : min(high, span.end + AROUND)],
        "broken": defect.message if defect else "",
    }


def _decision(decision: Any, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "kind": decision.kind,
        "by": decision.by,
        "reason": decision.reason,
        "seen": decision.seen,
    }


def print_record(data: dict[str, Any]) -> None:
    """The page on a terminal; a span stands between ⟦ and ⟧."""
    _say(f"{data['key']}  {data['kind']}  {data['standing']} (standing {data['standing_number']})")
    _say(data["statement"])
    _say(f"source {data['source']}: {data['source_title'] or 'no title'}  (version {data['version'][:12]})")
    if data["source_reasons"]:
        _say(f"ITS SOURCE MAY NOT BE USED: {', '.join(data['source_reasons'])}")
    if data["reason"]:
        _say(f"because: {data['reason']}")
    for name, value in data["fields"].items():
        if value:
            _say(f"  {name}: {value}")
    for quotation in data["quotations"]:
        _print_quotation(quotation)
    _print_verification(data["verification"])
    for standing in data["standings"]:
        reason = f": {standing['reason']}" if standing["reason"] else ""
        _say(f"  {standing['number']}. {standing['status']} by {standing['by']}{reason}")
    for decision in data["decisions"]:
        reason = f": {decision['reason']}" if decision["reason"] else ""
        _say(f"  decision {decision['number']}: {decision['kind']} by {decision['by']}{reason}")


def _print_quotation(quotation: dict[str, Any]) -> None:
    if not quotation["found"]:
        _say(f"\nNOT FOUND in {quotation['section']}: {quotation['said']!r}")
    for span in quotation["spans"]:
        where = f"{span['section']} {span['role']}{' ' + span['title'] if span['title'] else ''}"
        _say(f"\n{where}, characters {span['start']}-{span['end']}:")
        _say(f"  …{span['before']}⟦{span['exact']}⟧{span['after']}…")
        if span["broken"]:
            _say(f"  BROKEN: {span['broken']}")


def _print_verification(found: dict[str, Any] | None) -> None:
    if found is None:
        _say("\nnot verified")
        return
    said = "" if found["said"] == found["label"] else f" (the model said {found['said']})"
    _say(f"\n{found['label']}{said}: {found['reason']}")
    for check in found["checks"]:
        _say(f"  {check['name']}: {check['outcome']}: {check['reason']}")
    for flag in found["flags"]:
        _say(f"  flag {flag['kind']} (at most {flag['at_most']}): {flag['message']}")


def _say(text: str) -> None:
    click.echo(plain(text))
