"""What may be read in place of a name: folded words, words of a description, the words of a verified query."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.ask.catalog import Catalog, Verified
from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.spans import spans_of
from backedge.ask.grounding.values import named_in, values_from
from backedge.ask.grounding.words import plain_stems, tokenise
from backedge.ask.intent import Ambiguous, Clarified, Given, Intent, NotUnderstood
from backedge.semantic.model import Model
from tests.ask.grounding_shop import CATALOG, CUSTOMERS, ORDERS, TODAY, VALUES, column


def asked(question: str, *answers: Given, catalog: Catalog = CATALOG) -> Clarified:
    return ground(question, catalog, VALUES, today=TODAY, answers=answers)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("O'Brien", "o’brien"),
        ("O'Brien", "OBrien"),
        ("McDonald", "mcdonald"),
        ("Straße", "STRASSE"),
        ("Ｔｅａ", "tea"),
        ("L'Oréal", "loreal"),
        ("customer's", "customers"),
        ("they'll", "they"),
    ],
)
def test_values_fold_alike(one: str, other: str) -> None:
    assert plain_stems(one) == plain_stems(other)


@pytest.mark.parametrize(("one", "other"), [("O'Brien", "O'Connor"), ("D'Ivoire", "D'Or")])
def test_an_apostrophe_does_not_end_a_name(one: str, other: str) -> None:
    assert plain_stems(one) != plain_stems(other)


@pytest.mark.parametrize(
    ("said", "value", "named"),
    [
        ("e-mail", "Email", True),
        ("email", "E-Mail", True),
        ("email campaign", "E-mail Campaign", True),
        ("e-mail campaign", "Email campaign", True),
        ("on line", "Online", False),
        ("72", "7 2", False),
    ],
)
def test_a_hyphen_may_be_left_out_and_a_gap_between_words_may_not(said: str, value: str, named: bool) -> None:
    span = max(spans_of(tokenise(said)), key=lambda s: len(s.stems))
    found = named_in(span, [("v.d", value)])
    assert found == ({("v.d", False): {value: None}} if named else {})


def test_a_value_that_is_spelt_so_goes_before_one_with_a_hyphen() -> None:
    (span,) = spans_of(tokenise("email"))
    assert named_in(span, [("v.d", "E-Mail"), ("v.d", "Email")]) == {("v.d", True): {"Email": None}}


def test_another_name_that_begins_alike_is_no_reading_of_a_name() -> None:
    values = values_from(Model((ORDERS,)), (column("orders.channel", "O'Brien", "O'Connor"),))
    found = ground("total sales of O'Reilly", Catalog(Model((ORDERS,))), values, today=TODAY)
    assert isinstance(found, NotUnderstood)


def test_words_of_a_description_are_suggested_and_never_taken_unasked() -> None:
    found = asked("paid back by country")
    assert isinstance(found, Ambiguous)
    assert ([option.value for option in found.options], found.prompt) == (
        ["orders.refund_rate", "none"],
        "Nothing here is called 'paid back'. Did you mean this?",
    )
    read = asked("paid back by country", Given(found.slot, "1"))
    assert isinstance(read, Intent)
    assert (read.reading, read.assumptions) == (
        "refund_rate by country",
        ("read 'paid back' as refund_rate, as you said",),
    )
    refused = asked("paid back by country", Given(found.slot, "none of these"))
    assert isinstance(refused, NotUnderstood)
    assert [unknown.word for unknown in refused.unknown] == ["paid", "back"]


@pytest.mark.parametrize("question", ["glorbs paid back by country", "back paid by country", "share by country"])
def test_words_that_no_description_holds_so_are_refused(question: str) -> None:
    assert isinstance(asked(question), NotUnderstood)


def test_a_word_that_says_how_something_is_computed_suggests_nothing() -> None:
    catalog = Catalog(
        Model((replace(ORDERS, measures=(replace(ORDERS.measures[3], description="Ratio of pallets"),)),))
    )
    assert isinstance(asked("ratio by status", catalog=catalog), NotUnderstood)
    assert isinstance(asked("pallets by status", catalog=catalog), Ambiguous)


def test_what_many_descriptions_say_suggests_nothing() -> None:
    many = tuple(replace(m, description="Counted by the auditors") for m in ORDERS.measures[:4])
    catalog = Catalog(Model((replace(ORDERS, measures=many),)))
    assert isinstance(asked("auditors by status", catalog=catalog), NotUnderstood)
    few = Catalog(Model((replace(ORDERS, measures=many[:3]),)))
    found = asked("auditors by status", catalog=few)
    assert isinstance(found, Ambiguous)
    assert len(found.options) == 4


def verified(*texts: str) -> Catalog:
    """A catalog with a verified query for each text."""
    return Catalog(
        Model((ORDERS, CUSTOMERS)), tuple(Verified(f"q{n}", "select 1", embed=(t,)) for n, t in enumerate(texts))
    )


@pytest.mark.parametrize("question", ["Show me who buys again, please", "who buys again?", "Who buys again"])
def test_a_verified_query_is_found_whatever_politeness_surrounds_it(question: str) -> None:
    found = asked(question, catalog=verified("Who buys again"))
    assert isinstance(found, Intent)
    assert found.verified == "q0"


@pytest.mark.parametrize("question", ["orders with a fee < 5", "orders with a fee = 5", "orders not with a fee > 5"])
def test_a_verified_query_is_not_taken_for_its_contrary(question: str) -> None:
    found = asked(question, catalog=verified("orders with a fee > 5"))
    assert not (isinstance(found, Intent) and found.verified)


def test_of_verified_queries_that_say_nearly_the_same_one_is_asked_for() -> None:
    found = asked("who buys again", catalog=verified(*["Who buys again", "show me who buys again"] * 3))
    assert isinstance(found, Ambiguous)
    assert (found.slot, len(found.options)) == ("verified", 4)


def test_a_misspelling_is_put_right_only_where_one_name_is_near_and_it_is_said() -> None:
    found = asked("total salse by country")
    assert isinstance(found, Intent)
    assert found.assumptions[0] == "read 'total salse' as total_sales"
    twins = tuple(replace(ORDERS.measures[3], name=name) for name in ("parcel_weight_a", "parcel_weight_b"))
    catalog = Catalog(Model((replace(ORDERS, measures=twins),)))
    assert isinstance(asked("parcel weigth c by status", catalog=catalog), NotUnderstood)
