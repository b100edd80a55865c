"""Row policies along a whole question: no answer, option, near value, finding or refusal shows what is hidden."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from backedge.adapters.connectors.duckdb import DuckDBConnector
from backedge.adapters.stores.value_shelves import SqliteShelves
from backedge.ask.answer import answer_of
from backedge.ask.catalog import Catalog, Verified
from backedge.ask.grounded import (
    CompilingSpecifier,
    GroundingClarifier,
    NoSolver,
    TemplateInterpreter,
)
from backedge.ask.grounding.spans import spans_of
from backedge.ask.grounding.words import tokenise
from backedge.ask.intent import Intent, NotUnderstood, Token
from backedge.ask.keys import KeyChecks
from backedge.ask.ports import AskPorts
from backedge.ask.proposals import Beyond, Written
from backedge.ask.stages.specify import SPECIFYING
from backedge.ask.states import Question
from backedge.ask.value_index import ASKERS, ValueIndex
from backedge.ask.withheld import without_hidden_values
from backedge.ask.workflow import ASK, begin
from backedge.cli.exits import CANNOT_ANSWER, NOT_PERMITTED, code_of
from backedge.kernel.decide import stage_key
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context, entry_to_json
from backedge.kernel.stage import Lesson
from backedge.query.attributes import kept, read_attributes
from backedge.query.ports import Caps, Ran, Rejected
from backedge.semantic.model import Model
from backedge.semantic.spec import Filter, Spec
from tests.ask.scripted import TODAY, Script, table
from tests.kernel.memory import MemoryStore, StillClock
from tests.semantic.policed import HIDDEN, MODEL, ORDERS_VIEW, PAID_ONLY, TABLES

EU = {"region": ("EU",)}
VERIFIED = (
    Verified("buyers", "SELECT buyer, amount FROM orders.csv ORDER BY id", "local", embed=("who bought what",)),
    Verified("backdoor", "SELECT * FROM backdoor", "local", embed=("who came in",)),
    Verified("broken", "SELECT CAST(buyer AS INTEGER) AS n FROM orders", "local", embed=("break it",)),
)
CATALOG = Catalog(MODEL, VERIFIED, hash="m")


class Shop:
    """The shop's database in a file, and runs that ask it."""

    def __init__(self, folder: Path) -> None:
        file = folder / "shop.duckdb"
        with duckdb.connect(str(file)) as connection:
            for name, rows in TABLES.items():
                connection.execute(f'CREATE TABLE "{name}" AS {rows}')
            connection.execute('CREATE TABLE orders AS SELECT * FROM "orders.csv"')
            connection.execute('CREATE TABLE backdoor AS SELECT * FROM "orders.csv"')
        self.keys = folder / "keys.json"
        self.loop = asyncio.new_event_loop()
        self.connector = DuckDBConnector("local", file=file, cache=folder)
        self.folder = folder
        self.values = ValueIndex(CATALOG, {"local": self.connector}, "local", SqliteShelves(folder))

    def ports(self, catalog: Catalog = CATALOG, **scripted: Any) -> AskPorts:
        """The ports without a model, but for those that are scripted."""
        connectors = {"local": self.connector}
        values = self.values if catalog is CATALOG else ValueIndex(catalog, connectors, "local", SqliteShelves(None))
        own = {
            "clarifier": GroundingClarifier(catalog, values),
            "specifier": CompilingSpecifier(catalog, KeyChecks(catalog.model, connectors, "local", self.keys)),
            "solver": NoSolver(),
            "interpreter": TemplateInterpreter(),
        }
        return AskPorts(catalog, {"local": self.connector}, "local", caps=Caps(), **{**own, **scripted})

    def ask(
        self, text: str, attributes: Mapping[str, tuple[str, ...]], catalog: Catalog = CATALOG, **scripted: Any
    ) -> dict[str, Any]:
        """The answer form of one question, with its whole journal under `journal`."""
        return self.loop.run_until_complete(self._ask(text, attributes, self.ports(catalog, **scripted)))

    async def _ask(self, text: str, attributes: Mapping[str, tuple[str, ...]], ports: AskPorts) -> dict[str, Any]:
        store = MemoryStore()
        driver = Driver(store, {"ask": Bound(ASK, ports)}, StillClock())
        context = Context(TODAY, by="ann", attributes=kept(attributes))
        run = await driver.drive(await driver.start("ask", Question(text, TODAY), context))
        entries = await store.read(run.id)
        return {**answer_of(run, entries), "journal": "\n".join(entry_to_json(e.entry) for e in entries)}

    def close(self) -> None:
        """End the worker."""
        self.loop.run_until_complete(self.connector.close())
        self.loop.close()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    made = Shop(tmp_path_factory.mktemp("policed"))
    yield made
    made.close()


