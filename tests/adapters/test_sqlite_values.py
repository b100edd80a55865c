"""SQLite types each value by itself: what it would count wrongly in silence is refused, what is mixed is said."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from backedge.adapters.connectors.sqlite import sqlite_connector
from backedge.adapters.connectors.sqlite_values import typed
from backedge.adapters.connectors.worker_connector import WorkerConnector
from backedge.query.ports import Ran, Rejected

ROWS = """
    create table sales (id integer primary key, amount decimal(10, 2), written text, region text, day text);
    insert into sales values (1, 10.5, '12.50', 'North', '2024-01-01'), (2, 10, '7', 'South', '2024-02-29'),
        (3, '1,5', '50 EUR', 'North', null);
    create table regions (name text primary key, head text);
    insert into regions values ('North', 'Ann'), ('South', 'Bob');
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerConnector]:
    path = tmp_path_factory.mktemp("values") / "shop.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(ROWS)
    connection.close()
    connector = sqlite_connector("shop", path)
    yield connector
    asyncio.run(connector.close())


@pytest.mark.parametrize(
    "sql",
    [
        "select sum(amount) from sales",
        "select avg(amount) from sales",
        "select total(amount) from sales",
        "select sum(written) from sales",
        "select region, sum(amount) from sales group by region",
        "select sum(case when region = 'North' then amount end) from sales",
        "select sum(coalesce(amount, 0)) from sales",
        "select amount * 2 from sales",
        "select id + written from sales",
        "select -amount from sales",
        "select id from sales where written > 5",
        "select id from sales where 5 < written",
        "select id from sales where written between 1 and 9",
        "select sum(distinct amount) from sales",
        "with t as (select amount as a from sales) select sum(a) from t",
        "select cast(written as integer) from sales",
        "select sum(cast(written as real)) from sales",
    ],
)
def test_text_among_numbers_is_refused_where_sqlite_counts_it_as_zero(shop: WorkerConnector, sql: str) -> None:
    rejected = asyncio.run(shop.run(sql))
    assert isinstance(rejected, Rejected)
    assert rejected.kind == "type"
    assert "cast it in the view" in rejected.message


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("select sum(amount) from sales where id < 3", 20.5),
        ("select sum(cast(written as real)) from sales where id < 3", 19.5),
        ("select max(day) from sales where day > '2024-01-15'", date(2024, 2, 29)),
        ("select count(*) from sales where id >= $1", 2),
        ("select round(julianday(max(day)) - julianday(min(day))) from sales", 59.0),
    ],
)
def test_what_is_right_is_counted(shop: WorkerConnector, sql: str, value: object) -> None:
    ran = asyncio.run(shop.run(sql, (2,) if "$1" in sql else ()))
    assert isinstance(ran, Ran), ran
    assert ran.table.rows == ((value,),)


def test_a_number_to_compare_with_may_be_a_bound_value(shop: WorkerConnector) -> None:
    rejected = asyncio.run(shop.run("select id from sales where written > $1", (5,)))
    assert isinstance(rejected, Rejected)
    assert isinstance(asyncio.run(shop.run("select id from sales where written > $1", ("5",))), Ran)


@pytest.mark.parametrize(
    ("sql", "bare"),
    [
        ("select region, sum(id) from sales", "region"),
        ("select region, day, count(*) from sales group by region", "day"),
        ("select name, head, count(*) from regions group by name", None),
        (
            "select s.region, r.head, count(*) from sales s join regions r on r.name = s.region group by r.name",
            "region",
        ),
        ("select r.name, r.head, count(*) from sales s join regions r on r.name = s.region group by r.name", None),
        ("select upper(region) as u, count(*) from sales group by upper(region)", None),
        ("select region as r, count(*) from sales group by r", None),
        ("select region, count(*) from sales group by 1", None),
        ("select day, max(id) from sales", None),
        ("select id, sum(id) over (order by id) from sales", None),
    ],
)
def test_a_column_that_any_row_could_give_is_refused(shop: WorkerConnector, sql: str, bare: str | None) -> None:
    result = asyncio.run(shop.run(sql))
    if bare is None:
        assert isinstance(result, Ran), result
    else:
        assert isinstance(result, Rejected)
        assert f"`{bare}` is neither grouped" in result.message


