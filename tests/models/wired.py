"""A project whose stages ask a server on loopback, by its own configuration files; its clock moves only by waiting."""

from __future__ import annotations

import asyncio
import json
import shutil
import ssl
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from backedge.adapters.models.connection import Connection, OpenAiApi
from backedge.agent.ports import Prompt
from backedge.assemble import App, open_app
from backedge.assembling import models as assembling
from backedge.automations.templates import texts_in
from backedge.config.stage_models import ModelChoice, StageModel
from backedge.kernel.journal import Stored
from backedge.kernel.run import Run
from tests.adapters.models.wire import Body, Step, Wire
from tests.cli.projects import CONFIG
from tests.kernel.memory import StillClock
from tests.models.minds import with_words

T = TypeVar("T")
KEY = "sk-wire-secret-987"
KEY_VAR = "WIRE_KEY"
STAGES = ("clarifying", "specifying", "solving", "interpreting")
NAMES: Mapping[str, Mapping[str, str]] = {
    "anthropic": {
        "clarifying": "claude-haiku-4-5",
        "specifying": "claude-sonnet-4-6",
        "solving": "claude-opus-4-6",
        "interpreting": "claude-opus-4-8",
    },
    "openai": {"clarifying": "gpt-5.2", "specifying": "gpt-5.1", "solving": "gpt-4.1", "interpreting": "gpt-4o"},
    "openai_compat": {stage: f"house-{stage}" for stage in STAGES},
}
# OpenAI's two APIs share a client and its errors; `.ci/run` tries both.
APIS = ("anthropic", "chat", pytest.param("responses", marks=pytest.mark.slow))
PATIENT = 30.0
Scripts = Mapping[str, Sequence[Step]]


class StageWire(Wire):
    """Answers each stage with that stage's own steps. Which stage asks is told by its model's name."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__([Step()])
        self._stages = {model: stage for stage, model in names.items()}
        self.script({})

    def script(self, scripts: Scripts) -> None:
        """What is said from now on."""
        self.scripts = {stage: list(steps) for stage, steps in scripts.items()}
        self.calls: Counter[str] = Counter()

    def next_step(self, path: str, key: str, body: Body) -> Step:
        super().next_step(path, key, body)
        stage = self._stages[body["model"]]
        with self._lock:
            self.calls[stage] += 1
            steps = self.scripts[stage]
            step = steps.pop(0) if len(steps) > 1 else steps[0]
            return _worded(step, body) if stage == "clarifying" else step


def _worded(step: Step, body: Body) -> Step:
    """A reading that says what each word means that rules do not know; anything else as it is."""
    try:
        said = json.loads(step.text)
    except ValueError:
        return step
    told = "\n".join(text for text in texts_in(body) if "<<data words to be read" in text)
    return replace(step, text=json.dumps(with_words(said, Prompt("", told, ""))))


def vendor_of(api: str) -> str:
    """The vendor whose wire format it is; "compat" is a server of somebody else, whose prices nobody knows."""
    return {"anthropic": "anthropic", "compat": "openai_compat"}.get(api, "openai")


def configured(shop: Path, folder: Path, api: str, url: str, agent: str = "") -> Path:
    """The shop's own copy, with a model of its own for each stage; `agent` is what else the agent's file says."""
    shutil.copytree(shop, folder / "shop", ignore=shutil.ignore_patterns(".backedge"))
    base, vendor = (url if api == "anthropic" else f"{url}/v1"), vendor_of(api)
    models = [
        f"  - {{name: {stage}, vendor: {vendor}, model_ref: {model}, api_url: '{base}', key_var: {KEY_VAR}}}"
        for stage, model in NAMES[vendor].items()
    ]
    (folder / "shop" / "config.yml").write_text("\n".join((f"{CONFIG}models:", *models, "")))
    states = [f"  {stage}: {{model: {stage}}}" for stage in STAGES]
    told = agent if "states:" in agent else "\n".join(("states:", *states, agent))
    (folder / "shop" / "shop.agentic.yml").write_text(f"llm: {{ref: clarifying}}\n{told}\n")
    return folder / "shop"


@dataclass
class Wired:
    """An open application, its server, and a loop that both live in."""

    app: App
    server: StageWire
    runner: asyncio.Runner
    folder: Path

    def asked(self, text: str, scripts: Scripts) -> Run:
        """The run of a new question, driven to its rest."""
        self.clock.slept.clear()
        self.server.script(scripts)
        return self.go(self._ask(text))

    async def _ask(self, text: str) -> Run:
        return await self.app.driver.drive(await self.app.ask(text, by="tester"))

    def retried(self, run: Run, scripts: Scripts) -> Run:
        """The same run, after an operator's `retry`."""
        self.server.script(scripts)
        return self.go(self._retry(run))

    async def _retry(self, run: Run) -> Run:
        return await self.app.driver.drive((await self.app.driver.retry(run.id, by="operator")).id)

    def journal(self, run: Run) -> tuple[Stored, ...]:
        """Its entries."""
        return self.go(self.app.store.read(run.id))

    def status(self, run: Run) -> str:
        """What the answer form says of it."""
        return str(self.go(self.app.answer(run))["status"])

    def go(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it in the application's own loop."""
        return self.runner.run(work)

    @property
    def clock(self) -> StillClock:
        """The clock of the application."""
        clock: object = self.app.clock
        assert isinstance(clock, StillClock)
        return clock


def _reached(api: str, seconds: Mapping[str, float]) -> Callable[[ModelChoice, StageModel, Path], Connection]:
    """Connections as they are configured, but for what no file says: OpenAI's newer API elsewhere, and a time-out."""
    made = assembling.connection_of

    def reach(choice: ModelChoice, stage: StageModel, root: Path) -> Connection:
        spoken: OpenAiApi | None = "responses" if api == "responses" else None
        patience = seconds.get(stage.stage, PATIENT)
        return replace(made(choice, stage, root), api=spoken, seconds=patience)

    return reach


@contextmanager
def surroundings(api: str, seconds: Mapping[str, float] | None = None) -> Iterator[None]:
    """The key, a still clock, connections with that patience, and the world's certificates read once."""
    context = ssl.create_default_context()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEY_VAR, KEY)
        patch.setattr(ssl, "create_default_context", lambda *_, **__: context)
        patch.setattr("backedge.assemble.SystemClock", StillClock)
        patch.setattr(assembling, "connection_of", _reached(api, seconds or {}))
        yield


@contextmanager
def wired(
    shop: Path, folder: Path, api: str, *, agent: str = "", seconds: Mapping[str, float] | None = None
) -> Iterator[Wired]:
    """A server, and the application that asks it."""
    with StageWire(NAMES[vendor_of(api)]) as server, surroundings(api, seconds):
        project = configured(shop, folder, api, server.url, agent)
        with asyncio.Runner() as runner:
            app = open_app(project)
            try:
                yield Wired(app, server, runner, project)
            finally:
                runner.run(app.close())
