"""One typed call to a vendor's model over pydantic-ai, whose own retries are off: Backedge's kernel retries."""

from __future__ import annotations

import os
from collections.abc import AsyncIterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_ai import Agent as Loop
from pydantic_ai import NativeOutput, PromptedOutput, ToolOutput, capture_run_messages
from pydantic_ai import Tool as LoopTool
from pydantic_ai import exceptions as raised
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.usage import RunUsage, UsageLimits

from backedge.adapters.models.connection import Connection
from backedge.adapters.models.failures import failure_of
from backedge.adapters.models.thinking import thinking_settings
from backedge.adapters.models.vendors import make_model, speaks_responses
from backedge.agent.ports import ROUNDS, ModelSettings, Prompt, Tool
from backedge.agent.profiles import Mode, Profile, reply_tokens
from backedge.agent.reading import defect, of_errors, parsed
from backedge.kernel.budget import Usage
from backedge.kernel.defect import Defect, Failure, Transient
from backedge.kernel.stage import Reply, Unreadable

T = TypeVar("T", bound=BaseModel)

STREAMED = ("anthropic",)  # long replies are lost without: a silent connection is cut on the way
UNPRICED = ("openai_compat", "ollama")
FREE = ("local",)
FINAL = "reply"


@dataclass
class _Attempt:
    """What is known of one call while it goes on, so that a failed one can be charged and told too."""

    used: RunUsage = field(default_factory=RunUsage)
    messages: list[ModelMessage] = field(default_factory=list)
    looked_up: list[JsonValue] = field(default_factory=list)
    tool_failed: bool = False

    @property
    def begun(self) -> list[ModelResponse]:
        """All that came back, also what was broken off."""
        return [message for message in self.messages if isinstance(message, ModelResponse)]

    @property
    def replies(self) -> list[ModelResponse]:
        """What came back whole."""
        return [response for response in self.begun if response.state != "interrupted"]

    @property
    def lost(self) -> bool:
        """Whether nothing at all came back to the last request."""
        return bool(self.messages) and not isinstance(self.messages[-1], ModelResponse)

    @property
    def last(self) -> ModelResponse | None:
        """The reply to the last request, or None where none came."""
        return self.replies[-1] if self.replies and self.messages[-1] is self.replies[-1] else None


class VendorAgent:
    """A model of a vendor, asked over its own API."""

    def __init__(self, connection: Connection, environment: Mapping[str, str] = os.environ) -> None:
        self._connection = connection
        self._environment = environment

    @property
    def settings(self) -> ModelSettings:
        """What it was made with."""
        return self._connection.settings

    async def ask(
        self, prompt: Prompt, reply: type[T], tools: Sequence[Tool] = (), rounds: int = ROUNDS
    ) -> Reply[T] | Unreadable:
        """See `agent.ports.Agent`."""
        profile = self._connection.profile()
        model, secret = make_model(self._connection, profile, self._environment)
        attempt = _Attempt()
        try:
            said = await self._loop(model, prompt, reply, tools, rounds, attempt, profile)
        except raised.ModelContextWindowExceededError as error:
            if attempt.replies:
                full = "what was looked up does not fit into the model's window"
                return self._unreadable(attempt, prompt, defect("context_full", full, hint="look up less"), failed=True)
            raise self._charged(failure_of(error, self._connection, secret), attempt, prompt) from error
        except raised.ModelAPIError as error:
            raise self._charged(failure_of(error, self._connection, secret), attempt, prompt) from error
        except Failure as failure:
            raise self._charged(failure, attempt, prompt) from failure.__cause__
        if isinstance(said, Defect):
            return self._unreadable(attempt, prompt, said)
        return Reply(said, self._usage(attempt), self._details(attempt, prompt))

    async def _loop(
        self,
        model: Model[Any],
        prompt: Prompt,
        reply: type[T],
        tools: Sequence[Tool],
        rounds: int,
        attempt: _Attempt,
        profile: Profile,
    ) -> T | Defect:
        mode = profile.mode_with_tools if tools else profile.mode
        offered = tools if profile.tools else ()
        loop: Loop[None, T] = Loop(
            model,
            deps_type=type(None),
            output_type=_held_to(mode, reply),
            instructions=prompt.system,
            tools=[_offered(tool, attempt, rounds) for tool in offered],
            retries={"tools": rounds + 1, "output": 0},
        )
        limits = UsageLimits(request_limit=rounds + 1, total_tokens_limit=self.settings.call_tokens)
        sent = self._sent(profile)
        watch = _let_pass if self.settings.vendor in STREAMED else None
        with capture_run_messages() as attempt.messages:
            try:
                async with model:
                    done = await loop.run(
                        prompt.user,
                        model_settings=sent,
                        usage=attempt.used,
                        usage_limits=limits,
                        event_stream_handler=watch,
                    )
            except raised.UsageLimitExceeded:
                return _over(attempt, rounds, self.settings.call_tokens, reply)
            except raised.UnexpectedModelBehavior as error:
                return _salvaged(error, attempt, reply)
        return done.output

    def _sent(self, profile: Profile) -> Any:
        settings, connection = self.settings, self._connection
        sent: dict[str, Any] = {
            "max_tokens": reply_tokens(settings, profile),
            "timeout": connection.seconds,
            "request_timeout": connection.seconds,
            "max_retries": 0,
        }
        if headers := connection.sent_headers(self._environment):
            sent["extra_headers"] = headers
        if profile.cache:
            sent["cache"] = {"messages": False}
        if settings.vendor == "openai" and speaks_responses(connection):
            sent["openai_store"] = False
        return sent | thinking_settings(settings.vendor, settings.model, settings.thinking, profile)

    def _usage(self, attempt: _Attempt, *, failed: bool = False) -> Usage:
        used = attempt.used
        calls = len(attempt.begun) + (failed and attempt.lost)
        if self.settings.vendor in FREE:
            return Usage(used.input_tokens, used.output_tokens, Decimal(0), used.cache_read_tokens, calls)
        known = self.settings.vendor not in UNPRICED and not used.unmeasured_requests
        costs = [response.usage.cost for response in attempt.begun if response.usage.has_values()]
        priced = [cost for cost in costs if cost is not None]
        cost = sum(priced, Decimal(0)) if known and len(priced) == len(costs) else None
        return Usage(used.input_tokens, used.output_tokens, cost, used.cache_read_tokens, calls)

    def _details(self, attempt: _Attempt, prompt: Prompt) -> dict[str, JsonValue]:
        settings = self.settings
        return {
            "vendor": settings.vendor,
            "model": settings.model,
            "thinking": str(settings.thinking) if settings.thinking else None,
            "prompt": prompt.version,
            "tool_calls": list(attempt.looked_up),
        }

    def _unreadable(self, attempt: _Attempt, prompt: Prompt, found: Defect, *, failed: bool = False) -> Unreadable:
        text = _text(attempt.last) if attempt.last else ""
        return Unreadable(text, found, self._usage(attempt, failed=failed), self._details(attempt, prompt))

    def _charged(self, failure: Failure, attempt: _Attempt, prompt: Prompt) -> Failure:
        failure.usage = self._usage(attempt, failed=not attempt.tool_failed)
        failure.details = self._details(attempt, prompt)
        return failure


