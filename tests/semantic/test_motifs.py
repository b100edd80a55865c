"""Motifs against the same columns worked out by hand: shares of true totals, periods of the calendar, never of rows."""

from __future__ import annotations

import sqlite3
import statistics
from dataclasses import replace
from datetime import date

import pytest

from backedge.semantic.explain import explain
from backedge.semantic.model import Measure, Model, Motif, MotifParam
from backedge.semantic.spec import By, Filter, Grain, Order, Spec, Value
from tests.semantic.asking import Rows, compiled, defect, rows, view

MONTHS = [(2023, 1), (2023, 2), (2023, 3), (2023, 5), (2023, 12), (2024, 1), (2024, 2), (2024, 5)]
SALES = view(
    "sales",
    "id:number shop day:date amount:number",
    Measure("total", "sum", "amount"),
    Measure("count", "count"),
    Measure("mean", "average", "amount"),
    Measure("shops", "count_distinct", "shop"),
    primary="sale(id)",
)
LINES = view("lines", "sale:number sku sold:date", Measure("lines", "count"), foreign="sale(sale)")
MODEL = Model((SALES, LINES))
SOLD = [
    (n, shop, date(year, month, 3), 10 * month + (5 if shop == "B" else 0) + (100 if year == 2024 else 0))
    for n, (year, month, shop) in enumerate([(y, m, s) for y, m in MONTHS for s in ("A", "B")], 1)
    if not (shop == "B" and (year, month) == (2023, 2))
]
VALUES = ", ".join(f"({n}, '{shop}', DATE '{day}', {amount})" for n, shop, day, amount in SOLD)
TABLES = {
    "sales": f"SELECT * FROM (VALUES {VALUES}, (90, 'A', NULL, 1000)) t(id, shop, day, amount)",
    "lines": "SELECT id AS sale, sku, day AS sold FROM sales, (VALUES ('x'), ('y')) t(sku)",
}
MONTHLY = (By("sales.day", "month"),)


def motif(name: str, *measures: str, by: tuple[By, ...] = (By("sales.shop"),), **params: Value) -> Spec:
    paths = tuple(f"sales.{m}" for m in measures or ("total",))
    return Spec(paths, by, motif=name, motif_params=tuple(params.items()))


def names(spec: Spec, model: Model = MODEL) -> list[str]:
    return [column.name for column in compiled(model, spec).columns]


def monthly(shop: str = "AB") -> dict[date, int]:
    found: dict[date, int] = {}
    for _, at, day, amount in SOLD:
        if at in shop:
            found[day.replace(day=1)] = found.get(day.replace(day=1), 0) + amount
    return found


def test_contribution_and_percent_of_total() -> None:
    total = sum(row[3] for row in SOLD) + 1000
    shops = {s: sum(row[3] for row in SOLD if row[1] == s) + (1000 if s == "A" else 0) for s in "AB"}
    assert rows(TABLES, MODEL, motif("contribution")) == [(s, v, total, v / total) for s, v in shops.items()]
    found = rows(TABLES, MODEL, motif("percent_of_total"))
    assert found == [(s, v, pytest.approx(100 * v / total)) for s, v in shops.items()]
    assert names(motif("contribution")) == ["shop", "total", "total_contribution", "share"]


def test_a_share_is_of_everything_and_not_of_the_rows_that_are_shown() -> None:
    spec = replace(motif("contribution", "count"), limit=1, order=(Order("share", True),))
    assert rows(TABLES, MODEL, spec) == [("A", 9, 16, 9 / 16)]
    spec = replace(spec, order=(Order("share"),))
    assert rows(TABLES, MODEL, spec) == [("B", 7, 16, 7 / 16)]
    spec = replace(motif("contribution", "count"), where=(Filter("sales.count", "lt", (9,)),))
    assert rows(TABLES, MODEL, spec) == [("B", 7, 16, 7 / 16)]


def test_a_share_over_groups_that_overlap_is_of_each_row_once() -> None:
    spec = Spec(("sales.total",), (By("lines.sku"),), motif="contribution")
    total = sum(row[3] for row in SOLD) + 1000
    assert rows(TABLES, MODEL, spec) == [(sku, total, total, 1.0) for sku in "xy"]


def test_a_share_of_distinct_counts_is_of_the_distinct_whole() -> None:
    assert rows(TABLES, MODEL, motif("contribution", "shops", by=MONTHLY))[1][1:] == (1, 2, 0.5)


