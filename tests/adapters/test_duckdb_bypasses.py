"""The list's bypasses of DuckDB on the real engine: through all locks, and past the guard with the engine's alone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from backedge.adapters.connectors.duckdb import DuckDBConnector
from backedge.adapters.connectors.duckdb_session import Opening, Session, open_session
from backedge.query.ports import Caps, Ran, Rejected
from tests.adapters.test_duckdb_locks import MEMORY, ask, error, resident
from tests.query.bypasses import OURS, SEEN

REPORTED = [(f"{number}", sql) for number, cases in SEEN.items() for dialect, sql, _ in cases if dialect == "duckdb"]
ATTACKS = [*REPORTED, *(("ours", sql) for dialect, sql, _ in OURS if dialect == "duckdb")]

# What the engine's own locks let through: it reads no more than may be read, and changes nothing.
ONLY_READS = {
    "select * from query('select 1')",
    "select * from query_table('orders')",
    "select * from json_execute_serialized_sql(json_serialize_sql('select 1'))",
    "select getvariable('x')",
    "select write_log('x')",
}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bypasses") / "shop.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute("create table orders as select i as id, i * 2 as amount from range(1000) t(i)")
        connection.execute("create table users as select 1 as id")
    return file


@pytest.fixture(scope="module")
def session(database: Path) -> Iterator[Session]:
    opened = open_session(Opening(database, (), MEMORY, 2), "x", lambda _end: None)
    yield opened
    opened.end()


def test_no_bypass_passes_all_locks_and_the_next_query_works(database: Path) -> None:
    async def tried() -> list[object]:
        connector = DuckDBConnector("shop", file=database, memory=MEMORY)
        try:
            found = [await connector.run(sql) for _, sql in ATTACKS]
            return [*found, await connector.run("select count(*), sum(amount) from orders")]
        finally:
            await connector.close()

    before = database.read_bytes()
    *verdicts, after = asyncio.run(tried())
    assert [verdict for verdict in verdicts if not isinstance(verdict, Rejected)] == []
    assert isinstance(after, Ran)
    assert after.table.rows == ((1000, 999000),)
    assert database.read_bytes() == before
    assert [path.name for path in database.parent.iterdir()] == [database.name]


@pytest.mark.parametrize(("number", "sql"), REPORTED, ids=lambda value: str(value)[:60])
def test_the_engines_own_locks_hold_without_the_guard(session: Session, database: Path, number: str, sql: str) -> None:
    before = database.read_bytes()
    ran = not error(session, sql)
    assert ran == (sql in ONLY_READS), f"case {number} {'ran' if ran else 'no longer runs'}"
    assert database.read_bytes() == before
    assert [path.name for path in database.parent.iterdir()] == [database.name]


BOMBS = [
    "with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r",
    "select count(*) from orders a, orders b, orders c, orders d where (a.id * b.id + c.id * d.id) % 7 = 3",
    "select sum(length(repeat('x', 1000000) || a.id::varchar)) from range(1000000) a(id), orders b",
    "select count(distinct a.id * b.id * c.id * 1000003 % 999999937) from orders a, orders b, orders c, orders d",
]
TOO_BIG = [
    "select length(string_agg(repeat('x', 1000000), '')) from range(1000000) a(id)",
    "select list(a.id || repeat('y', 100)) from orders a, orders b, orders c",
]


@pytest.mark.parametrize("sql", BOMBS, ids=["recursive", "cross join", "repeat", "distinct"])
def test_a_bomb_that_only_reads_dies_at_the_deadline_with_bounded_memory(database: Path, sql: str) -> None:
    verdict, next_one, peak = asyncio.run(exploded(database, sql, Caps(seconds=0.4)))
    assert isinstance(verdict, Rejected)
    assert verdict.kind in ("deadline", "memory")
    assert isinstance(next_one, Ran)
    assert peak < MEMORY + (1 << 30)


@pytest.mark.parametrize("sql", TOO_BIG, ids=["string_agg", "list"])
def test_a_bomb_of_memory_is_refused_and_the_next_query_works(database: Path, sql: str) -> None:
    verdict, next_one, peak = asyncio.run(exploded(database, sql, Caps(seconds=20)))
    assert isinstance(verdict, Rejected)
    assert verdict.kind == "memory"
    assert isinstance(next_one, Ran)
    assert peak < MEMORY + (1 << 30)


async def exploded(database: Path, sql: str, caps: Caps) -> tuple[object, object, int]:
    """The verdict on a bomb, that on a query after it, and the most memory that was seen to be used between."""
    connector = DuckDBConnector("shop", file=database, memory=MEMORY)
    try:
        await connector.catalog()
        assert connector._session
        pid, peak = connector._session.worker.pid, 0
        bomb = asyncio.create_task(connector.run(sql, caps=caps))
        while not bomb.done():
            await asyncio.sleep(0.02)
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                peak = max(peak, resident(pid))
        return bomb.result(), await connector.run("select count(*) from orders"), peak
    finally:
        await connector.close()


@pytest.mark.parametrize(
    "sql", ["select list_sum(range(100000000))", "select list_sum(range(100000000)), repeat('x', 2000000000)"]
)
def test_what_the_engine_does_not_interrupt_is_bounded_by_the_child_alone(database: Path, sql: str) -> None:
    opened = open_session(Opening(database, (), MEMORY, 2), "x", lambda _end: None)
    try:
        assert "error" in ask(opened, sql, seconds=60)[0]
        assert resident(opened.worker.pid) < MEMORY + (1 << 30)
        assert "error" not in ask(opened, "select 1")[0]
    finally:
        opened.end()
