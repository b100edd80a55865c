"""A project whose stages have models that say what a test scripts, and count what they are asked."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from backedge.agent.ports import ROUNDS, ModelSettings, Prompt, Tool
from backedge.agent.reading import of_errors
from backedge.ask.answer import Found
from backedge.assemble import App, assemble
from backedge.config.project import load_project
from backedge.config.stage_models import StageModel
from backedge.kernel.budget import Usage
from backedge.kernel.run import Run
from backedge.kernel.stage import Reply, Unreadable

T = TypeVar("T", bound=BaseModel)
AGENT = "llm: {ref: 'scripted:one'}\n"


@dataclass
class FakeModel:
    """Replies in order, the last one for ever: data for the reply's form, a `Failure` to raise, or an `Unreadable`."""

    replies: Sequence[Any]
    settings: ModelSettings = field(default_factory=lambda: ModelSettings("scripted", "one"))
    prompts: list[Prompt] = field(default_factory=list)

    async def ask(
        self, prompt: Prompt, reply: type[T], tools: Sequence[Tool] = (), rounds: int = ROUNDS
    ) -> Reply[T] | Unreadable:
        """The next reply, held to its form as an adapter does it."""
        said = with_words(self.replies[min(len(self.prompts), len(self.replies) - 1)], prompt)
        self.prompts.append(prompt)
        usage = Usage(10, 5, Decimal("0.001"))
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Unreadable):
            return said
        try:
            return Reply(reply.model_validate(said), usage, {"model": self.settings.model})
        except ValidationError as error:
            return Unreadable(str(said), of_errors(error.errors(), reply), usage)


def with_words(said: Any, prompt: Prompt) -> Any:
    """A reading that says of each word that rules do not know what it means, where the test leaves that open."""
    asked = re.search(r"<<data words to be read (\w+)>>\n(.*?)\n<<end \1>>", prompt.user, re.DOTALL)
    members = said.get("members") if isinstance(said, dict) and said.get("kind") == "data" else None
    if not asked or not members or "words" in said:
        return said
    return {**said, "words": [{"word": word, "member": members[0]} for word in asked[2].splitlines()]}


@dataclass
class Scene:
    """One application over a project's folder, with a model for each stage that a test gives replies to."""

    folder: Path
    models: Mapping[str, FakeModel]

    def asked(self, text: str, *then: str) -> tuple[Run, Found]:
        """The run of a question, with each waiting question answered by the next of `then`, and its answer form."""
        return asyncio.run(self._asked(text, then))

    async def _asked(self, text: str, then: Sequence[str]) -> tuple[Run, Found]:
        app = self.opened()
        try:
            run = await app.driver.drive(await app.ask(text, by="tester"))
            for answer in then:
                run = await app.driver.drive((await app.say(run.id, (answer,), by="tester")).id)
            return run, await app.answer(run)
        finally:
            await app.close()

    def opened(self) -> App:
        """The application, with those models."""
        return assemble(load_project(self.folder), agents=self._agent)

    def _agent(self, stage: StageModel) -> FakeModel | None:
        return self.models.get(stage.stage)


def scene(shop: Path, folder: Path, **replies: Sequence[Any]) -> Scene:
    """The small shop with an agent; `replies` are by stage. The shop's own folder is not touched."""
    shutil.copytree(shop, folder / "shop", ignore=shutil.ignore_patterns(".backedge"))
    (folder / "shop" / "shop.agentic.yml").write_text(AGENT)
    return Scene(folder / "shop", {stage: FakeModel(said) for stage, said in replies.items()})
