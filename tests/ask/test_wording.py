"""Numbers, dates and names as a sentence writes them."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest

from backedge.ask.wording import name_text, number_text, plural, time_text, words_of
from backedge.semantic.spec import Grain


@pytest.mark.parametrize(
    ("number", "text", "rounds"),
    [
        (1234567, "1,234,567", False),
        (Decimal("-0.00"), "0.00", False),
        (Decimal("1E+3"), "1,000", False),
        (-1234.5, "-1,234.5", False),
        (301397792.46000004, "301,397,792.46", False),
        (60.6637, "60.66", True),
        (0.012345, "0.0123", True),
        (-0.0, "0", False),
        (2.5e300, "2.5e+300", False),
        (5e-324, "5e-324", False),
        (float("nan"), "not a number", False),
        (float("-inf"), "minus infinite", False),
    ],
)
def test_numbers_are_exact_or_say_that_they_round(number: Decimal | float, text: str, rounds: bool) -> None:
    assert number_text(number) == (text, rounds)


@pytest.mark.parametrize(
    ("grain", "text"),
    [
        ("year", "2011"),
        ("quarter", "Q1 2011"),
        ("month", "January 2011"),
        ("week", "week of 2011-01-01"),
        (None, "2011-01-01"),
    ],
)
def test_dates_are_written_at_their_grain(grain: Grain | None, text: str) -> None:
    assert time_text(date(2011, 1, 1), grain) == text
    assert time_text(date(2011, 2, 3), "year") == "2011-02-03"
    assert time_text(datetime(2011, 1, 1, 14), "hour") == "2011-01-01 14:00"


def test_words_and_plurals() -> None:
    nouns = ("store", "category", "day", "status", "box", "sales", "day of week", "analysis", "series")
    plurals = ["stores", "categories", "days", "statuses", "boxes", "sales", "days of week", "analyses", "series"]
    assert [plural(noun) for noun in nouns] == plurals
    assert plural("store", 1) == "store"
    assert words_of("total_sales") == "total sales"
    assert name_text(2011) == "2011"
