"""Data of other people, drafted by `backedge init`: joins as their models have them, sums as plain SQL finds them."""

from __future__ import annotations

import csv
import re
import shutil
import sqlite3
from pathlib import Path

import duckdb
import pytest

from tests.cli.drafting import Made, answer, made, works

DATA = Path(__file__).parents[2].parent / "shared" / "data"
pytestmark = [pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here"), pytest.mark.slow]

# The data of each project, and the joins that a person who knows it would draw; no other may be proposed.
JOINS = {
    "jaffle-shop/seeds/jaffle-data": {"supplies": {"product"}},
    "jaffle-shop-classic/seeds": {"payments": {"order"}},
    "jaffle-jafgen-1y": {"items": {"order", "product"}, "orders": {"customer", "store"}, "supplies": {"product"}},
    "oxygen-demo/.db": {},
    "oxygen-examples/.db": {
        "fruit_sales": {"fruit", "customer"},
        "fruit_supplier_relationships": {"fruit"},
        "order_items": {"order"},
        "orders": {"customer", "shipping_address"},
        "shipping_addresses": {"customer"},
    },
}


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Made]:
    folder = tmp_path_factory.mktemp("drafted")
    found = {}
    for place, name in enumerate(JOINS):
        shutil.copytree(DATA / name, folder / str(place) / "data", copy_function=shutil.copyfile)
        found[name] = made(folder / str(place))
    return found


@pytest.mark.parametrize("name", JOINS)
def test_it_is_valid_answers_its_questions_and_joins_what_belongs_together(
    projects: dict[str, Made], name: str
) -> None:
    project = projects[name]
    works(project)
    assert len(project.questions) == 3
    assert {view: joins for view, joins in project.joins.items() if joins} == JOINS[name]


def plain(sql: str) -> list[list[object]]:
    return [list(row) for row in duckdb.connect().execute(sql).fetchall()]


def test_a_year_of_jaffle_shop_has_the_numbers_of_plain_sql(projects: dict[str, Made]) -> None:
    project, data = projects["jaffle-jafgen-1y"], DATA / "jaffle-jafgen-1y"
    by_store = f"""
        select s.name, sum(o.subtotal) from '{data}/raw_orders.parquet' o
        join '{data}/raw_stores.parquet' s on s.id = o.store_id group by 1 order by 1
    """
    by_type = f"""
        select p.type, count(*) from '{data}/raw_items.parquet' i
        join '{data}/raw_products.parquet' p using (sku) group by 1 order by 1
    """
    assert answer(project, "subtotal by store name") == plain(by_store)
    assert answer(project, "item count by product type") == plain(by_type)


def test_oxymart_has_the_sums_of_its_file(projects: dict[str, Made]) -> None:
    file = DATA / "oxygen-demo" / ".db" / "oxymart.csv"
    wanted = plain(f'select "Store", sum("Weekly_Sales"::decimal(18, 2))::double from \'{file}\' group by 1 order by 1')
    found = answer(projects["oxygen-demo/.db"], "total weekly sales by store")
    assert [row[0] for row in found] == [row[0] for row in wanted]
    assert [row[1] for row in found] == pytest.approx([row[1] for row in wanted])
    assert answer(projects["oxygen-demo/.db"], "number of stores") == [[45]]


def test_a_user_who_may_be_a_customer_is_left_to_a_person(projects: dict[str, Made]) -> None:
    said = projects["jaffle-shop-classic/seeds"].ended.out
    assert "orders.user_id → customers: every value is one of customers.id" in said


def test_the_joins_of_department_store_are_the_foreign_keys_that_it_declares(tmp_path: Path) -> None:
    folder = DATA / "spider-dev" / "spider_data" / "database" / "department_store"
    source = sqlite3.connect(f"file:{folder}/department_store.sqlite?mode=ro&immutable=1", uri=True)
    tables = [name for (name,) in source.execute("select name from sqlite_master where type = 'table'")]
    (tmp_path / "data").mkdir()
    for table in tables:
        found = source.execute(f'select * from "{table}"')
        with (tmp_path / "data" / f"{table}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([[column[0] for column in found.description], *found])
    declared = {(t, key[3], key[2]) for t in tables for key in source.execute(f'pragma foreign_key_list("{t}")')}
    source.close()
    drafted = re.findall(r"(?m)^  (\w+)\.(\w+) → (\w+)\.\w+$", made(tmp_path).ended.out)
    assert set(drafted) == {tuple(name.lower() for name in key) for key in declared}
