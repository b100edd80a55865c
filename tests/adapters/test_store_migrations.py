"""The migrations, run from nothing, give exactly the schema that the code declares, on both databases."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import psycopg
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Integer, MetaData, create_engine
from sqlalchemy.pool import NullPool

import backedge.adapters.stores.migrations as migrations
from backedge.adapters.stores.postgres import open_postgres
from backedge.adapters.stores.schema import metadata
from backedge.adapters.stores.sqlite import open_sqlite
from backedge.adapters.stores.upgrade import VERSION

INDEXES = "SELECT replace(indexdef, current_schema() || '.', '') FROM pg_indexes WHERE schemaname = current_schema()"
COLUMNS = """
SELECT table_name, column_name, data_type, is_nullable, collation_name FROM information_schema.columns
WHERE table_schema = current_schema()"""
CONSTRAINTS = """
SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = current_schema()::regnamespace"""


def differences(url: str, wanted: MetaData) -> list[object]:
    """What Alembic would still change."""
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), wanted))


def with_one_column_more() -> MetaData:
    """The schema of a change that forgot its migration."""
    changed = MetaData()
    for table in metadata.tables.values():
        table.to_metadata(changed)
    changed.tables["run"].append_column(Column("forgotten", Integer))
    return changed


def test_the_version_of_the_code_is_that_of_the_last_migration() -> None:
    assert ScriptDirectory(str(Path(migrations.__path__[0]))).get_heads() == [VERSION]


def test_sqlite_is_migrated_to_the_declared_schema(tmp_path: Path) -> None:
    def shape(path: Path) -> set[tuple[str, str]]:
        connection = sqlite3.connect(path)
        asked = "SELECT name, replace(sql, char(9), '') FROM sqlite_master WHERE name NOT LIKE '%alembic%'"
        found = set(connection.execute(asked).fetchall())
        connection.close()
        return found

    open_sqlite(tmp_path / "migrated.db")
    engine = create_engine(f"sqlite:///{tmp_path / 'declared.db'}", poolclass=NullPool)
    metadata.create_all(engine)
    assert shape(tmp_path / "migrated.db") == shape(tmp_path / "declared.db")
    url = f"sqlite:///{tmp_path / 'migrated.db'}"
    assert differences(url, metadata) == []
    assert len(differences(url, with_one_column_more())) == 1


def test_postgres_is_migrated_to_the_declared_schema(postgres_url: str) -> None:
    def shape() -> list[str]:
        with psycopg.connect(postgres_url) as connection:
            asked = [connection.execute(text).fetchall() for text in (INDEXES, COLUMNS, CONSTRAINTS)]
        return sorted(str(row) for rows in asked for row in rows if "alembic" not in str(row))

    url = postgres_url.replace("postgresql:", "postgresql+psycopg:")
    open_postgres(postgres_url)
    assert differences(url, metadata) == []
    assert len(differences(url, with_one_column_more())) == 1
    migrated = shape()
    engine = create_engine(url, poolclass=NullPool)
    metadata.drop_all(engine)
    assert shape() == []
    metadata.create_all(engine)
    assert shape() == migrated
