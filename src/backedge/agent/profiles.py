"""What each family of models can do, as data: structured replies, tools, thinking, lengths, caching."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from backedge.agent.ports import ModelSettings
from backedge.agent.thinking import Effort, Thinking
from backedge.kernel.defect import Permanent

Mode = Literal["native", "tool", "prompted"]
Kind = Literal["adaptive", "disabled", "effort", "budget"]

ALL_EFFORTS: tuple[Effort, ...] = ("low", "medium", "high", "xhigh", "max")
TO_HIGH: tuple[Effort, ...] = ("low", "medium", "high")
TO_XHIGH: tuple[Effort, ...] = ("low", "medium", "high", "xhigh")


@dataclass(frozen=True)
class Profile:
    """What a family of models can do.

    `mode` is how it is held to a form of reply, `mode_with_tools` the same where it has tools too. `thinking` are the
    kinds of setting that it takes, `efforts` the levels. `max_tokens` bounds a reply where nothing else is set;
    `least_budget` is the smallest budget for thinking. `cache`: the vendor caches prompts only where it is asked to.
    `shots`: it is small, and does what it is shown rather than what it is told. `room` is how many characters of a
    document one prompt may show, beside its wording and the reply in the model's window.
    """

    mode: Mode = "tool"
    mode_with_tools: Mode = "tool"
    tools: bool = True
    thinking: tuple[Kind, ...] = ("disabled",)
    efforts: tuple[Effort, ...] = ()
    max_tokens: int = 16_000
    least_budget: int = 1
    cache: bool = False
    shots: bool = False
    room: int = 60_000


_CLAUDE = Profile(
    mode="native",
    mode_with_tools="native",
    thinking=("adaptive", "disabled", "effort"),
    efforts=ALL_EFFORTS,
    max_tokens=32_000,
    cache=True,
)
_CLAUDE_ALWAYS = replace(_CLAUDE, thinking=("adaptive", "effort"))
_CLAUDE_4_6 = replace(
    _CLAUDE,
    thinking=("adaptive", "disabled", "effort", "budget"),
    efforts=("low", "medium", "high", "max"),
    least_budget=1024,
)
_CLAUDE_4_5 = replace(_CLAUDE_4_6, efforts=ALL_EFFORTS)
_CLAUDE_BUDGET = replace(_CLAUDE_4_5, mode="tool", mode_with_tools="tool")
_CLAUDE_3 = Profile(max_tokens=4_096, cache=True)

_GPT = Profile(
    mode="native",
    mode_with_tools="native",
    thinking=("adaptive", "disabled", "effort"),
    efforts=TO_XHIGH,
    max_tokens=32_000,
)
_GPT_ALWAYS = replace(_GPT, thinking=("adaptive", "effort"), efforts=TO_HIGH)
_GPT_PLAIN = Profile(mode="native", mode_with_tools="native")

_GEMINI = Profile(
    mode="native",
    mode_with_tools="native",
    thinking=("adaptive", "effort"),
    efforts=TO_HIGH,
    max_tokens=32_000,
)
_GEMINI_2_5 = replace(
    _GEMINI, mode_with_tools="tool", thinking=("adaptive", "disabled", "effort", "budget"), least_budget=128
)
_GEMINI_PLAIN = Profile(mode="native", max_tokens=8_192)

Families = tuple[tuple[str, Profile], ...]

_ANTHROPIC: Families = (
    ("claude-fable-5", _CLAUDE_ALWAYS),
    ("claude-mythos", _CLAUDE_ALWAYS),
    ("claude-opus-5-5", _CLAUDE_ALWAYS),
    ("claude-opus-4-6", _CLAUDE_4_6),
    ("claude-sonnet-4-6", _CLAUDE_4_6),
    ("claude-opus-4-5", _CLAUDE_4_5),
    ("claude-sonnet-4-5", _CLAUDE_4_5),
    ("claude-haiku-4-5", _CLAUDE_4_5),
    ("claude-opus-4-7", _CLAUDE),
    ("claude-opus-4-8", _CLAUDE),
    ("claude-opus-4-1", replace(_CLAUDE_4_5, max_tokens=16_000)),
    ("claude-opus-4", replace(_CLAUDE_BUDGET, max_tokens=16_000)),
    ("claude-sonnet-4", replace(_CLAUDE_BUDGET, max_tokens=16_000)),
    ("claude-3-7", replace(_CLAUDE_BUDGET, max_tokens=16_000)),
    ("claude-3", _CLAUDE_3),
    ("", _CLAUDE),
)
_OPENAI: Families = (
    ("gpt-6-astra", replace(_GPT_ALWAYS, efforts=ALL_EFFORTS)),
    ("gpt-6.1-sol", replace(_GPT_ALWAYS, efforts=ALL_EFFORTS)),
    ("gpt-5.5-pro", replace(_GPT_ALWAYS, efforts=("medium", "high", "xhigh"))),
    ("gpt-5.4-pro", replace(_GPT_ALWAYS, efforts=("medium", "high", "xhigh"))),
    ("gpt-5.2-pro", replace(_GPT_ALWAYS, efforts=("medium", "high", "xhigh"))),
    ("gpt-5.3-chat", replace(_GPT_ALWAYS, efforts=("medium",))),
    ("gpt-5.2-chat", replace(_GPT_ALWAYS, efforts=("medium",))),
    ("gpt-5.1-chat", replace(_GPT_ALWAYS, efforts=("medium",))),
    ("gpt-5.1-codex", _GPT_ALWAYS),
    ("gpt-5.1", replace(_GPT, efforts=TO_HIGH)),
    ("gpt-5-chat", _GPT_PLAIN),
    ("gpt-5-pro", replace(_GPT_ALWAYS, thinking=("effort",), efforts=("high",))),
    ("gpt-5-", _GPT_ALWAYS),
    ("gpt-4o", _GPT_PLAIN),
    ("gpt-4.1", _GPT_PLAIN),
    ("gpt-4", Profile(max_tokens=4_096, room=8_000)),
    ("gpt-3.5", Profile(max_tokens=4_096, room=20_000)),
    ("o1", _GPT_ALWAYS),
    ("o3", _GPT_ALWAYS),
    ("o4", _GPT_ALWAYS),
    ("", _GPT),
)
_GOOGLE: Families = (
    ("gemini-2.5-pro", replace(_GEMINI_2_5, thinking=("adaptive", "effort", "budget"))),
    ("gemini-2.5", _GEMINI_2_5),
    ("gemini-2", _GEMINI_PLAIN),
    ("gemini-1", _GEMINI_PLAIN),
    ("gemma", Profile(mode="prompted", tools=False, max_tokens=8_192)),
    ("gemini-3-pro", replace(_GEMINI, efforts=("low", "high"))),
    ("", _GEMINI),
)
_COMPATIBLE = Profile(thinking=("disabled", "effort"), efforts=TO_HIGH, max_tokens=8_192, room=20_000)
_UNBILLED = Profile(thinking=("adaptive", "disabled", "effort", "budget"), efforts=ALL_EFFORTS)

FAMILIES: Mapping[str, Families] = {
    "anthropic": _ANTHROPIC,
    "openai": _OPENAI,
    "azure": _OPENAI,
    "google": _GOOGLE,
    "bedrock": (("", Profile()),),
    "mistral": (("magistral", Profile(thinking=("adaptive",))), ("", Profile())),
    "ollama": (("", replace(_COMPATIBLE, mode="native", mode_with_tools="tool", room=8_000)),),
    "openai_compat": (("", _COMPATIBLE),),
    "local": (("", Profile(mode="native", tools=False, max_tokens=1_024, shots=True, room=3_000)),),
    "scripted": (("", _UNBILLED),),
    "recorded": (("", _UNBILLED),),
}
_ON_BEDROCK = re.compile(r"^(?:[a-z-]+\.)?anthropic\.(?=claude)")


def profile_of(vendor: str, model: str) -> Profile:
    """What a model can do; the vendor's default where its name is not known. Raises `KeyError` for no vendor."""
    families = FAMILIES[vendor]
    if vendor == "bedrock" and (claude := _ON_BEDROCK.match(model)):
        found = _first(_ANTHROPIC, model[claude.end() :])
        return replace(found, mode="tool", mode_with_tools="tool")
    return _first(families, model)


