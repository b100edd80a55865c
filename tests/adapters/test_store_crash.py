"""A process dies at the instant of the commit: what was acknowledged is there, what was not is whole or absent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from backedge.adapters.stores.postgres import PostgresStore
from backedge.adapters.stores.sql_store import SqlStore
from backedge.adapters.stores.sqlite import SqliteStore
from backedge.kernel.journal import Ref
from backedge.kernel.ports import Change, UnknownRun
from backedge.kernel.stage import Record
from tests.adapters.journals import Place, begun, change, new_run, said
from tests.kernel.deaths import in_another_process

RUN, DIED = "a1b2c3", 9


def everything(token: str) -> Change:
    """A change with all that can be in one."""
    plain = change(RUN, 1, token, said(1), said(2), status="waiting")
    return replace(plain, records=(Record("letter", "k", {}),), children=(new_run("child"),), accepted=("key", 1))


def die_before_the_commit(store: SqlStore) -> None:
    """End this process with the store's next COMMIT, unsent."""
    if isinstance(store, SqliteStore):
        connection = store._group._connection if store._group else store._connection
        connection.set_trace_callback(lambda text: os._exit(DIED) if text == "COMMIT" else None)
    else:
        assert isinstance(store, PostgresStore)
        execute = psycopg.AsyncConnection._exec_command

        def dying(self, command, *args, **kwargs):  # type: ignore[no-untyped-def]
            if command == b"COMMIT":
                os._exit(DIED)
            return execute(self, command, *args, **kwargs)

        psycopg.AsyncConnection._exec_command = dying  # type: ignore[method-assign]


async def is_whole(store: SqlStore) -> bool:
    """Whether the change is there; half a change fails."""
    head, entries, records = await store.head(RUN), await store.read(RUN, 0), await store.records("letter")
    there = [head.seq == 3, head.status == "waiting", entries == (said(1), said(2)), len(records) == 1]
    there.append(await store.accepted("key") == Ref(RUN, 1))
    try:
        there.append(len(await store.read("child")) == 1)
    except UnknownRun:
        there.append(False)
    assert len(set(there)) == 1, there
    return there[0]


@pytest.mark.parametrize("committed", [False, True], ids=["before", "after"])
def test_a_change_is_whole_or_absent_when_the_process_dies(place: Place, committed: bool) -> None:
    async def die(store: SqlStore) -> None:
        token = await begun(store)
        if not committed:
            die_before_the_commit(store)
        await store.append(everything(token))
        os._exit(DIED if committed else 1)

    async def look(store: SqlStore) -> None:
        assert await is_whole(store) is committed
        token = await store.take(RUN)
        await store.append(change(RUN, 3, token) if committed else everything(token))

    assert in_another_process(lambda: place.tell(die)) == DIED
    place.tell(look)


WRITER = """
import asyncio, sys
from pathlib import Path
from tests.adapters.journals import begun, change
kind, where = sys.argv[1:]
if kind == "postgres":
    from backedge.adapters.stores.postgres import open_postgres
    store = open_postgres(where)
else:
    from backedge.adapters.stores.sqlite import open_sqlite
    store = open_sqlite(Path(where), grouped=kind == "grouped")

async def live(run_id):
    token = await begun(store, run_id)
    for seq in range(1, 1_000_000):
        await store.append(change(run_id, seq, token))
        print(run_id, seq, flush=True)

async def main():
    await asyncio.gather(*(live(f"{sys.argv[2][-4:]}-{n}") for n in range(4)))

asyncio.run(main())
"""


def killed_after(lines: int, kind: str, where: str) -> dict[str, int]:
    """Kill a writing process when it has acknowledged that many appends: the last that was said of each run."""
    root = Path(__file__).parents[2]
    writer = subprocess.Popen([sys.executable, "-c", WRITER, kind, where], cwd=root, stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    seen: dict[str, int] = {}
    with writer:
        for n, line in enumerate(writer.stdout):
            if n == lines:
                writer.send_signal(signal.SIGKILL)
            run_id, _, seq = line.partition(" ")
            if seq.endswith("\n"):
                seen[run_id] = int(seq)
    assert writer.returncode == -signal.SIGKILL
    return seen


def survives(kind: str, where: Callable[[int], str], place: Callable[[str], Place]) -> None:
    """Five kills at different instants; every acknowledged append is there, and every journal has no gap."""
    for n, lines in enumerate((1, 7, 40, 111, 200)):
        seen = killed_after(lines, kind, where(n))

        async def look(store: SqlStore, seen: dict[str, int] = seen) -> None:
            for run_id, last in seen.items():
                entries = await store.read(run_id)
                assert [stored.seq for stored in entries] == list(range(len(entries)))
                assert last < len(entries) <= last + 2
                assert (await store.head(run_id)).seq == len(entries)

        assert seen
        place(where(n)).tell(look)


@pytest.mark.chaos
@pytest.mark.parametrize("kind", ["inline", "grouped"])
def test_sqlite_keeps_what_it_acknowledged_to_a_killed_process(kind: str, tmp_path: Path) -> None:
    from backedge.adapters.stores.sqlite import open_sqlite

    def place(where: str) -> Place:
        return Place(lambda: open_sqlite(Path(where)))

    survives(kind, lambda n: str(tmp_path / f"{n}.db"), place)


@pytest.mark.chaos
def test_postgres_keeps_what_it_acknowledged_to_a_killed_process(postgres_server: str) -> None:
    from backedge.adapters.stores.postgres import open_postgres

    def where(n: int) -> str:
        with psycopg.connect(postgres_server, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS killed{n}".encode())
        return f"{postgres_server}&options=-csearch_path%3Dkilled{n}"

    survives("postgres", where, lambda url: Place(lambda: open_postgres(url)))
