"""From a sentence of a design to the characters of its sources, as data and as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from backedge.evidence.exporting.cited import Cited, CitedSource, CitedSpan
from backedge.evidence.exporting.design_markdown import place
from backedge.evidence.records import Standing, Verification
from backedge.kernel.codec import adapter

SHOWN_AROUND = 80  # characters of context that the text shows


@dataclass(frozen=True)
class TracedQuote:
    """Words that a sentence quotes, and the record whose span they stand in; empty where they stand in none."""

    text: str
    record: str


@dataclass(frozen=True)
class TracedSentence:
    """A sentence of a design by its place (`D2/endpoints/3`), what it cites, and what it quotes."""

    investigation: str
    place: str
    title: str
    text: str
    records: tuple[str, ...]
    quotes: tuple[TracedQuote, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attempt:
    """One attempt at a record: its key, its number, how it stood over time, and what its quotations were."""

    key: str
    number: int
    standings: tuple[Standing, ...]


@dataclass(frozen=True)
class Bears:
    """How a record stands to a question of an investigation, with the reason."""

    question: str
    text: str
    relationship: str
    applicability: str
    reason: str


@dataclass(frozen=True)
class TracedRecord:
    """A record with how it was verified, every attempt at it (the oldest first), and what it was assessed for."""

    cited: Cited
    verification: Verification | None
    attempts: tuple[Attempt, ...]
    bears: tuple[Bears, ...]


@dataclass(frozen=True)
class Trace:
    """What words lead to. `checked` counts the links that were walked, `broken` says which of them do not hold.

    `stale` says what speaks now against what was walked to.
    """

    asked: str
    kind: Literal["sentence", "record"]
    sentences: tuple[TracedSentence, ...]
    records: tuple[TracedRecord, ...]
    checked: int
    broken: tuple[str, ...]
    stale: tuple[str, ...]


def trace_json(trace: Trace) -> dict[str, JsonValue]:
    """The trace as plain data."""
    body: dict[str, JsonValue] = adapter(Trace).dump_python(trace, mode="json")
    return body


def trace_text(trace: Trace) -> str:
    """The trace as lines, what is broken first."""
    return "\n".join(_lines(trace)) + "\n"


def _lines(trace: Trace) -> Iterator[str]:
    yield from (f"BROKEN: {said}" for said in trace.broken)
    yield from (f"STALE: {said}" for said in trace.stale)
    yield f"{trace.checked} links checked, {len(trace.broken)} broken"
    for sentence in trace.sentences:
        yield f"\n{sentence.place} ({sentence.title}), investigation {sentence.investigation}"
        yield f"  {_flat(sentence.text)}"
        for quote in sentence.quotes:
            yield f"  quotes “{_flat(quote.text)}”: {quote.record or 'stands in no span of what it cites'}"
        yield f"  cites {', '.join(sentence.records) or 'no record'}"
    for record in trace.records:
        yield from _record(record)


def _record(record: TracedRecord) -> Iterator[str]:
    cited = record.cited
    yield f"\n{cited.kind or 'record'} {cited.key}: {cited.standing}"
    yield f"  {_flat(cited.statement)}"
    if record.verification is None:
        yield "  not verified"
    else:
        yield from _verification(record.verification)
    for attempt in record.attempts:
        how = " → ".join(f"{each.status} ({each.by})" for each in attempt.standings) or "no standing"
        yield f"  attempt {attempt.number} {attempt.key}: {how}"
    for bears in record.bears:
        yield f"  {bears.question}: {bears.relationship}, {bears.applicability}: {_flat(bears.reason)}"
    for span in cited.spans:
        yield from _span(span)
    if cited.source is not None:
        yield from _source(cited.source)


def _verification(verification: Verification) -> Iterator[str]:
    said = f" (the model said {verification.said})" if verification.said != verification.label else ""
    yield f"  verified: {verification.label}{said}: {_flat(verification.reason)}"
    for check in verification.checks:
        yield f"    {check.name} {check.outcome}: {_flat(check.reason)}"
    for flag in verification.flags:
        yield f"    flag {flag.kind} ({flag.check}, at most {flag.at_most}): {_flat(flag.message)}"


def _span(span: CitedSpan) -> Iterator[str]:
    yield f"  {place(span)}"
    if span.problem:
        yield f"    BROKEN: {span.problem}"
    before, after = span.before[-SHOWN_AROUND:], span.after[:SHOWN_AROUND]
    yield f"    …{_flat(before)}【{_flat(span.exact)}】{_flat(after)}…"


def _source(source: CitedSource) -> Iterator[str]:
    use = "may be used" if source.may_be_used else f"may NOT be used: {', '.join(source.reasons)}"
    yield f"  source {source.source}: {source.title}"
    yield f"    {', '.join(source.identifiers) or 'no identifier'}; {use}"
    yield f"    version {source.version}"
    yield f"    text {source.text or 'none'}"


def _flat(text: str) -> str:
    return " ".join(text.split())
