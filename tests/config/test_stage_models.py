"""Each stage's model is found in the stage, the agent, `config.yml`, or by the vendor's own ids; nothing is guessed."""

from __future__ import annotations

import pytest

from backedge.agent.thinking import Thinking
from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from backedge.config.stage_models import ModelChoice, StageModel, stage_models
from tests.config.projects import CONFIG, VIEW, Write

MODELS = """\
models:
  - {name: main, vendor: openai, model_ref: gpt-5.2, key_var: MY_KEY}
  - {name: cheap, vendor: google, model_ref: gemini-3-flash, key_var: G_KEY}
"""
MISSION = """\
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


def resolved(
    write: Write, text: str, *, extended: bool = False, config: str = CONFIG + MODELS
) -> dict[str, StageModel]:
    files = {"a.view.yml": VIEW, "x.agentic.yml": text} | ({"config.yml": config} if config else {})
    project = load_project(write(files))
    assert project.agent is not None
    return {stage.stage: stage for stage in stage_models(project.agent, project.models, extended=extended)}


def choice(stage: StageModel) -> ModelChoice:
    assert stage.choice is not None
    return stage.choice


@pytest.mark.parametrize("config", ["", CONFIG + MODELS])
def test_the_mission_s_example_resolves_verbatim(write: Write, config: str) -> None:
    stages = resolved(write, MISSION, config=config)
    models = {name: choice(stage).model for name, stage in stages.items() if name != "executing"}
    assert models == {
        "clarifying": "claude-haiku-4-5",
        "specifying": "claude-sonnet-4-6",
        "solving": "claude-opus-4-6",
        "interpreting": "claude-sonnet-4-6",
    }
    assert {choice(s).vendor for n, s in stages.items() if n != "executing"} == {"anthropic"}
    assert choice(stages["solving"]).key_var == "ANTHROPIC_API_KEY"
    assert stages["clarifying"].thinking == Thinking("adaptive")
    assert stages["specifying"].thinking is None
    assert stages["solving"].thinking == Thinking("budget", budget_tokens=10000)
    assert stages["interpreting"].thinking == Thinking("disabled")


def test_executing_calls_no_model(write: Write) -> None:
    assert resolved(write, "llm: {ref: main}\nstates: {executing: {model: main}}")["executing"].choice is None


def test_a_stage_may_have_a_model_of_another_vendor(write: Write) -> None:
    stages = resolved(
        write, "llm: {ref: main}\nstates: {clarifying: {model: cheap}, solving: {model: claude-opus-4-6}}"
    )
    assert (choice(stages["clarifying"]).vendor, choice(stages["clarifying"]).key_var) == ("google", "G_KEY")
    assert (choice(stages["solving"]).vendor, choice(stages["solving"]).key_var) == ("anthropic", "ANTHROPIC_API_KEY")
    assert choice(stages["interpreting"]) == ModelChoice("openai", "gpt-5.2", "main", "MY_KEY")


def test_a_name_of_the_config_goes_before_a_vendor_s_id(write: Write) -> None:
    config = CONFIG + "models: [{name: claude-mine, vendor: openai, model_ref: gpt-5.2}]\n"
    assert choice(resolved(write, "llm: {ref: claude-mine}", config=config)["solving"]).vendor == "openai"


def test_an_id_without_a_known_vendor_takes_that_of_the_agent_s_model(write: Write) -> None:
    stage = resolved(write, "llm: {ref: main}\nstates: {solving: {model: my-tuned}}")["solving"]
    assert (choice(stage).vendor, choice(stage).model, choice(stage).key_var) == ("openai", "my-tuned", "MY_KEY")


def test_a_vendor_can_be_written_before_the_id(write: Write) -> None:
    stage = resolved(write, "llm: {ref: 'ollama:qwen3:8b'}")["solving"]
    assert (choice(stage).vendor, choice(stage).model, choice(stage).key_var) == ("ollama", "qwen3:8b", "")


def test_own_settings_name_an_own_endpoint(write: Write) -> None:
    text = "llm: {vendor: open_ai_compat, model: m, base_url: 'http://127.0.0.1:1/v1', api_key: '${K}', max_tokens: 9}"
    stage = resolved(write, text)["solving"]
    assert choice(stage) == ModelChoice("openai_compat", "m", "", "K", "http://127.0.0.1:1/v1", 9)


def test_instructions_of_the_agent_stand_before_those_of_the_stage(write: Write) -> None:
    stages = resolved(write, "instructions: Be brief.\nllm: {ref: main}\nstates: {solving: {instructions: Use CTEs.}}")
    assert stages["solving"].instructions == "Be brief.\nUse CTEs."
    assert stages["clarifying"].instructions == "Be brief."


def test_the_preset_for_extended_thinking_goes_before_every_stage(write: Write) -> None:
    text = """\
llm: {ref: main, thinking: effort:low, extended_thinking: {model: claude-opus-4-6, thinking: effort:max}}
states: {solving: {model: cheap, thinking: disabled}}
"""
    usual, extended = resolved(write, text), resolved(write, text, extended=True)
    assert (choice(usual["solving"]).name, usual["solving"].thinking) == ("cheap", Thinking("disabled"))
    assert usual["clarifying"].thinking == Thinking("effort", "low")
    assert {choice(s).model for n, s in extended.items() if n != "executing"} == {"claude-opus-4-6"}
    assert {s.thinking for s in extended.values()} == {Thinking("effort", "max")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("llm: {ref: mian}", "x.agentic.yml:1: model `mian` of agent `x` is not declared under `models`"),
        ("states:\n  solving:\n    model: whatever", "x.agentic.yml:3: model `whatever` of agent `x`"),
        ("llm:\n  extended_thinking: {model: nope}", "x.agentic.yml:2: model `nope`"),
        (
            "states:\n  solvng: {model: main}",
            "x.agentic.yml:2: unknown key `solvng` in `states` (did you mean `solving`?)",
        ),
        ("states:\n  solving:\n    modle: main", "x.agentic.yml:3: unknown key `modle`"),
        ("states:\n  diagnosing: {max_retries: 1}", "x.agentic.yml:2: `diagnosing` is entered by itself"),
        ("states:\n  done: {max_retries: 1}", "x.agentic.yml:2: `done` is the end of a run"),
        ("budgets: {tokens: 0}", "x.agentic.yml:1: `tokens` of `budgets`"),
        ("privacy: {vendors: {opnai: {samples: 0}}}", "did you mean `openai`?"),
        ("privacy: {smaples: 1}", "unknown key `smaples` in `privacy` (did you mean `samples`?)"),
    ],
)
def test_what_cannot_be_resolved_is_named_with_its_place(write: Write, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        resolved(write, text)
    assert said in str(caught.value)


def test_privacy_and_budgets_load(write: Write) -> None:
    text = """\
budgets: {steps: 50, tokens: 20000, cost: 0.25, seconds: 90}
privacy:
  samples: 3
  hidden: ["*.email"]
  vendors: {openai: {samples: 0, result_rows: 0, notes: false}}
"""
    project = load_project(write({"config.yml": CONFIG + MODELS, "a.view.yml": VIEW, "x.agentic.yml": text}))
    assert project.agent is not None
    limits, privacy = project.agent.limits, project.agent.privacy
    assert (limits.steps, limits.tokens, str(limits.cost), limits.wall_clock) == (50, 20000, "0.25", 90)
    assert (privacy.of("openai").samples, privacy.of("openai").notes, privacy.of("openai").examples) == (0, False, True)
    assert privacy.of("anthropic").samples == 3
    assert privacy.hides("customers.email")
    assert not privacy.hides("customers.name")
