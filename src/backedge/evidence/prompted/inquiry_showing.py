"""What of facets, questions, records and packages a prompt shows: a line for each thing, whatever stands in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backedge.evidence.facets import Facet, FacetRow
from backedge.evidence.inquire.ports import Held
from backedge.evidence.inquiry import CoverageGap, InvestigationQuestion, Package, PackagedRecord, Wants
from backedge.evidence.ports import Passage
from backedge.evidence.prompted.handles import Handles
from backedge.evidence.records import Proposal

LONGEST_REQUEST = 20_000  # characters
LONGEST_NAME = 300
MOST_AROUND = 300  # characters on each side of what a record quotes
_FIELDS = ("kind", "statement", "species", "population", "treatment", "comparator", "endpoint", "direction")
_NUMBERS = ("effect", "units", "n")
_WANTED = ("species", "population", "treatment", "comparator", "endpoint")


def one_line(text: str) -> str:
    """The text in one line, so that nothing in it looks like a line of its own."""
    return " ".join(text.split())


def facet_table(rows: Sequence[FacetRow]) -> str:
    """What each facet asks, for the wording."""
    return "\n".join(("The facets:", *(f"- `{row.name}` ({row.importance}): {row.asks}" for row in rows)))


def facets_text(facets: Iterable[Facet], *, notes: bool = True) -> str:
    """Facets as they are now: their values and how they stand, and nothing of how they came to be."""
    lines = []
    for facet in facets:
        values = "; ".join(one_line(value.text) for value in facet.values) or "(no value)"
        marks: list[str] = [facet.importance]
        if facet.confirmation == "assumed":
            marks.append("assumed")
        if facet.flagged:
            marks.append("left open on purpose")
        note = f" | note: {one_line(facet.note)}" if facet.note and notes else ""
        lines.append(f"{facet.name} ({', '.join(marks)}): {values}{note}")
    return "\n".join(lines)


def question_text(question: InvestigationQuestion) -> str:
    """A question with its decision and what it wants."""
    told = [
        f"question: {one_line(question.text)}",
        f"decision: {one_line(question.decision)}",
        f"answer: {'; '.join(map(one_line, question.answer_fields))}",
    ]
    wants: Wants = question.wants
    told += [f"wanted {name}: {one_line(text)}" for name in _WANTED if (text := getattr(wants, name))]
    return "\n".join(told)


def held_text(held: Held, room: int) -> str:
    """A record beside its passages, within `room` characters but for what it states and quotes."""
    fields = [("source", held.title[:LONGEST_NAME]), *_told(held.record.proposal)]
    quoted = sum(len(passage.span.exact) for passage in held.passages)
    around = max(0, min(MOST_AROUND, (room - quoted) // (2 * max(len(held.passages), 1))))
    lines = [f"{name}: {one_line(text)}" for name, text in fields if text]
    for number, passage in enumerate(held.passages, 1):
        lines.append(f"passage {number} ({passage.span.role}): {_passage(passage, around)}")
    return "\n".join(lines)


def _told(proposal: Proposal) -> Iterable[tuple[str, str]]:
    return ((name, str(getattr(proposal, name))) for name in (*_FIELDS, *_NUMBERS))


def _passage(passage: Passage, around: int) -> str:
    before = passage.before[-around:] if around else ""
    return one_line(f"{before} QUOTED: {passage.span.exact} :END {passage.after[:around]}")


def gaps_text(gaps: Iterable[CoverageGap]) -> str:
    """Gaps, a line each: open or closed."""
    return "\n".join(
        f"{'closed' if gap.closed_by else 'open'}: {one_line(gap.about)}: {one_line(gap.why)}" for gap in gaps
    )


def package_blocks(
    packages: Sequence[Package], handles: Handles, room: int
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """A block for each package within `room` characters of records in all, and the keys of records that are not shown.

    Each has its share. What is critical comes first; a record that does not fit with its quotations is shown without.
    """
    blocks: list[tuple[str, str]] = []
    hidden: list[str] = []
    left = room
    for number, package in enumerate(packages):
        text, used, missed = _package(package, handles, left // (len(packages) - number))
        left -= used
        hidden += missed
        blocks.append((f"package {package.question.key}", text))
    return tuple(blocks), tuple(dict.fromkeys(hidden))


def _package(package: Package, handles: Handles, room: int) -> tuple[str, int, list[str]]:
    said = package.sufficiency
    lines = [
        question_text(package.question),
        f"facets: {', '.join(package.question.facets)}",
        f"status: {said.status}",
        f"coverage: {one_line(said.coverage)}",
        *(f"assumption: {one_line(text)}" for text in said.assumptions),
        *(f"critical gap: {one_line(text)}" for text in said.critical_gaps),
    ]
    if package.gaps:
        lines.append(gaps_text(package.gaps))
    if package.invalid:
        return "\n".join((*lines, "this package may not be used: its records are not shown")), 0, []
    hidden: list[str] = []
    used = 0
    for record in sorted(package.records, key=lambda record: not record.critical):
        whole, short = _packaged(record, handles), _packaged(record, handles, quoted=False)
        shown = next((text for text in (whole, short) if used + len(text) <= room), "")
        if shown:
            lines.append(shown)
            used += len(shown)
        else:
            hidden.append(record.record)
    more = len(package.trimmed) + len(hidden)
    if more:
        lines.append(f"{more} more records are not shown, for want of room")
    return "\n".join(lines), used, hidden


def _packaged(record: PackagedRecord, handles: Handles, *, quoted: bool = True) -> str:
    critical = ", critical" if record.critical else ""
    stands = f"{record.relationship}, {record.applicability}{critical}"
    lines = [f"record {handles.of(record.record)} ({record.kind}; {stands}): {one_line(record.statement)}"]
    if quoted:
        lines += [f"  quoted: {one_line(span.exact)}" for span in record.spans]
    return "\n".join(lines)
