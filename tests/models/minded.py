"""One application with a model in every stage, asked question after question: what each model says is said anew."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

from backedge.agent.ports import ModelSettings, Prompt
from backedge.assemble import App, assemble
from backedge.config.project import load_project
from backedge.config.stage_models import StageModel
from backedge.kernel.run import Run
from tests.kernel.memory import StillClock
from tests.models.minds import AGENT, FakeModel
from tests.models.wire_table import GOOD
from tests.models.wired import STAGES

T = TypeVar("T")
QUESTION = "how did turnover spread over the regions"


@dataclass
class Minded:
    """The application. A stage that a test says nothing of has the reply that answers `QUESTION`."""

    app: App
    models: Mapping[str, FakeModel]
    runner: asyncio.Runner
    asked_so_far: int = 0

    def asked(self, text: str, *answers: str, **replies: Sequence[Any]) -> Run:
        """The run of a question at its rest, each time that it waits answered by the next of `answers`."""
        self._say(replies)
        return self.go(self._asked(text, answers, ""))

    def followed(self, before: Run, text: str, **replies: Sequence[Any]) -> Run:
        """The run of a question that follows an answered one."""
        self._say(replies)
        return self.go(self._asked(text, (), before.id))

    def _say(self, replies: Mapping[str, Sequence[Any]]) -> None:
        self.asked_so_far += 1
        for stage, model in self.models.items():
            model.replies, model.prompts = replies.get(stage, [GOOD[stage]]), []
            # No reply of an earlier test is reused: it was another model's.
            model.settings = ModelSettings("scripted", f"model-{self.asked_so_far}")

    async def _asked(self, text: str, answers: Sequence[str], after: str) -> Run:
        run = await self.app.driver.drive(await self.app.ask(text, by="tester", after=after))
        for answer in answers:
            run = await self.app.driver.drive((await self.app.say(run.id, (answer,), by="tester")).id)
        return run

    def found(self, run: Run) -> dict[str, Any]:
        """The answer form of a run."""
        return self.go(self.app.answer(run))

    def prompts(self, stage: str) -> list[Prompt]:
        """What the model of a stage was asked for the last question."""
        return self.models[stage].prompts

    @property
    def calls(self) -> dict[str, int]:
        """How often each stage's model was asked for the last question."""
        return {stage: len(model.prompts) for stage, model in self.models.items()}

    def go(self, work: Coroutine[Any, Any, T]) -> T:
        """Do it in the application's own loop."""
        return self.runner.run(work)


@contextmanager
def minded(shop: Path, folder: Path, *, agent: str = "", **files: str) -> Iterator[Minded]:
    """The shop with a model for each stage; `agent` is what else the agent's file says, `files` are automations."""
    project = folder / "shop"
    shutil.copytree(shop, project, ignore=shutil.ignore_patterns(".backedge"))
    (project / "shop.agentic.yml").write_text(f"{AGENT}{agent}\n")
    for name, text in files.items():
        (project / f"{name}.automation.yml").write_text(text)
    models = {stage: FakeModel([]) for stage in STAGES}

    def make(stage: StageModel) -> FakeModel | None:
        return models.get(stage.stage)

    with pytest.MonkeyPatch.context() as patch, asyncio.Runner() as runner:
        patch.setattr("backedge.assemble.SystemClock", StillClock)
        app = assemble(load_project(project), agents=make)
        try:
            yield Minded(app, models, runner)
        finally:
            runner.run(app.close())
