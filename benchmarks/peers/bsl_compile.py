"""The TPC-H questions on boring-semantic-layer, in its own environment: `FOLDER` of Parquet files in, JSON out."""

# mypy: ignore-errors
from __future__ import annotations

import json
import statistics
import sys
import time

import ibis
from boring_semantic_layer import to_semantic_table, to_untagged

FOLDER, REPEATS = sys.argv[1], int(sys.argv[2])


def model():
    """Lines joined up to their orders, customers, nations and parts, as BSL's own examples do."""
    connection = ibis.duckdb.connect()
    names = ("nation", "customer", "orders", "lineitem", "part")
    tables = {name: connection.read_parquet(f"{FOLDER}/{name}.parquet", table_name=name) for name in names}
    nation = to_semantic_table(tables["nation"], name="nation").with_dimensions(name=lambda t: t.n_name)
    customer = to_semantic_table(tables["customer"], name="customer").with_dimensions(segment=lambda t: t.c_mktsegment)
    part = to_semantic_table(tables["part"], name="part").with_dimensions(brand=lambda t: t.p_brand)
    orders = (
        to_semantic_table(tables["orders"], name="orders")
        .with_dimensions(status=lambda t: t.o_orderstatus, priority=lambda t: t.o_orderpriority)
        .with_measures(order_count=lambda t: t.count(), order_total=lambda t: t.o_totalprice.sum())
    )
    lines = (
        to_semantic_table(tables["lineitem"], name="lineitem")
        .with_dimensions(ship_mode=lambda t: t.l_shipmode)
        .with_measures(
            revenue=lambda t: (t.l_extendedprice * (1 - t.l_discount)).sum(), quantity=lambda t: t.l_quantity.sum()
        )
    )
    return (
        lines.join_one(orders, on=lambda left, right: left.l_orderkey == right.o_orderkey)
        .join_one(customer, on=lambda left, right: left.o_custkey == right.c_custkey)
        .join_one(nation, on=lambda left, right: left.c_nationkey == right.n_nationkey)
        .join_one(part, on=lambda left, right: left.l_partkey == right.p_partkey)
    )


QUESTIONS = {
    "q1": ("lineitem.ship_mode", ("lineitem.revenue",)),
    "q2": ("nation.name", ("orders.order_total",)),
    "q4": ("lineitem.ship_mode", ("orders.order_total",)),
    "q5": (
        "customer.segment",
        ("orders.order_total", "orders.order_count", "lineitem.revenue", "lineitem.quantity"),
    ),
}


def main():
    """Print, for each question, the median of its compiles in ms and its rows as text."""
    base, found = model(), {}
    for name, (group, measures) in QUESTIONS.items():
        times = []
        for _ in range(REPEATS):
            began = time.perf_counter()
            ibis.to_sql(to_untagged(base.group_by(group).aggregate(*measures)), dialect="duckdb")
            times.append((time.perf_counter() - began) * 1000)
        rows = base.group_by(group).aggregate(*measures).execute()
        cells = [[str(row[column]) for column in (group, *measures)] for _, row in rows.iterrows()]
        found[name] = {"ms": statistics.median(times), "rows": cells}
    print(json.dumps(found))


main()
