"""A version of a design as people read it: one form for the page, JSON, Markdown and a document."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.designs import Approval, Candidates, Design, SectionName
from backedge.evidence.exporting.cited import Citations, Cited
from backedge.evidence.exporting.design_sentences import ShownSentence, shown_sentences
from backedge.evidence.facets import Confirmation, FacetName, Importance
from backedge.evidence.inquiry import InvestigationQuestion, Package, SufficiencyStatus
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents
from backedge.evidence.staleness import stale
from backedge.evidence.tables import USUAL, Tables
from backedge.evidence.views import packages_kept
from backedge.kernel.codec import adapter
from backedge.kernel.defect import Permanent
from backedge.kernel.journal import Moved, Proposed, Started, Stored

PROPOSAL = "PROPOSAL – not approved"
LONGEST_TITLE = 120


@dataclass(frozen=True)
class ShownSection:
    """One of the twelve sections, with the numbers of the references of each sentence."""

    name: SectionName
    title: str
    sentences: tuple[ShownSentence, ...]


@dataclass(frozen=True)
class Reference:
    """A record that the design cites, by its number in the text."""

    number: int
    cited: Cited


@dataclass(frozen=True)
class AccountedFacet:
    """A facet as it was confirmed, and how the design meets it; `how` is empty where the design does not name it."""

    name: FacetName
    importance: Importance
    values: tuple[str, ...]
    confirmation: Confirmation
    flagged: bool
    how: str


@dataclass(frozen=True)
class ShownApproach:
    """An approach with the reason why it was chosen or rejected. `assumptions` are (what, what it rests on)."""

    key: str
    title: str
    summary: str
    reason: str
    assumptions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ShownQuestion:
    """What the evidence of a question comes to: gaps are those that stay open, `trimmed` and `invalid` its package's.

    `only_affirmative` is the record on which the judgement rests alone, `reviewed` who said that it stands, and why.
    """

    key: str
    text: str
    status: SufficiencyStatus
    coverage: str
    assumptions: tuple[str, ...]
    critical_gaps: tuple[str, ...]
    gaps: tuple[str, ...]
    records: tuple[str, ...]
    contradictions: tuple[str, ...]
    trimmed: tuple[str, ...]
    invalid: tuple[str, ...]
    only_affirmative: str
    reviewed: str


@dataclass(frozen=True)
class ShownApproval:
    """What was decided on a version, by whom, when (ISO, UTC; empty where no journal says) and why."""

    version: int
    approved: bool
    by: str
    at: str
    rationale: str
    changes: tuple[str, ...]


@dataclass(frozen=True)
class DesignView:
    """A version of a design. `mark` says whether it is approved, `stale` what changed since under what it cites.

    `problems` are links that do not hold. `at` is when the version was written, `newest` the last one there is.
    """

    investigation: str
    request: str
    by: str
    title: str
    version: int
    newest: int
    at: str
    approved: bool
    mark: str
    stale: tuple[str, ...]
    problems: tuple[str, ...]
    sections: tuple[ShownSection, ...]
    references: tuple[Reference, ...]
    facets: tuple[AccountedFacet, ...]
    uninvestigated: tuple[tuple[str, str], ...]
    chosen: ShownApproach | None
    decided_by: str
    rejected: tuple[ShownApproach, ...]
    comparison: str
    questions: tuple[ShownQuestion, ...]
    approvals: tuple[ShownApproval, ...]


async def design_view(
    investigation: str, library: Library, contents: Contents, version: int | None = None, tables: Tables = USUAL
) -> DesignView:
    """A version of the design of an investigation, the newest without a number.

    Raises `Permanent` where there is none of that number.
    """
    designs = [each.design for each in await library.all(kinds.DESIGN, f"{investigation}/")]
    design = _chosen(investigation, designs, version)
    packages = await packages_kept(investigation, library)
    numbers = _numbered(design)
    reader = Citations(library, contents, packages)
    references = tuple([Reference(number, await reader.of(key)) for key, number in numbers.items()])
    journal = await library.journal(investigation)
    text, by = _request(journal)
    approvals = _approvals([each.approval for each in await library.all(kinds.APPROVAL, f"{investigation}/")], journal)
    own = next((each for each in reversed(approvals) if each.version == design.version), None)
    chosen, rejected, decided_by, comparison = await _approaches(investigation, library)
    asked = await library.one(kinds.QUESTIONS, investigation)
    changed = await stale(packages, library, frozenset(numbers))
    at = _moments(journal, "Designing")
    return DesignView(
        investigation,
        text,
        by,
        _title(text, asked.questions if asked else ()),
        design.version,
        designs[-1].version,
        at[design.version - 1] if len(at) >= design.version else "",
        own is not None and own.approved,
        _mark(own),
        tuple(dict.fromkeys((*changed, *(why for each in references for why in _unpackaged(each.cited, packages))))),
        (*_loose(design), *(problem for each in references for problem in each.cited.broken)),
        tuple(_section(design, row.name, row.title, numbers) for row in tables.sections),
        references,
        await _facets(investigation, design, library),
        asked.uninvestigated if asked else (),
        chosen,
        decided_by,
        rejected,
        comparison,
        tuple(_question(package) for package in packages),
        approvals,
    )


def to_json(view: DesignView) -> dict[str, JsonValue]:
    """The view as plain data."""
    body: dict[str, JsonValue] = adapter(DesignView).dump_python(view, mode="json")
    return body


def _chosen(investigation: str, designs: list[Design], version: int | None) -> Design:
    if not designs:
        mend = f"backedge investigate show {investigation}"
        raise Permanent(f"investigation {investigation} has no design yet", mend=mend)
    if version is None:
        return designs[-1]
    found = next((design for design in designs if design.version == version), None)
    if found is None:
        known = ", ".join(str(design.version) for design in designs)
        raise Permanent(f"the design of {investigation} has no version {version}", mend=f"there is {known}")
    return found


def _numbered(design: Design) -> dict[str, int]:
    """The records that are cited, numbered as they come."""
    keys = dict.fromkeys(key for s in design.sections for c in s.citations for key in c.records)
    return {key: number for number, key in enumerate(keys, 1)}


def _section(design: Design, name: SectionName, title: str, numbers: dict[str, int]) -> ShownSection:
    found = next((section for section in design.sections if section.name == name), None)
    return ShownSection(name, title, shown_sentences(found, numbers) if found else ())


def _loose(design: Design) -> tuple[str, ...]:
    return tuple(
        f"{section.name}: the cited sentence {citation.sentence[:60]!r} is not in the section"
        for section in design.sections
        for citation in section.citations
        if citation.sentence.strip() not in section.text
    )


def _unpackaged(cited: Cited, packages: tuple[Package, ...]) -> tuple[str, ...]:
    held = {record.record for package in packages for record in package.records}
    return () if cited.key in held else (*cited.stale, f"record {cited.key} is in no package of the investigation")


def _mark(own: ShownApproval | None) -> str:
    if own is None or not own.approved:
        return PROPOSAL
    when = f" on {own.at}" if own.at else ""
    return f"Approved by {own.by}{when}: {own.rationale}"


def _request(journal: tuple[Stored, ...]) -> tuple[str, str]:
    """The text of the request and who asks, as the first entry of the run has them."""
    state = journal[0].entry.state if journal and isinstance(journal[0].entry, Started) else None
    request = state.get("request") if isinstance(state, dict) else None
    if not isinstance(request, dict):
        return "", ""
    return str(request.get("text", "")), str(request.get("by", ""))


def _title(request: str, questions: tuple[InvestigationQuestion, ...]) -> str:
    text = " ".join(request.split()) or (questions[0].text if questions else "")
    short = text if len(text) <= LONGEST_TITLE else text[: LONGEST_TITLE - 1].rsplit(" ", 1)[0] + "…"
    return f"Study design: {short}" if short else "Study design"


def _moments(journal: tuple[Stored, ...], stage: str) -> list[str]:
    """When the accepted proposals of a stage were accepted, in their order."""
    proposals = {stored.seq for stored in journal if isinstance(stored.entry, Proposed) and stored.entry.stage == stage}
    return [
        stored.at.isoformat(timespec="seconds")
        for stored in journal
        if isinstance(stored.entry, Moved) and stored.entry.proposal in proposals and not stored.entry.otherwise
    ]


def _approvals(approvals: list[Approval], journal: tuple[Stored, ...]) -> tuple[ShownApproval, ...]:
    moments = _moments(journal, "AwaitingApproval")
    moments += [""] * (len(approvals) - len(moments))
    return tuple(
        ShownApproval(each.version, each.approved, each.by, at, each.rationale, each.changes)
        for each, at in zip(approvals, moments, strict=False)
    )


async def _approaches(
    investigation: str, library: Library
) -> tuple[ShownApproach | None, tuple[ShownApproach, ...], str, str]:
    kept, said = await library.one(kinds.CANDIDATES, investigation), await library.one(kinds.DECISION, investigation)
    if kept is None or said is None:
        return None, (), "", ""
    decision = said.decision
    reasons = {**dict(decision.rejected), decision.chosen: decision.reason}
    shown = {key: _approach(kept.candidates, key, reasons.get(key, "")) for key in _keys(kept.candidates)}
    rejected = tuple(approach for key, approach in shown.items() if key != decision.chosen)
    return shown.get(decision.chosen), rejected, decision.by, kept.candidates.comparison


def _keys(candidates: Candidates) -> tuple[str, ...]:
    return tuple(approach.key for approach in candidates.approaches)


def _approach(candidates: Candidates, key: str, reason: str) -> ShownApproach:
    found = next(approach for approach in candidates.approaches if approach.key == key)
    assumptions = tuple((assumption.text, assumption.rests_on) for assumption in found.assumptions)
    return ShownApproach(key, found.title, found.summary, reason, assumptions)


async def _facets(investigation: str, design: Design, library: Library) -> tuple[AccountedFacet, ...]:
    kept = await library.all(kinds.FACETS_AT, f"{investigation}/")
    how = dict(design.facets)
    return tuple(
        AccountedFacet(
            facet.name,
            facet.importance,
            tuple(value.text for value in facet.values),
            facet.confirmation,
            facet.flagged,
            how.get(facet.name, ""),
        )
        for facet in (kept[-1].facets if kept else ())
    )


def _question(package: Package) -> ShownQuestion:
    said = package.sufficiency
    return ShownQuestion(
        package.question.key,
        package.question.text,
        said.status,
        said.coverage,
        said.assumptions,
        said.critical_gaps,
        tuple(gap.why for gap in package.gaps if not gap.closed_by),
        tuple(record.record for record in package.records),
        tuple(record.record for record in package.records if record.relationship == "contradicts"),
        package.trimmed,
        package.invalid,
        said.only_affirmative,
        f"{said.reviewed_by}: {said.review_reason}" if said.reviewed_by else "",
    )
