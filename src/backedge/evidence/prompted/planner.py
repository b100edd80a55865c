"""The search agent: a small model that says what to look for, where, how to widen it, and when to stop."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.agent.blocks import as_json
from backedge.agent.ports import Agent
from backedge.evidence.inquiry import InvestigationQuestion, SearchPlan
from backedge.evidence.prompted.handles import refused_text
from backedge.evidence.prompted.inquiry_replies import Planned, ShortPlanned
from backedge.evidence.prompted.inquiry_showing import question_text
from backedge.evidence.prompted.mind import Mind
from backedge.evidence.prompted.showing import hashed
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Reply, Unreadable

LONGEST_PREVIOUS = 1_500  # characters of the reply that was refused


class PromptedPlanner:
    """The search agent."""

    def __init__(self, agent: Agent, instructions: str = "") -> None:
        self._mind = Mind("planning", agent, instructions)

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        return self._mind.settings

    async def plan(
        self, question: InvestigationQuestion, targets: tuple[str, ...], lesson: Lesson
    ) -> Reply[SearchPlan] | Unreadable:
        """See `inquire.ports.Planner`. A target that there is none of is refused."""
        shown = question_text(question)
        previous = _said(lesson.previous) if isinstance(lesson.previous, SearchPlan) else ""
        parts = (
            ("question", shown),
            ("targets", "\n".join(targets)),
            ("lesson", refused_text(lesson, previous, LONGEST_PREVIOUS)),
        )
        inputs: dict[str, JsonValue] = {"question": hashed(shown), "targets": list(targets)}
        told: dict[str, JsonValue] = {"question": question.key, "targets": list(targets), "characters": len(shown)}
        form = ShortPlanned if self._mind.small else Planned
        said = await self._mind.ask(parts, inputs, told, form)
        if isinstance(said, Unreadable):
            return said
        plan = said.proposal.plan()
        strange = [target for target in plan.targets if target not in targets]
        if strange:
            told_of = f"there is no target {', '.join(map(repr, strange))}"
            defect = Defect("unknown_target", told_of, "targets", "name targets of the block `targets`", targets)
            return Unreadable(said.proposal.model_dump_json(), defect, said.usage, said.details)
        return Reply(plan, said.usage, said.details)


def _said(plan: SearchPlan) -> str:
    queries = [f"{query.arm}: {query.text}" for query in plan.queries]
    wider = [f"{query.arm}: {query.text}" for query in plan.expansions]
    return as_json({"queries": queries, "wider": wider, "targets": plan.targets, "stopping": plan.stopping})
