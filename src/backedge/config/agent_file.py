"""`.agentic.yml`: one agent with its databases, context, model, and the settings of its five stages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import BeforeValidator, Field

from backedge.agent.thinking import Effort, Thinking
from backedge.ask.prompted.privacy import Privacy
from backedge.config.agent_bounds import AskKeys, BudgetKeys, PrivacyKeys, VendorName
from backedge.config.problem import Problem, did_you_mean, nearest
from backedge.config.secret import literal_secrets
from backedge.config.shape import Shape, Text, read_shape
from backedge.config.timezone import check_timezone
from backedge.config.yaml_file import Block, Items, PlainValue, Scalar
from backedge.kernel.budget import Limits

Stage = Literal["clarifying", "specifying", "solving", "executing", "interpreting"]
STAGES: tuple[Stage, ...] = get_args(Stage)
MOST_SAMPLES = 9
RULES: dict[str, tuple[str, ...]] = {
    "specified": ("metric_resolves", "join_key_exists", "filter_unambiguous"),
    "solvable": (
        "sql_syntax",
        "tables_exist_in_catalog",
        "spec_tables_present",
        "column_refs_valid",
        "timeseries_order_by_check",
    ),
    "solved": (
        "non_empty",
        "no_nan_inf",
        "outlier_detection",
        "truncation_warning",
        "null_ratio_check",
        "duplicate_row_check",
        "shape_match",
        "timeseries_date_check",
        "freshness_check",
    ),
}


@dataclass(frozen=True)
class StageSettings:
    """What an agent sets for one stage; None and "" mean the default.

    `default_after` are the seconds that its questions wait before their defaults are taken; None is for ever.
    `consistency` is how many replies of its model must agree, by more than half.
    """

    stage: Stage
    model: str = ""
    thinking: Thinking | None = None
    instructions: str = ""
    max_retries: int | None = None
    default_after: int | None = None
    consistency: int = 1


@dataclass(frozen=True)
class Llm:
    """The model of an agent: `ref` names one of config.yml, the other fields are set directly. It holds no key."""

    ref: str = ""
    vendor: str = ""
    model: str = ""
    base_url: str = ""
    api_key: str = ""
    max_tokens: int | None = None
    thinking: Thinking | None = None
    extended_model: str = ""
    extended_thinking: Thinking | None = None


@dataclass(frozen=True)
class Rule:
    """One validation rule of an agent, with its parameters as written."""

    group: str
    name: str
    enabled: bool = True
    parameters: tuple[tuple[str, PlainValue], ...] = ()


@dataclass(frozen=True)
class Agent:
    """One `.agentic.yml`. `file` is relative to the project folder; `context` are its globs, relative to the file.

    `rules` is None where the agent has no `validation`: then the defaults hold.
    """

    name: str
    file: str
    instructions: str = ""
    databases: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    llm: Llm = Llm()
    thinking: Thinking | None = None
    states: tuple[StageSettings, ...] = ()
    rules: tuple[Rule, ...] | None = None
    timezone: str = ""
    privacy: Privacy = field(default_factory=Privacy)
    limits: Limits = field(default_factory=Limits)

    @property
    def waits(self) -> tuple[tuple[str, int], ...]:
        """The stages whose questions wait for a time, with the seconds."""
        return tuple((state.stage, state.default_after) for state in self.states if state.default_after is not None)

    def stage(self, name: Stage) -> StageSettings:
        """The settings of a stage; the defaults where the file has none."""
        return next((state for state in self.states if state.stage == name), StageSettings(name))


def _thinking(value: object) -> Thinking:
    """Read one of the four written forms; ValueError says which they are."""
    forms = "`adaptive`, `disabled`, `effort:high`, `{effort: high}` or `{budget_tokens: 10000}`"
    if isinstance(value, dict) and len(value) == 1:
        (key, given), *_ = value.items()
        if key == "budget_tokens" and isinstance(given, Scalar):
            if isinstance(given.value, int) and given.value > 0:
                return Thinking("budget", budget_tokens=given.value)
            raise ValueError(f"has `budget_tokens: {given}`: write a whole number above 0")
        if key == "effort" and isinstance(given, Scalar):
            return _effort(given)
    if isinstance(value, str):
        if value in ("adaptive", "disabled"):
            return Thinking("adaptive" if value == "adaptive" else "disabled")
        if value.startswith("effort:"):
            return _effort(value.removeprefix("effort:").strip())
        if value.lower() in ("false", "off", "no", "none"):
            raise ValueError(f"is `{value}`: to turn it off write `disabled`")
        near = did_you_mean(nearest(value, ("adaptive", "disabled", "effort:high")))
        raise ValueError(f"is `{value}`: write {forms}{near}")
    raise ValueError(f"must be {forms}")


def _effort(text: str) -> Thinking:
    for effort in get_args(Effort):
        if text == effort:
            return Thinking("effort", effort=effort)
    near = did_you_mean(nearest(text, get_args(Effort)))
    raise ValueError(f"has effort `{text}`: write one of {', '.join(get_args(Effort))}{near}")


ThinkingField = Annotated[Thinking | None, BeforeValidator(_thinking)]


class _State(Shape):
    what: ClassVar[str] = "a stage's settings"
    refused: ClassVar[Mapping[str, str]] = {
        "ask": "`ask` is for `clarifying` and `specifying`, which alone ask a person: remove it",
        "consistency": "`consistency` is for `clarifying`, `specifying` and `solving`, whose replies can be the same; "
        "words differ each time, and are held to the rows by the gates: remove it",
    }
    instructions: str = ""
    model: str = ""
    thinking: ThinkingField = None
    max_retries: Annotated[int | None, Field(ge=0, le=1000)] = None


class _SampledState(_State):
    consistency: Annotated[int, Field(ge=1, le=MOST_SAMPLES)] = 1


class _AskingState(_SampledState):
    ask: AskKeys | None = None


class _States(Shape):
    what: ClassVar[str] = "`states`"
    refused: ClassVar[Mapping[str, str]] = {
        "diagnosing": "`diagnosing` is entered by itself when a stage fails and is not configured: remove it",
        "done": "`done` is the end of a run and is not configured: remove it",
    }
    clarifying: _AskingState | None = None
    specifying: _AskingState | None = None
    solving: _SampledState | None = None
    executing: _State | None = None
    interpreting: _State | None = None


class _Extended(Shape):
    what: ClassVar[str] = "`extended_thinking`"
    model: str = ""
    thinking: ThinkingField = None


class _Llm(Shape):
    what: ClassVar[str] = "`llm`"
    ref: str = ""
    vendor: VendorName | Literal["open_ai", "open_ai_compat"] | None = None
    model: str = ""
    api_key: str = ""
    base_url: str = ""
    max_tokens: Annotated[int | None, Field(ge=1)] = None
    thinking: ThinkingField = None
    extended_thinking: _Extended | None = None


class _RuleSet(Shape):
    what: ClassVar[str] = "`rules`"
    specified: tuple[dict[str, object], ...] = ()
    solvable: tuple[dict[str, object], ...] = ()
    solved: tuple[dict[str, object], ...] = ()


class _Validation(Shape):
    what: ClassVar[str] = "`validation`"
    rules: _RuleSet = _RuleSet()


class _SemanticEngine(Shape):
    what: ClassVar[str] = "`semantic_engine`"
    vendor: Literal["cube", "looker"]
    base_url: Text
    api_token: str = ""
    client_id: str = ""
    client_secret: str = ""


class _Agent(Shape):
    what: ClassVar[str] = "an agent"
    instructions: str = ""
    databases: tuple[Text, ...] = ()
    context: tuple[Text, ...] = ()
    states: _States = _States()
    llm: _Llm = _Llm()
    thinking: ThinkingField = None
    validation: _Validation | None = None
    semantic_engine: _SemanticEngine | None = None
    timezone: str = ""
    privacy: PrivacyKeys = PrivacyKeys()
    budgets: BudgetKeys = BudgetKeys()


def agent_name(file: str) -> str:
    """The id of an agent: its file's name without `.agentic.yml`."""
    return file.rsplit("/", 1)[-1].partition(".agentic.")[0]


