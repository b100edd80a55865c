"""A small shop for the grounder's tests: orders, their items and their customers, with traps of real models."""

from __future__ import annotations

from datetime import date

from backedge.ask.catalog import Catalog, Verified
from backedge.ask.grounding.values import Values, values_from
from backedge.query.table import Column, Table
from backedge.semantic.model import Dimension, Entity, Measure, Model, Segment, View

TODAY = date(2024, 5, 15)  # a Wednesday

ORDERS = View(
    name="orders",
    description="One row per order",
    table="orders",
    entities=(
        Entity("order", "primary", ("order_id",)),
        Entity("customer", "foreign", ("customer_id",)),
    ),
    dimensions=(
        Dimension("order_id", "number", "order_id", primary_key=True),
        Dimension("customer_id", "number", "customer_id"),
        Dimension("order_date", "date", "order_date", synonyms=("date",)),
        Dimension("status", "string", "status", synonyms=("state of the order",)),
        Dimension("channel", "string", "channel"),
        Dimension(
            "quarter",
            "number",
            "quarter(order_date)",
            description="Quarter of the year",
        ),
        Dimension("is_gift", "boolean", "is_gift", synonyms=("gift",)),
    ),
    measures=(
        Measure(
            "total_sales",
            "sum",
            "amount",
            description="Sales of all orders",
            synonyms=("revenue",),
        ),
        Measure("average_sales", "average", "amount"),
        Measure("max_sales", "max", "amount"),
        Measure("order_count", "count", description="Number of orders"),
        Measure("shipping_fees", "sum", "fee", synonyms=("shipping",)),
        Measure("average_fee", "average", "fee"),
        Measure("completed_orders", "count", filters=("status = 'completed'",)),
        Measure(
            "refund_rate",
            "custom",
            "sum(refund) / sum(amount)",
            description="Share of sales paid back",
        ),
    ),
    segments=(Segment("big_orders", "amount > 1000"),),
)
ITEMS = View(
    name="items",
    description="One row per order line",
    table="items",
    entities=(
        Entity("item", "primary", ("item_id",)),
        Entity("order", "foreign", ("order_id",)),
    ),
    dimensions=(
        Dimension("item_id", "number", "item_id", primary_key=True),
        Dimension("order_id", "number", "order_id"),
        Dimension("category", "string", "category", synonyms=("product group",)),
        Dimension("product_name", "string", "product_name"),
        Dimension("unit_price", "number", "unit_price"),
        Dimension("status", "string", "line_status"),
    ),
    measures=(
        Measure("quantity", "sum", "quantity", synonyms=("units", "units sold")),
        Measure("item_revenue", "sum", "quantity * unit_price"),
        Measure("max_unit_price", "max", "unit_price"),
        Measure("net_margin", "sum", "margin"),
        Measure(
            "product_count",
            "count_distinct",
            "product_name",
            description="Number of unique products in the shop",
        ),
    ),
)
CUSTOMERS = View(
    name="customers",
    table="customers",
    entities=(Entity("customer", "primary", ("customer_id",)),),
    dimensions=(
        Dimension("customer_id", "number", "customer_id", primary_key=True),
        Dimension("country", "string", "country", synonyms=("nation",)),
        Dimension("segment", "string", "segment", samples=("Consumer", "Corporate")),
        Dimension("signup_date", "date", "signup_date"),
        Dimension("age", "number", "age"),
    ),
    measures=(
        Measure("customer_count", "count", synonyms=("clients",)),
        Measure("average_age", "average", "age", description="Average age of customers"),
    ),
)
STOCK = View(
    name="stock",
    description="Counts of what lies in the warehouses; it does not join the rest",
    table="stock",
    entities=(Entity("shelf", "primary", ("shelf_id",)),),
    dimensions=(
        Dimension("shelf_id", "number", "shelf_id"),
        Dimension("warehouse", "string", "warehouse"),
    ),
    measures=(Measure("stock_on_hand", "sum", "pieces", description="Pieces on the shelves"),),
)
SALES_COPY = View(
    name="sales_copy",
    description="The same orders, declared again",
    table="orders",
    entities=(Entity("order_copy", "primary", ("order_id",)),),
    dimensions=(
        Dimension("order_id", "number", "order_id"),
        Dimension("channel", "string", "channel"),
        Dimension("order_date", "date", "order_date"),
    ),
    measures=(
        Measure("total_sales", "sum", "amount"),
        Measure("turnover", "sum", "amount", synonyms=("revenue",)),
    ),
)
MODEL = Model((ORDERS, ITEMS, CUSTOMERS, STOCK, SALES_COPY))
CATALOG = Catalog(
    MODEL,
    verified=(
        Verified(
            "repeat_buyers",
            "select 1",
            description="Customers with more than one order",
            embed=("Who buys again",),
        ),
    ),
)


def column(path: str, *cells: object) -> tuple[str, Table]:
    """What a value query of `path` gives."""
    name = path.partition(".")[2]
    return path, Table(
        columns=(Column(name=name, type="VARCHAR", kind="text"),),
        rows=tuple((cell,) for cell in cells),
    )


VALUES: Values = values_from(
    MODEL,
    (
        column("orders.status", "completed", "cancelled", "returned", None),
        column("orders.channel", "Web", "Store", "web"),
        column("items.category", "Toys", "Tea & Coffee", "Books", "High (>10)"),
        column("items.product_name", "Kite", "Teapot", "Germany Map"),
        column("items.status", "returned", "shipped"),
        column("customers.country", "Germany", "France", "US", "Côte d'Ivoire"),
        column("stock.warehouse", "North", "South"),
        column("orders.order_date", date(2022, 1, 3)),
        column("orders.order_date", date(2024, 5, 14)),
        column("sales_copy.order_date", date(2022, 1, 3)),
        column("sales_copy.order_date", date(2024, 5, 14)),
    ),
)
