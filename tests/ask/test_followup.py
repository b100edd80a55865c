"""Follow-ups: what is kept, replaced and given up reads as the question in full does, and is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.ask.gates import every_word_is_read
from backedge.ask.grounding.ground import ground
from backedge.ask.intent import Ambiguous, Before, Clarified, Given, Inquiry, Intent, NotUnderstood
from backedge.ask.states import Clarifying, Question
from backedge.semantic.spec import Spec
from tests.ask.grounding_shop import CATALOG, TODAY, VALUES


def asked(question: str, before: Before | None = None, *answers: Given) -> Clarified:
    return ground(question, CATALOG, VALUES, today=TODAY, before=before, answers=answers)


def read(question: str, before: Before | None = None, *answers: Given) -> Intent:
    found = asked(question, before, *answers)
    assert isinstance(found, Intent), found
    return found


def after(question: str, before: Before | None = None) -> Before:
    intent = read(question, before)
    return Before("run", "root", question, intent.reading, intent.draft, intent.dates)


def meant(intent: Intent) -> Spec:
    """The spec without the order of what has none."""
    assert intent.draft is not None
    return replace(
        intent.draft, where=tuple(sorted(intent.draft.where, key=repr)), by=tuple(sorted(intent.draft.by, key=repr))
    )


FIRST = "total sales by country in 2023 for web"
DATED = "total sales by country in 2023"
TOP = "top 5 countries by total sales"
PLAIN = "total sales in Germany"


@pytest.mark.parametrize(
    ("first", "then", "whole"),
    [
        (FIRST, "and by channel?", "total sales by channel in 2023 for web"),
        (FIRST, "also by month", "total sales by country and month in 2023 for web"),
        (FIRST, "per month instead", "total sales by month in 2023 for web"),
        (FIRST, "break it down by year", "total sales by year in 2023 for web"),
        (FIRST, "and in Germany?", "total sales by country in 2023 for web in Germany"),
        (FIRST, "what about 2022?", "total sales by country in 2022 for web"),
        (FIRST, "since March 2023", "total sales by country since March 2023 for web"),
        (FIRST, "except 2022", "total sales by country in 2023 not in 2022 for web"),
        (FIRST, "same for the store channel", "total sales by country in 2023 for store"),
        (FIRST, "without Germany", "total sales by country in 2023 for web except Germany"),
        (DATED, "without web orders", "total sales by country in 2023 except web"),
        (FIRST, "Germany and France", "total sales by country in 2023 for web in Germany and France"),
        (FIRST, "and order count?", "order count by country in 2023 for web"),
        (FIRST, "also order count", "total sales and order count by country in 2023 for web"),
        (FIRST, "sorted by country", "total sales by country in 2023 for web sorted by country"),
        (FIRST, "descending", "total sales by country in 2023 for web descending"),
        (FIRST, "only the top 3", "top 3 countries by total sales in 2023 for web"),
        (FIRST, "top 3", "top 3 countries by total sales in 2023 for web"),
        (FIRST, "and the total?", "total sales in 2023 for web"),
        (FIRST, "for all channels", "total sales by country in 2023"),
        (FIRST, "over all time", "total sales by country for web"),
        (FIRST, "without filters", "total sales by country"),
        (FIRST, "for big orders", "total sales by country in 2023 for web for big orders"),
        (TOP, "and order count?", "top 5 countries by order count"),
        (TOP, "in 2023", "top 5 countries by total sales in 2023"),
        (TOP, "by channel", "total sales by channel"),
        (TOP, "by order count instead", "total sales and order count by country, top 5 by order count"),
        ("total sales by month in 2023", "sorted by month", "total sales by month in 2023 sorted by month"),
        ("order count by country in 2023", "without web orders", "order count by country in 2023 except web"),
        ("total sales by month sorted by month", "top 3", "top 3 months by total sales"),
        ("which country has the highest total sales", "and the lowest?", "which country has the lowest total sales"),
        (FIRST, "which was the highest?", "top 1 countries by total sales in 2023 for web"),
        ("total sales in March 2023", "and April?", "total sales in April 2023"),
        ("total sales with signup date in 2023", "what about 2022?", "total sales with signup date in 2022"),
        ("order count by country", "for web orders", "order count by country for web"),
        (TOP, "bottom 3", "bottom 3 countries by total sales"),
        (TOP, "for all countries", "total sales by country sorted by total sales"),
        (PLAIN, "and France?", "total sales in France"),
        (PLAIN, "for all countries", "total sales"),
        (PLAIN, "by month", "total sales by month in Germany"),
        ("countries with at least 10 orders", "in 2023", "countries with at least 10 orders in 2023"),
        ("countries with at least 10 orders", "at least 20 orders", "countries with at least 20 orders"),
        ("customers in Germany", "and in France?", "customers in France"),
        ("customer count with age over 20 and age under 60", "age over 30", "customer count with age over 30"),
        ("total sales by country as a share of total", "by channel", "total sales by channel as a share of total"),
        ("total sales by country", "show it as a share", "total sales by country as a share of total"),
    ],
)  # fmt: skip
def test_a_follow_up_means_what_the_whole_question_means(first: str, then: str, whole: str) -> None:
    found = read(then, after(first))
    assert meant(found) == meant(read(whole))
    assert any(note.startswith("kept from the question before: ") for note in found.assumptions)


def test_a_follow_up_of_a_follow_up_keeps_the_whole() -> None:
    third = read("and in Germany?", after("what about 2022?", after("by channel", after(FIRST))))
    assert meant(third) == meant(read("total sales by channel in 2022 for web in Germany"))


@pytest.mark.parametrize(
    "question",
    ["order count", "total sales by country in 2022", "customers in Germany", "top 3 countries by order count",
     "who buys again"],
)  # fmt: skip
def test_a_question_that_is_complete_keeps_nothing_and_says_nothing(question: str) -> None:
    assert asked(question, after(FIRST)) == asked(question)


@pytest.mark.parametrize("question", ["total sales in 2019", "total sales by planet", "orders over 500"])
def test_a_complete_question_that_is_refused_is_not_mended_by_the_one_before(question: str) -> None:
    alone, following = asked(question), asked(question, after(FIRST))
    assert isinstance(alone, NotUnderstood)
    assert isinstance(following, NotUnderstood)
    assert following.reason == alone.reason


def test_what_is_kept_and_what_is_replaced_is_said_and_marked() -> None:
    found = read("what about 2022 by channel", after(FIRST))
    kept = [token.means for token in found.tokens if token.kept]
    assert kept == ["orders.total_sales", "orders.channel"]
    assert found.assumptions[-3:] == (
        "kept from the question before: total_sales; channel in Web, web",
        "no longer by country",
        "in place of order_date in 2023: order_date in 2022",
    )


def test_a_kept_token_does_not_hide_a_word_that_is_left_out() -> None:
    found = read("and by channel", after(PLAIN))
    state = Clarifying(Question("and by channel Germany", TODAY))
    defect = every_word_is_read(state, found)
    assert defect is not None
    assert "germany" in defect.message


@pytest.mark.parametrize(
    ("first", "then", "slot", "choice", "whole"),
    [
        (PLAIN, "without Germany", "value:germany", "lifted", "total sales"),
        (PLAIN, "without Germany", "value:germany", "customers.country", "total sales except Germany"),
        (PLAIN, "and by country", "follow:customers.country", "lifted", "total sales by country"),
        (PLAIN, "and by country", "follow:customers.country", "customers.country", "total sales by country in Germany"),
        (PLAIN, "and customers?", "follow::customer", "customers.customer_count", "customer count in Germany"),
        (PLAIN, "and customers?", "follow::customer", "orders.customer_id", "total sales by customer in Germany"),
        (DATED, "for web orders", "follow:order", "same", "total sales by country in 2023 for web"),
        (DATED, "for web orders", "follow:order", "orders.order_count", "order count by country in 2023 for web"),
        (FIRST, "and gifts", "by:gift", "orders.is_gift", "total sales by gift in 2023 for web"),
        (FIRST, "and gifts", "by:gift", "only orders.is_gift", "total sales by country in 2023 for web for gifts"),
    ],
)  # fmt: skip
def test_two_meanings_are_asked_about(first: str, then: str, slot: str, choice: str, whole: str) -> None:
    before = after(first)
    question = asked(then, before)
    assert isinstance(question, Ambiguous)
    assert (question.slot, choice in {option.value for option in question.options}) == (slot, True)
    assert meant(read(then, before, Given(slot, choice))) == meant(read(whole))


@pytest.mark.parametrize(
    ("first", "then", "says"),
    [
        (FIRST, "why?", "cannot be read from the data"),
        (FIRST, "and", "what of the question before is to change"),
        (FIRST, "same", "what of the question before is to change"),
        (TOP, "also by channel", "within each of them"),
        (TOP, "the total", "may be of the top 5 or of all rows"),
        (TOP, "ascending", "chosen, anew"),
        (TOP, "sorted by order count", "chosen, anew"),
        (PLAIN, "over all time", "gives nothing up"),
        ("total sales by country in 2023 compared with the year before", "what about 2022", "ask in full"),
        ("top 2 channels by total sales per country", "in 2023", "cannot keep yet"),
        ("who buys again", "by country", "nothing of it can be kept"),
    ],
)  # fmt: skip
def test_what_cannot_be_kept_or_changed_is_refused(first: str, then: str, says: str) -> None:
    found = asked(then, after(first))
    assert isinstance(found, NotUnderstood)
    assert says in found.reason


@pytest.mark.parametrize("first", [FIRST, TOP, PLAIN, "monthly total sales"])
def test_what_is_offered_instead_of_a_follow_up_works_as_one(first: str) -> None:
    found = asked("why?", after(first))
    assert isinstance(found, NotUnderstood)
    assert found.instead
    assert all(isinstance(asked(text, after(first)), Intent) for text in found.instead)


def test_a_question_about_the_catalog_stays_one() -> None:
    assert isinstance(asked("and what does revenue mean?", after(FIRST)), Inquiry)


def test_a_date_goes_by_the_date_of_the_question_before() -> None:
    before = after("customer count with signup date in 2023")
    assert meant(read("what about 2022?", before)) == meant(read("customer count with signup date in 2022"))
    assert read("in Germany", before).dates == ("customers.signup_date",)
