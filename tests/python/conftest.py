"""A shop of a few rows with the demo's semantic model, opened in Python once for all tests that only ask."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

import pytest

import backedge

ORDERS = 48  # two in each month of 2024 and 2025
COUNTRIES = ("Germany", "France", "Ireland")


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("python") / "shop"
    with as_file(files("backedge.demo") / "files") as packed:
        shutil.copytree(packed, folder)
    (folder / "data").mkdir()
    days = [f"{2024 + n // 24}-{n % 24 // 2 + 1:02}-{n % 2 + 3:02}" for n in range(ORDERS)]
    kept = {
        "customers": ["customer_id,country,segment,signup_date"]
        + [f"{n},{country},consumer,2023-01-0{n + 1}" for n, country in enumerate(COUNTRIES)],
        "orders": ["order_id,customer_id,order_date,channel,status,shipping_fee,order_total"]
        + [f"{n},{n % 3},{day},web,completed,4.90,{n + 5}.40" for n, day in enumerate(days)],
        "order_items": ["item_id,order_id,sale_date,category,product,quantity,unit_price,refund"]
        + [f"{n},{n},{day},Toys,Puzzle,1,{n}.50,0.00" for n, day in enumerate(days)],
    }
    for name, lines in kept.items():
        (folder / "data" / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def project(shop: Path) -> Iterator[backedge.Project]:
    with backedge.open(shop, by="ada") as opened:
        yield opened


@pytest.fixture(scope="session")
def monthly(project: backedge.Project) -> backedge.Answer:
    """An answer with rows, a chart, figures and SQL."""
    return project.ask("Monthly net revenue in 2025")
