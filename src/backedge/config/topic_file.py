"""`.topic.yml`: a set of views and the filters that every question through it obeys, in each form Oxygen accepts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import ClassVar

from backedge.config.problem import Problem, nearest
from backedge.config.shape import Name, Shape, Text, read_shape
from backedge.config.timed_measure import CalendarKeys, calendar_problems
from backedge.config.yaml_file import Block, Items, PlainValue, Scalar
from backedge.semantic.spec import Operator
from backedge.semantic.timed import USUAL, Calendar

OPERATORS: dict[str, Operator] = {
    "eq": "equals",
    "neq": "not_equals",
    "gt": "gt",
    "gte": "gte",
    "lt": "lt",
    "lte": "lte",
    "in": "in",
    "not_in": "not_in",
    "in_date_range": "in_range",
    "not_in_date_range": "not_in_range",
}
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_OTHER_KEYS = ("field", "op", "value", "values", "from", "to", "filter_type", "description")


class _Retrieval(Shape):
    what: ClassVar[str] = "`retrieval`"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


class _Topic(Shape):
    what: ClassVar[str] = "a topic"
    name: Name
    label: str = ""
    description: str = ""
    views: tuple[Text, ...]
    base_view: str = ""
    default_filters: tuple[object, ...] = ()
    retrieval: _Retrieval | None = None
    calendar: CalendarKeys | None = None
    meta: object = None


@dataclass(frozen=True)
class WrittenFilter:
    """A default filter as its file writes it: the scalars keep their text until the dimension's type is known."""

    field: str
    op: Operator
    values: tuple[Scalar, ...]
    line: int


@dataclass(frozen=True)
class WrittenTopic:
    """A topic as its file writes it, before its views are known."""

    name: str
    description: str
    views: tuple[str, ...]
    view_lines: tuple[int, ...]
    base_view: str
    filters: tuple[WrittenFilter, ...]
    file: str
    line: int
    calendar: Calendar = USUAL


def read_topic(file: str, tree: Block, found: list[Problem]) -> WrittenTopic | None:
    """The topic that a file declares, or None with every problem in `found`."""
    raw = read_shape(_Topic, tree, file, found)
    if raw is None:
        return None
    items = tree["views"]
    lines = tuple(items.lines) if isinstance(items, Items) else ()
    if not raw.views:
        found.append(Problem(file, tree.lines["views"], f"topic `{raw.name}` needs at least one view in `views`"))
    if raw.base_view and raw.base_view not in raw.views:
        message = f"`base_view` `{raw.base_view}` of topic `{raw.name}` is not among its `views`: add it there"
        found.append(Problem(file, tree.lines["base_view"], message, near=nearest(raw.base_view, raw.views)))
    filters = tuple(_filters(file, tree.get("default_filters"), found))
    description = raw.description.strip()
    found.extend(calendar_problems(file, raw.calendar))
    calendar = raw.calendar.calendar() if raw.calendar else USUAL
    return WrittenTopic(raw.name, description, raw.views, lines, raw.base_view, filters, file, tree.line, calendar)


def _filters(file: str, items: object, found: list[Problem]) -> Iterator[WrittenFilter]:
    if not isinstance(items, Items):
        return
    for item, line in zip(items, items.lines, strict=True):
        try:
            yield _filter(item, line)
        except _BadFilter as bad:
            found.append(Problem(file, line, bad.message, near=bad.near))


class _BadFilter(Exception):
    def __init__(self, message: str, near: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.near = near


def _filter(item: object, line: int) -> WrittenFilter:
    if not isinstance(item, Block) or not isinstance(item.get("field"), Scalar):
        raise _BadFilter("a default filter needs `field` and an operator: `{field: status, eq: {value: open}}`")
    parts = _flat(item)
    _check_keys(parts)
    written = [name for name in (*OPERATORS, "op") if name in parts]
    if len(written) != 1:
        raise _BadFilter(f"a default filter needs exactly one operator of {_choice()}")
    name = written[0]
    if name == "op":
        name = str(parts["op"])
        if name not in OPERATORS:
            raise _BadFilter(f"unknown operator `{name}`: write one of {_choice()}", nearest(name, OPERATORS))
        operand: object = parts
    else:
        operand = parts[name]
    op, values = _operand(name, operand)
    return WrittenFilter(str(item["field"]).strip(), op, values, line)


def _flat(item: Block) -> dict[str, object]:
    """`filter_type` may hold the operator's name, or nest what else stands beside `field`."""
    parts = {key: value for key, value in item.items() if key not in ("filter_type", "description")}
    nested = item.get("filter_type")
    if isinstance(nested, Scalar):
        parts["op"] = nested
    elif isinstance(nested, Block):
        parts.update(nested)
    return parts


def _check_keys(parts: dict[str, object]) -> None:
    known = (*_OTHER_KEYS, *OPERATORS)
    for key in parts:
        if key not in known:
            raise _BadFilter(f"unknown key or operator `{key}` in a default filter", nearest(key, known))


def _choice() -> str:
    return ", ".join(f"`{name}`" for name in OPERATORS)


def _operand(name: str, operand: object) -> tuple[Operator, tuple[Scalar, ...]]:
    if name.endswith("in_date_range"):
        return _range(name, operand)
    if name in ("in", "not_in"):
        items = operand.get("values", operand.get("value")) if isinstance(operand, dict) else operand
        if not isinstance(items, Items) or not items:
            raise _BadFilter(f"`{name}` needs `values`: a list of at least one value")
        return OPERATORS[name], tuple(_scalar(name, value) for value in items)
    value = operand.get("value") if isinstance(operand, dict) else operand
    scalar = _scalar(name, value)
    if scalar.value is not None:
        return OPERATORS[name], (scalar,)
    if name in ("eq", "neq"):
        return ("not_set" if name == "eq" else "set"), ()
    raise _BadFilter(f"`{name}` cannot compare with null: give a value")


def _scalar(name: str, value: object) -> Scalar:
    if not isinstance(value, Scalar):
        raise _BadFilter(f"`{name}` needs `value`: one text, number, true, false or null")
    return value


def _range(name: str, operand: object) -> tuple[Operator, tuple[Scalar, ...]]:
    if isinstance(operand, dict) and isinstance(operand.get("value"), dict):
        operand = operand["value"]
    if isinstance(operand, dict) and isinstance(operand.get("values"), Items):
        operand = operand["values"]
    if isinstance(operand, dict):
        ends = [operand.get("from"), operand.get("to")]
    else:
        ends = list(operand) if isinstance(operand, Items) else []
    if len(ends) != 2 or not all(isinstance(end, Scalar) and end.value is not None for end in ends):
        raise _BadFilter(f"`{name}` needs `from` and `to`")
    return OPERATORS[name], tuple(end for end in ends if isinstance(end, Scalar))


def iso_moment(text: str) -> str | None:
    """The text where it is an ISO date or datetime, else None: relative dates ("90 days ago") are no value."""
    try:
        date.fromisoformat(text) if _DAY.fullmatch(text) else datetime.fromisoformat(text)
    except ValueError:
        return None
    return text


def day_after(text: str) -> str:
    """The exclusive end of a range whose last day is `text`; a datetime is an exclusive end already."""
    return (date.fromisoformat(text) + timedelta(days=1)).isoformat() if _DAY.fullmatch(text) else text


def as_values(scalars: tuple[Scalar, ...], *, text: bool) -> tuple[PlainValue, ...]:
    """The values of scalars, or their text as written where the dimension is a string."""
    return tuple(str(scalar) if text and scalar.value is not None else scalar.value for scalar in scalars)
