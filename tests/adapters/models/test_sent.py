"""What a request carries: the form of the reply, thinking, caching, lengths, and what it must not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from backedge.adapters.models.asking import VendorAgent
from backedge.adapters.models.connection import Connection
from backedge.adapters.models.thinking import thinking_settings
from backedge.agent.ports import ModelSettings
from backedge.agent.profiles import profile_of
from backedge.agent.thinking import Thinking
from backedge.kernel.defect import Permanent, Transient
from backedge.kernel.stage import Reply
from tests.adapters.models.asked import APIS, GOOD, PROMPT, SECRET, Fruit, Outcome, ask, connection, finding
from tests.adapters.models.wire import Step, Wire

ADAPTIVE, DISABLED, HIGH = Thinking("adaptive"), Thinking("disabled"), Thinking("effort", effort="high")
BUDGET = Thinking("budget", budget_tokens=10_000)


def sent(api: str, **settings: Any) -> dict[str, Any]:
    """The request's body."""
    done = ask(api, Step(GOOD), **settings)
    assert isinstance(done, Outcome)
    assert done.got is not None
    return done.server.requests[0]


@pytest.mark.parametrize(
    ("model", "thinking", "expected"),
    [
        ("claude-sonnet-4-6", None, None),
        ("claude-sonnet-4-6", DISABLED, None),
        ("claude-sonnet-4-6", ADAPTIVE, {"type": "adaptive"}),
        ("claude-sonnet-4-6", HIGH, {"type": "adaptive"}),
        ("claude-opus-4-6", BUDGET, {"type": "enabled", "budget_tokens": 10_000}),
        ("claude-haiku-4-5", ADAPTIVE, {"type": "enabled", "budget_tokens": 10_000}),
        ("claude-haiku-4-5", HIGH, {"type": "enabled", "budget_tokens": 16_384}),
        ("claude-haiku-4-5", DISABLED, None),
        ("claude-opus-5", DISABLED, {"type": "disabled"}),
        ("claude-next-9", ADAPTIVE, {"type": "adaptive"}),
    ],
)
def test_thinking_of_claude(model: str, thinking: Thinking | None, expected: object) -> None:
    body = sent("anthropic", model=model, thinking=thinking)
    assert body.get("thinking") == expected
    if thinking is HIGH and model == "claude-sonnet-4-6":
        assert body["output_config"]["effort"] == "high"
    if isinstance(expected, dict) and "budget_tokens" in expected:
        assert body["max_tokens"] > expected["budget_tokens"]


@pytest.mark.parametrize(
    ("model", "thinking", "effort"),
    [
        ("gpt-5.2", None, None),
        ("gpt-5.2", ADAPTIVE, "medium"),
        ("gpt-5.2", HIGH, "high"),
        ("gpt-5.2", DISABLED, "none"),
        ("gpt-4.1", DISABLED, None),
        ("gpt-99", HIGH, "high"),
    ],
)
def test_thinking_of_openai(model: str, thinking: Thinking | None, effort: str | None) -> None:
    assert sent("chat", model=model, thinking=thinking).get("reasoning_effort") == effort
    assert (sent("responses", model=model, thinking=thinking).get("reasoning") or {}).get("effort") == effort


@pytest.mark.parametrize(
    ("model", "thinking", "expected"),
    [
        ("gemini-2.5-flash", ADAPTIVE, {"thinking_budget": -1}),
        ("gemini-2.5-flash", DISABLED, {"thinking_budget": 0}),
        ("gemini-2.5-pro", BUDGET, {"thinking_budget": 10_000}),
        ("gemini-2.5-pro", HIGH, {"thinking_budget": 24_576}),
        ("gemini-3-pro", HIGH, {"thinking_level": "HIGH"}),
        ("gemini-3-pro", ADAPTIVE, None),
    ],
)
def test_thinking_of_gemini(model: str, thinking: Thinking, expected: object) -> None:
    made = thinking_settings("google", model, thinking, profile_of("google", model))
    assert made.get("google_thinking_config") == expected


@pytest.mark.parametrize(
    ("vendor", "model", "thinking", "write"),
    [
        ("openai", "gpt-5.2", BUDGET, "effort:low"),
        ("openai", "gpt-4.1", ADAPTIVE, "disabled"),
        ("openai", "o3", DISABLED, "effort:low"),
        ("anthropic", "claude-opus-5", BUDGET, "adaptive"),
        ("anthropic", "claude-opus-5-5", DISABLED, "adaptive"),
        ("anthropic", "claude-sonnet-4-6", Thinking("budget", budget_tokens=100), "1024"),
        ("google", "gemini-3-pro", DISABLED, "effort:low"),
        ("openai", "gpt-5.3-chat-latest", HIGH, "medium"),
        ("openai_compat", "qwen", BUDGET, "effort:low"),
    ],
)
def test_a_thinking_that_a_model_cannot_have_is_refused_with_what_to_write(
    vendor: str, model: str, thinking: Thinking, write: str
) -> None:
    made = Connection(ModelSettings(vendor, model, thinking, base_url="http://127.0.0.1:1"))
    with pytest.raises(Permanent, match=write):
        made.profile()


