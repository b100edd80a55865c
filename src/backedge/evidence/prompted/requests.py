"""The request agent: a request's facets, the request told again from them by a prompt of its own, and questions."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.agent.blocks import as_json
from backedge.agent.ports import Agent
from backedge.evidence.facets import Facet, RoundTrip
from backedge.evidence.inquiry import DerivedQuestions
from backedge.evidence.investigate.ports import SaidFacets
from backedge.evidence.investigate.states import ProposedFacets
from backedge.evidence.prompted.handles import refused_text
from backedge.evidence.prompted.inquiry_showing import LONGEST_REQUEST, facet_table, facets_text
from backedge.evidence.prompted.mind import Mind
from backedge.evidence.prompted.request_replies import FacetsSaid, QuestionsSaid, ToldAgain
from backedge.evidence.prompted.showing import hashed
from backedge.evidence.tables import USUAL, Tables
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Lesson, Reply, Unreadable

LONGEST_PREVIOUS = 6_000  # characters of the reply that was refused


class PromptedRequests:
    """The request agent. What each facet asks, by the project's `tables`, comes with the wording."""

    def __init__(self, agent: Agent, instructions: str = "", tables: Tables = USUAL) -> None:
        table = facet_table(tables.facets)
        self._facets = Mind("extracting_facets", agent, instructions, table)
        self._again = Mind("round_tripping", agent, instructions, table)
        self._questions = Mind("deriving_questions", agent, instructions, table)

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        prompts: dict[str, JsonValue] = {
            mind.task: mind.settings["prompt"] for mind in (self._facets, self._again, self._questions)
        }
        return {**self._facets.settings, "prompt": prompts}

    async def facets(self, request: str, lesson: Lesson) -> Reply[SaidFacets] | Unreadable:
        """See `investigate.ports.RequestAgent`. A request that is too long is no call's: raises `Permanent`."""
        _bounded(request)
        before = lesson.previous
        previous = _said(before.facets) if isinstance(before, ProposedFacets) else ""
        parts = (("request", request), ("lesson", refused_text(lesson, previous, LONGEST_PREVIOUS)))
        told: dict[str, JsonValue] = {"characters": len(request)}
        said = await self._facets.ask(parts, {"request": hashed(request)}, told, FacetsSaid)
        if isinstance(said, Unreadable):
            return said
        return Reply(said.proposal.facets(), said.usage, said.details)

    async def round_trip(
        self, request: str, facets: tuple[Facet, ...], lesson: Lesson
    ) -> Reply[RoundTrip] | Unreadable:
        """See `investigate.ports.RequestAgent`. It sees values, and nothing of where they come from."""
        _bounded(request)
        shown = facets_text(facets, notes=False)
        lesson_said = refused_text(lesson, "", LONGEST_PREVIOUS)
        parts = (("facets", shown), ("request", request), ("lesson", lesson_said))
        told: dict[str, JsonValue] = {"characters": len(request) + len(shown)}
        inputs: dict[str, JsonValue] = {"request": hashed(request), "facets": hashed(shown)}
        said = await self._again.ask(parts, inputs, told, ToldAgain)
        if isinstance(said, Unreadable):
            return said
        if not said.proposal.reconstruction.strip():
            defect = Defect("reconstruction_missing", "the request is not told again", "reconstruction", "tell it")
            return Unreadable(said.proposal.model_dump_json(), defect, said.usage, said.details)
        return Reply(said.proposal.round_trip(), said.usage, said.details)

    async def questions(self, facets: tuple[Facet, ...], lesson: Lesson) -> Reply[DerivedQuestions] | Unreadable:
        """See `investigate.ports.RequestAgent`."""
        shown = facets_text(facets)
        before = lesson.previous
        previous = _asked(before) if isinstance(before, DerivedQuestions) else ""
        parts = (("facets", shown), ("lesson", refused_text(lesson, previous, LONGEST_PREVIOUS)))
        told: dict[str, JsonValue] = {"characters": len(shown)}
        said = await self._questions.ask(parts, {"facets": hashed(shown)}, told, QuestionsSaid)
        if isinstance(said, Unreadable):
            return said
        return Reply(said.proposal.derived(), said.usage, said.details)


def _bounded(request: str) -> None:
    if len(request) > LONGEST_REQUEST:
        said = f"the request has {len(request)} characters, and {LONGEST_REQUEST} are read"
        raise Permanent(said, mend="start an investigation with a shorter request; give papers to `backedge ingest`")


def _said(facets: tuple[Facet, ...]) -> str:
    """Facets as they were replied, short."""
    told: dict[str, object] = {
        facet.name: [
            {"text": value.text, "origin": value.origin, "quote": " … ".join(span.exact for span in value.spans)}
            for value in facet.values
        ]
        for facet in facets
    }
    return as_json(told)


def _asked(derived: DerivedQuestions) -> str:
    """Questions as they were replied."""
    questions = [
        {"text": q.text, "facets": list(q.facets), "answer_fields": list(q.answer_fields), "decision": q.decision}
        for q in derived.questions
    ]
    uninvestigated = [{"facet": name, "reason": reason} for name, reason in derived.uninvestigated]
    return as_json({"questions": questions, "uninvestigated": uninvestigated})
