"""Asks a vendor's agent of the server on loopback, and says what came of it and how often the server was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from pydantic import BaseModel

from backedge.adapters.models.asking import VendorAgent
from backedge.adapters.models.connection import Connection, OpenAiApi
from backedge.agent.ports import ModelSettings, Prompt, Tool
from backedge.kernel.budget import Usage
from backedge.kernel.defect import Failure
from backedge.kernel.stage import Reply, Unreadable
from tests.adapters.models.wire import Step, Wire

SECRET = "sk-very-secret-1234"
GOOD = '{"name": "pear", "legs": 0}'
# OpenAI's two APIs share a client and its errors; `.ci/run` tries both.
APIS = ("anthropic", "chat", pytest.param("responses", marks=pytest.mark.slow))
PROMPT = Prompt("Name a fruit.", "A green one.", "fruit/1", "Naming", {"color": "green"})


class Fruit(BaseModel):
    """What is asked for."""

    name: str
    legs: int


class Find(BaseModel):
    """What the tool takes."""

    words: str


async def _found(arguments: Any) -> str:
    return f"found {arguments.words}"


def finding(run: Callable[[Any], Any] = _found) -> Tool:
    """A tool that finds everything."""
    return Tool("find", "Finds things.", Find, run)


@dataclass(frozen=True)
class Outcome:
    """What a call came to: one of `got` and `failure`."""

    got: Reply[Fruit] | Unreadable | None
    failure: Failure | None
    server: Wire

    @property
    def reply(self) -> Fruit:
        assert isinstance(self.got, Reply), self
        return self.got.proposal

    @property
    def refused(self) -> Unreadable:
        assert isinstance(self.got, Unreadable), self
        return self.got

    @property
    def raised(self) -> Any:
        assert self.failure is not None, self
        return self.failure

    @property
    def usage(self) -> Usage:
        usage = self.got.usage if self.got else self.raised.usage
        assert usage is not None
        return usage

    @property
    def requests(self) -> int:
        return len(self.server.requests)


def connection(api: str, url: str, *, model: str = "", seconds: float = 20, **settings: Any) -> Connection:
    """The way to the server in one of the three formats."""
    vendor = "anthropic" if api == "anthropic" else "openai"
    model = model or ("claude-sonnet-4-6" if vendor == "anthropic" else "gpt-5.2")
    spoken: dict[str, OpenAiApi] = {"chat": "chat", "responses": "responses"}
    base = url if vendor == "anthropic" else f"{url}/v1"
    made = ModelSettings(vendor, model, base_url=base, **settings)
    return Connection(made, key_var="FRUIT_KEY", seconds=seconds, api=spoken.get(api))


def ask(api: str, *steps: Step, tools: Sequence[Tool] = (), rounds: int = 3, **settings: Any) -> Outcome:
    """Ask once."""
    with Wire(steps) as server:
        agent = VendorAgent(connection(api, server.url, **settings), {"FRUIT_KEY": SECRET})
        try:
            got = asyncio.run(agent.ask(PROMPT, Fruit, tools, rounds))
        except Failure as failure:
            return Outcome(None, failure, server)
        return Outcome(got, None, server)
