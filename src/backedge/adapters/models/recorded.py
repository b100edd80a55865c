"""A model whose replies are kept in files, by stage and inputs: wordings may change, and no network is used."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from backedge.agent.ports import ROUNDS, Agent, ModelSettings, Prompt, Tool
from backedge.agent.reading import parsed
from backedge.kernel.budget import Usage
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Reply, Unreadable

T = TypeVar("T", bound=BaseModel)

UNPAID = Usage(calls=0)


class Kept(BaseModel):
    """One reply as it was kept: what the model wrote, and for a reader what it was asked and by whom."""

    model_config = ConfigDict(extra="forbid")
    text: str
    refused: Defect | None = None
    details: dict[str, JsonValue] = {}


class Tape(BaseModel):
    """The replies to one and the same question, in the order in which they were given."""

    model_config = ConfigDict(extra="forbid")
    stage: str
    reply: str
    inputs: dict[str, JsonValue]
    replies: list[Kept]


class RecordedAgent:
    """Says what was kept. With a model `behind` it asks that one instead and keeps what it says."""

    def __init__(self, settings: ModelSettings, folder: Path, behind: Agent | None = None) -> None:
        self._settings = settings
        self._folder = folder
        self._behind = behind
        self._said: Counter[Path] = Counter()

    @property
    def settings(self) -> ModelSettings:
        """What it was made with."""
        return self._settings

    async def ask(
        self, prompt: Prompt, reply: type[T], tools: Sequence[Tool] = (), rounds: int = ROUNDS
    ) -> Reply[T] | Unreadable:
        """See `agent.ports.Agent`. The same question again gives the next reply that was kept, then the last again."""
        path = self._folder / (prompt.stage or "any") / f"{_key(prompt, reply)}.json"
        if self._behind is None:
            return self._replayed(path, prompt, reply)
        given = await self._behind.ask(prompt, reply, tools, rounds)
        self._keep(path, prompt, reply, given)
        return given

    def _replayed(self, path: Path, prompt: Prompt, reply: type[T]) -> Reply[T] | Unreadable:
        tape = _read(path)
        if tape is None:
            said = f"no reply of `{self._settings.model}` in `{prompt.stage}` is kept for these inputs ({path})"
            mend = "record it: run once with BACKEDGE_RECORD=1"
            raise Permanent(f"{said}: {mend}", mend=mend)
        kept = tape.replies[min(self._said[path], len(tape.replies) - 1)]
        self._said[path] += 1
        found = kept.refused or parsed(kept.text, reply)
        if isinstance(found, Defect):
            return Unreadable(kept.text, found, UNPAID, kept.details)
        return Reply(found, UNPAID, kept.details)

    def _keep(self, path: Path, prompt: Prompt, reply: type[T], given: Reply[T] | Unreadable) -> None:
        if isinstance(given, Unreadable):
            kept = Kept(text=given.text, refused=given.defect, details=given.details)
        else:
            kept = Kept(text=given.proposal.model_dump_json(), details=given.details)
        tape = _read(path) if self._said[path] else None
        before = tape.replies if tape else []
        told = Tape(stage=prompt.stage, reply=reply.__name__, inputs=dict(prompt.inputs), replies=[*before, kept])
        self._said[path] += 1
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(told.model_dump_json(indent=1) + "\n", encoding="utf-8")


def _key(prompt: Prompt, reply: type[BaseModel]) -> str:
    """What a reply is found by: its form and its inputs; the prompt's text only where it names no inputs."""
    made_of: JsonValue = dict(prompt.inputs) if prompt.inputs else prompt.user
    told = json.dumps([reply.__name__, made_of], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:24]


def _read(path: Path) -> Tape | None:
    try:
        return Tape.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except ValidationError as error:
        raise Permanent(f"{path} is no kept reply: {error.errors()[0]['msg']}", mend="record it again") from error
