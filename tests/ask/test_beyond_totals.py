"""Shares, compared periods, first rows of each group, running totals, gaps: how they are read, or why they are not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.values import Values
from backedge.ask.intent import Intent, NotUnderstood
from backedge.ask.ties import after_the_cut, ties
from backedge.query.table import Column, Table
from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import By, Comparison, Compiled, Filter, OutputColumn, Spec
from tests.ask.grounding_shop import CATALOG, MODEL, TODAY, VALUES
from tests.ask.test_grounding import rows

READ = """
share of total sales by country                => total_sales by country; in percent of the total
total sales by country as a percent of total   => total_sales by country; in percent of the total
total sales by country as % of the total       => total_sales by country; in percent of the total
total sales by country and channel as a share of the total => total_sales by country, channel; in percent of the total
total sales share by country                   => total_sales by country; in percent of the total
total sales by country as a percentage         => total_sales by country; in percent of the total
percentage of total sales by channel in 2023   => total_sales by channel; in percent of the total; order_date in 2023
order count by channel as a share of all orders => order_count by channel; in percent of the total
share of order count by channel for Germany    => order_count by channel; in percent of the total; country is Germany
what percentage of orders are cancelled        => order_count; share that status is cancelled
what percentage of orders are not cancelled    => order_count; share that status is not cancelled
percentage of orders that are gifts            => order_count; share that is_gift is true
Germany's share of total sales                 => total_sales; share that country is Germany
which share of total sales does Germany have   => total_sales; share that country is Germany
share of total sales from Germany in 2023      => total_sales; share that country is Germany; order_date in 2023
what percentage of orders in Germany are cancelled => order_count; country is Germany; share that status is cancelled
percentage of orders that are cancelled by channel => order_count by channel; share that status is cancelled
which channel has the highest share of total sales => total_sales by channel; in percent of the total; top 1
top 2 countries by share of total sales        => total_sales by country; in percent of the total; top 2
top 3 products per country by quantity         => quantity by product_name, country; top 3 in each country
top 3 products by quantity in each country     => quantity by product_name, country; top 3 in each country
which country has the highest total sales in each channel => total_sales by country, channel; top 1 in each channel
the two largest countries of each channel by total sales => total_sales by country, channel; top 2 in each channel
bottom 2 channels for every country by order count => order_count by channel, country; bottom 2 in each country
monthly top 2 countries by total sales => total_sales by order_date.month, country; top 2 in each order_date.month
total sales 2023 vs 2022 =>
    total_sales; beside the year before; order_date 2023-01-03 to 2023-12-31 compared with 2022-01-03 to 2022-12-31
total sales in Q1 2024 compared with Q4 2023 =>
    total_sales; beside the quarter before; order_date in Q1 2024 compared with Q4 2023
total sales in March 2024 and March 2023 compared =>
    total_sales; beside 12 months before; order_date in March 2024 compared with March 2023
compare total sales in March 2024 and February 2024 =>
    total_sales; beside the month before; order_date in March 2024 compared with February 2024
compare March 2024 with April 2024 total sales =>
    total_sales; beside the month before; order_date in April 2024 compared with March 2024
change in order count from March 2024 to April 2024 =>
    order_count; beside the month before; order_date in April 2024 compared with March 2024
total sales in March 2024 compared with the previous month =>
    total_sales; beside the month before; order_date in March 2024 compared with 2024-02-01 to 2024-02-29
total sales in March 2024 vs the same month last year =>
    total_sales; beside the year before; order_date in March 2024 compared with 2023-03-01 to 2023-03-31
total sales in March 2024 year over year =>
    total_sales; beside the year before; order_date in March 2024 compared with 2023-03-01 to 2023-03-31
growth of total sales by month in 2023 =>
    total_sales by order_date.month; beside the period before; order_date.month 2023-01-01 to 2023-12-31
total sales by quarter in 2023 vs the same quarter last year =>
    total_sales by order_date.quarter; beside the year before; order_date.quarter 2023-01-01 to 2023-12-31
month over month total sales in 2023 =>
    total_sales by order_date.month; beside the month before; order_date.month 2023-01-01 to 2023-12-31
total sales by channel in March 2024 vs March 2023 =>
    total_sales by channel; beside 12 months before; order_date in March 2024 compared with March 2023
compare total sales by channel                 => total_sales by channel
cumulative total sales by month in 2023        => total_sales by order_date.month; running total; order_date in 2023
running total of order count by week           => order_count by order_date.week; running total
7-day moving average of total sales            => total_sales by order_date.day; moving average over 7 periods
three month rolling average of total sales by month => total_sales by order_date.month; moving average over 3 periods
order count by month in 2023 including months without orders =>
    order_count by order_date.month; every period has a row; order_date in 2023
