"""What the demo's model compiles to gives the same on DuckDB, SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from math import isclose

import pytest

from backedge.assemble import connect
from backedge.config.project import Project, load_project
from backedge.query.ports import Connector, Ran
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model
from backedge.semantic.spec import By, Comparison, Compiled, Filter, Order, Spec
from tests.shops import duckdb_shop, postgres_shop, shop_rows, sqlite_shop

DAY = "orders.order_date"
IN_2024 = Filter(DAY, "in_range", (date(2024, 1, 1), date(2025, 1, 1)))
COUNT, VALUE, UNITS, NET = (
    "orders.order_count",
    "orders.order_value",
    "order_items.units_sold",
    "order_items.net_revenue",
)
SHAPES = [
    Spec((VALUE, UNITS), (By("customers.country"),), order=(Order(VALUE, desc=True),), limit=5),
    Spec((VALUE,), (By("order_items.category"),)),
    Spec((COUNT, "orders.return_rate"), (By("customers.segment"),)),
    Spec((NET,), (By("order_items.category"), By("orders.channel"))),
    Spec((UNITS, VALUE, "customers.customer_count")),
    Spec((COUNT,), (By(DAY, "month"),), (IN_2024,)),
    Spec((COUNT,), (By(DAY, "quarter"), By("orders.channel"))),
    Spec((VALUE,), (By(DAY, "week"),), (IN_2024,)),
    Spec((VALUE,), (By(DAY, "year"),)),
    Spec((COUNT,), (By(DAY, "day"),), (Filter(DAY, "in_range", (date(2024, 2, 28), date(2024, 3, 2))),)),
    Spec((COUNT,), (By("orders.status"),), (Filter("customers.country", "in", ("Germany", "France")),)),
    Spec((COUNT,), (), (Filter("customers.segment", "not_equals", ("consumer",)),)),
    Spec((COUNT,), (), (Filter("customers.segment", "not_set"),)),
    Spec((COUNT,), (), (Filter("order_items.category", "equals", ("Books",)),)),
    Spec((COUNT,), (), (Filter("order_items.product", "contains", ("e",)),)),
    Spec((COUNT,), (By("customers.country"),), (Filter(COUNT, "gt", (20,)),)),
    Spec((VALUE,), (By("customers.country"),), (Filter(VALUE, "gt", (Decimal("1000.5"),)),)),
    Spec((NET,), (By("order_items.product"),), order=(Order(NET),), limit=3),
    Spec((COUNT,), (), segments=("customers.business_customers",)),
    Spec((), (By("orders.order_id"), By(DAY)), (IN_2024,), order=(Order("orders.order_id"),), limit=7, listing=True),
    Spec((VALUE,), (By("customers.country"),), part=(Filter("orders.channel", "equals", ("web",)),)),
    Spec(
        (VALUE,),
        (By("customers.country"), By("orders.channel")),
        per=("customers.country",),
        order=(Order(VALUE, True),),
        limit=1,
    ),
]


@pytest.fixture(scope="module")
def shops(
    postgres_server: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, tuple[Project, Connector]]]:
    folder, rows = tmp_path_factory.mktemp("shops"), shop_rows(every=20)
    made = [
        duckdb_shop(folder / "duckdb", rows),
        sqlite_shop(folder / "sqlite", rows),
        postgres_shop(folder / "postgres", rows, postgres_server, "agreeing"),
    ]
    projects = {project.databases[0].type: project for project in map(load_project, made)}
    found = {name: (project, connect(project.databases[0], project.root)) for name, project in projects.items()}
    opened = {name: (project, connector) for name, (project, connector) in found.items() if connector is not None}
    assert set(opened) == {"duckdb", "sqlite", "postgres"}
    yield opened
    for _, connector in opened.values():
        asyncio.run(connector.close())


def measures(model: Model) -> list[str]:
    return [f"{view.name}.{measure.name}" for view in model.views for measure in view.measures]


def asked(shop: tuple[Project, Connector], spec: Spec) -> Ran | None:
    """The rows, or None where the dialect has no right way."""
    project, connector = shop
    query = compile_spec(project.catalog.model, spec)
    if not isinstance(query, Compiled):
        assert {defect.kind for defect in query} == {"not_supported"}, query
        return None
    assert query.dialect == connector.dialect
    result = asyncio.run(connector.run(query.sql, query.params))
    assert isinstance(result, Ran), (result, query.sql)
    return result


def same(ours: object, right: object) -> bool:
    """Exact for whole numbers and decimals; what SQLite and divisions make floating, to nine digits."""
    if isinstance(ours, float) or isinstance(right, float):
        return isclose(float(str(ours)), float(str(right)), rel_tol=1e-9)
    return (ours == right and isinstance(ours, type(right))) or Decimal(str(ours)) == Decimal(str(right))


def agree(shops: dict[str, tuple[Project, Connector]], spec: Spec) -> int:
    results = {name: asked(shop, spec) for name, shop in shops.items()}
    right = results.pop("duckdb")
    assert right is not None
    assert right.table.rows
    for name, result in results.items():
        for ours, theirs in zip(_sorted(result), _sorted(right), strict=True) if result else ():
            assert all(same(a, b) for a, b in zip(ours, theirs, strict=True)), (name, ours, theirs)
    return sum(result is not None for result in results.values())


def _sorted(result: Ran) -> list[tuple[object, ...]]:
    return sorted(result.table.rows, key=lambda row: [str(c) for c in row if not isinstance(c, int | float | Decimal)])


@pytest.mark.parametrize("spec", SHAPES, ids=lambda spec: "-".join([*spec.measures, *(by.name for by in spec.by)]))
def test_a_shape_gives_the_same_on_all(shops: dict[str, tuple[Project, Connector]], spec: Spec) -> None:
    assert agree(shops, spec) == 2


@pytest.mark.slow
def test_every_measure_gives_the_same_on_all_alone_and_by_each_view(
    shops: dict[str, tuple[Project, Connector]],
) -> None:
    names = measures(shops["duckdb"][0].catalog.model)
    groupings: list[tuple[By, ...]] = [(), (By("customers.country"),), (By("orders.channel"),)]
    specs = [Spec((name,), by) for name in names for by in groupings]
    answered = [agree(shops, spec) for spec in specs]
    assert len(specs) >= 60
    medians = sum("median" in name for name in names) * len(groupings)
    assert answered.count(1) <= medians
    assert 0 not in answered


def test_a_comparison_of_periods_gives_the_same_on_all(shops: dict[str, tuple[Project, Connector]]) -> None:
    spec = Spec((VALUE,), (By("customers.country"),), (IN_2024,))
    assert agree(shops, replace(spec, compare=Comparison("previous_year"))) == 2
