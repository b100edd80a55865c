"""A catalog of thousands of members is searched, never shown: what a question needs is among the few that are found."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import product
from typing import cast

import pytest

from backedge.ask.catalog import Catalog, Verified
from backedge.ask.grounded import GroundingClarifier
from backedge.ask.grounding.values import Held, Values
from backedge.ask.grounding.words import phrase
from backedge.ask.prompted.search import CatalogSearch, Entry, entries_of
from backedge.ask.prompted.shown import LONGEST_EXCERPT, MOST, excerpt, notes_shown, tables_text
from backedge.ask.prompted.surroundings import Surroundings
from backedge.ask.states import Question
from backedge.query.ports import TableInfo
from backedge.semantic.model import Dimension, Entity, Measure, Model, RowPolicy, Topic, View

THINGS = phrase(
    "invoice shipment ticket campaign employee warehouse vendor contract session payroll asset loan claim "
    "machine sensor course student patient visit bed room flight crew route meter outage tenant lease "
    "parcel truck driver depot recipe menu guest booking crop field harvest tank pump valve pipe"
)
SIDES = phrase("planned actual forecast audited draft archived regional internal external seasonal")
FACTS = phrase("amount duration score weight balance volume delay rate margin quota")
WANTED = View(
    "sales",
    label="Sales",
    description="Completed purchases of our web store",
    entities=(Entity("sale", "primary", ("sale_id",)), Entity("buyer", "foreign", ("buyer_id",))),
    dimensions=(
        Dimension("sale_id", "number", "sale_id"),
        Dimension("sold_on", "date", "sold_on"),
        Dimension("channel", "string", "channel", "Where the purchase was made", samples=("web", "app", "phone")),
        Dimension("is_gift", "boolean", "is_gift", "Whether it was wrapped as a present"),
    ),
    measures=(
        Measure(
            "net_revenue",
            "sum",
            "net",
            description="Money earned after refunds and discounts",
            synonyms=("turnover", "takings"),
        ),
        Measure("basket_value", "average", "net", description="Average money spent in one purchase", synonyms=("AOV",)),
        Measure("units_sold", "sum", "units", description="Pieces that left the shelf", synonyms=("quantity",)),
        Measure(
            "refund_share",
            "number",
            "x",
            description="Portion of purchases that were sent back",
            synonyms=("return rate",),
        ),
    ),
)
BUYERS = View(
    "buyers",
    description="People who shop",
    entities=(Entity("buyer", "primary", ("buyer_id",)),),
    dimensions=(
        Dimension("buyer_id", "number", "buyer_id"),
        Dimension("home_country", "string", "country", "The land where they live", samples=("France", "Spain")),
        Dimension("loyaltyTier", "string", "tier", "Bronze, silver or gold membership"),
        Dimension("joined_on", "date", "joined_on"),
    ),
    measures=(
        Measure("active_buyers", "count_distinct", "buyer_id", description="Shoppers with at least one purchase"),
    ),
)
ASKED = {
    "what did we take last month": "sales.net_revenue",
    "turnovers by country of residence": "sales.net_revenue",
    "how much money have we earned after discounts": "sales.net_revenue",
    "takings in the web shop": "sales.net_revenue",
    "our net revenues please": "sales.net_revenue",
    "revenue, net": "sales.net_revenue",
    "average spending per purchase": "sales.basket_value",
    "AOV over time": "sales.basket_value",
    "how big are baskets": "sales.basket_value",
    "value of a typical basket": "sales.basket_value",
    "how many pieces left the shelves": "sales.units_sold",
    "quantities by channel": "sales.units_sold",
    "units which we sold": "sales.units_sold",
    "portion that is sent back": "sales.refund_share",
    "return rates by tier": "sales.refund_share",
    "share of refunds": "sales.refund_share",
    "purchases made over the phone": "sales.channel",
    "where was the purchase made": "sales.channel",
    "channels compared": "sales.channel",
    "wrapped as presents": "sales.is_gift",
    "gifts versus others": "sales.is_gift",
    "in which land do they live": "buyers.home_country",
    "home countries of shoppers": "buyers.home_country",
    "shoppers from Spain": "buyers.home_country",
    "gold members": "buyers.loyaltyTier",
    "by loyalty tier": "buyers.loyaltyTier",
    "membership levels": "buyers.loyaltyTier",
    "active shoppers": "buyers.active_buyers",
    "buyers who are active": "buyers.active_buyers",
    "who joined this year": "buyers.joined_on",
}  # fmt: skip


def large_catalog() -> Catalog:
    def view(thing: str, side: str) -> View:
        measures = tuple(
            Measure(f"{side}_{fact}", "sum", fact, description=f"The {side} {fact} of a {thing}") for fact in FACTS
        )
        return View(f"{thing}_{side}", description=f"Each {side} {thing}", measures=measures)

    noise = tuple(view(thing, side) for thing, side in product(THINGS, SIDES))
    topic = Topic("shop", "Everything about the web store", ("sales", "buyers"))
    return Catalog(
        Model((*noise, WANTED, BUYERS), (topic,)), (Verified("gift_report", "", embed=("gifts of the year",)),)
    )


@pytest.fixture(scope="module")
def search() -> CatalogSearch:
    catalog = large_catalog()
    assert sum(1 for _ in catalog.model.members()) > 4_000
    return CatalogSearch(entries_of(catalog), catalog.model)


def found(search: CatalogSearch, text: str, **values: tuple[str, ...]) -> tuple[Entry, ...]:
    return asyncio.run(search.find(text, MOST, {path.replace("__", "."): held for path, held in values.items()}))


@pytest.mark.parametrize(("question", "member"), ASKED.items())
def test_the_member_that_a_paraphrase_needs_is_shown(search: CatalogSearch, question: str, member: str) -> None:
    entries = found(search, question)
    assert member in [entry.path for entry in entries]
    assert len(entries) <= MOST
    assert len(excerpt(entries, 5)) <= LONGEST_EXCERPT + 100


def test_a_value_of_the_question_names_its_dimension_first(search: CatalogSearch) -> None:
    entries = found(search, "planned amount in Lyon", buyers__home_country=("Lyon",))
    assert entries[0].path == "buyers.home_country"
    assert "the question has words for its values: Lyon" in excerpt(entries, 1)


def test_the_dates_of_what_is_measured_come_along(search: CatalogSearch) -> None:
    assert "sales.sold_on" in [entry.path for entry in found(search, "takings last month")]


def test_what_joins_to_the_measure_goes_before_what_does_not() -> None:
    apart = tuple(View(f"n{n}", dimensions=(Dimension("size", "string", "size"),)) for n in range(60))
    joined = Dimension("pack_class", "string", "class", "Class of the packing, from the size of a parcel")
    model = Model((*apart, WANTED, replace(BUYERS, dimensions=(*BUYERS.dimensions, joined))))
    search = CatalogSearch(entries_of(Catalog(model)), model)
    paths = [entry.path for entry in found(search, "takings by size")]
    assert paths.index("buyers.pack_class") < MOST == len(paths)


def test_topics_and_verified_queries_are_found(search: CatalogSearch) -> None:
    kinds = {entry.kind for entry in found(search, "everything about gifts of the web store this year")}
    assert {"topic", "verified query"} <= kinds


def test_nothing_is_found_for_words_that_nothing_shares(search: CatalogSearch) -> None:
    assert found(search, 'zzz ? " NEAR(') == ()


class Meanings:
    """Vectors by the meaning that each text has, out of a few: what a real embedder learns."""

    name, dimensions = "meanings", 3

    def __init__(self) -> None:
        self.texts = 0

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.texts += len(texts)
        kinds = (("tier", "standing"), ("country",), ("gift",))
        return [[float(any(word in text.casefold() for word in kind)) for kind in kinds] for text in texts]


def test_an_embedder_finds_what_shares_no_word(search: CatalogSearch) -> None:
    catalog, embedder = large_catalog(), Meanings()
    assert "buyers.loyaltyTier" not in [entry.path for entry in found(search, "standing")]
    meant = CatalogSearch(entries_of(catalog), catalog.model, embedder)
    assert "buyers.loyaltyTier" in [entry.path for entry in found(meant, "standing")]
    first = embedder.texts
    found(meant, "AOV")
    assert embedder.texts == first + 1  # the catalog is embedded once
    assert "sales.basket_value" in [entry.path for entry in found(meant, "AOV")]


def test_an_excerpt_tells_a_view_once_and_cuts_what_is_long() -> None:
    entries = [Entry("measure", f"v.m{n}", (), "long " * 400, ("s" * 90,), "All of the view") for n in range(40)]
    text = excerpt(entries, 1)
    assert text.count("All of the view") == 1
    assert len(text) <= LONGEST_EXCERPT + 100
    assert "more are not shown" in text
    assert "values such as" not in excerpt([Entry("dimension", "v.d", samples=("x",))], 0)


def test_tables_are_bounded_and_those_of_the_question_go_first() -> None:
    columns = tuple((f"column_{n}", "text") for n in range(40))
    tables = [TableInfo(f"t{n}", columns) for n in range(500)] + [TableInfo("parcels", (("weight_kg", "double"),))]
    assert "column_39 text" in tables_text(tables[:1])
    text = tables_text(tables, "weight of the parcels")
    assert text.startswith("table parcels: weight_kg double")
    assert len(text) <= LONGEST_EXCERPT + 100


def test_notes_are_bounded_and_say_that_they_are_cut() -> None:
    shown = notes_shown((f"n{n}.md", "x" * 10_000) for n in range(5))
    assert sum(len(text) for _, text in shown) < 19_000
    assert all("the rest of this note is not shown" in text for _, text in shown)
    assert notes_shown([("a.md", "short")]) == (("a.md", "short"),)


class Rules:
    """Rules for which every word of a text is a value of a buyer's country."""

    async def values_of(self, question: Question, text: str) -> Values:
        return Values({phrase(text): (Held("buyers.home_country", ("Spain",)),)})


