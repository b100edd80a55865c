"""What a name promises and a model does not keep is asked about: counts of other things, two dates, "per customer"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from backedge.ask.catalog import Catalog
from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.values import values_from
from backedge.ask.intent import Ambiguous, Clarified, Given, Intent, NotUnderstood
from backedge.semantic.model import Dimension, Entity, Measure, Model, View
from tests.ask.grounding_shop import column

DAY, NURSE = Dimension("day", "date", "day"), Dimension("nurse", "string", "nurse")
ROTA = View(
    "rota",
    table="rota",
    entities=(Entity("shift", "primary", ("nurse", "day")),),
    dimensions=(NURSE, DAY, Dimension("ward", "string", "ward")),
    measures=(
        Measure("day_count", "count", synonyms=("days", "shifts")),
        Measure("nights", "count", filters=("night",)),
        Measure("nurses_by_ward", "count_distinct", "ward"),
        Measure("nurse_count", "count_distinct", "nurse", synonyms=("nurses",)),
    ),
)
PEOPLE = View(
    "people",
    table="people",
    entities=(Entity("person", "primary", ("person_id",)),),
    dimensions=(
        Dimension("person_id", "number", "person_id", primary_key=True),
        Dimension("hired", "date", "hired"),
        Dimension("team", "string", "team", synonyms=("group",)),
    ),
    measures=(Measure("person_count", "count", synonyms=("people",)), Measure("team_count", "count")),
)
TICKETS = View(
    "tickets",
    table="tickets",
    entities=(Entity("ticket", "primary", ("ticket_id",)), Entity("person", "foreign", ("person_id",))),
    dimensions=(
        Dimension("ticket_id", "number", "ticket_id", primary_key=True),
        Dimension("person_id", "number", "person_id"),
        Dimension("ticket_date", "date", "ticket_date"),
        Dimension("month", "number", "month(ticket_date)"),
        Dimension("severity", "number", "severity"),
        Dimension("place", "string", "place"),
        Dimension("state", "string", "state"),
        Dimension("urgent", "boolean", "urgent"),
    ),
    measures=(
        Measure("ticket_count", "count", synonyms=("tickets", "cases")),
        Measure("late_tickets", "count", filters=("overdue",)),
        Measure("open_tickets", "count", filters=("state = 'open'",)),
        Measure("urgent_tickets", "count", filters=("urgent",)),
        Measure("closed_tickets", "count", "CASE WHEN state = 'closed' THEN 1 END"),
        Measure("effort", "sum", "hours", synonyms=("hours",)),
        Measure("hours", "sum", "paid"),
    ),
)
LINES = View(
    "ticket_lines",
    table="lines",
    entities=(Entity("ticket_line", "primary", ("ticket_id", "line_no")), Entity("ticket", "foreign", ("ticket_id",))),
    dimensions=(
        Dimension("ticket_id", "number", "ticket_id"),
        Dimension("line_no", "number", "line_no"),
        Dimension("posted", "date", "posted"),
    ),
    measures=(Measure("line_count", "count", synonyms=("lines",)),),
)
SESSIONS = View(
    "sessions",
    table="sessions",
    entities=(
        Entity("session", "primary", ("person_id", "session_start")),
        Entity("person", "foreign", ("person_id",)),
    ),
    dimensions=(Dimension("person_id", "number", "person_id"), Dimension("session_start", "datetime", "s")),
    measures=(Measure("session_count", "count"), Measure("person_count", "count_distinct", "person_id")),
)
MODEL = Model((ROTA, PEOPLE, TICKETS, LINES))
VALUES = values_from(
    MODEL,
    (
        column("tickets.state", "late", "open", "closed", "2024", "A", "B", "A and B"),
        column("tickets.place", "Oslo", "Rome", "lines"),
        column("people.team", "Rome"),
        column("rota.nurse", "Ann", "Bob"),
    ),
)

READ = """
shifts                       => day_count
days by nurse                => day_count by nurse
days for Ann                 => day_count; nurse is Ann
nurses                       => nurse_count
people by team               => person_count by team
people by hired month        => person_count by hired.month
open tickets                 => open_tickets
urgent tickets               => urgent_tickets
closed tickets               => closed_tickets
tickets in Oslo or Rome      => ticket_count; place in Oslo, Rome
tickets with severity 3      => ticket_count; severity is 3
tickets by year              => ticket_count by ticket_date.year
lines                        => line_count
people by group              => person_count by team
tickets for each person id   => ticket_count by person_id
"""
ASKED = """
days                         => day count counts rows of rota, one for each nurse and day | days themselves
how many days by ward        => day count counts rows of rota, one for each nurse and day | days themselves
how many teams               => team count counts rows of people, one for each person id | teams themselves
nurses by ward => nurses by ward, in rota (nurses by ward counts different values of ward) | nurses, for each ward
late tickets                 => late tickets, in tickets | tickets that are late
late tickets, lines          => late tickets, in tickets | tickets that are late
hours                        => effort, in tickets | hours, in tickets
people by year               => by year of hired, in people | by year of ticket date, in tickets
people in 2023               => hired, in people | ticket date, in tickets
tickets by month             => by month, in tickets | by month of ticket date, in tickets
tickets in 2024              => ticket_date in 2024 | state is 2024, in tickets
tickets in Oslo and Rome     => place in Oslo, Rome, in tickets | place is Oslo and team is Rome
tickets not in A and B       => state is not "A and B", in tickets | state not in A, B, in tickets
tickets with lines           => place is lines, in tickets | that have any lines
tickets per person => a row for each person (by person id, in tickets) | one number: the average over each person
"""


def asked(question: str, *answers: Given, model: Model = MODEL) -> Clarified:
    return ground(question, Catalog(model), VALUES, today=date(2024, 3, 15), answers=answers)


def rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(part.strip() for part in line.split("=>")) for line in table.splitlines() if "=>" in line]


@pytest.mark.parametrize(("question", "reading"), rows(READ))
def test_it_is_read_as(question: str, reading: str) -> None:
    found = asked(question)
    assert isinstance(found, Intent), found
    assert found.reading == reading


@pytest.mark.parametrize(("question", "labels"), rows(ASKED))
def test_it_is_asked_back(question: str, labels: str) -> None:
    found = asked(question)
    assert isinstance(found, Ambiguous), found
    assert " | ".join(option.label for option in found.options) == labels


@pytest.mark.parametrize(
    ("question", "slot", "option", "reading"),
    [
        ("days", "measure:day", "rota.day_count", "day_count"),
        ("nurses by ward", "name:nurses by ward", "apart", "nurse_count by ward"),
        ("nurses by ward", "name:nurses by ward", "name", "nurses_by_ward"),
        ("late tickets", "name:late tickets", "apart", "ticket_count; state is late"),
        ("late tickets", "name:late tickets", "name", "late_tickets"),
        ("tickets per person", "by:person", "tickets.person_id", "ticket_count by person_id"),
    ],
)
def test_what_a_person_says_is_taken(question: str, slot: str, option: str, reading: str) -> None:
    answers = [Given(slot, option)]
    found = asked(question, *answers)
    if isinstance(found, Ambiguous):  # "nurses by ward" as a name counts wards, which is asked about once more
        found = asked(question, *answers, Given(found.slot, found.options[0].value))
    assert isinstance(found, Intent), found
    assert found.reading == reading


@pytest.mark.parametrize(
    ("question", "slot", "option", "said"),
    [
        ("days", "measure:day", "something else", "no count of 'days' themselves"),
        ("late tickets, lines", "name:late tickets", "apart", "restricts what comes after 'tickets'"),
        ("tickets with lines", "value:line", "having", "things that have any lines cannot be asked for yet"),
        ("tickets per person", "by:person", "one number", "an average over each person cannot be asked for yet"),
    ],
)
def test_what_cannot_be_computed_is_said_when_it_is_chosen(question: str, slot: str, option: str, said: str) -> None:
    found = asked(question, Given(slot, option))
    assert isinstance(found, NotUnderstood), found
    assert said in found.reason


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Oslo tickets and lines", "restricts what comes after"),
        ("tickets severity in 2023", "is a number and '2023' a time"),
    ],
)
def test_what_reaches_nobody_knows_how_far_is_refused(question: str, said: str) -> None:
    found = asked(question)
    assert isinstance(found, NotUnderstood), found
    assert said in found.reason


def test_what_counts_another_thing_gives_way_to_what_counts_it() -> None:
    other = View("teams", table="teams", measures=(Measure("teams", "count"),))
    found = asked("how many teams", model=Model((PEOPLE, other)))
    assert isinstance(found, Intent), found
    assert found.reading == "teams"


def test_rows_that_are_called_so_are_counted() -> None:
    found = asked("how many sessions", model=Model((PEOPLE, SESSIONS)))
    assert isinstance(found, Intent), found
    assert found.reading == "session_count"


def test_a_count_is_called_what_its_name_counts_in_every_view() -> None:
    people = replace(PEOPLE, measures=(Measure("person_count", "count", synonyms=("persons",)),))
    found = asked("persons", model=Model((people, SESSIONS)))
    assert isinstance(found, Ambiguous), found
    assert [option.value for option in found.options] == ["people.person_count", "sessions.person_count"]


def test_a_row_for_each_thing_far_away_may_be_meant_too() -> None:
    found = asked("lines per person")
    assert isinstance(found, Ambiguous), found
    assert [option.value for option in found.options][-1] == "one number"


def test_the_only_date_around_is_taken() -> None:
    tickets = replace(TICKETS, dimensions=tuple(d for d in TICKETS.dimensions if d.type != "date"))
    found = asked("people by year", model=Model((PEOPLE, tickets)))
    assert isinstance(found, Intent), found
    assert found.reading == "person_count by hired.year"


def test_a_refusal_offers_no_grouping_by_an_id() -> None:
    view = replace(PEOPLE, dimensions=(Dimension("badge_code", "string", "badge"), Dimension("team", "string", "team")))
    found = asked("weather", model=Model((view,)))
    assert isinstance(found, NotUnderstood), found
    assert found.instead[0] == "person count by team"
