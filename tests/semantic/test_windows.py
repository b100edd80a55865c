"""Measures over windows: by the calendar, from the rows, and refused where the question has no such periods."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from backedge.semantic.model import Measure, MeasureType, Model, Topic, TopicFilter, View
from backedge.semantic.spec import AnyOf, By, Filter, Spec
from backedge.semantic.timed import Span, Window
from tests.semantic.asking import Rows, compiled, defect, rows, view

SALES = {
    "sales": """SELECT * FROM (VALUES (1, DATE '2024-01-05', 'a', 10), (2, DATE '2024-01-31', 'b', 20),
        (3, DATE '2024-03-01', 'a', 30), (4, DATE '2024-03-31', 'a', 40), (5, DATE '2024-07-01', 'b', 50),
        (6, NULL, 'a', 99)) t(id, day, kind, amount)"""
}
MONTHLY = By("sales.day", "month")


def sales(window: Window | None, type_: MeasureType = "sum", expr: str = "amount") -> Model:
    return Model((view("sales", "id:number day:date kind amount:number", Measure("m", type_, expr, window=window)),))


def by_month(window: Window, *where: Filter, type_: MeasureType = "sum", expr: str = "amount") -> Rows:
    found = rows(SALES, sales(window, type_, expr), Spec(("sales.m",), (MONTHLY,), where))
    return [(day.month, value) for day, value in found if isinstance(day, date)]


def test_a_gap_does_not_stretch_a_window() -> None:
    assert by_month(Window(trailing=2)) == [(1, 30), (2, 30), (3, 70), (4, 70), (7, 50)]
    assert by_month(Window(trailing=Span(months=2))) == by_month(Window(trailing=2))


def test_a_running_total_goes_on_through_periods_without_rows() -> None:
    assert by_month(Window(trailing="unbounded")) == [
        (1, 30),
        (2, 30),
        (3, 100),
        (4, 100),
        (5, 100),
        (6, 100),
        (7, 150),
    ]


def test_to_date_begins_anew_with_each_quarter() -> None:
    assert by_month(Window(to_date="quarter")) == [(1, 30), (2, 30), (3, 100), (7, 50)]


def test_a_window_may_lie_after_or_before_its_period() -> None:
    assert by_month(Window(leading="unbounded", offset="start"))[:2] == [(1, 150), (2, 120)]
    assert by_month(Window(trailing=Span(days=31), offset="start")) == [(2, 30), (3, 20), (4, 70), (5, 40)]


def test_averages_and_distinct_counts_are_taken_of_the_rows_of_the_window() -> None:
    assert by_month(Window(trailing=3), type_="average")[2] == (3, 25.0)
    assert by_month(Window(trailing=3), type_="count_distinct", expr="kind")[2] == (3, 2)
    assert by_month(Window(trailing=3), type_="median")[2] == (3, 25.0)


def test_a_range_bounds_the_periods_and_not_what_their_windows_see() -> None:
    spring = Filter("sales.day", "in_range", (date(2024, 3, 1), date(2024, 5, 1)))
    assert by_month(Window(trailing="unbounded"), spring) == [(3, 100), (4, 100)]
    assert by_month(Window(trailing=3), spring, Filter("sales.kind", "equals", ("b",))) == [(3, 20)]


def test_a_week_window_of_days_counts_seven_days() -> None:
    found = rows(SALES, sales(Window(trailing=Span(days=7)), "count", ""), Spec(("sales.m",), (By("sales.day"),)))
    assert found[:8] == [(date(2024, 1, d), 1) for d in range(5, 12)] + [(date(2024, 1, 31), 1)]


def test_a_ratio_in_a_window_divides_totals_of_the_window() -> None:
    view_ = view(
        "sales",
        "id:number day:date amount:number",
        Measure("total", "sum", "amount"),
        Measure("count", "count"),
        Measure("m", "ratio", numerator="total", denominator="count", window=Window(trailing=3)),
    )
    assert rows(SALES, Model((view_,)), Spec(("sales.m",), (MONTHLY,)))[2] == (date(2024, 3, 1), 25.0)


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        (Spec(("sales.m",)), "needs_time_grouping"),
        (Spec(("sales.m",), (By("sales.kind"),)), "needs_time_grouping"),
        (Spec(("sales.m",), (MONTHLY, By("sales.day", "year"))), "needs_time_grouping"),
        (Spec(("sales.m",), (MONTHLY,), (Filter("sales.day", "gte", ("2024-01-02",)),)), "unaligned_range"),
        (Spec(("sales.m",), (MONTHLY,), (Filter("sales.day", "lte", ("2024-01-30",)),)), "unaligned_range"),
        (Spec(("sales.m",), (MONTHLY,), (Filter("sales.day", "not_in", ("2024-01-01",)),)), "unaligned_range"),
        (
            Spec(
                ("sales.m",),
                (MONTHLY,),
                (AnyOf((Filter("sales.day", "gte", ("2024-01-01",)), Filter("sales.kind", "equals", ("a",)))),),
            ),
            "unaligned_range",
        ),
    ],
)
def test_a_window_without_whole_periods_is_refused(spec: Spec, kind: str) -> None:
    found = defect(sales(Window(trailing=2)), spec)
    assert (found.kind, bool(found.hint)) == (kind, True)
    assert "sales.m" in found.message


def test_to_date_of_a_grain_that_a_period_crosses_is_refused() -> None:
    weekly = Spec(("sales.m",), (By("sales.day", "week"),))
    assert defect(sales(Window(to_date="month")), weekly).kind == "unfit_grain"
    assert defect(sales(Window(trailing=Span(seconds=60))), weekly).kind == "unfit_grain"


def test_a_window_over_a_window_is_refused() -> None:
    inner = Measure("m", "sum", "amount", window=Window(trailing=2))
    outer = Measure("n", "number", "{{m}} * 2", window=Window(trailing=3))
    model = Model((view("sales", "day:date amount:number", inner, outer),))
    assert defect(model, Spec(("sales.n",), (MONTHLY,))).kind == "bad_expression"


def test_a_date_below_the_grain_of_a_window_is_refused() -> None:
    orders = view("orders", "id:number", Measure("m", "count", window=Window(trailing=2)), primary="order(id)")
    lines = view("lines", "order_id:number shipped:date", foreign="order(order_id)")
    assert defect(Model((orders, lines)), Spec(("orders.m",), (By("lines.shipped", "month"),))).kind == "mixed_levels"


def test_a_default_filter_holds_for_every_row_that_a_window_sees() -> None:
    topic = Topic("t", views=("sales",), default_filters=(TopicFilter("sales.day", "gte", ("2024-03-01",)),))
    model = Model(sales(Window(trailing="unbounded")).views, (topic,))
    assert rows(SALES, model, Spec(("sales.m",), (MONTHLY,)))[0] == (date(2024, 3, 1), 70)


def test_the_values_of_a_range_that_lost_its_place_are_not_sent() -> None:
    where = (Filter("sales.day", "gte", ("2024-03-01",)), Filter("sales.kind", "equals", ("a",)))
    result = compiled(sales(Window(trailing=2)), Spec(("sales.m",), (MONTHLY,), where))
    assert result.params == ("a", date(2024, 3, 1))


def test_a_window_may_be_filtered_and_ordered_by() -> None:
    having = Spec(("sales.m",), (MONTHLY,), (Filter("sales.m", "gt", (Decimal(60),)),))
    assert rows(SALES, sales(Window(trailing=2)), having) == [(date(2024, 3, 1), 70), (date(2024, 4, 1), 70)]


def test_the_view_of_a_window_may_have_no_key() -> None:
    plain = View(
        "sales",
        table="sales",
        dimensions=sales(None).views[0].dimensions,
        measures=(Measure("m", "count", window=Window(trailing=2)),),
    )
    assert rows(SALES, Model((plain,)), Spec(("sales.m",), (MONTHLY,)))[0] == (date(2024, 1, 1), 2)
