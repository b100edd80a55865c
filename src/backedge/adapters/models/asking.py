"""One typed call to a vendor's model over pydantic-ai, whose own retries are off: Backedge's kernel retries."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_ai import Agent as Loop
from pydantic_ai import NativeOutput, PromptedOutput, ToolOutput, capture_run_messages
from pydantic_ai import Tool as LoopTool
from pydantic_ai import exceptions as raised
from pydantic_ai.agent import AgentRetries
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.usage import UsageLimits

from backedge.adapters.models.attempt import Attempt, Counted
from backedge.adapters.models.connection import Connection
from backedge.adapters.models.failures import failure_of
from backedge.adapters.models.thinking import thinking_settings, thinking_tokens
from backedge.adapters.models.vendors import make_model, speaks_responses
from backedge.agent.ports import ROUNDS, ModelSettings, Prompt, Tool
from backedge.agent.profiles import Mode, Profile, reply_tokens
from backedge.agent.reading import defect, of_errors, parsed, storable
from backedge.kernel.defect import Defect, Failure, Transient
from backedge.kernel.stage import Reply, Unreadable

T = TypeVar("T", bound=BaseModel)

STREAMED = ("anthropic",)  # long replies are lost without: a silent connection is cut on the way
FINAL = "reply"


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
        attempt = Attempt(self.settings, prompt)
        try:
            said = await self._loop(Counted(model, attempt), reply, tools, rounds, attempt, profile)
        except raised.ModelAPIError as error:
            if isinstance(error, raised.ModelContextWindowExceededError) and attempt.replies:
                full = "what was looked up does not fit into the model's window"
                return _unreadable(attempt, defect("context_full", full, hint="look up less"))
            raise _charged(failure_of(error, self._connection, secret), attempt) from error
        except Failure as failure:
            raise _charged(failure, attempt) from failure.__cause__
        if isinstance(said, Defect):
            return _unreadable(attempt, said)
        return Reply(said, attempt.usage(), attempt.details())

    async def _loop(
        self,
        model: Counted,
        reply: type[T],
        tools: Sequence[Tool],
        rounds: int,
        attempt: Attempt,
        profile: Profile,
    ) -> T | Defect:
        offered = [_offered(tool, attempt, rounds) for tool in tools] if profile.tools else []
        mode = profile.mode_with_tools if offered else profile.mode
        rounds = rounds if offered else 0
        loop = _made(model, mode, reply, offered, rounds)
        limits = UsageLimits(request_limit=rounds + 1, total_tokens_limit=self.settings.call_tokens)
        sent = self._sent(profile)
        watch = _let_pass if self.settings.vendor in STREAMED else None
        with capture_run_messages() as attempt.messages:
            try:
                async with model:
                    done = await loop.run(
                        attempt.prompt.user,
                        instructions=attempt.prompt.system,
                        model_settings=sent,
                        usage=attempt.used,
                        usage_limits=limits,
                        event_stream_handler=watch,
                    )
            except raised.UsageLimitExceeded:
                return _over(attempt, rounds, self.settings.call_tokens, reply)
            except raised.UnexpectedModelBehavior as error:
                return _salvaged(error, attempt, reply)
            except (TypeError, ValueError):
                # pydantic-ai stumbles over half a character in this way; anything else is a bug.
                if not any(_halved(response) for response in attempt.replies):
                    raise
                return defect("reply_not_json", "the reply holds half a character", hint="write whole characters only")
        return done.output

    def _sent(self, profile: Profile) -> Any:
        settings, connection = self.settings, self._connection
        thinking = thinking_settings(settings.vendor, settings.model, settings.thinking, profile)
        sent: dict[str, Any] = {
            "max_tokens": reply_tokens(settings, profile, thinking_tokens(thinking)),
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
        if settings.vendor == "local":
            sent["temperature"] = 0.0
        return sent | thinking


def _unreadable(attempt: Attempt, found: Defect) -> Unreadable:
    text = _text(attempt.last) if attempt.last else ""
    return Unreadable(storable(text), found, attempt.usage(), attempt.details())


def _charged(failure: Failure, attempt: Attempt) -> Failure:
    failure.usage, failure.details = attempt.usage(), attempt.details()
    return failure


def _made(model: Counted, mode: Mode, reply: type[T], tools: list[LoopTool[None]], rounds: int) -> Loop[None, T]:
    retries: AgentRetries = {"tools": rounds + 1, "output": 0}
    return Loop(model, deps_type=type(None), output_type=_held_to(mode, reply), tools=tools, retries=retries)


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


def _offered(tool: Tool, attempt: Attempt, rounds: int) -> LoopTool[None]:
    async def run(**given: Any) -> str:
        if len(attempt.replies) > rounds:
            return "nothing more can be looked up"
        told = json.loads(storable(json.dumps(given, ensure_ascii=False)))
        attempt.looked_up.append({"tool": tool.name, "arguments": told})
        try:
            arguments = tool.arguments.model_validate(given)
        except ValidationError as error:
            return of_errors(error.errors(include_url=False, include_context=False), tool.arguments).message
        return await tool.run(arguments)

    return LoopTool.from_schema(run, tool.name, tool.description, tool.arguments.model_json_schema())


def _over(attempt: Attempt, rounds: int, tokens: int | None, reply: type[T]) -> T | Defect:
    """What a call that went over its bounds is: the reply, where it came with the last that was paid; else a defect."""
    found = parsed(_text(attempt.replies[-1]), reply) if attempt.replies else None
    if found is not None and not isinstance(found, Defect):
        return found
    used = attempt.used.total_tokens
    if tokens is not None and used > tokens:
        said = f"the call used {used} tokens of {tokens}"
        return defect("call_tokens", said, hint="look up less, and reply shorter")
    said = f"{rounds} rounds of looking things up brought no reply"
    if not rounds:
        return defect("tool_loop", "the reply calls a tool, and there is none to call", hint="reply with what is known")
    return defect("tool_loop", said, hint="reply with what is known by then")


def _salvaged(error: raised.UnexpectedModelBehavior, attempt: Attempt, reply: type[T]) -> T | Defect:
    """The reply after all, where its text is one; else what is wrong with it. Raises `Transient` where none came."""
    last = attempt.last
    if last is None:
        raise Transient(f"the server's answer is none of a model: {error.message[:200]}") from error
    if last.finish_reason == "content_filter":
        words = storable(str((last.provider_details or {}).get("refusal") or _text(last)))[:200]
        said = f"the model refused to reply: {words}" if words else "the model refused to reply"
        return defect("reply_refused", said, hint="ask for less, or say what it is for")
    found = parsed(_text(last), reply)
    if last.finish_reason == "length" and isinstance(found, Defect):
        return defect("reply_cut", "the reply was cut at its longest: `max_tokens`", hint="reply shorter")
    return found


def _halved(response: ModelResponse) -> bool:
    said = [_arguments(part) for part in response.parts if isinstance(part, ToolCallPart)]
    said += [part.content for part in response.parts if isinstance(part, TextPart)]
    said.append(str((response.provider_details or {}).get("refusal", "")))
    return any(storable(text) != text for text in said)


def _arguments(call: ToolCallPart) -> str:
    return call.args if isinstance(call.args, str) else json.dumps(call.args or {}, ensure_ascii=False)


def _text(response: ModelResponse) -> str:
    """What a model wrote as its reply. The arguments of a look-up are none, whatever they look like."""
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if calls:
        return next((_arguments(part) for part in reversed(calls) if part.tool_name == FINAL), "")
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))
