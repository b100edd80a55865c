"""Charts: the kind follows from the shape, the data is the result's, and the JSON is plain Vega-Lite."""

from __future__ import annotations

import json
import math
import re
from datetime import date, datetime
from decimal import Decimal
from itertools import combinations
from typing import cast

import pytest
from pydantic import JsonValue

from backedge.ask.chart_check import chart_fits
from backedge.ask.charts import PALETTE, chart
from backedge.query.table import Cell, Kind, Table
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
    many: list[Cell] = [f"r{at}" for at in range(20)]
    spec = drawn((segment, REGION, SALES), by_two((segment, REGION), few, many))
    assert fields(spec)["y"] == ("region", "nominal")
    assert fields(spec)["color"] == fields(spec)["yOffset"] == ("segment", "nominal")
    assert chart((segment, REGION, SALES), by_two((segment, REGION), few, [*many, "r20"])) is None
    assert chart((segment, REGION, SALES), by_two((segment, REGION), many[:7], many)) is None


@pytest.mark.parametrize(
    ("columns", "result"),
    [
        ((SALES,), table({"total_sales": "integer"}, [(5,)])),
        (BY_STORE, stores([])),
        (BY_STORE, stores([(1, Decimal(1))])),
        (BY_STORE, stores([(1, None), (2, None)])),
        (BY_STORE, stores([(1, Decimal(1)), (1, Decimal(2))])),
        ((REGION,), table({"region": "text"}, [("a",), ("b",)])),
        (BY_REGION, table({"region": "text", "total_sales": "text"}, [("a", "x"), ("b", "y")])),
        ((SALES, measure("n"), YEAR), TWO_MEASURES),
    ],
    ids=["number", "empty", "one row", "no values", "repeated", "no measure", "text", "two measures"],
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


SHARES = (REGION, SALES, measure("total_sales.percent_of_total"))


def shares(*rows: tuple[Cell, Cell, Cell]) -> Table:
    """Total sales by region, with each region's part of the whole in percent."""
    kinds: dict[str, Kind] = {"region": "text", "total_sales": "integer", "total_sales.percent_of_total": "double"}
    return table(kinds, rows)


PARTS = shares(("a", 2, 20.0), ("b", 5, 50.0), ("c", 3, 30.0))


def test_shares_of_a_whole_are_a_pie_with_their_percent() -> None:
    spec = drawn(SHARES, PARTS)
    slices = cast("list[dict[str, dict[str, JsonValue]]]", spec["layer"])[0]
    assert slices["mark"]["type"] == "arc"
    values = cast("list[dict[str, JsonValue]]", spec["data"]["values"])
    assert [(row["region"], row["percent"]) for row in values] == [("a", "20%"), ("b", "50%"), ("c", "30%")]


@pytest.mark.parametrize(
    "result",
    [
        shares(("a", 2, 20.0), ("b", 5, 50.0)),
        shares(("a", -2, -20.0), ("b", 12, 120.0)),
        shares(("a", 2, 40.0), ("b", 3, 60.0), ("c", None, None)),
        shares(*((f"r{n}", 1, 100 / 7) for n in range(7))),
        PARTS.model_copy(update={"truncated": "rows"}),
    ],
    ids=["a part is missing", "negative", "no value", "seven", "cut"],
)
def test_parts_that_are_no_whole_are_bars(result: Table) -> None:
    assert drawn(SHARES, result)["mark"] == {"type": "bar"}


def test_each_percent_stands_at_its_own_slice() -> None:
    """Labels that are stacked otherwise than slices once stood at each other's."""
    vl_convert = pytest.importorskip("vl_convert", reason="the extra `charts` is not installed")
    spec = drawn(SHARES, PARTS)
    svg: str = vl_convert.vegalite_to_svg(spec, vl_version="5.21")
    found = re.findall(r"<text[^>]*translate\(([-\d.]+),([-\d.]+)\)[^>]*>([\d.]+%)</text>", svg)
    angles = {text: math.degrees(math.atan2(float(x) - 140, 140 - float(y))) % 360 for x, y, text in found}
    assert angles == pytest.approx({"50%": 90, "30%": 234, "20%": 324}, abs=4)


def test_a_forged_percent_is_refused() -> None:
    spec = drawn(SHARES, PARTS)
    rows = [dict(row) for row in cast("list[dict[str, JsonValue]]", spec["data"]["values"])]
    rows[0]["percent"] = "50%"
    assert chart_fits({**spec, "data": {"values": cast("JsonValue", rows)}}, PARTS) is not None


def test_bars_of_names_are_sorted_unless_the_rows_are() -> None:
    mixed = drawn(BY_REGION, regions([("a", Decimal(1)), ("b", Decimal(3)), ("c", Decimal(2))]))
    assert cast("dict[str, dict[str, JsonValue]]", mixed["encoding"])["y"]["sort"] == "-x"
    rising = drawn(BY_REGION, regions([("a", Decimal(1)), ("b", Decimal(2)), ("c", Decimal(3))]))
    assert cast("dict[str, dict[str, JsonValue]]", rising["encoding"])["y"]["sort"] is None


MANY = regions((f"r{n:02}", Decimal(n * 7 % 25)) for n in range(25))


def test_over_twenty_bars_are_the_highest_and_one_for_the_others() -> None:
    spec = drawn(BY_REGION, MANY)
    values = cast("list[dict[str, JsonValue]]", spec["data"]["values"])
    assert [row["total_sales"] for row in values] == [*range(24, 4, -1), 10]
    assert values[-1]["region"] == "Other (5 more)"
    assert "the highest 20 of 25 are drawn, the others as one" in str(spec["description"])


def test_what_does_not_add_up_has_no_bar_for_the_others() -> None:
    average = (REGION, measure("total_sales", "average"))
    values = cast("list[dict[str, JsonValue]]", drawn(average, MANY)["data"]["values"])
    assert (len(values), values[-1]["total_sales"]) == (20, 5)
    cut = drawn(BY_REGION, MANY.model_copy(update={"truncated": "rows"}))
    assert len(cast("list[JsonValue]", cut["data"]["values"])) == 20


def test_others_with_another_sum_or_without_a_word_are_refused() -> None:
    spec = drawn(BY_REGION, MANY)
    rows = [dict(row) for row in cast("list[dict[str, JsonValue]]", spec["data"]["values"])]
    rows[-1]["total_sales"] = 11
    assert chart_fits({**spec, "data": {"values": cast("JsonValue", rows)}}, MANY) is not None
    assert chart_fits({**spec, "usermeta": {"caption": ""}}, MANY) is not None


def test_a_compared_measure_is_drawn_by_its_own_values() -> None:
    columns = (REGION, SALES, measure("total_sales.previous"), measure("total_sales.change"))
    kinds: dict[str, Kind] = dict.fromkeys(("total_sales", "total_sales.previous", "total_sales.change"), "integer")
    result = table({"region": "text", **kinds}, [("a", 3, 1, 2), ("b", 2, 2, 0)])
    assert fields(drawn(columns, result))["x"] == ("total_sales", "quantitative")


@pytest.mark.parametrize(
    ("columns", "result"),
    [(SHARES, PARTS), (BY_REGION, MANY), (BY_MONTH, months(cents("1", "2", "3")))],
    ids=["pie", "bars", "line"],
)
def test_vega_lite_5_takes_it(columns: tuple[OutputColumn, ...], result: Table) -> None:
    vl_convert = pytest.importorskip("vl_convert", reason="the extra `charts` is not installed")
    assert vl_convert.vegalite_to_vega(drawn(columns, result), vl_version="5.21")["marks"]


# Machado, Oliveira and Fernandes (2009): how eyes without one kind of cone see linear RGB
SIGHT = {
    "all": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def linear(colour: str) -> tuple[float, ...]:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return tuple(s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares)


def seen(colour: str, eyes: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    """The colour in OKLab, where distances are those that are felt."""
    rgb = [min(max(sum(a * b for a, b in zip(row, linear(colour), strict=True)), 0), 1) for row in eyes]
    cones = ((0.4122, 0.5363, 0.0514), (0.2119, 0.6807, 0.1074), (0.0883, 0.2817, 0.63))
    roots = [sum(a * b for a, b in zip(row, rgb, strict=True)) ** (1 / 3) for row in cones]
    lab = ((0.2105, 0.7936, -0.0041), (1.978, -2.4286, 0.4506), (0.0259, 0.7828, -0.8087))
    return tuple(sum(a * b for a, b in zip(row, roots, strict=True)) for row in lab)


def test_the_palette_stands_out_from_white() -> None:
    for colour in PALETTE:
        red, green, blue = linear(colour)
        assert 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 3, colour


@pytest.mark.parametrize("eyes", SIGHT.values(), ids=SIGHT)
def test_any_two_colours_of_the_palette_stay_apart(eyes: tuple[tuple[float, ...], ...]) -> None:
    for one, other in combinations(PALETTE, 2):
        assert math.dist(seen(one, eyes), seen(other, eyes)) > 0.12, (one, other)


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
