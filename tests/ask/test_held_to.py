"""What a model says of a catalog, and what it chooses for a question, is held to words that stand there."""

from __future__ import annotations

from datetime import date

import pytest

from backedge.ask.catalog import Verified
from backedge.ask.gates import is_of_the_catalog
from backedge.ask.grounding.chunks import Sources
from backedge.ask.grounding.lexicon import lexicon_of
from backedge.ask.grounding.values import values_from
from backedge.ask.inquiries import vouched
from backedge.ask.intent import Inquiry, NotUnderstood
from backedge.ask.prompted.conditions import lost_in_automation, lost_in_query
from backedge.ask.states import Clarifying, Question
from backedge.semantic.model import Dimension, Measure, Model, View

STATE = Clarifying(Question("what is there", date(2026, 1, 1)))
SHOWN = "dimension orders.region | also called: area | one of 12 districts, the two largest first\nmeasure orders.total"
MODEL = Model(
    (
        View(
            "orders",
            dimensions=(
                Dimension("region", "string", "region", synonyms=("area",), samples=("North", "Lüdenscheid")),
                Dimension("status", "string", "status", samples=("paid", "open")),
                Dimension("ordered", "date", "ordered"),
            ),
            measures=(Measure("total_amount", "sum", "amount"),),
        ),
    )
)
SOURCES = Sources(lexicon_of(MODEL), values_from(MODEL), date(2026, 1, 1))
QUERY = Verified(
    "lost_orders",
    "SELECT region, SUM(amount) FROM orders WHERE status <> 'paid' AND ordered >= '2025-01-01' GROUP BY 1 LIMIT 10",
    description="Orders of each region that were never paid",
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("It is `orders.region`, also called `area`.", ""),
        ("`region` is one of 12 districts.", ""),
        ("`orders.region` has the two largest first.", ""),
        ("`orders.region` has 13.", "not_in_catalog"),
        ("`orders.region` has 1.", "not_in_catalog"),
        ("`orders.region` has 2.", "not_in_catalog"),
        ("`orders.region` has 12.5.", "not_in_catalog"),
        ("`orders.region` has 12k.", "not_in_catalog"),
        ("`orders.region` has three.", "not_in_catalog"),
        ("`orders.region` has dozens.", "not_in_catalog"),
        ("`orders.regions` is it.", "not_in_catalog"),
        ("`orders.region`: North sells most.", "not_in_catalog"),
        ("`orders.total` has risen.", "not_in_catalog"),
        ("Ask SELECT region FROM orders for `orders.region`.", "sql_in_answer"),
        ("Yes.", "names_nothing"),
        ("", "names_nothing"),
    ],
)  # fmt: skip
def test_an_inquiry_claims_only_what_was_shown(text: str, kind: str) -> None:
    found = is_of_the_catalog(STATE, Inquiry(text, vouched(text, SHOWN)))
    assert (found.kind if found else "") == kind


def test_what_rules_wrote_and_what_cannot_be_answered_name_nothing() -> None:
    assert is_of_the_catalog(STATE, Inquiry("There are 3 measures.")) is None
    assert is_of_the_catalog(STATE, NotUnderstood("no data before 2020")) is None
    assert is_of_the_catalog(STATE, NotUnderstood("planets are unknown", facts=())) is None
    assert is_of_the_catalog(STATE, NotUnderstood("it was 4,711", facts=vouched("it was 4,711", SHOWN))) is not None


@pytest.mark.parametrize(
    ("asked", "lost"),
    [
        ("gimme orders of each area never paid", ""),
        ("whatever was not paid", ""),
        ("whatever was not paid in 2025", "'2025'"),
        ("whatever was not paid since 2025", "'since 2025'"),
        ("the top areas never paid", ""),
        ("whatever was unpaid of 10", "'10'"),
        ("the ten topmost gaps", "'ten'"),
        ("whatever was unpaid in 2024", "'2024'"),
        ("whatever was unpaid last month", "'last month'"),
        ("whatever was unpaid in north", "'north'"),
        ("whatever was unpaid in ludenscheid", "'ludenscheid'"),
        ("whatever is open", "'open'"),
        ("whatever was unpaid over 500", "'500'"),
        ("whatever was unpaid by status and month", "'month'"),
    ],
)
def test_a_fixed_query_has_every_known_word_of_the_question(asked: str, lost: str) -> None:
    found = lost_in_query(asked, QUERY, SOURCES)
    assert (found.message.rpartition(": ")[2] if found else "") == lost


@pytest.mark.parametrize("word", ["not", "top"])
def test_a_negation_or_a_ranking_is_never_lost(word: str) -> None:
    plain = Verified("totals", "SELECT SUM(amount) FROM orders WHERE status = 'paid'", description="Paid orders")
    found = lost_in_query(f"{word} paid", plain, SOURCES)
    assert found is not None
    assert repr(word) in found.message


@pytest.mark.parametrize(
    ("asked", "lost"),
    [
        ("the usual report of total amount by region", ""),
        ("the usual report for paid", ""),
        ("the usual report for open", "'open'"),
        ("the usual report of 2024", "'2024'"),
        ("the usual report but not paid", "'but not'"),
    ],
)
def test_an_automation_has_or_is_given_every_condition(asked: str, lost: str) -> None:
    found = lost_in_automation(asked, "report", ("amounts of each region", "status", "paid"), SOURCES)
    assert (found.message.rpartition(": ")[2] if found else "") == lost
