"""Results are compared by their values: what may differ (names, column order, ties) does not count, all else does."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal

import pytest

from backedge.ask.sameness import Row, Wanted, difference

BY_CHANNEL: tuple[Row, ...] = (("web", 3), ("app", 2), ("store", 2), ("phone", 1))


def same(wanted: Wanted, *got: Row) -> bool:
    return difference(wanted, got) == ""


def cells(a: object, b: object, tolerance: str = "0") -> bool:
    return same(Wanted(((a,),), tolerance=Decimal(tolerance)), (b,))  # type: ignore[arg-type]  # any cell


def test_rows_and_columns_may_come_in_any_order() -> None:
    wanted = Wanted(BY_CHANNEL)
    assert same(wanted, *reversed(BY_CHANNEL))
    assert same(wanted, *[(number, name) for name, number in BY_CHANNEL])


@pytest.mark.parametrize(
    "got",
    [
        BY_CHANNEL[:3],
        (*BY_CHANNEL, ("fax", 0)),
        (("web", 3), ("app", 2), ("store", 1), ("phone", 2)),
        (("web", 3), ("app", 2), ("store", 2), ("store", 2)),
        tuple((name, number, 1) for name, number in BY_CHANNEL),
        tuple((name,) for name, _ in BY_CHANNEL),
    ],
    ids=["missing row", "row too many", "values swapped", "row twice", "column too many", "column missing"],
)
def test_other_rows_are_another_result(got: tuple[Row, ...]) -> None:
    assert difference(Wanted(BY_CHANNEL), got)


def test_columns_with_the_same_values_are_set_against_each_other_by_whole_rows() -> None:
    wanted = Wanted((("a", 1, 2), ("b", 2, 1)))
    assert same(wanted, ("b", 1, 2), ("a", 2, 1))
    assert not same(wanted, ("a", 1, 1), ("b", 2, 2))


def test_one_column_cannot_stand_for_two() -> None:
    assert not same(Wanted(((1, 1), (2, 2))), (1, 5), (2, 6))


def test_numbers_are_exact_unless_one_is_a_double() -> None:
    assert cells(Decimal("1.10"), Decimal("1.1"))
    assert cells(2, Decimal("2.00"))
    assert not cells(Decimal("1.10"), Decimal("1.1000000001"))
    assert not cells(10**15, 10**15 + 1)
    assert cells(1e9, 1e9 + 0.5)
    assert not cells(1e9, 1e9 + 5)
    assert not cells(0.0, 1e-12)
    assert cells(Decimal("0.3"), 0.1 + 0.2)
    assert cells(math.nan, math.nan)
    assert not cells(math.nan, 1.0)
    assert cells(math.inf, math.inf)


def test_only_a_stated_tolerance_forgives_rounding() -> None:
    assert not cells(Decimal("4.666"), Decimal("4.67"))
    assert cells(Decimal("4.666"), Decimal("4.67"), "0.005")
    assert not cells(Decimal("4.666"), Decimal("4.68"), "0.005")
    assert cells(4.666, 4.67, "0.005")


def test_null_equals_null_alone_and_true_is_not_one() -> None:
    assert cells(None, None)
    assert not cells(None, 0)
    assert not cells(None, "")
    assert not cells(True, 1)
    assert not cells("1", 1)


def test_a_midnight_is_its_day_and_a_written_date_the_date() -> None:
    assert cells(date(2025, 1, 1), datetime(2025, 1, 1))
    assert not cells(date(2025, 1, 1), datetime(2025, 1, 1, 1))
    assert cells("2025-01-01", date(2025, 1, 1))


def test_an_empty_result_equals_an_empty_one_alone() -> None:
    assert same(Wanted(()))
    assert difference(Wanted(()), [("a", 1)]) == "1 row, not 0"
    assert difference(Wanted((("a", 1),)), []) == "0 rows, not 1"


def test_doubles_find_their_row_whatever_order_noise_gives_them() -> None:
    wanted = Wanted((("a", 1.0), ("b", 1.0 + 1e-12), ("a", 2.0)))
    assert same(wanted, ("b", 1.0), ("a", 2.0), ("a", 1.0 + 1e-12))
    assert not same(wanted, ("b", 2.0), ("a", 1.0), ("a", 1.0))
    assert not same(Wanted((("a", 1.0), ("a", 2.0))), ("a", 1.0), ("a", 1.0))


RANKED = Wanted(BY_CHANNEL, ordered=True, keys=(1,))


def test_an_order_counts_where_it_is_wanted_and_ties_may_change_places() -> None:
    web, app, store, phone = BY_CHANNEL
    assert same(RANKED, web, store, app, phone)
    assert difference(RANKED, [app, web, store, phone]) == "the right rows in a wrong order"
    assert difference(RANKED, [("app", 3), ("web", 2), store, phone]) == "other values"
    exact = Wanted(BY_CHANNEL, ordered=True)
    assert same(exact, *BY_CHANNEL)
    assert not same(exact, web, store, app, phone)


def test_a_tie_at_the_cut_may_be_cut_either_way() -> None:
    web, app, store, phone = BY_CHANNEL
    top = Wanted(BY_CHANNEL, ordered=True, keys=(1,), limit=2)
    assert same(top, web, app)
    assert same(top, web, store)
    assert not same(top, web, phone)
    assert not same(top, app, store)
    assert not same(top, web, app, store)
    assert not same(top, web, web)
    assert same(Wanted(BY_CHANNEL[:1], ordered=True, keys=(1,), limit=5), web)