def read_agent(file: str, tree: Block, found: list[Problem]) -> Agent | None:
    """The agent that a file declares, or None with every problem in `found`."""
    raw = read_shape(_Agent, tree, file, found)
    rules = _rules(file, tree, found)
    found.extend(literal_secrets(file, tree, ("llm", "semantic_engine")))
    if raw is None:
        return None
    found.extend(check_timezone(file, tree))
    if raw.semantic_engine:
        message = "`semantic_engine` is not supported yet: questions are compiled from the views"
        found.append(Problem(file, tree.lines["semantic_engine"], message, "note"))
    return Agent(
        name=agent_name(file),
        file=file,
        instructions=raw.instructions,
        databases=raw.databases,
        context=raw.context,
        llm=_llm(raw.llm),
        thinking=raw.thinking,
        states=tuple(_states(raw.states)),
        rules=rules if raw.validation else None,
        timezone=raw.timezone,
        privacy=raw.privacy.privacy(),
        limits=raw.budgets.limits(),
    )


def _llm(raw: _Llm) -> Llm:
    extended = raw.extended_thinking or _Extended()
    return Llm(
        ref=raw.ref,
        vendor={"open_ai": "openai", "open_ai_compat": "openai_compat"}.get(raw.vendor or "", raw.vendor or ""),
        model=raw.model,
        base_url=raw.base_url,
        api_key=raw.api_key if raw.api_key.startswith("${") else "",
        max_tokens=raw.max_tokens,
        thinking=raw.thinking,
        extended_model=extended.model,
        extended_thinking=extended.thinking,
    )


