"""A crash at any append of an ingest of many sources, then resumed: nothing is lost, and nothing is there twice."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from backedge.adapters.search.view import SqliteSearchView
from backedge.adapters.sources.contents import FolderContents
from backedge.adapters.stores.sqlite import open_sqlite
from backedge.evidence import kinds
from tests.evidence.crashes import Dying, Forking, left, shelf_of
from tests.evidence.outside import Counts
from tests.evidence.shelf import Shelf, go
from tests.kernel.deaths import DIED, DyingStore, in_another_process
from tests.kernel.memory import Crash

FEW, MANY = 7, 50


@cache
def undisturbed(count: int) -> tuple[dict[str, Any], int]:
    """What an ingest of so many sources leaves, and its appends."""
    shelf, runs = shelf_of(count)
    shelf.drive(*runs)
    return left(shelf), shelf.store.appends


def crashed(count: int, at: int, *, after: bool) -> dict[str, Any]:
    """What it leaves where its process died at an append, and another went on."""
    shelf, runs = shelf_of(count, store=Dying())
    shelf.store.crash_at, shelf.store.crash_after = at, after
    with pytest.raises(Crash):
        shelf.drive(*runs)
    shelf.store.born()
    shelf.drive(*runs)
    return left(shelf)


def spread(count: int, points: int) -> list[int]:
    """Appends at about equal distances, first and last among them."""
    last = undisturbed(count)[1]
    return sorted({1 + round(n * (last - 1) / (points - 1)) for n in range(points)})


def test_there_is_something_to_lose() -> None:
    whole, appends = undisturbed(FEW)
    assert {name: status for _, name, status in whole["runs"]} == {
        "Ingested": "ended",
        "Duplicate": "ended",
        "Quarantined": "ended",
        "Ineligible": "ended",
        "ExtractionFailed": "ended",
        "Fetching": "stopped",
        "PartExtracted": "ended",
        "PartFailed": "ended",
        "Accepted": "ended",
        "Rejected": "ended",
        "Withheld": "ended",
    }
    assert (appends > 60, len(whole["records"]) > 40, whole["revision"], sum(whole["chunks"].values()) > 12) == (
        True,
        True,
        4,
        True,
    )


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_at_some_appends_changes_nothing(after: bool) -> None:
    whole, appends = undisturbed(FEW)
    for at in (3, appends // 2, appends - 1):
        assert crashed(FEW, at, after=after) == whole


@pytest.mark.chaos
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_at_every_append_of_a_few_sources_changes_nothing(after: bool) -> None:
    whole, appends = undisturbed(FEW)
    assert [at for at in range(1, appends + 1) if crashed(FEW, at, after=after) != whole] == []


@pytest.mark.chaos
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_at_an_append_of_fifty_sources_changes_nothing(after: bool) -> None:
    whole, appends = undisturbed(MANY)
    tried = spread(MANY, 20)
    assert (appends > 500, len(tried)) == (True, 20)
    assert [at for at in tried if crashed(MANY, at, after=after) != whole] == []


@pytest.mark.nightly
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_death_at_every_append_of_fifty_sources_changes_nothing(after: bool) -> None:
    whole, appends = undisturbed(MANY)

    def goes_on() -> bool:
        shelf.drive(*runs)
        return left(shelf) == whole

    store = Forking(goes_on, after=after)
    shelf, runs = shelf_of(MANY, store=store)
    shelf.drive(*runs)
    store.wait()
    assert left(shelf) == whole
    assert [at for at, same in sorted(store.died.items()) if not same] == []
    assert (sorted(store.died), appends > 500) == (list(range(1, appends + 1)), True)


def on_disk(folder: Path) -> dict[str, Any]:
    """A store, contents and a chunk view in files."""
    return {
        "store": open_sqlite(folder / "runs.db"),
        "contents": FolderContents(folder / "contents"),
        "view": SqliteSearchView(folder / "view.db", Counts.name, Counts.dimensions),
    }


def closed(shelf: Shelf) -> None:
    """Let go of the files."""
    shelf.view.close()
    go(shelf.store.close())


def die(folder: Path, runs: list[str], at: int, *, after: bool) -> int:
    """Drive in a forked process that dies at an append; its exit code."""

    def until_then() -> None:
        outside = on_disk(folder)
        shelf = again(folder, {**outside, "store": DyingStore(outside["store"], at, after)})
        shelf.drive(*runs)

    return in_another_process(until_then)


def again(folder: Path, outside: dict[str, Any]) -> Shelf:
    """The shelf of a folder in another process."""
    shelf, _ = shelf_of(0, **outside)
    shelf.lab = shelf_of(FEW)[0].lab
    for name, script in shelf.lab.brings.items():
        shelf.lab.brings[name] = script[-1:]  # an outage is over; it would begin anew with each process
    return shelf


@pytest.mark.chaos
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_processes_that_die_one_after_the_other_lose_nothing_on_the_disk(tmp_path: Path, after: bool) -> None:
    whole, appends = undisturbed(FEW)
    shelf, runs = shelf_of(FEW, **on_disk(tmp_path))
    closed(shelf)
    deaths = [die(tmp_path, runs, at, after=after) for at in (2, 7, 13, 5, 17)]
    assert deaths == [DIED] * 5
    shelf = again(tmp_path, on_disk(tmp_path))
    shelf.drive(*runs)
    found = left(shelf)
    assert found["records"] == whole["records"]
    assert (found["runs"], found["revision"]) == (whole["runs"], whole["revision"])
    assert set(found["chunks"].values()) == {1}
    kept = [chunk for chunks in shelf.all(kinds.CHUNKS) for chunk in chunks.chunks]
    assert set(found["chunks"]) <= set(kept)
    assert max(Counter(kept).values()) == 1
    closed(shelf)
    assert appends > 44
