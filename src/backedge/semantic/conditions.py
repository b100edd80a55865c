"""One filter as SQL: values typed by the member they filter, bound and never written as text, NULLs never lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import get_args

from sqlglot import exp

from backedge.semantic.operators import NEGATIVE, midnight, moment, next_day
from backedge.semantic.refusal import Refused, did_you_mean, nearest, refused
from backedge.semantic.spec import Filter, Operator, Value

Bind = Callable[[Value], exp.Expr]
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_COMPARE: dict[str, tuple[type[exp.Binary], type[exp.Binary]]] = {
    # for a moment, for a whole day [start, next): which comparison
    "gt": (exp.GT, exp.GTE),
    "gte": (exp.GTE, exp.GTE),
    "lt": (exp.LT, exp.LT),
    "lte": (exp.LTE, exp.LT),
}
_TEXT_OPS = ("contains", "starts_with", "ends_with")


def test(column: exp.Expr, type_: str, given: Filter, bind: Bind) -> exp.Expr:
    """The condition of one filter on `column`. Negative operators keep rows without a value."""
    if given.op not in get_args(Operator):
        near = nearest(given.op, get_args(Operator))
        hint = did_you_mean(near) or f"operators: {', '.join(get_args(Operator))}"
        raise refused("unknown_operator", f"there is no operator {given.op}", where=given.member, hint=hint, near=near)
    if given.op in ("set", "not_set"):
        return _presence(column, given)
    positive = given.op.removeprefix("not_")
    _check_operator(positive, type_, given)
    sql = _positive(column, type_, positive, given, bind)
    if given.op not in NEGATIVE:
        return sql
    missing = exp.Is(this=column.copy(), expression=exp.Null())
    if None in given.values:
        return exp.and_(exp.not_(sql), exp.not_(missing))
    return exp.or_(exp.not_(sql), missing)


def keeps_missing(given: Filter) -> bool:
    """Whether a row without a value passes the filter."""
    if given.op in NEGATIVE:
        return None not in given.values
    return given.op == "not_set" or (given.op in ("equals", "in") and None in given.values)


def _presence(column: exp.Expr, given: Filter) -> exp.Expr:
    if given.values:
        raise _bad(given, f"{given.op} takes no value", "leave the values out")
    missing = exp.Is(this=column.copy(), expression=exp.Null())
    return missing if given.op == "not_set" else exp.not_(missing)


def _check_operator(positive: str, type_: str, given: Filter) -> None:
    ordered = positive in (*_COMPARE, "in_range")
    if (positive in _TEXT_OPS and type_ != "string") or (ordered and type_ in ("boolean", "geo")):
        usable = "equals, in, set" if type_ in ("boolean", "geo") else "equals, in, gt, lt, in_range, set"
        message = f"{given.member} is a {type_}, which {given.op} cannot compare"
        raise refused("type_mismatch", message, where=given.member, hint=f"use one of {usable}")
    if positive == "in_range" and type_ == "string":
        message = f"{given.member} is text, which has no range"
        raise refused("type_mismatch", message, where=given.member, hint="use equals, in or contains")
    single = positive in _COMPARE or positive == "equals"
    if not given.values or (single and len(given.values) != 1) or (positive == "in_range" and len(given.values) != 2):
        wanted = "one value" if single else "a start and an end" if positive == "in_range" else "at least one value"
        raise _bad(given, f"{given.op} takes {wanted}, not {len(given.values)}", "give its values as a list")
    if None in given.values and positive not in ("equals", "in"):
        raise _bad(given, f"{given.op} cannot compare with nothing", "use set or not_set")


def _positive(column: exp.Expr, type_: str, op: str, given: Filter, bind: Bind) -> exp.Expr:
    if op in _TEXT_OPS:
        return exp.or_(*(_like(column, op, _text(v, given), bind) for v in given.values))
    values = [typed(v, type_, given) for v in given.values if v is not None]
    if op == "in_range":
        return _in_range(column, type_, values, given, bind)
    if op in _COMPARE:
        return _compare(column, type_, op, values[0], given, bind)
    parts = _equals(column, type_, values, given, bind)
    if None in given.values:
        parts.append(exp.Is(this=column.copy(), expression=exp.Null()))
    return exp.or_(*parts)


def _equals(column: exp.Expr, type_: str, values: list[Value], given: Filter, bind: Bind) -> list[exp.Expr]:
    days = [v for v in values if _whole_day(v, type_)]
    points = [v for v in values if not _whole_day(v, type_)]
    parts = [_day(column, day, given, bind) for day in days if isinstance(day, date)]
    if len(points) == 1:
        parts.append(exp.EQ(this=column.copy(), expression=bind(points[0])))
    elif points:
        parts.append(exp.In(this=column.copy(), expressions=[bind(v) for v in points]))
    return parts


def _day(column: exp.Expr, day: date, given: Filter, bind: Bind) -> exp.Expr:
    start = exp.GTE(this=column.copy(), expression=bind(day))
    return exp.and_(start, exp.LT(this=column.copy(), expression=bind(next_day(day, given.member))))


def _compare(column: exp.Expr, type_: str, op: str, value: Value, given: Filter, bind: Bind) -> exp.Expr:
    at_moment, at_day = _COMPARE[op]
    if not _whole_day(value, type_) or not isinstance(value, date):
        return at_moment(this=column.copy(), expression=bind(value))
    bound = next_day(value, given.member) if op in ("gt", "lte") else value
    return at_day(this=column.copy(), expression=bind(bound))


def _in_range(column: exp.Expr, type_: str, values: list[Value], given: Filter, bind: Bind) -> exp.Expr:
    start, end = values
    if _sortable(start) > _sortable(end):  # type: ignore[operator]  # both are of the member's one type
        raise _bad(given, "the range ends before it starts", "swap its two values")
    return exp.and_(
        exp.GTE(this=column.copy(), expression=bind(start)), exp.LT(this=column.copy(), expression=bind(end))
    )


def _sortable(value: Value) -> Decimal | datetime:
    return midnight(value) if isinstance(value, date) else Decimal(str(value))


def _like(column: exp.Expr, op: str, text: str, bind: Bind) -> exp.Expr:
    escaped = re.sub(r"([!%_])", r"!\1", text)
    pattern = ("" if op == "starts_with" else "%") + escaped + ("" if op == "ends_with" else "%")
    like = exp.Like(
        this=exp.Lower(this=exp.cast(column.copy(), "text")),
        expression=exp.Lower(this=exp.cast(bind(pattern), "text")),
    )
    return exp.Escape(this=like, expression=exp.Literal.string("!"))


def typed(value: Value, type_: str, given: Filter) -> Value:
    """The value as its member's type; refuses what does not fit (`bad_value`)."""
    if type_ in ("date", "datetime"):
        return _moment(value, type_, given)
    if type_ == "boolean":
        return _boolean(value, given)
    return _number(value, given) if type_ == "number" else _text(value, given)


