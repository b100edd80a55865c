"""The order of a gold query: which columns rank, and the rows below the cut."""

from __future__ import annotations

import pytest

from backedge.query.ranking import ranking


@pytest.mark.parametrize(
    ("sql", "keys", "limit"),
    [
        ("SELECT a, SUM(b) AS s FROM t GROUP BY 1 ORDER BY s DESC LIMIT 5", (1,), 5),
        ("SELECT a, SUM(b) FROM t GROUP BY 1 ORDER BY SUM(b) DESC LIMIT 5", (1,), 5),
        ("SELECT a, b FROM t ORDER BY 2, 1", (1, 0), None),
        ("SELECT a FROM t ORDER BY b LIMIT 1", None, 1),
        ("SELECT a FROM t ORDER BY a LIMIT 1 OFFSET 1", (0,), None),
        ("WITH u AS (SELECT a FROM t) SELECT a FROM u ORDER BY A LIMIT 2", (0,), 2),
        ("SELECT a FROM t UNION ALL SELECT a FROM u ORDER BY a", (0,), None),
    ],
)
def test_keys_are_places_in_the_result(sql: str, keys: tuple[int, ...] | None, limit: int | None) -> None:
    found = ranking(sql, "duckdb")
    assert found is not None
    assert (found.keys, found.limit) == (keys, limit)
    assert ("LIMIT" in found.sql) == ("LIMIT" in sql and limit is None)


@pytest.mark.parametrize(
    "sql",
    ["SELECT a FROM t", "SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 1) AS s", "SELECT FROM (", "DROP TABLE t"],
)
def test_a_query_that_does_not_sort_has_no_ranking(sql: str) -> None:
    assert ranking(sql, "duckdb") is None
