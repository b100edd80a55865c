"""A design as Markdown: what papers and models say in it is text, whatever it looks like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backedge.evidence.exporting.cited import Cited, CitedSpan
from backedge.evidence.exporting.design_view import DesignView, Reference, ShownApproach, ShownQuestion, ShownSection
from backedge.evidence.exporting.markdown_text import escaped, paragraphs
from backedge.evidence.facets import FACETS

FACET_TITLES = {row.name: row.name.replace("_", " ") for row in FACETS}


def to_markdown(view: DesignView) -> str:
    """The whole view, what speaks against it first."""
    return "\n\n".join(part for part in _parts(view) if part) + "\n"


def _parts(view: DesignView) -> Iterator[str]:
    yield f"# {escaped(view.title)}"
    yield f"**{escaped(view.mark)}**"
    yield from _warnings("What changed since under what this design cites", view.stale)
    yield from _warnings("Links that do not hold", view.problems)
    newest = "" if view.version == view.newest else f"; the newest is {view.newest}"
    written = f", written {escaped(view.at)}" if view.at else ""
    yield f"Version {view.version}{written}{newest}. Investigation {escaped(view.investigation)}."
    if view.request:
        yield f"Request by {escaped(view.by)}:"
        yield "\n".join(f"> {line}" if line else ">" for line in paragraphs(view.request).split("\n"))
    for number, section in enumerate(view.sections, 1):
        yield f"## {number} {escaped(section.title)}"
        yield _prose(section)
    yield from _facets(view)
    yield from _approaches(view)
    yield from _questions(view)
    yield from _references(view.references)
    yield from _approvals(view)


def _warnings(title: str, sentences: tuple[str, ...]) -> Iterator[str]:
    if sentences:
        yield f"**{escaped(title)}:**"
        yield _list(escaped(sentence) for sentence in sentences)


def _prose(section: ShownSection) -> str:
    """The sentences with the numbers of their references behind them."""
    return paragraphs_with_numbers([(each.text, each.references, each.gap) for each in section.sentences])


def paragraphs_with_numbers(sentences: Iterable[tuple[str, tuple[int, ...], str]]) -> str:
    """Sentences (text, numbers, gap) as paragraphs; numbers stand in brackets behind their sentence."""
    return paragraphs("".join(f"{text}{numbered(numbers)}{gap}" for text, numbers, gap in sentences))


def numbered(numbers: tuple[int, ...]) -> str:
    """Numbers of references as a text has them."""
    return f" [{', '.join(map(str, numbers))}]" if numbers else ""


def _facets(view: DesignView) -> Iterator[str]:
    yield "## Facets accounted for"
    yield _list(
        f"**{FACET_TITLES[facet.name]}** ({facet.importance}, {facet.confirmation}"
        f"{', left open on purpose' if facet.flagged else ''}): "
        f"{escaped('; '.join(facet.values) or 'not stated')} — {escaped(facet.how or 'not named by the design')}"
        for facet in view.facets
    )
    if view.uninvestigated:
        yield "Not investigated:"
        yield _list(f"**{escaped(facet)}**: {escaped(why)}" for facet, why in view.uninvestigated)


def _approaches(view: DesignView) -> Iterator[str]:
    if view.chosen is None:
        return
    yield "## Approaches"
    yield f"Chosen by {escaped(view.decided_by)}:"
    yield _approach(view.chosen, "why")
    if view.rejected:
        yield "Rejected:"
        yield "\n".join(_approach(each, "rejected because") for each in view.rejected)
    yield paragraphs(view.comparison)


def _approach(approach: ShownApproach, why: str) -> str:
    lines = [f"- **{escaped(approach.title)}**: {escaped(approach.summary)}"]
    if approach.reason:
        lines.append(f"  - {why}: {escaped(approach.reason)}")
    lines += [f"  - assumes: {escaped(text)} (rests on {escaped(on)})" for text, on in approach.assumptions]
    return "\n".join(lines)


def _questions(view: DesignView) -> Iterator[str]:
    if view.questions:
        yield "## Whether the evidence suffices"
    for question in view.questions:
        yield f"**{escaped(question.text)}**"
        yield _list(f"{name}: {escaped(text)}" for name, text in question_lines(question))


def question_lines(question: ShownQuestion) -> Iterator[tuple[str, str]]:
    """What the evidence of a question comes to, as (what it is, text); what there is none of is left out."""
    yield "evidence", question.status
    yield "covers", question.coverage
    yield "records", f"{len(question.records)}, of which {len(question.contradictions)} contradict"
    for name, texts in (
        ("assumes", question.assumptions),
        ("critical gap", question.critical_gaps),
        ("open gap", question.gaps),
        ("contradicts", question.contradictions),
        ("left out to keep to the token budget", question.trimmed),
        ("its package is invalid", question.invalid),
    ):
        yield from ((name, text) for text in texts)
    if question.only_affirmative:
        yield "rests on one record alone", question.only_affirmative
    if question.reviewed:
        yield "that was decided by", question.reviewed


def _references(references: tuple[Reference, ...]) -> Iterator[str]:
    yield "## References"
    if not references:
        yield "No record is cited."
    for each in references:
        yield f"\\[{each.number}\\] {escaped(each.cited.statement)}\\\n{escaped(about(each.cited))}"
        lines = [f"- {quoted(span)} ({escaped(place(span))})" for span in each.cited.spans]
        yield "\n".join(lines)


def quoted(span: CitedSpan) -> str:
    """A quotation within its marks, and what is wrong with it where something is."""
    wrong = f" **{escaped(span.problem)}**" if span.problem else ""
    return f"“{escaped(span.exact)}”{wrong}"


def place(span: CitedSpan) -> str:
    """Where a quotation stands in the text of its version."""
    title = f" {span.title}" if span.title else ""
    return f"section {span.section}{title}, {span.role}, characters {span.start} to {span.end}"


def about(cited: Cited) -> str:
    """What a reference is besides its statement: its key, how it stands, and its source with both hashes."""
    head = f"{cited.kind or 'record'} {cited.key}, {cited.standing}"
    source = cited.source
    if source is None:
        return f"{head}; its source is not known"
    named = ", ".join(source.identifiers) or source.source
    use = "may be used" if source.may_be_used else f"MAY NOT BE USED: {', '.join(source.reasons)}"
    return f"{head}. {source.title}. {named}; version {source.version}, text {source.text}; {use}"


def _approvals(view: DesignView) -> Iterator[str]:
    yield "## Approvals"
    if not view.approvals:
        yield "Nothing was decided on it."
        return
    lines = []
    for each in view.approvals:
        what = "approved" if each.approved else "changes requested"
        when = f" on {escaped(each.at)}" if each.at else ""
        lines.append(f"- Version {each.version}, {what} by {escaped(each.by)}{when}: {escaped(each.rationale)}")
        lines += [f"  - {escaped(change)}" for change in each.changes]
    yield "\n".join(lines)


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)
