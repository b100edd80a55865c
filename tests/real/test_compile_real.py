"""Somebody else's models, compiled: measures of every view by every view against counting by hand; the demo's sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Dimension, Entity, Measure, Model, View
from backedge.semantic.spec import By, Compiled, Filter, Order, Spec

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
EXAMPLES, DEMO = DATA / "oxygen-examples", DATA / "oxygen-demo"
pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="../shared/data/oxygen-examples is not here")
Rows = list[dict[str, Any]]


def _view(path: Path) -> View:
    raw = yaml.safe_load(path.read_text())
    return View(
        name=raw["name"],
        table=raw["table"],
        datasource=raw["datasource"],
        entities=tuple(Entity(e["name"], e["type"], tuple(e.get("keys") or [e["key"]])) for e in raw["entities"]),
        dimensions=tuple(Dimension(d["name"], d["type"], d["expr"]) for d in raw["dimensions"]),
        measures=tuple(
            Measure(
                m["name"],
                m["type"],
                m.get("expr", ""),
                tuple(f["expr"] for f in m.get("filters", ())),
            )
            for m in raw["measures"]
        ),
    )


def _model(folder: Path) -> Model:
    return Model(tuple(_view(p) for p in sorted(folder.rglob("*.view.yml"))))


@pytest.fixture(scope="module")
def examples() -> Iterator[tuple[Model, duckdb.DuckDBPyConnection]]:
    with duckdb.connect() as connection:
        for csv in (EXAMPLES / ".db").glob("*.csv"):
            connection.execute(f"CREATE TABLE \"{csv.name}\" AS SELECT * FROM read_csv('{csv}')")
        yield _model(EXAMPLES), connection


AGGREGATES: dict[str, Callable[[list[Any]], Any]] = {
    "count": len,
    "count_distinct": lambda vs: len(set(vs)),
    "sum": lambda vs: sum(vs) if vs else None,
    "average": lambda vs: float(sum(vs)) / len(vs) if vs else None,
    "min": lambda vs: min(vs, default=None),
    "max": lambda vs: max(vs, default=None),
}


def _rows(connection: duckdb.DuckDBPyConnection, view: View) -> Rows:
    """Rows of a view with its dimensions, and what each row gives to each measure that reads this view alone."""
    own = {m.name: _input(m) for m in view.measures if "{{order_item" not in m.expr}
    columns = {
        **{d.name: d.expr for d in view.dimensions},
        **{f"measure {n}": e for n, e in own.items()},
    }
    select = ", ".join(f'({expr}) AS "{name}"' for name, expr in columns.items())
    found = connection.execute(f'SELECT {select} FROM "{view.table}"').fetchall()
    return [dict(zip(columns, row, strict=True)) for row in found]


def _input(measure: Measure) -> str:
    conditions = " AND ".join(measure.filters).replace("{{gender}}", "gender") or "true"
    return f"CASE WHEN {conditions} THEN {measure.expr or 1} END"


def _way(model: Model, start: str, goal: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The first shortest way between two views, as (child, keys) steps; joins are looked up here on their own."""
    ways: list[list[tuple[str, list[tuple[str, str]]]]] = [[]]
    for way in ways:
        at = model.view(way[-1][0] if way else start)
        assert at is not None
        if at.name == goal:
            return way
        for other in model.views:
            shared = [(m, t) for m in at.entities for t in other.entities if m.name == t.name]
            pairs = [(m, t) for m, t in shared if "primary" in (m.type, t.type)]
            if pairs and other.name not in (start, *(s[0] for s in way)):
                mine, theirs = pairs[0]
                ways.append([*way, (other.name, list(zip(mine.keys, theirs.keys, strict=True)))])
    raise AssertionError(f"no way from {start} to {goal}")


def _groups(
    data: dict[str, Rows],
    row: dict[str, Any],
    way: list[tuple[str, list[tuple[str, str]]]],
    name: str,
) -> set[Any]:
    here: Rows = [row]
    for child, keys in way:
        grown: Rows = []
        for one in here:
            matches = [r for r in data[child] if all(one.get(a) is not None and one[a] == r[b] for a, b in keys)]
            grown += matches or [{}]
        here = grown
    return {one.get(name) for one in here}


def _same(a: Any, b: Any) -> bool:
    if a is None or b is None or isinstance(a, str):
        return bool(a == b)
    return math.isclose(float(a), float(b), rel_tol=1e-9)