def leaks(found: dict[str, Any], asked: str = "") -> list[str]:
    """Hidden words that a reader can find anywhere in a run, but for those that the asker wrote."""
    text = json.dumps(found, default=str)
    return [word for word in HIDDEN if word in text and word.rstrip("-") not in asked]


ASKED = [
    "total by buyer",
    "count of orders",
    "largest by region",
    "earliest",
    "names",
    "total by day year",
    "total in 1999",
    "count of orders in 1999",
    "total since 1990 by day",
    "total for buyer voldemort",
    "total for buyer voldemor",
    "total for voldemot",
    "orders count in Zanzibr",
    "orders count not in EU",
    "orders count by region not EU",
    "total for status zip",
    "count of orders over 500",
    "total over 100 by buyer",
    "top 1 buyer by total",
    "lowest buyer by total",
    "orders large",
    "quantity by buyer",
    "paid count by buyer",
    "sales total by who",
    "who bought what",
    "which buyers are there",
    "what does region mean",
    "what can i ask",
    "total for ' or 1=1 --",
    "zap",
]


@pytest.mark.parametrize("text", ASKED)
def test_nothing_hidden_is_shown_or_kept(shop: Shop, text: str) -> None:
    assert leaks(shop.ask(text, EU), text) == []


@pytest.mark.parametrize(
    ("hidden", "nothing"),
    [
        ("total for buyer voldemort", "total for buyer qoldemork"),
        ("count of orders in Zanzibar", "count of orders in Qanzibur"),
        ("count of orders not in Zanzibar", "count of orders not in Qanzibur"),
        ('total where buyer is "voldemort"', 'total where buyer is "qoldemork"'),
        ("total for status zap", "total for status qap"),
        ("count of orders in 1999", "count of orders in 1998"),
    ],
)
def test_a_hidden_value_is_told_of_as_one_that_does_not_exist(shop: Shop, hidden: str, nothing: str) -> None:
    def told(text: str) -> list[object]:
        found = shop.ask(text, EU)
        kept = [
            found[name] for name in ("status", "answer", "rows", "unknown", "instead", "notes", "states", "question")
        ]
        words = zip(nothing.replace('"', "").split(), hidden.replace('"', "").split(), strict=True)
        text = json.dumps(kept, default=str)
        for other, word in words:
            text = text.replace(other, word)
        return json.loads(text)  # type: ignore[no-any-return]

    assert told(hidden) == told(nothing)


@pytest.mark.parametrize("text", [t for t in ASKED if not t.startswith(("what", "which"))][::2])
def test_without_the_attribute_nothing_is_answered_or_shown(shop: Shop, text: str) -> None:
    found = shop.ask(text, {})
    assert found["status"] in ("cannot_answer", "needs_input")
    assert (found["rows"], leaks(found, text)) == ([], [])


@pytest.mark.parametrize("text", ["total by buyer", "who bought what", "total for EU"])
def test_the_refusal_says_which_attribute_to_give(shop: Shop, text: str) -> None:
    found = shop.ask(text, {})
    assert "attribute region of who asks" in found["answer"]
    assert found["hints"] == ["ask with --as region=VALUE"]
    assert code_of(found) == NOT_PERMITTED
    assert found["states"][-2:] == ["Diagnosing", "Done"]


def test_a_word_that_nothing_means_is_no_question_of_permission(shop: Shop) -> None:
    assert code_of(shop.ask("total by flurbl", EU)) == CANNOT_ANSWER


