"""What a model-backed stage of ask has: its model, its instructions, and what that model may see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from backedge.agent.ports import Agent, Prompt
from backedge.ask.prompted.blocks import blocks
from backedge.ask.prompted.privacy import Sharing
from backedge.ask.prompted.wordings import wording


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

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What a reply depends on beside its inputs: part of the stage's key."""
        return {
            "prompt": wording(self.stage).version,
            "instructions": self.instructions,
            "notes": [[name, text] for name, text in self._notes],
            **self.agent.settings.as_data(),
        }

    def prompt(self, parts: tuple[tuple[str, str], ...], inputs: Mapping[str, JsonValue]) -> Prompt:
        """The prompt for one call: `parts` are marked blocks, (name, text) each; `inputs` is what they were made of."""
        told = wording(self.stage)
        system = "\n\n".join(
            part
            for part in (
                told.text,
                f"Instructions of this project:\n{self.instructions}" if self.instructions else "",
                blocks((f"note {name}", text) for name, text in self._notes),
            )
            if part
        )
        return Prompt(system, blocks(parts), told.version, self.stage, inputs)

    @property
    def _notes(self) -> tuple[tuple[str, str], ...]:
        return self.notes if self.sharing.notes else ()
