"""The evidence agent on a question: how verified records stand to it, and whether they suffice for its decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from backedge.agent.blocks import as_json
from backedge.agent.ports import Agent
from backedge.evidence.inquire.ports import AssessedByModel, Held
from backedge.evidence.inquire.states import Assessed
from backedge.evidence.inquiry import Assessment, CoverageGap, InvestigationQuestion, Sufficiency
from backedge.evidence.prompted.charging import charged, summed
from backedge.evidence.prompted.handles import Handles, refused_text
from backedge.evidence.prompted.inquiry_replies import AssessedSaid, AssessmentsSaid, Weighed
from backedge.evidence.prompted.inquiry_showing import gaps_text, held_text, one_line, question_text
from backedge.evidence.prompted.mind import Mind
from backedge.evidence.prompted.showing import hashed
from backedge.kernel.budget import Usage
from backedge.kernel.defect import Failure
from backedge.kernel.stage import Lesson, Reply, Unreadable

LONGEST_PREVIOUS = 6_000  # characters of the reply that was refused
FEW = 4  # records that a small model assesses in one reply
MANY = 24
LEAST = 200  # characters of a record that is weighed, however many there are

Shown = tuple[str, str]  # a record's key and its text


class PromptedAssessor:
    """The evidence agent, assessing and weighing. What rules say of a record it does not see."""

    def __init__(self, agent: Agent, instructions: str = "") -> None:
        self._assess = Mind("assessing", agent, instructions)
        self._weigh = Mind("weighing", agent, instructions)

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        return {**self._assess.settings, "weigh": self._weigh.settings["prompt"]}

    async def assess(
        self, question: InvestigationQuestion, held: tuple[Held, ...], lesson: Lesson
    ) -> Reply[AssessedByModel] | Unreadable:
        """See `inquire.ports.Assessor`. Records that do not fit into one call are assessed in several, one by one.

        One call that fails or cannot be read fails the attempt, which is charged for all that came.
        """
        handles = Handles(each.record.key for each in held)
        each_room = self._assess.room // max(1, min(len(held), FEW if self._assess.small else MANY))
        shown = [(each.record.key, held_text(each, each_room)) for each in held]
        made: list[Assessment] = []
        paid: list[Usage | None] = []
        details: list[dict[str, JsonValue]] = []
        for batch in self._batches(shown):
            try:
                said = await self._ask(question, batch, handles, lesson)
            except Failure as failure:
                failure.usage = summed((*paid, failure.usage))
                raise
            paid.append(said.usage)
            details.append(said.details)
            if isinstance(said, Unreadable):
                return Unreadable(said.text, said.defect, summed(paid), said.details)
            made += [_assessment(one, handles) for one in said.proposal.assessments]
        return Reply(AssessedByModel(tuple(made)), summed(paid), charged(details))

    async def _ask(
        self, question: InvestigationQuestion, batch: Sequence[Shown], handles: Handles, lesson: Lesson
    ) -> Reply[AssessmentsSaid] | Unreadable:
        before = lesson.previous
        previous = _previous(before.assessments, handles) if isinstance(before, Assessed) else ""
        parts = (
            ("question", question_text(question)),
            *((f"record {handles.of(key)}", text) for key, text in batch),
            ("lesson", handles.lesson(lesson, previous, LONGEST_PREVIOUS)),
        )
        inputs: dict[str, JsonValue] = {
            "question": hashed(question_text(question)),
            "records": {handles.of(key): hashed(text) for key, text in batch},
        }
        told: dict[str, JsonValue] = {
            "question": question.key,
            "records": {handles.of(key): key for key, _ in batch},
            "characters": sum(len(text) for _, text in batch),
        }
        return await self._assess.ask(parts, inputs, told, AssessmentsSaid)

    def _batches(self, shown: Sequence[Shown]) -> Iterable[Sequence[Shown]]:
        """As many as fit, and at least one."""
        most = FEW if self._assess.small else MANY
        batch: list[Shown] = []
        for each in shown:
            if batch and (len(batch) == most or sum(len(text) for _, text in (*batch, each)) > self._assess.room):
                yield batch
                batch = []
            batch.append(each)
        if batch:
            yield batch

    async def weigh(
        self,
        question: InvestigationQuestion,
        assessments: tuple[Assessment, ...],
        held: tuple[Held, ...],
        gaps: tuple[CoverageGap, ...],
        lesson: Lesson,
    ) -> Reply[Sufficiency] | Unreadable:
        """See `inquire.ports.Assessor`. It names no record, so it is shown no handle."""
        records = {each.record.key: each for each in held}
        share = max(LEAST, self._weigh.room // max(1, len(assessments)))
        shown = [_weighed(one, records.get(one.record))[:share] for one in assessments]
        before = lesson.previous
        previous = _judgement(before) if isinstance(before, Sufficiency) else ""
        parts = (
            ("question", question_text(question)),
            *((f"record {number}", text) for number, text in enumerate(shown, 1)),
            ("gaps", gaps_text(gaps)),
            ("lesson", refused_text(lesson, previous, LONGEST_PREVIOUS)),
        )
        inputs: dict[str, JsonValue] = {
            "question": hashed(question_text(question)),
            "records": [hashed(text) for text in shown],
            "gaps": hashed(gaps_text(gaps)),
        }
        told: dict[str, JsonValue] = {
            "question": question.key,
            "records": [one.record for one in assessments],
            "characters": sum(map(len, shown)),
        }
        said = await self._weigh.ask(parts, inputs, told, Weighed)
        if isinstance(said, Unreadable):
            return said
        return Reply(said.proposal.sufficiency(), said.usage, said.details)


def _assessment(said: AssessedSaid, handles: Handles) -> Assessment:
    """As the model says it: its source and what rules say of it are for the stage to put in."""
    applies = said.applicability
    reason = handles.told(said.reason)
    return Assessment(handles.key(said.record), "", said.relationship, applies, applies, applies, reason)


def _weighed(said: Assessment, held: Held | None) -> str:
    told = [f"stands: {said.relationship}, {said.applicability}"]
    if held is not None:
        proposal = held.record.proposal
        told += [f"source: {one_line(held.title)[:LEAST]}", f"{proposal.kind}: {one_line(proposal.statement)}"]
        told += [f"numbers: {one_line(proposal.effect)} {proposal.units}"] if proposal.effect else []
    told.append(f"why: {one_line('; '.join(text for text in (said.rule_reason, said.reason) if text))}")
    return "\n".join(told)


def _previous(assessments: Sequence[Assessment], handles: Handles) -> str:
    return as_json(
        [
            {
                "record": handles.of(one.record),
                "reason": handles.hidden(one.reason),
                "relationship": one.relationship,
                "applicability": one.said,
            }
            for one in assessments
        ]
    )


def _judgement(said: Sufficiency) -> str:
    told: dict[str, object] = {
        "coverage": said.coverage,
        "assumptions": list(said.assumptions),
        "critical_gaps": list(said.critical_gaps),
        "status": said.status,
    }
    return as_json(told)