@pytest.mark.parametrize("name", ["contribution", "percent_of_total", "cumulative"])
def test_what_does_not_add_up_has_no_share(name: str) -> None:
    found = defect(MODEL, motif(name, "mean", by=MONTHLY))
    assert (found.kind, found.where) == ("not_additive", "sales.mean")


def test_rank_leaves_rows_without_a_value_out() -> None:
    tables = {
        "sales": "SELECT * FROM (VALUES (1,'A',NULL,5), (2,'B',NULL,9), (3,'C',NULL,9), (4,'D',NULL,NULL)) "
        "t(id, shop, day, amount)"
    }
    assert rows(tables, MODEL, motif("rank")) == [("A", 5, 3), ("B", 9, 1), ("C", 9, 1), ("D", None, None)]


def earlier(day: date, months: int) -> date:
    index = day.year * 12 + day.month - 1 - months
    return date(index // 12, index % 12 + 1, 1)


@pytest.mark.parametrize(("name", "months"), [("yoy", 12), ("qoq", 3), ("mom", 1)])
def test_earlier_periods_are_those_of_the_calendar(name: str, months: int) -> None:
    values = monthly()
    right: Rows = []
    for day, value in values.items():
        before = values.get(earlier(day, months))
        right.append((day, value, before, None if before is None else pytest.approx((value - before) / before)))
    assert rows(TABLES, MODEL, motif(name, by=MONTHLY)) == [*right, (None, 1000, None, None)]


def test_each_series_is_compared_with_itself() -> None:
    by = (*MONTHLY, By("sales.shop"))
    right = {(day, shop): monthly(shop).get(earlier(day, 1)) for shop in "AB" for day in monthly(shop)}
    found = rows(TABLES, MODEL, motif("mom", by=by))
    assert {(day, shop): before for day, shop, _, before, _ in found if day} == right


@pytest.mark.parametrize(("name", "grain", "days"), [("wow", "week", 7), ("wow", "day", 7), ("dod", "day", 1)])
def test_weeks_and_days_before(name: str, grain: Grain, days: int) -> None:
    tables = {
        "sales": "SELECT i AS id, 'A' AS shop, DATE '2024-01-01' + CAST(i * 7 AS INTEGER) AS day, i AS amount "
        "FROM range(4) t(i) WHERE i <> 2 UNION ALL SELECT 9, 'A', DATE '2024-01-02', 50"
    }
    found = rows(tables, MODEL, motif(name, by=(By("sales.day", grain),)))
    values = {day: value for day, value, *_ in found}
    assert len(values) == len(found)
    for day, _, before, _ in found:
        assert isinstance(day, date)
        assert before == values.get(date.fromordinal(day.toordinal() - days))


def test_a_day_that_the_year_before_lacks_has_no_earlier_value() -> None:
    tables = {
        "sales": "SELECT * FROM (VALUES (1, 'A', DATE '2023-02-28', 1), (2, 'A', DATE '2024-02-28', 2), "
        "(3, 'A', DATE '2024-02-29', 4)) t(id, shop, day, amount)"
    }
    found = rows(tables, MODEL, motif("yoy", by=(By("sales.day", "day"),)))
    assert [row[2] for row in found] == [None, 1, None]


@pytest.mark.parametrize(
    ("name", "grain"), [("yoy", "week"), ("mom", "year"), ("mom", "quarter"), ("dod", "month"), ("wow", "month")]
)
def test_a_period_that_is_no_whole_number_of_rows_is_refused(name: str, grain: Grain) -> None:
    assert defect(MODEL, motif(name, by=(By("sales.day", grain),))).kind == "unfit_grain"


def test_a_filter_on_the_time_says_what_it_leaves_out() -> None:
    spec = replace(motif("yoy", by=MONTHLY), where=(Filter("sales.day", "gte", ("2024-01-01",)),))
    assert rows(TABLES, MODEL, spec)[0][2] is None
    assert any("leaves out" in note for note in compiled(MODEL, spec).notes)


def test_moving_average_goes_by_the_calendar() -> None:
    values = monthly()
    found = rows(TABLES, MODEL, motif("moving_average", by=MONTHLY, window=2))
    for day, _, mean in found[:-1]:
        assert isinstance(day, date)
        inside = [values[d] for d in (earlier(day, n) for n in range(3)) if d in values]
        assert mean == pytest.approx(statistics.mean(inside))
    assert found[-1] == (None, 1000, None)
    assert "by the calendar" in compiled(MODEL, motif("moving_average", by=MONTHLY)).notes[0]


def test_cumulative_is_of_each_series_and_leaves_the_undated_out() -> None:
    found = rows(TABLES, MODEL, motif("cumulative", by=(*MONTHLY, By("sales.shop"))))
    running = {"A": 0, "B": 0}
    for day, shop, value, total in found:
        assert isinstance(value, int)
        running[str(shop)] += value
        assert total == (running[str(shop)] if day else None)


def test_cumulative_over_a_time_below_the_grain_is_refused() -> None:
    spec = Spec(("sales.total",), (By("lines.sold", "month"),), motif="cumulative")
    assert defect(MODEL, spec).kind == "mixed_levels"
    assert defect(MODEL, replace(spec, motif="rank", grain="broadcast")).kind == "mixed_levels"


def test_trend_counts_the_months_without_rows() -> None:
    values = monthly()
    first = min(values)
    xs = [(d.year - first.year) * 12 + d.month - first.month + 1 for d in values]
    slope, start = statistics.linear_regression(xs, list(values.values()))
    spec = replace(motif("trend", by=MONTHLY), where=(Filter("sales.day", "set"),))
    found = rows(TABLES, MODEL, spec)
    right = [
        (d, v, x, pytest.approx(slope), pytest.approx(start), pytest.approx(start + slope * x))
        for (d, v), x in zip(values.items(), xs, strict=True)
    ]
    assert found == right


@pytest.mark.parametrize(("grain", "step"), [("day", 1), ("week", 7), ("year", 365)])
def test_trend_of_a_straight_line_in_any_grain(grain: Grain, step: int) -> None:
    days = [date(2023, 1, 2), date(2023, 1, 2 + step)] if step < 30 else [date(2023, 1, 1), date(2024, 1, 1)]
    values = ", ".join(f"({n}, 'A', DATE '{day}', {10 + 5 * n})" for n, day in enumerate(days))
    tables = {"sales": f"SELECT * FROM (VALUES {values}) t(id, shop, day, amount)"}
    found = rows(tables, MODEL, motif("trend", by=(By("sales.day", grain),)))
    assert [(row[2], row[3], row[5]) for row in found] == [(1, 5, 10), (2, 5, 15)]


def test_anomaly_is_the_distance_in_standard_deviations() -> None:
    values = [*monthly().values(), 1000]
    mean, spread = statistics.mean(values), statistics.pstdev(values)
    found = rows(TABLES, MODEL, motif("anomaly", by=MONTHLY, threshold=1.5))
    for _, value, _, _, score, flag in found:
        assert isinstance(value, int)
        assert score == pytest.approx((value - mean) / spread)
        assert flag == (abs(value - mean) / spread > 1.5)


def test_many_measures_have_columns_of_their_own() -> None:
    spec = motif("rank", "total", "count")
    assert names(spec) == ["shop", "total", "count", "total__rank", "count__rank"]
    assert rows(TABLES, MODEL, spec)[0][3:] == (1, 1)
    assert names(motif("rank", "total", "count", measure="sales.count"))[3:] == ["count__rank"]
    both = [c for c in names(motif("anomaly", "total", "count")) if "z_score" in c]
    assert both == ["total__z_score", "count__z_score"]


RATIO = Motif(
    "per",
    (MotifParam("top", "measure"), MotifParam("bottom", "measure"), MotifParam("factor", "number", default=1)),
    (("per", "{{ factor }} * CAST({{ top }} AS DOUBLE) / NULLIF({{bottom}}, 0)"),),
)
INDEX = Motif(
    "index",
    (MotifParam("measure", "measure"), MotifParam("time", "dimension", temporal=True)),
    (("index_value", "{{ measure }} * 100.0 / NULLIF(FIRST_VALUE({{ measure }}) OVER (ORDER BY {{ time }}), 0)"),),
)
OWN = replace(MODEL, motifs=(RATIO, INDEX))


def test_a_motif_of_a_file_over_two_measures() -> None:
    spec = motif("per", "total", "count", top="sales.total", bottom="count", factor=2)
    found = rows(TABLES, OWN, spec)
    assert [row[3] for row in found] == [pytest.approx(2 * float(str(row[1])) / int(str(row[2]))) for row in found]
    assert names(spec, OWN)[-1] == "per"


def test_a_motif_of_a_file_along_time_is_of_one_series() -> None:
    spec = replace(motif("index", by=MONTHLY), where=(Filter("sales.day", "set"),))
    found = rows(TABLES, OWN, spec)
    assert found[1][2] == pytest.approx(100 * 20 / 25)
    assert any("not periods" in note for note in compiled(OWN, spec).notes)
    found_defect = defect(OWN, motif("index", by=(*MONTHLY, By("sales.shop"))))
    assert "one series of time" in found_defect.message


@pytest.mark.parametrize(
    ("expr", "said"),
    [
        ("(SELECT 1)", "it holds"),
        ("amount", "no parameter"),
        ("read_text({{measure}})", "it holds"),
        ("{{nope}}", "no parameter"),
        ("SUM({{measure}})", "SUM({{measure}}) aggregates all rows"),
        ("{{measure}}, 1", "not one expression"),
        ("'{{measure}}'", "inside quotes"),
        ("{{measure}} FROM sales", "not one expression"),
        ("$1 + {{measure}}", "it holds"),
    ],
)
def test_an_expression_of_a_motif_reads_its_parameters_alone(expr: str, said: str) -> None:
    model = replace(MODEL, motifs=(Motif("m", (MotifParam("measure", "measure"),), (("out", expr),)),))
    found = defect(model, motif("m"))
    assert found.kind == "bad_expression"
    assert said in found.message


@pytest.mark.parametrize(
    ("spec", "kind"),
    [
        (motif("contributoin"), "unknown_motif"),
        (motif("rank", size=3), "unknown_parameter"),
        (motif("yoy"), "missing_parameter"),
        (motif("yoy", by=(By("sales.day", "month"), By("sales.day", "year"))), "missing_parameter"),
        (motif("rank", measure="sales.cost"), "bad_value"),
        (motif("moving_average", by=MONTHLY, window=0), "bad_value"),
        (motif("anomaly", threshold="high"), "bad_value"),
        (motif("per"), "missing_parameter"),
        (Spec(by=(By("sales.shop"),), motif="rank"), "missing_parameter"),
    ],
)
def test_what_a_motif_cannot_do_is_refused(spec: Spec, kind: str) -> None:
    found = defect(OWN, spec)
    assert found.kind == kind
    assert found.hint


def test_values_of_filters_and_totals_are_bound_in_order() -> None:
    spec = replace(
        motif("contribution", "count"), where=(Filter("sales.amount", "gt", (20,)), Filter("sales.count", "gt", (1,)))
    )
    result = compiled(MODEL, spec)
    assert sorted(map(str, result.params)) == ["1", "20", "20"]
    found = rows(TABLES, MODEL, spec)
    assert [row[2] for row in found] == [sum(1 for row in SOLD if row[3] > 20) + 1] * len(found)


def test_a_motif_is_explained() -> None:
    text = explain(MODEL, motif("rank"))
    assert "motif: rank" in text
    assert "motif column rank of sales.total.rank" in text


@pytest.mark.parametrize(
    "name", ["yoy", "mom", "moving_average", "cumulative", "rank", "contribution", "percent_of_total"]
)
def test_sqlite_gives_the_same(name: str) -> None:
    spec = motif(name, by=MONTHLY)
    right = rows(TABLES, MODEL, spec)
    result = compiled(MODEL, spec, "sqlite")
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE sales (id INTEGER, shop TEXT, day TEXT, amount INTEGER)")
    connection.executemany("INSERT INTO sales VALUES (?, ?, ?, ?)", [(n, s, str(d), a) for n, s, d, a in SOLD])
    connection.execute("INSERT INTO sales VALUES (90, 'A', NULL, 1000)")
    found = connection.execute(result.sql, {str(i): v for i, v in enumerate(result.params, 1)}).fetchall()
    connection.close()
    assert sorted(map(repr, found)) == sorted(
        repr((None if row[0] is None else str(row[0]), *(float(x) if isinstance(x, float) else x for x in row[1:])))
        for row in right
    )


@pytest.mark.parametrize("name", ["trend", "anomaly"])
def test_sqlite_has_no_statistics(name: str) -> None:
    assert defect(MODEL, motif(name, by=MONTHLY), "sqlite").kind == "not_supported"
