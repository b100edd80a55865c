"""The keys of automation files, as Oxygen writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from backedge.config.shape import Name, Shape, Text

NOT_SERVED = {
    "airway": "pipelines are not run here",
    "omni_query": "Omni is not connected",
    "looker_query": "Looker is not connected",
    "visualize": "charts are made with answers",
}


class ExportShape(Shape):
    """`export` of a task."""

    what: ClassVar[str] = "`export`"
    path: Text
    format: Literal["csv", "json", "sql", "txt", "docx"]


class CacheShape(Shape):
    """`cache` of a task."""

    what: ClassVar[str] = "`cache`"
    enabled: bool | None = None
    path: Text


class CommonShape(Shape):
    """What every task may have."""

    what: ClassVar[str] = "a task"
    name: Name
    type: str
    export: ExportShape | None = None
    cache: CacheShape | None = None
    mode: Literal["client", "server"] | None = None


class SqlShape(CommonShape):
    """`execute_sql`."""

    what: ClassVar[str] = "an `execute_sql` task"
    database: Text
    sql_query: str = ""
    sql_file: str = ""
    variables: dict[str, object] = Field(default_factory=dict)
    dry_run_limit: Annotated[int | None, Field(ge=1)] = None


class SemanticShape(CommonShape):
    """`semantic_query`."""

    what: ClassVar[str] = "a `semantic_query` task"
    topic: str = ""
    measures: tuple[Text, ...] = ()
    dimensions: tuple[Text, ...] = ()
    time_dimensions: tuple[dict[str, object], ...] = ()
    filters: tuple[dict[str, object], ...] = ()
    orders: tuple[dict[str, object], ...] = ()
    limit: Annotated[int | None, Field(ge=1)] = None
    offset: Annotated[int | None, Field(ge=0)] = None
    variables: dict[str, object] = Field(default_factory=dict)


class _OutputShape(Shape):
    what: ClassVar[str] = "`output`"
    mode: Literal["answer", "sql"] = "answer"


class AgentShape(CommonShape):
    """`agent`."""

    what: ClassVar[str] = "an `agent` task"
    agent_ref: Text
    prompt: Text
    consistency_run: Annotated[int, Field(ge=1, le=50)] = 1
    consistency_prompt: str = ""
    consistency_model: str = ""
    retry: Annotated[int, Field(ge=0)] = 1
    variables: dict[str, object] = Field(default_factory=dict)
    output: _OutputShape = _OutputShape()


class LoopShape(CommonShape):
    """`loop_sequential`."""

    what: ClassVar[str] = "a `loop_sequential` task"
    values: object
    tasks: object
    concurrency: Annotated[int, Field(ge=1, le=100)] = 1


class ConditionalShape(CommonShape):
    """`conditional`."""

    what: ClassVar[str] = "a `conditional` task"
    conditions: object
    otherwise: object = Field(default=None, alias="else")


class FormatterShape(CommonShape):
    """`formatter`."""

    what: ClassVar[str] = "a `formatter` task"
    template: str


class WorkflowShape(CommonShape):
    """`workflow`."""

    what: ClassVar[str] = "a `workflow` task"
    src: Text
    variables: dict[str, object] = Field(default_factory=dict)


class HttpShape(CommonShape):
    """`http_request`."""

    what: ClassVar[str] = "an `http_request` task"
    refused: ClassVar[Mapping[str, str]] = {
        "persist_to_secret": "`persist_to_secret` is not served: secrets are never written; keep it in the environment"
    }
    url: Text
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] = "POST"
    headers: dict[str, str] = Field(default_factory=dict)
    body: object = None
    form: dict[str, object] = Field(default_factory=dict)
    secrets: dict[str, str] = Field(default_factory=dict)
    timeout_secs: Annotated[int, Field(ge=1, le=120)] = 30
    expected_status: object = None
    allow_hosts: tuple[Text, ...] = ()


class _Retrieval(Shape):
    what: ClassVar[str] = "`retrieval`"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


class AutomationShape(Shape):
    """The file."""

    what: ClassVar[str] = "an automation"
    name: str = ""
    description: str = ""
    tasks: object
    variables: dict[str, object] = Field(default_factory=dict)
    retrieval: _Retrieval = _Retrieval()
    consistency_prompt: str = ""
    consistency_model: str = ""
    tests: object = None
