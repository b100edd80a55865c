"""A small shop as a model and as tables: customers, orders, items and returns in a chain, tickets beside the orders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import duckdb

from backedge.semantic.model import Dimension, Entity, Measure, Model, Segment, View

Row = Mapping[str, object]
Data = Mapping[str, list[Row]]

COLUMNS = {
    "customers": {"id": "INTEGER", "region": "VARCHAR", "vip": "BOOLEAN"},
    "orders": {
        "id": "INTEGER",
        "customer_id": "INTEGER",
        "status": "VARCHAR",
        "day": "DATE",
        "amount": "INTEGER",
    },
    "items": {
        "order_id": "INTEGER",
        "line": "INTEGER",
        "sku": "VARCHAR",
        "qty": "INTEGER",
    },
    "returns": {
        "id": "INTEGER",
        "order_id": "INTEGER",
        "line": "INTEGER",
        "reason": "VARCHAR",
        "refund": "INTEGER",
    },
    "tickets": {
        "id": "INTEGER",
        "customer_id": "INTEGER",
        "topic": "VARCHAR",
        "minutes": "INTEGER",
    },
}


def _numbers(*names: str) -> tuple[Dimension, ...]:
    return tuple(Dimension(n, "number", n) for n in names)


def _texts(*names: str) -> tuple[Dimension, ...]:
    return tuple(Dimension(n, "string", n) for n in names)


CUSTOMERS = View(
    name="customers",
    table="customers",
    datasource="local",
    entities=(Entity("customer", "primary", ("id",)),),
    dimensions=(*_numbers("id"), *_texts("region"), Dimension("vip", "boolean", "vip")),
    measures=(
        Measure("count", "count"),
        Measure("regions", "count_distinct", "region"),
    ),
)
ORDERS = View(
    name="orders",
    table="orders",
    datasource="local",
    entities=(
        Entity("order", "primary", ("id",)),
        Entity("customer", "foreign", ("customer_id",)),
    ),
    dimensions=(
        *_numbers("id", "customer_id", "amount"),
        *_texts("status"),
        Dimension("day", "date", "day"),
    ),
    measures=(
        Measure("count", "count"),
        Measure("total", "sum", "amount"),
        Measure("mean", "average", "{{amount}}"),
        Measure("middle", "median", "amount"),
        Measure("open_count", "count", filters=("{{status}} = 'a'",)),
        Measure("open_total", "sum", "amount", filters=("status = 'a'",)),
        Measure("per_order", "number", "{{total}} / {{count}}"),
        Measure("spread", "custom", "MAX(amount) - MIN(amount)"),
        Measure("first_day", "min", "day"),
        Measure("ordered_qty", "sum", "{{item.qty}}"),
        Measure("per_item", "number", "{{total}} / {{items.count}}"),
    ),
    segments=(Segment("large", "amount > 5"),),
)
ITEMS = View(
    name="items",
    table="items",
    datasource="local",
    entities=(
        Entity("item", "primary", ("order_id", "line")),
        Entity("order", "foreign", ("order_id",)),
    ),
    dimensions=(*_numbers("order_id", "line", "qty"), *_texts("sku")),
    measures=(
        Measure("count", "count"),
        Measure("qty_total", "sum", "qty"),
        Measure("skus", "count_distinct", "sku"),
        Measure("rows", "count_distinct"),
    ),
)
RETURNS = View(
    name="returns",
    table="returns",
    datasource="local",
    entities=(
        Entity("return", "primary", ("id",)),
        Entity("item", "foreign", ("order_id", "line")),
    ),
    dimensions=(*_numbers("id", "order_id", "line"), *_texts("reason")),
    measures=(Measure("count", "count"), Measure("refunds", "sum", "refund")),
)
TICKETS = View(
    name="tickets",
    table="tickets",
    datasource="local",
    entities=(
        Entity("ticket", "primary", ("id",)),
        Entity("customer", "foreign", ("customer_id",)),
    ),
    dimensions=(*_numbers("id", "customer_id"), *_texts("topic")),
    measures=(Measure("count", "count"), Measure("longest", "max", "minutes")),
)
SHOP = Model((CUSTOMERS, ORDERS, ITEMS, RETURNS, TICKETS))


def fill(connection: duckdb.DuckDBPyConnection, data: Data) -> None:
    """Make the shop's tables anew with the rows given."""
    for table, columns in COLUMNS.items():
        shape = ", ".join(f"{name} {type_}" for name, type_ in columns.items())
        connection.execute(f"CREATE OR REPLACE TABLE {table} ({shape})")
        rows = [[row.get(name) for name in columns] for row in data.get(table, ())]
        if rows:
            marks = ", ".join(f"({', '.join('?' * len(columns))})" for _ in rows)
            connection.execute(
                f"INSERT INTO {table} VALUES {marks}",
                [value for row in rows for value in row],
            )


def rows_of(connection: duckdb.DuckDBPyConnection, sql: str, params: Iterable[object]) -> list[tuple[object, ...]]:
    """What a query gives."""
    return connection.execute(sql, list(params)).fetchall()
