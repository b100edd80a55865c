"""Makes the connector of a database that a project names."""

from __future__ import annotations

from pathlib import Path

from backedge.adapters.connectors.duckdb import DuckDBConnector
from backedge.adapters.connectors.postgres import postgres_connector
from backedge.adapters.connectors.sqlite import sqlite_connector
from backedge.assembling.storing import runs_folder
from backedge.config.database import SERVED, Database
from backedge.query.ports import Connector


def connect(database: Database, root: Path) -> Connector | None:
    """The connector of a database, or None where its type is not served yet."""
    if database.type == "postgres":
        return postgres_connector(database.name, dict(database.settings))
    if database.path is None or database.type not in SERVED:
        return None
    if database.type == "sqlite":
        return sqlite_connector(database.name, database.path)
    cache = runs_folder(root) / "cache"
    if database.path.is_file():
        return DuckDBConnector(database.name, file=database.path, cache=cache)
    return DuckDBConnector(database.name, dataset=database.path, cache=cache)
