"""SQL that the model did not make shows the rows that policies allow, however it names the table, or does not run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model, RowPolicy, Topic, TopicFilter, View
from backedge.semantic.permit import Permitted, permitted_sql
from backedge.semantic.spec import Spec
from tests.semantic.policed import (
    EU,
    HIDDEN,
    LINES_VIEW,
    MODEL,
    ORDERS_VIEW,
    PAID_ONLY,
    SHOPS_VIEW,
    by_sql,
    database,
    guarded,
)

FULL, SEEN = database(), database(hidden=False)

READS = [
    "SELECT * FROM orders",
    "SELECT count(*) FROM orders.csv",
    "SELECT max(amount) FROM 'orders.csv'",
    'SELECT sum(amount) FROM "Orders.CSV"',
    "SELECT min(day), max(day) FROM main.ORDERS",
    "FROM orders SELECT buyer",
    "TABLE orders",
    "SELECT o.buyer FROM orders AS o",
    "SELECT a, b FROM orders AS o(a, b, c)",
    "SELECT orders.buyer FROM orders WHERE orders.amount > 5",
    "SELECT buyer FROM orders WHERE amount > 5 OR 1 = 1",
    "SELECT buyer FROM (SELECT * FROM orders) AS o",
    "SELECT buyer FROM ((SELECT * FROM orders)) AS o",
    "SELECT o.buyer, l.qty FROM orders o JOIN lines l ON l.order_id = o.id",
    "SELECT o.buyer, l.qty FROM orders o FULL JOIN lines l ON l.order_id = o.id",
    "SELECT * FROM (orders o JOIN lines l ON l.order_id = o.id)",
    "SELECT s.town, o.buyer FROM shops s LEFT JOIN orders o USING (region)",
    "SELECT s.town, o.buyer FROM shops s, LATERAL (SELECT * FROM orders WHERE orders.region = s.region) AS o",
    "SELECT s.town FROM shops s WHERE EXISTS (SELECT 1 FROM orders o WHERE o.region = s.region)",
    "SELECT s.town FROM shops s WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.region = s.region)",
    "SELECT s.town, (SELECT count(*) FROM orders o WHERE o.region = s.region) FROM shops s",
    "SELECT town FROM shops WHERE region IN (SELECT region FROM orders)",
    "SELECT town FROM shops WHERE region = ANY (SELECT region FROM orders)",
    "SELECT town FROM shops ORDER BY (SELECT max(amount) FROM orders)",
    "SELECT buyer FROM orders UNION ALL SELECT buyer FROM orders.csv",
    "SELECT region FROM shops EXCEPT SELECT region FROM orders",
    "SELECT region FROM shops INTERSECT SELECT region FROM orders",
    "WITH o AS (SELECT * FROM orders) SELECT buyer FROM o",
    "WITH orders AS (SELECT * FROM orders) SELECT buyer FROM orders",
    "WITH ORDERS AS (SELECT * FROM 'orders.csv') SELECT buyer, Orders.amount FROM orders",
    "WITH a AS (SELECT * FROM orders), orders AS (SELECT * FROM a) SELECT buyer FROM orders",
    "WITH x AS (WITH orders AS (SELECT 1 AS buyer) SELECT * FROM orders) SELECT o.buyer FROM orders o, x",
    "SELECT buyer FROM (WITH orders AS (SELECT * FROM orders) SELECT * FROM orders) AS o",
    "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r, orders WHERE n < 3) SELECT count(*) FROM r",
    "SELECT orders FROM orders",
    "SELECT count(*) FROM orders o POSITIONAL JOIN lines l",
    "SELECT buyer, row_number() OVER (ORDER BY amount DESC) FROM orders",
    "SELECT status, sum(amount) FROM orders GROUP BY ALL HAVING sum(amount) > 0",
    "SELECT DISTINCT ON (buyer) buyer FROM orders",
    "SELECT * EXCLUDE (id) FROM orders",
    "SELECT * FROM orders PIVOT (sum(amount) FOR status IN ('paid', 'zap'))",
    "SELECT buyer FROM orders LIMIT 100 OFFSET 0",
    "SELECT CASE WHEN (SELECT count(*) FROM orders WHERE buyer = 'voldemort') > 0 THEN 'there' END",
]
REFUSED = [
    "SELECT * FROM backdoor",
    "SELECT * FROM orders, backdoor",
    "SELECT * FROM read_csv('orders.csv')",
    "SELECT * FROM query_table('orders')",
    "SELECT * FROM query('SELECT * FROM orders')",
    "SELECT * FROM duckdb_tables()",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM orders AT (VERSION => 1)",
    "SELECT * FROM other.orders",
    "SELECT * FROM memory.main.orders",
    "SELECT 1; SELECT * FROM orders",
    "DELETE FROM orders",
    "SUMMARIZE orders",
    "DESCRIBE orders",
    "PIVOT orders ON status USING sum(amount)",
    "SELECT * FROM orders WHERE region = $1",
    "SELECT * FROM orders WHERE region = ?",
    "SELECT FROM WHERE",
    "COPY orders TO 'out.csv'",
]
REJECTED = [
    "SELECT * FROM (orders)",
    "WITH RECURSIVE orders AS (SELECT * FROM orders) SELECT * FROM orders",
    "WITH RECURSIVE backdoor AS (SELECT * FROM backdoor) SELECT * FROM backdoor",
    "SELECT rowid FROM orders",
    "SELECT main.orders.buyer FROM main.orders",
    "SELECT * FROM (SUMMARIZE orders)",
    "SELECT 'voldemort' IN orders",
]


@pytest.mark.parametrize("sql", READS)
def test_it_gives_what_it_gives_where_hidden_rows_do_not_exist(sql: str) -> None:
    found = by_sql(FULL, sql, region="EU")
    assert isinstance(found, list), found
    assert found == guarded(SEEN, sql)


@pytest.mark.parametrize("sql", [sql for sql in READS if "shops" not in sql and "FROM x" not in sql][:25])
def test_it_shows_every_row_to_who_is_exempt(sql: str) -> None:
    only_orders = Model((ORDERS_VIEW, replace(LINES_VIEW, row_policies=())))
    assert by_sql(FULL, sql, only_orders, role="admin") == guarded(FULL, sql)


@pytest.mark.parametrize("sql", REFUSED)
def test_what_cannot_be_rewritten_is_refused(sql: str) -> None:
    assert by_sql(FULL, sql, region="EU") == "not_permitted"


@pytest.mark.parametrize("sql", REJECTED)
def test_what_a_rewrite_would_misread_does_not_run(sql: str) -> None:
    assert isinstance(by_sql(FULL, sql, region="EU"), str)


@pytest.mark.parametrize("sql", READS[:3])
def test_without_the_attribute_nothing_is_read(sql: str) -> None:
    assert by_sql(FULL, sql) == "not_permitted"
    assert by_sql(FULL, sql, region="") == "not_permitted"
    assert by_sql(FULL, sql, role="user") == "not_permitted"


def test_the_refusal_names_the_attribute_and_how_to_give_it() -> None:
    found = permitted_sql(MODEL, "SELECT * FROM orders", "duckdb", database="local", default="local")
    assert not isinstance(found, Permitted)
    assert "attribute region" in found[0].message
    assert found[0].hint == "ask with --as region=VALUE"


@pytest.mark.parametrize(
    "value",
    [
        "EU' OR '1'='1",
        "EU'; DROP TABLE orders; --",
        "%",
        "_U",
        "eu",
        "EU ",
        "$1",
        "{{user.role}}",
        "ÉU",
        "EU\n",
        "'",
        '"',
    ],
)
def test_odd_attribute_values_are_values(value: str) -> None:
    assert by_sql(FULL, "SELECT * FROM orders", region=value) == []
    found = permitted_sql(
        MODEL, "TABLE orders", "duckdb", database="local", default="local", attributes={"region": value}
    )
    assert isinstance(found, Permitted)
    assert found.params == (value,)


def test_several_values_are_an_in() -> None:
    found = permitted_sql(
        MODEL, "SELECT id FROM orders", "duckdb", database="local", default="local", attributes={"region": ("EU", "US")}
    )
    assert isinstance(found, Permitted)
    assert guarded(FULL, found.sql, found.params) == [(1,), (2,), (3,)]


def test_sql_over_free_tables_is_left_as_it_is() -> None:
    sql = "SELECT town  FROM shops -- as written"
    found = permitted_sql(MODEL, sql, "duckdb", database="local", default="local", attributes=EU)
    assert found == Permitted(sql)


def test_a_policy_holds_in_its_own_database_only() -> None:
    sql = "SELECT * FROM orders"
    assert permitted_sql(MODEL, sql, "duckdb", database="other", default="local") == Permitted(sql)
    unnamed = replace(MODEL, views=(replace(ORDERS_VIEW, datasource=""),))
    assert permitted_sql(unnamed, sql, "duckdb", database="other", default="local") == Permitted(sql)
    assert not isinstance(permitted_sql(unnamed, sql, "duckdb", database="local", default="local"), Permitted)


def test_what_a_policed_query_reads_is_closed_to_other_sql() -> None:
    joined = View(
        name="joined",
        sql="SELECT o.*, s.town FROM orders o JOIN shops s USING (region)",
        datasource="local",
        row_policies=(RowPolicy("tenant", "region = {{user.region}}"),),
    )
    closed = Model((joined, SHOPS_VIEW))
    assert by_sql(FULL, "SELECT * FROM orders", closed, region="EU") == "not_permitted"
    assert by_sql(FULL, "SELECT * FROM shops", closed, region="EU") == "not_permitted"
    opened = Model((joined, replace(SHOPS_VIEW, row_policies=(RowPolicy("open", "true"),))))
    assert by_sql(FULL, "SELECT count(*) FROM shops", opened, region="EU") == [(2,)]


def test_a_name_that_may_be_a_policed_table_of_a_schema_is_refused() -> None:
    free = replace(SHOPS_VIEW, name="plain", table="orders", dimensions=())
    model = Model((replace(ORDERS_VIEW, table="analytics.orders"), free))
    assert by_sql(FULL, "SELECT * FROM orders", model, region="EU") == "not_permitted"
    assert isinstance(compile_spec(model, Spec(measures=("plain.count",)), attributes=EU), tuple)


def test_sqlite_may_not_read_a_table_by_in() -> None:
    sql = "SELECT 'voldemort' IN orders FROM shops"
    found = permitted_sql(MODEL, sql, "sqlite", database="local", default="local", attributes=EU)
    assert not isinstance(found, Permitted)


def _topics(*topics: Topic) -> Model:
    free = (replace(ORDERS_VIEW, row_policies=()), replace(LINES_VIEW, row_policies=()), SHOPS_VIEW)
    return Model(free, topics)


def test_default_filters_hold_in_sql_too() -> None:
    model = _topics(PAID_ONLY)
    assert by_sql(FULL, "SELECT id FROM orders.csv", model) == [(1,), (3,)]
    joined = "SELECT o.id FROM lines l JOIN orders o ON o.id = l.order_id"
    assert by_sql(FULL, joined, model) == [(1,), (3,)]
    assert by_sql(FULL, "SELECT count(*) FROM shops", model) == [(2,)]


def test_a_default_filter_that_cannot_be_applied_is_a_refusal() -> None:
    assert by_sql(FULL, "SELECT count(*) FROM lines", _topics(PAID_ONLY)) == "not_permitted"
    rival = Topic("all", views=("orders",))
    assert by_sql(FULL, "SELECT id FROM orders", _topics(PAID_ONLY, rival)) == "not_permitted"
    twin = replace(PAID_ONLY, name="twin")
    assert by_sql(FULL, "SELECT id FROM orders", _topics(PAID_ONLY, twin)) == [(1,), (3,)]


def test_policies_and_default_filters_hold_together() -> None:
    open_only = replace(PAID_ONLY, default_filters=(TopicFilter("orders.status", "equals", ("open",)),))
    assert by_sql(FULL, "SELECT id FROM orders", Model(MODEL.views, (open_only,)), region="EU") == [(2,)]


def test_nothing_hidden_is_in_what_a_reader_is_told() -> None:
    found = permitted_sql(MODEL, "TABLE orders", "duckdb", database="local", default="local", attributes=EU)
    assert isinstance(found, Permitted)
    assert found.notes == ("only rows of orders that row policy tenant allows",)
    assert not any(word in found.sql for word in HIDDEN)
