"""Whatever is asked of whatever data, the compiled query gives what counting by hand gives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from random import Random

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import (
    All,
    AnyOf,
    By,
    Condition,
    Filter,
    Operator,
    Spec,
    Value,
)
from tests.semantic.oracle import MEASURES, RATIOS, answer
from tests.semantic.shop import SHOP, Data, Row, fill, rows_of

# DuckDB 2.0.1 gives a SUM the statistics of what it sums, and folds conditions on it to the wrong constant
CONNECTION = duckdb.connect(config={"disabled_optimizers": "statistics_propagation"})
HEALTH = list(HealthCheck)
TEXTS = ("a", "b", "A_", "50%")
DAYS = (date(2024, 1, 31), date(2024, 2, 1), date(2024, 2, 29), date(2025, 2, 1))
DIMENSIONS: dict[str, str] = {
    "customers.id": "number",
    "customers.region": "string",
    "customers.vip": "boolean",
    "orders.id": "number",
    "orders.status": "string",
    "orders.day": "date",
    "orders.amount": "number",
    "items.sku": "string",
    "items.qty": "number",
    "returns.reason": "string",
    "tickets.topic": "string",
}
numbers = st.integers(-2, 9)
texts = st.sampled_from(TEXTS)
days = st.sampled_from(DAYS)


def _row(dice: Random, **columns: Sequence[object]) -> Row:
    """One row, in which one cell of six is missing."""
    return {name: dice.choice(values) if dice.randrange(6) else None for name, values in columns.items()}


def _table(dice: Random, most: int, **columns: Sequence[object]) -> list[Row]:
    return [{**_row(dice, **columns), "id": i} for i in range(1, dice.randint(0, most) + 1)]


def shop(seed: int) -> Data:
    """Random tables with few keys, so that rows repeat, miss their match and meet many."""
    dice, small = Random(seed), range(-2, 10)
    lines = dice.sample(
        [(order, line) for order in range(1, 6) for line in range(3)],
        dice.randint(0, 10),
    )
    return {
        "customers": _table(dice, 3, region=TEXTS, vip=(True, False)),
        "orders": _table(dice, 6, customer_id=range(1, 5), status=TEXTS, day=DAYS, amount=small),
        "items": [{**_row(dice, sku=TEXTS, qty=small), "order_id": order, "line": line} for order, line in lines],
        "returns": _table(dice, 6, order_id=range(1, 6), line=range(3), reason=TEXTS, refund=small),
        "tickets": _table(dice, 6, customer_id=range(1, 5), topic=TEXTS, minutes=small),
    }


shops = st.integers(0, 2**32).map(shop)


def _rising(pair: list[Value]) -> tuple[Value, ...]:
    return tuple(sorted(pair, key=lambda v: v.toordinal() if isinstance(v, date) else int(str(v))))


def _filters(member: str, type_: str) -> st.SearchStrategy[Condition]:
    values: dict[str, st.SearchStrategy[Value]] = {
        "string": texts,
        "number": numbers,
        "date": days,
        "boolean": st.booleans(),
    }
    one = values[type_].map(lambda v: (v,))
    two = st.lists(values[type_], min_size=1, max_size=2).map(tuple)
    extra: dict[str, tuple[Operator, ...]] = {
        "string": (
            "contains",
            "not_contains",
            "starts_with",
            "ends_with",
            "not_ends_with",
        ),
        "number": ("gt", "gte", "lt", "lte"),
        "date": ("gt", "gte", "lt", "lte"),
        "boolean": (),
    }
    single: tuple[Operator, ...] = ("equals", "not_equals", *extra[type_])
    many: tuple[Operator, ...] = ("in", "not_in")
    none: tuple[Operator, ...] = ("set", "not_set")
    kinds: list[st.SearchStrategy[Condition]] = [
        st.builds(Filter, st.just(member), st.sampled_from(single), one),
        st.builds(Filter, st.just(member), st.sampled_from(many), two),
        st.builds(Filter, st.just(member), st.sampled_from(none)),
    ]
    if type_ in ("number", "date"):
        pairs = st.lists(values[type_], min_size=2, max_size=2).map(_rising)
        ranges: tuple[Operator, ...] = ("in_range", "not_in_range")
        kinds.append(st.builds(Filter, st.just(member), st.sampled_from(ranges), pairs))
    return st.one_of(kinds)


dimension_filters = st.sampled_from(sorted(DIMENSIONS)).flatmap(lambda m: _filters(m, DIMENSIONS[m]))
measure_filters = st.sampled_from(("orders.count", "orders.total", "items.qty_total", "tickets.count")).flatmap(
    lambda m: _filters(m, "number")
)
trees: st.SearchStrategy[Condition] = st.recursive(
    dimension_filters,
    lambda inner: (
        st.lists(inner, min_size=1, max_size=2).map(tuple).flatmap(lambda of: st.sampled_from((All(of), AnyOf(of))))
    ),
    max_leaves=3,
)
groupings = st.sampled_from([*(By(m) for m in DIMENSIONS), By("orders.day", "month")])


@st.composite
def specs(draw: st.DrawFn) -> Spec:
    by: tuple[By, ...] = tuple(draw(st.lists(groupings, max_size=2, unique=True)))
    where = list(draw(st.lists(trees, max_size=2)))
    if draw(st.booleans()):
        having = draw(measure_filters)
        plain = [b.member for b in by if b.grain is None]
        mixed = draw(st.booleans())
        if plain and mixed:
            member = draw(st.sampled_from(plain))
            having = AnyOf((having, draw(_filters(member, DIMENSIONS[member]))))
        where.append(having)
    names: list[str] = [*MEASURES, *RATIOS]
    measures = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    return Spec(measures=tuple(measures), by=by, where=tuple(where))


def _same(ours: tuple[object, ...], theirs: tuple[object, ...]) -> bool:
    return all(
        math.isclose(a, b, rel_tol=1e-9) if isinstance(a, float) and isinstance(b, int | float) else a == b
        for a, b in zip(ours, theirs, strict=True)
    )


def in_order(rows: list[tuple[object, ...]], width: int) -> list[tuple[object, ...]]:
    return sorted(rows, key=lambda row: [(cell is None, str(cell)) for cell in row[:width]])


def check(data: Data, spec: Spec) -> None:
    result = compile_spec(SHOP, spec)
    assert not isinstance(result, tuple), result
    fill(CONNECTION, data)
    ours = in_order(rows_of(CONNECTION, result.sql, result.params), len(spec.by))
    theirs = in_order(answer(data, spec), len(spec.by))
    assert len(ours) == len(theirs), (ours, theirs)
    assert all(_same(a, b) for a, b in zip(ours, theirs, strict=True)), (ours, theirs)


# examples are not shrunk: their tables come from a seed, and shrinking would take longer than reading one
@settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=HEALTH,
)
@given(shops, specs())
def test_compiled_queries_give_what_counting_by_hand_gives(data: Data, spec: Spec) -> None:
    check(data, spec)


@pytest.mark.slow
@settings(
    max_examples=5_000,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=HEALTH,
)
@given(shops, specs())
def test_compiled_queries_give_what_counting_by_hand_gives_at_length(data: Data, spec: Spec) -> None:
    check(data, spec)


@pytest.mark.nightly
@settings(
    max_examples=100_000,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=HEALTH,
)
@given(shops, specs())
def test_compiled_queries_give_what_counting_by_hand_gives_for_a_night(data: Data, spec: Spec) -> None:
    check(data, spec)