def _held_to(mode: Mode, reply: type[T]) -> Any:
    match mode:
        case "native":
            return NativeOutput(reply, name=reply.__name__)
        case "tool":
            return ToolOutput(reply, name=FINAL)
        case "prompted":
            return PromptedOutput(reply, name=reply.__name__)


async def _let_pass(_context: Any, events: AsyncIterable[Any]) -> None:
    async for _ in events:
        pass


def _offered(tool: Tool, attempt: _Attempt, rounds: int) -> LoopTool[None]:
    async def run(**given: Any) -> str:
        if len(attempt.replies) > rounds:
            return "nothing more can be looked up"
        attempt.looked_up.append({"tool": tool.name, "arguments": given})
        try:
            arguments = tool.arguments.model_validate(given)
        except ValidationError as error:
            return of_errors(error.errors(include_url=False, include_context=False), tool.arguments).message
        try:
            return await tool.run(arguments)
        except Failure:
            attempt.tool_failed = True
            raise

    return LoopTool.from_schema(run, tool.name, tool.description, tool.arguments.model_json_schema())


def _over(attempt: _Attempt, rounds: int, tokens: int | None, reply: type[T]) -> T | Defect:
    """What a call that went over its bounds is: the reply, where it came with the last that was paid; else a defect."""
    found = parsed(_text(attempt.replies[-1]), reply) if attempt.replies else None
    if found is not None and not isinstance(found, Defect):
        return found
    used = attempt.used.total_tokens
    if tokens is not None and used > tokens:
        said = f"the call used {used} tokens of {tokens}"
        return defect("call_tokens", said, hint="look up less, and reply shorter")
    said = f"{rounds} rounds of looking things up brought no reply"
    return defect("tool_loop", said, hint="reply with what is known by then")


def _salvaged(error: raised.UnexpectedModelBehavior, attempt: _Attempt, reply: type[T]) -> T | Defect:
    """The reply after all, where its text is one; else what is wrong with it. Raises `Transient` where none came."""
    last = attempt.last
    if last is None:
        raise Transient(f"the server's answer is none of a model: {error.message[:200]}") from error
    if last.finish_reason == "content_filter":
        words = str((last.provider_details or {}).get("refusal") or _text(last))[:200]
        said = f"the model refused to reply: {words}" if words else "the model refused to reply"
        return defect("reply_refused", said, hint="ask for less, or say what it is for")
    found = parsed(_text(last), reply)
    if last.finish_reason == "length" and isinstance(found, Defect):
        return defect("reply_cut", "the reply was cut at its longest: `max_tokens`", hint="reply shorter")
    return found


def _text(response: ModelResponse) -> str:
    """What a model wrote as its reply. The arguments of a look-up are none, whatever they look like."""
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if calls:
        return next((part.args_as_json_str() for part in reversed(calls) if part.tool_name == FINAL), "")
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))
