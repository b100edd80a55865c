"""Wrong answers of other tools about words and values: what is asked, and what counts in the data."""

from __future__ import annotations

from datetime import date

import pytest

from backedge.ask.catalog import Catalog
from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.values import values_from
from backedge.ask.intent import Ambiguous, Clarified, Intent, NotUnderstood
from backedge.ask.wording import number_text
from backedge.semantic.model import Measure, Model
from backedge.semantic.spec import Filter
from tests.ask.grounding_shop import column
from tests.semantic.asking import rows, view

BOOKINGS = Model(
    (
        view(
            "bookings",
            "id:number state_id:number city",
            Measure("booking_count", "count", synonyms=("bookings",)),
            Measure("sale_price", "sum", "price", synonyms=("revenue",)),
            Measure("payment_amount", "sum", "paid", synonyms=("revenue",)),
            primary="booking(id)",
            foreign="state(state_id)",
        ),
        view("states", "id:number state", primary="state(id)"),
    )
)
TABLES = {
    "bookings": """SELECT * FROM (VALUES (1, 1, 'Manhattan'), (2, 2, 'Manhattan'), (3, 2, 'Germline'),
        (4, 3, 'GERMLINE')) t(id, state_id, city)""",
    "states": "SELECT * FROM (VALUES (1, 'finished'), (2, 'canceled'), (3, 'open')) t(id, state)",
}
VALUES = values_from(
    BOOKINGS,
    (
        column("bookings.city", "Manhattan", "Germline", "GERMLINE"),
        column("states.state", "finished", "canceled", "open"),
    ),
)


def asked(question: str) -> Clarified:
    return ground(question, Catalog(BOOKINGS), VALUES, today=date(2024, 5, 15))


@pytest.mark.parametrize(
    ("question", "member", "values", "right"),
    [
        ("canceled bookings", "states.state", ("canceled",), 2),
        ("bookings in MANHATTAN", "bookings.city", ("Manhattan",), 2),
        ("bookings in germline", "bookings.city", ("GERMLINE", "Germline"), 2),
    ],
)
def test_a_value_is_what_the_data_holds(question: str, member: str, values: tuple[str, ...], right: int) -> None:
    found = asked(question)
    assert isinstance(found, Intent), found
    assert found.draft is not None
    (condition,) = found.draft.where
    assert isinstance(condition, Filter)
    assert (condition.member, tuple(sorted(map(str, condition.values)))) == (member, values)
    assert rows(TABLES, BOOKINGS, found.draft) == [(right,)]


def test_a_city_that_the_data_does_not_hold_is_named_and_nothing_is_listed_instead() -> None:
    found = asked("bookings in Radom")
    assert isinstance(found, NotUnderstood)
    assert [(unknown.word, unknown.near) for unknown in found.unknown] == [("Radom", ())]


def test_one_word_for_two_amounts_is_asked_about() -> None:
    found = asked("revenue by city")
    assert isinstance(found, Ambiguous)
    assert [option.value for option in found.options] == ["bookings.sale_price", "bookings.payment_amount"]


def test_the_number_of_the_result_is_the_number_that_is_said() -> None:
    assert number_text(1980417814.28) == ("1,980,417,814.28", False)