@pytest.mark.parametrize(
    ("hidden", "attributes", "shown"),
    [("", {}, ("Spain", "France")), ("buyers.home_country", {}, ()), ("", {"team": ("x",)}, ("Spain",))],
)
def test_what_may_not_be_seen_is_not_shown_and_its_name_is_found_all_the_same(
    hidden: str, attributes: dict[str, tuple[str, ...]], shown: tuple[str, ...]
) -> None:
    policy = RowPolicy("own", "team = '{{user.team}}'")
    guarded = replace(BUYERS, row_policies=(policy,) if attributes else ())
    if hidden:
        guarded = replace(guarded, dimensions=tuple(replace(d, samples=()) for d in guarded.dimensions))
    catalog = Catalog(Model((WANTED, guarded)))
    rules = cast(GroundingClarifier, Rules())
    search = CatalogSearch(entries_of(catalog), catalog.model)
    around = Surroundings(catalog, search, {}, rules, hides=lambda path: path == hidden)
    question = Question("spain", date(2026, 1, 1), attributes=tuple(attributes.items()))
    (entry, *_) = asyncio.run(around.found(question, "spain"))
    assert entry.path == "buyers.home_country"
    text = excerpt([entry], 5)
    assert {name for name in ("Spain", "France") if name in text} == set(shown)
