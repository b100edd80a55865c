"""A shop whose measures look along time: windows, shifts, first and last values, ratios of two levels."""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from backedge.semantic.model import Dimension, Measure, Model
from backedge.semantic.timed import NonAdditive, Shift, Span, Window
from tests.semantic.asking import view

Row = Mapping[str, object]
Data = Mapping[str, list[Row]]
COLUMNS = {
    "customers": {"id": "INTEGER", "region": "VARCHAR"},
    "orders": {"id": "INTEGER", "customer_id": "INTEGER", "status": "VARCHAR", "day": "DATE", "amount": "INTEGER"},
    "items": {"order_id": "INTEGER", "line": "INTEGER", "sku": "VARCHAR", "qty": "INTEGER"},
}
WINDOWS: dict[str, Window] = {
    "week_long": Window(trailing=Span(days=7)),
    "three": Window(trailing=3),
    "two_months": Window(trailing=Span(months=2)),
    "ever": Window(trailing="unbounded"),
    "ahead": Window(trailing=1, leading=Span(days=10)),
    "before": Window(trailing=Span(days=30), offset="start"),
    "rest": Window(trailing=0, leading="unbounded", offset="start"),
    "month_so_far": Window(to_date="month"),
    "year_so_far": Window(to_date="year"),
}
SHIFTS = {
    "month_ago": Span(months=1),
    "year_ago": Span(months=12),
    "week_ago": Span(days=7),
    "ahead_month": Span(months=-1),
}
SIMPLE = {
    "total": ("sum", "amount"),
    "count": ("count", ""),
    "mean": ("average", "amount"),
    "least": ("min", "amount"),
    "most": ("max", "amount"),
    "kinds": ("count_distinct", "status"),
    "middle": ("median", "amount"),
}
STOCK = {
    "closing": NonAdditive("day"),
    "opening": NonAdditive("day", "first"),
    "closing_each": NonAdditive("day", "last", ("customer_id",)),
}


def _orders() -> tuple[Measure, ...]:
    simple = [Measure(name, type_, expr) for name, (type_, expr) in SIMPLE.items()]  # type: ignore[arg-type]
    windows = [
        Measure(f"{name}_{shape}", type_, expr, window=window)  # type: ignore[arg-type]
        for name, (type_, expr) in SIMPLE.items()
        for shape, window in WINDOWS.items()
    ]
    shifts = [
        Measure(f"{name}_{shape}", "custom", shift=Shift(name, by))
        for name in ("total", "count", "total_three", "closing", "per_item")
        for shape, by in SHIFTS.items()
    ]
    stock = [Measure(name, "sum", "amount", non_additive=rule) for name, rule in STOCK.items()]
    return (
        *simple,
        *windows,
        *shifts,
        *stock,
        Measure("closing_a", "sum", "amount", ("status = 'a'",), non_additive=STOCK["closing"]),
        Measure("per_item", "ratio", numerator="total", denominator="items.count"),
        Measure("filled", "sum", "amount", fill_nulls_with=0),
        Measure("rolling_mean", "number", "{{total}} / {{count}}", window=WINDOWS["three"]),
        Measure("filled_more", "number", "{{filled}} + {{items.count}}"),
    )


MODEL = Model(
    (
        view("customers", "id:number region", Measure("count", "count"), primary="customer(id)"),
        view(
            "orders",
            "id:number customer_id:number amount:number status day:date",
            *_orders(),
            primary="order(id)",
            foreign="customer(customer_id)",
        ),
        view(
            "items",
            "order_id:number line:number qty:number sku",
            Measure("count", "count"),
            Measure("qty_three", "sum", "qty", window=WINDOWS["three"]),
            primary="item(order_id, line)",
            foreign="order(order_id)",
            extra=(Dimension("shape", "string", "sku"),),
        ),
    )
)


def fill(connection: duckdb.DuckDBPyConnection, data: Data) -> None:
    """Make the shop's tables anew with the rows given."""
    for table, columns in COLUMNS.items():
        connection.execute(f"CREATE OR REPLACE TABLE {table} ({', '.join(f'{n} {t}' for n, t in columns.items())})")
        rows = [[row.get(name) for name in columns] for row in data.get(table, ())]
        if rows:
            marks = ", ".join(f"({', '.join('?' for _ in columns)})" for _ in rows)
            connection.execute(f"INSERT INTO {table} VALUES {marks}", [cell for row in rows for cell in row])
