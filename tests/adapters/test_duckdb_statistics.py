"""A wrong answer of DuckDB 2.0.1 that a setting of the worker keeps away: a filter on a sum that loses it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from backedge.adapters.connectors.duckdb_arrow import read_table
from backedge.adapters.connectors.duckdb_session import Opening, Session, open_session

# `b` is empty, so the join is thought to give no rows, and the bounds of the sum are worked out for none: at most 0.
TABLES = (
    "CREATE TABLE a (id INTEGER, n INTEGER)",
    "INSERT INTO a VALUES (1, 5), (2, 0)",
    "CREATE TABLE b (id INTEGER)",
)
QUERY = """
    WITH nothing AS MATERIALIZED (SELECT * FROM b)
    SELECT SUM(a.n) AS total FROM a LEFT JOIN nothing ON a.id = nothing.id HAVING SUM(a.n) > 0
"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with duckdb.connect(str(tmp_path / "sums.duckdb")) as connection:
        for statement in TABLES:
            connection.execute(statement)
    opened = open_session(Opening(tmp_path / "sums.duckdb", (), 512 << 20, 2), "x", lambda _end: None)
    yield opened
    opened.end()


def test_a_sum_is_not_filtered_by_bounds_that_it_does_not_have(session: Session) -> None:
    header, body = session.worker.ask({"op": "run", "sql": QUERY, "params": [], "rows": 9, "bytes": 1 << 20}, 30)
    columns = [(str(name), str(kind)) for name, kind in header["columns"]]  # type: ignore[attr-defined]
    assert read_table(columns, body, None).rows == ((5,),)


def test_without_the_setting_the_sum_is_lost() -> None:
    """When this fails, DuckDB has mended it, and the worker's setting may go."""
    with duckdb.connect() as connection:
        for statement in TABLES:
            connection.execute(statement)
        assert connection.execute(QUERY).fetchall() == []
