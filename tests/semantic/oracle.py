"""What a spec over the shop must give, worked out row by row in plain Python. It shares no code with the compiler.

A question looks at every row of a measure's view together with every combination of rows that it reaches (or nothing,
where it reaches none). Combinations that fail the conditions are dropped. A row counts once for each grouping left.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

from backedge.semantic.spec import All, By, Condition, Filter, Spec
from tests.semantic.shop import Data, Row

EDGES = {
    ("orders", "customers"): [("customer_id", "id")],
    ("items", "orders"): [("order_id", "id")],
    ("returns", "items"): [("order_id", "order_id"), ("line", "line")],
    ("tickets", "customers"): [("customer_id", "id")],
}
Joined = dict[str, Row | None]
Values = list[object]


def _numbers(values: Values) -> list[int]:
    return [v for v in values if isinstance(v, int)]


def _sum(values: Values) -> object:
    return sum(_numbers(values)) if _numbers(values) else None


def _when(column: str, wanted: object, then: str | None) -> Callable[[Row], object]:
    return lambda row: (1 if then is None else row[then]) if row[column] == wanted else None


def _column(name: str) -> Callable[[Row], object]:
    return lambda row: row[name]


def _known(values: Values) -> Values:
    return [v for v in values if v is not None]


Make = Callable[[Values], object]
MEASURES: dict[str, tuple[str, Callable[[Row], object], Make]] = {
    "customers.count": ("customers", lambda _: 1, len),
    "customers.regions": (
        "customers",
        _column("region"),
        lambda vs: len(set(_known(vs))),
    ),
    "orders.count": ("orders", lambda _: 1, len),
    "orders.total": ("orders", _column("amount"), _sum),
    "orders.mean": (
        "orders",
        _column("amount"),
        lambda vs: statistics.mean(_numbers(vs)) if _numbers(vs) else None,
    ),
    "orders.middle": (
        "orders",
        _column("amount"),
        lambda vs: statistics.median(_numbers(vs)) if _numbers(vs) else None,
    ),
    "orders.open_count": (
        "orders",
        _when("status", "a", None),
        lambda vs: len(_known(vs)),
    ),
    "orders.open_total": ("orders", _when("status", "a", "amount"), _sum),
    "orders.spread": (
        "orders",
        _column("amount"),
        lambda vs: max(_numbers(vs)) - min(_numbers(vs)) if _numbers(vs) else None,
    ),
    "orders.first_day": (
        "orders",
        _column("day"),
        lambda vs: min((v for v in vs if isinstance(v, date)), default=None),
    ),
    "orders.ordered_qty": ("items", _column("qty"), _sum),
    "items.count": ("items", lambda _: 1, len),
    "items.qty_total": ("items", _column("qty"), _sum),
    "items.skus": ("items", _column("sku"), lambda vs: len(set(_known(vs)))),
    "items.rows": ("items", lambda _: 1, len),
    "returns.count": ("returns", lambda _: 1, len),
    "returns.refunds": ("returns", _column("refund"), _sum),
    "tickets.count": ("tickets", lambda _: 1, len),
    "tickets.longest": (
        "tickets",
        _column("minutes"),
        lambda vs: max(_numbers(vs), default=None),
    ),
}
RATIOS = {
    "orders.per_order": ("orders.total", "orders.count"),
    "orders.per_item": ("orders.total", "items.count"),
}
COUNTS = {
    "customers.count",
    "customers.regions",
    "orders.count",
    "orders.open_count",
    "items.count",
    "items.skus",
    "items.rows",
    "returns.count",
    "tickets.count",
}


def answer(data: Data, spec: Spec) -> list[tuple[object, ...]]:
    """The rows that the spec must give, in no order. Limits are not looked at."""
    before = [c for c in spec.where if not _measures_in(c)]
    after = [c for c in spec.where if _measures_in(c)]
    wanted = {m for c in after for m in _measures_in(c)} | set(spec.measures)
    parts = {p for m in wanted for p in RATIOS.get(m, (m,))}
    found = {m: _by_group(data, m, spec.by, before) for m in parts}
    groups = set().union(*found.values()) if spec.by else {()}
    rows = []
    for group in groups:
        cells = {m: values.get(group, 0 if m in COUNTS else None) for m, values in found.items()}
        cells |= {m: _ratio(cells[a], cells[b]) for m, (a, b) in RATIOS.items() if m in wanted}
        names = {by.member: value for by, value in zip(spec.by, group, strict=True) if by.grain is None}
        if all(_holds(c, {**names, **cells}.__getitem__) for c in after):
            rows.append((*group, *(cells[m] for m in spec.measures)))
    return rows


def _by_group(data: Data, measure: str, by: Sequence[By], where: list[Condition]) -> dict[tuple[object, ...], object]:
    view, value, make = MEASURES[measure]
    needed = {b.member.split(".")[0] for b in by} | {p.split(".")[0] for c in where for p in _paths(c)}
    groups: dict[tuple[object, ...], Values] = {} if by else {(): []}
    for row in data[view]:
        kept = {
            tuple(_grouped(b, joined) for b in by)
            for joined in _reached(data, {view: row}, view, needed)
            if all(_holds(c, partial(_cell, joined)) for c in where)
        }
        for group in kept:
            groups.setdefault(group, []).append(value(row))
    return {group: make(values) for group, values in groups.items()}


def _reached(data: Data, joined: Joined, at: str, needed: set[str]) -> list[Joined]:
    """Every combination of rows that the row at `at` reaches in views not joined yet, as far as they are needed."""
    every = [joined]
    for child, keys in _neighbours(at):
        if child in joined or not _leads(child, at, needed):
            continue
        here = joined[at]
        matches = [r for r in data[child] if here is not None and _match(here, r, keys)]
        met: list[Row | None] = [*matches] if matches else [None]
        grown = []
        for one in every:
            for match in met:
                grown += _reached(data, {**one, child: match}, child, needed)
        every = grown
    return every


def _neighbours(view: str) -> list[tuple[str, list[tuple[str, str]]]]:
    up = [(b, keys) for (a, b), keys in EDGES.items() if a == view]
    return up + [(a, [(theirs, mine) for mine, theirs in keys]) for (a, b), keys in EDGES.items() if b == view]


def _leads(view: str, came: str, needed: set[str]) -> bool:
    return view in needed or any(_leads(child, view, needed) for child, _ in _neighbours(view) if child != came)


def _match(here: Row, there: Row, keys: list[tuple[str, str]]) -> bool:
    return all(here[a] is not None and here[a] == there[b] for a, b in keys)


def _cell(joined: Joined, path: str) -> object:
    view, name = path.split(".")
    row = joined[view]
    return None if row is None else row[name]


def _grouped(by: By, joined: Joined) -> object:
    value = _cell(joined, by.member)
    return value.replace(day=1) if by.grain == "month" and isinstance(value, date) else value


def _ratio(top: object, bottom: object) -> object:
    return top / bottom if isinstance(top, int) and isinstance(bottom, int) and bottom else None


def _paths(condition: Condition) -> list[str]:
    return [condition.member] if isinstance(condition, Filter) else [p for c in condition.of for p in _paths(c)]


def _measures_in(condition: Condition) -> list[str]:
    return [p for p in _paths(condition) if p in MEASURES or p in RATIOS]


def _holds(condition: Condition, cell: Callable[[str], object]) -> bool:
    if not isinstance(condition, Filter):
        every = [_holds(c, cell) for c in condition.of]
        return all(every) if isinstance(condition, All) else any(every)
    value, op, values = cell(condition.member), condition.op, condition.values
    if op in ("set", "not_set"):
        return (value is None) == (op == "not_set")
    if value is None:
        return op.startswith("not_")
    return _fits(value, op.removeprefix("not_"), values) != op.startswith("not_")


def _fits(value: object, op: str, values: tuple[object, ...]) -> bool:
    if op in ("equals", "in"):
        return value in values
    if isinstance(value, str):
        tests: dict[str, Callable[[str], bool]] = {
            "contains": lambda v: v.lower() in value.lower(),
            "starts_with": lambda v: value.lower().startswith(v.lower()),
            "ends_with": lambda v: value.lower().endswith(v.lower()),
        }
        return any(tests[op](str(v)) for v in values)
    return _ordered(value, op, values)


def _ordered(value: object, op: str, values: tuple[object, ...]) -> bool:
    at = value.toordinal() if isinstance(value, date) else value
    bounds = [v.toordinal() if isinstance(v, date) else v for v in values]
    assert isinstance(at, int | float)
    low, high = bounds[0], bounds[-1]
    assert isinstance(low, int | float)
    assert isinstance(high, int | float)
    return {
        "gt": at > low,
        "gte": at >= low,
        "lt": at < low,
        "lte": at <= low,
        "in_range": low <= at < high,
    }[op]
