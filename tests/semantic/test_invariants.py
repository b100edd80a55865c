"""What never changes a value, whatever is asked of whatever data: order, a filter that is always true, a breakdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import AnyOf, By, Filter, Spec
from tests.semantic.oracle import MEASURES
from tests.semantic.shop import SHOP, Data, fill, rows_of
from tests.semantic.test_oracle import CONNECTION, DIMENSIONS, groupings, in_order, shops, specs, trees
from tests.semantic.test_shapes_oracle import _settings, above

ADDITIVE = (
    *("customers.count", "orders.count", "orders.total", "orders.open_count", "orders.open_total"),
    *("orders.ordered_qty", "items.count", "items.qty_total", "items.rows"),
    *("returns.count", "returns.refunds", "tickets.count"),
)


def found(spec: Spec) -> list[tuple[object, ...]]:
    result = compile_spec(SHOP, spec)
    assert not isinstance(result, tuple), result
    return rows_of(CONNECTION, result.sql, result.params)


def table(spec: Spec) -> list[tuple[object, ...]]:
    """The rows with their cells in the order of the members' names."""
    names = [*(by.name for by in spec.by), *spec.measures]
    places = sorted(range(len(names)), key=names.__getitem__)
    return in_order([tuple(row[i] for i in places) for row in found(spec)], len(names))


def check_order(data: Data, spec: Spec) -> None:
    fill(CONNECTION, data)
    turned = Spec(spec.measures[::-1], spec.by[::-1], spec.where[::-1])
    assert table(turned) == table(spec)


def check_always_true(data: Data, spec: Spec, member: str) -> None:
    fill(CONNECTION, data)
    always = AnyOf((Filter(member, "set"), Filter(member, "not_set")))
    assert table(Spec(spec.measures, spec.by, (*spec.where, always))) == table(spec)


def check_breakdown(data: Data, asked: tuple[Spec, By]) -> None:
    spec, by = asked
    fill(CONNECTION, data)
    ((total,),) = found(spec)
    parts = [row[1] for row in found(Spec(spec.measures, (by,), spec.where))]
    assert sum(part for part in parts if isinstance(part, int)) == (total or 0)


@st.composite
def broken_down(draw: st.DrawFn) -> tuple[Spec, By]:
    """A total, and a grouping of which each of its rows has one value."""
    measure = draw(st.sampled_from(ADDITIVE))
    held = above(MEASURES[measure][0])
    by = draw(groupings.filter(lambda by: by.member.split(".")[0] in held))
    return Spec((measure,), (), tuple(draw(st.lists(trees, max_size=2)))), by


members = st.sampled_from(sorted(DIMENSIONS))


@pytest.mark.slow
@_settings(25)
@given(shops, specs())
def test_the_order_of_what_is_asked_changes_no_value(data: Data, spec: Spec) -> None:
    check_order(data, spec)


@_settings(25)
@given(shops, specs(), members)
def test_a_filter_that_is_always_true_changes_no_value(data: Data, spec: Spec, member: str) -> None:
    check_always_true(data, spec, member)


@_settings(25)
@given(shops, broken_down())
def test_a_total_is_the_sum_of_its_additive_breakdown(data: Data, asked: tuple[Spec, By]) -> None:
    check_breakdown(data, asked)


@pytest.mark.slow
@_settings(1_000)
@given(shops, specs(), members, broken_down())
def test_what_changes_no_value_at_length(data: Data, spec: Spec, member: str, asked: tuple[Spec, By]) -> None:
    check_order(data, spec)
    check_always_true(data, spec, member)
    check_breakdown(data, asked)
