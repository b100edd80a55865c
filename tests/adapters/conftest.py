"""Schemas of a PostgreSQL server of our own, and the places in which a store can be."""

from __future__ import annotations

import asyncio
import shutil
from functools import partial
from itertools import count
from pathlib import Path

import psycopg
import pytest

from backedge.adapters.stores.postgres import open_postgres
from backedge.adapters.stores.sqlite import open_sqlite
from tests.adapters.journals import Place

_schemas = count(1)


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
