"""The model of one task of an evidence agent: what it is told, and what the journal keeps of each call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pydantic import BaseModel, JsonValue

from backedge.agent.blocks import blocks
from backedge.agent.ports import Agent, Prompt
from backedge.agent.profiles import profile_of
from backedge.evidence.prompted.wordings import Task, wording
from backedge.kernel.defect import Failure
from backedge.kernel.stage import Reply, Unreadable

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Mind:
    """A model for a task. `instructions` are the project's own, and come with the wording, not as data.

    `table` is what the task's names stand for, as the project has it; it comes with the wording too.
    """

    task: Task
    agent: Agent
    instructions: str = ""
    table: str = ""

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What a reply depends on beside what it is shown: part of the stage's key."""
        version = wording(self.task, self.small).version
        table: dict[str, JsonValue] = {"table": self.table} if self.table else {}
        return {"prompt": version, "instructions": self.instructions, **table, **self.agent.settings.as_data()}

    @property
    def small(self) -> bool:
        """Whether the model is small: its wording is short, and so are its replies."""
        settings = self.agent.settings
        return profile_of(settings.vendor, settings.model).shots

    @property
    def room(self) -> int:
        """Characters of a source that one call may show."""
        settings = self.agent.settings
        return profile_of(settings.vendor, settings.model).room

    async def ask(
        self,
        parts: Sequence[tuple[str, str]],
        inputs: Mapping[str, JsonValue],
        told: Mapping[str, JsonValue],
        form: type[T],
    ) -> Reply[T] | Unreadable:
        """A reply of that form. `parts` are marked blocks, `inputs` what they were made of, `told` is for the journal.

        However the call ends, its details say what was shown: sections by their keys, never their text, which is kept.
        """
        wanted = wording(self.task, self.small)
        own = f"\n\nInstructions of this project:\n{self.instructions}" if self.instructions else ""
        lesson = dict(parts).get("lesson", "")
        made_of = {**inputs, "lesson": lesson} if lesson else inputs
        facts: dict[str, JsonValue] = {"sent": dict(told), "lesson": lesson}
        table = f"\n\n{self.table}" if self.table else ""
        prompt = Prompt(wanted.text + table + own, blocks(parts), wanted.version, self.task, made_of, facts)
        settings = self.agent.settings
        who: dict[str, JsonValue] = {"vendor": settings.vendor, "model": settings.model, "prompt": wanted.version}
        try:
            said = await self.agent.ask(prompt, form)
        except Failure as failure:
            failure.details = {**who, **failure.details, **facts}
            raise
        return replace(said, details={**who, **said.details, **facts})
