"""Values of earlier periods: by the calendar, missing where the period is missing, and refused where none is meant."""

from __future__ import annotations

from datetime import date

import pytest

from backedge.semantic.model import Dimension, Measure, Model
from backedge.semantic.spec import By, Comparison, Filter, Grain, Order, Spec
from backedge.semantic.timed import NonAdditive, Shift, Span
from tests.semantic.asking import Rows, compiled, defect, rows, view

TABLES = {
    "sales": """SELECT * FROM (VALUES (1, DATE '2023-02-10', 'a', 5), (2, DATE '2024-01-10', 'a', 10),
        (3, DATE '2024-02-29', 'b', 20), (4, DATE '2024-03-31', 'a', 40), (5, DATE '2024-05-01', 'a', 60))
        t(id, day, kind, amount)"""
}
MODEL = Model(
    (
        view(
            "sales",
            "id:number day:date kind amount:number",
            Measure("total", "sum", "amount"),
            Measure("count", "count"),
            Measure("latest", "max", "day"),
            Measure("stock", "sum", "amount", non_additive=NonAdditive("day")),
            Measure("month_ago", "custom", shift=Shift("total", Span(months=1))),
            Measure("two_ago", "custom", shift=Shift("month_ago", Span(months=1))),
            Measure("next_month", "custom", shift=Shift("sales.total", Span(months=-1))),
            Measure("growth", "number", "{{total}} - {{month_ago}}"),
            Measure("mixed", "custom", shift=Shift("month_ago", Span(days=7))),
            primary="sale(id)",
        ),
    )
)
MONTHLY = By("sales.day", "month")
OF_2024 = Filter("sales.day", "in_range", (date(2024, 1, 1), date(2024, 6, 1)))


def ask(measure: str, *by: By, compare: Comparison | None = None, where: tuple[Filter, ...] = (OF_2024,)) -> Rows:
    return rows(TABLES, MODEL, Spec((f"sales.{measure}",), by or (MONTHLY,), where, compare=compare))


def test_an_earlier_period_is_found_by_the_calendar_and_not_by_the_row_before() -> None:
    assert ask("month_ago") == [(date(2024, 2, 1), 10), (date(2024, 3, 1), 20), (date(2024, 4, 1), 40)]
    assert ask("next_month") == [(date(2024, 1, 1), 20), (date(2024, 2, 1), 40), (date(2024, 4, 1), 60)]
    assert ask("two_ago") == [(date(2024, m, 1), v) for m, v in ((3, 10), (4, 20), (5, 40))]


def test_the_last_day_of_a_longer_month_is_seen_from_the_next() -> None:
    assert ask("month_ago")[-1] == (date(2024, 4, 1), 40)


def test_a_day_that_the_month_before_does_not_have_sees_nothing() -> None:
    found = ask("month_ago", By("sales.day", "day"))
    assert found == [(date(2024, 2, 10), 10), (date(2024, 3, 29), 20)]


def test_a_comparison_gives_value_previous_change_and_percent() -> None:
    found = ask("total", compare=Comparison())
    jan, feb, mar, apr, may = (date(2024, m, 1) for m in range(1, 6))
    assert found == [
        (jan, 10, None, None, None),
        (feb, 20, 10, 10, 100.0),
        (mar, 40, 20, 20, 100.0),
        (apr, None, 40, None, None),
        (may, 60, None, None, None),
    ]


def test_a_count_of_nothing_changes_from_and_to_zero() -> None:
    found = ask("count", compare=Comparison())
    assert found[3:] == [(date(2024, 4, 1), 0, 1, -1, -100.0), (date(2024, 5, 1), 1, 0, 1, None)]


def test_a_percentage_of_what_was_less_than_nothing_has_no_meaning() -> None:
    table = "(VALUES (1, DATE '2024-01-10', 'a', -5), (2, DATE '2024-02-10', 'a', 5)) t(id, day, kind, amount)"
    losses = {"sales": f"SELECT * FROM {table}"}
    found = rows(losses, MODEL, Spec(("sales.total",), (MONTHLY,), compare=Comparison()))
    assert found[1] == (date(2024, 2, 1), 5, -5, 10, None)


def test_a_year_before_is_seen_though_the_range_leaves_it_out() -> None:
    found = ask("total", compare=Comparison("previous_year"))
    assert found[1] == (date(2024, 2, 1), 20, 5, 15, 300.0)


