"""Phrases of time and the exact half-open ranges that they are read as, on plain and on awkward days."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backedge.ask.grounding.date_patterns import Pattern
from backedge.ask.grounding.dates import phrases, read_period, read_time
from backedge.ask.grounding.periods import Period, Reckoning, reckoning
from backedge.ask.grounding.words import tokenise
from backedge.semantic.model import Model, Topic
from backedge.semantic.operators import midnight
from backedge.semantic.timed import Calendar

NOW = Reckoning(date(2026, 11, 30), fiscal=4)  # a Monday; fiscal years begin in April
DOC = Path(__file__).parents[2] / "docs" / "time.md"

READ = """
today                                     | 2026-11-30 | 2026-12-01
now                                       | 2026-11-30 | 2026-12-01
yesterday                                 | 2026-11-29 | 2026-11-30
tomorrow                                  | 2026-12-01 | 2026-12-02
the day before yesterday                  | 2026-11-28 | 2026-11-29
the day after tomorrow                    | 2026-12-02 | 2026-12-03
this day                                  | 2026-11-30 | 2026-12-01
this week                                 | 2026-11-30 | 2026-12-07
this month                                | 2026-11-01 | 2026-12-01
current quarter                           | 2026-10-01 | 2027-01-01
this half                                 | 2026-07-01 | 2027-01-01
this year                                 | 2026-01-01 | 2027-01-01
last day                                  | 2026-11-29 | 2026-11-30
last week                                 | 2026-11-23 | 2026-11-30
last month                                | 2026-10-01 | 2026-11-01
previous quarter                          | 2026-07-01 | 2026-10-01
last half                                 | 2026-01-01 | 2026-07-01
last half year                            | 2026-01-01 | 2026-07-01
prior year                                | 2025-01-01 | 2026-01-01
the last full month                       | 2026-10-01 | 2026-11-01
next day                                  | 2026-12-01 | 2026-12-02
next week                                 | 2026-12-07 | 2026-12-14
next month                                | 2026-12-01 | 2027-01-01
coming quarter                            | 2027-01-01 | 2027-04-01
next year                                 | 2027-01-01 | 2028-01-01
last 1 day                                | 2026-11-29 | 2026-11-30
last 7 days                               | 2026-11-23 | 2026-11-30
past 30 days                              | 2026-10-31 | 2026-11-30
last three weeks                          | 2026-11-09 | 2026-11-30
last 1 month                              | 2026-10-01 | 2026-11-01
last one month                            | 2026-10-01 | 2026-11-01
past 12 months                            | 2025-11-01 | 2026-11-01
the last twelve complete months           | 2025-11-01 | 2026-11-01
previous 2 quarters                       | 2026-04-01 | 2026-10-01
last 2 halves                             | 2025-07-01 | 2026-07-01
the last 3 years                          | 2023-01-01 | 2026-01-01
over the last 3 months                    | 2026-08-01 | 2026-11-01
next 2 weeks                              | 2026-12-07 | 2026-12-21
next 3 months                             | 2026-12-01 | 2027-03-01
trailing 30 days                          | 2026-11-01 | 2026-12-01
rolling 7 days                            | 2026-11-24 | 2026-12-01
trailing 4 weeks                          | 2026-11-03 | 2026-12-01
trailing 12 months                        | 2025-12-01 | 2026-12-01
trailing 2 quarters                       | 2026-06-01 | 2026-12-01
trailing 1 year                           | 2025-12-01 | 2026-12-01
ttm                                       | 2025-12-01 | 2026-12-01
the week before last                      | 2026-11-16 | 2026-11-23
month before last                         | 2026-09-01 | 2026-10-01
year before last                          | 2024-01-01 | 2025-01-01
3 days ago                                | 2026-11-27 | 2026-11-28
a day ago                                 | 2026-11-29 | 2026-11-30
same month last year                      | 2025-11-01 | 2025-12-01
the same quarter of the previous year     | 2025-10-01 | 2026-01-01
same day last year                        | 2025-11-30 | 2025-12-01
ytd                                       | 2026-01-01 | 2026-12-01
QTD                                       | 2026-10-01 | 2026-12-01
mtd                                       | 2026-11-01 | 2026-12-01
wtd                                       | 2026-11-30 | 2026-12-01
year to date                              | 2026-01-01 | 2026-12-01
month to date                             | 2026-11-01 | 2026-12-01
this quarter to date                      | 2026-10-01 | 2026-12-01
this year so far                          | 2026-01-01 | 2026-12-01
so far this month                         | 2026-11-01 | 2026-12-01
2024 to date                              | 2024-01-01 | 2026-12-01
2026 so far                               | 2026-01-01 | 2026-12-01
November 2026 so far                      | 2026-11-01 | 2026-12-01
to date                                   | -          | 2026-12-01
so far                                    | -          | 2026-12-01
until today                               | -          | 2026-12-01
last Monday                               | 2026-11-23 | 2026-11-24
last Friday                               | 2026-11-27 | 2026-11-28
this Wednesday                            | 2026-12-02 | 2026-12-03
March last year                           | 2025-03-01 | 2025-04-01
March of this year                        | 2026-03-01 | 2026-04-01
Q3 last year                              | 2025-07-01 | 2025-10-01
first half of this year                   | 2026-01-01 | 2026-07-01
last December                             | 2025-12-01 | 2026-01-01
2024                                      | 2024-01-01 | 2025-01-01
the year 2024                             | 2024-01-01 | 2025-01-01
calendar year 2024                        | 2024-01-01 | 2025-01-01
1990s                                     | 1990-01-01 | 2000-01-01
the 2010s                                 | 2010-01-01 | 2020-01-01
March 2024                                | 2024-03-01 | 2024-04-01
Mar 2024                                  | 2024-03-01 | 2024-04-01
sept 2024                                 | 2024-09-01 | 2024-10-01
month of March 2024                       | 2024-03-01 | 2024-04-01
December, 2024                            | 2024-12-01 | 2025-01-01
2024-12                                   | 2024-12-01 | 2025-01-01
3 March 2024                              | 2024-03-03 | 2024-03-04
March 3rd, 2024                           | 2024-03-03 | 2024-03-04
March 3 2024                              | 2024-03-03 | 2024-03-04
the 3rd of March 2024                     | 2024-03-03 | 2024-03-04
29 February 2024                          | 2024-02-29 | 2024-03-01
2024-03-03                                | 2024-03-03 | 2024-03-04
2024/03/04                                | 2024-03-04 | 2024-03-05
25/12/2024                                | 2024-12-25 | 2024-12-26
12/25/2024                                | 2024-12-25 | 2024-12-26
25.12.2024                                | 2024-12-25 | 2024-12-26
05/05/2024                                | 2024-05-05 | 2024-05-06
2024-03-04T10:00                          | 2024-03-04T10:00 | 2024-03-04T10:01
2024-03-04T10:00:30                       | 2024-03-04T10:00:30 | 2024-03-04T10:00:31
since 2024-03-04T10:00                    | 2024-03-04T10:00 | -
between 2024-03-04T10:00 and 2024-03-04T12:00 | 2024-03-04T10:00 | 2024-03-04T12:00
2024-W07                                  | 2024-02-12 | 2024-02-19
2026-W53                                  | 2026-12-28 | 2027-01-04
week 7 of 2024                            | 2024-02-12 | 2024-02-19
W1 2025                                   | 2024-12-30 | 2025-01-06
week of 3 March 2024                      | 2024-02-26 | 2024-03-04
week of March 4, 2024                     | 2024-03-04 | 2024-03-11
week beginning 2024-03-04                 | 2024-03-04 | 2024-03-11
Q3 2024                                   | 2024-07-01 | 2024-10-01
2024 Q4                                   | 2024-10-01 | 2025-01-01
Q1/2024                                   | 2024-01-01 | 2024-04-01
third quarter of 2024                     | 2024-07-01 | 2024-10-01
quarter 2 of 2024                         | 2024-04-01 | 2024-07-01
H1 2024                                   | 2024-01-01 | 2024-07-01
second half of 2024                       | 2024-07-01 | 2025-01-01
last quarter of 2024                      | 2024-10-01 | 2025-01-01
last month of 2024                        | 2024-12-01 | 2025-01-01
first 3 months of 2024                    | 2024-01-01 | 2024-04-01
last 10 days of March 2024                | 2024-03-22 | 2024-04-01
last day of February 2024                 | 2024-02-29 | 2024-03-01
first day of 2024                         | 2024-01-01 | 2024-01-02
this fiscal year                          | 2026-04-01 | 2027-04-01
last fiscal year                          | 2025-04-01 | 2026-04-01
last fiscal quarter                       | 2026-07-01 | 2026-10-01
last 2 fiscal quarters                    | 2026-04-01 | 2026-10-01
fiscal year to date                       | 2026-04-01 | 2026-12-01
next financial year                       | 2027-04-01 | 2028-04-01
Q1 of last fiscal year                    | 2025-04-01 | 2025-07-01
March to May 2024                         | 2024-03-01 | 2024-06-01
March through May 2024                    | 2024-03-01 | 2024-06-01
from Jan 2024 through Mar 2024            | 2024-01-01 | 2024-04-01
November 2023 to February 2024            | 2023-11-01 | 2024-03-01
Q1 to Q3 2024                             | 2024-01-01 | 2024-10-01
between 2022 and 2024                     | 2022-01-01 | 2025-01-01
between March and May 2024                | 2024-03-01 | 2024-06-01
between 3 and 5 March 2024                | 2024-03-03 | 2024-03-06
3 to 5 March 2024                         | 2024-03-03 | 2024-03-06
3-5 March 2024                            | 2024-03-03 | 2024-03-06
March 3 to 5, 2024                        | 2024-03-03 | 2024-03-06
from 3 March to 5 April 2024              | 2024-03-03 | 2024-04-06
2024-03-03 to 2024-03-03                  | 2024-03-03 | 2024-03-04
2022-2023                                 | 2022-01-01 | 2024-01-01
from March 3 to 5, 2024                   | 2024-03-03 | 2024-03-06
from last month to today                  | 2026-10-01 | 2026-12-01
since March 2024                          | 2024-03-01 | -
since last month                          | 2026-10-01 | -
since yesterday                           | 2026-11-29 | -
since the beginning of 2024               | 2024-01-01 | -
since the start of the year               | 2026-01-01 | -
from 2024 on                              | 2024-01-01 | -
2024 or later                             | 2024-01-01 | -
starting from March 2024                  | 2024-03-01 | -
on or after 3 March 2024                  | 2024-03-03 | -
after March 2024                          | 2024-04-01 | -
later than 3 March 2024                   | 2024-03-04 | -
before 2024                               | - | 2024-01-01
prior to March 2024                       | - | 2024-03-01
earlier than 2024                         | - | 2024-01-01
until 2024                                | - | 2025-01-01
up to March 2024                          | - | 2024-04-01
by the end of 2024                        | - | 2025-01-01
until the end of March 2024               | - | 2024-04-01
on or before 3 March 2024                 | - | 2024-03-04
no later than 3 March 2024                | - | 2024-03-04
2024 or earlier                           | - | 2025-01-01
throughout 2024                           | 2024-01-01 | 2025-01-01
"""

ASKED = """
past month                | 2026-10-01 2026-11-01 | 2026-11-01 2026-12-01
past year                 | 2025-01-01 2026-01-01 | 2025-12-01 2026-12-01
03/04/2024                | 2024-04-03 2024-04-04 | 2024-03-04 2024-03-05
3.4.2024                  | 2024-04-03 2024-04-04 | 2024-03-04 2024-03-05
from 03/04/2024 to 05/06/2024 | 2024-04-03 2024-06-06 | 2024-03-04 2024-05-07
from 25/12/2024 to 05/01/2025 | 2024-12-25 2025-01-06 | 2024-12-25 2025-05-02
since 03/04/2024          | 2024-04-03 - | 2024-03-04 -
FY2024                    | 2024-04-01 2025-04-01 | 2023-04-01 2024-04-01
fiscal year 2024          | 2024-04-01 2025-04-01 | 2023-04-01 2024-04-01
FY 2024                   | 2024-04-01 2025-04-01 | 2023-04-01 2024-04-01
FY24 Q2                   | 2024-07-01 2024-10-01 | 2023-07-01 2023-10-01
Q2 FY2024                 | 2024-07-01 2024-10-01 | 2023-07-01 2023-10-01
fiscal Q2 2024            | 2024-07-01 2024-10-01 | 2023-07-01 2023-10-01
Q2 of fiscal year 2024    | 2024-07-01 2024-10-01 | 2023-07-01 2023-10-01
a year ago                | 2025-01-01 2026-01-01 | 2025-11-30 2025-12-01
two months ago            | 2026-09-01 2026-10-01 | 2026-09-30 2026-10-01
2 quarters ago            | 2026-04-01 2026-07-01 | 2026-05-30 2026-05-31
a week ago                | 2026-11-23 2026-11-30 | 2026-11-23 2026-11-24
last March                | 2026-03-01 2026-04-01 | 2025-03-01 2025-04-01
next Friday               | 2026-12-04 2026-12-05 | 2026-12-11 2026-12-12
in Q3                     | 2026-07-01 2026-10-01 | 2025-07-01 2025-10-01
in March                  | 2026-03-01 2026-04-01 | 2025-03-01 2025-04-01
on 3 March                | 2026-03-03 2026-03-04 | 2025-03-03 2025-03-04
on March 3rd              | 2026-03-03 2026-03-04 | 2025-03-03 2025-03-04
since March               | 2026-03-01 - | 2025-03-01 -
from March to May         | 2026-03-01 2026-06-01 | 2025-03-01 2025-06-01
in the first half         | 2026-01-01 2026-07-01 | 2025-01-01 2025-07-01
"""

REFUSED = """
31 February 2023          | February 2023 has 28 days
February 29, 2023         | February 2023 has 28 days
2023-02-31                | February 2023 has 28 days
2024-13-01                | no month 13
since 31 April 2024       | April 2024 has 30 days
13/13/2024                | is no date
3/4/24                    | year of 3/4/24 is not clear
2024-03-04T25:00          | is no time
2024-03-04T10:00Z         | has a time zone of its own
2023-W53                  | has no week 53
5 to 3 March 2024         | ends before it starts
2024 to 2022              | ends before it starts
November to February 2024 | of which year
last year to date         | up to which day
2025 so far               | not going on today
same week last year       | no fellow
same period last year     | which period
summer 2024               | no fixed days
last winter               | no fixed days
Christmas                 | no holidays are known
last Easter               | no holidays are known
Black Friday              | no holidays are known
Cyber Monday              | no holidays are known
New Year's Eve            | no holidays are known
Memorial Day              | no holidays are known
bank holidays             | no holidays are known
last weekend              | which days are weekends
Monday                    | may be any
Fridays                   | day of the week
weekdays                  | day of the week
last 5 business days      | no working days
last 24 hours             | time of day
3 hours ago               | time of day
this morning              | no fixed hours
early 2024                | no fixed days
mid March 2024            | no fixed days
end of 2024               | no fixed days
end of March 2024         | no fixed days
the end of the month      | no fixed days
first week of March 2024  | not clear which days
last week of 2024         | not clear which days
first 2 weeks of 2024     | not clear which days
first 15 months of 2024   | fewer than 15 months
last few weeks            | does not say how many
a few days ago            | does not say how many
recent months             | does not say how many
recently                  | since when
latest month              | may be the last one with data
the 90s                   | which century
2000s                     | ten years or a hundred
20th century              | no period here
last century              | no period here
March 24                  | year of 'march 24'
Q3 24                     | year of 'q3 24'
fiscal Q2                 | year of 'fiscal q2'
H1 of FY2024              | half a fiscal year
H1 of last fiscal year    | half a fiscal year
"""
EITHER = ("in ", "on ")  # which the grammar of questions takes


def rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(part.strip() for part in line.split("|")) for line in table.strip().splitlines()]


def moment(text: str) -> date | None:
    if text == "-":
        return None
    return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)


def place(text: str) -> int:
    return 1 if text.startswith(EITHER) and not text.startswith("on or") else 0


def read(text: str, by: Reckoning = NOW) -> Period | None:
    """The period that all of a text is, behind an "in" or "on"."""
    words, skip = tokenise(text), place(text)
    found = read_period(words, skip, by)
    return found[0] if found and found[1] == len(words) - skip else None


def ends(period: Period | None) -> tuple[date | None, date | None] | None:
    return (period.start, period.end) if period else None


@pytest.mark.parametrize("row", rows(READ), ids=lambda r: r[0])
def test_a_phrase_is_its_days(row: tuple[str, ...]) -> None:
    text, start, end = row
    assert ends(read(text)) == (moment(start), moment(end))


@pytest.mark.parametrize("row", rows(ASKED), ids=lambda r: r[0])
def test_words_with_several_meanings_have_each_of_them_and_choose_none(row: tuple[str, ...]) -> None:
    text, *meanings = row
    found = read(text)
    assert found is not None
    assert ends(found) == (None, None)
    wanted = [tuple(map(moment, meaning.split())) for meaning in meanings]
    assert [ends(other) for other in found.others][: len(wanted)] == wanted
    assert found.yearless or len(found.others) == len(wanted)


@pytest.mark.parametrize("row", rows(REFUSED), ids=lambda r: r[0])
def test_what_no_calendar_says_is_refused_with_the_reason(row: tuple[str, ...]) -> None:
    text, reason = row
    troubles = [t for at in range(len(tokenise(text))) if (t := read_time(tokenise(text), at, NOW).trouble)]
    assert troubles
    assert reason in troubles[0][0]
    assert read(text) is None


@pytest.mark.parametrize("text", ["may", "march on", "in 24", "month last year", "05", "Q5 2024", "last time", "1850"])
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert read_time(tokenise(text), place(text), NOW) == read_time((), 0, NOW)


AWKWARD = """
2024-02-29 | same day last year        | refused
2024-02-29 | last month                | 2024-01-01 | 2024-02-01
2024-02-29 | trailing 12 months        | 2023-03-01 | 2024-03-01
2024-02-29 | last 1 year               | 2023-01-01 | 2024-01-01
2024-03-31 | last month                | 2024-02-01 | 2024-03-01
2024-03-30 | trailing 1 month          | 2024-02-29 | 2024-03-31
2024-12-31 | this week                 | 2024-12-30 | 2025-01-06
2024-12-31 | next month                | 2025-01-01 | 2025-02-01
2024-12-31 | ytd                       | 2024-01-01 | 2025-01-01
2025-01-01 | last week                 | 2024-12-23 | 2024-12-30
2025-01-01 | last quarter              | 2024-10-01 | 2025-01-01
2025-01-01 | yesterday                 | 2024-12-31 | 2025-01-01
2025-01-01 | ytd                       | 2025-01-01 | 2025-01-02
2026-11-30 | last 1 week               | 2026-11-23 | 2026-11-30
2026-11-29 | last week                 | 2026-11-16 | 2026-11-23
2025-04-01 | this fiscal year          | 2025-04-01 | 2026-04-01
2025-03-31 | this fiscal year          | 2024-04-01 | 2025-04-01
2025-03-31 | this fiscal quarter       | 2025-01-01 | 2025-04-01
2026-12-02 | last Friday               | 2026-11-27 | 2026-11-28
2026-12-02 | last Monday               | refused
"""


@pytest.mark.parametrize("row", rows(AWKWARD), ids=lambda r: f"{r[0]} {r[1]}")
def test_awkward_days_are_as_exact(row: tuple[str, ...]) -> None:
    today, text, *wanted = row
    found = read(text, Reckoning(date.fromisoformat(today), fiscal=4))
    expected = None if wanted == ["refused"] else tuple(map(moment, wanted))
    assert (None if found is None or found.others else ends(found)) == expected


def test_weeks_begin_where_the_calendar_says_and_iso_weeks_on_monday() -> None:
    sunday = Reckoning(date(2026, 11, 30), week_start=6)
    assert ends(read("this week", sunday)) == (date(2026, 11, 29), date(2026, 12, 6))
    assert ends(read("week of 3 March 2024", sunday)) == (date(2024, 3, 3), date(2024, 3, 10))
    assert ends(read("2024-W07", sunday)) == (date(2024, 2, 12), date(2024, 2, 19))
    assert "write 2024-W07" in str(read_time(tokenise("week 7 of 2024"), 0, sunday).trouble)


def test_a_fiscal_year_that_nobody_declared_or_that_topics_differ_in_is_refused() -> None:
    undeclared = read_time(tokenise("last fiscal year"), 0, Reckoning(NOW.today))
    assert "nothing says in which month the fiscal year begins" in str(undeclared.trouble)
    april, july = (Topic(n, calendar=Calendar(fiscal_year_start=m)) for n, m in (("a", 4), ("b", 7)))
    both = reckoning(Model(topics=(april, july)), NOW.today)
    assert "begin their fiscal years in different months" in str(read_time(tokenise("FY2024"), 0, both).trouble)
    assert ends(read("last week", both)) == ends(read("last week"))
    project = reckoning(Model(calendar=Calendar(fiscal_year_start=7)), NOW.today)
    assert ends(read("this fiscal year", project)) == (date(2026, 7, 1), date(2027, 7, 1))


def test_a_fiscal_year_that_begins_in_january_is_the_calendar_year() -> None:
    assert ends(read("FY2024", Reckoning(NOW.today, fiscal=1))) == (date(2024, 1, 1), date(2025, 1, 1))


def test_weeks_that_topics_begin_on_different_days_are_refused() -> None:
    topics = (Topic("a", calendar=Calendar(week_start=6)), Topic("b"))
    by = reckoning(Model(topics=topics), NOW.today)
    assert "begin their weeks on different days" in str(read_time(tokenise("last week"), 0, by).trouble)
    assert ends(read("last month", by)) == ends(read("last month"))


def test_one_is_singular_in_the_echo_and_the_choice_of_days_is_said() -> None:
    found = [read(text) for text in ("last 1 month", "last 7 days", "trailing 1 year", "last 2 halves")]
    assert [p and p.text for p in found] == ["last 1 month", "last 7 days", "trailing 1 year", "last 2 halves"]
    assert found[1] is not None
    assert found[1].how == "whole days, today left out"
    assert found[2] is not None
    assert found[2].how == "up to and including today"


DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))
PHRASES = st.sampled_from([r[0] for r in (*rows(READ), *rows(ASKED))])


@given(PHRASES, DAYS, st.integers(0, 6), st.sampled_from([None, 1, 4, 7, 10]))
def test_a_range_starts_before_it_ends_and_its_echo_reads_as_the_same(
    text: str, today: date, week: int, fiscal: int | None
) -> None:
    by = Reckoning(today, week, fiscal)
    found = read(text, by)
    for period in found.others or (found,) if found else ():
        assert period.start is None or period.end is None or midnight(period.start) < midnight(period.end)
        assert ends(read(period.text, by)) == ends(period), period.text


FORMS = """
since {}|before {}|after {}|until {}|{} or later|from {} on|by the end of {}|over the {}|the {}
from {} to {}|between {} and {}|{} to {}|{} and {}|{} {}
"""


@given(st.sampled_from([form for row in rows(FORMS) for form in row]), PHRASES, PHRASES, DAYS)
def test_phrases_put_together_are_exact_or_nothing_wherever_they_are_cut(
    form: str, one: str, other: str, today: date
) -> None:
    by = Reckoning(today, fiscal=4)
    words = tokenise(form.format(one, other))
    for at in range(len(words)):
        found = read_time(words, at, by).period
        for period in (found[0].others or (found[0],)) if found else ():
            assert ends(period) != (None, None)
            assert not period.start or not period.end or midnight(period.start) < midnight(period.end)
            assert ends(read(period.text, by)) == ends(period), period.text


@given(DAYS, st.sampled_from(["day", "week", "month", "quarter", "half", "year", "fiscal quarter", "fiscal year"]))
def test_the_last_unit_ends_where_this_one_begins_and_this_one_where_the_next_begins(today: date, unit: str) -> None:
    by = Reckoning(today, 6, 4)
    last, this, following = (read(f"{word} {unit}", by) for word in ("last", "this", "next"))
    assert last
    assert this
    assert following
    assert (last.end, this.end) == (this.start, following.start)
    assert this.start
    assert this.end
    assert this.start <= today < this.end
    before = read(f"{unit} before last", by)
    assert before
    assert before.end == last.start


@given(DAYS, st.integers(1, 40))
def test_n_whole_units_are_one_unit_after_another(today: date, n: int) -> None:
    by = Reckoning(today)
    whole, rest = read(f"last {n + 1} months", by), read(f"last {n} months" if n > 1 else "last 1 month", by)
    assert whole
    assert rest
    assert whole.start
    assert rest.start
    assert whole.end == rest.end
    assert timedelta(28) <= rest.start - whole.start <= timedelta(31)


def test_every_phrase_of_the_grammar_is_tried_here() -> None:
    texts = [r[0] for table in (READ, ASKED, REFUSED) for r in rows(table)]
    words = [tokenise(text) for text in texts]

    def tried(phrase: str) -> bool:
        pattern = Pattern(phrase, lambda _said, _by: None)
        return any(True for said in words for at in range(len(said)) for _ in pattern.match(said, at))

    assert [phrase for phrase in phrases() if not tried(phrase)] == []


def documented(heading: str) -> list[str]:
    section = DOC.read_text(encoding="utf-8").split(f"### {heading}\n")[1].split("\n#")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ") and "*" in line]
    return [text for cell in cells for text in re.findall(r"\*([^*]+)\*", cell)]


def test_the_docs_list_what_is_read_asked_and_refused() -> None:
    served, asked, refused = map(documented, ("What is read", "What is asked about", "What is refused by name"))
    assert (len(served) > 60, len(asked) > 8, len(refused) > 15) == (True, True, True)
    assert [t for t in served if not (p := read(t)) or p.others] == []
    assert [t for t in asked if not (p := read(t)) or not p.others] == []
    assert [t for t in refused if not any(read_time(tokenise(t), n, NOW).trouble for n in (0, 1))] == []
