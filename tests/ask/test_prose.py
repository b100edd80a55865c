"""The answer's sentence: one template per shape, exact numbers, honest about gaps, ties, rounding and cuts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backedge.ask.figures import figures_resolve
from backedge.ask.intent import Intent
from backedge.ask.prose import write
from backedge.query.table import Cell, Column, Kind, Table
from backedge.semantic.spec import All, AnyOf, Condition, Filter, OutputColumn
from tests.ask.results import (
    BY_MONTH,
    BY_REGION,
    BY_STORE,
    MONTH,
    REGION,
    SALES,
    STORE,
    cents,
    group,
    intent,
    measure,
    months,
    regions,
    stores,
    table,
    told,
)

IN_2011 = Filter("v.week_date", "in_range", ("2011-01-01", "2012-01-01"))
TOP_5 = cents("301397792.46", "299543953.38", "288999911.34", "286517703.80", "275382440.98")


def test_one_number_says_measure_period_and_exact_value() -> None:
    result = table({"total_sales": "decimal"}, [cents("2448200007.35")])
    assert told(intent(IN_2011), (SALES,), result) == "Total sales in 2011 come to 2,448,200,007.35."


def test_a_decimal_keeps_all_its_digits_and_its_zeros() -> None:
    result = table({"total_sales": "decimal"}, [cents("12345678901234567890123456789.1230")])
    assert told(intent(), (SALES,), result) == "Total sales come to 12,345,678,901,234,567,890,123,456,789.1230."


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        (measure("order_count", "count"), "Order count is 45."),
        (measure("orders", "count"), "Orders come to 45."),
        (measure("total_sales"), "Total sales come to 45."),
        (measure("number_of_stores", "count_distinct"), "Number of stores is 45."),
    ],
)
def test_the_verb_agrees_with_the_measure(column: OutputColumn, sentence: str) -> None:
    assert told(intent(), (column,), table({column.name: "integer"}, [(45,)])) == sentence


def test_a_null_number_has_no_value_and_is_never_zero() -> None:
    assert told(intent(), (SALES,), table({"total_sales": "decimal"}, [(None,)])) == "Total sales have no value."


def test_the_defaults_of_a_topic_are_said() -> None:
    result = table({"total_sales": "decimal"}, [cents("5.00")])
    text = told(intent(), (SALES,), result, ("v.x = 1", "topic sales: year is 2011"))
    assert text == "Total sales (topic sales: year is 2011) come to 5.00."


def test_several_measures_of_one_row_each_have_a_clause_and_share_the_period() -> None:
    columns = (SALES, measure("average_temperature", "average"))
    result = table({"total_sales": "decimal", "average_temperature": "double"}, [(Decimal("5.00"), 60.6637)])
    assert told(intent(IN_2011), columns, result) == (
        "Total sales come to 5.00; average temperature is 60.66; both in 2011. Values are rounded."
    )


def test_a_short_ranking_names_every_group() -> None:
    result = stores(zip((20, 4, 14, 13, 2), TOP_5, strict=True))
    assert told(intent(limit=5, desc=True), BY_STORE, result) == (
        "Total sales by store, top 5: store 20 with 301,397,792.46; store 4 with 299,543,953.38; "
        "store 14 with 288,999,911.34; store 13 with 286,517,703.80; store 2 with 275,382,440.98."
    )


def test_the_one_best_group_is_named_first() -> None:
    result = stores([(20, TOP_5[0])])
    assert told(intent(IN_2011, limit=1, desc=True), BY_STORE, result) == (
        "Store 20 has the highest total sales in 2011, 301,397,792.46."
    )
    assert told(intent(limit=1, desc=False), BY_STORE, result).startswith("Store 20 has the lowest total sales, ")


def test_a_long_grouping_says_how_many_groups_and_its_extremes_whatever_its_order() -> None:
    result = stores((store, Decimal(store * 37 % 45)) for store in range(1, 46))
    assert told(intent(), BY_STORE, result) == (
        "Total sales by store (45 stores): highest is store 17 with 44; lowest is store 45 with 0."
    )


def test_a_limit_makes_only_the_cut_end_an_extreme_of_these() -> None:
    top = stores((store, Decimal(100 - store)) for store in range(10))
    assert told(intent(limit=10, desc=True), BY_STORE, top).endswith(
        "(10 stores): highest is store 0 with 100; lowest of these is store 9 with 91."
    )
    bottom = stores((store, Decimal(store)) for store in range(10))
    assert told(intent(limit=10, desc=False), BY_STORE, bottom).endswith(
        "bottom 10 (10 stores): lowest is store 0 with 0; highest of these is store 9 with 9."
    )


def test_ties_at_the_top_are_said() -> None:
    assert told(intent(), BY_STORE, stores([(1, Decimal(5)), (2, Decimal(5)), (3, Decimal(4))])).endswith(
        "; two stores tie for highest."
    )
    six = stores((store, Decimal(5 if store < 3 else store - 3)) for store in range(1, 8))
    assert "two stores tie for highest, store 1 and store 2, with 5; lowest is store 3 with 0" in told(
        intent(), BY_STORE, six
    )
    many = stores((store, Decimal(store > 5)) for store in range(12))
    assert "six stores tie for highest with 1; six stores tie for lowest with 0." in told(intent(), BY_STORE, many)


def test_groups_of_one_value_are_one_tie() -> None:
    result = stores((store, Decimal(7)) for store in range(11))
    assert told(intent(), BY_STORE, result) == "Total sales by store (11 stores): 11 stores tie for highest with 7."


def test_a_null_group_is_no_store_and_a_null_value_no_zero() -> None:
    rows: list[tuple[Cell, Cell]] = [(store, Decimal(store)) for store in range(1, 7)]
    result = stores([*rows, (None, Decimal(9)), (8, None)])
    assert told(intent(), BY_STORE, result) == (
        "Total sales by store (7 stores and rows with no store): highest is store (no value) with 9; "
        "lowest is store 1 with 1; 1 store has no value."
    )


def test_nothing_but_nulls_is_no_extreme() -> None:
    assert "no store has a value of total sales" in told(intent(), BY_STORE, stores((s, None) for s in range(8)))


def test_a_series_tells_first_last_highest_and_lowest() -> None:
    result = months(cents("3.00", "1.50", "4.00", "9.25", "2.00", "6.00", "5.00"))
    assert told(intent(), BY_MONTH, result) == (
        "Total sales by month (7 months from January 2010 to July 2010): starts at 3.00 in January 2010; "
        "ends at 5.00 in July 2010; highest is April 2010 with 9.25; lowest is February 2010 with 1.50."
    )


def test_a_ranking_of_months_is_no_series() -> None:
    result = months(cents("9", "8", "7", "6", "5", "4"))
    assert "starts at" not in told(intent(limit=6, desc=True), BY_MONTH, result)
    backward = replace_rows(result, result.rows[::-1])
    assert "starts at" not in told(intent(), BY_MONTH, backward)


def test_month_numbers_and_years_are_time_without_separators() -> None:
    by_month = table({"month": "integer", "total_sales": "integer"}, [(m, m) for m in range(1, 13)])
    assert "(12 months from 1 to 12): starts at 1 in month 1;" in told(
        intent(), (group("month", "number"), SALES), by_month
    )
    by_year = table({"year": "integer", "total_sales": "integer"}, [(2010, 5), (2011, 6)])
    assert told(intent(), (group("year", "number"), SALES), by_year) == (
        "Total sales by year: 2010 with 5; 2011 with 6."
    )


def test_two_groupings_name_both_at_each_extreme() -> None:
    rows = [(store, year, store * year) for store in range(1, 4) for year in (2010, 2011)]
    columns = (STORE, group("year", "number"), SALES)
    result = table({"store_id": "integer", "year": "integer", "total_sales": "integer"}, rows)
    assert told(intent(), columns, result) == (
        "Total sales by store and year (3 stores and 2 years): highest is store 3, 2011 with 6,033; "
        "lowest is store 1, 2010 with 2,010."
    )


def test_several_measures_by_group_name_the_measure_at_each_extreme() -> None:
    rows = [(store, store * 2, 100 - store) for store in range(1, 8)]
    result = table({"store_id": "integer", "total_sales": "integer", "visits": "integer"}, rows)
    assert told(intent(), (*BY_STORE, measure("visits", "count")), result) == (
        "Total sales and visits by store (7 stores): store 7 has the highest total sales, 14; "
        "store 1 has the lowest total sales, 2; store 1 has the highest visits, 99; store 7 has the lowest visits, 93."
    )
    short = replace_rows(result, result.rows[:1])
    assert told(intent(), (*BY_STORE, measure("visits")), short).endswith("store 1 (total sales 2, visits 99).")


def test_measures_beyond_three_are_left_to_the_table() -> None:
    names = ("a", "b", "c", "d")
    text = told(intent(), tuple(map(measure, names)), table(dict.fromkeys(names, "integer"), [(1, 2, 3, 4)]))
    assert text == "A is 1; b is 2; c is 3; the other measures are in the table."


def test_rows_that_tie_behind_the_cut_are_said() -> None:
    one = write(intent(limit=1, desc=True), BY_STORE, stores([(20, Decimal(5))]), tied=True)
    assert one.text == "Store 20 has the highest total sales, 5; more stores have the same value."
    two = write(intent(limit=2, desc=True), BY_STORE, stores([(20, Decimal(6)), (3, Decimal(5))]), tied=True)
    assert two.text.endswith("store 3 with 5; more stores have the same value as the last of these.")
    ten = write(intent(limit=6, desc=True), BY_STORE, stores((s, Decimal(9 - s)) for s in range(6)), tied=True)
    assert ten.text.endswith("; more stores have the same value as the last of these.")


def test_doubles_of_one_column_have_as_many_places() -> None:
    shares = table({"region": "text", "share": "double"}, [("N", 70.0), ("S", 76.3), ("W", 5.125)])
    columns = (REGION, measure("share", "custom"))
    assert told(intent(), columns, shares).startswith("Share by region: N with 70.00; S with 76.30; W with 5.12.")
    rates = table({"region": "text", "share": "double"}, [("N", 0.08), ("S", 0.0779)])
    assert "N with 0.0800; S with 0.0779" in told(intent(), columns, rates)
    mixed = table({"region": "text", "share": "double"}, [("N", 0.001234), ("S", 5000.126)])
    assert "N with 0.00123; S with 5,000.13." in told(intent(), columns, mixed)


def test_a_list_counts_no_missing_name_as_one() -> None:
    rows: list[tuple[Cell, ...]] = [(None,), *((f"N{n}",) for n in range(12))]
    text = told(intent(), (REGION,), table({"region": "text"}, rows))
    assert text.startswith("12 regions and rows with no region, among them region (no value), N0")


def test_combinations_are_kept_apart() -> None:
    rows = [(f"N{n}", f"c{n}") for n in range(11)]
    text = told(intent(), (REGION, group("kind")), table({"region": "text", "kind": "text"}, rows))
    assert text.startswith("11 combinations of regions and kinds, among them (N0, c0), (N1, c1)")


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        ((IN_2011,), "with week date in 2011"),
        ((Filter("v.week_date", "not_in_range", ("2011-01-01", "2012-01-01")),), "with week date not in 2011"),
        ((AnyOf((IN_2011, Filter("v.week_date", "in_range", ("2013-01-01", "2014-01-01")))),),
         "with week date in 2011 or in 2013"),
        ((Filter("v.is_gift", "equals", (True,)),), "where gift is true"),
        ((Filter("v.is_gift", "not_equals", (True,)),), "where gift is not true"),
    ],
)  # fmt: skip
def test_a_date_that_could_be_another_is_named_in_the_sentence(conditions: tuple[Condition, ...], words: str) -> None:
    asked = replace(intent(*conditions), dates=("v.week_date",))
    assert told(asked, (SALES,), table({"total_sales": "integer"}, [(5,)])) == f"Total sales {words} come to 5."


def test_a_list_without_measures_names_its_rows() -> None:
    few = table({"name": "text"}, [("Store 20",), ("North",)])
    assert told(intent(), (group("name"),), few) == "Names: Store 20 and North."
    many = table({"store_id": "integer"}, [(store,) for store in range(45)])
    assert told(intent(), (STORE,), many) == "45 stores, among them store 0, store 1, store 2, store 3 and store 4."


def test_an_empty_result_is_said_to_be_empty() -> None:
    assert (
        told(intent(limit=5, desc=True), BY_STORE, stores([])) == "Nothing was found for total sales by store, top 5."
    )


@pytest.mark.parametrize(("cut", "why"), [("rows", "the result has more"), ("bytes", "larger than may be read")])
def test_a_cut_result_says_so_and_claims_no_overall_extreme(cut: str, why: str) -> None:
    result = stores([(s, Decimal(s)) for s in range(6)]).model_copy(update={"truncated": cut})
    text = told(intent(), BY_STORE, result)
    assert "highest of these is store 5 with 5; lowest of these is store 0 with 0." in text
    assert "Only the first 6 rows are here: " in text
    assert why in text


def test_verified_sql_tells_groups_from_measures_by_kind_and_name() -> None:
    verified = Intent("q", "verified avg", (), verified="avg")
    by_store = table({"store_id": "integer", "avg_sales": "double"}, [(s, s * 10.5) for s in range(1, 8)])
    assert told(verified, (), by_store) == (
        "Avg sales by store (7 stores): highest is store 7 with 73.5; lowest is store 1 with 10.5."
    )
    keyed = table({"Store": "integer", "n": "integer"}, [(7, 1), (9, 2)])
    assert told(verified, (), keyed) == "N by Store: Store 7 with 1; Store 9 with 2."
    assert told(verified, (), table({"total_stores": "integer"}, [(45,)])) == "Total stores come to 45."
    assert told(verified, (), table({"2010": "integer", "area": "text"}, [(4, "N"), (5, "S")])) == (
        "Column 2010 by area: N with 4; S with 5."
    )


@pytest.mark.parametrize(
    ("columns", "row", "sentence"),
    [
        ({"store_id": "integer"}, (4500,), "Store id is 4500."),
        ({"last_year": "integer"}, (2012,), "Last year is 2012."),
        ({"a": "integer", "b": "integer"}, (5, 6), "A is 5; b is 6."),
    ],
)
def test_one_row_of_verified_sql_is_no_group(columns: dict[str, Kind], row: tuple[Cell, ...], sentence: str) -> None:
    assert told(Intent("q", "verified", (), verified="x"), (), table(columns, [row])) == sentence


def test_measures_of_one_name_are_told_apart_by_their_views() -> None:
    columns = tuple(
        OutputColumn(f"{view}__total", f"{view}.total", "measure", "number") for view in ("orders", "items")
    )
    result = table({column.name: "integer" for column in columns}, [(1, 2)])
    assert told(intent(), columns, result) == "Orders total is 1; items total is 2."


def test_of_two_columns_with_one_name_the_first_counts() -> None:
    result = Table(columns=(Column(name="n", type="INT", kind="integer"),) * 2, rows=((1, 2),))
    assert told(intent(), (), result) == "N is 1."


def test_what_is_no_number_is_no_extreme() -> None:
    rows: list[tuple[Cell, Cell]] = [(1, float("nan")), *((s, s / 2) for s in range(2, 9))]
    text = told(intent(), BY_STORE, table({"store_id": "integer", "total_sales": "double"}, rows))
    assert text.endswith(": highest is store 8 with 4.0; lowest is store 2 with 1.0; 1 store has no value.")


def test_rows_that_nothing_names_are_counted() -> None:
    verified = Intent("q", "verified", (), verified="x")
    text = told(verified, (), table({"a": "double", "b": "double"}, [(1.0, 2.0), (1.0, 2.5)]))
    assert text == "2 rows of a and b: the first is (a 1, b 2.0)."


def test_a_name_from_the_data_cannot_steer_the_terminal_or_the_sentence() -> None:
    hostile = "a\x1b[31m\n\u202eb" + "x" * 100
    text = told(intent(), BY_REGION, regions([(hostile, Decimal(1)), ("", Decimal(2)), (None, Decimal(3))]))
    assert text.startswith("Total sales by region: a [31m bxx")
    assert "…" in text
    assert text.endswith("; region (empty) with 2; region (no value) with 3.")


def test_names_and_numbers_are_figures_with_their_cells() -> None:
    prose = write(intent(), BY_REGION, regions([("Store 20", Decimal("1.50")), ("B", Decimal(1))]))
    first, second = prose.figures[:2]
    assert (first.text, first.value, first.cells) == ("Store 20", "Store 20", ((0, "region"),))
    assert (second.text, second.value, second.cells) == ("1.50", "1.50", ((0, "total_sales"),))
    assert all(prose.text[f.start : f.end] == f.text for f in prose.figures)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (Filter("v.d", "in_range", ("2011-03-01", "2011-04-01")), "in March 2011"),
        (Filter("v.d", "in_range", ("2011-04-01", "2011-07-01")), "in Q2 2011"),
        (Filter("v.d", "in_range", (date(2011, 12, 1), date(2012, 1, 1))), "in December 2011"),
        (Filter("v.d", "in_range", ("2011-03-05", "2011-03-06")), "on 2011-03-05"),
        (Filter("v.d", "in_range", ("2011-03-05", "2011-03-20")), "from 2011-03-05 to 2011-03-19"),
        (Filter("v.d", "in_range", (datetime(2011, 1, 1), datetime(2012, 1, 1))), "in 2011"),
        (Filter("v.d", "in_range", (datetime(2011, 1, 1, 8), datetime(2011, 1, 1, 9))),
         "with d from 2011-01-01 08:00 to below 2011-01-01 09:00"),
        (Filter("v.d", "not_in_range", ("2011-01-01", "2012-01-01")), "not in 2011"),
        (Filter("v.d", "gte", ("2011-01-01",)), "with d from 2011-01-01"),
        (Filter("v.d", "lt", ("2011-01-01",)), "with d before 2011-01-01"),
        (Filter("v.total_sales", "gt", (200_000_000,)), "with total sales over 200,000,000"),
        (Filter("v.store_id", "equals", (20,)), "for store 20"),
        (Filter("v.store_id", "in", (1, 2, 3)), "for store 1, 2 or 3"),
        (Filter("v.region", "not_equals", ("Acme; Ltd. 7",)), "for region other than Acme; Ltd. 7"),
        (Filter("v.region", "contains", ("9",)), "with region containing 9"),
        (Filter("v.region", "set"), "with a region"),
        (Filter("v.region", "equals", (None,)), "with no region"),
        (AnyOf((Filter("v.a", "equals", ("x",)), All((Filter("v.b", "equals", (1,)), Filter("v.c", "not_set"))))),
         "(either for a x or (for b 1 and with no c))"),
    ],
)  # fmt: skip
def test_every_condition_is_said_and_its_numbers_are_the_questions_own(condition: Condition, words: str) -> None:
    text = told(intent(condition), (SALES,), table({"total_sales": "integer"}, [(5,)]))
    assert text == f"Total sales {words} come to 5."


def test_two_time_groupings_keep_their_names_apart() -> None:
    columns = (group("order_date", "date", "month"), group("ship_date", "date", "month"), SALES)
    days = [(date(2011, m, 1), date(2011, m + 1, 1), m) for m in range(1, 8)]
    result = table({"order_date_month": "date", "ship_date_month": "date", "total_sales": "integer"}, days)
    assert "by order date month and ship date month (7 order date months" in told(intent(), columns, result)


CELLS: dict[Kind, st.SearchStrategy[Cell]] = {
    "integer": st.integers(-(10**20), 10**20),
    "decimal": st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9),
    "double": st.floats(),
}
NAMES = st.text("ab12;:., \n\x1b\u202e½五…é", max_size=70)


@st.composite
def results(draw: st.DrawFn) -> tuple[tuple[OutputColumn, ...], Table]:
    kind: Kind = draw(st.sampled_from(list(CELLS)))
    values: list[Cell] = draw(st.lists(CELLS[kind] | st.none(), max_size=9))
    names = draw(st.lists(NAMES | st.none(), min_size=len(values), max_size=len(values), unique=True))
    by_region = table({"region": "text", "total_sales": kind}, list(zip(names, values, strict=True)))
    days = [date(2010, 1 + at, 1) for at in range(len(values))]
    by_month = table({"week_date_month": "date", "total_sales": kind}, list(zip(days, values, strict=True)))
    alone = table({"total_sales": kind}, [(value,) for value in values[:1]])
    return draw(
        st.sampled_from([((REGION, SALES), by_region), ((MONTH, SALES), by_month), ((SALES,), alone), ((), by_region)])
    )


@given(results(), st.sampled_from([None, 1, 5]), st.sampled_from([None, True, False]))
def test_the_gate_finds_every_figure_of_every_sentence(
    result: tuple[tuple[OutputColumn, ...], Table], limit: int | None, desc: bool | None
) -> None:
    columns, rows = result
    asked = intent(IN_2011, limit=limit, desc=desc)
    prose = write(asked, columns, rows)
    assert figures_resolve(prose, asked, columns, rows) is None, prose


def replace_rows(result: Table, rows: tuple[tuple[Cell, ...], ...]) -> Table:
    """The same columns over other rows."""
    return result.model_copy(update={"rows": rows})