def test_every_views_measures_by_every_view_are_what_counting_by_hand_gives(
    examples: tuple[Model, duckdb.DuckDBPyConnection],
) -> None:
    model, connection = examples
    data = {view.name: _rows(connection, view) for view in model.views}
    for view in model.views:
        measures = [m for m in view.measures if f"measure {m.name}" in data[view.name][0]]
        for other in model.views:
            dimension = other.dimensions[-1].name
            spec = Spec(tuple(f"{view.name}.{m.name}" for m in measures), (By(f"{other.name}.{dimension}"),))
            result = compile_spec(model, spec)
            assert isinstance(result, Compiled), result
            way = _way(model, view.name, other.name)
            found = connection.execute(result.sql, list(result.params)).fetchall()
            groups: dict[Any, Rows] = {}
            for row in data[view.name]:
                for value in _groups(data, row, way, dimension):
                    groups.setdefault(value, []).append(row)
            assert {r[0] for r in found} == set(groups)
            for group, *values in found:
                for measure, value in zip(measures, values, strict=True):
                    inputs = [r[f"measure {measure.name}"] for r in groups[group]]
                    right = AGGREGATES[measure.type]([v for v in inputs if v is not None])
                    assert _same(value, right), (
                        view.name,
                        measure.name,
                        other.name,
                        group,
                        value,
                        right,
                    )


def test_a_measure_of_a_finer_view_is_summed_at_its_rows(
    examples: tuple[Model, duckdb.DuckDBPyConnection],
) -> None:
    model, connection = examples
    result = compile_spec(
        model,
        Spec(
            (
                "orders.total_order_item_quantity",
                "orders.total_order_value",
                "orders.quantity_per_item",
            )
        ),
    )
    assert isinstance(result, Compiled), result
    right = connection.execute(
        'SELECT (SELECT sum(quantity) FROM "order_items.csv"), (SELECT sum(total_amount) FROM "orders.csv"),'
        ' (SELECT avg(quantity) FROM "order_items.csv")'
    ).fetchall()
    assert connection.execute(result.sql).fetchall() == right


@pytest.fixture(scope="module")
def demo() -> Iterator[tuple[Model, duckdb.DuckDBPyConnection]]:
    with duckdb.connect() as connection:
        csv = DEMO / ".db" / "oxymart.csv"
        connection.execute(f"CREATE TABLE \"oxymart.csv\" AS SELECT * FROM read_csv('{csv}', dateformat='%d-%m-%Y')")
        yield _model(DEMO), connection


def test_every_member_of_the_demo_compiles_and_runs(
    demo: tuple[Model, duckdb.DuckDBPyConnection],
) -> None:
    model, connection = demo
    for view in model.views:
        spec = Spec(
            tuple(f"{view.name}.{m.name}" for m in view.measures),
            tuple(By(f"{view.name}.{d.name}") for d in view.dimensions),
            limit=3,
        )
        result = compile_spec(model, spec)
        assert isinstance(result, Compiled), result
        assert len(connection.execute(result.sql).fetchall()) == 3


def test_sales_by_store_and_by_month_are_those_of_hand_written_sql(
    demo: tuple[Model, duckdb.DuckDBPyConnection],
) -> None:
    model, connection = demo
    top = Spec(
        ("oxymart.total_sales",),
        (By("oxymart.store_id"),),
        order=(Order("total_sales", desc=True),),
        limit=5,
    )
    same = Spec(
        ("economic_factors.total_sales",),
        (By("economic_factors.store_id"),),
        order=(Order("total_sales", desc=True),),
        limit=5,
    )
    result, other = compile_spec(model, top), compile_spec(model, same)
    assert isinstance(result, Compiled)
    assert isinstance(other, Compiled)
    assert result.canonical == other.canonical
    right = 'SELECT Store, sum(Weekly_Sales) FROM "oxymart.csv" GROUP BY 1 ORDER BY 2 DESC LIMIT 5'
    assert _all_same(connection.execute(result.sql).fetchall(), connection.execute(right).fetchall())
    year = Filter("oxymart.week_date", "in_range", ("2011-01-01", "2012-01-01"))
    result = compile_spec(
        model,
        Spec(("oxymart.total_sales",), (By("oxymart.week_date", "month"),), (year,)),
    )
    assert isinstance(result, Compiled)
    right = """SELECT date_trunc('month', Date)::DATE, sum(Weekly_Sales) FROM "oxymart.csv" WHERE year(Date) = 2011
        GROUP BY 1 ORDER BY 1"""
    found = connection.execute(result.sql, list(result.params)).fetchall()
    assert len(found) == 12
    assert _all_same([r[1:] for r in found], [r[1:] for r in connection.execute(right).fetchall()])


def _all_same(ours: list[tuple[Any, ...]], theirs: list[tuple[Any, ...]]) -> bool:
    pairs = zip(ours, theirs, strict=True)
    return all(_same(a, b) for mine, yours in pairs for a, b in zip(mine, yours, strict=True))
