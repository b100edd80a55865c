"""Versions of one source: numbered once whoever comes at once, an older content that comes back, a damaged text."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from backedge.adapters.stores.sqlite import open_sqlite
from backedge.assembling.cataloguing import source_shown
from backedge.evidence import kinds
from backedge.evidence.facts import Mark
from backedge.evidence.ingest.states import Duplicate, Ingested
from backedge.evidence.reading import Reading
from backedge.evidence.versions import SourceEntry
from backedge.kernel.ports import Store
from backedge.kernel.run import Run
from backedge.kernel.stage import Record
from tests.evidence.outside import NAUSEA, Agent, Reads, article, delivery, doi, taking
from tests.evidence.shelf import Shelf, go
from tests.kernel.memory import MemoryStore

A, B, C = (article(results=f"{NAUSEA}\nThat was {name}.") for name in ("the first", "the second", "the third"))


class Together:
    """A store in which the first `count` readers of a source's versions wait for each other: all of them see none."""

    def __init__(self, store: Store, count: int) -> None:
        self._store, self._left, self._barrier = store, count, asyncio.Barrier(count)
        self.begin, self.take, self.read, self.head = store.begin, store.take, store.read, store.head
        self.heads, self.accepted, self.append, self.close = store.heads, store.accepted, store.append, store.close

    async def records(self, kind: str, run_id: str | None = None, under: str = "") -> tuple[Record, ...]:
        """The records, read before anybody goes on."""
        found = await self._store.records(kind, run_id, under)
        if kind == kinds.VERSION_OF.name and self._left:
            self._left -= 1
            await self._barrier.wait()
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def at_once(store: Store, *contents: bytes) -> Shelf:
    """Ingests of different contents of one DOI, none of which sees another's version when it numbers its own."""
    shelf = Shelf(store=store)
    begun = [shelf.brings(f"place {n}", delivery(each, identifiers=doi("a"))) for n, each in enumerate(contents)]
    runs = [shelf.begin(name) for name in begun]
    shelf.store = Together(store, len(contents))
    shelf.drive(*runs)
    shelf.store = store
    return shelf


