"""The design agent: approaches compared from packages of evidence, and the design of the one that a person chose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from backedge.agent.blocks import as_json
from backedge.agent.ports import Agent
from backedge.evidence.designs import (
    CRITERIA,
    SECTIONS,
    Approach,
    ApproachDecision,
    Assumption,
    Candidates,
    Citation,
    CriterionRow,
    Design,
    DesignSection,
    Rated,
    SectionRow,
)
from backedge.evidence.facets import FACET_NAMES, Facet
from backedge.evidence.inquiry import Package
from backedge.evidence.investigate.states import Designed
from backedge.evidence.prompted.design_replies import (
    ApproachSaid,
    CandidatesSaid,
    DesignSaid,
    RatedSaid,
    SectionSaid,
)
from backedge.evidence.prompted.handles import Handles
from backedge.evidence.prompted.inquiry_showing import facets_text, one_line, package_blocks
from backedge.evidence.prompted.mind import Mind
from backedge.evidence.prompted.showing import hashed
from backedge.evidence.tables import USUAL, Tables
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Reply, Unreadable

LONGEST_PREVIOUS = 30_000  # characters of the reply that was refused, or of the design that is to be changed
APPROACHES = "abcdefghijklmnopqrstuvwxyz"


class PromptedDesigner:
    """The design agent. What is judged and what is written, by the project's `tables`, comes with the wordings."""

    def __init__(self, agent: Agent, instructions: str = "", tables: Tables = USUAL) -> None:
        judged = "\n".join(("The criteria:", *(f"- `{row.name}`: {row.judges}" for row in tables.criteria)))
        written = "\n".join(("The sections:", *(f"- `{row.name}`: {row.title}" for row in tables.sections)))
        self._propose = Mind("proposing", agent, instructions, judged)
        self._design = Mind("designing", agent, instructions, written)

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        return {**self._propose.settings, "design": [self._design.settings["prompt"], self._design.table]}

    async def candidates(
        self, facets: tuple[Facet, ...], packages: tuple[Package, ...], lesson: Lesson
    ) -> Reply[Candidates] | Unreadable:
        """See `investigate.ports.DesignAgent`."""
        handles = _handles(packages)
        before = lesson.previous
        previous = _proposed(before, handles) if isinstance(before, Candidates) else ""
        shown = _Shown(facets, packages, handles, self._propose.room)
        lesson_part = ("lesson", handles.lesson(lesson, previous, self._longest))
        said = await self._propose.ask((*shown.parts, lesson_part), shown.inputs, shown.told, CandidatesSaid)
        if isinstance(said, Unreadable):
            return said
        if refused := _strange(_texts(said.proposal), handles, said):
            return refused
        approaches = zip(APPROACHES, said.proposal.approaches, strict=False)
        made = tuple(_approach(key, each, handles) for key, each in approaches)
        return Reply(Candidates(made, handles.told(said.proposal.comparison)), said.usage, said.details)

    async def design(
        self,
        facets: tuple[Facet, ...],
        packages: tuple[Package, ...],
        candidates: Candidates,
        decision: ApproachDecision,
        version: int,
        lesson: Lesson,
    ) -> Reply[Design] | Unreadable:
        """See `investigate.ports.DesignAgent`. A section is its sentences; those with records are its citations."""
        handles = _handles(packages)
        before = lesson.previous
        previous = _written(before.design, handles) if isinstance(before, Designed) else ""
        shown = _Shown(facets, packages, handles, self._design.room)
        decided = _decided(candidates, decision, handles)
        parts = (*shown.parts, *decided, ("lesson", handles.lesson(lesson, previous, self._longest)))
        inputs: dict[str, JsonValue] = {**shown.inputs, "decision": hashed(*(text for _, text in decided))}
        said = await self._design.ask(parts, inputs, {**shown.told, "version": version}, DesignSaid)
        if isinstance(said, Unreadable):
            return said
        sections = [(row, getattr(said.proposal, row.name)) for row in SECTIONS]
        met = said.proposal.facets.model_dump()
        texts = [sentence.text for _, section in sections for sentence in section.sentences]
        if refused := _strange((*texts, *met.values()), handles, said):
            return refused
        made = tuple(_section(row, section, handles) for row, section in sections)
        named = tuple((name, handles.told(met[name])) for name in FACET_NAMES if met[name])
        return Reply(Design(version, made, named), said.usage, said.details)

    @property
    def _longest(self) -> int:
        return min(LONGEST_PREVIOUS, self._design.room // 2)


def _handles(packages: Sequence[Package]) -> Handles:
    return Handles(record.record for package in packages if not package.invalid for record in package.records)


class _Shown:
    """Facets and packages as parts of a prompt, what they were made of, and what the journal keeps of them."""

    def __init__(self, facets: Sequence[Facet], packages: Sequence[Package], handles: Handles, room: int) -> None:
        told, hidden = package_blocks(packages, handles, room)
        self.parts: tuple[tuple[str, str], ...] = (("facets", facets_text(facets)), *told)
        self.inputs: dict[str, JsonValue] = {name: hashed(text) for name, text in self.parts}
        self.told: dict[str, JsonValue] = {
            "packages": [f"{package.question.key}/{package.key}" for package in packages],
            "records": dict(handles.named),
            "characters": sum(len(text) for _, text in self.parts),
        }
        if hidden:
            self.told["cut"] = [*hidden]


def _strange(
    texts: Iterable[str], handles: Handles, said: Reply[CandidatesSaid] | Reply[DesignSaid]
) -> Unreadable | None:
    """A text that names a handle of no record is no reply: what it means nobody knows."""
    if not (found := handles.strange(texts)):
        return None
    told = f"a text names {', '.join(found)}, and no record is called so"
    hint = "name records that are shown, in `records` only"
    return Unreadable(
        said.proposal.model_dump_json(), Defect("unknown_handle", told, "", hint), said.usage, said.details
    )


def _texts(said: CandidatesSaid) -> Iterable[str]:
    yield said.comparison
    for approach in said.approaches:
        yield from (approach.title, approach.summary)
        yield from (text for each in approach.assumptions for text in (each.text, each.rests_on))
        yield from (getattr(approach.ratings, row.name).rationale for row in CRITERIA)


def _approach(key: str, said: ApproachSaid, handles: Handles) -> Approach:
    told = handles.told
    assumptions = tuple(Assumption(told(each.text), told(each.rests_on)) for each in said.assumptions)
    ratings = tuple(_rated(row, getattr(said.ratings, row.name), handles) for row in CRITERIA)
    return Approach(key, told(said.title), told(said.summary), assumptions, ratings, handles.keys(said.records))


def _rated(row: CriterionRow, said: RatedSaid, handles: Handles) -> Rated:
    rationale, cited = handles.cited(said.rationale)
    return Rated(row.name, said.rating, rationale, handles.keys((*said.records, *cited)))


def _section(row: SectionRow, said: SectionSaid, handles: Handles) -> DesignSection:
    texts, citations = [], []
    for sentence in said.sentences:
        text, cited = handles.cited(sentence.text)
        if not text:
            continue
        texts.append(text)
        if records := handles.keys((*sentence.records, *cited)):
            citations.append(Citation(text, records))
    return DesignSection(row.name, " ".join(texts), tuple(citations))


def _decided(candidates: Candidates, decision: ApproachDecision, handles: Handles) -> tuple[tuple[str, str], ...]:
    """The chosen approach and the rejected ones with their reasons. Who decided is nothing that a model needs."""
    by_key = {approach.key: approach for approach in candidates.approaches}
    chosen = _line(by_key[decision.chosen], handles)
    if decision.reason:
        chosen = f"{chosen}\nwhy it was chosen: {one_line(decision.reason)}"
    rejected = [
        f"{_line(by_key[key], handles, short=True)}\nwhy it was rejected: {one_line(reason)}"
        for key, reason in decision.rejected
        if key in by_key
    ]
    return (("chosen approach", chosen), ("rejected approaches", "\n\n".join(rejected)))


def _line(approach: Approach, handles: Handles, *, short: bool = False) -> str:
    told = [f"title: {one_line(approach.title)}", f"summary: {one_line(approach.summary)}"]
    if not short:
        told += [f"assumption: {one_line(each.text)} ({one_line(each.rests_on)})" for each in approach.assumptions]
        told += [f"{each.criterion}: {each.rating}: {one_line(each.rationale)}" for each in approach.ratings]
    return handles.hidden("\n".join(told))


def _proposed(before: Candidates, handles: Handles) -> str:
    """Candidates as they were replied."""
    told = [
        {
            "title": each.title,
            "summary": each.summary,
            "records": list(map(handles.of, each.records)),
            "assumptions": [{"text": one.text, "rests_on": one.rests_on} for one in each.assumptions],
            "ratings": {
                one.criterion: [one.rating, one.rationale, *map(handles.of, one.records)] for one in each.ratings
            },
        }
        for each in before.approaches
    ]
    return handles.hidden(as_json({"approaches": told, "comparison": before.comparison}))


def _written(before: Design, handles: Handles) -> str:
    """A design as it was written: each section's text, with the handles behind the sentences that cite."""
    lines = []
    for section in before.sections:
        text = section.text
        for citation in section.citations:
            named = ", ".join(map(handles.of, citation.records))
            text = text.replace(citation.sentence, f"{citation.sentence} [{named}]", 1)
        lines.append(f"{section.name}: {text}")
    lines += [f"facet {name}: {how}" for name, how in before.facets]
    return handles.hidden("\n".join(lines))
