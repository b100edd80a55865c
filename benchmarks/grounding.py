"""What reading a question costs at 50, 500 and 5,000 members and a million distinct values, and `ask` but its query."""

from __future__ import annotations

import asyncio
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from backedge.adapters.stores.value_shelves import SqliteShelves
from backedge.ask.catalog import Catalog
from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.values import Values
from backedge.ask.intent import Ambiguous, Clarified, Intent, NotUnderstood
from backedge.ask.states import Question
from backedge.ask.value_index import ValueIndex, read_with_values
from backedge.assemble import open_app
from backedge.demo.shop import make_shop
from backedge.kernel.journal import Proposed
from backedge.query.ports import Caps, Ran
from backedge.query.table import Column, Table
from backedge.semantic.model import Dimension, Entity, Measure, Model, View

READ_GOAL, ASK_GOAL = 20.0, 50.0
PER_VIEW = 10  # of which four are texts, one a date, and five measures
SIZES = ((50, 1_000), (500, 100_000), (5_000, 1_000_000))
_COLUMN = re.compile(r'"([a-z]+)_t([0-9]+)"')
TODAY = date(2026, 11, 30)
MEASURED = ("sales", "cost", "margin", "weight", "volume")
GROUPED = ("region", "channel", "brand", "grade")


def model_of(members: int) -> Model:
    """Facts of five measures, each joined to one hub of texts."""
    hub = View("hub", table="hub", entities=(Entity("hub", "primary", ("id",)),), dimensions=(_id("id"), *_texts(0)))
    return Model((hub, *(fact_of(number) for number in range(1, members // PER_VIEW))))


def fact_of(number: int) -> View:
    """One fact: every name carries its number, as names do that a generator made."""
    measures = tuple(
        Measure(f"{word}_t{number}", "sum", word, synonyms=(f"{word} of unit{number}",)) for word in MEASURED
    )
    keys = (Entity(f"fact{number}", "primary", ("id",)), Entity("hub", "foreign", ("hub_id",)))
    times = (_id("id"), _id("hub_id"), Dimension(f"day_t{number}", "date", "day"))
    return View(
        f"fact{number}", table=f"t{number}", entities=keys, dimensions=(*_texts(number), *times), measures=measures
    )


def _id(name: str) -> Dimension:
    return Dimension(name, "number", name)


def _texts(number: int) -> tuple[Dimension, ...]:
    return tuple(
        Dimension(f"{word}_t{number}", "string", word, description=f"The {word} of thing {number}") for word in GROUPED
    )


@dataclass
class Stub:
    """A database that gives as many values to each text as there are to be, and a range of dates."""

    each: int
    name: str = "local"
    dialect: str = "duckdb"

    async def run(self, sql: str, params: Any = (), caps: Caps | None = None) -> Ran:
        """The values of a column, told apart by its query."""
        word, number = _COLUMN.findall(sql)[0]
        if word == "day":
            return Ran(Table(columns=(Column(name="d", type="DATE", kind="date"),), rows=((date(2024, 1, 1),),)), 0)
        rows = tuple((f"{word}{number} kind {value}",) for value in range(self.each))
        return Ran(Table(columns=(Column(name="v", type="VARCHAR", kind="text"),), rows=rows), 0)

    async def fingerprint(self) -> str:
        """One state."""
        return "one"


def questions(members: int) -> list[str]:
    """Questions about views far apart: read, asked back and refused."""
    last = members // PER_VIEW - 1
    found = []
    for number in sorted({1, last // 3, last // 2, last}):
        found += [
            f"sales t{number}",
            f"cost t{number} by region t{number}",
            f"top 5 brand t{number} by margin t{number} in 2024",
            f"monthly weight of unit{number} in 2024",
            f"sales t{number} and cost t{number} by channel t{number} for grade{number} kind 7",
            f"saless t{number} by region t{number}",
            f"sales t{number} for zanzibar",
        ]
    return found


def milliseconds(times: Sequence[float]) -> str:
    """Median and 95th percentile."""
    return f"{statistics.median(times):7.1f} {statistics.quantiles(times, n=20)[-1]:7.1f}"


async def read_times(members: int, values: int, folder: Path) -> tuple[list[float], float, float, dict[str, int]]:
    """The times of reading questions in a warm process; those of making the index and of a process' first question."""
    catalog = Catalog(model_of(members), hash=str(members))
    texts = members // PER_VIEW * len(GROUPED)
    connectors: Any = {"local": Stub(values // texts)}
    began = time.perf_counter()
    await ValueIndex(catalog, connectors, "local", SqliteShelves(folder)).look((), {})
    made = time.perf_counter() - began
    index = ValueIndex(catalog, connectors, "local", SqliteShelves(folder))
    times, kinds = [], {kind.__name__: 0 for kind in (Intent, Ambiguous, NotUnderstood)}
    for turn in range(4):
        for text in questions(members):

            def read(found: Values, text: str = text) -> Clarified:
                return ground(text, catalog, found, today=TODAY)

            began = time.process_time()
            reading, _ = await read_with_values(index, Question(text, TODAY), catalog, read)
            times.append((time.process_time() - began) * 1000)
            if turn == 0:
                kinds[type(reading).__name__] += 1
    return times[len(times) // 4 :], made, times[0], kinds


async def ask_times(folder: Path) -> tuple[list[float], list[float]]:
    """Answers of a warm process on the demo shop, ms: of this process, and by the clock without the queries."""
    make_shop(folder)
    app = open_app(folder)
    own, waited = [], []
    asked = (
        "net revenue by country",
        "monthly net revenue in 2025",
        "top 5 products by net revenue",
        "how many orders",
    )
    for turn in range(12):
        for text in asked:
            worked, began = time.process_time(), time.perf_counter()
            run = await app.driver.drive(await app.ask(text, by="benchmark"))
            took, clock = time.process_time() - worked, time.perf_counter() - began
            entries = [stored.entry for stored in await app.store.read(run.id)]
            asked_of = [e.proposal for e in entries if isinstance(e, Proposed) and isinstance(e.proposal, dict)]
            queries = sum(ms for proposal in asked_of if isinstance(ms := proposal.get("ms"), int))
            if turn > 1:
                own.append(took * 1000)
                waited.append(clock * 1000 - queries)
    await app.close()
    return own, waited


def main() -> int:
    """Print the tables; 1 where a goal is missed."""
    missed = False
    print("reading a question, ms of this process")
    print("members     values  median     p95  ratio to the goal  index made s  first ms")
    for members, values in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            times, made, first, kinds = asyncio.run(read_times(members, values, Path(folder)))
        ratio = statistics.median(times) / READ_GOAL
        missed |= ratio > 1
        print(f"{members:7} {values:10,} {milliseconds(times)}  {ratio:17.2f}  {made:12.1f}  {first:8.0f}  {kinds}")
    with tempfile.TemporaryDirectory() as folder:
        own, waited = asyncio.run(ask_times(Path(folder) / "shop"))
    ratio = statistics.median(own) / ASK_GOAL
    missed |= ratio > 1
    print(f"\nask in a warm process, ms of this process: {milliseconds(own)}; ratio to the goal {ratio:.2f}")
    print(f"by the clock, without its queries: {milliseconds(waited)}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