def test_columns_of_a_comparison_are_named_and_can_be_ordered_by() -> None:
    by_change = (Order("sales.total.change", desc=True),)
    spec = Spec(("sales.total",), (MONTHLY,), (OF_2024,), order=by_change, limit=1, compare=Comparison())
    assert [c.name for c in compiled(MODEL, spec).columns] == [
        *("day_month", "total", "total_previous", "total_change", "total_change_percent")
    ]
    assert rows(TABLES, MODEL, spec)[0][:2] == (date(2024, 3, 1), 40)


def test_a_range_is_compared_with_the_range_of_the_same_length_before_it() -> None:
    def total(start: date, end: date, compare: Comparison) -> Rows:
        where = (Filter("sales.day", "in_range", (start, end)),)
        return rows(TABLES, MODEL, Spec(("sales.total",), (), where, compare=compare))

    quarter = date(2024, 1, 1), date(2024, 4, 1)
    assert total(*quarter, Comparison())[0][:2] == (70, None)
    assert total(*quarter, Comparison("previous_year"))[0][:2] == (70, 5)
    assert total(date(2024, 3, 1), date(2024, 4, 1), Comparison())[0][:2] == (40, 20)
    assert total(date(2024, 3, 25), date(2024, 4, 4), Comparison(n=1, grain="month"))[0][:2] == (40, 20)
    assert total(date(2024, 2, 29), date(2024, 3, 10), Comparison())[0][:2] == (20, None)


def test_groups_that_were_there_before_are_shown_too() -> None:
    where = (Filter("sales.day", "in_range", (date(2024, 3, 1), date(2024, 4, 1))),)
    found = rows(TABLES, MODEL, Spec(("sales.total",), (By("sales.kind"),), where, compare=Comparison()))
    assert found == [("a", 40, None, None, None), ("b", None, 20, None, None)]


def test_a_stock_is_compared_with_the_last_of_the_period_before() -> None:
    assert ask("stock", compare=Comparison())[2][:3] == (date(2024, 3, 1), 40, 20)


def test_a_derived_measure_may_hold_an_earlier_value() -> None:
    assert ask("growth")[:3] == [(date(2024, 1, 1), None), (date(2024, 2, 1), 10), (date(2024, 3, 1), 20)]


@pytest.mark.parametrize(("grain", "by"), [("week", "month_ago"), ("quarter", "month_ago"), ("year", "month_ago")])
def test_a_shift_that_is_no_whole_number_of_periods_is_refused(grain: Grain, by: str) -> None:
    assert defect(MODEL, Spec((f"sales.{by}",), (By("sales.day", grain),))).kind == "unfit_grain"


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        (Spec(("sales.month_ago",)), "needs_time_grouping"),
        (Spec(("sales.total",), compare=Comparison()), "needs_time_grouping"),
        (
            Spec(("sales.total",), (), (Filter("sales.day", "gte", ("2024-01-01",)),), compare=Comparison()),
            "needs_time_grouping",
        ),
        (Spec(("sales.latest",), (MONTHLY,), compare=Comparison()), "type_mismatch"),
        (Spec((), (MONTHLY,), compare=Comparison()), "bad_value"),
        (Spec(("sales.total",), (MONTHLY,), compare=Comparison(n=0)), "bad_value"),
        (Spec(("sales.total",), (MONTHLY,), compare=Comparison("previous_year", grain="day")), "bad_value"),
        (
            Spec(("sales.total",), (MONTHLY,), (Filter("sales.day", "gte", ("2024-01-15",)),), compare=Comparison()),
            "unaligned_range",
        ),
        (Spec(("sales.mixed",), (By("sales.day", "day"),)), "bad_expression"),
    ],
)
def test_a_comparison_without_two_periods_is_refused(spec: Spec, kind: str) -> None:
    assert defect(MODEL, spec).kind == kind


def test_two_ranges_without_a_grouping_are_refused() -> None:
    both = view("v", "x:date y:date", Measure("n", "count"), extra=(Dimension("k", "string", "k"),))
    ranges = tuple(Filter(f"v.{d}", "in_range", ("2024-01-01", "2024-02-01")) for d in ("x", "y"))
    found = defect(Model((both,)), Spec(("v.n",), (), ranges, compare=Comparison()))
    assert (found.kind, "v.x and v.y" in found.message) == ("needs_time_grouping", True)


def test_a_grouping_by_a_moment_without_a_grain_is_refused() -> None:
    model = Model((view("v", "at:datetime", Measure("n", "count")),))
    where = (Filter("v.at", "in_range", ("2024-01-01", "2024-02-01")),)
    assert defect(model, Spec(("v.n",), (By("v.at"),), where, compare=Comparison())).kind == "needs_time_grouping"
