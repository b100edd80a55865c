"""What is SQLite's own: the file and its folder, two processes on it, its errors, and commits in groups."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from backedge.adapters.stores import sqlite_connection
from backedge.adapters.stores.sql_store import SqlStore
from backedge.adapters.stores.sqlite import SqliteStore, open_sqlite
from backedge.kernel.defect import Permanent, Transient
from backedge.kernel.ports import Taken
from tests.adapters.journals import Place, begun, change, new_run, said
from tests.kernel.deaths import exit_code, forked

RUN = "a1b2c3"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".backedge" / "runs.db"


@pytest.fixture(params=[False, True], ids=["inline", "grouped"])
def place(request: pytest.FixtureRequest, path: Path) -> Place:
    return Place(lambda: open_sqlite(path, grouped=request.param))


def writing(store: SqlStore) -> sqlite3.Connection:
    """The connection that a store writes by."""
    assert isinstance(store, SqliteStore)
    return store._group._connection if store._group else store._connection


async def nothing(store: SqlStore) -> None:
    """Open and close."""


def test_the_private_folder_is_made_and_kept_out_of_git(place: Place, path: Path) -> None:
    place.tell(nothing)
    assert (path.parent / ".gitignore").read_text() == "*\n"
    (path.parent / ".gitignore").write_text("mine")
    path.unlink()
    place.tell(nothing)
    assert (path.parent / ".gitignore").read_text() == "mine"


def test_another_folder_is_not_ours_to_ignore(tmp_path: Path) -> None:
    Place(lambda: open_sqlite(tmp_path / "data" / "runs.db")).tell(nothing)
    assert [p.name for p in (tmp_path / "data").iterdir()] == ["runs.db"]


def test_a_commit_is_on_the_disk_when_it_returns(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        asked = [writing(store).execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
        assert asked == ["wal", 2]
        assert writing(store).execute("PRAGMA foreign_keys").fetchone() == (1,)

    place.tell(story)


def test_opening_what_is_up_to_date_loads_no_library_for_migrations(path: Path) -> None:
    Place(lambda: open_sqlite(path)).tell(nothing)
    code = (
        "import sys; from pathlib import Path; from backedge.adapters.stores.sqlite import open_sqlite;"
        "open_sqlite(Path(sys.argv[1])); print({'alembic', 'sqlalchemy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("make", [lambda p: p.write_bytes(b"no database" * 200), lambda p: p.mkdir()])
def test_what_is_no_database_is_refused_with_what_to_do(path: Path, make: Callable[[Path], object]) -> None:
    path.parent.mkdir()
    make(path)
    with pytest.raises(Permanent, match=r"runs\.db cannot be used") as caught:
        open_sqlite(path)
    assert "another" in caught.value.mend


def test_a_database_of_something_else_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE sales (id INTEGER)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(Permanent, match="something else"):
        open_sqlite(path)
    assert path.read_bytes()[100:] == before[100:]


def test_a_folder_that_cannot_be_made_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Permanent, match="cannot be made") as caught:
        open_sqlite(tmp_path / "file" / ".backedge" / "runs.db")
    assert "writable" in caught.value.mend


def test_a_newer_database_is_not_misread(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        writing(store).execute("UPDATE alembic_version SET version_num = '9999'")

    place.tell(story)
    with pytest.raises(Permanent, match="newer Backedge") as caught:
        place.open()
    assert "upgrade" in caught.value.mend


def test_a_file_that_stays_locked_is_transient(place: Place, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.tell(nothing)
    monkeypatch.setattr(sqlite_connection, "PATIENCE", 0.01)

    async def story(store: SqlStore) -> None:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Transient, match="locked by another process"):
            await store.begin(new_run(RUN))
        other.close()
        await store.begin(new_run(RUN))

    place.tell(story)


def test_a_full_disk_fails_every_writer_and_the_store_goes_on_after(place: Place) -> None:
    async def story(store: SqlStore) -> None:
        tokens = [await begun(store, f"run-{n}") for n in range(3)]
        (pages,) = writing(store).execute("PRAGMA page_count").fetchone()
        writing(store).execute(f"PRAGMA max_page_count = {pages}")
        big = [change(f"run-{n}", 1, token, said(1, "x" * 100_000)) for n, token in enumerate(tokens)]
        results = await asyncio.gather(*map(store.append, big), return_exceptions=True)
        assert [isinstance(r, Permanent) and r.mend for r in results] == ["free space on its disk"] * 3
        assert [len(await store.read(f"run-{n}")) for n in range(3)] == [1, 1, 1]
        writing(store).execute(f"PRAGMA max_page_count = {pages * 100}")
        await asyncio.gather(*map(store.append, big))

    place.tell(story)


def test_processes_that_open_a_fresh_file_at_once_all_write_to_it(path: Path) -> None:
    def write(n: int) -> None:
        async def story(store: SqlStore) -> None:
            token = await begun(store, f"run-{n}")
            for seq in range(1, 10):
                await store.append(change(f"run-{n}", seq, token))

        Place(lambda: open_sqlite(path, grouped=n % 2 == 0)).tell(story)

    pids = [forked(partial(write, n)) for n in range(4)]
    assert [exit_code(pid) for pid in pids] == [0] * 4

    async def count(store: SqlStore) -> None:
        assert [len(await store.read(f"run-{n}")) for n in range(4)] == [10] * 4

    Place(lambda: open_sqlite(path)).tell(count)


class HeldCommits:
    """Stops a writer just before it commits, until it is let go."""

    def __init__(self, store: SqlStore) -> None:
        self.commits = 0
        self.arrived, self.go = threading.Event(), threading.Event()
        writing(store).set_trace_callback(self._seen)

    def _seen(self, text: str) -> None:
        if text.startswith("COMMIT"):
            self.commits += 1
            self.arrived.set()
            self.go.wait(30)


@pytest.fixture
def grouped(path: Path) -> Place:
    return Place(lambda: open_sqlite(path, grouped=True))


def test_nobody_is_told_before_the_commit_and_those_who_wait_share_the_next_one(grouped: Place) -> None:
    async def story(store: SqlStore) -> None:
        held = HeldCommits(store)
        first = asyncio.create_task(store.begin(new_run("first")))
        await asyncio.to_thread(held.arrived.wait, 30)
        others = [asyncio.create_task(store.begin(new_run(f"run-{n}"))) for n in range(20)]
        await asyncio.sleep(0.02)
        assert not first.done()
        assert await store.heads() == ()
        held.go.set()
        await asyncio.gather(first, *others)
        assert (held.commits, len(await store.heads())) == (2, 21)

    grouped.tell(story)


def test_a_group_is_redone_once_with_each_change_apart(grouped: Place) -> None:
    async def story(store: SqlStore) -> None:
        held = HeldCommits(store)
        first = asyncio.create_task(store.begin(new_run("first")))
        await asyncio.to_thread(held.arrived.wait, 30)
        mixed = [store.begin(new_run(run_id)) for run_id in ("run-a", "first", "run-b")]
        waiting = asyncio.gather(*mixed, return_exceptions=True)
        await asyncio.sleep(0.02)
        held.go.set()
        await first
        assert [type(r) for r in await waiting] == [type(None), Taken, type(None)]
        assert held.commits == 2

    grouped.tell(story)


def test_closing_writes_what_was_handed_in(grouped: Place) -> None:
    async def story() -> list[object]:
        store = grouped.open()
        held = HeldCommits(store)
        tasks = [asyncio.create_task(store.begin(new_run(f"run-{n}"))) for n in range(300)]
        await asyncio.to_thread(held.arrived.wait, 30)
        held.go.set()
        await store.close()
        await store.close()
        with pytest.raises(Permanent, match="closed"):
            await store.begin(new_run("late"))
        return list(await asyncio.gather(*tasks))

    assert asyncio.run(story()) == [None] * 300

    async def count(store: SqlStore) -> None:
        assert len(await store.heads(limit=1000)) == 300

    grouped.tell(count)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_writer_that_breaks_down_leaves_nobody_waiting(grouped: Place) -> None:
    def bug() -> None:
        raise ZeroDivisionError

    async def story(store: SqlStore) -> None:
        assert isinstance(store, SqliteStore)
        held = HeldCommits(store)
        first = asyncio.create_task(store.begin(new_run("first")))
        await asyncio.to_thread(held.arrived.wait, 30)
        writes = [store._write(bug), store.begin(new_run("second"))]  # type: ignore[arg-type]
        waiting = asyncio.gather(*writes, return_exceptions=True)
        await asyncio.sleep(0.02)
        held.go.set()
        await first
        assert [isinstance(r, Permanent) and "broke down" in str(r) for r in await waiting] == [True, True]
        with pytest.raises(Permanent, match="broke down"):
            await store.begin(new_run("third"))
        assert [head.id for head in await store.heads()] == ["first"]

    grouped.tell(story)


def test_a_caller_that_gave_up_does_not_disturb_those_beside_it(grouped: Place) -> None:
    async def story(store: SqlStore) -> None:
        held = HeldCommits(store)
        first = asyncio.create_task(store.begin(new_run("first")))
        await asyncio.to_thread(held.arrived.wait, 30)
        gone, beside = (asyncio.create_task(store.begin(new_run(run_id))) for run_id in ("gone", "beside"))
        await asyncio.sleep(0.02)
        gone.cancel()
        held.go.set()
        await first
        await asyncio.wait_for(beside, 30)
        assert {head.id for head in await store.heads()} == {"first", "gone", "beside"}

    grouped.tell(story)


def test_a_read_only_file_is_refused_with_what_to_do(place: Place, path: Path) -> None:
    place.tell(nothing)
    if os.geteuid() == 0:
        made = subprocess.run(["chattr", "+i", path], capture_output=True, check=False)
        if made.returncode:
            pytest.skip("this file system knows no immutable files, and root ignores modes")
    else:
        path.chmod(0o400)
    try:
        with pytest.raises(Permanent) as caught:
            place.tell(lambda store: store.begin(new_run(RUN)))
        assert "writable" in caught.value.mend
    finally:
        subprocess.run(["chattr", "-i", path], capture_output=True, check=False)
