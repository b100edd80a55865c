"""Answers to open questions: each is read exactly by its kind, or refused with its reason; never half of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from backedge.ask import gates
from backedge.ask.answers import given_by, read_answer, typed
from backedge.ask.intent import Ambiguous, Given, Intent, Option, Questions
from backedge.ask.proposals import Saying
from backedge.ask.states import AwaitingAnswer, Clarifying, Question, Specifying
from backedge.kernel.defect import Defect

TODAY = date(2026, 11, 30)
PAUSED = Clarifying(Question("sales", TODAY))


def asks(slot: str, answers: Any = "choice", *options: str, default: str = "") -> Ambiguous:
    made = tuple(Option(text, text) for text in options)
    return Ambiguous(slot, slot, f"Which {slot}?", made, answers=answers, default=default)


STORE = asks("store", "choice", "North", "South")
SINCE = asks("since", "date", "last month")
LEAST = asks("least", "number", "10", "100")
NOTE = asks("why", "text", "for the board")
THREE = AwaitingAnswer(PAUSED, Questions((STORE, SINCE, LEAST)))


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("5", "5"),
        ("1", "1"),
        ("-3", "-3"),
        ("+3", "3"),
        (" 1,250 ", "1250"),
        ("1,234,567.50", "1234567.50"),
        ("0.10", "0.10"),
        ("007", "7"),
        ("123456789012345678901234567890.1", "123456789012345678901234567890.1"),
    ],
)
def test_a_number_is_taken_exactly(said: str, value: str) -> None:
    assert read_answer(LEAST, said, TODAY) == value


@pytest.mark.parametrize(
    "said",
    ["1,5", "12,34", "1.234,5", "1e3", "NaN", "inf", "ten", "5%", "5 apples", "$5", "٣", "1_000", "--1", "1 000"],
)
def test_what_may_be_another_number_or_none_is_refused(said: str) -> None:
    read = read_answer(LEAST, said, TODAY)
    assert isinstance(read, Defect)
    assert (read.kind, read.where) == ("not_a_number", "least")
    assert "1250" in read.hint


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("2025-03-01", "2025-03-01"),
        ("March 2025", "2025-03-01 to 2025-03-31"),
        ("last month", "2026-10-01 to 2026-10-31"),
        ("yesterday", "2026-11-29"),
        ("2024-02-29", "2024-02-29"),
        ("2025-03-01 to 2025-03-09", "2025-03-01 to 2025-03-09"),
        ("since 2025-03-01", "2025-03-01 or later"),
        ("until 2025-03-01", "up to 2025-03-01"),
        ("2025", "2025-01-01 to 2025-12-31"),
        ("2026-W07", "2026-02-09 to 2026-02-15"),
    ],
)
def test_a_date_is_the_days_that_it_is_and_reads_as_the_same_again(said: str, value: str) -> None:
    assert read_answer(SINCE, said, TODAY) == value
    assert read_answer(SINCE, value, date(2031, 1, 1)) == value


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("2025-02-30", "28 days"),
        ("2025-13-01", "no month 13"),
        ("soon", "is none"),
        ("!", "is none"),
        ("2025-03-01 or so", "is none"),
        ("03/04/2025", "may be 2025-04-03 or 2025-03-04"),
        ("last week", "how weeks and fiscal years begin"),
        ("FY2025", "how weeks and fiscal years begin"),
        ("2025-03-01T10:00", "time of day"),
    ],
)
def test_what_is_no_date_or_several_is_refused_with_the_reason(said: str, reason: str) -> None:
    read = read_answer(SINCE, said, TODAY)
    assert isinstance(read, Defect)
    assert reason in read.message


def test_a_number_chooses_an_option_only_of_a_choice() -> None:
    assert read_answer(STORE, "2", TODAY) == "South"
    assert read_answer(LEAST, "2", TODAY) == "2"
    assert read_answer(NOTE, "1", TODAY) == "1"
    assert read_answer(NOTE, "For the BOARD", TODAY) == "for the board"


def test_a_value_goes_before_the_label_of_another_option() -> None:
    crossed = replace(STORE, options=(Option("x", "y"), Option("y", "z")))
    assert read_answer(crossed, "y", TODAY) == "y"
    alike = replace(STORE, options=(Option("acme", "1"), Option("Acme", "2")))
    assert [read_answer(alike, said, TODAY) for said in ("acme", "Acme")] == ["acme", "Acme"]
    assert isinstance(read_answer(alike, "ACME", TODAY), Defect)


@pytest.mark.parametrize("said", ["", "  ", "x" * 1_001])
def test_a_text_says_something_and_not_too_much(said: str) -> None:
    assert isinstance(read_answer(NOTE, said, TODAY), Defect)


def test_a_text_is_one_line() -> None:
    assert read_answer(NOTE, "a\n<<end>>\tb", TODAY) == "a <<end>> b"


def test_every_slot_is_given_its_answer() -> None:
    given, defects = given_by(THREE, Saying(("south", "2025", "5")))
    assert defects == ()
    assert [(g.slot, g.value, g.by, g.by_default) for g in given] == [
        ("store", "South", "model", False),
        ("since", "2025-01-01 to 2025-12-31", "model", False),
        ("least", "5", "model", False),
    ]


@pytest.mark.parametrize(
    ("said", "where"),
    [
        (Saying(("south", "soon", "many")), ["since", "least"]),
        (Saying(("south",)), ["since", "least"]),
        (Saying(()), ["store", "since", "least"]),
        (Saying(("south", "2025", "5", "6")), ["least"]),
        (Saying(("5", "south", "2025"), ("least", "store", "sinse")), ["sinse", "since"]),
        (Saying(("5", "6", "south", "2025"), ("least", "least", "store", "since")), ["least"]),
    ],
)
def test_what_is_wrong_is_refused_for_each_slot_and_nothing_is_taken(said: Saying, where: list[str]) -> None:
    _, defects = given_by(THREE, said)
    assert [defect.where for defect in defects] == where
    refused = gates.answers_every_question(THREE, said)
    assert refused is not None
    assert all(defect.message in refused.message for defect in defects)


@pytest.mark.parametrize(
    ("texts", "saying"),
    [
        (("1", "2025", "5"), Saying(("1", "2025-01-01 to 2025-12-31", "5"))),
        (("least=5", "since=2025", "store=1"), Saying(("1", "2025-01-01 to 2025-12-31", "5"))),
        (("Least = 5", "since=March", "2025", "store=1"), Saying(("1", "2025-03-01 to 2025-03-31", " 5"))),
        (("store=1",), Saying(("1",), ("store",))),
        (("shop=1", "least=5"), Saying(("5", "1"), ("least", "shop"))),
        (("1", "2", "3", "4"), Saying(("1", "2", "3", "4"))),
    ],
)
def test_answers_are_typed_by_slot_or_in_order(texts: tuple[str, ...], saying: Saying) -> None:
    assert typed(THREE, texts, TODAY) == saying


def test_the_only_question_takes_all_words_and_an_option_may_hold_its_own_name() -> None:
    one = AwaitingAnswer(PAUSED, asks("store", "choice", "store=North", "South Bank"))
    assert typed(one, ("South", "Bank"), TODAY) == Saying(("South Bank",))
    assert typed(one, ("store=North",), TODAY) == Saying(("store=North",))
    assert typed(one, ("store=South Bank",), TODAY) == Saying(("South Bank",))
    assert typed(one, ("other=1",), TODAY) == Saying(("other=1",))


def test_yesterday_is_the_day_before_it_is_said_however_long_the_run_waited() -> None:
    said = typed(THREE, ("1", "yesterday", "5"), date(2026, 12, 24))
    given, _ = given_by(THREE, said)
    assert given[1] == Given("since", "2026-12-23", by="model")


def test_the_answers_go_to_a_pause_of_specifying_too() -> None:
    paused = AwaitingAnswer(Specifying(PAUSED, Intent("sales", "sales", ())), Questions((SINCE,)))
    assert given_by(paused, Saying(("yesterday",)))[0][0].value == "2026-11-29"


GOOD = (STORE, SINCE, LEAST, NOTE)


def test_up_to_four_questions_of_all_kinds_can_be_asked() -> None:
    assert gates.has_choices(PAUSED, Questions(GOOD)) is None
    assert gates.has_choices(PAUSED, Questions((asks("when", "date"),))) is None


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((), "one to 4"),
        ((*GOOD, asks("fifth", "text")), "one to 4"),
        ((STORE, asks("Store", "text")), "two questions are about"),
        ((asks("store", "choice", "North"),), "two to four options, not 1"),
        ((asks("store", "choice", *"abcde"),), "two to four options, not 5"),
        ((asks("why", "text", *"abcde"),), "too many"),
        ((asks("store", "choice", "North", "north"),), "only 1 differ"),
        ((asks("store", "choice", "North", ""),), "only 1 differ"),
        ((asks("a=b", "text"),), "without `=`"),
        ((asks("", "text"),), "without `=`"),
        ((replace(STORE, prompt=" "),), "a prompt"),
        ((asks("least", "number", "ten"),), "asks for a number"),
        ((asks("since", "date", "soon"),), "asks for a date"),
        ((replace(STORE, default="East"),), "none of its suggestions"),
    ],
)
def test_questions_that_cannot_be_answered_are_not_asked(asked: tuple[Ambiguous, ...], said: str) -> None:
    defect = gates.has_choices(PAUSED, Questions(asked))
    assert defect is not None
    assert said in defect.message
