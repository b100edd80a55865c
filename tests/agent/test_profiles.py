"""What is said of each family of models agrees with what pydantic-ai knows of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic_ai.profiles.anthropic import anthropic_model_profile
from pydantic_ai.profiles.google import google_model_profile
from pydantic_ai.profiles.openai import openai_model_profile

from backedge.agent.ports import ModelSettings
from backedge.agent.profiles import FAMILIES, cannot, profile_of, reply_tokens
from backedge.agent.thinking import Thinking
from backedge.agent.vendors import VENDORS
from backedge.kernel.defect import Permanent

CLAUDES = (
    "claude-3-5-haiku-latest",
    "claude-3-7-sonnet-latest",
    "claude-sonnet-4-0",
    "claude-opus-4-0",
    "claude-opus-4-1",
    "claude-haiku-4-5",
    "claude-sonnet-4-5",
    "claude-opus-4-5",
    "claude-sonnet-4-6",
    "claude-opus-4-6",
    "claude-opus-4-7",
    "claude-opus-4-8",
    "claude-opus-5",
    "claude-opus-5-5",
    "claude-sonnet-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-fable-5",
    "claude-mythos-5",
)
GPTS = (
    "gpt-4o",
    "gpt-4.1-mini",
    "o1",
    "o3-mini",
    "o4-mini",
    "gpt-5",
    "gpt-5-mini",
    "gpt-5-pro",
    "gpt-5-chat-latest",
    "gpt-5.1",
    "gpt-5.1-chat-latest",
    "gpt-5.1-codex",
    "gpt-5.2",
    "gpt-5.2-pro",
    "gpt-5.3-codex",
    "gpt-5.3-chat-latest",
    "gpt-5.4",
    "gpt-5.4-pro",
    "gpt-5.5",
    "gpt-5.5-pro",
    "gpt-5.6-sol",
    "gpt-6-astra",
    "gpt-6-sol",
    "gpt-6-luna",
    "gpt-6.1-sol",
)
GEMINIS = (
    "gemini-1.5-pro",
    "gemini-2.0-flash",
    "gemini-2.5-flash",
    "gemini-2.5-pro",
    "gemini-3-pro-preview",
    "gemini-3-flash-preview",
)


@pytest.mark.parametrize("model", CLAUDES)
def test_claude(model: str) -> None:
    ours, theirs = profile_of("anthropic", model), dict(anthropic_model_profile(model) or {})
    assert ("disabled" in ours.thinking) is not theirs.get("thinking_always_enabled", False)
    if "budget" in ours.thinking:
        assert theirs["supports_thinking"]
        assert not theirs.get("anthropic_disallows_budget_thinking")
    if ours.mode == "native":
        assert theirs["supports_json_schema_output"]
    most = theirs.get("anthropic_max_output_tokens")
    assert most is None or ours.max_tokens <= most  # type: ignore[operator]
    if "xhigh" in ours.efforts and "budget" not in ours.thinking:
        assert theirs.get("anthropic_supports_xhigh_effort")


@pytest.mark.parametrize("model", GPTS)
def test_gpt(model: str) -> None:
    ours, theirs = profile_of("openai", model), dict(openai_model_profile(model) or {})
    reasons = bool(theirs.get("supports_thinking"))
    assert ("effort" in ours.thinking) is reasons
    assert ("disabled" in ours.thinking) is not theirs.get("thinking_always_enabled", False)
    assert "budget" not in ours.thinking
    accepted = theirs.get("openai_reasoning_efforts")
    assert accepted is None or set(ours.efforts) <= set(accepted)  # type: ignore[call-overload]


@pytest.mark.parametrize("model", GEMINIS)
def test_gemini(model: str) -> None:
    ours, theirs = profile_of("google", model), dict(google_model_profile(model) or {})
    levels = bool(theirs.get("google_supports_thinking_level"))
    assert ("effort" in ours.thinking) is bool(theirs.get("supports_thinking"))
    assert ("budget" in ours.thinking) is (bool(theirs.get("supports_thinking")) and not levels)
    if levels or theirs.get("thinking_always_enabled"):
        assert "disabled" not in ours.thinking


def test_every_vendor_has_families_and_a_default() -> None:
    assert set(FAMILIES) == set(VENDORS)
    assert all(families[-1][0] == "" for families in FAMILIES.values())


def test_bedrock_knows_claude_by_the_name_behind_its_region() -> None:
    for name in ("anthropic.claude-sonnet-4-6-v1:0", "us.anthropic.claude-sonnet-4-6-v1:0"):
        assert "budget" in profile_of("bedrock", name).thinking
    assert profile_of("bedrock", "amazon.nova-pro-v1:0").thinking == ("disabled",)


def test_both_blocks_of_the_agent_page_can_be_had() -> None:
    page = [
        ("claude-haiku-4-5", Thinking("adaptive")),
        ("claude-opus-4-6", Thinking("budget", budget_tokens=10_000)),
        ("claude-sonnet-4-6", Thinking("disabled")),
    ]
    assert [cannot(ModelSettings("anthropic", m, t), profile_of("anthropic", m)) for m, t in page] == [""] * 3


def test_thinking_has_its_tokens_beside_those_of_the_reply() -> None:
    profile = profile_of("anthropic", "claude-opus-4-6")
    settings = ModelSettings("anthropic", "claude-opus-4-6")
    assert reply_tokens(settings, profile, 10_000) == profile.max_tokens + 10_000
    assert reply_tokens(replace(settings, max_tokens=9), profile, 8) == 9
    with pytest.raises(Permanent):
        reply_tokens(replace(settings, max_tokens=9), profile, 9)