order count by month including empty months    => order_count by order_date.month; every period has a row
"""
REFUSED = """
share of total sales                           => needs a part
share of total sales in 2023                   => needs a part
share by country                               => what 'share' is of
share of total sales by country and channel    => within each
share of total sales from Germany by channel   => in each group
what percentage of orders are cancelled in Germany => is the part
share of refund rate by channel                => no share of a total
total sales by country as a percent of quantity => what 'as a percent of' is of
total sales by country as a percent of         => what 'as a percent of' is of
share of total sales by channel 2023 vs 2022   => cannot be asked together
cumulative share of total sales by month       => cannot be asked together
top 3 products by country by quantity          => may split the ranked rows
total sales by month for the top 5 countries   => may split the ranked rows
which 3 countries had the highest total sales by channel => may split the ranked rows
highest total sales per country                => what is ranked within each
total sales vs quantity                        => understood between periods
total sales vs last year                       => needs two periods
total sales vs the previous year               => compares with what
compare total sales                            => needs two periods
compare total sales in 2022 and 2023 and 2024  => compares two periods
compare total sales from 2022 to 2023          => may be two periods or all days between
change in total sales                          => compares with what
total sales in 2023 vs March 2023              => not of the same length
total sales in March 2024 vs last year         => not of the same length
total sales in 2023 vs the previous month      => longer than a month
total sales not in 2023 vs 2022                => left out
total sales in 2022 vs 2021                    => no data for 2021
growth of total sales in 2022                  => no data for 2021
total sales one month earlier                  => earlier than what
how did total sales do                         => what 'how did' asks
weekly growth of total sales in 2023           => not the start of a week
running total of total sales                   => runs along time
running total of refund rate by month          => cannot be added up over time
moving average of total sales by month         => over how many periods
1 day moving average of total sales            => no number of periods
3 month moving average of total sales by week  => group by month
7-day moving average of refund rate            => would average what is no count
order count by month including empty weeks     => fills weeks
order count including empty months             => one grouping by month
order count by month including months without quantity => which periods that takes in
number of revenue                              => nothing here counts
net margin percentage by category              => what 'percentage' is of
percent net margin by category                 => what 'percent' is of
share total sales by country                   => what 'share' is of
top 3 countries by growth of total sales in 2023 => cannot be ranked or grouped by
which country had the highest growth of total sales in 2023 => cannot be ranked by
"""


def asked(question: str, values: Values = VALUES, today: date = TODAY) -> Intent:
    found = ground(question, CATALOG, values, today=today)
    assert isinstance(found, Intent), found
    assert found.draft is not None
    return found


def spec_of(question: str) -> Spec:
    draft = asked(question).draft
    assert draft is not None
    return draft


@pytest.mark.parametrize(("question", "reading"), rows(READ.replace("\n    ", " ")))
def test_it_is_read_as(question: str, reading: str) -> None:
    found = asked(question)
    assert found.reading == reading
    assert found.draft is not None
    assert isinstance(compile_spec(MODEL, found.draft), Compiled)


@pytest.mark.parametrize(("question", "reason"), rows(REFUSED))
def test_it_is_refused(question: str, reason: str) -> None:
    found = ground(question, CATALOG, VALUES, today=TODAY)
    assert isinstance(found, NotUnderstood), found
    assert reason in found.reason


def test_the_part_of_a_share_restricts_the_part_alone() -> None:
    spec = spec_of("what percentage of orders in Germany are cancelled")
    assert spec.where == (Filter("customers.country", "equals", ("Germany",)),)
    assert spec.part == (Filter("orders.status", "equals", ("cancelled",)),)


def test_the_rows_of_each_group_are_taken_within_it() -> None:
    spec = spec_of("top 3 products per country by quantity")
    assert (spec.limit, spec.per) == (3, ("customers.country",))
    assert spec_of("monthly top 2 countries by total sales").per == ("orders.order_date.month",)


def test_a_period_that_is_not_over_is_compared_with_the_same_days_of_the_earlier_one() -> None:
    found = asked("total sales this month vs last month")
    days = (date(2024, 5, 1), date(2024, 5, 15))
    assert found.draft is not None
    assert found.draft.where == (Filter("orders.order_date", "in_range", days),)
    assert found.draft.compare == Comparison("previous_period", 1, "month")
    said = "compared: 2024-05-01 to 2024-05-14 with 2024-04-01 to 2024-04-14, because this month so far"
    assert said in "; ".join(found.assumptions)


def test_an_earlier_period_that_the_data_covers_in_part_is_compared_with_the_same_days() -> None:
    found = asked("order count in January 2024 vs January 2022")
    said = "; ".join(found.assumptions)
    assert "compared: 2024-01-03 to 2024-01-31 with 2022-01-03 to 2022-01-31" in said
    assert "January 2022 has data from 2022-01-03 on" in said


def test_a_series_leaves_out_what_is_not_over_and_what_has_no_earlier_period() -> None:
    found = asked("growth of order count by month")
    assert found.draft is not None
    days = (date(2022, 2, 1), date(2024, 5, 1))
    assert found.draft.where == (Filter("orders.order_date", "in_range", days),)
    said = "; ".join(found.assumptions)
    assert "the month of 2024-05-01 is not over, and left out" in said
    assert "compared from 2022-02-01 on: there is no data before 2022-01-03" in said
    assert "the month of 2022-01-01 has data from 2022-01-03 on" in said


def known(first: date, last: date) -> Values:
    return replace(VALUES, ranges={**VALUES.ranges, "orders.order_date": (first, last)})


@pytest.mark.parametrize(
    ("last", "until", "said"),
    [
        (
            date(2024, 5, 14),
            date(2024, 5, 1),
            "the month of 2024-05-01 has data up to 2024-05-14 alone, and is left out",
        ),
        (date(2024, 5, 30), date(2024, 6, 1), "the month of 2024-05-01 has data up to 2024-05-30"),
        (date(2024, 5, 3), date(2024, 6, 1), "the month of 2024-05-01 has data up to 2024-05-03"),  # always the 3rd
    ],
)
def test_the_last_period_of_a_series_is_left_out_where_the_data_ends_long_before_it(
    last: date, until: date, said: str
) -> None:
    found = asked("growth of order count by month", known(date(2022, 1, 3), last), today=date(2024, 6, 20))
    assert found.draft is not None
    assert found.draft.where == (Filter("orders.order_date", "in_range", (date(2022, 2, 1), until)),)
    assert said in "; ".join(found.assumptions)


def test_a_series_does_not_compare_with_a_first_period_that_is_covered_in_part() -> None:
    found = asked("growth of order count by month", known(date(2022, 1, 20), date(2024, 5, 14)))
    assert found.draft is not None
    assert found.draft.where == (Filter("orders.order_date", "in_range", (date(2022, 3, 1), date(2024, 5, 1))),)
    assert "compared from 2022-03-01 on: there is no data before 2022-01-20" in "; ".join(found.assumptions)


def test_shares_of_a_distinct_count_may_overlap_and_say_so() -> None:
    assert "add up to more than the total" in "; ".join(asked("share of product count by channel").assumptions)


def test_weeks_begin_on_the_day_that_the_model_says() -> None:
    catalog = replace(CATALOG, model=replace(MODEL, calendar=replace(MODEL.calendar, week_start=6)))
    found = ground("growth of order count by week", catalog, VALUES, today=TODAY)
    assert isinstance(found, Intent), found
    assert found.draft is not None
    assert isinstance(compile_spec(catalog.model, found.draft), Compiled)
    (days,) = [c.values for c in found.draft.where if isinstance(c, Filter)]
    assert [day.isoweekday() for day in days if isinstance(day, date)] == [7, 7]


def test_gaps_are_filled_as_far_as_the_data_reaches() -> None:
    found = asked("order count by month in 2024 including months without orders")
    assert found.draft is not None
    assert found.draft.by == (By("orders.order_date", "month", fill=True),)
    assert found.draft.where == (Filter("orders.order_date", "in_range", (date(2024, 1, 1), date(2024, 6, 1))),)


def test_a_moving_average_of_a_count_takes_days_without_rows_as_0() -> None:
    assert spec_of("7-day moving average of order count").by == (By("orders.order_date", "day", fill=True),)
    assert spec_of("7-day moving average of total sales").by == (By("orders.order_date", "day"),)


def test_a_name_of_the_model_goes_before_a_word_of_the_grammar() -> None:
    orders = MODEL.views[0]
    growth = replace(orders.measures[0], name="growth", description="", synonyms=("change in sales",))
    model = replace(MODEL, views=(replace(orders, measures=(*orders.measures, growth)), *MODEL.views[1:]))
    catalog = replace(CATALOG, model=model)
    for question in ("growth by channel", "change in sales by channel"):
        found = ground(question, catalog, VALUES, today=TODAY)
        assert isinstance(found, Intent), found
        assert found.reading == "growth by channel"


# Ties within groups

PRODUCTS = Spec(
    ("items.quantity",),
    (By("items.product_name"), By("customers.country")),
    order=spec_of("top 3 products per country by quantity").order,
    limit=1,
    per=("customers.country",),
)
COLUMNS = (
    OutputColumn("product_name", "items.product_name", "dimension", "string"),
    OutputColumn("country", "customers.country", "dimension", "string"),
    OutputColumn("quantity", "items.quantity", "measure", "number"),
)


def table(*cells: tuple[str, str, int]) -> Table:
    texts = [Column(name=name, type="VARCHAR", kind="text") for name in ("product_name", "country")]
    return Table(columns=(*texts, Column(name="quantity", type="BIGINT", kind="integer")), rows=cells)


def test_a_tie_is_looked_for_behind_the_last_row_of_each_group() -> None:
    shown = table(("Kite", "France", 7), ("Kite", "Germany", 9))
    behind = after_the_cut(PRODUCTS, shown)
    assert behind is not None
    assert (behind.spec.limit, behind.spec.offset, behind.spec.per) == (1, 1, ("customers.country",))
    assert ties(PRODUCTS, COLUMNS, shown, table(("Teapot", "France", 7)))
    assert not ties(PRODUCTS, COLUMNS, shown, table(("Teapot", "Germany", 7)))
    assert not ties(PRODUCTS, COLUMNS, shown, table(("Teapot", "Spain", 7)))  # cut off by a cap on rows
