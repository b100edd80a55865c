"""Around the reading: specs, answers to open slots, assumptions, inquiries, values, and hostile input."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backedge.ask.catalog import Catalog, Verified
from backedge.ask.grounding.ground import ground, needs_values
from backedge.ask.grounding.options import match_option
from backedge.ask.grounding.values import CAP, values_from
from backedge.ask.grounding.vocabulary import KEYWORDS
from backedge.ask.intent import (
    Ambiguous,
    Clarified,
    Given,
    Inquiry,
    Intent,
    NotUnderstood,
)
from backedge.semantic.model import Dimension, Entity, Measure, Model, View
from backedge.semantic.spec import AnyOf, By, Filter, Order, Spec
from tests.ask.grounding_shop import CATALOG, MODEL, TODAY, VALUES, column


def asked(question: str, *answers: Given) -> Clarified:
    return ground(question, CATALOG, VALUES, today=TODAY, answers=answers)


def read(question: str, *answers: Given) -> Intent:
    found = asked(question, *answers)
    assert isinstance(found, Intent), found
    return found


def draft(question: str) -> Spec:
    found = read(question).draft
    assert found is not None
    return found


def test_a_ranking_orders_and_limits() -> None:
    spec = draft("bottom 3 countries by total sales")
    assert spec == Spec(
        ("orders.total_sales",),
        (By("customers.country"),),
        order=(Order("orders.total_sales"),),
        limit=3,
    )


def test_a_period_is_half_open_on_the_date_of_the_measure() -> None:
    start, end = date(2023, 3, 1), date(2023, 4, 1)
    assert draft("total sales in March 2023").where == (Filter("orders.order_date", "in_range", (start, end)),)
    assert draft("total sales before 2023").where == (Filter("orders.order_date", "lt", (date(2023, 1, 1),)),)


def test_several_periods_are_alternatives() -> None:
    (condition,) = draft("total sales in 2022 or 2023").where
    assert isinstance(condition, AnyOf)
    assert len(condition.of) == 2


def test_negation_reaches_the_spec() -> None:
    assert draft("total sales not in Germany").where == (Filter("customers.country", "not_equals", ("Germany",)),)
    assert draft("total sales except web").where == (Filter("orders.channel", "not_in", ("Web", "web")),)
    assert draft("total sales not in 2023").where[0] == Filter(
        "orders.order_date", "not_in_range", (date(2023, 1, 1), date(2024, 1, 1))
    )


def test_a_compared_measure_filters_groups_and_is_shown() -> None:
    spec = draft("countries with at least 10 orders")
    assert spec.measures == ("orders.order_count",)
    assert spec.where == (Filter("orders.order_count", "gte", (10,)),)


def test_the_same_measure_declared_twice_is_one_reading_in_one_view() -> None:
    spec = draft("total sales by channel in 2023")
    views = {path.partition(".")[0] for path in (*spec.measures, *(by.member for by in spec.by))}
    assert len(views) == 1


def test_views_over_one_table_that_join_are_not_mixed_without_need() -> None:
    first = View(
        "first",
        table="orders",
        entities=(Entity("order", "primary", ("order_id",)),),
        dimensions=(
            Dimension("order_id", "number", "order_id"),
            Dimension("channel", "string", "channel"),
        ),
        measures=(Measure("total_sales", "sum", "amount"),),
    )
    model = Model((first, replace(first, name="second")))
    found = ground("total sales by channel", Catalog(model), values_from(model), today=TODAY)
    assert isinstance(found, Intent), found
    assert found.draft is not None
    assert (found.draft.measures, found.draft.by) == (
        ("first.total_sales",),
        (By("first.channel"),),
    )


def test_one_answer_about_the_date_serves_the_grain_and_the_period() -> None:
    view = View(
        "parcels",
        table="parcels",
        dimensions=(
            Dimension("sent_on", "date", "sent_on"),
            Dimension("arrived_on", "date", "arrived_on"),
        ),
        measures=(Measure("parcel_count", "count"),),
    )
    catalog, values = Catalog(Model((view,))), values_from(Model((view,)))
    first = ground("monthly parcel count in 2023", catalog, values, today=TODAY)
    assert isinstance(first, Ambiguous)
    assert len(first.options) == 2
    found = ground(
        "monthly parcel count in 2023",
        catalog,
        values,
        today=TODAY,
        answers=(Given(first.slot, "2"),),
    )
    assert isinstance(found, Intent), found
    assert found.reading == "parcel_count by arrived_on.month; arrived_on in 2023"


def test_by_week_is_the_calendar_week_and_asked_about_where_a_number_has_just_that_name() -> None:
    ending = Dimension("week_ending", "date", "week_ending", synonyms=("week",))
    view = View("facts", table="facts", dimensions=(ending,), measures=(Measure("total", "sum", "x"),))
    named = replace(view, dimensions=(ending, Dimension("week", "number", "w")))
    plain, clash = (
        ground("total by week", Catalog(model), values_from(model), today=TODAY)
        for model in (Model((view,)), Model((named,)))
    )
    assert isinstance(plain, Intent), plain
    assert plain.reading == "total by week_ending.week"
    assert isinstance(clash, Ambiguous), clash
    assert [option.value for option in clash.options] == ["facts.week", "facts.week_ending.week"]


def test_rows_with_several_keys_do_not_count_one_of_them_distinctly() -> None:
    keys = (Dimension("shop", "number", "shop"), Dimension("week", "date", "week"))
    entity = Entity("reading", "primary", ("shop", "week"))
    view = View("readings", table="r", entities=(entity,), dimensions=keys, measures=(Measure("week_count", "count"),))
    found = ground("how many distinct weeks", Catalog(Model((view,))), values_from(Model((view,))), today=TODAY)
    assert isinstance(found, NotUnderstood)


def test_what_was_decided_is_said() -> None:
    assert read("total sales by quarter", Given("by:quarter", "orders.quarter")).assumptions == (
        "read 'by quarter' as the dimension quarter; say 'quarterly' for calendar quarters",
    )
    assert read("total sales by month").assumptions == ("read 'by month' as calendar months of order_date",)
    assert read("totl sales").assumptions == ("read 'totl sales' as total_sales",)
    assert read("total sales last 7 days").assumptions == (
        "last 7 days is 2024-05-08 to 2024-05-14 (whole days, today left out)",
    )
    assert read("average shipping fees").assumptions == ("read 'average shipping fees' as average_fee",)
    assert read("high quantity").assumptions == ("read 'high' as category is High (>10)",)
    assert read("total sales").assumptions == ()


def test_a_count_of_rows_with_several_keys_says_what_a_row_is() -> None:
    view = View(
        "readings",
        table="readings",
        entities=(Entity("reading", "primary", ("shop", "week")),),
        dimensions=(
            Dimension("shop", "number", "shop"),
            Dimension("week", "date", "week"),
        ),
        measures=(Measure("week_count", "count"),),
    )
    answers = (Given("measure:week", "readings.week_count"),)
    found = ground(
        "number of weeks", Catalog(Model((view,))), values_from(Model((view,))), today=TODAY, answers=answers
    )
    assert isinstance(found, Intent)
    assert found.assumptions == ("week_count counts rows, one for each shop and week",)


def test_values_are_never_corrected() -> None:
    found = asked("total sales in Germny")
    assert isinstance(found, NotUnderstood)
    assert found.unknown[0].near[0] == "Germany"


def test_a_name_close_to_two_members_is_only_offered() -> None:
    groups = tuple(Dimension(f"productgroup{letter}", "string", letter) for letter in "ab")
    model = Model((replace(MODEL.views[2], dimensions=groups),))
    found = ground(
        "customer count by productgroupc",
        Catalog(model),
        values_from(model),
        today=TODAY,
    )
    assert isinstance(found, NotUnderstood)
    assert found.unknown[0].near == ("productgroupa", "productgroupb")


# Answers


@pytest.mark.parametrize(
    "answer",
    [
        "orders.average_sales",
        "average sales, in orders",
        "average sales",
        "AVERAGE SALES",
        "2",
    ],
)
def test_an_answer_by_value_label_name_or_number_decides_the_slot(answer: str) -> None:
    assert read("sales by country", Given("measure:sale", answer)).reading == "average_sales by country"


@pytest.mark.parametrize("answer", ["profit", "0", "4", "-1", "", "9" * 5000])
def test_an_answer_that_matches_nothing_leaves_the_slot_open(answer: str) -> None:
    found = asked("sales by country", Given("measure:sale", answer))
    assert isinstance(found, Ambiguous)
    assert match_option(found, answer) is None


def test_answers_decide_one_slot_after_the_other() -> None:
    first = asked("sales by status")
    assert isinstance(first, Ambiguous)
    second = asked("sales by status", Given(first.slot, "1"))
    assert isinstance(second, Ambiguous)
    assert (first.slot, second.slot) == ("measure:sale", "by:status")
    found = read("sales by status", Given(first.slot, "1"), Given(second.slot, "items.status"))
    assert found.draft is not None
    assert found.draft.by == (By("items.status"),)


def test_an_answer_to_another_slot_changes_nothing() -> None:
    assert asked("sales by country", Given("by:country", "1")) == asked("sales by country")


def test_a_date_that_was_asked_about_is_used() -> None:
    found = read("item revenue in 2023", Given("date", "customers.signup_date"))
    assert found.reading == "item_revenue; signup_date in 2023"


# Verified queries and inquiries


@pytest.mark.parametrize(
    "question",
    ["who buys again?", "WHO BUYS AGAIN", "Customers with more than one order"],
)
def test_a_verified_query_is_found_by_its_own_words(question: str) -> None:
    found = read(question)
    assert (found.verified, found.draft) == ("repeat_buyers", None)
    assert [token.role for token in found.tokens] == ["verified"]


def test_two_verified_queries_for_one_question_are_asked_about() -> None:
    twice = replace(
        CATALOG,
        verified=tuple(Verified(name, "select 1", embed=("who buys",)) for name in ("a", "b")),
    )
    found = ground("who buys", twice, VALUES, today=TODAY)
    assert isinstance(found, Ambiguous)
    chosen = ground("who buys", twice, VALUES, today=TODAY, answers=(Given(found.slot, "b"),))
    assert isinstance(chosen, Intent)
    assert chosen.verified == "b"


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("what can I ask", "total sales"),
        ("help", "total sales"),
        ("Hello!", "total sales"),
        ("what measures are there?", "refund rate"),
        ("list all dimensions", "product name"),
        ("which tables do you have", "warehouses"),
        ("what does total sales mean", "Sales of all orders"),
        ("definition of refund rate", "Share of sales paid back"),
        ("how is refund rate calculated", "sum(refund)"),
        ("describe orders", "shipping fees"),
    ],
)
def test_questions_about_the_catalog_are_answered_from_it(question: str, part: str) -> None:
    found = asked(question)
    assert isinstance(found, Inquiry), found
    assert part in found.text


def test_a_catalog_that_sells_tables_is_still_asked_about_its_data() -> None:
    view = View(
        "shop",
        table="t",
        dimensions=(Dimension("table", "string", "x"),),
        measures=(Measure("sold", "count"),),
    )
    assert isinstance(
        ground(
            "list tables",
            Catalog(Model((view,))),
            values_from(Model((view,))),
            today=TODAY,
        ),
        Intent,
    )


# Values


@pytest.mark.parametrize(
    ("question", "needed"),
    [
        ("total sales by country, top 5", True),
        ("status A", True),
        ("who buys again", False),
        ("what measures are there", False),
        ("total sales in Germany", True),
        ("total sales in US", True),
        ("total sales for gift", True),
        ("total sales in 2023", True),
        ("total sales by planet", True),
    ],
)
def test_values_are_looked_up_for_whatever_is_read_word_by_word(question: str, needed: bool) -> None:
    assert needs_values(question, CATALOG) is needed


def test_a_quoted_value_of_a_partly_indexed_dimension_is_taken_and_said() -> None:
    values = values_from(
        MODEL,
        (column("items.product_name", *(f"product {n}" for n in range(CAP + 1))),),
    )
    found = ground('quantity where product name is "Rare Kite"', CATALOG, values, today=TODAY)
    assert isinstance(found, Intent), found
    assert found.draft is not None
    assert found.draft.where == (Filter("items.product_name", "equals", ("Rare Kite",)),)
    assert "taken as written" in found.assumptions[0]


def test_an_unknown_word_beside_a_partly_indexed_dimension_says_how_to_write_values() -> None:
    values = values_from(
        MODEL,
        (column("items.product_name", *(f"product {n}" for n in range(CAP + 1))),),
    )
    found = ground("quantity of zeppelins", CATALOG, values, today=TODAY)
    assert isinstance(found, NotUnderstood)
    assert "not all values of product name are indexed" in found.reason


# Hostile input


@pytest.mark.parametrize(
    "question",
    [
        "",
        "   ",
        "?!",
        "\x00\n\t",
        "a" * 100_000,
        "total sales " * 10_000,
        "the of year " * 160,
        '"' * 1999,
        "not " * 400,
    ],
)
def test_hostile_input_is_refused_with_a_reason_or_asked_about(question: str) -> None:
    found = asked(question)
    if isinstance(found, Ambiguous):
        return
    assert isinstance(found, NotUnderstood)
    assert found.reason


NAMES = (
    "total sales|sales|revenue|orders|customers|status|country|gift|age|order date|quantity|Germany|returned|web|US|"
    "Q2 2023|March 2023|last month|2023|5|2k|month|big orders|zzzz|best|order count|stock on hand|-3|2023-02-30"
)
WORDS = [
    *sorted({" ".join(words) for words in KEYWORDS}),
    *NAMES.split("|"),
    '"Tea & Coffee"',
]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(WORDS), max_size=9))
def test_any_words_in_any_order_end_in_an_answer_that_loses_none(
    words: list[str],
) -> None:
    question = " ".join(words)
    found = asked(question)
    if isinstance(found, Intent) and not found.verified:
        assert "zzzz" not in question
        kept = {token.text.casefold() for token in found.tokens if token.role != "filler"}
        for word in words:
            if word in (
                "Germany",
                "returned",
                "web",
                "gift",
                "March 2023",
                "last month",
                "zzzz",
                "quantity",
                "not",
            ):
                assert any(word.casefold() in text for text in kept)
