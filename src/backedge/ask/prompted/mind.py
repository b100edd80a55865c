"""What a model-backed stage of ask has: its model, its instructions, and what that model may see."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from pydantic import BaseModel, JsonValue

from backedge.agent.blocks import blocks, lesson_text
from backedge.agent.ports import ROUNDS, Agent, ModelSettings, Prompt, Tool
from backedge.agent.profiles import profile_of
from backedge.ask.prompted.hiding import Hiding
from backedge.ask.prompted.privacy import Sharing
from backedge.ask.prompted.shown import sampled
from backedge.ask.prompted.wordings import wording
from backedge.kernel.defect import Failure
from backedge.kernel.stage import Lesson, Reply, Unreadable

T = TypeVar("T", bound=BaseModel)
_EXAMPLE = re.compile(r"^<<data example [0-9a-f]+>>\n(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Mind:
    """The model of one stage. `instructions` are the agent's and the stage's own, in that order.

    `notes` are Markdown files of the context, (name, text) each: of Clarifying and Interpreting only.
    """

    stage: str
    agent: Agent
    instructions: str = ""
    sharing: Sharing = field(default_factory=Sharing)
    notes: tuple[tuple[str, str], ...] = ()
    hiding: Hiding = field(default_factory=Hiding)

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What a reply depends on beside its inputs: part of the stage's key."""
        return {
            "prompt": wording(self.stage, self._shots).version,
            "instructions": self.instructions,
            "notes": [[name, text] for name, text in self._notes],
            "sharing": [self.sharing.samples, self.sharing.result_rows, self.sharing.examples],
            "hidden": [*sorted(self.hiding.members), *self.hiding.patterns],
            **self.agent.settings.as_data(),
        }

    def prompt(
        self,
        parts: tuple[tuple[str, str], ...],
        inputs: Mapping[str, JsonValue],
        told: Mapping[str, JsonValue] | None = None,
    ) -> Prompt:
        """The prompt for one call: `parts` are marked blocks, (name, text) each; `inputs` is what they were made of.

        `told` is what a reader of the journal should know of the data in it, beside the text itself.
        """
        wanted = wording(self.stage, self._shots)
        system = "\n\n".join(
            part
            for part in (
                wanted.text,
                f"Instructions of this project:\n{self.instructions}" if self.instructions else "",
                blocks(("note", f"file {name}\n{text}") for name, text in self._notes),
            )
            if part
        )
        named = dict(parts)
        files: list[JsonValue] = [*(name for name, _ in self._notes), *_EXAMPLE.findall(named.get("examples", ""))]
        lesson, samples = named.get("lesson", ""), sampled(named.get("catalog", ""))
        sent: dict[str, JsonValue] = {"files": files, "samples": [*samples], **(told or {})}
        facts: dict[str, JsonValue] = {"sent": {name: value for name, value in sent.items() if value}, "lesson": lesson}
        made_of = {**inputs, "lesson": lesson} if lesson else inputs
        return Prompt(system, blocks(parts), wanted.version, self.stage, made_of, facts)

    def lesson(self, lesson: Lesson, previous: str = "") -> str:
        """What earlier attempts taught, as this model may be told it: defects may quote cells."""
        defects = tuple(self.hiding.defect(defect, self.sharing.samples) for defect in lesson.defects)
        return lesson_text(replace(lesson, defects=defects), previous)

    @property
    def _shots(self) -> bool:
        settings = self.agent.settings
        return profile_of(settings.vendor, settings.model).shots

    @property
    def _notes(self) -> tuple[tuple[str, str], ...]:
        return self.notes if self.sharing.notes else ()


class Witnessed:
    """An agent each of whose attempts says, however it ends, what was sent and what came back: for the journal.

    `catalog` is the hash of what the prompts are made from.
    """

    def __init__(self, agent: Agent, catalog: str) -> None:
        self._agent = agent
        self._catalog = catalog

    @property
    def settings(self) -> ModelSettings:
        """What it was made with."""
        return self._agent.settings

    async def ask(
        self, prompt: Prompt, reply: type[T], tools: Sequence[Tool] = (), rounds: int = ROUNDS
    ) -> Reply[T] | Unreadable:
        """As the agent does it."""
        settings = self.settings
        who: dict[str, JsonValue] = {"vendor": settings.vendor, "model": settings.model, "prompt": prompt.version}
        sent: dict[str, JsonValue] = {"prompt_text": prompt.user, "catalog": self._catalog, **prompt.told}
        try:
            said = await self._agent.ask(prompt, reply, tools, rounds)
        except Failure as failure:
            failure.details = {**who, **failure.details, **sent}
            raise
        if isinstance(said, Unreadable):
            return replace(said, details={**who, **said.details, **sent, "reply": said.text})
        return replace(said, details={**who, **said.details, **sent, "reply": said.proposal.model_dump(mode="json")})
