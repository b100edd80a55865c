"""A model that says what a file says, stage by stage: for stories, demonstrations and tests. It reaches no network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, JsonValue, TypeAdapter, ValidationError, model_validator

from backedge.agent.ports import ROUNDS, ModelSettings, Prompt, Tool
from backedge.agent.reading import parsed
from backedge.kernel.budget import Usage
from backedge.kernel.defect import Defect, Failure, Permanent, RateLimited, Transient
from backedge.kernel.stage import Reply, Unreadable

T = TypeVar("T", bound=BaseModel)


class Entry(BaseModel):
    """One thing that a script says: a `reply`, a `text` as the model wrote it, or a failure.

    It is used once, in its order, for prompts that hold `when`; the last one that fits is used again and again.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    when: str = ""
    reply: JsonValue = None
    text: str | None = None
    fails: Literal["transient", "rate_limited", "permanent"] | None = None
    retry_after: float | None = None

    @model_validator(mode="after")
    def _one_thing(self) -> Entry:
        if sum(given is not None for given in (self.reply, self.text, self.fails)) != 1:
            raise ValueError("write one of `reply`, `text` and `fails`")
        return self


Script = Mapping[str, Sequence[Entry]]
_SCRIPT: TypeAdapter[dict[str, tuple[Entry, ...]]] = TypeAdapter(dict[str, tuple[Entry, ...]])


def read_script(path: Path) -> Script:
    """The script of a YAML file: stages, and what is said in each. Raises `Permanent` with what to mend."""
    try:
        return _SCRIPT.validate_python(yaml.safe_load(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise Permanent(f"the script {path} cannot be read: {error.strerror}", mend=f"write {path}") from error
    except yaml.YAMLError as error:
        raise Permanent(f"the script {path} is no YAML: {error}", mend=f"mend {path}") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "file"
        raise Permanent(f"the script {path}, `{place}`: {first['msg']}", mend=f"mend `{place}` of {path}") from error


@dataclass(frozen=True)
class _Asked:
    """A prompt that came, for whoever wants to look at what a stage said."""

    prompt: Prompt
    reply: type[BaseModel]
    tools: tuple[str, ...]


class ScriptedAgent:
    """Says what its script says. `asked` are the prompts that it got, in order."""

    def __init__(self, settings: ModelSettings, script: Script) -> None:
        self._settings = settings
        self._left = {stage: list(entries) for stage, entries in script.items()}
        self.asked: list[_Asked] = []

    @property
    def settings(self) -> ModelSettings:
        """What it was made with."""
        return self._settings

    async def ask(
        self, prompt: Prompt, reply: type[T], tools: Sequence[Tool] = (), rounds: int = ROUNDS
    ) -> Reply[T] | Unreadable:
        """See `agent.ports.Agent`. Tools are not called."""
        self.asked.append(_Asked(prompt, reply, tuple(tool.name for tool in tools)))
        entry = self._next(prompt)
        usage = Usage()
        details: dict[str, JsonValue] = {**self._settings.as_data(), "prompt": prompt.version, "tool_calls": []}
        if entry.fails:
            raise _failure(entry, usage, details)
        text = entry.text if entry.text is not None else json.dumps(entry.reply)
        found = parsed(text, reply)
        if isinstance(found, Defect):
            return Unreadable(text, found, usage, details)
        return Reply(found, usage, details)

    def _next(self, prompt: Prompt) -> Entry:
        left = self._left.get(prompt.stage, [])
        fits = [entry for entry in left if entry.when in prompt.user]
        if not fits:
            mend = f"add a reply for `{prompt.stage}` to the script"
            raise Permanent(f"the script says nothing in `{prompt.stage}` to this prompt: {mend}", mend=mend)
        if len(fits) > 1:
            left.remove(fits[0])
        return fits[0]


def _failure(entry: Entry, usage: Usage, details: dict[str, JsonValue]) -> Failure:
    failure: Failure
    match entry.fails:
        case "transient":
            failure = Transient("the script lets this call fail", entry.retry_after)
        case "rate_limited":
            failure = RateLimited("the script lets this call wait", entry.retry_after)
        case _:
            failure = Permanent("the script refuses this call", mend="change the script")
    failure.usage, failure.details = usage, details
    return failure