def _first(families: Families, model: str) -> Profile:
    exact = "gpt-5-" if model == "gpt-5" else model
    return next(profile for prefix, profile in families if exact.startswith(prefix))


def cannot(settings: ModelSettings, profile: Profile) -> str:
    """Why a model cannot be used with these settings, with what to write instead; "" where it can."""
    thinking = settings.thinking
    if thinking is not None and thinking.mode not in profile.thinking:
        return f"{_named(settings)} does not take `thinking: {thinking}`: write {_choices(profile)}"
    if thinking is not None and thinking.effort and thinking.effort not in profile.efforts:
        return f"{_named(settings)} has no effort `{thinking.effort}`: write one of {', '.join(profile.efforts)}"
    if thinking is not None and thinking.budget_tokens and thinking.budget_tokens < profile.least_budget:
        return f"{_named(settings)} takes no `budget_tokens` below {profile.least_budget}: write at least that"
    return ""


def reply_tokens(settings: ModelSettings, profile: Profile, thinking: int) -> int:
    """The bound of one reply, `thinking` tokens of which may be used up before the reply itself is written.

    Raises `Permanent` where a bound that was set leaves nothing for the reply.
    """
    if settings.max_tokens is None:
        return profile.max_tokens + thinking
    if settings.max_tokens > thinking:
        return settings.max_tokens
    said = f"`thinking: {settings.thinking}` of {_named(settings)} takes {thinking} tokens"
    mend = f"write a `max_tokens` above {thinking}, or less thinking"
    raise Permanent(f"{said}, and `max_tokens: {settings.max_tokens}` leaves none for the reply: {mend}", mend=mend)


def _named(settings: ModelSettings) -> str:
    return f"model `{settings.model}` of {settings.vendor}"


def _choices(profile: Profile) -> str:
    written: dict[Kind, str] = {
        "adaptive": str(Thinking("adaptive")),
        "disabled": str(Thinking("disabled")),
        "effort": " or ".join(f"`effort:{effort}`" for effort in profile.efforts),
        "budget": f"`budget_tokens: N` (N at least {profile.least_budget})",
    }
    return " or ".join(
        written[kind] if kind in ("effort", "budget") else f"`{written[kind]}`" for kind in profile.thinking
    )
