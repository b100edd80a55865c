"""Joins that repeat rows are found by counting them, whatever shape the SQL has; aggregates that do not mind pass."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from backedge.query.sqlguard import Guarded, guard
from backedge.query.sqljoins import MOST_CHECKS, Counts, JoinedSql, read_joins
from backedge.query.sqlrepeats import Repeat, repeats

TABLES = {
    "orders.csv": ("id", "amount", "region"),
    "items.csv": ("order_id", "sku", "price", "qty"),
    "products.csv": ("sku", "kind", "weight"),
    "sales.notes": ("order_id", "text"),
}
ROWS = {
    '"orders.csv"': "(1, 10, 'N'), (2, 20, 'S'), (3, 5, 'N')",
    '"items.csv"': "(1, 'a', 1, 2), (1, 'b', 2, 3), (2, 'a', 1, 1)",
    '"products.csv"': "('a', 'x', 7), ('b', 'y', 8)",
    "sales.notes": "(1, 'p'), (1, 'q')",
}
ORDERS, ITEMS, PRODUCTS = '"orders.csv" o', '"items.csv" i', '"products.csv" p'
OI = f"{ORDERS} JOIN {ITEMS} ON o.id = i.order_id"


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA sales")
        for (name, rows), columns in zip(ROWS.items(), TABLES.values(), strict=True):
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM (VALUES {rows}) t({', '.join(columns)})")
        yield connection


def found(database: duckdb.DuckDBPyConnection, sql: str) -> tuple[Repeat, ...]:
    """What is found of a statement that the engine takes; every counting query must pass the guard."""
    database.execute(sql)
    joined = read_joins(sql, "duckdb", TABLES)
    assert isinstance(joined, JoinedSql)
    checks, counted = {check.place: check for check in joined.checks()}, {}
    for check in checks.values():
        if check.sql:
            guarded = guard(check.sql, "duckdb", TABLES, caps_rows=1)
            assert isinstance(guarded, Guarded), guarded
            row = database.execute(guarded.sql).fetchone()
            assert row is not None
            counted[check.place] = Counts.of(row)
    return repeats(joined, checks, counted)


REPEATING = (
    f"SELECT SUM(o.amount) FROM {OI}",
    f"SELECT o.region, AVG(o.amount) FROM {ORDERS} LEFT JOIN {ITEMS} ON o.id = i.order_id GROUP BY 1",
    f"SELECT COUNT(o.id) FROM {OI}",
    f"SELECT SUM(amount) FROM {ORDERS}, {ITEMS} WHERE id = order_id",
    f"SELECT SUM(a.amount) FROM {ORDERS.replace(' o', ' a')} JOIN {ORDERS.replace(' o', ' b')} USING (region)",
    f"SELECT COUNT(*) FROM {OI} JOIN sales.notes n ON n.order_id = o.id",
    f"WITH j AS (SELECT o.*, i.sku FROM {OI}) SELECT region, SUM(amount) FROM j GROUP BY 1",
    f"SELECT SUM(x) FROM (SELECT o.amount * 2 AS x FROM {OI}) j",
    f"SELECT SUM(u.money) FROM (SELECT price AS money FROM {ITEMS} UNION ALL SELECT o.amount FROM {OI}) u",
    f"SELECT SUM(CASE WHEN i.sku = 'a' THEN o.amount ELSE 0 END) FROM {OI}",
    f"SELECT SUM(o.amount + i.price) FROM {OI}",
    f"SELECT SUM(o.amount) FILTER (WHERE i.qty > 0) FROM {OI}",
    f"SELECT SUM(o.amount) OVER (PARTITION BY o.region) FROM {OI}",
    f"SELECT MEDIAN(o.amount) FROM {OI}",
    f"SELECT fsum(o.amount) FROM {OI}",
    f"SELECT SUM(COALESCE(o.amount, 0)) FROM {OI}",
    f"SELECT MAX(t) FROM (SELECT SUM(o.amount) AS t FROM {OI} GROUP BY o.region) g",
    'SELECT SUM(o.amount) FROM "orders.csv" o JOIN sales.notes ON o.id = notes.order_id',
    f"SELECT SUM(o.amount) FROM {ORDERS} RIGHT JOIN {ITEMS} ON o.id = i.order_id",
)
SOUND = (
    f"SELECT o.region, SUM(i.price * i.qty), COUNT(*), COUNT(i.sku), COUNT(DISTINCT o.id) FROM {OI} GROUP BY 1",
    f"SELECT SUM(i.qty * p.weight) FROM {ITEMS} JOIN {PRODUCTS} USING (sku)",
    f"SELECT MAX(o.amount), MIN(o.amount) FROM {OI}",
    f"SELECT SUM(o.amount) FROM {ORDERS} WHERE EXISTS (SELECT 1 FROM {ITEMS} WHERE i.order_id = o.id)",
    f"SELECT SUM(o.amount) FROM {ORDERS} SEMI JOIN {ITEMS} ON o.id = i.order_id",
    f"WITH s AS (SELECT order_id, SUM(qty) AS q FROM {ITEMS} GROUP BY 1)"
    f" SELECT SUM(amount), SUM(q) FROM {ORDERS} JOIN s ON id = order_id",
    f"WITH j AS (SELECT DISTINCT o.id, o.amount, i.sku FROM {OI}) SELECT sku, SUM(amount) FROM j GROUP BY 1",
    f"SELECT SUM(CASE WHEN o.region = 'N' THEN 1 ELSE 0 END) FROM {OI}",
    f"SELECT AVG(o.amount) FROM {OI} WHERE i.sku = 'b'",
    f"SELECT SUM(o.amount) FROM {ORDERS} CROSS JOIN (SELECT MAX(price) AS top FROM {ITEMS}) m WHERE o.amount > m.top",
    f"SELECT COUNT(*) FROM (SELECT o.id FROM {OI} UNION ALL SELECT o.id FROM {ORDERS}) u",
    f"SELECT SUM(amount) FROM (SELECT id, amount FROM {ORDERS} UNION SELECT o.id, o.amount FROM {OI}) u",
    f"SELECT o.id, i.sku FROM {OI}",
)


@pytest.mark.parametrize("sql", REPEATING)
def test_an_aggregate_over_repeated_rows_is_found(database: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert found(database, sql)


@pytest.mark.parametrize("sql", SOUND)
def test_what_counts_each_row_once_passes(database: duckdb.DuckDBPyConnection, sql: str) -> None:
    assert found(database, sql) == ()


def test_the_counts_are_said(database: duckdb.DuckDBPyConnection) -> None:
    (repeat,) = found(database, f"SELECT SUM(o.amount) FROM {OI}")
    assert "2 of its 3 rows come 3 times in the join (rows of each side: o 3, i 3; joined: 3)" in repeat.told


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        (
            f"SELECT (SELECT SUM(i.qty * p.weight) FROM {ITEMS} JOIN {PRODUCTS} USING (sku) WHERE order_id = o.id)"
            f" FROM {ORDERS}",
            "around",
        ),
        (" UNION ALL ".join([f"SELECT SUM(i.qty) FROM {OI}"] * (MOST_CHECKS + 1)), "places"),
    ],
)
def test_an_aggregate_over_a_join_that_cannot_be_counted_does_not_pass(
    database: duckdb.DuckDBPyConnection, sql: str, reason: str
) -> None:
    (repeat,) = found(database, sql)
    assert reason in repeat.told


@pytest.mark.parametrize(
    ("dialect", "table", "sql"),
    [
        ("postgres", 'public."Orders"', 'SELECT SUM(o."Amount") FROM public."Orders" o JOIN items ON items.id = o.id'),
        ("sqlite", '"orders"', "SELECT SUM(Amount) FROM Orders JOIN Items ON Items.order_id = Orders.id"),
    ],
)
def test_tables_keep_the_names_that_their_database_knows(dialect: str, table: str, sql: str) -> None:
    tables = {"Orders": ("id", "Amount"), "items": ("id", "order_id")}
    joined = read_joins(sql, dialect, tables)
    assert isinstance(joined, JoinedSql)
    (check,) = joined.checks()
    assert f"FROM {table} AS" in check.sql
    counted = {check.place: Counts(2, ((1, 2, 1), (2, 2, 2)))}
    assert repeats(joined, {check.place: check}, counted)
