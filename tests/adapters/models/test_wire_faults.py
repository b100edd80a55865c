"""Whatever the wire does, in each of three formats: the right failure, no own retries, and what was used is told."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from backedge.kernel.budget import Usage
from backedge.kernel.defect import Permanent, RateLimited, Transient
from tests.adapters.models.asked import APIS, GOOD, SECRET, Fruit, ask, finding
from tests.adapters.models.wire import Step

pytestmark = pytest.mark.parametrize("api", APIS)
QUICK = 0.4


def error(message: str, kind: str = "", code: str = "") -> dict[str, Any]:
    """An error as both vendors write it."""
    return {"type": "error", "error": {"type": kind, "code": code or kind, "message": message}}


def test_a_good_reply_is_a_proposal_with_what_it_cost(api: str) -> None:
    done = ask(api, Step(GOOD, cached=40))
    given = 140 if api == "anthropic" else 100  # Anthropic counts what it read from its cache apart
    assert done.reply == Fruit(name="pear", legs=0)
    assert (done.usage.input_tokens, done.usage.output_tokens, done.usage.cached_tokens) == (given, 20, 40)
    assert done.usage.cost is not None
    assert Decimal("0.0003") < done.usage.cost < Decimal("0.001")
    assert (done.usage.calls, done.requests, done.server.keys[0].endswith(SECRET)) == (1, 1, True)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [({"Retry-After": "7"}, 7.0), ({"retry-after-ms": "1500"}, 1.5), ({}, None), ({"Retry-After": "soon"}, None)],
)
def test_too_many_requests_wait_as_long_as_the_server_says(
    api: str, headers: dict[str, str], wait: float | None
) -> None:
    done = ask(api, Step(status=429, headers=headers, error=error("slow down", "rate_limit_error")))
    assert (type(done.raised), done.raised.retry_after, done.requests) == (RateLimited, wait, 1)
    assert done.usage == Usage(calls=1)


def test_too_many_requests_until_a_date(api: str) -> None:
    date = {"Retry-After": "Fri, 31 Dec 2100 23:59:59 GMT"}
    done = ask(api, Step(status=429, headers=date, error=error("slow down", "rate_limit_error")))
    assert (type(done.raised), done.raised.retry_after > 1_000_000) == (RateLimited, True)


@pytest.mark.parametrize("status", [500, 503, 529])
def test_a_server_in_trouble_is_tried_again_later(api: str, status: int) -> None:
    done = ask(api, Step(status=status, headers={"Retry-After": "3"}, error=error("busy", "overloaded_error")))
    assert (type(done.raised), done.raised.retry_after, done.requests) == (Transient, 3.0, 1)
    assert done.usage == Usage(calls=1)


@pytest.mark.parametrize("fault", ["hang", "cut", "garbage", "empty_body"])
def test_an_answer_that_never_comes_or_is_none_is_transient(api: str, fault: Any) -> None:
    done = ask(api, Step(fault=fault), seconds=QUICK)
    assert (type(done.raised), done.requests, done.usage) == (Transient, 1, Usage(calls=1))
    assert ("timed out" in str(done.raised)) is (fault == "hang")


@pytest.mark.parametrize("fault", ["hang_mid", "cut_mid"])
def test_an_answer_that_breaks_off_is_transient_and_what_came_is_charged(api: str, fault: Any) -> None:
    done = ask(api, Step(GOOD, fault=fault), seconds=QUICK)
    charged = 100 if api == "anthropic" else 0  # only a stream tells what it read before it ends
    assert (type(done.raised), done.requests) == (Transient, 1)
    assert (done.usage.input_tokens, done.usage.calls) == (charged, 1)
    assert ("timed out" in str(done.raised)) is (fault == "hang_mid")


def test_half_a_character_is_refused_and_can_be_kept(api: str) -> None:
    for step in (Step('{"name": "\ud800", "legs": 0}'), Step("no \ud800", finish="refusal")):
        got = ask(api, step).refused
        assert "\ud800" not in f"{got.text}{got.defect.message}"
    found = ask(api, Step(call=("find", '{"words": "\ud800"}')), tools=[finding()], rounds=1).refused
    assert (found.defect.kind, "\ud800" in str(found)) == ("reply_not_json", False)
    lost = ask(api, Step(status=500, error=error("\ud800")))
    assert "\ud800" not in str(lost.raised)


@pytest.mark.parametrize("status", [401])
def test_a_wrong_key_is_permanent_and_names_its_variable_but_never_the_key(api: str, status: int) -> None:
    done = ask(api, Step(status=status, error=error(f"bad key {SECRET}", "authentication_error")))
    assert (type(done.raised), done.requests) == (Permanent, 1)
    assert "FRUIT_KEY" in done.raised.mend
    assert SECRET not in f"{done.raised} {done.raised.details}"


def test_an_unknown_model_is_permanent_and_named(api: str) -> None:
    done = ask(
        api, Step(status=404, error=error("no such model", "not_found_error", "model_not_found")), model="gpt-99"
    )
    assert (type(done.raised), "gpt-99" in str(done.raised), done.raised.mend != "") == (Permanent, True, True)


def test_an_empty_account_is_permanent(api: str) -> None:
    if api == "anthropic":
        step = Step(status=400, error=error("Your credit balance is too low.", "invalid_request_error"))
    else:
        step = Step(status=429, error=error("You exceeded your current quota", "insufficient_quota"))
    done = ask(api, step)
    assert (type(done.raised), "account" in done.raised.mend, done.requests) == (Permanent, True, 1)


def test_a_prompt_longer_than_the_window_is_permanent(api: str) -> None:
    said = error(
        "prompt is too long: 300000 tokens > 200000 maximum", "invalid_request_error", "context_length_exceeded"
    )
    done = ask(api, Step(status=400, error=said))
    assert (type(done.raised), "window" in done.raised.mend) == (Permanent, True)


def test_a_rejected_request_is_permanent_and_says_the_servers_reason_without_the_key(api: str) -> None:
    done = ask(api, Step(status=400, error=error(f"schema not supported ({SECRET})", "invalid_request_error")))
    assert (type(done.raised), done.requests) == (Permanent, 1)
    assert "schema not supported ([key])" in str(done.raised)


@pytest.mark.parametrize(
    ("step", "kind", "said"),
    [
        (Step(""), "reply_empty", "empty"),
        (Step('{"name": "pe'), "reply_not_json", "not JSON"),
        (Step("A pear, I think."), "reply_not_json", "not JSON"),
        (Step('{"name": "pear"}'), "reply_form", "`legs`: Field required"),
        (Step('{"name": 7, "legs": "many"}'), "reply_form", "`legs`"),
        (Step('["pear", 0]'), "reply_form", "Fruit"),
        (Step('{"name": "pe', finish="length"), "reply_cut", "max_tokens"),
        (Step("I would rather not.", finish="refusal"), "reply_refused", "I would rather not"),
    ],
)
def test_a_reply_that_is_none_is_refused_with_its_lesson(api: str, step: Step, kind: str, said: str) -> None:
    done = ask(api, step)
    assert (done.refused.defect.kind, said in done.refused.defect.message) == (kind, True)
    assert (done.refused.defect.retryable, done.requests) == (True, 1)
    assert (done.usage.input_tokens, done.usage.output_tokens, done.usage.calls) == (100, 20, 1)
    if step.finish == "stop":
        assert done.refused.text == step.text


def test_a_reply_in_a_fenced_block_is_a_reply(api: str) -> None:
    assert ask(api, Step(f"```json\n{GOOD}\n```")).reply.name == "pear"


def test_every_attempt_says_what_was_asked(api: str) -> None:
    vendor, model = ("anthropic", "claude-sonnet-4-6") if api == "anthropic" else ("openai", "gpt-5.2")
    told: dict[str, Any] = {"vendor": vendor, "model": model, "thinking": None, "prompt": "fruit/1", "tool_calls": []}
    good, bad, lost = ask(api, Step(GOOD)), ask(api, Step("no")), ask(api, Step(status=500))
    assert good.got is not None
    assert [good.got.details, bad.refused.details, lost.raised.details] == [told] * 3
