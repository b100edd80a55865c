"""The same crashes with a real file: a forked process dies at an append, and another goes on from the disk."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from backedge.adapters.stores.sqlite import open_sqlite
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Proposed
from backedge.kernel.ports import Store
from backedge.kernel.stage import Lesson
from tests.kernel.deaths import DIED, DyingStore, in_another_process
from tests.kernel.letters import COPY, LETTERS, Desk, Draft, Drafting, Posted, Verdict, Wish
from tests.kernel.memory import StillClock
from tests.kernel.scenes import GOOD, TODAY, bind_all, go

END = Posted("0:Dear Bo, it rains. 1:Dear Bo, it rains.")
PAID = "paid"


def driver(store: Store, paid: Path) -> Driver:
    def draft(state: Drafting, lesson: Lesson) -> Draft:
        with paid.open("a") as file:
            file.write(".")
        return Draft("It rains.") if lesson.attempt == 1 else GOOD

    desk = Desk(draft, bind_all)
    return Driver(store, {"letters": Bound(LETTERS, desk), "copy": Bound(COPY, desk)}, StillClock())


async def live(driving: Driver, run_id: str) -> None:
    run = await driving.drive(run_id)
    if run.status == "waiting":
        await driving.offer(run_id, Verdict(True), by="ann")
        await driving.drive(run_id)


def die(folder: Path, at: int, after: bool) -> int:
    """Live in a forked process that dies at an append; its exit code."""

    def until_then() -> None:
        store = DyingStore(open_sqlite(folder / "runs.db"), at, after)
        go(live(driver(store, folder / PAID), "letter"))

    return in_another_process(until_then)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", range(1, 13))
def test_a_process_that_dies_at_an_append_loses_nothing(tmp_path: Path, at: int, after: bool) -> None:
    store = open_sqlite(tmp_path / "runs.db")
    go(driver(store, tmp_path / PAID).start("letters", Wish("Bo", "rain"), TODAY, run_id="letter"))
    go(store.close())
    assert die(tmp_path, at, after) == DIED
    store = open_sqlite(tmp_path / "runs.db")
    going_on = driver(store, tmp_path / PAID)
    go(live(going_on, "letter"))
    run = go(going_on.load("letter"))
    if run.status == "waiting":
        go(live(going_on, "letter"))
        run = go(going_on.load("letter"))
    assert run.state == END
    entries = go(store.read("letter"))
    assert [stored.seq for stored in entries] == list(range(len(entries)))
    offers = Counter(s.entry.by for s in entries if isinstance(s.entry, Proposed) and s.entry.by)
    assert set(offers.values()) == {1}
    assert len(go(store.heads())) == 3
    assert len(go(store.records("letter"))) == 1
    repeated = 1 if not after and at in (1, 3) else 0
    assert len((tmp_path / PAID).read_text()) == 2 + repeated
    go(store.close())
