"""Look-ups by a model: bounded, validated, charged, and never mistaken for its reply."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from backedge.agent.ports import Tool
from backedge.kernel.defect import RateLimited, Transient
from tests.adapters.models.asked import APIS, GOOD, Fruit, ask, finding
from tests.adapters.models.wire import Step

pytestmark = pytest.mark.parametrize("api", APIS)
LOOK = Step(call=("find", '{"words": "pears"}'))


class Counted:
    """A tool that counts its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def __call__(self, arguments: Any) -> str:
        self.calls.append(arguments.words)
        return "one pear"


def test_what_was_looked_up_is_told_and_all_rounds_are_charged(api: str) -> None:
    counted = Counted()
    done = ask(api, LOOK, Step(GOOD), tools=[finding(counted)])
    assert done.got is not None
    assert (done.reply, counted.calls) == (Fruit(name="pear", legs=0), ["pears"])
    assert done.got.details["tool_calls"] == [{"tool": "find", "arguments": {"words": "pears"}}]
    assert (done.usage.input_tokens, done.usage.output_tokens, done.usage.calls) == (200, 40, 2)
    assert "one pear" in str(done.server.requests[1])


def test_a_loop_that_never_ends_is_refused_after_its_rounds(api: str) -> None:
    counted = Counted()
    done = ask(api, LOOK, tools=[finding(counted)], rounds=2)
    assert (done.refused.defect.kind, done.requests, len(counted.calls)) == ("tool_loop", 3, 2)
    assert (done.usage.input_tokens, done.usage.calls) == (300, 3)


def test_a_call_that_uses_too_many_tokens_is_refused(api: str) -> None:
    done = ask(api, LOOK, tools=[finding()], rounds=50, call_tokens=300)
    assert (done.refused.defect.kind, done.requests, done.usage.input_tokens) == ("call_tokens", 3, 300)


@pytest.mark.parametrize("step", [Step(call=("find", '{"wor": 1}')), Step(call=("lose", "{}"))])
def test_a_wrong_look_up_is_told_to_the_model_and_counts_as_a_round(api: str, step: Step) -> None:
    done = ask(api, step, Step(GOOD), tools=[finding()])
    assert (done.reply.name, done.requests) == ("pear", 2)
    assert ask(api, step, tools=[finding()], rounds=1).refused.defect.kind == "tool_loop"


def test_half_the_arguments_of_a_look_up_never_reach_the_tool(api: str) -> None:
    counted = Counted()
    done = ask(api, Step(call=("find", '{"words": "pea')), Step(GOOD), tools=[finding(counted)])
    assert (done.reply.name, counted.calls) == ("pear", [])


def test_a_failure_in_a_later_round_tells_what_the_earlier_ones_used(api: str) -> None:
    done = ask(api, LOOK, Step(status=429, headers={"retry-after": "3"}), tools=[finding()])
    assert (type(done.raised), done.raised.retry_after, done.requests) == (RateLimited, 3.0, 2)
    assert (done.usage.input_tokens, done.usage.calls) == (100, 2)
    assert done.raised.details["tool_calls"] != []


def test_garbage_after_a_look_up_is_no_reply_even_if_the_look_up_reads_like_one(api: str) -> None:
    class Loose(BaseModel):
        name: str
        legs: int

    async def nothing(_: Any) -> str:
        return "nothing"

    loose = Tool("find", "Finds things.", Loose, nothing)
    done = ask(api, Step(call=("find", GOOD)), Step(fault="garbage"), tools=[loose])
    assert (type(done.raised), done.usage.calls) == (Transient, 2)
    assert ask(api, Step(call=("find", GOOD)), tools=[loose], rounds=1).refused.defect.kind == "tool_loop"


def test_a_tool_that_fails_fails_the_call_with_its_own_failure(api: str) -> None:
    async def lost(_: Any) -> str:
        raise Transient("the database was lost")

    done = ask(api, LOOK, tools=[finding(lost)])
    assert (str(done.raised), done.requests) == ("the database was lost", 1)
    assert (done.usage.input_tokens, done.usage.calls) == (100, 1)


def test_look_ups_that_overflow_the_window_are_a_defect_to_learn_from(api: str) -> None:
    full = {
        "error": {"type": "invalid_request_error", "code": "context_length_exceeded", "message": "prompt is too long"}
    }
    done = ask(api, LOOK, Step(status=400, error=full), tools=[finding()])
    assert (done.refused.defect.kind, done.usage.calls) == ("context_full", 2)
