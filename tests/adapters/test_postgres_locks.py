"""PostgreSQL's locks behind the guard, each tried alone: what the guard would refuse is sent to the worker itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from backedge.adapters.connectors import postgres_worker
from backedge.adapters.connectors.frames import Header
from backedge.adapters.connectors.postgres import PostgresConnector, postgres_connector
from backedge.adapters.connectors.worker_process import TooLate, WorkerProcess
from backedge.kernel.defect import Permanent, Transient
from backedge.query.ports import Advice, Ran, Rejected
from tests.query.bypasses import OURS, SEEN

REPORTED = [sql for cases in SEEN.values() for dialect, sql, _ in cases if dialect == "postgres"]
ATTACKS = [*REPORTED, *(sql for dialect, sql, _ in OURS if dialect == "postgres")]
ENDLESS = "with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r"
MEMORY = 256 << 20
SETUP = """
    create table users (id integer primary key, name text); insert into users values (1, 'a');
    create sequence s;
    create role reader login; grant select on users to reader;
    create role writer login; grant select, insert on users to writer;
    create role owner_ login; create table owned (a int); alter table owned owner to owner_;
    create role spy login; grant select on users to spy; grant pg_read_server_files to spy;
"""


@pytest.fixture(scope="module")
def address(postgres_server: str) -> dict[str, str]:
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("create database locks")
    given = conninfo_to_dict(postgres_server) | {"dbname": "locks"}
    with psycopg.connect(make_conninfo("", **given)) as connection:
        connection.execute(SETUP)
    return {"host": str(given["host"]), "user": str(given["user"]), "database": "locks"}


@pytest.fixture
def worker(address: dict[str, str]) -> Iterator[WorkerProcess]:
    opened = WorkerProcess("backedge.adapters.connectors.postgres_worker")
    opening: Header = {"port": "5432", "password": "", "memory": MEMORY, "dbname": address["database"], **address}
    answer, _ = opened.ask(opening, 30)
    assert "error" not in answer
    yield opened
    opened.close()


def ask(worker: WorkerProcess, sql: str, seconds: float = 30, op: str = "run", rows: int = 100) -> Header:
    request: Header = {"op": op, "sql": sql, "params": [], "rows": rows, "bytes": 1 << 20, "seconds": seconds}
    return worker.ask(request, seconds + 10)[0]


def proc(pid: int, name: str) -> bytes:
    return Path(f"/proc/{pid}/{name}").read_bytes()


def state(address: dict[str, str]) -> object:
    with psycopg.connect(make_conninfo("", host=address["host"], user=address["user"], dbname="locks")) as connection:
        tables = connection.execute("select count(*) from pg_class where relnamespace = 'public'::regnamespace")
        users = connection.execute("select count(*) from users")
        sequence = connection.execute("select last_value, is_called from s")
        return tables.fetchall(), users.fetchall(), sequence.fetchall()


@pytest.fixture(scope="module")
def shop(address: dict[str, str]) -> Iterator[PostgresConnector]:
    connector = postgres_connector("shop", address, memory=MEMORY)
    yield connector
    asyncio.run(connector.close())


@pytest.mark.parametrize("sql", ATTACKS)
def test_no_bypass_gets_past_all_locks(shop: PostgresConnector, sql: str) -> None:
    assert isinstance(asyncio.run(shop.run(sql)), Rejected)


@pytest.mark.parametrize(
    "sql",
    [
        "delete from users",
        "with d as (delete from users returning *) select * from d",
        "select * into evil from users",
        "select * from users for update",
        "create temp table evil (a int)",
        "copy users to program 'id'",
        "do $$ begin delete from users; end $$",
        "select nextval('s')",
        "select setval('s', 100)",
        "select lo_create(0)",
        "select set_config('transaction_read_only', 'off', false)",
        "select query_to_xml('delete from users', true, true, '')",
        "select 1; delete from users",
        "commit; delete from users",
        "set transaction read write; delete from users; commit",
        "set session characteristics as transaction read write",
        "begin transaction read write",
        "explain analyze delete from users",
        "vacuum",
        "call p()",
        "listen x",
        "prepare p as select 1",
    ],
)
def test_the_server_itself_only_reads(worker: WorkerProcess, address: dict[str, str], sql: str) -> None:
    before = state(address)
    assert "error" in ask(worker, sql)
    assert state(address) == before
    assert "error" not in ask(worker, "select * from users")


def test_explain_takes_one_statement(worker: WorkerProcess, address: dict[str, str]) -> None:
    before = state(address)
    assert "error" in ask(worker, "select 1; delete from users", op="explain")
    assert "error" in ask(worker, "analyze delete from users", op="explain")
    assert state(address) == before


@pytest.mark.parametrize(
    ("sql", "setting", "kept"),
    [
        ("select set_config('statement_timeout', '0', false)", "statement_timeout", "60s"),
        ("select set_config('search_path', 'evil', false)", "search_path", "public,pg_temp"),
        ("select set_config('default_transaction_read_only', 'off', false)", "default_transaction_read_only", "on"),
        ("select set_config('timezone', 'Asia/Tokyo', false)", "TimeZone", "UTC"),
    ],
)
def test_nothing_that_a_query_sets_is_left_to_the_next(
    worker: WorkerProcess, sql: str, setting: str, kept: str
) -> None:
    assert "error" not in ask(worker, sql)
    header, body = worker.ask(
        {"op": "run", "sql": f"select setting, unit from pg_settings where name = '{setting}'", "params": []}
        | {"rows": 1, "bytes": 1000, "seconds": 30.0},
        30,
    )
    assert "error" not in header
    assert (kept.encode() in body) or (setting == "statement_timeout" and b"30000" in body)


def test_a_lock_that_a_query_took_is_let_go(worker: WorkerProcess, address: dict[str, str]) -> None:
    assert "error" not in ask(worker, "select pg_advisory_lock(1)")
    with psycopg.connect(make_conninfo("", host=address["host"], user=address["user"], dbname="locks")) as connection:
        assert connection.execute("select count(*) from pg_locks where locktype = 'advisory'").fetchone() == (0,)


def test_the_server_stops_a_query_at_its_deadline(worker: WorkerProcess) -> None:
    assert ask(worker, "select pg_sleep(60)", seconds=0.3)["code"] == "57014"
    assert worker.is_alive


def test_a_query_that_the_server_goes_on_with_is_killed_and_ends_there_too(
    worker: WorkerProcess, address: dict[str, str]
) -> None:
    asked: Header = {"op": "run", "sql": "select pg_sleep(60)", "params": [], "rows": 1, "bytes": 1, "seconds": 60.0}
    with pytest.raises(TooLate):
        worker.ask(asked, 0.5)
    assert not worker.is_alive
    given = make_conninfo("", host=address["host"], user=address["user"], dbname="locks")
    with psycopg.connect(given, autocommit=True) as connection:  # within a transaction the activity stands still
        running = "select count(*) from pg_stat_activity where application_name = 'backedge' and state = 'active'"
        for _ in range(100):
            if connection.execute(running).fetchone() == (0,):
                return
            time.sleep(0.1)
    raise AssertionError("the server still runs the query of a client that is gone")


def test_the_memory_of_the_worker_is_limited(worker: WorkerProcess) -> None:
    lines = proc(worker.pid, "limits").decode().splitlines()
    line = next(line for line in lines if line.startswith("Max address space"))
    assert int(line.split()[3]) == MEMORY + (1 << 30)


class _Cursor:
    """Gives rows of one size for ever, and keeps how many it was asked for."""

    def __init__(self, size: int) -> None:
        self.row, self.asked = ("x" * size,), list[int]()

    def fetchmany(self, count: int) -> list[tuple[str]]:
        self.asked.append(count)
        return [self.row] * count


@pytest.mark.parametrize(("size", "most"), [(10, 500), (100_000, 41), (20_000_000, 1)])
def test_large_rows_come_in_small_batches(size: int, most: int) -> None:
    cursor = _Cursor(size)
    rows = postgres_worker._streamed(cursor)  # type: ignore[arg-type]
    for _ in range(3 * most):
        next(rows)
    assert max(cursor.asked) == most


def test_a_connection_that_is_cut_is_transient_and_the_next_query_works(address: dict[str, str]) -> None:
    async def cut() -> None:
        connector = postgres_connector("shop", address)
        await connector.catalog()
        with psycopg.connect(
            make_conninfo("", host=address["host"], user=address["user"], dbname="locks"), autocommit=True
        ) as other:
            other.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where application_name = 'backedge' and state = 'idle' and datname = 'locks'"
            )
        with pytest.raises(Transient):
            await connector.run("select 1")
        assert isinstance(await connector.run("select 1"), Ran)
        await connector.close()

    asyncio.run(cut())


@pytest.mark.parametrize(
    ("change", "failure", "said"),
    [
        ({"database": "nothing"}, Permanent, 'database "nothing" does not exist'),
        ({"user": "nobody"}, Permanent, 'role "nobody" does not exist'),
        ({"password_var": "BACKEDGE_TEST_UNSET"}, Permanent, "BACKEDGE_TEST_UNSET for `password` is not set"),
        ({"host": "no-such-host.invalid"}, Permanent, "no-such-host.invalid"),
        ({"host": "127.0.0.1", "port": "1"}, Transient, "Connection refused.*`host` and `port` in config.yml"),
        ({"port": "${BACKEDGE_TEST_PORT}"}, Permanent, "'many', which is no number"),
    ],
)
def test_what_keeps_it_from_connecting_is_said_without_the_secret(
    address: dict[str, str],
    change: dict[str, str],
    failure: type[Exception],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BACKEDGE_TEST_PASSWORD", "hunter2")
    monkeypatch.setenv("BACKEDGE_TEST_PORT", "many")
    settings = {**address, "password_var": "BACKEDGE_TEST_PASSWORD", **change}
    with pytest.raises(failure, match=said) as caught:
        asyncio.run(postgres_connector("shop", settings).catalog())
    assert "hunter2" not in str(caught.value)
    if isinstance(caught.value, Permanent):
        assert caught.value.mend


def test_a_password_is_never_on_the_command_line_or_in_a_message(
    address: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKEDGE_TEST_PASSWORD", "hunter2")

    async def story() -> None:
        connector = postgres_connector("shop", {**address, "password_var": "BACKEDGE_TEST_PASSWORD"})
        rejected = await connector.run("select cast('hunter2' as integer)")
        assert isinstance(rejected, Rejected)
        assert "hunter2" not in rejected.message
        assert connector._session
        assert b"hunter2" not in proc(connector._session.worker.pid, "cmdline")
        assert "hunter2" not in repr(connector._engine)
        await connector.close()

    asyncio.run(story())


@pytest.mark.parametrize(
    ("role", "said", "mend", "is_grave"),
    [
        ("reader", None, "", False),
        (
            "writer",
            "may write to tables (public.users)",
            "REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON public.users",
            False,
        ),
        ("owner_", "owns tables (public.owned)", "CREATE ROLE backedge_reader", False),
        ("spy", "pg_read_server_files", "REVOKE pg_read_server_files FROM spy", True),
        ("postgres", "is a superuser", "GRANT SELECT ON ALL TABLES IN SCHEMA public TO backedge_reader", True),
    ],
)
def test_what_a_role_may_do_beyond_reading_is_said_with_what_takes_it_away(
    address: dict[str, str], role: str, said: str | None, mend: str, is_grave: bool
) -> None:
    async def advised() -> tuple[Advice, ...]:
        connector = postgres_connector("shop", {**address, "user": role})
        try:
            return await connector.advice()
        finally:
            await connector.close()

    advice = asyncio.run(advised())
    if said is None:
        assert advice == ()
    else:
        assert said in advice[0].said
        assert mend in advice[0].mend
        assert advice[0].is_grave == is_grave
