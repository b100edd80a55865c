"""A top N that cuts through a tie: whether the next row is looked at, and what counts as the same value."""

from __future__ import annotations

from decimal import Decimal

import pytest

from backedge.ask.ties import after_the_cut, ties
from backedge.query.table import Cell, Kind
from backedge.semantic.spec import By, Order, Spec
from tests.ask.results import BY_STORE, stores, table

TOP_2 = Spec(("v.total_sales",), (By("v.store_id"),), order=(Order("v.total_sales", True),), limit=2)
TWO = stores([(1, Decimal(5)), (2, Decimal(4))])


def test_the_one_row_behind_the_cut_is_asked_for() -> None:
    probe = after_the_cut(TOP_2, TWO)
    assert probe is not None
    assert (probe.spec.limit, probe.spec.offset, probe.spec.order) == (1, 2, TOP_2.order)


@pytest.mark.parametrize(
    "spec",
    [
        Spec(TOP_2.measures, TOP_2.by, order=TOP_2.order),
        Spec(TOP_2.measures, TOP_2.by, limit=2),
        Spec(TOP_2.measures, TOP_2.by, order=(Order("v.store_id"),), limit=2),
        Spec(TOP_2.measures, TOP_2.by, order=TOP_2.order, limit=3),
    ],
)
def test_without_a_ranking_that_cuts_nothing_is_asked(spec: Spec) -> None:
    assert after_the_cut(spec, TWO) is None


@pytest.mark.parametrize(
    ("last", "behind", "tied"),
    [
        (Decimal(4), Decimal("4.0"), True),
        (Decimal(4), Decimal("3.99"), False),
        (0.1 + 0.2, 0.3, True),
        (0.3, 0.3001, False),
        (None, None, True),
        (None, Decimal(0), False),
    ],
)
def test_a_tie_is_the_same_value(last: Cell, behind: Cell, tied: bool) -> None:
    kinds: dict[str, Kind] = {"store_id": "integer", "total_sales": "double" if isinstance(last, float) else "decimal"}
    shown = table(kinds, [(1, 9), (2, last)])
    assert ties(TOP_2, BY_STORE, shown, table(kinds, [(3, behind)])) is tied
    assert not ties(TOP_2, BY_STORE, shown, table(kinds, []))