def _moment(value: Value, type_: str, given: Filter) -> date | datetime:
    found = moment(value, given.member)
    if type_ == "date" and isinstance(found, datetime):
        if (found.hour, found.minute, found.second, found.microsecond) != (0, 0, 0, 0):
            raise _bad(given, f"{value} has a time of day, and {given.member} is a date", "give the day alone")
        return found.date()
    return found


def _number(value: Value, given: Filter) -> int | float | Decimal:
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = Decimal(value.strip())
        value = int(value) if value == value.to_integral_value() else value
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise _bad(given, f"{value!r} is no number", "give a number")
    if not -(10**38) < value < 10**38:  # nor is NaN
        raise _bad(given, f"{value} is no number that a database holds", "give a smaller number")
    return value


def _boolean(value: Value, given: Filter) -> bool:
    words = {"true": True, "false": False}
    if isinstance(value, str):
        value = words.get(value.strip().lower(), value)
    if not isinstance(value, bool):
        raise _bad(given, f"{value!r} is neither true nor false", "give true or false")
    return value


def _text(value: Value, given: Filter) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _bad(given, f"{value!r} is no text", "give text")
    return str(value)


def _whole_day(value: Value, type_: str) -> bool:
    return type_ == "datetime" and isinstance(value, date) and not isinstance(value, datetime)


def _bad(given: Filter, reason: str, hint: str) -> Refused:
    return refused("bad_value", f"filter on {given.member}: {reason}", where=given.member, hint=hint)