def _states(raw: _States) -> Iterator[StageSettings]:
    for stage in STAGES:
        state: _State | None = getattr(raw, stage)
        if state:
            ask = state.ask if isinstance(state, _AskingState) else None
            waits = ask.default_after if ask else None
            samples = state.consistency if isinstance(state, _SampledState) else 1
            told = state.instructions
            yield StageSettings(stage, state.model, state.thinking, told, state.max_retries, waits, samples)


def _rules(file: str, tree: Block, found: list[Problem]) -> tuple[Rule, ...]:
    validation = tree.get("validation")
    groups = validation.get("rules") if isinstance(validation, Block) else None
    rules: list[Rule] = []
    for group, names in RULES.items() if isinstance(groups, Block) else ():
        items = groups.get(group) if isinstance(groups, Block) else None
        for item in items if isinstance(items, Items) else ():
            if isinstance(item, Block):
                rules.append(_rule(file, group, names, item, found))
    return tuple(rules)


def _rule(file: str, group: str, names: tuple[str, ...], item: Block, found: list[Problem]) -> Rule:
    name, enabled = item.get("name"), item.get("enabled")
    if not isinstance(name, Scalar) or name not in names:
        said = f"unknown rule `{name}`" if isinstance(name, Scalar) else "a rule needs `name`"
        message = f"{said} in `{group}`: write one of {', '.join(names)}"
        found.append(Problem(file, item.line, message, near=nearest(str(name or ""), names)))
    on = enabled.value if isinstance(enabled, Scalar) else True
    if not isinstance(on, bool):
        found.append(Problem(file, item.line, f"`enabled` of rule `{name}` must be `true` or `false`"))
    others = {key: value for key, value in item.items() if key not in ("name", "enabled")}
    parameters = tuple((key, value.value) for key, value in others.items() if isinstance(value, Scalar))
    return Rule(group, str(name), on is not False, parameters)
