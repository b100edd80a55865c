"""The demo project: the same every time, plausible, with its two traps, and never written over somebody's files."""

from __future__ import annotations

import csv
import shutil
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from backedge.demo.shop import DemoError, make_shop
from backedge.demo.shop_data import FIRST_DAY, LAST_DAY

Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "shop"
    make_shop(folder)
    return folder


def rows(shop: Path, name: str) -> Rows:
    with (shop / "data" / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def customers(shop: Path) -> Rows:
    return rows(shop, "customers.csv")


@pytest.fixture(scope="module")
def orders(shop: Path) -> Rows:
    return rows(shop, "orders.csv")


@pytest.fixture(scope="module")
def items(shop: Path) -> Rows:
    return rows(shop, "order_items.csv")


def cents(text: str) -> int:
    whole, part = text.split(".")
    assert len(part) == 2
    return int(whole) * 100 + int(part)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_demo_is_the_same_every_time(shop: Path, tmp_path: Path) -> None:
    make_shop(tmp_path)
    assert contents(tmp_path) == contents(shop)


def test_making_it_again_puts_it_back_and_keeps_what_was_added(shop: Path, tmp_path: Path) -> None:
    again = tmp_path / "shop"
    shutil.copytree(shop, again)
    (again / "data" / "orders.csv").write_text("spoiled")
    (again / "notes.md").write_text("mine")
    untouched = (again / "data" / "customers.csv").stat().st_mtime_ns
    make_shop(again)
    assert contents(again) == {**contents(shop), "notes.md": b"mine"}
    assert (again / "data" / "customers.csv").stat().st_mtime_ns == untouched


def other_project(folder: Path) -> Iterator[Path]:
    (folder / "a").mkdir()
    (folder / "a" / "config.yml").write_text("databases: []\n")
    yield folder / "a"
    (folder / "b").mkdir()
    (folder / "b" / "thesis.txt").write_text("years of work")
    yield folder / "b"
    (folder / "c").write_text("a file")
    yield folder / "c"
    yield folder / "c" / "below-a-file"


def test_a_folder_with_other_content_is_refused_and_left_alone(tmp_path: Path) -> None:
    for folder in other_project(tmp_path):
        before = contents(tmp_path)
        with pytest.raises(DemoError, match=r"cannot make the demo in .+\. Name a") as refused:
            make_shop(folder)
        assert (refused.value.folder, contents(tmp_path)) == (folder, before)


def test_the_data_is_large_enough_and_its_keys_hold(customers: Rows, orders: Rows, items: Rows) -> None:
    assert (len(customers), len(orders), len(items) >= 100_000) == (3_000, 30_000, True)
    for table, key in ((customers, "customer_id"), (orders, "order_id"), (items, "item_id")):
        assert len({row[key] for row in table}) == len(table)
    assert {row["customer_id"] for row in orders} < {row["customer_id"] for row in customers}
    assert {row["order_id"] for row in items} == {row["order_id"] for row in orders}


def test_there_are_customers_without_orders_and_without_a_segment(customers: Rows, orders: Rows) -> None:
    assert 200 < len(customers) - len({row["customer_id"] for row in orders}) < 500
    assert 100 < sum(row["segment"] == "" for row in customers) < 300


def test_nobody_orders_before_signing_up_or_outside_the_period(customers: Rows, orders: Rows) -> None:
    joined = {row["customer_id"]: row["signup_date"] for row in customers}
    assert all(joined[row["customer_id"]] <= row["order_date"] for row in orders)
    days = {date.fromisoformat(row["order_date"]) for row in orders}
    assert (min(days), max(days)) == (FIRST_DAY, LAST_DAY)


def test_an_order_total_is_its_lines_and_its_shipping_to_the_cent(orders: Rows, items: Rows) -> None:
    goods: dict[str, int] = defaultdict(int)
    for row in items:
        goods[row["order_id"]] += int(row["quantity"]) * cents(row["unit_price"])
    assert all(cents(row["order_total"]) == goods[row["order_id"]] + cents(row["shipping_fee"]) for row in orders)


def test_refunds_follow_the_status(orders: Rows, items: Rows) -> None:
    status = {row["order_id"]: row["status"] for row in orders}
    refunded = {row["order_id"] for row in items if cents(row["refund"])}
    kept = {row["order_id"] for row in items if not cents(row["refund"])}
    assert {status[order] for order in refunded} == {"returned", "cancelled"}
    assert {status[order] for order in kept} == {"completed", "returned"}


def test_the_fan_out_trap_catches_a_bare_join(orders: Rows, items: Rows) -> None:
    fee = {row["order_id"]: cents(row["shipping_fee"]) for row in orders}
    assert sum(fee[row["order_id"]] for row in items) > 2 * sum(fee.values())
