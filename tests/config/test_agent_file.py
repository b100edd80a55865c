"""Agents load with every key of Oxygen's and of the mission's examples, and are strict where Oxygen is silent."""

from __future__ import annotations

import pytest

from backedge.agent.thinking import Thinking
from backedge.config.agent_file import Agent, Rule, StageSettings
from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from tests.config.projects import CONFIG, VIEW, Write

MODELS = "models:\n  - {name: main, vendor: anthropic, model_ref: m, key_var: KEY}\n"


def loaded(write: Write, text: str, config: str = CONFIG + MODELS) -> Agent:
    agent = load_project(write({"config.yml": config, "a.view.yml": VIEW, "x.agentic.yml": text})).agent
    assert agent is not None
    return agent


def refused(write: Write, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        loaded(write, text)
    return str(caught.value)


def test_the_retries_of_the_mission_load(write: Write) -> None:
    text = """\
        states:
          clarifying:
            max_retries: 3
          specifying:
            max_retries: 10   # give disambiguation more attempts
        """
    agent = loaded(write, text)
    assert agent.stage("clarifying").max_retries == 3
    assert agent.stage("specifying").max_retries == 10
    assert agent.stage("solving") == StageSettings("solving")


def test_the_models_of_the_mission_load_even_without_a_config(write: Write) -> None:
    text = """\
        llm:
          ref: claude-sonnet-4-6        # global default for every stage

        states:
          clarifying:
            model: claude-haiku-4-5     # cheap model for triage
            thinking: adaptive
          solving:
            model: claude-opus-4-6      # stronger model for SQL
            thinking:
              budget_tokens: 10000
          interpreting:
            thinking: disabled           # prose needs no reasoning
        """
    project = load_project(write({"a.view.yml": VIEW, "x.agentic.yml": text}))
    assert project.agent is not None
    assert project.agent.llm.ref == "claude-sonnet-4-6"
    assert project.agent.states == (
        StageSettings("clarifying", "claude-haiku-4-5", Thinking("adaptive")),
        StageSettings("solving", "claude-opus-4-6", Thinking("budget", budget_tokens=10000)),
        StageSettings("interpreting", thinking=Thinking("disabled")),
    )
    assert project.problems == ()


def test_every_key_loads(write: Write) -> None:
    agent = loaded(
        write,
        """\
        instructions: Be brief.
        databases: [local]
        context: ["**/*"]
        timezone: Europe/Paris
        thinking: effort:high
        llm:
          vendor: open_ai_compat
          model: m
          base_url: http://localhost:1
          api_key: ${MY_KEY}
          max_tokens: 100
          thinking: {effort: xhigh}
          extended_thinking: {model: big, thinking: adaptive}
        states:
          executing: {instructions: Careful.}
        semantic_engine: {vendor: cube, base_url: "http://x", api_token: "${T}"}
        validation:
          rules:
            solved:
              - {name: non_empty}
              - {name: outlier_detection, enabled: false, threshold_sigma: 4.5}
        """,
    )
    assert (agent.name, agent.databases, agent.timezone) == ("x", ("local",), "Europe/Paris")
    assert agent.thinking == Thinking("effort", effort="high")
    assert (agent.llm.vendor, agent.llm.api_key, agent.llm.max_tokens) == ("openai_compat", "${MY_KEY}", 100)
    assert agent.llm.thinking == Thinking("effort", effort="xhigh")
    assert (agent.llm.extended_model, agent.llm.extended_thinking) == ("big", Thinking("adaptive"))
    assert agent.stage("executing").instructions == "Careful."
    assert agent.rules == (
        Rule("solved", "non_empty"),
        Rule("solved", "outlier_detection", False, (("threshold_sigma", 4.5),)),
    )


def test_without_validation_the_default_rules_hold(write: Write) -> None:
    assert loaded(write, "databases: [local]").rules is None
    assert loaded(write, "validation: {rules: {}}").rules == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "states:\n  clarifing: {max_retries: 1}",
            "x.agentic.yml:2: unknown key `clarifing` in `states` (did",
        ),
        (
            "states:\n  diagnosing: {max_retries: 1}",
            "x.agentic.yml:2: `diagnosing` is entered by itself",
        ),
        ("states:\n  done: {}", "`done` is the end of a run and is not configured"),
        (
            "states:\n  solving:\n    max_retry: 1",
            "agentic.yml:3: unknown key `max_retry` in a stage's settings (did",
        ),
        (
            "states: {solving: {max_retries: -1}}",
            "`max_retries` of a stage's settings must be greater",
        ),
        ("states: {solving: {max_retries: many}}", "must be a whole number, not `many`"),
        ("states: {solving: 3}", "must be a mapping"),
        ("thinking: false", "`thinking` of an agent is `false`: to turn it off write `disabled`"),
        ("thinking: adaptve", "(did you mean `adaptive`?)"),
        ("thinking: effort:hgh", "has effort `hgh`: write one of low, medium, high, xhigh, max (did you mean `high`"),
        ("thinking: {budget_tokens: 0}", "a whole number above 0"),
        ("thinking: {budget: 3}", "must be `adaptive`, `disabled`"),
        (
            "databases: [lokal]",
            "x.agentic.yml:1: database `lokal` of agent `x` is not declared in config",
        ),
        ("llm:\n  ref: mian", "x.agentic.yml:2: model `mian` of agent `x` is not declared under `models`"),
        ("llm: {vendor: gemini}", "cannot be `gemini`"),
        ("contxt: [a]", "(did you mean `context`?)"),
        ("context: a.yml", "`context` of an agent must be a list"),
        ("context: [../up/**/*]", "`../up/**/*` leaves the project folder"),
        ("context: [/etc/*]", "leaves the project folder"),
        ("timezone: Europe/Pari", "unknown time zone `Europe/Pari`"),
        ("validation: {rules: {solved: [{name: nonempty}]}}", "unknown rule `nonempty` in `solved`"),
        ("validation: {rules: {solved: [{enabled: true}]}}", "a rule needs `name`"),
        ("validation: {rules: {solved: [{name: non_empty, enabled: 3}]}}", "must be `true` or `false`"),
        ("", "is empty"),
    ],
)
def test_a_mistake_is_named_with_its_place(write: Write, text: str, said: str) -> None:
    assert said in refused(write, text)


def test_a_literal_key_is_reported_and_not_kept(write: Write) -> None:
    files = {"config.yml": CONFIG, "a.view.yml": VIEW, "x.agentic.yml": "llm:\n  api_key: sk-secret-1234\n"}
    project = load_project(write(files))
    assert "sk-secret-1234" not in repr(project)
    assert "x.agentic.yml:2: `api_key` holds the secret itself" in str(project.problems[0])
