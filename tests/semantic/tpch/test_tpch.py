"""Eight questions to TPC-H give what hand-written SQL gives, and a broken bridge does not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal

import duckdb
import pytest
from sqlglot import exp

from backedge.semantic.build import _Builder
from backedge.semantic.plan import Node
from backedge.semantic.spec import By, Spec
from tests.semantic.asking import Rows, compiled
from tests.semantic.tpch.data import GENERATOR, connect, generate
from tests.semantic.tpch.questions import HAND, MODEL, SPECS

pytestmark = pytest.mark.skipif(not GENERATOR.exists(), reason="tpchgen-cli is not installed")


@pytest.fixture(scope="module")
def tpch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    folder = tmp_path_factory.mktemp("tpch")
    generate(folder, "0.01")
    with connect(folder, load=False) as connection:
        yield connection


def answer(connection: duckdb.DuckDBPyConnection, spec: Spec) -> Rows:
    made = compiled(MODEL, spec)
    return connection.execute(made.sql, list(made.params)).fetchall()


def same(ours: Rows, theirs: Rows, *, ordered: bool) -> bool:
    pairs = zip(ours, theirs, strict=True) if ordered else zip(sorted(ours), sorted(theirs), strict=True)
    return len(ours) == len(theirs) > 0 and all(
        close(a, b) for mine, hand in pairs for a, b in zip(mine, hand, strict=True)
    )


def close(a: object, b: object) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-9)
    return a == b


@pytest.mark.parametrize("name", SPECS)
def test_equals_hand_written_sql(tpch: duckdb.DuckDBPyConnection, name: str) -> None:
    by_hand = tpch.execute(HAND[name]).fetchall()
    assert same(answer(tpch, SPECS[name]), by_hand, ordered=bool(SPECS[name].order))


def test_the_traps_are_traps(tpch: duckdb.DuckDBPyConnection) -> None:
    """What a bare join gives differs from the right value, so that equality means something."""
    naive = "SELECT l_shipmode, sum(o_totalprice) FROM orders JOIN lineitem ON l_orderkey = o_orderkey GROUP BY 1"
    totals, right = (dict(tpch.execute(sql).fetchall()) for sql in (naive, HAND["q4"]))
    assert totals.keys() == right.keys()
    assert all(totals[mode] > right[mode] * Decimal("1.1") for mode in right)


def test_a_bridge_that_is_a_bare_join_is_seen(tpch: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    def bare(self: _Builder, node: Node) -> exp.Select:
        groups = list(zip(node.groups, self.names.groups, strict=True))
        totals = [(t.sql, self.names.totals[node.view, i]) for i, t in enumerate(node.totals)]
        query = self._rows(node, [*groups, *totals])
        return query.group_by(*(self._filled(g) for g in node.groups), copy=False)

    monkeypatch.setattr(_Builder, "_over_bridge", bare)
    assert not same(answer(tpch, SPECS["q4"]), tpch.execute(HAND["q4"]).fetchall(), ordered=False)


def test_a_total_is_the_sum_of_its_additive_breakdown(tpch: duckdb.DuckDBPyConnection) -> None:
    for path in ("lineitem.ship_mode", "part.brand", "orders.priority", "customer.segment", "nation.name"):
        parts = answer(tpch, Spec(("lineitem.revenue", "lineitem.quantity"), (By(path),)))
        (total,) = answer(tpch, Spec(("lineitem.revenue", "lineitem.quantity")))
        assert tuple(sum(row[i] for row in parts) for i in (1, 2)) == total  # type: ignore[misc]
