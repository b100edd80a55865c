"""How long a question waits before its default is taken: only where somebody wrote it, and where there are defaults."""

from __future__ import annotations

import pytest

from backedge.config.problem import ConfigError
from tests.config.projects import Write
from tests.config.test_agent_file import loaded


def test_a_question_waits_for_ever_unless_its_stage_says_otherwise(write: Write) -> None:
    assert loaded(write, "llm: {ref: main}\nstates: {clarifying: {max_retries: 1}}\n").waits == ()


@pytest.mark.parametrize(
    ("text", "seconds"), [("90s", 90), ("30m", 1_800), ("24h", 86_400), ("7d", 604_800), ("366 d", 31_622_400)]
)
def test_a_time_is_a_number_and_its_unit(write: Write, text: str, seconds: int) -> None:
    agent = loaded(write, f"llm: {{ref: main}}\nstates: {{specifying: {{ask: {{default_after: {text}}}}}}}\n")
    assert agent.waits == (("specifying", seconds),)


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ("clarifying: {ask: {default_after: 24}}", "must be a time such as"),
        ("clarifying: {ask: {default_after: 0h}}", "must be a time such as"),
        ("clarifying: {ask: {default_after: 367d}}", "must be a time such as"),
        ("clarifying: {ask: {default_after: -1h}}", "must be a time such as"),
        ("clarifying: {ask: {default_after: 1.5h}}", "must be a time such as"),
        ("clarifying: {ask: {default_after: soon}}", "must be a time such as"),
        ("clarifying: {ask: {}}", "needs `default_after`"),
        ("clarifying: {ask: {default_afer: 1h}}", "did you mean `default_after`"),
        ("solving: {ask: {default_after: 1h}}", "which alone ask a person"),
        ("interpreting: {ask: {default_after: 1h}}", "which alone ask a person"),
    ],
)
def test_what_is_no_time_or_no_asking_stage_is_named_with_its_line(write: Write, states: str, said: str) -> None:
    with pytest.raises(ConfigError, match=r"x\.agentic\.yml:2") as caught:
        loaded(write, f"llm: {{ref: main}}\nstates: {{{states}}}\n")
    assert said in str(caught.value)


def test_a_stage_without_a_model_has_no_defaults_and_so_no_time(write: Write) -> None:
    with pytest.raises(ConfigError, match="no question of it has a default"):
        loaded(write, "states: {clarifying: {ask: {default_after: 1h}}}\n")
    text = "states: {clarifying: {model: 'anthropic:m', ask: {default_after: 1h}}}\n"
    assert loaded(write, text).waits == (("clarifying", 3_600),)
