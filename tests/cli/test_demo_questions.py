"""Every question of the demo comes to the end that it was written for, with the numbers that plain Python finds."""

from __future__ import annotations

import asyncio
import csv
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from backedge.assemble import open_app
from backedge.config.validate import check_project
from backedge.demo.questions import QUESTIONS
from backedge.demo.shop import make_shop

Found = dict[str, Any]
Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "shop"
    make_shop(folder)
    return folder


@pytest.fixture(scope="module")
def answers(shop: Path) -> list[Found]:
    """The answer form of each question, its clarifying question answered."""
    return asyncio.run(ask_all(shop))


async def ask_all(shop: Path) -> list[Found]:
    app = open_app(shop)
    found = []
    try:
        for text, answer in QUESTIONS:
            run = await app.driver.drive(await app.ask(text, by="test"))
            if answer:
                await app.say(run.id, (answer,), by="test", asked=run.asked)
                run = await app.driver.drive(run.id)
            found.append(await app.answer(run))
    finally:
        await app.close()
    return found


@pytest.fixture(scope="module")
def data(shop: Path) -> dict[str, Rows]:
    """The rows of each CSV file by its stem."""
    found = {}
    for path in (shop / "data").iterdir():
        with path.open(newline="", encoding="utf-8") as file:
            found[path.stem] = list(csv.DictReader(file))
    return found


def net(row: dict[str, str]) -> Decimal:
    return int(row["quantity"]) * Decimal(row["unit_price"]) - Decimal(row["refund"])


def summed(pairs: Iterable[tuple[str, Decimal]]) -> dict[str, Decimal]:
    total: dict[str, Decimal] = defaultdict(Decimal)
    for key, amount in pairs:
        total[key] += amount
    return dict(total)


def test_the_project_has_nothing_to_complain_of(shop: Path) -> None:
    report = check_project(shop)
    assert (report.problems, report.views, report.topics, report.verified, report.agents) == ((), 3, 1, 1, 1)


def test_each_question_comes_to_its_own_kind_of_end(answers: list[Found]) -> None:
    ends = [(found["status"], found["path"], "AwaitingAnswer" in found["states"]) for found in answers]
    semantic = ("answered", "semantic", False)
    verified, asked, refused = (
        ("answered", "verified", False),
        ("answered", "semantic", True),
        ("cannot_answer", None, False),
    )
    assert ends == [semantic, semantic, semantic, semantic, verified, asked, refused]


def test_the_single_number_is_the_number_of_orders(data: dict[str, Rows], answers: list[Found]) -> None:
    assert answers[0]["rows"] == [[len(data["orders"])]]


def test_the_ranking_is_that_of_the_units(data: dict[str, Rows], answers: list[Found]) -> None:
    units: Counter[str] = Counter()
    for row in data["order_items"]:
        units[row["product"]] += int(row["quantity"])
    assert [tuple(row) for row in answers[1]["rows"]] == units.most_common(5)


def test_the_series_has_every_month_of_the_year(data: dict[str, Rows], answers: list[Found]) -> None:
    lines = [row for row in data["order_items"] if row["sale_date"].startswith("2025")]
    months = summed((row["sale_date"][:8] + "01", net(row)) for row in lines)
    assert {str(month): amount for month, amount in answers[2]["rows"]} == months
    assert [month for month, _ in answers[2]["rows"]] == [date(2025, n, 1) for n in range(1, 13)]


def test_a_fee_counts_once_for_each_category_of_its_order(data: dict[str, Rows], answers: list[Found]) -> None:
    fee = {row["order_id"]: Decimal(row["shipping_fee"]) for row in data["orders"]}
    pairs = {(row["order_id"], row["category"]) for row in data["order_items"]}
    assert dict(answers[3]["rows"]) == summed((category, fee[order]) for order, category in pairs)


def test_the_verified_query_counts_every_buyer(data: dict[str, Rows], answers: list[Found]) -> None:
    buyers = {row["customer_id"] for row in data["orders"]}
    assert sum(row[1] for row in answers[4]["rows"]) == len(buyers)
    assert "repeat_customers" in answers[4]["reading"]


def test_the_ambiguous_word_is_read_as_it_was_answered(data: dict[str, Rows], answers: list[Found]) -> None:
    country = {row["customer_id"]: row["country"] for row in data["customers"]}
    of_order = {row["order_id"]: country[row["customer_id"]] for row in data["orders"]}
    lines = data["order_items"]
    assert dict(answers[5]["rows"]) == summed((of_order[row["order_id"]], net(row)) for row in lines)


def test_the_unknown_word_is_named(answers: list[Found]) -> None:
    assert [unknown["word"] for unknown in answers[6]["unknown"]] == ["warehouse"]
    assert answers[6]["instead"] != []
