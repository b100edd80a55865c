"""What differs between databases: grains run on DuckDB and SQLite, the rest is compared as text."""

from __future__ import annotations

import sqlite3
from datetime import date, datetime

import duckdb
import pytest

from backedge.semantic.model import Dimension, Measure, Model, View
from backedge.semantic.spec import By, Filter, Grain, Spec
from tests.semantic.asking import compiled, defect

VIEW = View(
    name="t",
    table="t",
    dimensions=(
        Dimension("day", "date", "at"),
        Dimension("at", "datetime", "at"),
        Dimension("n", "number", "n"),
    ),
    measures=(
        Measure("count", "count"),
        Measure("middle", "median", "n"),
        Measure("about", "count_distinct_approx", "n"),
        Measure("some", "count", filters=("n > 1",)),
    ),
)
MODEL = Model((VIEW,))
STARTS: dict[Grain, datetime] = {
    "year": datetime(2024, 1, 1),
    "quarter": datetime(2024, 7, 1),
    "month": datetime(2024, 8, 1),
    "week": datetime(2024, 8, 26),
    "day": datetime(2024, 8, 31),
    "hour": datetime(2024, 8, 31, 23),
    "minute": datetime(2024, 8, 31, 23, 58),
    "second": datetime(2024, 8, 31, 23, 58, 57),
}


def test_every_grain_is_the_start_of_its_period_on_duckdb() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT TIMESTAMP '2024-08-31 23:58:57.5' AS at, 1 AS n")
        for grain, start in STARTS.items():
            result = compiled(MODEL, Spec(by=(By("t.at", grain),)))
            assert connection.execute(result.sql).fetchall() == [(start,)]
            if grain in ("year", "quarter", "month", "week", "day"):
                result = compiled(MODEL, Spec(by=(By("t.day", grain),)))
                assert connection.execute(result.sql).fetchall() == [(start.date(),)]


def test_every_grain_is_the_start_of_its_period_on_sqlite() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t AS SELECT '2024-08-31 23:58:57' AS at, 1 AS n")
    for grain, start in STARTS.items():
        result = compiled(MODEL, Spec(by=(By("t.at", grain),)), "sqlite")
        assert connection.execute(result.sql).fetchall() == [(start.isoformat(sep=" "),)]
        if grain in ("year", "quarter", "month", "week", "day"):
            result = compiled(MODEL, Spec(by=(By("t.day", grain),)), "sqlite")
            assert connection.execute(result.sql).fetchall() == [(start.date().isoformat(),)]
    connection.close()


def test_sqlite_meets_results_and_filters_days() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t AS SELECT '2024-08-31 23:58:57' AS at, 2 AS n UNION SELECT NULL, 3")
    spec = Spec(("t.some",), (By("t.day"),), (Filter("t.at", "lte", (date(2024, 8, 31),)),))
    result = compiled(MODEL, spec, "sqlite")
    named = {str(i): v for i, v in enumerate(result.params, 1)}
    assert connection.execute(result.sql, named).fetchall() == [("2024-08-31", 1)]
    assert result.params == ("2024-09-01",)
    connection.close()


@pytest.mark.parametrize(
    ("dialect", "member", "text"),
    [
        ("duckdb", "t.middle", "MEDIAN("),
        ("postgres", "t.middle", "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY"),
        ("duckdb", "t.about", "APPROX_COUNT_DISTINCT("),
        ("postgres", "t.about", "COUNT(DISTINCT "),
        ("sqlite", "t.about", "COUNT(DISTINCT "),
    ],
)
def test_aggregates_are_written_as_the_database_has_them(dialect: str, member: str, text: str) -> None:
    assert text in " ".join(compiled(MODEL, Spec((member,)), dialect).sql.split())


def test_postgres_truncates_dates_without_a_time_zone() -> None:
    sql = compiled(MODEL, Spec(by=(By("t.day", "week"),)), "postgresql").sql
    assert "CAST(DATE_TRUNC('WEEK', CAST(CAST(\"t\".at AS DATE) AS TIMESTAMP)) AS DATE)" in sql


def test_what_a_database_cannot_do_is_refused() -> None:
    assert defect(MODEL, Spec(("t.middle",)), "sqlite").kind == "not_supported"
    found = defect(MODEL, Spec(("t.count",)), "duckbd")
    assert (found.kind, found.near) == ("not_supported", ("duckdb",))


def test_a_view_written_for_another_database_is_refused() -> None:
    other = View("u", table="u", dialect="bigquery", measures=(Measure("n", "count"),))
    assert defect(Model((other,)), Spec(("u.n",))).kind == "not_supported"
