"""The pure parts under the grounder: folding, numbers, dates, names and the value index."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from backedge.ask.grounding.dates import read_period
from backedge.ask.grounding.lexicon import Entry, lexicon_of
from backedge.ask.grounding.numbers import read_number
from backedge.ask.grounding.periods import Reckoning
from backedge.ask.grounding.values import CAP, Held, value_queries, values_from
from backedge.ask.grounding.words import phrase, tokenise
from backedge.query.table import Column, Table
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Dimension, Measure, Model, View
from backedge.semantic.spec import Compiled
from tests.ask.grounding_shop import MODEL, TODAY, column


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("total_sales", "Total Sales"),
        ("totalSales", "total sale"),
        ("countries", "COUNTRY"),
        ("Côte d’Ivoire", "cote d'ivoire"),
        ("avg price", "average price"),
        ("ﬁne", "fine"),
        ("movies", "movie"),
        ("boxes", "box"),
        ("addresses", "address"),
        ("store-week", "store week"),
    ],
)
def test_what_says_the_same_folds_the_same(one: str, other: str) -> None:
    assert phrase(one) == phrase(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("status", "statu"), ("gas", "ga"), ("analysis", "analysi"), ("new", "now")],
)
def test_folding_keeps_words_apart(one: str, other: str) -> None:
    assert phrase(one) != phrase(other)


def test_a_negation_is_never_folded_away() -> None:
    assert [word.folded for word in tokenise("isn't don't CAN'T cannot")] == ["not"] * 4


def test_words_know_where_they_stand() -> None:
    question = "Sales for “Tea & Coffee” 2k"
    assert [question[w.start : w.end] for w in tokenise(question)] == [
        "Sales",
        "for",
        "“Tea & Coffee”",
        "2k",
    ]


@pytest.mark.parametrize(
    ("text", "number", "taken"),
    [
        ("5", 5, 1),
        ("five", 5, 1),
        ("twenty five", 25, 2),
        ("twenty-five", 25, 2),
        ("$1,000", 1000, 1),
        ("2k", 2000, 1),
        ("1.5 million", 1_500_000, 2),
        ("two hundred thousand", 200_000, 3),
        ("-5", -5, 1),
        ("3.25", 3.25, 1),
    ],
)
def test_numbers_are_read(text: str, number: float, taken: int) -> None:
    found = read_number(tokenise(text), 0)
    assert found is not None
    assert (float(found[0]), found[1]) == (number, taken)


PERIODS = """
2023                              2023-01-01 2024-01-01
the year 2023                     2023-01-01 2024-01-01
March 2023                        2023-03-01 2023-04-01
month of march 2023               2023-03-01 2023-04-01
sept 2023                         2023-09-01 2023-10-01
2023-12                           2023-12-01 2024-01-01
2023-02-28                        2023-02-28 2023-03-01
28 February 2023                  2023-02-28 2023-03-01
the 3rd of March 2023             2023-03-03 2023-03-04
March 5th, 2023                   2023-03-05 2023-03-06
Q2 2023                           2023-04-01 2023-07-01
2023 Q4                           2023-10-01 2024-01-01
second quarter of 2023            2023-04-01 2023-07-01
quarter 3 of 2023                 2023-07-01 2023-10-01
H2 2023                           2023-07-01 2024-01-01
first half of 2023                2023-01-01 2023-07-01
today                             2024-05-15 2024-05-16
yesterday                         2024-05-14 2024-05-15
this week                         2024-05-13 2024-05-20
last week                         2024-05-06 2024-05-13
this month                        2024-05-01 2024-06-01
last month                        2024-04-01 2024-05-01
previous quarter                  2024-01-01 2024-04-01
current quarter                   2024-04-01 2024-07-01
last year                         2023-01-01 2024-01-01
this year                         2024-01-01 2025-01-01
last 7 days                       2024-05-08 2024-05-15
past 2 weeks                      2024-04-29 2024-05-13
the last three months             2024-02-01 2024-05-01
last 2 quarters                   2023-10-01 2024-04-01
last 5 years                      2019-01-01 2024-01-01
year to date                      2024-01-01 2024-05-16
mtd                               2024-05-01 2024-05-16
since March 2023                  2023-03-01 -
after 2023                        2024-01-01 -
before 5 March 2023               - 2023-03-05
until 2023                        - 2024-01-01
up to March 2023                  - 2023-04-01
between 2022 and 2023             2022-01-01 2024-01-01
from March 2023 to May 2023       2023-03-01 2023-06-01
2023-01-05 to 2023-01-05          2023-01-05 2023-01-06
2022-2023                         2022-01-01 2024-01-01
"""


@pytest.mark.parametrize("line", PERIODS.strip().splitlines())
def test_periods_are_half_open(line: str) -> None:
    *words, start, end = line.split()
    text = " ".join(words)
    found = read_period(tokenise(text), 0, Reckoning(TODAY))
    assert found is not None
    assert (str(found[0].start or "-"), str(found[0].end or "-")) == (start, end)
    assert found[1] == len(tokenise(text))


@pytest.mark.parametrize(
    "text",
    [
        "March",
        "31 February 2023",
        "1850",
        "Q5 2023",
        "last 0 days",
        "last time",
        "month last year",
    ],
)
def test_what_is_no_certain_period_is_not_read(text: str) -> None:
    assert read_period(tokenise(text), 0, Reckoning(TODAY)) is None


def test_a_span_that_ends_before_it_starts_is_no_span() -> None:
    found = read_period(tokenise("2023 to 2022"), 0, Reckoning(TODAY))
    assert found is not None
    assert found[1] == 1


def test_december_and_leap_days_do_not_overflow() -> None:
    words = tokenise("last month")
    assert [read_period(words, 0, Reckoning(day)) for day in (date(2024, 1, 31), date(2024, 3, 31))] == [
        read_period(words, 0, Reckoning(date(2024, 1, 1))),
        read_period(words, 0, Reckoning(date(2024, 3, 1))),
    ]


def test_a_name_is_more_exact_than_a_synonym_and_a_synonym_than_a_description() -> None:
    entries = lexicon_of(MODEL).entries
    assert entries[phrase("total sales")][0] == Entry("measure", "orders.total_sales", 0)
    assert entries[phrase("revenue")][0].rank == 1
    assert entries[phrase("Average age of customers")] == (Entry("measure", "customers.average_age", 2),)


@pytest.mark.parametrize(
    ("description", "noun"),
    [
        ("Number of unique stores in the dataset", "store"),
        ("Total number of holiday weeks", "holiday week"),
        ("Number of weekly observations per store", ""),
        ("How often it rained", ""),
    ],
)
def test_a_count_counts_what_its_description_says(description: str, noun: str) -> None:
    view = View(
        "facts",
        measures=(Measure("n_x", "count_distinct", "x", description=description),),
    )
    nouns = [text for text, found in lexicon_of(Model((view,))).entries.items() if any(e.kind == "noun" for e in found)]
    assert [" ".join(text) for text in nouns if text != ("n", "x")] == ([noun] if noun else [])


def test_every_value_query_compiles_to_one_column() -> None:
    queries = value_queries(MODEL)
    compiled = [compile_spec(MODEL, spec) for _, spec in queries]
    assert all(isinstance(c, Compiled) and len(c.columns) == 1 for c in compiled)
    asked = [path for path, _ in queries]
    assert asked.count("orders.order_date") == 2
    assert "orders.status" in asked
    assert "orders.order_id" not in asked


def test_values_that_differ_only_in_case_are_one_word_and_both_kept() -> None:
    values = values_from(MODEL, (column("orders.channel", "Web", "web"),))
    assert values.phrases[("web",)] == (Held("orders.channel", ("Web", "web")),)


def test_samples_stand_in_only_where_the_data_is_not_known() -> None:
    assert ("corporate",) in values_from(MODEL).phrases
    assert ("corporate",) not in values_from(MODEL, (column("customers.segment", "Consumer"),)).phrases


def test_a_dimension_with_too_many_values_is_marked_partial() -> None:
    many = column("items.product_name", *(f"product {n}" for n in range(CAP + 1)))
    assert values_from(MODEL, (many,)).partial == {"items.product_name"}
    assert values_from(MODEL, (column("items.product_name", "kite"),)).partial == frozenset()


def test_ranges_hold_days_also_of_moments() -> None:
    model = Model((View("v", dimensions=(Dimension("at", "datetime", "at"),)),))
    cells = (datetime(2024, 1, 2, 13), datetime(2024, 3, 4, 5))
    table = Table(
        columns=(Column(name="at", type="TIMESTAMP", kind="datetime"),),
        rows=tuple((c,) for c in cells),
    )
    assert values_from(model, [("v.at", table)]).ranges == {"v.at": (date(2024, 1, 2), date(2024, 3, 4))}
