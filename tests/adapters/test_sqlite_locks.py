"""SQLite's locks behind the guard, each tried alone: what the guard would refuse is sent to the worker itself."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from backedge.adapters.connectors.frames import Header
from backedge.adapters.connectors.sqlite import sqlite_connector
from backedge.adapters.connectors.worker_process import TooLate, WorkerProcess
from backedge.kernel.defect import Permanent, Transient
from backedge.query.ports import Ran, Rejected
from tests.query.bypasses import OURS, SEEN

MEMORY = 128 << 20
REPORTED = [sql for cases in SEEN.values() for dialect, sql, _ in cases if dialect == "sqlite"]
ATTACKS = [*REPORTED, *(sql for dialect, sql, _ in OURS if dialect == "sqlite")]
ENDLESS = "with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("locks") / "shop.db"
    with sqlite3.connect(made) as connection:
        connection.executescript(
            "create table users (id integer primary key, name text); insert into users values (1, 'a')"
        )
    connection.close()
    return made


@pytest.fixture
def worker(file: Path) -> Iterator[WorkerProcess]:
    opened = WorkerProcess("backedge.adapters.connectors.sqlite_worker")
    answer, _ = opened.ask({"path": str(file), "memory": MEMORY}, 30)
    assert "error" not in answer
    yield opened
    opened.close()


def ask(worker: WorkerProcess, sql: str, seconds: float = 30, op: str = "run") -> Header:
    return worker.ask({"op": op, "sql": sql, "params": [], "rows": 100, "bytes": 1 << 20}, seconds)[0]


@pytest.mark.parametrize("sql", ATTACKS)
def test_no_bypass_gets_past_all_locks(file: Path, sql: str) -> None:
    async def tried() -> Ran | Rejected:
        connector = sqlite_connector("shop", file)
        try:
            return await connector.run(sql)
        finally:
            await connector.close()

    assert isinstance(asyncio.run(tried()), Rejected)


@pytest.mark.parametrize(
    "sql",
    [
        "delete from users",
        "insert into users values (2, 'b')",
        "create table evil (a)",
        "create temp table evil (a)",
        "drop table users",
        "attach '{folder}/other.db' as other",
        "vacuum into '{folder}/copy.db'",
        "vacuum",
        "pragma writable_schema = 1",
        "pragma query_only = 0",
        "pragma hard_heap_limit = 0",
        "pragma journal_mode = delete",
        "begin immediate",
        "savepoint s",
        "reindex",
        "analyze",
        "detach main",
        "select load_extension('x')",
        "select fts3_tokenizer('simple')",
        "select * from sqlite_master",
        "select * from pragma_database_list",
        "with t as (select 1) delete from users",
        "explain delete from users",
        "select 1; delete from users",
    ],
)
def test_the_engine_itself_only_reads_tables(worker: WorkerProcess, file: Path, sql: str) -> None:
    before = file.read_bytes()
    assert "error" in ask(worker, sql.format(folder=file.parent))
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert "error" not in ask(worker, "select * from users")


def test_the_lock_of_writing_holds_without_the_authorizer(file: Path) -> None:
    code = (
        "import sqlite3, sys; from backedge.adapters.connectors import sqlite_worker as w\n"
        "connection = w._opened(sys.argv[1], 1 << 27)\n"
        "assert connection.execute('pragma query_only').fetchone() == (1,)\n"
        "connection.execute('delete from users')"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=False)
    assert "attempt to write a readonly database" in ended.stderr


def test_memory_is_limited_by_the_engine_and_by_the_system(worker: WorkerProcess) -> None:
    wide = ", ".join(f"printf('%60000000d', {n})" for n in range(4))
    assert ask(worker, f"select {wide}")["code"] == "SQLITE_NOMEM"
    limits = Path(f"/proc/{worker.pid}/limits").read_text().splitlines()
    space = next(line for line in limits if line.startswith("Max address space"))
    size = next(line for line in limits if line.startswith("Max file size"))
    assert (int(space.split()[3]), int(size.split()[3])) == (MEMORY + (1 << 30), 4 << 30)


def test_a_value_has_a_longest_length(worker: WorkerProcess) -> None:
    assert ask(worker, "select length(hex(zeroblob(60000000)))")["code"] == "SQLITE_TOOBIG"


def test_the_deadline_kills(worker: WorkerProcess) -> None:
    with pytest.raises(TooLate):
        ask(worker, ENDLESS, seconds=0.3)
    assert not worker.is_alive


def test_a_crash_of_the_worker_is_transient_and_the_next_query_works(file: Path) -> None:
    async def crash() -> None:
        connector = sqlite_connector("shop", file)
        await connector.catalog()
        assert connector._session
        pid = connector._session.worker.pid
        asking = asyncio.create_task(connector.run(ENDLESS))
        await asyncio.sleep(0.3)
        os.kill(pid, signal.SIGSEGV)
        with pytest.raises(Transient, match="exit code -11"):
            await asking
        assert isinstance(await connector.run("select 1"), Ran)
        await connector.close()

    asyncio.run(crash())


@pytest.mark.parametrize(
    ("content", "said"), [(b"this is no database" * 1000, "not a database"), (None, "No such file"), ("", "is no file")]
)
def test_what_cannot_be_opened_says_why_and_what_to_do(tmp_path: Path, content: bytes | str | None, said: str) -> None:
    path = tmp_path / "no.db"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        path.mkdir()
    with pytest.raises(Permanent, match=said) as caught:
        asyncio.run(sqlite_connector("shop", path).catalog())
    assert caught.value.mend


def test_the_parent_never_opens_the_database() -> None:
    code = "import sys, backedge.adapters.connectors.sqlite; sys.exit('sqlite3' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0
