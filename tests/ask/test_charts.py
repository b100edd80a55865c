"""Charts: the kind follows from the shape, the data is the result's, and the JSON is plain Vega-Lite."""

from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal
from typing import cast

import pytest
from pydantic import JsonValue

from backedge.ask.charts import PALETTE, chart, chart_fits
from backedge.query.table import Cell, Table
from backedge.semantic.spec import OutputColumn
from tests.ask.results import (
    BY_MONTH,
    BY_REGION,
    BY_STORE,
    MONTH,
    REGION,
    SALES,
    cents,
    group,
    measure,
    months,
    regions,
    stores,
    table,
)

YEAR = group("year", "number")


TWO_MEASURES = table({"total_sales": "integer", "n": "integer", "year": "integer"}, [(1, 2, 3), (1, 2, 4)])


def drawn(columns: tuple[OutputColumn, ...], result: Table) -> dict[str, dict[str, JsonValue]]:
    """The chart's parts; it must exist, be JSON and fit its own result."""
    spec = chart(columns, result)
    assert spec is not None
    assert json.loads(json.dumps(spec, allow_nan=False)) == spec
    assert chart_fits(spec, result) is None
    return cast("dict[str, dict[str, JsonValue]]", spec)


def by_two(columns: tuple[OutputColumn, OutputColumn], first: list[Cell], second: list[Cell]) -> Table:
    """One whole number for each pair of the two columns' values."""
    rows = [(a, b, at) for at, (a, b) in enumerate((a, b) for a in first for b in second)]
    kinds = [
        "date" if isinstance(v[0], date) else "integer" if isinstance(v[0], int) else "text" for v in (first, second)
    ]
    return Table.model_validate(
        {
            "columns": [{"name": c.name, "type": k, "kind": k} for c, k in zip(columns, kinds, strict=True)]
            + [{"name": "total_sales", "type": "integer", "kind": "integer"}],
            "rows": rows,
        }
    )


def fields(spec: dict[str, dict[str, JsonValue]]) -> dict[str, tuple[JsonValue, JsonValue]]:
    """Column and type by channel."""
    channels = cast("dict[str, dict[str, JsonValue]]", spec["encoding"])
    return {name: (channel["field"], channel["type"]) for name, channel in channels.items()}


def test_time_is_a_line() -> None:
    spec = drawn(BY_MONTH, months(cents("1", "2", "3")))
    assert spec["mark"]["type"] == "line"
    assert fields(spec) == {"x": ("week_date_month", "temporal"), "y": ("total_sales", "quantitative")}


def test_ticks_of_a_period_stand_at_its_start() -> None:
    axis = cast("dict[str, dict[str, JsonValue]]", drawn(BY_MONTH, months(cents("1", "2", "3")))["encoding"])["x"][
        "axis"
    ]
    assert axis == {"grid": False, "format": "%b %Y", "tickCount": {"interval": "month", "step": 1}}


def test_two_points_or_a_ranking_of_months_are_bars() -> None:
    assert drawn(BY_MONTH, months(cents("1", "2")))["mark"]["type"] == "bar"
    result = months(cents("1", "2", "3"))
    assert drawn(BY_MONTH, result.model_copy(update={"rows": result.rows[::-1]}))["mark"]["type"] == "bar"


def test_a_category_is_horizontal_bars_in_the_order_of_the_rows() -> None:
    spec = drawn(BY_STORE, stores([(20, Decimal(3)), (4, Decimal(5))]))
    assert fields(spec) == {"y": ("store_id", "nominal"), "x": ("total_sales", "quantitative")}
    assert cast("dict[str, dict[str, JsonValue]]", spec["encoding"])["y"]["sort"] is None
    assert spec["data"]["values"] == [{"store_id": 20, "total_sales": 3.0}, {"store_id": 4, "total_sales": 5.0}]


def test_whole_number_years_are_ordinal_time() -> None:
    result = table({"year": "integer", "total_sales": "integer"}, [(y, y) for y in (2010, 2011, 2012)])
    assert fields(drawn((YEAR, SALES), result))["x"] == ("year", "ordinal")


def test_time_by_category_is_a_line_per_category() -> None:
    days: list[Cell] = [date(2011, m, 1) for m in (1, 2, 3)]
    spec = drawn((MONTH, REGION, SALES), by_two((MONTH, REGION), days, ["N", "S"]))
    assert spec["mark"]["type"] == "line"
    assert fields(spec)["color"] == ("region", "nominal")
    crowd: list[Cell] = [f"r{at}" for at in range(9)]
    assert chart((MONTH, REGION, SALES), by_two((MONTH, REGION), days, crowd)) is None


