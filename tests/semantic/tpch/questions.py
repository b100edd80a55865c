"""Eight questions to TPC-H, three of them traps, with the SQL that a careful person would write for each."""

from __future__ import annotations

from backedge.semantic.model import Dimension, Measure, Model
from backedge.semantic.spec import By, Filter, Order, Spec
from tests.semantic.asking import view

TABLES = ("nation", "customer", "orders", "lineitem", "part")


def _dimensions(**columns: str) -> tuple[Dimension, ...]:
    """Dimensions by name, each given as "type column"."""
    pairs = {name: text.split() for name, text in columns.items()}
    return tuple(Dimension(name, kind, column) for name, (kind, column) in pairs.items())  # type: ignore[arg-type]


MODEL = Model(
    (
        view("nation", primary="nation(key)", extra=_dimensions(key="number n_nationkey", name="string n_name")),
        view(
            "customer",
            primary="customer(key)",
            foreign="nation(nation_key)",
            extra=_dimensions(key="number c_custkey", nation_key="number c_nationkey", segment="string c_mktsegment"),
        ),
        view(
            "orders",
            "",
            Measure("order_count", "count"),
            Measure("order_total", "sum", "o_totalprice"),
            Measure("customers", "count_distinct", "o_custkey"),
            Measure("aov", "number", "{{order_total}} / {{order_count}}"),
            primary="order(key)",
            foreign="customer(customer_key)",
            extra=_dimensions(
                key="number o_orderkey",
                customer_key="number o_custkey",
                order_date="date o_orderdate",
                status="string o_orderstatus",
                priority="string o_orderpriority",
            ),
        ),
        view(
            "lineitem",
            "",
            Measure("revenue", "sum", "l_extendedprice * (1 - l_discount)"),
            Measure("quantity", "sum", "l_quantity"),
            primary="lineitem(order_key, line)",
            foreign="order(order_key) part(part_key)",
            extra=_dimensions(
                order_key="number l_orderkey",
                line="number l_linenumber",
                part_key="number l_partkey",
                ship_mode="string l_shipmode",
                return_flag="string l_returnflag",
            ),
        ),
        view("part", primary="part(key)", extra=_dimensions(key="number p_partkey", brand="string p_brand")),
    )
)

_OF_ORDERS = ("order_count", "order_total", "customers", "aov")

SPECS = {
    "q1": Spec(("lineitem.revenue",), (By("lineitem.ship_mode"),)),
    "q2": Spec(("orders.order_total",), (By("nation.name"),)),
    "q3": Spec(
        ("lineitem.revenue",),
        (By("orders.order_date", "month"), By("part.brand")),
        (Filter("customer.segment", "equals", ("BUILDING",)),),
        order=(Order("lineitem.revenue", desc=True),),
        limit=10,
    ),
    "q4": Spec(("orders.order_total",), (By("lineitem.ship_mode"),)),
    "q5": Spec(
        ("orders.order_total", "orders.order_count", "lineitem.revenue", "lineitem.quantity"),
        (By("customer.segment"),),
    ),
    "q6": Spec(("orders.order_total",), (By("orders.status"),), (Filter("lineitem.ship_mode", "equals", ("AIR",)),)),
    "q7": Spec(("orders.aov",), (By("customer.segment"),)),
    "q8": Spec(
        (*(f"orders.{name}" for name in _OF_ORDERS), "lineitem.revenue", "lineitem.quantity"),
        (By("orders.order_date", "year"), By("orders.priority")),
    ),
}

HAND = {
    "q1": "SELECT l_shipmode, sum(l_extendedprice * (1 - l_discount)) FROM lineitem GROUP BY 1",
    "q2": """
        SELECT n_name, sum(o_totalprice)
        FROM orders LEFT JOIN customer ON c_custkey = o_custkey LEFT JOIN nation ON n_nationkey = c_nationkey
        GROUP BY 1""",
    "q3": """
        SELECT date_trunc('month', o_orderdate)::date, p_brand, sum(l_extendedprice * (1 - l_discount)) AS revenue
        FROM lineitem JOIN orders ON o_orderkey = l_orderkey JOIN customer ON c_custkey = o_custkey
        LEFT JOIN part ON p_partkey = l_partkey
        WHERE c_mktsegment = 'BUILDING'
        GROUP BY 1, 2 ORDER BY revenue DESC, 1, 2 LIMIT 10""",
    "q4": """
        SELECT l_shipmode, sum(o_totalprice)
        FROM (SELECT DISTINCT l_orderkey, l_shipmode FROM lineitem) JOIN orders ON o_orderkey = l_orderkey
        GROUP BY 1""",
    "q5": """
        WITH o AS (
            SELECT c_mktsegment, sum(o_totalprice) AS total, count(*) AS orders
            FROM orders JOIN customer ON c_custkey = o_custkey GROUP BY 1
        ), l AS (
            SELECT c_mktsegment, sum(l_extendedprice * (1 - l_discount)) AS revenue, sum(l_quantity) AS quantity
            FROM lineitem JOIN orders ON o_orderkey = l_orderkey JOIN customer ON c_custkey = o_custkey GROUP BY 1
        )
        SELECT c_mktsegment, total, orders, revenue, quantity FROM o JOIN l USING (c_mktsegment)""",
    "q6": """
        SELECT o_orderstatus, sum(o_totalprice) FROM orders
        WHERE o_orderkey IN (SELECT l_orderkey FROM lineitem WHERE l_shipmode = 'AIR')
        GROUP BY 1""",
    "q7": """
        SELECT c_mktsegment, sum(o_totalprice) / count(*) FROM orders JOIN customer ON c_custkey = o_custkey
        GROUP BY 1""",
    "q8": """
        WITH o AS (
            SELECT date_trunc('year', o_orderdate)::date AS year, o_orderpriority AS priority, count(*) AS orders,
                sum(o_totalprice) AS total, count(DISTINCT o_custkey) AS customers
            FROM orders GROUP BY 1, 2
        ), l AS (
            SELECT date_trunc('year', o_orderdate)::date AS year, o_orderpriority AS priority,
                sum(l_extendedprice * (1 - l_discount)) AS revenue, sum(l_quantity) AS quantity
            FROM lineitem JOIN orders ON o_orderkey = l_orderkey GROUP BY 1, 2
        )
        SELECT year, priority, orders, total, customers, total / orders, revenue, quantity
        FROM o LEFT JOIN l USING (year, priority)""",
}
