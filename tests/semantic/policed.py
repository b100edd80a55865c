"""A shop in which somebody of the region EU may not see anything of Zanzibar: full, and with its hidden rows gone."""

from __future__ import annotations

import duckdb

from backedge.query.ports import Rejected
from backedge.query.sqlguard import guard
from backedge.semantic.model import Dimension, Entity, Measure, Model, RowPolicy, Segment, Topic, TopicFilter, View
from backedge.semantic.permit import Permitted, permitted_sql

EU: dict[str, str | tuple[str, ...]] = {"region": "EU"}
HIDDEN = ("Zanzibar", "voldemort", "77700777", "1999-", "zap")
ORDERS = """SELECT * FROM (VALUES (1, 'EU', 10, DATE '2024-01-05', 'ann', 'paid'),
    (2, 'EU', 20, DATE '2024-02-05', 'bob', 'open'), (3, 'US', 30, DATE '2024-03-05', 'cy', 'paid'),
    (4, 'Zanzibar', 77700777, DATE '1999-12-31', 'voldemort', 'zap'),
    (5, NULL, 77700777, DATE '1999-01-01', 'voldemort', 'zap'))
    t(id, region, amount, day, buyer, status)"""
LINES = """SELECT * FROM (VALUES (1, 1, 'EU', 2), (2, 2, 'EU', 3), (3, 3, 'US', 4),
    (4, 4, 'Zanzibar', 77700777))
    t(id, order_id, region, qty)"""
SHOPS = "SELECT * FROM (VALUES ('EU', 'Berlin'), ('Zanzibar', 'Stone Town')) t(region, town)"
TABLES = {"orders.csv": ORDERS, "lines": LINES, "shops": SHOPS}
TENANT = RowPolicy("tenant", "region = {{user.region}}", exempt=(("role", ("admin",)),))

ORDERS_VIEW = View(
    name="orders",
    table="orders.csv",
    datasource="local",
    entities=(Entity("order", "primary", ("id",)),),
    dimensions=(
        Dimension("id", "number", "id"),
        Dimension("region", "string", "region", samples=("Zanzibar",)),
        Dimension("buyer", "string", "buyer", samples=("voldemort",)),
        Dimension("status", "string", "status"),
        Dimension("day", "date", "day"),
    ),
    measures=(
        Measure("count", "count"),
        Measure("total", "sum", "amount"),
        Measure("largest", "max", "amount"),
        Measure("earliest", "min", "day"),
        Measure("names", "custom", "STRING_AGG(buyer, ',')"),
    ),
    segments=(Segment("large", "amount > 100"),),
    row_policies=(TENANT,),
)
LINES_VIEW = View(
    name="lines",
    table="lines",
    datasource="local",
    entities=(Entity("line", "primary", ("id",)), Entity("order", "foreign", ("order_id",))),
    dimensions=(Dimension("id", "number", "id"), Dimension("order_id", "number", "order_id")),
    measures=(Measure("count", "count"), Measure("quantity", "sum", "qty")),
    row_policies=(RowPolicy("tenant", "{{TABLE}}.region IN ({{user.region}})"),),
)
SHOPS_VIEW = View(
    name="shops",
    table="shops",
    datasource="local",
    dimensions=(Dimension("town", "string", "town"),),
    measures=(Measure("count", "count"),),
)
OTHER_WAY = View(
    name="paid",
    sql="""WITH o AS (SELECT * FROM orders WHERE status <> 'open')
        SELECT o.*, l.qty FROM o JOIN lines l ON l.order_id = o.id""",
    datasource="local",
    dimensions=(Dimension("buyer", "string", "buyer"),),
    measures=(Measure("count", "count"), Measure("quantity", "sum", "qty")),
)
SAME_TABLE = View(
    name="sales",
    table="main.Orders",
    datasource="local",
    dimensions=(Dimension("who", "string", "buyer"),),
    measures=(Measure("count", "count"), Measure("total", "sum", "amount")),
)
MODEL = Model((ORDERS_VIEW, LINES_VIEW, SHOPS_VIEW, OTHER_WAY, SAME_TABLE))
PAID_ONLY = Topic(
    "sales", views=("orders", "lines"), default_filters=(TopicFilter("orders.status", "equals", ("paid",)),)
)


def database(*, hidden: bool = True) -> duckdb.DuckDBPyConnection:
    """The shop, with or without the rows that the EU may not see."""
    connection = duckdb.connect()
    for name, rows in TABLES.items():
        seen = "" if hidden or name == "shops" else " WHERE region = 'EU'"
        connection.execute(f'CREATE TABLE "{name}" AS SELECT * FROM ({rows}){seen}')
    connection.execute('CREATE VIEW orders AS SELECT * FROM "orders.csv"')
    connection.execute('CREATE VIEW backdoor AS SELECT * FROM "orders.csv"')
    return connection


COLUMNS = {
    **dict.fromkeys(("orders.csv", "orders", "backdoor"), ("id", "region", "amount", "day", "buyer", "status")),
    "lines": ("id", "order_id", "region", "qty"),
    "shops": ("region", "town"),
}


def guarded(connection: duckdb.DuckDBPyConnection, sql: str, params: tuple[object, ...] = ()) -> object:
    """What a connector gives: rows, or why the guard or the engine refused."""
    judged = guard(sql, "duckdb", COLUMNS, caps_rows=1_000)
    if isinstance(judged, Rejected):
        return judged.kind
    try:
        return sorted(connection.execute(judged.sql, list(params)).fetchall(), key=repr)
    except duckdb.Error as error:
        return type(error).__name__


def by_sql(connection: duckdb.DuckDBPyConnection, sql: str, model: Model = MODEL, **attributes: str) -> object:
    """What somebody with those attributes gets of SQL: rows, `not_permitted`, or why guard or engine refused."""
    found = permitted_sql(model, sql, "duckdb", database="local", default="local", attributes=attributes)
    if not isinstance(found, Permitted):
        assert {defect.kind for defect in found} == {"not_permitted"}
        assert not any(word in defect.message for defect in found for word in HIDDEN), found
        return "not_permitted"
    return guarded(connection, found.sql, found.params)
