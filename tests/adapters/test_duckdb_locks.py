"""The locks behind the guard, each tried alone: what the guard would refuse is sent to the worker itself."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from backedge.adapters.connectors.duckdb import DuckDBConnector
from backedge.adapters.connectors.duckdb_arrow import read_table
from backedge.adapters.connectors.duckdb_session import NotOpened, Opening, Session, open_session
from backedge.adapters.connectors.frames import Header, encode_frame
from backedge.adapters.connectors.worker_process import Ended, TooLate
from backedge.kernel.defect import Transient
from backedge.query.ports import Ran

MEMORY = 512 << 20


def ask(session: Session, sql: str, seconds: float = 30, rows: int = 100) -> tuple[Header, bytes]:
    request: Header = {"op": "run", "sql": sql, "params": [], "rows": rows, "bytes": 1 << 20}
    return session.worker.ask(request, seconds)


def error(session: Session, sql: str) -> str:
    return str(ask(session, sql)[0].get("error", ""))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("locks")
    (made / "secret.csv").write_text("password\nhunter2\n")
    with duckdb.connect(str(made / "open.duckdb")) as connection:
        connection.execute(f"copy (select 1 as a) to '{made}/p.parquet'")
        connection.execute("create table t as select 1 as a")
        connection.execute(f"create view \"p.parquet\" as select * from read_parquet('{made}/p.parquet')")
    return made


@pytest.fixture(scope="module")
def session(folder: Path) -> Iterator[Session]:
    opening = Opening(folder / "open.duckdb", (folder / "p.parquet",), MEMORY, 2)
    opened = open_session(opening, "x", lambda _end: None)
    yield opened
    opened.end()


def test_a_view_on_parquet_is_read(session: Session) -> None:
    assert "error" not in ask(session, 'select * from "p.parquet"')[0]


@pytest.mark.parametrize(
    "sql",
    [
        "copy (select 2 as a) to '{folder}/p.parquet' (use_tmp_file false)",
        "copy (select 1) to '{folder}/stolen.csv'",
        "export database '{folder}/out'",
        "attach '{folder}/other.db'",
        "set memory_limit = '10GB'",
        "set lock_configuration = false",
        "reset memory_limit",
        "install httpfs",
        "load httpfs",
        "create temp macro f(x) as x",
        "create temp table x as select 1",
        "set variable x = 1",
        "prepare p as select 1",
        "begin",
        "pragma enable_profiling",
        "call enable_logging()",
        "explain analyze select 1",
        "insert into t values (2)",
        "with d as (select 1) delete from t",
        "checkpoint",
        "select 1; select 2",
        "",
    ],
)
def test_the_worker_runs_one_select_by_the_engines_own_reading(session: Session, folder: Path, sql: str) -> None:
    before = (folder / "p.parquet").read_bytes()
    assert "only one SELECT may be run" in error(session, sql.format(folder=folder))
    assert (folder / "p.parquet").read_bytes() == before
    assert {path.name for path in folder.iterdir()} <= {"secret.csv", "open.duckdb", "p.parquet"}


@pytest.mark.parametrize(
    "sql",
    [
        "select * from '{folder}/secret.csv'",
        "select * from read_csv('{folder}/secret.csv')",
        "select content from read_text('/etc/passwd')",
        "select * from read_blob('/etc/passwd')",
        "select * from glob('{folder}/*')",
        "select * from sniff_csv('{folder}/secret.csv')",
        "select * from parquet_metadata('{folder}/nothing.parquet')",
        "select * from 'http://127.0.0.1:1/x.csv'",
        "select * from query('select * from read_text(''/etc/passwd'')')",
        "select * from query_table('{folder}/secret.csv')",
        "from sqlite_scan('{folder}/x', 't')",
    ],
)
def test_the_engine_reads_no_other_file(session: Session, folder: Path, sql: str) -> None:
    assert error(session, sql.format(folder=folder)).startswith(("Permission Error", "Catalog Error", "Missing Ext"))


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("access_mode", "read_only"),
        ("allow_community_extensions", False),
        ("autoinstall_known_extensions", False),
        ("autoload_known_extensions", False),
        ("enable_external_access", False),
        ("lock_configuration", True),
        ("python_enable_replacements", False),
        ("max_temp_directory_size", "3.7 GiB"),
        ("memory_limit", "512.0 MiB"),
        ("TimeZone", "Etc/UTC"),
        ("threads", 2),
    ],
)
def test_the_engine_is_set_as_it_should_be(session: Session, setting: str, value: object) -> None:
    header, body = ask(session, f"select current_setting('{setting}')")
    columns = [(str(name), str(kind)) for name, kind in header["columns"]]  # type: ignore[attr-defined]
    assert read_table(columns, body, None).rows == ((value,),)


def test_one_query_leaves_nothing_to_the_next(session: Session) -> None:
    assert "error" in ask(session, "select getvariable('x') + nofunction(1)")[0]
    assert "error" not in ask(session, "select 1")[0]


@pytest.mark.parametrize(
    "sql",
    [
        "select list_sum(range(100000000)), repeat('x', 2000000000)",
        "select length(repeat('x', 4000000000))",
        "select sum(x) from (select unnest(range(2000000000)) as x)",
    ],
)
def test_memory_is_limited_whatever_asks_for_it(session: Session, sql: str) -> None:
    assert error(session, sql).startswith("Out of Memory Error")
    assert resident(session.worker.pid) < MEMORY + (1 << 30)


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_the_worker_cannot_map_more_than_its_limit_and_a_gibibyte(session: Session) -> None:
    limits = Path(f"/proc/{session.worker.pid}/limits").read_text()
    line = next(line for line in limits.splitlines() if line.startswith("Max address space"))
    assert int(line.split()[3]) == MEMORY + (1 << 30)


@pytest.mark.parametrize(
    "sql",
    [
        "with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r",
        "select count(*) from range(1000000) a, range(1000000) b where (a.range * b.range) % 7 = 3",
        "select list_sum(list_transform(range(30000000), lambda x: x * x % 7)) from range(1000)",
    ],
)
def test_the_deadline_kills_what_the_engine_would_not_interrupt(folder: Path, sql: str) -> None:
    opened = open_session(Opening(folder / "open.duckdb", (), 2 << 30, 2), "x", lambda _end: None)
    try:
        with pytest.raises(TooLate):
            ask(opened, sql, seconds=0.2)
        assert not opened.worker.is_alive
        assert not Path(f"/proc/{opened.worker.pid}").exists()
    finally:
        opened.end()
    assert not opened.temp.exists()


def test_a_crash_of_the_worker_is_transient_and_the_next_query_works(folder: Path) -> None:
    connector = DuckDBConnector("d", file=folder / "open.duckdb")

    async def crash() -> None:
        await connector.catalog()
        assert connector._session
        pid = connector._session.worker.pid
        asking = asyncio.create_task(connector.run("select count(*) from range(1000000) a, range(1000000) b"))
        await asyncio.sleep(0.3)
        os.kill(pid, signal.SIGSEGV)
        with pytest.raises(Transient, match="exit code -11"):
            await asking
        assert isinstance(await connector.run("select 1"), Ran)
        await connector.close()

    asyncio.run(crash())


def test_an_ended_worker_says_its_last_words(folder: Path) -> None:
    opened = open_session(Opening(folder / "open.duckdb", (), MEMORY, 1), "x", lambda _end: None)
    with pytest.raises(Ended, match="KeyError"):
        opened.worker.ask({"op": "run"}, 10)
    opened.end()


def test_a_worker_dies_with_its_parent_even_during_a_query(folder: Path) -> None:
    opening = {
        "path": str(folder / "open.duckdb"),
        "allowed": [],
        "temp": "/nonexistent",
        "memory": MEMORY,
        "threads": 1,
    }
    endless = "with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r"
    query: Header = {"op": "run", "sql": endless, "params": [], "rows": 1, "bytes": 1}
    command = [sys.executable, "-P", "-m", "backedge.adapters.connectors.duckdb_worker"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        assert worker.stdin
        worker.stdin.write(encode_frame(opening) + encode_frame(query))
        worker.stdin.flush()
        time.sleep(0.8)
        assert worker.poll() is None
        worker.stdin.close()
        assert worker.wait(10) == 0


def test_a_file_of_the_project_does_not_stand_in_for_an_import(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "json.py").write_text("raise SystemExit('ours was not imported')")
    monkeypatch.chdir(folder)
    opened = open_session(Opening(folder / "open.duckdb", (), MEMORY, 1), "x", lambda _end: None)
    opened.end()
    (folder / "json.py").unlink()


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    (tmp_path / "no.duckdb").write_bytes(b"this is not a database" * 1000)
    with pytest.raises(NotOpened, match="not a valid DuckDB"):
        open_session(Opening(tmp_path / "no.duckdb", (), MEMORY, 1), "x", lambda _end: None)


def test_the_parent_never_imports_the_engine() -> None:
    code = (
        "import sys, backedge.adapters.connectors.duckdb; sys.exit(not {'duckdb', 'nanoarrow'}.isdisjoint(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False).returncode == 0
