"""How much a model is to think, in the words of each vendor."""

from __future__ import annotations

from typing import Any

from backedge.agent.profiles import Profile
from backedge.agent.thinking import Effort, Thinking

Sent = dict[str, Any]

# Where a family takes only a budget, an effort stands for one; the figures are pydantic-ai's.
CLAUDE_BUDGETS: dict[Effort, int] = {"low": 2_048, "medium": 10_000, "high": 16_384, "xhigh": 32_768, "max": 32_768}
CLAUDE_ADAPTIVE = 10_000
GEMINI_BUDGETS: dict[Effort, int] = {"low": 2_048, "medium": 8_192, "high": 24_576, "xhigh": 24_576, "max": 24_576}


def thinking_settings(vendor: str, model: str, thinking: Thinking | None, profile: Profile) -> Sent:
    """The settings of pydantic-ai that carry a thinking which the profile allows."""
    if thinking is None:
        return {}
    match vendor:
        case "anthropic":
            return _anthropic(model, thinking)
        case "openai" | "azure" | "openai_compat" | "ollama":
            return _openai(thinking, profile)
        case "google":
            return _google(model, thinking)
        case "bedrock":
            return _bedrock(thinking)
        case _:
            return {}


def thinking_tokens(sent: Sent) -> int:
    """The tokens of a reply that these settings let thinking use up, where the vendor is told a number."""
    extra = sent.get("bedrock_additional_model_requests_fields", {}).get("thinking", {})
    told = sent.get("anthropic_thinking") or extra or {}
    return int(told.get("budget_tokens", 0)) or max(0, sent.get("google_thinking_config", {}).get("thinking_budget", 0))


def _adapts(model: str) -> bool:
    """Whether a Claude decides by itself how much it thinks; the older ones need a budget."""
    old = ("claude-3", "claude-opus-4-5", "claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-4-1", "claude-opus-4-2")
    return not (
        model.startswith((*old, "claude-sonnet-4-2", "claude-sonnet-4-0", "claude-opus-4-0"))
    ) and model not in (
        "claude-opus-4",
        "claude-sonnet-4",
    )


def _claude_budget(thinking: Thinking) -> int:
    if thinking.mode == "adaptive":
        return CLAUDE_ADAPTIVE
    return CLAUDE_BUDGETS[thinking.effort] if thinking.effort else thinking.budget_tokens or 0


def _anthropic(model: str, thinking: Thinking) -> Sent:
    if thinking.mode == "disabled":
        return {"thinking": False}
    if thinking.mode == "budget" or not _adapts(model):
        return {"anthropic_thinking": {"type": "enabled", "budget_tokens": _claude_budget(thinking)}}
    sent: Sent = {"anthropic_thinking": {"type": "adaptive"}}
    return sent | ({"anthropic_effort": thinking.effort} if thinking.effort else {})


def _openai(thinking: Thinking, profile: Profile) -> Sent:
    if thinking.mode == "adaptive":
        return {"openai_reasoning_effort": "medium"}
    if thinking.mode == "disabled":
        reasons = "adaptive" in profile.thinking
        return {"openai_reasoning_effort": "none"} if reasons else {}
    return {"openai_reasoning_effort": thinking.effort}


def _google(model: str, thinking: Thinking) -> Sent:
    if not model.startswith("gemini-2.5"):
        return {"google_thinking_config": {"thinking_level": thinking.effort.upper()}} if thinking.effort else {}
    match thinking.mode:
        case "adaptive":
            budget = -1
        case "disabled":
            budget = 0
        case _:
            budget = GEMINI_BUDGETS[thinking.effort] if thinking.effort else thinking.budget_tokens or 0
    return {"google_thinking_config": {"thinking_budget": budget}}


def _bedrock(thinking: Thinking) -> Sent:
    if thinking.budget_tokens:
        sent = {"type": "enabled", "budget_tokens": thinking.budget_tokens}
        return {"bedrock_additional_model_requests_fields": {"thinking": sent}}
    return {"thinking": thinking.effort or thinking.mode == "adaptive"}
