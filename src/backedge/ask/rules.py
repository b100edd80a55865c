"""The rules that results are judged by: one table, whose rows an agent's `validation:` may adjust or switch off."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import pairwise

from backedge.ask.shape import NUMERIC, shape_of
from backedge.kernel.defect import Defect
from backedge.query.table import Cell, Table
from backedge.semantic.spec import OutputColumn

Plain = str | int | float | bool | None
NUMBER_TYPES = frozenset({"count", "sum", "average", "count_distinct", "count_distinct_approx", "median"})


@dataclass(frozen=True)
class RuleSetting:
    """What an agent says of one rule. Parameters that it does not name keep their defaults."""

    name: str
    enabled: bool = True
    parameters: tuple[tuple[str, Plain], ...] = ()


@dataclass(frozen=True)
class Result:
    """A result to judge: its rows, what its columns stand for (if known), its filters in words, and the day.

    `proven` is True where the semantic compile has proven the grain.
    """

    table: Table
    columns: tuple[OutputColumn, ...] = ()
    filters: tuple[str, ...] = ()
    proven: bool = False
    today: date | None = None


Check = Callable[[Result, Mapping[str, float]], Defect | None]


@dataclass(frozen=True)
class Rule:
    """One rule. A finding of a rule that `refuses` sends the result back; of the others it is said beside the answer.

    `unless_proven` rules only note where the compile has proven the grain: NULLs and repeated rows are real there.
    """

    check: Check
    refuses: bool
    unless_proven: bool = False
    parameters: Mapping[str, float] = field(default_factory=dict)


def _shape_match(result: Result, given: Mapping[str, float]) -> Defect | None:
    """The columns are those that the query promised, and numbers where it promised numbers."""
    table = result.table
    if not table.columns:
        return _refusal("malformed", "the result has no columns", "columns")
    promised, got = [c.name for c in result.columns], [c.name for c in table.columns]
    if promised and promised != got:
        said = f"the query promised the columns {', '.join(promised)} and the result has {', '.join(got)}"
        return _refusal("malformed", said, "columns")
    for promise, column in zip(result.columns, table.columns, strict=False):
        if promise.type in NUMBER_TYPES and column.kind not in NUMERIC:
            return _refusal("malformed", f"{promise.name} is a {promise.type}, but holds {column.type}", promise.name)
    return None


def _no_nan_inf(result: Result, given: Mapping[str, float]) -> Defect | None:
    """Every number is finite."""
    for index, column in enumerate(result.table.columns):
        cells = _column(result.table, index)
        if column.kind == "double" and any(isinstance(c, float) and not math.isfinite(c) for c in cells):
            return _refusal("malformed", f"{column.name} has a value that is no finite number", column.name)
    return None


def _non_empty(result: Result, given: Mapping[str, float]) -> Defect | None:
    """There are rows, and some measure has a value."""
    under = f" under {'; '.join(result.filters)}" if result.filters else ""
    if not result.table.rows:
        return _refusal("empty", f"the query found no rows{under}", "rows")
    measures = [i for i, c in enumerate(result.columns) if c.kind == "measure"]
    if not result.columns and len(result.table.rows) == 1:
        measures = list(range(len(result.table.columns)))
    if measures and all(row[i] is None for row in result.table.rows for i in measures):
        return _refusal("all_null", f"no row has a value{under}", "rows")
    return None


def _duplicates(result: Result, given: Mapping[str, float]) -> Defect | None:
    """Each group comes once; without known groups, at most a share of the rows repeat another."""
    keys = [i for i, c in enumerate(result.columns) if c.kind == "dimension"]
    rows = [tuple(row[i] for i in keys) if keys else row for row in result.table.rows]
    seen = Counter(rows)
    twice = [row for row, count in seen.items() if count > 1]
    if not twice or (result.columns and not keys):
        return None
    repeated = (len(rows) - len(seen)) / len(rows)
    if keys or repeated > given["max_duplicate_ratio"]:
        group = ", ".join("no value" if part is None else str(part) for part in twice[0])
        thing = "group" if keys else "row"
        come = f"{thing} comes" if len(twice) == 1 else f"{thing}s come"
        said = f"{len(twice)} {come} more than once, such as {group}"
        return _refusal("duplicate_groups" if keys else "duplicate_rows", said, "rows")
    return None


def _null_ratio(result: Result, given: Mapping[str, float]) -> Defect | None:
    """At most a share of a measure's cells have no value."""
    for index, column in _measures(result):
        cells = _column(result.table, index)
        ratio = sum(cell is None for cell in cells) / len(cells) if cells else 0.0
        if len(cells) > 1 and given["threshold"] < ratio < 1:
            missing = sum(cell is None for cell in cells)
            return _refusal("null_ratio", f"{column} has no value in {missing} of {len(cells)} rows", column)
    return None


