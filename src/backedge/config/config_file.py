"""`config.yml`: the databases, models and defaults of a project, and the keys of Oxygen that are not used here yet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeVar

from pydantic import Discriminator, Field, Tag

from backedge.config.agent_bounds import VendorName
from backedge.config.database import Database, read_database
from backedge.config.embeddings import Embeddings, EmbeddingsKeys
from backedge.config.problem import Problem, nearest
from backedge.config.secret import is_secret, literal_secrets
from backedge.config.shape import Shape, Text, read_shape
from backedge.config.store_setting import StoreKeys
from backedge.config.timed_measure import CalendarKeys, calendar_problems
from backedge.config.timezone import check_timezone
from backedge.config.yaml_file import Block, Items
from backedge.semantic.timed import USUAL, Calendar

CONFIG_FILE = "config.yml"
_NOT_USED = (
    "builder_agent",
    "integrations",
    "mcp",
    "a2a",
    "protected_branches",
    "base_branch",
    "repositories",
    "health_check",
    "pre_aggregations",
)


@dataclass(frozen=True)
class LanguageModel:
    """A model that agents refer to by `name`. `key_var` is the name of the environment variable with its key."""

    name: str
    vendor: str
    model_ref: str
    key_var: str = ""
    api_url: str = ""
    azure_deployment_id: str = ""
    azure_api_version: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    at: str = ""
    model_file: str = ""
    sha256: str = ""


@dataclass(frozen=True)
class ProjectConfig:
    """What `config.yml` declares."""

    databases: tuple[Database, ...] = ()
    models: tuple[LanguageModel, ...] = ()
    default_database: str = ""
    default_agent: str = ""
    default_agent_line: int = 0
    timezone: str = ""
    calendar: Calendar = USUAL
    embeddings: Embeddings | None = None


def _form(value: object) -> str:
    return "mapping" if isinstance(value, dict) else "text"


_ShapeT = TypeVar("_ShapeT", bound=Shape)
_TextOr = Annotated[Annotated[str, Tag("text")] | Annotated[_ShapeT, Tag("mapping")], Discriminator(_form)]


class _Defaults(Shape):
    what: ClassVar[str] = "`defaults`"
    database: str = ""
    agent: str = ""


class _HeaderValue(Shape):
    what: ClassVar[str] = "a header"
    env_var: Text


class _Model(Shape):
    what: ClassVar[str] = "a model"
    name: Annotated[str, Field(min_length=1)]
    vendor: VendorName
    model_ref: Text
    model_file: str = ""
    sha256: str = ""
    key_var: str = ""
    api_url: str = ""
    api_key: str = ""
    headers: dict[str, _TextOr[_HeaderValue]] | None = None
    azure_deployment_id: str = ""
    azure_api_version: str = ""


class _OmniTopic(Shape):
    what: ClassVar[str] = "an Omni topic"
    name: Text
    model_id: Text


class _Explore(Shape):
    what: ClassVar[str] = "a Looker explore"
    name: Text
    model: Text
    description: str = ""


class _Integration(Shape):
    what: ClassVar[str] = "an integration"
    name: Text
    type: Literal["omni", "looker"]
    base_url: str = ""
    api_key_var: str = ""
    client_id_var: str = ""
    client_secret_var: str = ""
    topics: tuple[_OmniTopic, ...] = ()
    explores: tuple[_Explore, ...] = ()
    arrow_threshold_rows: int = 1000


class _Mcp(Shape):
    what: ClassVar[str] = "`mcp`"
    tools: tuple[str, ...] = ()


class _A2aAgent(Shape):
    what: ClassVar[str] = "an A2A agent"
    ref: Text
    name: Text


class _A2a(Shape):
    what: ClassVar[str] = "`a2a`"
    agents: tuple[_A2aAgent, ...] = ()


class _Repository(Shape):
    what: ClassVar[str] = "a repository"
    name: Text
    path: str = ""
    git_url: str = ""
    branch: str = ""
    git_namespace_id: str = ""


class _SmokeTest(Shape):
    what: ClassVar[str] = "`smoke_test`"
    enabled: bool = True
    interval: str = ""
    connections: bool = True
    semantic: bool = True
    apps: bool = True
    agents: bool = True
    max_targets: int = 25


class _HealthCheck(Shape):
    what: ClassVar[str] = "`health_check`"
    enabled: bool = True
    interval: str = ""
    smoke_test: _SmokeTest | None = None


class _RefreshWorker(Shape):
    what: ClassVar[str] = "`refresh_worker`"
    enabled: bool = False
    heartbeat: str = ""
    renewal_threshold: str = ""


class _PreAggregations(Shape):
    what: ClassVar[str] = "`pre_aggregations`"
    schema_: str = Field("", alias="schema")
    database: str = ""
    refresh_worker: _RefreshWorker | None = None


class _BuilderAgent(Shape):
    what: ClassVar[str] = "`builder_agent`"
    model: Text


class _Config(Shape):
    what: ClassVar[str] = CONFIG_FILE
    defaults: _Defaults = _Defaults()
    databases: tuple[dict[str, object], ...] = ()
    models: tuple[_Model, ...] = ()
    builder_agent: _TextOr[_BuilderAgent] | None = None
    integrations: tuple[_Integration, ...] = ()
    mcp: _Mcp | None = None
    a2a: _A2a | None = None
    protected_branches: tuple[str, ...] = ()
    base_branch: str = ""
    repositories: tuple[_Repository, ...] = ()
    timezone: str = ""
    calendar: CalendarKeys | None = None
    health_check: _HealthCheck | None = None
    pre_aggregations: _PreAggregations | None = None
    store: StoreKeys | None = None
    embeddings: EmbeddingsKeys | None = None


def read_config(root: Path, tree: Block, found: list[Problem]) -> ProjectConfig | None:
    """What `config.yml` declares, or None with every problem in `found`."""
    raw = read_shape(_Config, tree, CONFIG_FILE, found)
    items = tree.get("databases")
    blocks = [item for item in items if isinstance(item, Block)] if isinstance(items, Items) else []
    read = [read_database(root, CONFIG_FILE, block, found) for block in blocks]
    found.extend(literal_secrets(CONFIG_FILE, tree))
    if raw is None:
        return None
    found.extend(check_timezone(CONFIG_FILE, tree))
    found.extend(calendar_problems(CONFIG_FILE, raw.calendar))
    databases = tuple(database for database in read if database)
    models = tuple(_model(model) for model in raw.models)
    _check_names(databases, models, found)
    if len(databases) == len(blocks):
        _check_default(raw.defaults, databases, tree, found)
    for key in _NOT_USED:
        if key in tree:
            found.append(Problem(CONFIG_FILE, tree.lines[key], f"`{key}` is not used yet", "note"))
    return ProjectConfig(
        databases=databases,
        models=models,
        default_database=raw.defaults.database,
        default_agent=raw.defaults.agent,
        default_agent_line=_default_line(tree, "agent"),
        timezone=raw.timezone,
        calendar=raw.calendar.calendar() if raw.calendar else USUAL,
        embeddings=raw.embeddings.embeddings() if raw.embeddings else None,
    )


def _model(raw: _Model) -> LanguageModel:
    headers = tuple(
        (name, f"${{{value.env_var}}}" if isinstance(value, _HeaderValue) else value)
        for name, value in (raw.headers or {}).items()
        if isinstance(value, _HeaderValue) or not is_secret(name, value)
    )
    return LanguageModel(
        name=raw.name,
        vendor=raw.vendor,
        model_ref=raw.model_ref,
        key_var=raw.key_var,
        api_url=raw.api_url,
        azure_deployment_id=raw.azure_deployment_id,
        azure_api_version=raw.azure_api_version,
        headers=headers,
        at=f"{CONFIG_FILE}:{raw.line}",
        model_file=raw.model_file,
        sha256=raw.sha256,
    )


def _check_names(databases: tuple[Database, ...], models: tuple[LanguageModel, ...], found: list[Problem]) -> None:
    for kind, items in (("database", databases), ("model", models)):
        first: dict[str, str] = {}
        for item in items:
            other = first.setdefault(item.name, item.at)
            if other != item.at:
                line = int(item.at.rpartition(":")[2])
                message = f"{kind} name `{item.name}` stands twice (first at {other}): rename one"
                found.append(Problem(CONFIG_FILE, line, message))


def _check_default(defaults: _Defaults, databases: tuple[Database, ...], tree: Block, found: list[Problem]) -> None:
    names = tuple(database.name for database in databases)
    if defaults.database and defaults.database not in names:
        message = f"`defaults.database` names `{defaults.database}`, which is not among `databases`"
        near = nearest(defaults.database, names)
        found.append(Problem(CONFIG_FILE, _default_line(tree, "database"), message, near=near))


def _default_line(tree: Block, key: str) -> int:
    defaults = tree.get("defaults")
    return defaults.lines.get(key, defaults.line) if isinstance(defaults, Block) else 0