def test_values_of_several_types_are_shown_as_they_are_and_said(shop: WorkerConnector) -> None:
    ran = asyncio.run(shop.run("select amount from sales order by id"))
    assert isinstance(ran, Ran)
    assert (ran.table.columns[0].kind, ran.table.rows) == ("other", ((10.5,), (10,), ("1,5",)))
    assert "`amount` holds values of several types (INTEGER and REAL and TEXT)" in ran.notes[0]


@pytest.mark.parametrize(
    ("cells", "kind", "first"),
    [
        ([2**60, None], "integer", 2**60),
        ([1, 0.5], "double", 1.0),
        ([2**60, 0.5], "other", 2**60),
        (["2024-02-29", None], "date", "2024-02-29"),
        (["2024-02-30"], "text", "2024-02-30"),
        (["2024-02-29", "unknown"], "text", "2024-02-29"),
        (["2024-02-29 10:00"], "datetime", "2024-02-29T10:00:00"),
        (["2024-02-29T10:00:00+02:00"], "datetime", "2024-02-29T08:00:00+00:00"),
        (["2024-02-29 10:00:00Z", "2024-02-29 10:00:00"], "text", "2024-02-29 10:00:00Z"),
        ([1709164800], "integer", 1709164800),
        ([b"\x00\xff"], "other", "x'00ff'"),
        ([None], "other", None),
    ],
)
def test_a_column_is_what_all_of_its_values_say(cells: list[int | float | str], kind: str, first: object) -> None:
    _, found, shown = typed(cells)
    assert (found, shown[0]) == (kind, first)


def test_a_moment_with_a_zone_comes_as_that_moment(shop: WorkerConnector) -> None:
    ran = asyncio.run(shop.run("select '2024-02-29 10:00:00+02:00' as seen"))
    assert isinstance(ran, Ran)
    assert ran.table.rows == ((datetime(2024, 2, 29, 8, tzinfo=UTC),),)


def test_a_number_that_sqlite_cannot_hold_is_refused(shop: WorkerConnector) -> None:
    rejected = asyncio.run(shop.run("select $1", (2**63,)))
    assert isinstance(rejected, Rejected)
    assert "64 bits" in rejected.message


def test_the_schema_has_keys_and_references(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.executescript("""
            create table a (x int, y int, primary key (y, x));
            create table b (x int, y int, foreign key (x, y) references a (x, y));
            create view v as select x from a;
            create view broken as select x from nowhere;
            create virtual table words using fts5(body);
        """)
    connection.close()
    connector = sqlite_connector("s", tmp_path / "s.db")
    tables = {table.name: table for table in asyncio.run(connector.catalog())}
    asyncio.run(connector.close())
    assert set(tables) == {"a", "b", "broken", "v", "words"}
    assert tables["a"].key == ("y", "x")
    assert [(f.columns, f.table, f.their_columns) for f in tables["b"].references] == [(("x", "y"), "a", ("x", "y"))]
    assert tables["broken"].columns == ()


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_table_that_came_later_is_found_and_the_fingerprint_knows_of_writes(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "s.db"
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute(f"pragma journal_mode = {mode}")
    writer.execute("create table a (x int)")

    async def story() -> None:
        connector = sqlite_connector("s", path)
        assert isinstance(await connector.run("select x from later"), Rejected)
        prints = [await connector.fingerprint(), await connector.fingerprint()]
        writer.execute("insert into a values (1)")
        prints.append(await connector.fingerprint())
        writer.execute("create table later (x int)")
        assert isinstance(await connector.run("select x from later"), Ran)
        await connector.close()
        assert prints[0] == prints[1] != prints[2]

    asyncio.run(story())
    writer.close()