@pytest.mark.parametrize("where", ["memory", "sqlite", "sqlite, grouped"])
def test_versions_that_come_at_once_have_numbers_of_their_own(where: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    store: Store = MemoryStore() if where == "memory" else open_sqlite(path, grouped="grouped" in where)
    shelf = at_once(store, A, B, C)
    versions = shelf.all(kinds.VERSION_OF)
    assert [(v.number, v.supersedes) for v in versions] == [
        (1, ""),
        (2, versions[0].content),
        (3, versions[1].content),
    ]
    assert len({v.content for v in versions}) == 3
    assert len(shelf.all(kinds.SOURCE)) == 1
    judged = {v.content: go(shelf.library.judgement(v.content)) for v in versions}
    assert [j is not None and j.eligible for j in judged.values()] == [False, False, True]
    go(store.close())


def back(*contents: bytes, place: str = "a") -> tuple[Shelf, list[Run]]:
    """A source that holds one content after the other."""
    shelf = Shelf()
    script = [delivery(content, identifiers=doi("a")) for content in contents]
    shelf.brings(place, *script)
    return shelf, [shelf.drive(shelf.begin(place)) for _ in contents]


def eligible(shelf: Shelf, *runs: Run) -> list[bool]:
    """Whether the version of each run may be used now."""
    contents = [run.state.content if isinstance(run.state, Duplicate) else run.state.version for run in runs]
    found = [go(shelf.library.judgement(content)) for content in contents]
    return [judgement is not None and judgement.eligible for judgement in found]


def test_a_content_that_comes_back_counts_again_and_adds_no_version() -> None:
    shelf, (first, second, again) = back(A, B, A)
    assert again.trail == ("Fetching", "Recording", "Duplicate")
    assert [v.number for v in shelf.all(kinds.VERSION_OF)] == [1, 2]
    assert eligible(shelf, first, second) == [True, False]
    current = go(shelf.library.current(first.state.source))
    assert current is not None
    assert current.content == first.state.version
    last = shelf.all(kinds.JUDGEMENT, f"{second.state.version}/")[-1]
    assert [(r.kind, r.detail) for r in last.reasons] == [("superseded", first.state.version)]
    assert (shelf.verified(first), shelf.verified(second)) == (1, 0)


def test_it_may_go_to_and_fro_and_a_new_content_comes_behind_all() -> None:
    shelf, runs = back(A, B, A, B)
    assert eligible(shelf, *runs[:2]) == [False, True]
    shelf, runs = back(A, B, A, C)
    versions = shelf.all(kinds.VERSION_OF)
    assert eligible(shelf, runs[0], runs[1], runs[3]) == [False, False, True]
    assert (versions[2].number, versions[2].supersedes) == (3, runs[0].state.version)
    shelf, runs = back(A, B, A, C, A)
    assert eligible(shelf, runs[0], runs[1], runs[3]) == [True, False, False]
    assert [r.number for r in shelf.all(kinds.RETURNED)] == [1, 2]


def test_the_same_again_and_another_place_change_nothing() -> None:
    shelf, (_, second) = back(A, B)
    shelf.ingest("a copy", delivery(A, identifiers=doi("a")))
    shelf.drive(shelf.begin("a"))
    assert (shelf.all(kinds.RETURNED), eligible(shelf, second)) == ((), [True])


def test_a_place_goes_to_and_fro_with_a_content_that_another_brought_first() -> None:
    shelf = Shelf()
    first = shelf.ingest("a copy", delivery(A, identifiers=doi("a")))
    second = shelf.ingest("a", *[delivery(each, identifiers=doi("a")) for each in (B, A, B)])
    shelf.drive(shelf.begin("a"))
    assert eligible(shelf, first, second) == [True, False]
    assert source_shown_newest(shelf, first) == first.state.version
    shelf.drive(shelf.begin("a"))
    assert eligible(shelf, first, second) == [False, True]


def source_shown_newest(shelf: Shelf, run: Run) -> str:
    """The version that a page shows as the one that counts."""
    shown = go(source_shown(shelf.library, SourceEntry(run.state.source, "")))
    return shown.newest.version.content


def test_what_comes_back_and_was_never_extracted_is_extracted() -> None:
    """Its only run was stopped: there was no model, and then another version was there."""
    shelf = Shelf(agent=None)
    shelf.brings("a", delivery(A, identifiers=doi("a")), delivery(B, identifiers=doi("a")))
    first = shelf.drive(shelf.begin("a"))
    assert first.status == "stopped"
    go(shelf.driver.cancel(first.id, by="ann"))
    shelf.agent = Agent()
    shelf.drive(shelf.begin("a"))
    again = shelf.ingest("a", delivery(A, identifiers=doi("a")))
    assert isinstance(again.state, Ingested)
    assert shelf.verified(again) == 1


def marks(shelf: Shelf) -> list[tuple[int, bool]]:
    return [(mark.number, mark.lifted) for mark in shelf.all(kinds.MARK)]


def test_a_mark_comes_behind_those_that_the_source_has() -> None:
    shelf = Shelf()
    source = shelf.ingest("a", delivery(A, identifiers=doi("a"))).state.source
    for reason, lifted in (("one", False), ("two", True), ("three", False), ("four", True)):
        shelf.restrict(source, reason, lifted=lifted)
    new = shelf.ingest("a", delivery(B, identifiers=doi("a")), restricted="embargo")
    assert marks(shelf) == [(1, False), (2, True), (3, False), (4, True), (5, False)]
    assert eligible(shelf, new) == [False]


@pytest.mark.parametrize("numbers", [(1, 1), (1, 2), (2, 1)])
def test_of_marks_made_at_once_the_stricter_counts(numbers: tuple[int, int]) -> None:
    """Whatever their keys: the reasons differ, so that either may come first."""
    strict, lifted = numbers
    for reason in map(str, range(8)):
        store = MemoryStore()
        for mark in (Mark("s", strict, "ann", reason), Mark("s", lifted, "bob", "lifted", lifted=True)):
            record = kinds.MARK.record(mark)
            store.written[record.kind, record.key] = record
        counts = go(Shelf(store=store).library.mark("s"))
        assert counts is not None
        assert counts.lifted is (lifted > strict)


def damage(shelf: Shelf, run: Run) -> str:
    """Lose the text of a version, as a disk does."""
    text = go(shelf.library.text(run.state.version)).text
    del shelf.contents.kept[text]
    return text


def test_the_damaged_text_of_another_source_keeps_nobody_from_reading() -> None:
    shelf = Shelf()
    other = shelf.ingest("b", delivery(article(results=f"{NAUSEA}\nRats of the damaged study slept."), title="Sleep"))
    damage(shelf, other)
    shelf.agent = Agent([taking("Rats of the damaged study slept.")])
    run = shelf.ingest("a", delivery(A))
    (part,) = shelf.parts(run)
    assert (run.trail[-1], part.trail[-1]) == ("ExtractionFailed", "PartFailed")
    (given_up,) = shelf.all(kinds.GIVEN_UP)
    said = given_up.defects[0]
    assert (said.kind, "not compared with Sleep" in said.message) == ("quote_not_found", True)


MARKED = b"\xef\xbb\xbf" + A  # its text is without the mark: another file than its content


def test_adding_the_same_content_again_mends_its_text() -> None:
    shelf = Shelf()
    run = shelf.ingest("a", delivery(MARKED))
    text = damage(shelf, run)
    counts = shelf.counts()
    again = shelf.ingest("a", delivery(MARKED))
    assert isinstance(again.state, Duplicate)
    assert (shelf.contents.kept[text], shelf.counts()) == (A, counts)
    assert "written anew" in str(shelf.journal(again.id))


def test_a_text_that_is_read_otherwise_today_is_told_and_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf()
    run = shelf.ingest("a", delivery(MARKED))
    text = damage(shelf, run)

    async def read(self: Reads, content: bytes, media_type: str, name: str) -> Reading:
        return Reading("Other words.", (), "other/2")

    monkeypatch.setattr(Reads, "read", read)
    again = shelf.drive(shelf.begin("a"))
    assert again.stopped is not None
    assert ("in process/1 reads it otherwise" in again.stopped.reason, again.stopped.resumable) == (True, True)
    assert text not in shelf.contents.kept


RACE = """
import sys
from pathlib import Path
from backedge.adapters.sources.contents import FolderContents
from backedge.adapters.stores.sqlite import open_sqlite
from tests.evidence.outside import article, delivery, doi
from tests.evidence.shelf import Shelf
folder, name = Path(sys.argv[1]), sys.argv[2]
store, contents = open_sqlite(folder / "runs.db", grouped=True), FolderContents(folder / "contents")
shelf = Shelf(store=store, contents=contents, agent=None)
begun = []
for number in range(10):
    text = article(results=f"Process {name} brought study {number}.")
    shelf.brings(f"{name} {number}", delivery(text, identifiers=doi(f"n{number}")))
    shelf.numbers = iter([f"{name}{number}"])
    begun.append(shelf.begin(f"{name} {number}"))
print("ready", flush=True)
sys.stdin.readline()
shelf.drive(*begun)
"""


@pytest.mark.slow
def test_processes_that_bring_versions_of_the_same_sources_number_them_one_after_the_other(tmp_path: Path) -> None:
    go(open_sqlite(tmp_path / "runs.db").close())
    with ExitStack() as ending:
        processes = [
            ending.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", RACE, str(tmp_path), name],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                    cwd=Path(__file__).parents[3],
                )
            )
            for name in ("ann", "bob")
        ]
        assert [process.stdout and process.stdout.readline() for process in processes] == ["ready\n"] * 2
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        assert [process.wait(60) for process in processes] == [0, 0]
    shelf = Shelf(store=open_sqlite(tmp_path / "runs.db"))
    for source in shelf.all(kinds.SOURCE):
        versions = shelf.all(kinds.VERSION_OF, f"{source.id}/")
        assert [(v.number, v.supersedes) for v in versions] == [(1, ""), (2, versions[0].content)]
    assert len(shelf.all(kinds.SOURCE)) == 10