def test_the_answer_is_that_of_the_visible_rows_and_says_so(shop: Shop) -> None:
    found = shop.ask("total by buyer", EU)
    assert sorted(found["rows"]) == [["ann", 10], ["bob", 20]]
    assert "only rows of orders that row policy tenant allows" in found["notes"]
    assert found["asked_as"] == {"region": ["EU"]}


def test_a_verified_query_is_held_and_shows_what_ran(shop: Shop) -> None:
    found = shop.ask("who bought what", EU)
    assert found["rows"] == [["ann", 10], ["bob", 20]]
    assert (found["path"], found["params"]) == ("verified", ["EU"])
    assert "WHERE" in found["sql"]
    assert "only rows of orders that row policy tenant allows" in found["notes"]


def test_a_verified_query_over_an_undeclared_table_is_not_permitted(shop: Shop) -> None:
    found = shop.ask("who came in", EU)
    assert code_of(found) == NOT_PERMITTED
    assert "no view declares" in found["answer"]
    assert code_of(shop.ask("who came in", {**EU, "role": ("admin",)})) == NOT_PERMITTED  # lines are held still


def test_what_the_database_says_of_values_is_withheld(shop: Shop) -> None:
    found = shop.ask("break it", {"region": ("Zanzibar",)})
    assert "withheld" in found["answer"]
    assert leaks(found, "Zanzibar") == []


@pytest.mark.parametrize("sql", ["SELECT buyer FROM orders", "SELECT 1; DROP TABLE orders", "SELECT * FROM backdoor"])
def test_written_sql_is_held_as_well(shop: Shop, sql: str) -> None:
    beyond = Script([Beyond(None, "no construct")])
    found = shop.ask("total by buyer", EU, specifier=beyond, solver=Script([Written(sql, "local")]))
    if found["status"] == "answered":
        assert sorted(row[0] for row in found["rows"]) == ["ann", "bob"]
    else:
        assert code_of(found) == NOT_PERMITTED
    assert leaks(found) == []


@pytest.mark.parametrize(
    ("member", "value", "hidden"),
    [
        ("orders.buyer", "voldemord", "voldemort"),
        ("orders.status", "zab", "zap"),
        ("orders.day", "1998-01-01", "1999-"),
    ],
)
def test_an_empty_result_is_looked_into_with_the_eyes_of_the_asker(
    shop: Shop, member: str, value: str, hidden: str
) -> None:
    def found(*region: str) -> dict[str, Any]:
        draft = Spec(measures=("orders.total",), where=(Filter(member, "equals", (value,)),))
        intent = Intent("look", "total", (Token("look", "measure", "orders.total"),), draft)
        return shop.ask("look", {"region": region}, clarifier=Script([intent, NotUnderstood("that is all")]))

    assert "Executing" in found("EU")["states"]
    assert leaks(found("EU")) == []
    assert hidden in leaks(found("Zanzibar"), "")


def test_the_range_of_dates_is_that_of_the_visible_rows(shop: Shop) -> None:
    found = shop.ask("total in 1998", EU)
    assert found["status"] == "cannot_answer"
    assert "2024-01-05" in found["answer"]
    assert leaks(found) == []


def test_topics_do_not_lift_policies(shop: Shop) -> None:
    catalog = Catalog(Model(MODEL.views, (PAID_ONLY,)), VERIFIED, hash="t")
    assert shop.ask("who bought what", EU, catalog)["rows"] == [["ann", 10]]
    assert shop.ask("count of orders", EU, catalog)["rows"] == [[1]]


WHO = spans_of(tokenise("ann voldemort zanzibar"))


def names_of(shop: Shop, index: ValueIndex, **attributes: str) -> set[str]:
    """Which of the names in the data somebody's index knows."""
    seen = shop.loop.run_until_complete(index.look(WHO, {n: (v,) for n, v in attributes.items()}))
    near = shop.loop.run_until_complete(index.names(["voldemor"], {n: (v,) for n, v in attributes.items()}))
    return {" ".join(words) for words in seen.values.phrases} | {"~" + name for name in near if name in HIDDEN}


