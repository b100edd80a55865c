"""How compared periods, shares, first rows of groups and running totals are told; the gate finds every figure."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from backedge.ask.intent import Intent
from backedge.ask.prose import write
from backedge.query.table import Cell, Kind
from backedge.semantic.spec import By, Comparison, Filter, Order, OutputColumn, Spec
from tests.ask.results import REGION, cents, judged, measure, table, told

IN_2024 = (Filter("v.sold", "in_range", (date(2024, 1, 1), date(2025, 1, 1))),)
A_YEAR = Comparison("previous_period", 1, "year")
ORDERS = measure("orders", "count")
COMPARED: dict[str, Kind] = {"orders": "integer", "orders_previous": "integer", "orders_change": "integer"}
COMPARED |= {"orders_change_percent": "double"}
PARTED: dict[str, Kind] = {"orders": "integer", "orders_part": "integer", "orders_percent": "double"}


def added(*parts: str) -> tuple[OutputColumn, ...]:
    return tuple(OutputColumn(f"orders_{part}", f"v.orders.{part}", "measure", "number") for part in parts)


COMPARING = (ORDERS, *added("previous", "change", "change_percent"))
PARTING = (ORDERS, *added("part", "percent"))


def asked(**spec: object) -> Intent:
    return Intent("orders", "orders", (), replace(Spec(("v.orders",)), **spec))  # type: ignore[arg-type]


def test_a_period_is_told_beside_the_one_that_it_is_compared_with() -> None:
    found = table(COMPARED, [(9650, 8256, 1394, 16.884689922480618)])
    assert told(asked(where=IN_2024, compare=A_YEAR), COMPARING, found) == (
        "Orders in 2024 come to 9,650, against 8,256 in 2023 (a change of 1,394, 16.88%). Values are rounded."
    )


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ((5, 0, 5, None), "Orders in 2024 come to 5, against 0 in 2023 (a change of 5, without a percentage)."),
        ((5, None, None, None), "Orders in 2024 come to 5, against no value in 2023."),
        ((4, 5, -1, -20.0), "Orders in 2024 come to 4, against 5 in 2023 (a change of -1, -20%)."),
    ],
)
def test_a_missing_or_empty_base_is_said_and_not_shown_as_0(row: tuple[Cell, ...], sentence: str) -> None:
    assert told(asked(where=IN_2024, compare=A_YEAR), COMPARING, table(COMPARED, [row])).endswith(sentence)


def test_the_days_of_the_earlier_period_are_those_that_the_query_reads() -> None:
    part = (Filter("v.sold", "in_range", (date(2024, 5, 1), date(2024, 5, 15))),)
    found = table(COMPARED, [(4, 5, -1, -20.0)])
    a_month = Comparison("previous_period", 1, "month")
    text = told(asked(where=part, compare=a_month), COMPARING, found)
    assert text.startswith(
        "Orders from 2024-05-01 to 2024-05-14 come to 4, against 5 from 2024-04-01 to 2024-04-14 (a change of -1"
    )


def test_a_few_rows_are_each_told_beside_their_earlier_value() -> None:
    found = table({"region": "text", **COMPARED}, [("North", 4, 5, -1, -20.0), ("South", 6, 3, 3, 100.0)])
    assert told(asked(where=IN_2024, by=(By("v.region"),), compare=A_YEAR), (REGION, *COMPARING), found) == (
        "Change of orders by region in 2024, compared with the value in 2023: North with 4 against 5 in 2023 (a change "
        "of -1, -20%); South with 6 against 3 in 2023 (a change of 3, 100%)."
    )


def test_a_series_tells_its_changes() -> None:
    month = OutputColumn("sold_month", "v.sold", "dimension", "date", "month")
    lines = [(date(2024, at, 1), 10 + at * at, 10 + (at - 1) ** 2, 2 * at - 1, 5.0) for at in range(1, 8)]
    found = table({"sold_month": "date", **COMPARED}, lines)
    text = told(asked(by=(By("v.sold", "month"),), compare=Comparison()), (month, *COMPARING), found)
    assert text == (
        "Change of orders by month, compared with the value one month before (seven months from January 2024 to July "
        "2024): starts at 1 in January 2024; ends at 13 in July 2024; highest is July 2024 with 13; lowest is January "
        "2024 with 1; the other columns are in the table."
    ).replace("seven", "7")


def test_a_share_tells_part_and_whole() -> None:
    part = (Filter("v.status", "equals", ("cancelled",)),)
    found = table(PARTED, [(30000, 1256, 4.186666666666667)])
    assert told(asked(part=part), PARTING, found) == (
        "Orders, the share for status cancelled: 1,256 of 30,000 (4.19%). Values are rounded."
    )


def test_shares_of_the_total_stand_behind_their_values() -> None:
    share = OutputColumn("percent_of_total", "v.orders.percent_of_total", "measure", "number")
    found = table(
        {"region": "text", "orders": "integer", "percent_of_total": "double"}, [("N", 1, 25.0), ("S", 3, 75.0)]
    )
    asking = asked(by=(By("v.region"),), motif="percent_of_total")
    assert told(asking, (REGION, ORDERS, share), found) == (
        "Orders by region, with shares of the total: N with 1 (25%); S with 3 (75%)."
    )


def test_the_first_rows_of_each_group_are_told_as_such_and_their_ties() -> None:
    product = OutputColumn("product", "v.product", "dimension", "string")
    sales = [("Kite", "N", 3), ("Tent", "S", 2)]
    found = table({"product": "text", "region": "text", "orders": "integer"}, sales)
    by = (By("v.product"), By("v.region"))
    asking = asked(by=by, order=(Order("v.orders", True),), limit=1, per=("v.region",))
    text = write(asking, (product, REGION, ORDERS), found, tied=True).text
    assert text.startswith("Orders by product and region, top 1 in each region: Kite, N with 3; Tent, S with 2")
    assert "in some regions more rows have the same value as the last that is shown" in text


def test_a_running_total_is_called_one() -> None:
    running = OutputColumn("cumulative_value", "v.orders.cumulative_value", "measure", "number")
    month = OutputColumn("sold_month", "v.sold", "dimension", "date", "month")
    lines = [(date(2024, at, 1), 1, at) for at in range(1, 8)]
    found = table({"sold_month": "date", "orders": "integer", "cumulative_value": "integer"}, lines)
    text = told(asked(by=(By("v.sold", "month"),), motif="cumulative"), (month, ORDERS, running), found)
    assert text.startswith("Running total of orders by month (7 months")
    assert "ends at 7 in July 2024" in text


@pytest.mark.parametrize(
    ("wrong", "kind"), [("8,257", "figure_text"), ("2022", "number_without_figure"), ("1,395", "figure_text")]
)
def test_the_gate_refuses_another_number_or_another_year(wrong: str, kind: str) -> None:
    right = {"8,257": "8,256", "2022": "2023", "1,395": "1,394"}[wrong]
    asking = asked(where=IN_2024, compare=A_YEAR)
    found = table(COMPARED, [(9650, 8256, 1394, 16.884689922480618)])
    prose = write(asking, COMPARING, found)
    figures = tuple(replace(f, text=wrong) if f.text == right else f for f in prose.figures)
    broken = replace(prose, text=prose.text.replace(right, wrong), figures=figures)
    assert judged(broken, COMPARING, found, asking).kind == kind


def test_exact_decimals_stay_exact_in_a_comparison() -> None:
    kinds: dict[str, Kind] = {**COMPARED, "orders": "decimal", "orders_previous": "decimal", "orders_change": "decimal"}
    found = table(kinds, [(*cents("12345678901234567.89", "0.01", "12345678901234567.88"), 1e20)])
    text = told(asked(where=IN_2024, compare=A_YEAR), COMPARING, found)
    assert "12,345,678,901,234,567.89, against 0.01 in 2023 (a change of 12,345,678,901,234,567.88" in text
