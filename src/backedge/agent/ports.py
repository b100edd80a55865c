"""The port to a language model: one typed call; it gives a proposal, an unreadable reply or one of three failures."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, JsonValue

from backedge.agent.thinking import Thinking
from backedge.kernel.stage import Reply, Unreadable

T = TypeVar("T", bound=BaseModel)

ROUNDS = 8


@dataclass(frozen=True)
class Prompt:
    """What a model is told. `system` stays the same between questions (vendors cache it), `user` is this question.

    `version` names the wording and is part of a stage's key. `stage` and `inputs` say what the prompt was made for and
    of, whatever its wording: recorded and scripted replies are found by them. `told` says, for the journal, what of the
    project's data it holds.
    """

    system: str
    user: str
    version: str
    stage: str = ""
    inputs: Mapping[str, JsonValue] = field(default_factory=dict)
    told: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """Something a model may look up while it replies. `run` gets validated arguments and gives text for the model."""

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any], Awaitable[str]]


@dataclass(frozen=True)
class ModelSettings:
    """Which model replies and how: all of it is part of a stage's key, none of it is secret.

    `base_url` is where an own endpoint is, without credentials. `max_tokens` bounds one reply, `call_tokens` all that
    one call reads and writes over its tool rounds; None is the profile's bound, and no bound.
    """

    vendor: str
    model: str
    thinking: Thinking | None = None
    max_tokens: int | None = None
    call_tokens: int | None = None
    base_url: str = ""

    def as_data(self) -> dict[str, JsonValue]:
        """As plain data, for a key and for a journal."""
        thinking = str(self.thinking) if self.thinking else None
        return {
            "vendor": self.vendor,
            "model": self.model,
            "thinking": thinking,
            "max_tokens": self.max_tokens,
            "call_tokens": self.call_tokens,
            "base_url": self.base_url,
        }


class Agent(Protocol):
    """One model with its settings."""

    @property
    def settings(self) -> ModelSettings:
        """What it was made with."""
        ...

    async def ask(
        self, prompt: Prompt, reply: type[T], tools: Sequence[Tool] = (), rounds: int = ROUNDS
    ) -> Reply[T] | Unreadable:
        """A `reply` made from the prompt, after at most `rounds` rounds of tool calls.

        `Unreadable` holds what is no such reply, with a defect for the next attempt. Raises `Transient`, `RateLimited`
        or `Permanent`. What was used is told in each case, as far as the vendor said it.
        """
        ...


class Embedder(Protocol):
    """Makes vectors of texts, such that texts of a like meaning have like vectors (of length one)."""

    @property
    def name(self) -> str:
        """Which model makes them."""
        ...

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in their order. Raises `Transient`, `RateLimited` or `Permanent`."""
        ...
