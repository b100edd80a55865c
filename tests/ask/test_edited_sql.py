"""SQL that a person edits: held to what they may see, judged by the guard, and never rewritten by anybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from backedge.ask.answer import answer_of
from backedge.ask.states import Question
from backedge.ask.workflow import ASK
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Context, entry_to_json
from backedge.query.attributes import kept
from tests.ask.scripted import TODAY
from tests.ask.test_row_policies import EU, Shop, leaks
from tests.kernel.memory import MemoryStore, StillClock


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    made = Shop(tmp_path_factory.mktemp("edited"))
    yield made
    made.close()


def edited(shop: Shop, sql: str, attributes: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """The answer form of edited SQL, with its journal."""

    async def run() -> dict[str, Any]:
        store = MemoryStore()
        driver = Driver(store, {"ask": Bound(ASK, shop.ports())}, StillClock())
        question = Question("total by buyer", TODAY, sql=sql, sql_by="ann", sql_on="local")
        context = Context(TODAY, by="ann", attributes=kept(attributes))
        done = await driver.drive(await driver.start("ask", question, context))
        entries = await store.read(done.id)
        return {**answer_of(done, entries), "journal": "\n".join(entry_to_json(each.entry) for each in entries)}

    return shop.loop.run_until_complete(run())


@pytest.fixture(scope="module", autouse=True)
def _loop(shop: Shop) -> None:
    asyncio.set_event_loop(shop.loop)


def test_it_reads_only_the_rows_that_its_author_may_see(shop: Shop) -> None:
    found = edited(shop, "SELECT buyer, amount FROM orders.csv ORDER BY id", EU)
    assert (found["status"], found["path"], leaks(found)) == ("answered", "edited", [])
    assert found["rows"]
    assert "SQL edited by ann" in found["notes"]


@pytest.mark.parametrize(
    ("sql", "attributes"),
    [
        ("SELECT * FROM backdoor", EU),
        ("SELECT buyer FROM orders.csv", {}),
        ("DELETE FROM orders", EU),
        ("SELECT 1; SELECT buyer FROM orders", EU),
    ],
)
def test_what_may_not_run_ends_the_run_without_a_row(
    shop: Shop, sql: str, attributes: Mapping[str, tuple[str, ...]]
) -> None:
    found = edited(shop, sql, attributes)
    assert (found["status"], found["rows"], leaks(found)) == ("cannot_answer", [], [])
    assert "Solving" not in found["states"]
    assert found["states"].count("Specifying") == 1
