"""Which questions are several: complete ones that no single table answers, and nothing that only looks like them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from backedge.ask.catalog import Catalog
from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.values import Values
from backedge.ask.intent import Ambiguous, Clarified, Given, Intent, NotUnderstood, Token
from backedge.ask.parting import lost_in_parts, parted
from backedge.config.project import load_project
from backedge.semantic.spec import By, Spec


@pytest.fixture(scope="module")
def catalog(shop: Path) -> Catalog:
    """The small shop's."""
    return load_project(shop).catalog


def _read(text: str, catalog: Catalog, *given: Given) -> Clarified:
    def of(part: str) -> Clarified:
        return ground(part, catalog, Values(), today=date(2025, 6, 1))

    return parted(text, of(text), of, given)


def _parts(text: str, catalog: Catalog) -> tuple[str, ...]:
    found = _read(text, catalog)
    return found.parts if isinstance(found, Intent) else ("refused",)


SEVERAL = {
    "total sales by month and number of orders by region": ("total sales by month", "number of orders by region"),
    "What is the paid amount? And which region has the most orders?": (
        "What is the paid amount",
        "which region has the most orders",
    ),
    "sales by region; order count by status": ("sales by region", "order count by status"),
    "sales in 2025, and number of orders in 2026": ("sales in 2025", "number of orders in 2026"),
    "sales by month and also order count by region": ("sales by month", "order count by region"),
    "how many orders? sales by month? paid amount by region?": (
        "how many orders",
        "sales by month",
        "paid amount by region",
    ),
    "how many orders? sales by month and order count by region": (
        "how many orders",
        "sales by month and order count by region",
    ),
    "sales? order count?": ("sales", "order count"),
    "income by region? how many orders?": ("income by region", "how many orders"),
}


@pytest.mark.parametrize(("text", "parts"), SEVERAL.items())
def test_it_is_several_questions(text: str, parts: tuple[str, ...], catalog: Catalog) -> None:
    assert _parts(text, catalog) == parts


ONE = [
    "sales and order count by month",
    "sales by region and month",
    "sales by region, status and month",
    "sales by region and status in 2025",
    "sales by month?",
    "sales by region and order count in 2025",
    "sales for region 'North; South'",
]


@pytest.mark.parametrize("text", ONE)
def test_it_is_one_question_as_it_was_read_before(text: str, catalog: Catalog) -> None:
    assert _read(text, catalog) == ground(text, catalog, Values(), today=date(2025, 6, 1))


def test_every_word_of_the_question_stands_in_a_token(catalog: Catalog) -> None:
    found = _read("What is the paid amount? And which region has the most orders?", catalog)
    assert isinstance(found, Intent)
    words = " ".join(token.text for token in found.tokens).split()
    assert sorted(words) == sorted(word.strip("?") for word in found.question.split())


def test_a_condition_that_may_hold_for_the_next_question_too_is_not_guessed(catalog: Catalog) -> None:
    found = _read("sales in 2025? how many orders?", catalog)
    assert isinstance(found, NotUnderstood)
    assert found.instead == ("sales in 2025", "how many orders")


def test_a_part_that_does_not_read_by_itself_is_no_part(catalog: Catalog) -> None:
    assert isinstance(_read("sales by month? planets by region?", catalog), NotUnderstood)


@pytest.mark.parametrize(("value", "parts"), [("apart", 2), ("together", 0)])
def test_words_that_are_a_grouping_in_the_whole_and_a_number_alone_are_asked_about(value: str, parts: int) -> None:
    whole = Intent(
        "x", "a by b, c", (Token("a", "measure", "v.a"), Token("things", "dimension", "v.c")), draft=Spec(("v.a",))
    )
    alone = {
        "a by b": Intent("x", "", (Token("a", "measure", "v.a"),), draft=Spec(("v.a",), (By("v.b"),))),
        "things by d": Intent("x", "", (Token("things", "measure", "v.n"),), draft=Spec(("v.n",), (By("v.d"),))),
    }
    asked = parted("a by b and things by d", whole, alone.__getitem__)
    assert isinstance(asked, Ambiguous)
    decided = parted("a by b and things by d", whole, alone.__getitem__, (Given(asked.slot, value),))
    assert isinstance(decided, Intent)
    assert len(decided.parts) == parts


def test_parts_that_lose_a_number_a_name_or_a_quotation_are_told() -> None:
    text = 'sales of "blue" in 2025 and orders in North'
    assert lost_in_parts(text, ('sales of "blue" in 2025', "orders in North")) == ()
    assert lost_in_parts(text, ("sales", "orders")) == ("blue", "2025", "North")