def test_two_categories_are_grouped_bars_coloured_by_the_fewer() -> None:
    segment = group("segment")
    few: list[Cell] = ["a", "b"]
    many: list[Cell] = [f"r{at}" for at in range(30)]
    spec = drawn((segment, REGION, SALES), by_two((segment, REGION), few, many))
    assert fields(spec)["y"] == ("region", "nominal")
    assert fields(spec)["color"] == fields(spec)["yOffset"] == ("segment", "nominal")
    assert chart((segment, REGION, SALES), by_two((segment, REGION), few, [*many, "r30"])) is None
    assert chart((segment, REGION, SALES), by_two((segment, REGION), many[:9], many)) is None


@pytest.mark.parametrize(
    ("columns", "result"),
    [
        ((SALES,), table({"total_sales": "integer"}, [(5,)])),
        (BY_STORE, stores([])),
        (BY_STORE, stores([(1, Decimal(1))])),
        (BY_STORE, stores((s, Decimal(s)) for s in range(31))),
        (BY_STORE, stores([(1, None), (2, None)])),
        (BY_STORE, stores([(1, Decimal(1)), (1, Decimal(2))])),
        ((REGION,), table({"region": "text"}, [("a",), ("b",)])),
        (BY_REGION, table({"region": "text", "total_sales": "text"}, [("a", "x"), ("b", "y")])),
        ((SALES, measure("n"), YEAR), TWO_MEASURES),
    ],
    ids=["number", "empty", "one row", "too many", "no values", "repeated", "no measure", "text", "two measures"],
)  # fmt: skip
def test_what_a_table_says_better_has_no_chart(columns: tuple[OutputColumn, ...], result: Table) -> None:
    assert chart(columns, result) is None


def test_cells_become_plain_json() -> None:
    rows: list[tuple[Cell, Cell]] = [(None, float("nan")), ("b", 1.5), ("c", None)]
    spec = drawn(BY_REGION, table({"region": "text", "total_sales": "double"}, rows))
    assert spec["data"]["values"] == [
        {"region": "(no value)", "total_sales": None},
        {"region": "b", "total_sales": 1.5},
        {"region": "c", "total_sales": None},
    ]
    assert str(spec["description"]) == "Bar chart of total sales by region: 3 values; 2 without a value."


def test_days_are_written_as_local_midnights() -> None:
    values = cast("list[dict[str, JsonValue]]", drawn(BY_MONTH, months(cents("1", "2", "3")))["data"]["values"])
    assert values[0]["week_date_month"] == "2010-01-01T00:00:00"
    hours = table({"t": "datetime", "total_sales": "integer"}, [(datetime(2011, 1, 1, h), h) for h in range(3)])
    values = cast("list[dict[str, JsonValue]]", drawn((group("t", "datetime"), SALES), hours)["data"]["values"])
    assert values[1]["t"] == "2011-01-01T01:00:00"


@pytest.mark.parametrize("name", ["a.b", "a[0]", "it's", 'say "x"', "back\\slash", "plain"])
def test_column_names_are_no_paths_to_vega(name: str) -> None:
    spec = drawn((group(name), SALES), table({name: "text", "total_sales": "integer"}, [("x", 1), ("y", 2)]))
    field = str(fields(spec)["y"][0])
    plain = [c for at, c in enumerate(field) if c in ".[]'\"" and field[at - 1] != "\\"]
    assert not plain
    assert cast("list[dict[str, JsonValue]]", spec["data"]["values"])[0] == {name: "x", "total_sales": 1}


def test_a_cut_result_is_named_in_the_description() -> None:
    result = regions([("a", Decimal(1)), ("b", Decimal(2))]).model_copy(update={"truncated": "rows"})
    assert "more rows than are drawn" in str(drawn(BY_REGION, result)["description"])


def test_the_palette_stands_out_from_white() -> None:
    def linear(channel: str) -> float:
        share = int(channel, 16) / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    for colour in PALETTE:
        red, green, blue = (linear(colour[at : at + 2]) for at in (1, 3, 5))
        assert 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5, colour
    assert len(set(PALETTE)) == 8


def test_a_chart_that_is_not_its_table_is_refused() -> None:
    result = stores([(20, Decimal(3)), (4, Decimal(5))])
    spec = chart(BY_STORE, result)
    assert spec is not None
    turned = result.model_copy(update={"rows": result.rows[::-1]})
    shorter = result.model_copy(update={"rows": result.rows[:1]})
    other = table({"store_id": "integer", "profit": "decimal"}, result.rows)
    words = table({"store_id": "integer", "total_sales": "text"}, [(20, "3"), (4, "5")])
    for wrong in (turned, shorter, other, words):
        assert chart_fits(spec, wrong) is not None, wrong
    absent: dict[str, JsonValue] = {"values": [{"store_id": 20}, {"store_id": 4}]}
    assert chart_fits({**spec, "data": absent}, result) is not None
    assert chart_fits({**spec, "data": {"url": "https://example.org/x.csv"}}, result) is not None
