"""Values among too many to index are found in SQLite and PostgreSQL as far as these can fold a column."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from backedge.adapters.connectors.postgres import Postgres
from backedge.adapters.connectors.sqlite import SQLite
from backedge.adapters.connectors.worker_connector import Engine, WorkerConnector
from backedge.adapters.stores.value_shelves import SqliteShelves
from backedge.ask.catalog import Catalog
from backedge.ask.grounding.spans import spans_of
from backedge.ask.grounding.values import CAP
from backedge.ask.grounding.words import tokenise
from backedge.ask.value_index import ValueIndex
from backedge.semantic.model import Dimension, Model, View

MODEL = Model((View("people", table="people", dimensions=(Dimension("name", "string", "name"),)),))
# They sort behind the first values, which are indexed whatever is asked.
NAMES = [f"A {number}" for number in range(CAP + 1)] + [
    "Zoë Müller-Lüdenscheidt", "Straße GmbH", "Z. O'Brien", "Tea & Toast", "ZEBRA", "Zebra",
]  # fmt: skip


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValueIndex]:
    engine: Engine
    if request.param == "sqlite":
        engine = SQLite(_sqlite_file(tmp_path_factory.mktemp("people")), 1 << 30)
    else:
        engine = Postgres(_postgres_settings(request.getfixturevalue("postgres_server")), 1 << 30)
    connector = WorkerConnector("local", engine)
    yield ValueIndex(Catalog(MODEL, hash="m"), {"local": connector}, "local", SqliteShelves(None))
    asyncio.run(connector.close())


def _sqlite_file(folder: Path) -> Path:
    with sqlite3.connect(folder / "people.db") as connection:
        connection.execute("CREATE TABLE people (name TEXT)")
        connection.executemany("INSERT INTO people VALUES (?)", [(name,) for name in NAMES])
    connection.close()
    return folder / "people.db"


def _postgres_settings(server: str) -> dict[str, str]:
    address = psycopg.conninfo.conninfo_to_dict(server)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE people")
    with psycopg.connect(psycopg.conninfo.make_conninfo(server, dbname="people")) as connection:
        connection.execute("CREATE TABLE people (name TEXT)")
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO people VALUES (%s)", [(name,) for name in NAMES])
    return {"host": str(address["host"]), "user": str(address.get("user", "postgres")), "database": "people"}


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("Zoë Müller-Lüdenscheidt", {"Zoë Müller-Lüdenscheidt"}),
        ("zoë müller lüdenscheidt", {"Zoë Müller-Lüdenscheidt"}),
        ("Straße gmbh", {"Straße GmbH"}),
        ("z. o'brien", {"Z. O'Brien"}),
        ("tea and toast", {"Tea & Toast"}),
        ("zebras", {"ZEBRA", "Zebra"}),
    ],
)
def test_a_value_is_found_without_case_space_and_punctuation(index: ValueIndex, words: str, values: set[str]) -> None:
    seen = asyncio.run(index.look(spans_of(tokenise(words)), {}))
    whole = max(seen.values.phrases.values(), key=lambda held: len(held[0].values), default=())
    assert (seen.values.partial, {value for held in whole for value in held.values}) == (frozenset(), values)
