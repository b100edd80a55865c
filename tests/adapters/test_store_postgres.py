"""What is PostgreSQL's own: its address, lost connections, and many processes that open an empty database at once."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from backedge.adapters.stores.postgres import MOST_CONNECTIONS, PostgresStore, open_postgres
from backedge.adapters.stores.sql_store import SqlStore
from backedge.kernel.defect import Permanent, Transient
from tests.adapters.journals import Place, begun, change, new_run


def test_a_database_that_cannot_be_reached_is_refused_with_what_to_do() -> None:
    with pytest.raises(Permanent, match="cannot be opened") as caught:
        open_postgres("postgresql://ann:hush@127.0.0.1:1/none?connect_timeout=2")
    assert "address" in caught.value.mend
    assert "hush" not in str(caught.value)


def test_a_broken_address_is_refused_without_its_password() -> None:
    with pytest.raises(Permanent, match="address") as caught:
        open_postgres("postgres//ann:hush@somewhere/none")
    assert caught.value.__suppress_context__
    assert "hush" not in str(caught.value)


def test_a_newer_database_is_not_misread(postgres_url: str) -> None:
    open_postgres(postgres_url)
    with psycopg.connect(postgres_url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(Permanent, match="newer Backedge"):
        open_postgres(postgres_url)


def test_an_empty_database_is_made_ready_once_by_many(postgres_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(open_postgres, [postgres_url] * 4))
    assert len(stores) == 4
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0001",)]


def cut_all_but_mine(url: str) -> None:
    """End every other connection to the server."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")


def test_a_lost_connection_is_transient_and_the_next_call_goes_on(postgres_url: str) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        await asyncio.gather(*(store.read("a1b2c3") for _ in range(5)))
        cut_all_but_mine(postgres_url)
        with pytest.raises(Transient, match="lost or overloaded"):
            await store.append(change("a1b2c3", 1, token))
        await store.append(change("a1b2c3", 1, token))

    Place(lambda: open_postgres(postgres_url)).tell(story)


def test_a_write_that_is_given_up_leaves_nothing_and_no_lock(postgres_url: str) -> None:
    async def story(store: SqlStore) -> None:
        token = await begun(store)
        with psycopg.connect(postgres_url) as other:
            other.execute("UPDATE run SET token = token")
            blocked = asyncio.create_task(store.append(change("a1b2c3", 1, token)))
            await asyncio.sleep(0.05)
            blocked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await blocked
        assert len(await store.read("a1b2c3")) == 1
        await store.append(change("a1b2c3", 1, token))

    Place(lambda: open_postgres(postgres_url)).tell(story)


def test_connections_are_few_and_closed(postgres_url: str) -> None:
    async def story(store: SqlStore) -> None:
        assert isinstance(store, PostgresStore)
        await asyncio.gather(*(store.begin(new_run(f"run-{n}")) for n in range(40)))
        assert 1 < len(store._idle) <= MOST_CONNECTIONS
        await store.close()
        assert store._idle == []

    Place(lambda: open_postgres(postgres_url)).tell(story)


def test_a_text_that_it_cannot_hold_is_refused(postgres_url: str) -> None:
    async def story(store: SqlStore) -> None:
        with pytest.raises(Permanent, match="can hold"):
            await store.heads(workflow="a\x00b")

    Place(lambda: open_postgres(postgres_url)).tell(story)
