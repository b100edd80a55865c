"""Brings a store's database to this program's schema version; the libraries for that load only where it differs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from backedge.kernel.defect import Permanent

VERSION = "0001"
READ_VERSION = "SELECT version_num FROM alembic_version"


def is_behind(found: str | None, place: str) -> bool:
    """Whether the database at `place` needs `upgrade`; `found` is its version, None where it is new.

    Raises `Permanent` where a newer Backedge wrote it: this one would misread it.
    """
    if found is not None and found > VERSION:
        raise Permanent(
            f"{place} was written by a newer Backedge (schema {found}; this one knows {VERSION})",
            mend="upgrade Backedge, or name another database",
        )
    return found != VERSION


def upgrade(url: str, connect: Callable[[], object], lock: str) -> None:
    """Run the missing migrations in one transaction.

    `connect` gives a DBAPI connection, which is closed after; `lock` is the statement that makes other processes wait.
    Raises the DBAPI's own errors.
    """
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import NullPool

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    engine = create_engine(url, creator=connect, poolclass=NullPool)
    try:
        with engine.connect() as connection, connection.begin():
            connection.exec_driver_sql(lock)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except DBAPIError as error:
        raise error.orig or error from error
