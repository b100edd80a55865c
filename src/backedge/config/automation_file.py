"""`.automation.yml`, and the older `.procedure.yml` and `.workflow.yml`: an automation's tasks and variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from jsonschema import Draft7Validator
from jsonschema.exceptions import SchemaError
from pydantic import JsonValue

from backedge.automations.tasks import (
    AgentTask,
    Automation,
    Branch,
    Cache,
    Common,
    ConditionalTask,
    Export,
    FormatterTask,
    HttpTask,
    LoopTask,
    SemanticTask,
    SqlTask,
    Task,
    Variable,
    WorkflowTask,
)
from backedge.config.automation_shapes import (
    NOT_SERVED,
    AgentShape,
    AutomationShape,
    CommonShape,
    ConditionalShape,
    ExportShape,
    FormatterShape,
    HttpShape,
    LoopShape,
    SemanticShape,
    SqlShape,
    WorkflowShape,
)
from backedge.config.problem import Problem, nearest
from backedge.config.query_file import plain_value
from backedge.config.secret import is_secret
from backedge.config.shape import read_shape
from backedge.config.yaml_file import Block, Items, Scalar

_OPERATORS = {"eq": "equals", "neq": "not_equals"}
_NEWER = ".automation."
_ShapeT = TypeVar("_ShapeT", bound=CommonShape)


@dataclass(frozen=True)
class _File:
    """The file that is read, and where its problems go."""

    path: str
    found: list[Problem]

    def wrong(self, line: int, message: str, near: tuple[str, ...] = ()) -> None:
        self.found.append(Problem(self.path, line, message, near=near))

    def noted(self, line: int, message: str) -> None:
        self.found.append(Problem(self.path, line, message, "note"))


def read_automation(path: str, tree: Block, found: list[Problem]) -> Automation | None:
    """The automation that a file declares, or None with every problem in `found`."""
    file = _File(path, found)
    before = len(found)
    raw = read_shape(AutomationShape, tree, path, found)
    if raw is None:
        return None
    for key in ("tests", "consistency_prompt", "consistency_model"):
        if key in tree:
            file.noted(tree.lines[key], f"`{key}` is not used here")
    variables = tuple(_variables(file, tree))
    tasks = _tasks(file, raw.tasks, tree.lines["tasks"])
    if any(problem.severity == "error" for problem in found[before:]):
        return None
    stem = path.rsplit("/", 1)[-1].split(".", 1)[0]
    retrieval = raw.retrieval
    return Automation(
        raw.name or stem,
        path,
        tasks,
        variables,
        raw.description.strip(),
        retrieval.include,
        retrieval.exclude,
        f"{path}:1",
    )


def _variables(file: _File, tree: Block) -> Iterator[Variable]:
    declared = tree.get("variables")
    for name, node in declared.items() if isinstance(declared, Block) else ():
        plain = plain_value(node)
        schema = cast("dict[str, JsonValue]", plain if isinstance(plain, dict) else {"default": plain})
        line = cast(Block, declared).lines[name]
        try:
            Draft7Validator.check_schema(schema)
        except SchemaError as bad:
            file.wrong(line, f"variable `{name}` is no JSON Schema: {bad.message}")
            continue
        if "default" in schema:
            for error in Draft7Validator(schema).iter_errors(schema["default"]):
                file.wrong(line, f"`default` of variable `{name}`: {error.message}")
        yield Variable(name, schema)


def _tasks(file: _File, node: object, line: int) -> tuple[Task, ...]:
    if not isinstance(node, Items) or not node:
        file.wrong(line, "`tasks` must be a list of tasks (lines that start with `- name: …`)")
        return ()
    first: dict[str, int] = {}
    tasks: list[Task] = []
    for item, at in zip(node, node.lines, strict=True):
        if not isinstance(item, Block):
            file.wrong(at, "a task must be a mapping (`name`, `type` and what the type needs)")
            continue
        name = str(item.get("name", ""))
        if name and first.setdefault(name, at) != at:
            file.wrong(at, f"task name `{name}` stands twice (first on line {first[name]}): rename one")
        if (task := _task(file, item)) is not None:
            tasks.append(task)
    return tuple(tasks)


def _task(file: _File, node: Block) -> Task | None:
    kind = str(node.get("type", ""))
    if kind in NOT_SERVED:
        file.wrong(node.line, f"tasks of type `{kind}` are not served: {NOT_SERVED[kind]}")
        return None
    read = _READERS.get(kind)
    if read is None:
        said = f"there is no type `{kind}` of tasks" if kind else "a task needs `type`"
        file.wrong(node.line, f"{said}: write one of {', '.join(_READERS)}", nearest(kind, _READERS))
        return None
    return read(file, node)


def _read(shape: type[_ShapeT], file: _File, node: Block) -> tuple[_ShapeT, Common] | None:
    raw = read_shape(shape, _known(shape, file, node), file.path, file.found)
    if raw is None:
        return None
    cache = raw.cache
    enabled = cache is not None and (_NEWER in file.path if cache.enabled is None else cache.enabled)
    kept = Cache(cache.path) if cache and enabled else None
    return raw, Common(raw.name, _export(file, raw.export), kept, f"{file.path}:{node.line}")


def _known(shape: type[CommonShape], file: _File, node: Block) -> Block:
    """The task without keys that mean nothing: Oxygen ignores them, so real files have some. Each is a warning."""
    known, known_keys = Block(node.line), shape.keys()
    known.lines = node.lines
    for key, value in node.items():
        if key in known_keys or key in shape.refused:
            known[key] = value
        else:
            message = f"unknown key `{key}` in {shape.what} is not read"
            file.found.append(Problem(file.path, node.lines[key], message, "warning", near=nearest(key, shape.keys())))
    return known


def _export(file: _File, raw: ExportShape | None) -> Export | None:
    if raw is None:
        return None
    if raw.format == "docx":
        message = f"`docx` is not written: `{raw.path}` is exported as text, to a name that ends with `.txt`"
        file.found.append(Problem(file.path, raw.line, message, "warning"))
        return Export(f"{raw.path.removesuffix('.docx')}.txt", "txt")
    return Export(raw.path, raw.format)


def _sql(file: _File, node: Block) -> Task | None:
    if (read := _read(SqlShape, file, node)) is None:
        return None
    raw, common = read
    if bool(raw.sql_query.strip()) == bool(raw.sql_file.strip()):
        file.wrong(node.line, "an `execute_sql` task needs either `sql_query` or `sql_file`")
        return None
    return SqlTask(common, raw.database, raw.sql_query, raw.sql_file, _plain(raw.variables), raw.dry_run_limit)


def _semantic(file: _File, node: Block) -> Task | None:
    if (read := _read(SemanticShape, file, node)) is None:
        return None
    raw, common = read
    request: dict[str, JsonValue] = {
        "measures": list(raw.measures),
        "dimensions": list(raw.dimensions),
        "time_dimensions": [_plain(item) for item in raw.time_dimensions],
        "filters": [_filter(_plain(item)) for item in raw.filters],
        "order": [_plain(item) for item in raw.orders],
        "variables": _plain(raw.variables),
    }
    request |= {key: value for key in ("topic", "limit", "offset") if (value := getattr(raw, key))}
    return SemanticTask(common, request)


def _filter(given: dict[str, JsonValue]) -> JsonValue:
    """A filter in the keys of a request: `eq` is `equals`, `value` and `from`, `to` are `values`."""
    op = str(given.get("op", ""))
    made = {key: value for key, value in given.items() if key not in ("op", "value", "from", "to")}
    if "value" in given:
        made["values"] = [given["value"]]
    if "from" in given or "to" in given:
        made["values"] = [given.get("from"), given.get("to")]
    return {**made, "op": _OPERATORS.get(op, op)}


def _agent(file: _File, node: Block) -> Task | None:
    if (read := _read(AgentShape, file, node)) is None:
        return None
    raw, common = read
    for key in ("consistency_prompt", "consistency_model", "retry", "variables"):
        if key in node:
            why = "answers agree where they say the same" if "consistency" in key else "the run's own budgets hold"
            file.noted(node.lines[key], f"`{key}` of an `agent` task is not used here: {why}")
    return AgentTask(common, raw.agent_ref, raw.prompt, raw.consistency_run, raw.output.mode)


def _loop(file: _File, node: Block) -> Task | None:
    if (read := _read(LoopShape, file, node)) is None:
        return None
    raw, common = read
    tasks = _tasks(file, raw.tasks, node.lines["tasks"])
    if isinstance(raw.values, Scalar):
        return LoopTask(common, str(raw.values), tasks, raw.concurrency)
    if isinstance(raw.values, Items):
        return LoopTask(common, tuple(cast("list[JsonValue]", plain_value(raw.values))), tasks, raw.concurrency)
    file.wrong(node.lines["values"], "`values` must be a list, or a template that gives one")
    return None


def _conditional(file: _File, node: Block) -> Task | None:
    if (read := _read(ConditionalShape, file, node)) is None:
        return None
    raw, common = read
    branches = []
    for item in raw.conditions if isinstance(raw.conditions, Items) else ():
        if not isinstance(item, Block) or set(item) != {"if", "tasks"}:
            file.wrong(node.lines["conditions"], "each of `conditions` needs `if` and `tasks`, and nothing else")
            return None
        branches.append(Branch(str(item["if"]), _tasks(file, item["tasks"], item.lines["tasks"])))
    if not branches:
        file.wrong(node.lines["conditions"], "`conditions` must be a list of `if` and `tasks`")
    otherwise = () if raw.otherwise is None else _tasks(file, raw.otherwise, node.lines["else"])
    return ConditionalTask(common, tuple(branches), otherwise)


def _formatter(file: _File, node: Block) -> Task | None:
    read = _read(FormatterShape, file, node)
    return None if read is None else FormatterTask(read[1], read[0].template)


def _workflow(file: _File, node: Block) -> Task | None:
    read = _read(WorkflowShape, file, node)
    return None if read is None else WorkflowTask(read[1], read[0].src, _plain(read[0].variables))


def _http(file: _File, node: Block) -> Task | None:
    if (read := _read(HttpShape, file, node)) is None:
        return None
    raw, common = read
    for name, value in raw.headers.items():
        if is_secret(name, value):
            file.wrong(node.lines["headers"], f"header `{name}` holds a secret: name its variable under `secrets`")
    if raw.body is not None and raw.form:
        file.wrong(node.lines["form"], "an `http_request` has either `body` or `form`")
    expected = plain_value(raw.expected_status)
    statuses = tuple(expected if isinstance(expected, list) else () if expected is None else (expected,))
    return HttpTask(
        common,
        raw.url,
        raw.method,
        _plain(raw.headers),
        cast(JsonValue, plain_value(raw.body)),
        _plain(raw.form),
        _plain(raw.secrets),
        raw.timeout_secs,
        tuple(int(str(status)) for status in statuses),
        raw.allow_hosts,
    )


def _plain(node: Mapping[str, object]) -> dict[str, JsonValue]:
    return {key: cast(JsonValue, plain_value(value)) for key, value in node.items()}


_READERS: dict[str, Callable[[_File, Block], Task | None]] = {
    "execute_sql": _sql,
    "semantic_query": _semantic,
    "agent": _agent,
    "loop_sequential": _loop,
    "conditional": _conditional,
    "formatter": _formatter,
    "workflow": _workflow,
    "http_request": _http,
}
