"""Words that steer and are values too, nouns that name whose rows are meant, dates by what happened on them."""

from __future__ import annotations

from datetime import date

import pytest

from backedge.ask.catalog import Catalog
from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.values import values_from
from backedge.ask.intent import Ambiguous, Clarified, Given, Intent, NotUnderstood
from backedge.semantic.model import Dimension, Entity, Measure, Model, View
from backedge.semantic.spec import By
from tests.ask.grounding_shop import column

ACCOUNTS = View(
    "accounts",
    table="accounts",
    entities=(Entity("account", "primary", ("account_id",)),),
    dimensions=(
        Dimension("account_id", "number", "account_id", primary_key=True),
        Dimension("plan", "string", "plan"),
        Dimension("region", "string", "region"),
        Dimension("name", "string", "name"),
        Dimension("created_at", "date", "created_at"),
        Dimension("signup_date", "date", "signup_date"),
    ),
    measures=(Measure("account_count", "count", synonyms=("accounts",)),),
)
INVOICES = View(
    "invoices",
    table="invoices",
    entities=(Entity("invoice", "primary", ("invoice_id",)), Entity("account", "foreign", ("account_id",))),
    dimensions=(
        Dimension("invoice_id", "number", "invoice_id", primary_key=True),
        Dimension("account_id", "number", "account_id"),
        Dimension("state", "string", "state"),
        Dimension("band", "string", "band"),
        Dimension("series", "string", "series"),
        Dimension("disputed", "boolean", "disputed"),
        Dimension("issued_on", "date", "issued_on"),
    ),
    measures=(
        Measure("invoice_count", "count", synonyms=("invoices",)),
        Measure("billed", "sum", "amount"),
        Measure("average_amount", "average", "amount"),
        Measure("paid_invoices", "count", filters=("paid_on IS NOT NULL",)),
        Measure("open_invoices", "count", filters=("state = 'open'",)),
    ),
)
LINES = View(
    "lines",
    table="lines",
    entities=(Entity("line", "primary", ("line_id",)), Entity("invoice", "foreign", ("invoice_id",))),
    dimensions=(
        Dimension("line_id", "number", "line_id", primary_key=True),
        Dimension("invoice_id", "number", "invoice_id"),
        Dimension("kind", "string", "kind"),
    ),
    measures=(Measure("units_shipped", "sum", "units", synonyms=("units",)),),
)
MODEL = Model((ACCOUNTS, INVOICES, LINES))
VALUES = values_from(
    MODEL,
    (
        column("accounts.plan", "Annual", "Pro", "Best"),
        column("accounts.region", "North", "South", "Total"),
        column("invoices.state", "open", "paid", "void"),
        column("invoices.band", "under 20", "over 20"),
        column("invoices.series", "7", "8"),
        column("lines.kind", "new", "used"),
        column("accounts.created_at", date(2023, 1, 1), date(2024, 5, 20)),
        column("accounts.signup_date", date(2023, 1, 1), date(2024, 5, 20)),
        column("invoices.issued_on", date(2023, 1, 10), date(2024, 5, 20)),
    ),
)

READ = """
accounts in Total                         => account_count; region is Total
total accounts in Total                   => account_count; region is Total
accounts by region excluding Total        => account_count by region; region is not Total
total billed in region Total              => billed; region is Total
billed for Annual                         => billed; plan is Annual
accounts in the top 3 plans               => account_count by plan; top 3
billed by account region                  => billed by region
billed by account plan and region         => billed by plan, region
billed of series 7                        => billed; series is 7
open invoices                             => open_invoices
billed of open invoices                   => billed; state is open
billed for void invoices by region        => billed by region; state is void
billed for Pro accounts                   => billed; plan is Pro
billed for accounts in North              => billed; region is North
billed excluding void invoices            => billed; state is not void
billed outside North                      => billed; region is not North
billed without void                       => billed; state is not void
what share of billed comes from North     => billed; share that region is North
how many units were shipped               => units_shipped
disputed invoices by region               => invoice_count by region; disputed is true
average amount of disputed invoices       => average_amount; disputed is true
Pro vs Best billed                        => billed by plan; plan in Pro, Best
billed in North compared to South         => billed by region; region in North, South
compare billed for Pro and Annual         => billed by plan; plan in Pro, Annual
accounts created in 2024                  => account_count; created_at in 2024
accounts created by month                 => account_count by created_at.month
accounts who signed up in March 2024      => account_count; signup_date in March 2024
accounts by signup year                   => account_count by signup_date.year
billed by signup year                     => billed by signup_date.year
invoices issued monthly                   => invoice_count by issued_on.month
billed for accounts created in 2023       => billed; created_at in 2023
"""
ASKED = """
accounts in total         => region is Total, in accounts | in total, whatever their value
annual billed             => only where plan is Annual, in accounts | by year of issued on, in invoices
new invoices              => kind is new, in lines | invoices that are new themselves
invoices that are paid    => state is paid, in invoices | what 'paid invoices' counts
invoices not paid         => state is not paid, in invoices | what 'paid invoices' counts
billed under 20           => band is under 20, in invoices | a number that is under 20
"""
REFUSED = """
accounts by region plan                 => it is not clear how 'region' and 'plan' go together
7 invoices                              => it is not clear what '7' stands for
average average amount                  => averages of averages
billed for paid invoices                => names another measure
units of invoices with new lines        => names another measure
share of billed Pro vs Best             => may be of everything or of the values
compare billed for Pro and Best in 2023 and 2024 => whether values or times are compared
accounts created in 2023 and 2024       => 'created' takes one time
invoices created in 2024                => nothing says when what is measured was created
invoices by state created in 2024       => nothing says when what is measured was created
billed by created month                 => nothing says when what is measured was created
created in 2024 invoices                => nothing says when what is measured was created
accounts created in North               => is called 'created'
North vs Pro billed                     => 'vs' is understood between periods
"""


def asked(question: str, *answers: Given) -> Clarified:
    return ground(question, Catalog(MODEL), VALUES, today=date(2024, 5, 20), answers=answers)


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


@pytest.mark.parametrize(("question", "reason"), rows(REFUSED))
def test_it_is_refused(question: str, reason: str) -> None:
    found = asked(question)
    assert isinstance(found, NotUnderstood), found
    assert reason in found.reason


@pytest.mark.parametrize(
    ("question", "option", "reading"),
    [("accounts in total", "in total", "account_count; in total"), ("accounts in total", "accounts.region", "")],
)
def test_the_idiom_is_taken_as_a_person_says(question: str, option: str, reading: str) -> None:
    first = asked(question)
    assert isinstance(first, Ambiguous)
    found = asked(question, Given(first.slot, option))
    assert isinstance(found, Intent), found
    assert found.reading == (reading or "account_count; region is Total")


def test_values_side_by_side_have_a_row_each() -> None:
    found = asked("Pro vs Best billed")
    assert isinstance(found, Intent)
    assert found.draft is not None
    assert found.draft.by == (By("accounts.plan"),)
    assert found.draft.where


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("billed in Q2 vs Q3 2023", "2023-07-01 to 2023-09-30 with 2023-04-01"),
        ("billed in September vs October 2023", "2023-10-01 to 2023-10-31 with 2023-09-01"),
        ("billed by month this year vs last year", "2024-02-01 to 2024-04-30 with 2023-02-01 to 2023-04-30, in whole"),
    ],
)  # fmt: skip
def test_compared_periods_are_alike(question: str, days: str) -> None:
    found = asked(question)
    assert isinstance(found, Intent), found
    assert any(days in note for note in found.assumptions), found.assumptions
