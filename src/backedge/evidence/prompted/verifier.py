"""Verifying with a model: a record is held against its passages, by a prompt that never saw how it was extracted."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.agent.blocks import as_json, lesson_text
from backedge.agent.ports import Agent
from backedge.evidence.ports import Passage, Shown, Verdict
from backedge.evidence.prompted.mind import Mind
from backedge.evidence.prompted.replies import Judged
from backedge.evidence.prompted.showing import fitted, hashed, passage_blocks, record_text, section_blocks
from backedge.evidence.prompted.small_replies import ShortJudged
from backedge.evidence.records import Proposal, Verification
from backedge.kernel.stage import Lesson, Reply, Unreadable


class PromptedVerifier:
    """The evidence agent, verifying."""

    def __init__(self, agent: Agent, instructions: str = "") -> None:
        self._mind = Mind("verifying", agent, instructions)

    @property
    def settings(self) -> JsonValue:
        """All that a reply depends on beside what it is shown."""
        return self._mind.settings

    @property
    def small(self) -> bool:
        """See `evidence.ports.Verifier`."""
        return self._mind.small

    async def verify(
        self, proposal: Proposal, passages: tuple[Passage, ...], around: tuple[Shown, ...], lesson: Lesson
    ) -> Reply[Verdict] | Unreadable:
        """See `evidence.ports.Verifier`. Half of the room is the passages', half that of what defines their words."""
        shown, cut = fitted(around, self._mind.room // 2)
        quoted = passage_blocks(passages, self._mind.room // 2)
        parts = (
            *((f"definitions, {name}", text) for name, text in section_blocks(shown)),
            *quoted,
            ("record", record_text(proposal)),
            ("lesson", lesson_text(lesson, _previous(lesson.previous))),
        )
        inputs: dict[str, JsonValue] = {
            "record": hashed(record_text(proposal)),
            "passages": [hashed(passage.span.exact) for passage in passages],
        }
        told: dict[str, JsonValue] = {
            "passages": [f"{passage.span.section}:{passage.span.start}" for passage in passages],
            "around": [section.key for section in around],
            "characters": sum(len(text) for _, text in parts),
        }
        if cut:
            told["cut"] = list(cut)
        form = ShortJudged if self._mind.small else Judged
        said = await self._mind.ask(parts, inputs, told, form)
        if isinstance(said, Unreadable):
            return said
        judged = said.proposal
        return Reply(Verdict(judged.label, judged.checks(), judged.reason), said.usage, said.details)


def _previous(before: object) -> str:
    if not isinstance(before, Verification):
        return ""
    checks: dict[str, object] = {
        check.name: {"reason": check.reason, "outcome": check.outcome} for check in before.checks
    }
    return as_json({"reason": before.reason, **checks, "label": before.said})
