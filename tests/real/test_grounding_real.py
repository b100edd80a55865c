"""Somebody else's project, unchanged: questions to oxygen-demo are read, run, and compared with sums over its CSV."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache
from pathlib import Path

import duckdb
import pytest

from backedge.ask.catalog import Catalog
from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.values import Values, value_queries, values_from
from backedge.ask.intent import Ambiguous, Clarified, Intent, NotUnderstood
from backedge.config.project import load_project
from backedge.query.table import Column, Table
from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import Compiled, Spec

DEMO = Path(__file__).parents[2].parent / "shared" / "data" / "oxygen-demo"
pytestmark = pytest.mark.skipif(not DEMO.is_dir(), reason="the shared data is not here")
TODAY = date(2026, 11, 30)
Row = tuple[object, ...]


@cache
def catalog() -> Catalog:
    return load_project(DEMO).catalog


@cache
def database() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    path = DEMO / ".db" / "oxymart.csv"
    connection.execute(
        f"""create table "oxymart.csv" as select * from read_csv('{path}', dateformat = '%d-%m-%Y')""",
    )
    return connection


def run(spec: Spec) -> list[Row]:
    compiled = compile_spec(catalog().model, spec)
    assert isinstance(compiled, Compiled), compiled
    return database().execute(compiled.sql, list(compiled.params)).fetchall()


@cache
def values() -> Values:
    column = Column(name="value", type="VARCHAR", kind="other")
    found = [(path, Table(columns=(column,), rows=tuple(run(spec)))) for path, spec in value_queries(catalog().model)]
    return values_from(catalog().model, found)


def ask(question: str) -> Clarified:
    return ground(question, catalog(), values(), today=TODAY)


def weeks() -> Iterator[tuple[int, date, float, bool]]:
    with (DEMO / ".db" / "oxymart.csv").open() as file:
        for row in csv.DictReader(file):
            day = datetime.strptime(row["Date"], "%d-%m-%Y").date()
            yield int(row["Store"]), day, float(row["Weekly_Sales"]), row["Holiday_Flag"] == "1"


READ = """
total sales by store, top 5                => total_sales by store_id; top 5
total sales by month name                  => total_sales by month_name
monthly total sales                        => total_sales by week_date.month
average weekly sales by holiday status     => average_weekly_sales by holiday_status
number of stores                           => store_count
total sales in 2011                        => total_sales; week_date in 2011
total sales in March 2011 by store         => total_sales by store_id; week_date in March 2011
max temperature by year                    => max_temperature by week_date.year
total sales for store 20                   => total_sales; store_id is 20
total sales for Holiday Week               => total_sales; holiday_status is Holiday Week
total sales not in holiday week            => total_sales; holiday_status is not Holiday Week
total sales by store and year              => total_sales by store_id, year
bottom 3 stores by total sales             => total_sales by store_id; bottom 3
which store has the highest total sales    => total_sales by store_id; top 1
stores with total sales over 200 million   => total_sales by store_id; total_sales over 200000000
total revenue                              => total_sales
total sales by season                      => total_sales by season
total sales in winter                      => total_sales; season is Winter
total sales in July                        => total_sales; month_name is July
peak sales by store                        => max_weekly_sales by store_id
sales per store                            => sales_per_store
"""


@pytest.mark.parametrize("line", READ.strip().splitlines())
def test_it_is_read_and_runs(line: str) -> None:
    question, _, reading = (part.strip() for part in line.partition("=>"))
    found = ask(question)
    assert isinstance(found, Intent), found
    assert found.reading == reading
    assert found.draft is not None
    assert run(found.draft)


def answer(question: str) -> list[Row]:
    found = ask(question)
    assert isinstance(found, Intent), found
    assert found.draft is not None
    return run(found.draft)


def test_the_top_stores_have_the_sums_of_the_file() -> None:
    sums: dict[int, float] = defaultdict(float)
    for store, _, sales, _ in weeks():
        sums[store] += sales
    best = sorted(sums, key=lambda s: -sums[s])[:5]
    rows = answer("total sales by store, top 5")
    assert [row[0] for row in rows] == best
    assert [row[1] for row in rows] == pytest.approx([sums[store] for store in best])


def test_a_month_of_a_year_is_that_month() -> None:
    wanted = sum(sales for _, day, sales, _ in weeks() if (day.year, day.month) == (2011, 3))
    assert answer("total sales in March 2011")[0][0] == pytest.approx(wanted)


def test_not_in_holiday_week_leaves_out_just_these() -> None:
    wanted = sum(sales for _, _, sales, holiday in weeks() if not holiday)
    assert answer("total sales not in holiday week")[0][0] == pytest.approx(wanted)


def test_both_boundaries_of_a_year_are_right() -> None:
    wanted = sum(sales for store, day, sales, _ in weeks() if day.year == 2011 and store == 20)
    assert answer("total sales for store 20 in 2011")[0][0] == pytest.approx(wanted)


def test_how_many_stores_is_the_verified_query() -> None:
    found = ask("How many stores do I have?")
    assert isinstance(found, Intent)
    assert found.verified == "total_number_of_store"


def test_a_bare_word_of_several_measures_is_asked_about() -> None:
    found = ask("sales by store")
    assert isinstance(found, Ambiguous)
    assert 2 <= len(found.options) <= 4
    assert len({option.value.partition(".")[2] for option in found.options}) == len(found.options)


def test_bands_that_two_views_draw_differently_are_asked_about() -> None:
    found = ask("total sales by temperature range")
    assert isinstance(found, Ambiguous)
    assert [option.value for option in found.options] == [
        "economic_factors.temperature_range",
        "oxymart.temperature_range",
    ]


REFUSED = """
total revenue by planet                    => 'planet'
average temperature by season              => share no entity
total sales last year                      => 2010-02-05 to 2012-10-26
unemployment rate by store                 => measures 'unemployment rate'
highest fuel price                         => 'maximum fuel price'
average of total sales by store            => no average
"""


@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_it_is_refused_with_its_reason(line: str) -> None:
    question, _, reason = (part.strip() for part in line.partition("=>"))
    found = ask(question)
    assert isinstance(found, NotUnderstood), found
    assert reason in found.reason
    assert found.instead