def test_each_asker_has_an_index_of_their_own(shop: Shop) -> None:
    eu, hidden = names_of(shop, shop.values, region="EU"), names_of(shop, shop.values, region="Zanzibar")
    assert (eu, "ann" in hidden, "voldemort" in hidden) == ({"ann"}, False, True)
    assert names_of(shop, shop.values, region="EU", mood="good") == eu
    assert not names_of(shop, shop.values)


def test_an_index_on_the_disk_is_read_for_its_own_asker_alone(shop: Shop) -> None:
    names_of(shop, shop.values, region="Zanzibar")
    later = ValueIndex(CATALOG, {"local": shop.connector}, "local", SqliteShelves(shop.folder))
    assert names_of(shop, later, region="EU") == {"ann"}
    assert not names_of(shop, later)
    texts = {file: file.read_bytes() for file in shop.folder.glob("values-*.db")}
    assert {stat.S_IMODE(file.stat().st_mode) for file in texts} == {0o600}
    assert sum(b"voldemort" in text for text in texts.values()) < len(texts)


def test_samples_of_the_files_are_not_shown_to_whom_a_policy_holds(shop: Shop) -> None:
    assert not names_of(shop, shop.values, region="Nowhere")


def test_indexes_of_many_askers_do_not_pile_up(shop: Shop) -> None:
    catalog = Catalog(Model((replace(ORDERS_VIEW, dimensions=()),)))
    index = ValueIndex(catalog, {}, "local", SqliteShelves(None))
    for number in range(ASKERS + 10):
        shop.loop.run_until_complete(index.look((), {"region": (str(number),)}))
    assert len(index._known) == ASKERS


def test_a_reply_is_not_reused_for_somebody_else(shop: Shop) -> None:
    async def key(**attributes: tuple[str, ...]) -> str:
        driver = Driver(MemoryStore(), {"ask": Bound(ASK, shop.ports())}, StillClock())
        context = Context(TODAY, by="ann", attributes=kept(attributes))
        run = await driver.load(await driver.start("ask", Question("total", TODAY), context))
        return stage_key(run, replace(SPECIFYING, inputs=lambda state: "the same"), shop.ports(), Lesson())

    def of(**attributes: tuple[str, ...]) -> str:
        return shop.loop.run_until_complete(key(**attributes))

    assert of(region=("EU",)) != of(region=("US",)) != of()
    assert of(region=("EU", "US")) == of(region=("US", "EU"))


def test_who_asks_is_what_the_context_says() -> None:
    forged = Question("total", TODAY, attributes=(("role", ("admin",)),))
    assert begin(forged, Context(TODAY, attributes=kept(EU))).question.asker == EU


@pytest.mark.parametrize(
    "values", [("EU",), ("EU", "US"), ("Doe, Ann", "B"), ('6" pipe',), ("a\nb",), ("é' OR 1=1 --",)]
)
def test_attributes_are_kept_as_they_are(values: tuple[str, ...]) -> None:
    assert read_attributes(kept({"x": values})) == {"x": tuple(sorted(values))}


def test_what_a_database_quotes_is_withheld_from_whom_a_policy_holds() -> None:
    told = Rejected("type", "Could not convert string 'voldemort' to INT32", ("voldemort",))
    ran = Ran(table((1,)), 1, ("`orders.csv` column `day`: 1999-12-31 may be read in two ways, as 'voldemort' is",))
    assert without_hidden_values(told, MODEL, {"role": "admin"}) != told  # lines are held still
    assert leaks({"all": (without_hidden_values(told, MODEL, {}), without_hidden_values(ran, MODEL, {}))}) == []
    unknown = Rejected("unknown_column", "there is no column `x`", ("id",))
    assert without_hidden_values(unknown, MODEL, {}) == unknown
    free = Model((replace(ORDERS_VIEW, row_policies=()),))
    assert (without_hidden_values(told, free, {}), without_hidden_values(ran, free, {})) == (told, ran)


def test_a_model_without_policies_shows_what_it_did(shop: Shop) -> None:
    free = Catalog(Model((replace(ORDERS_VIEW, row_policies=()),)), hash="f")
    found = shop.ask("count of orders", {}, free)
    assert (found["status"], found["rows"], found["notes"]) == ("answered", [[5]], [])
