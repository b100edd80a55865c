"""Which model each stage of an agent has, resolved: from the stage, the agent, and the models of `config.yml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from backedge.agent.thinking import Thinking
from backedge.agent.vendors import VENDORS, vendor_of
from backedge.config.agent_file import STAGES, Agent, Llm, Stage
from backedge.config.config_file import CONFIG_FILE, LanguageModel
from backedge.config.problem import Problem, nearest
from backedge.config.reading import FileRead

NO_MODEL: frozenset[Stage] = frozenset({"executing"})  # it calls the database, whatever it is given


@dataclass(frozen=True)
class ModelChoice:
    """One model as files name it. `key_var` is the name of the variable with its key, never the key."""

    vendor: str
    model: str
    name: str = ""
    key_var: str = ""
    base_url: str = ""
    max_tokens: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    azure_deployment: str = ""
    azure_version: str = ""
    model_file: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class StageModel:
    """What one stage runs with. `choice` is None where the agent names no model; `origins` say where each came from."""

    stage: Stage
    choice: ModelChoice | None = None
    thinking: Thinking | None = None
    instructions: str = ""
    max_retries: int | None = None
    consistency: int = 1
    origins: tuple[tuple[str, str], ...] = ()


def has_preset(agent: Agent) -> bool:
    """Whether an agent says what `--extended-thinking` means."""
    return bool(agent.llm.extended_model) or agent.llm.extended_thinking is not None


def stage_models(agent: Agent, models: Sequence[LanguageModel], *, extended: bool = False) -> tuple[StageModel, ...]:
    """The five stages of an agent. With `extended`, `llm.extended_thinking` goes before every stage's own."""
    return tuple(_stage_model(agent, stage, models, extended) for stage in STAGES)


def _stage_model(agent: Agent, stage: Stage, models: Sequence[LanguageModel], extended: bool) -> StageModel:
    own, llm = agent.stage(stage), agent.llm
    named = [("llm.ref", llm.ref), (f"states.{stage}.model", own.model)]
    if not llm.ref:
        named[0] = ("llm.model", llm.model)
    if extended and llm.extended_model:
        named.append(("llm.extended_thinking.model", llm.extended_model))
    origin, name = next(((where, text) for where, text in reversed(named) if text), ("", ""))
    thought = (
        ("llm.extended_thinking.thinking", llm.extended_thinking if extended else None),
        (f"states.{stage}.thinking", own.thinking),
        ("thinking", agent.thinking),
        ("llm.thinking", llm.thinking),
    )
    where, thinking = next(((w, t) for w, t in thought if t is not None), ("", None))
    told = "\n".join(text.strip() for text in (agent.instructions, own.instructions) if text.strip())
    origins = tuple((what, source) for what, source in (("model", origin), ("thinking", where)) if source)
    choice = choose(name, llm, models) if name and stage not in NO_MODEL else None
    return StageModel(stage, choice, thinking, told, own.max_retries, own.consistency, origins)


def choose(name: str, llm: Llm, models: Sequence[LanguageModel]) -> ModelChoice | None:
    """The model of that name in `config.yml`, else of that vendor's id; None where nothing tells the vendor."""
    for known in models:
        if known.name == name:
            return _of_config(known, llm)
    own = llm.vendor and not llm.ref
    told = vendor_of(name)
    if own and (told is None or ":" not in name):
        told = (llm.vendor, name)
    if told is None:
        default = choose(llm.ref, replace(llm, ref=""), models) if llm.ref and llm.ref != name else None
        return replace(default, model=name, name="") if default else None
    vendor, model = told
    same = own and vendor == llm.vendor
    key = llm.api_key.removeprefix("${").removesuffix("}") if same else ""
    return ModelChoice(
        vendor,
        model,
        key_var=key or VENDORS[vendor].key_var,
        base_url=llm.base_url if same else "",
        max_tokens=llm.max_tokens,
    )


def _of_config(known: LanguageModel, llm: Llm) -> ModelChoice:
    azure = bool(known.azure_deployment_id)
    vendor = "azure" if azure else known.vendor
    return ModelChoice(
        vendor,
        known.model_ref,
        known.name,
        known.key_var or VENDORS[vendor].key_var,
        known.api_url,
        llm.max_tokens,
        known.headers,
        known.azure_deployment_id,
        known.azure_api_version,
        known.model_file,
        known.sha256,
    )


def model_problems(read: FileRead, agent: Agent, models: Sequence[LanguageModel]) -> Iterator[Problem]:
    """An error for every model that an agent names and nothing can resolve, or that it lacks for a setting."""
    names = tuple(model.name for model in models)
    places: list[tuple[tuple[str, ...], str]] = [(("llm", "ref"), agent.llm.ref), (("llm", "model"), agent.llm.model)]
    places += [(("llm", "extended_thinking", "model"), agent.llm.extended_model)]
    places += [(("states", state.stage, "model"), state.model) for state in agent.states]
    for path, name in places:
        if name and choose(name, agent.llm, models) is None:
            message = f"model `{name}` of agent `{agent.name}` is not declared under `models` of {CONFIG_FILE}"
            hint = f"{message}, and no vendor is known by that id: declare it, or write `vendor:{name}`"
            yield Problem(read.path, read.line(*path), hint, near=nearest(name, names))
    yield from _unanswerable(read, agent)


def _unanswerable(read: FileRead, agent: Agent) -> Iterator[Problem]:
    """Only a model names defaults: what rules ask about has readings that are equally likely. Rules always agree."""
    for state in agent.states:
        if state.consistency > 1 and not (agent.llm.ref or agent.llm.model or state.model):
            message = f"`{state.stage}` has no model whose replies could differ: remove `consistency`, or name a model"
            yield Problem(read.path, read.line("states", state.stage, "consistency"), message)
        if state.default_after is not None and not (agent.llm.ref or agent.llm.model or state.model):
            message = f"`{state.stage}` has no model, so no question of it has a default: remove `ask`, or name a model"
            yield Problem(read.path, read.line("states", state.stage, "ask"), message)