def _outliers(result: Result, given: Mapping[str, float]) -> Defect | None:
    """No value lies far from the mean, in standard deviations."""
    for index, column in _measures(result):
        numbers = [float(cell) for cell in _column(result.table, index) if isinstance(cell, int | float | Decimal)]
        if len(numbers) < given["min_rows"]:
            continue
        mean, spread = statistics.fmean(numbers), statistics.pstdev(numbers)
        far = max(numbers, key=lambda number: abs(number - mean))
        if spread and abs(far - mean) > given["threshold_sigma"] * spread:
            said = f"{column} has a value far from the others ({far:,.6g} against a mean of {mean:,.6g})"
            return _refusal("outlier", said, column)
    return None


def _truncation(result: Result, given: Mapping[str, float]) -> Defect | None:
    """The result is whole."""
    if result.table.truncated is None:
        return None
    said = f"the result was cut after {len(result.table.rows):,} rows (cap on {result.table.truncated})"
    return _refusal("truncated", said, "rows")


def _date_order(result: Result, given: Mapping[str, float]) -> Defect | None:
    """The points of a time series come in order, unless they are ranked."""
    shape = shape_of(result.columns, result.table)
    if len(shape.groups) != 1 or not shape.groups[0].time or len(shape.measures) != 1 or len(result.table.rows) < 3:
        return None
    times = [row[shape.groups[0].index] for row in result.table.rows]
    values = [row[shape.measures[0].index] for row in result.table.rows]
    if _ordered(times) or _ordered(values):
        return None
    return _refusal("date_order", f"{shape.groups[0].name} is not in order", shape.groups[0].name)


def _freshness(result: Result, given: Mapping[str, float]) -> Defect | None:
    """The newest day of the result is not older than `max_age_days`."""
    days = [cell for row in result.table.rows for cell in row if isinstance(cell, date)]
    if not days or result.today is None:
        return None
    newest = max(day if type(day) is date else date(day.year, day.month, day.day) for day in days)
    age = (result.today - newest).days
    if age <= given["max_age_days"]:
        return None
    return _refusal("stale", f"the newest day in the result is {newest}, {age:,} days ago", "rows")


RULES: dict[str, Rule] = {
    "shape_match": Rule(_shape_match, refuses=True),
    "no_nan_inf": Rule(_no_nan_inf, refuses=True),
    "non_empty": Rule(_non_empty, refuses=True),
    "duplicate_row_check": Rule(_duplicates, refuses=True, parameters={"max_duplicate_ratio": 0.1}),
    "null_ratio_check": Rule(_null_ratio, refuses=True, unless_proven=True, parameters={"threshold": 0.5}),
    "timeseries_date_check": Rule(_date_order, refuses=False),
    "outlier_detection": Rule(_outliers, refuses=False, parameters={"threshold_sigma": 5.0, "min_rows": 4}),
    "truncation_warning": Rule(_truncation, refuses=False),
    "freshness_check": Rule(_freshness, refuses=False, parameters={"max_age_days": math.inf}),
}


def refusals(result: Result, settings: tuple[RuleSetting, ...] = ()) -> tuple[Defect, ...]:
    """Every defect that sends a result back."""
    return tuple(defect for rule, defect in _findings(result, settings) if _refuses(rule, result))


def remarks(result: Result, settings: tuple[RuleSetting, ...] = ()) -> tuple[str, ...]:
    """What must be said beside an answer from this result."""
    return tuple(defect.message for rule, defect in _findings(result, settings) if not _refuses(rule, result))


def spoken(result: Result, settings: tuple[RuleSetting, ...] = ()) -> tuple[str, ...]:
    """What of that the answer itself must say: how old the data is. (A cut result is said by its template.)"""
    found = _check("freshness_check", result, settings)
    return (found.message,) if found is not None else ()


def judge(name: str, result: Result, settings: tuple[RuleSetting, ...]) -> Defect | None:
    """The defect by which one rule refuses a result, or None."""
    found = _check(name, result, settings)
    return found if found is not None and _refuses(RULES[name], result) else None


def _findings(result: Result, settings: tuple[RuleSetting, ...]) -> list[tuple[Rule, Defect]]:
    found = [(rule, _check(name, result, settings)) for name, rule in RULES.items()]
    return [(rule, defect) for rule, defect in found if defect is not None]


def _check(name: str, result: Result, settings: tuple[RuleSetting, ...]) -> Defect | None:
    rule, said = RULES[name], [setting for setting in settings if setting.name == name]
    if any(not setting.enabled for setting in said):
        return None
    given = dict(rule.parameters)
    for setting in said:
        given |= {key: float(value) for key, value in setting.parameters if isinstance(value, int | float)}
    return rule.check(result, given)


def _refuses(rule: Rule, result: Result) -> bool:
    return rule.refuses and not (rule.unless_proven and result.proven)


def _refusal(kind: str, message: str, where: str) -> Defect:
    return Defect(kind, message, where, retryable=False)


def _measures(result: Result) -> list[tuple[int, str]]:
    return [(field.index, field.name) for field in shape_of(result.columns, result.table).measures]


def _column(table: Table, index: int) -> list[Cell]:
    return [row[index] for row in table.rows]


def _ordered(cells: list[Cell]) -> bool:
    known = [cell for cell in cells if cell is not None]
    pairs = list(pairwise(known))
    return all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs)  # type: ignore[operator]
