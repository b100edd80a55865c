"""The value index: found again by the next process, asked only for a question's words where there are too many."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest

from backedge.adapters.connectors.duckdb import DuckDBConnector
from backedge.adapters.stores import value_shelves
from backedge.adapters.stores.value_shelves import SqliteShelves
from backedge.ask.catalog import Catalog
from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.values import CAP, Values
from backedge.ask.intent import Ambiguous, Clarified, Intent, NotUnderstood
from backedge.ask.states import Question
from backedge.ask.value_index import FRESH, ValueIndex, read_with_values
from backedge.query.ports import Caps, Ran, Rejected
from backedge.semantic.model import Dimension, Measure, Model, View
from backedge.semantic.spec import Filter

MODEL = Model(
    (
        View(
            "orders",
            table="orders",
            dimensions=(Dimension("customer", "string", "customer"), Dimension("city", "string", "city")),
            measures=(Measure("order_count", "count", synonyms=("orders",)), Measure("revenue", "sum", "amount")),
        ),
    )
)
CATALOG = Catalog(MODEL, hash="m")
PEOPLE = (
    "Zoë Müller-Lüdenscheidt", "O'Brien", "O'Connor", "Straße GmbH", "McDonald", "GERMLINE", "Germline", "Bolts & Nuts",
    "Paris", "Revenue Works", "E-Mail Works", "Online", "Kim Li", "Kim  Lee",
)  # fmt: skip
TODAY = date(2026, 11, 30)


@dataclass
class Counting:
    """A connector that counts what is asked of it, and may be made to refuse or to know no fingerprint."""

    inner: DuckDBConnector
    asked: list[str] = field(default_factory=list)
    stamp: str | None = None
    refuses: str = ""
    name: str = "local"
    dialect: str = "duckdb"

    async def run(self, sql: str, params: Any = (), caps: Caps | None = None) -> Ran | Rejected:
        """Count, and run or refuse."""
        self.asked.append(sql)
        if self.refuses and self.refuses in sql:
            return Rejected("deadline", "too slow")
        return await self.inner.run(sql, params, caps)

    async def fingerprint(self) -> str:
        """Its own, or the one that is set."""
        return await self.inner.fingerprint() if self.stamp is None else self.stamp

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class Asking:
    """Questions about many customers; `process()` gives an index as another process would have it."""

    def __init__(self, folder: Path) -> None:
        file = folder / "shop.duckdb"
        with duckdb.connect(str(file)) as connection:
            connection.execute("CREATE TABLE orders (customer VARCHAR, city VARCHAR, amount INTEGER)")
            connection.execute(f"INSERT INTO orders SELECT 'Customer ' || i, 'Paris', i FROM range({2 * CAP}) r(i)")
            connection.executemany("INSERT INTO orders VALUES (?, 'Radom', 1)", [(name,) for name in PEOPLE])
        self.loop = asyncio.new_event_loop()
        self.connector = Counting(DuckDBConnector("local", file=file, cache=folder))

    def process(self, folder: Path | None) -> ValueIndex:
        """A new index over the same folder."""
        self.connector.asked.clear()
        return ValueIndex(CATALOG, {"local": self.connector}, "local", SqliteShelves(folder))

    def read(self, question: str, index: ValueIndex) -> Clarified:
        """How the question is read."""

        def read(values: Values) -> Clarified:
            return ground(question, CATALOG, values, today=TODAY)

        return self.loop.run_until_complete(read_with_values(index, Question(question, TODAY), CATALOG, read))[0]

    def filters(self, question: str, index: ValueIndex) -> list[tuple[str, tuple[Any, ...]]]:
        """The filters of a question that is read."""
        found = self.read(question, index)
        assert isinstance(found, Intent), found
        assert found.draft
        return [(c.member, c.values) for c in found.draft.where if isinstance(c, Filter)]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    made = Asking(tmp_path_factory.mktemp("values"))
    yield made
    made.loop.run_until_complete(made.connector.inner.close())
    made.loop.close()


@pytest.fixture(scope="module")
def index(shop: Asking, tmp_path_factory: pytest.TempPathFactory) -> ValueIndex:
    return shop.process(tmp_path_factory.mktemp("index"))


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("Zoë Müller-Lüdenscheidt", ("Zoë Müller-Lüdenscheidt",)),
        ("zoe muller ludenscheidt", ("Zoë Müller-Lüdenscheidt",)),
        ("ZOË  MÜLLER–LÜDENSCHEIDT", ("Zoë Müller-Lüdenscheidt",)),
        ("Ｚｏë Müller-Lüdenscheidt", ("Zoë Müller-Lüdenscheidt",)),
        ('"zoë müller-lüdenscheidt"', ("Zoë Müller-Lüdenscheidt",)),
        ("O'Brien", ("O'Brien",)),
        ("o’brien", ("O'Brien",)),
        ("obrien's", ("O'Brien",)),
        ("strasse gmbh", ("Straße GmbH",)),
        ("mcdonald", ("McDonald",)),
        ("McDonalds", ("McDonald",)),
        ("bolts and nuts", ("Bolts & Nuts",)),
        ("bolt & nut", ("Bolts & Nuts",)),
        ("email works", ("E-Mail Works",)),
        ("kim lee", ("Kim  Lee",)),
        ("customer 1999", ("Customer 1999",)),
        ("germline", ("GERMLINE", "Germline")),
    ],
)
def test_a_value_among_many_is_found_however_it_is_written(
    shop: Asking, index: ValueIndex, words: str, values: tuple[str, ...]
) -> None:
    assert shop.filters(f"orders of customer {words}", index) == [("orders.customer", values)]


@pytest.mark.parametrize("words", ["O'Reilly", "Zoë Müller", "on line", "Customer 999999", "Lüdenscheidt", "o"])
def test_a_value_that_the_data_does_not_hold_is_unknown(shop: Asking, index: ValueIndex, words: str) -> None:
    assert isinstance(shop.read(f"orders of customer {words}", index), NotUnderstood)


def test_what_is_put_right_as_a_name_is_no_part_of_a_value(shop: Asking, index: ValueIndex) -> None:
    assert shop.filters("orders of Revenue Works", index) == [("orders.customer", ("Revenue Works",))]
    assert isinstance(shop.read("orders of Reveneu Works", index), NotUnderstood)


def test_a_word_that_two_dimensions_hold_is_asked_about_though_one_of_them_has_many_values(
    shop: Asking, index: ValueIndex
) -> None:
    found = shop.read("orders in Paris", index)
    assert isinstance(found, Ambiguous), found
    assert {option.value for option in found.options} == {"orders.customer", "orders.city"}


def test_names_near_an_unknown_one_begin_like_it_and_are_said_to_be_a_sample(shop: Asking, index: ValueIndex) -> None:
    found = shop.read("orders of customer Germlime", index)
    assert isinstance(found, NotUnderstood)
    assert found.unknown[0].near == ("GERMLINE",)
    assert "sample" in found.reason


def test_another_process_asks_the_database_for_no_value_that_is_known(shop: Asking, tmp_path: Path) -> None:
    question = "orders of customer O'Brien"
    first = shop.filters(question, shop.process(tmp_path))
    assert any("DISTINCT" in sql for sql in shop.connector.asked)
    second = shop.filters(question, shop.process(tmp_path))
    assert (second, shop.connector.asked) == (first, [])
    shop.filters("orders of customer McDonald", shop.process(tmp_path))
    assert [sql for sql in shop.connector.asked if "__folded" not in sql] == []


def test_what_the_data_was_before_is_forgotten(shop: Asking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.filters("orders of O'Brien", shop.process(tmp_path))
    monkeypatch.setattr(shop.connector, "stamp", "another state")
    index = shop.process(tmp_path)
    shop.filters("orders of O'Brien", index)
    assert shop.connector.asked
    assert len(list(tmp_path.glob("values-*.db"))) == 1
    monkeypatch.setattr(shop.connector, "stamp", "a third state")
    shop.connector.asked.clear()
    shop.filters("orders of O'Brien", index)
    assert shop.connector.asked


def test_without_a_fingerprint_values_are_good_for_a_while(
    shop: Asking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shop.connector, "stamp", "")
    index = shop.process(tmp_path)
    shop.filters("orders of O'Brien", index)
    shop.connector.asked.clear()
    shop.filters("orders of O'Brien", index)
    shop.filters("orders of O'Brien", shop.process(tmp_path))
    assert shop.connector.asked == []
    later = time.time() + FRESH + 1
    monkeypatch.setattr(time, "time", lambda: later)
    shop.filters("orders of O'Brien", index)
    assert shop.connector.asked


def test_where_the_database_cannot_be_asked_a_quoted_value_is_taken_as_written_and_said(
    shop: Asking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shop.connector, "refuses", "__folded")
    index = shop.process(tmp_path)
    assert isinstance(shop.read("orders of customer McDonald", index), NotUnderstood)
    found = shop.read("orders where customer is 'McDonald'", index)
    assert isinstance(found, Intent)
    assert "was taken as written" in " ".join(found.assumptions)


def test_what_a_deadline_cut_short_is_not_kept(shop: Asking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shop.connector, "refuses", "city")
    shop.read("orders", shop.process(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", [b"", b"no database", b"SQLite format 3\0" + b"x" * 5000])
def test_a_broken_file_is_made_anew(shop: Asking, tmp_path: Path, text: bytes) -> None:
    shop.filters("orders of O'Brien", shop.process(tmp_path))
    (file,) = tmp_path.glob("values-*.db")
    file.write_bytes(text)
    assert shop.filters("orders of O'Brien", shop.process(tmp_path)) == [("orders.customer", ("O'Brien",))]


def test_where_nothing_can_be_kept_the_question_is_read_all_the_same(shop: Asking, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    index = shop.process(tmp_path / "file" / "cache")
    assert shop.filters("orders of O'Brien", index) == [("orders.customer", ("O'Brien",))]


def test_a_file_that_another_process_locks_is_left_for_memory(
    shop: Asking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(value_shelves, "_PATIENCE", 0.01)
    shop.filters("orders of O'Brien", shop.process(tmp_path))
    (file,) = tmp_path.glob("values-*.db")
    index = shop.process(tmp_path)
    shop.filters("orders of O'Brien", index)
    with sqlite3.connect(file, isolation_level=None) as locked:
        locked.execute("BEGIN IMMEDIATE")
        assert shop.filters("orders of McDonald", index) == [("orders.customer", ("McDonald",))]
        assert shop.filters("orders of McDonald", index) == [("orders.customer", ("McDonald",))]


def test_files_do_not_pile_up(shop: Asking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_shelves, "MOST_FILES", 2)
    for number in range(4):
        catalog = Catalog(MODEL, hash=str(number))
        index = ValueIndex(catalog, {}, "local", SqliteShelves(tmp_path))
        shop.loop.run_until_complete(index.look((), {}))
    assert len(list(tmp_path.iterdir())) == 2