@pytest.mark.parametrize("thinking", [BUDGET, ADAPTIVE])
def test_thinking_must_leave_room_for_the_reply(thinking: Thinking) -> None:
    done = ask("anthropic", Step(GOOD), model="claude-haiku-4-5", thinking=thinking, max_tokens=10_000)
    assert ("above 10000" in done.raised.mend, done.requests) == (True, 0)


def test_claude_is_streamed_and_its_system_prompt_cached() -> None:
    body = sent("anthropic")
    assert (body["stream"], body["system"][0]["text"], "cache_control" in body["system"][0]) == (
        True,
        "Name a fruit.",
        True,
    )
    assert "cache_control" not in str(body["messages"])  # a question is never read again


def test_openai_is_told_to_store_nothing() -> None:
    assert sent("responses")["store"] is False


@pytest.mark.parametrize("api", APIS)
def test_the_schema_is_enforced_by_the_vendor_where_it_can(api: str) -> None:
    assert "json_schema" in str(sent(api))
    assert "json_schema" in str(sent(api, tools=[finding()]))


@pytest.mark.parametrize(("api", "model"), [("anthropic", "claude-sonnet-4-0"), ("chat", "gpt-3.5-turbo")])
@pytest.mark.parametrize("text", [GOOD, '{"name": "pear"}', "pears!"])
def test_elsewhere_the_reply_is_the_call_of_a_tool(api: str, model: str, text: str) -> None:
    called = ask(api, Step(call=("reply", text)), model=model)
    written = ask(api, Step(text), model=model)
    assert "json_schema" not in str(called.server.requests[0].get("response_format", ""))
    assert (called.requests, written.requests) == (1, 1)
    if text == GOOD:
        assert (called.reply, written.reply) == (called.reply, called.reply)
    else:
        assert called.refused.defect.kind in ("reply_form", "reply_not_json")
        assert written.refused.defect.kind in ("reply_form", "reply_not_json")


@pytest.mark.parametrize("api", APIS)
def test_lengths_are_those_of_the_settings(api: str) -> None:
    name = {"anthropic": "max_tokens", "chat": "max_completion_tokens", "responses": "max_output_tokens"}[api]
    assert (sent(api)[name], sent(api, max_tokens=77)[name]) == (32_000, 77)


def test_no_key_stands_in_what_is_shown_or_kept() -> None:
    way = connection("chat", "http://127.0.0.1:1")
    agent = VendorAgent(way, {"FRUIT_KEY": SECRET})
    assert SECRET not in f"{agent!r} {vars(agent)['_connection']!r} {agent.settings.as_data()}"


def test_a_missing_key_and_a_missing_header_are_named() -> None:
    way = connection("chat", "http://127.0.0.1:1")
    with pytest.raises(Permanent, match="FRUIT_KEY") as missing:
        way.key({})
    assert "FRUIT_KEY" in missing.value.mend
    headed = Connection(way.settings, headers=(("X-Team", "${TEAM}"),))
    assert headed.sent_headers({"TEAM": "blue"}) == {"X-Team": "blue"}
    with pytest.raises(Permanent, match="TEAM"):
        headed.sent_headers({})


def test_a_url_holds_no_credentials() -> None:
    with pytest.raises(Permanent, match="credentials"):
        Connection(ModelSettings("openai_compat", "m", base_url="https://ann:pw@host/v1")).profile()
    with pytest.raises(Permanent, match="api_url"):
        Connection(ModelSettings("openai_compat", "m")).profile()


def test_a_model_at_an_own_url_speaks_the_older_api_and_has_no_price() -> None:
    done = ask("own", Step(GOOD))
    assert (done.server.paths, done.usage.cost is not None) == (["/v1/chat/completions"], True)


def test_a_busy_claude_may_say_so_in_the_middle_of_its_stream() -> None:
    step = Step(GOOD, fault="error_mid", error={"type": "overloaded_error", "message": "busy"})
    done = ask("anthropic", step)
    assert (type(done.raised), "busy" in str(done.raised), done.requests) == (Transient, True, 1)


def test_what_is_said_to_a_local_model_passes_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with Wire([Step(GOOD)]) as server:
        way = Connection(ModelSettings("local", "qwen", base_url=f"{server.url}/v1"), key_var="K")
        got = asyncio.run(VendorAgent(way, {"K": SECRET}).ask(PROMPT, Fruit, [finding()]))
        body = server.requests[0]
    assert isinstance(got, Reply)
    assert (got.proposal.name, body["temperature"], "tools" in body) == ("pear", 0.0, False)
    assert body["response_format"]["type"] == "json_schema"


def test_a_call_that_is_given_up_from_outside_ends_at_once() -> None:
    async def hurried() -> None:
        async with asyncio.timeout(0.2):
            await VendorAgent(connection("anthropic", server.url), {"FRUIT_KEY": SECRET}).ask(PROMPT, Fruit)

    with Wire([Step(fault="hang")]) as server, pytest.raises(TimeoutError):
        asyncio.run(hurried())
