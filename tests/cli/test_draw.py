"""Terminal pictures: exact widths whatever the labels, honest zeros and gaps, numbers to the right."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from backedge.cli.draw import bars, grid
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


def shown(result: Table, columns: tuple[OutputColumn, ...], max_rows: int = 50, width: int = 60) -> list[str]:
    """The lines of a grid."""
    console = Console(width=width, force_terminal=False, color_system=None)
    with console.capture() as capture:
        console.print(grid(result, columns, max_rows))
    return [line.rstrip() for line in capture.get().splitlines()]


def caption(result: Table, columns: tuple[OutputColumn, ...], max_rows: int) -> str:
    """What stands under a grid."""
    lines = shown(result, columns, max_rows)
    return " ".join(lines[next(at for at, line in enumerate(lines) if line.startswith("└")) + 1 :])


def test_bars_are_drawn_to_an_eighth_of_a_cell() -> None:
    picture = bars(regions([("a", Decimal(16)), ("b", Decimal(8)), ("c", Decimal(5))]), BY_REGION, 9)
    assert picture.splitlines() == ["a ████ 16", "b ██    8", "c █▎    5"]


def test_zero_is_no_bar_a_sliver_is_not_zero_and_null_is_no_value() -> None:
    rows: list[tuple[Cell, Cell]] = [
        ("a", Decimal(1000)),
        ("b", Decimal(1)),
        ("c", Decimal(0)),
        ("d", None),
        (None, Decimal(5)),
    ]
    lines = bars(regions(rows), BY_REGION, 40).splitlines()
    assert [("█" in line, "▏" in line) for line in lines] == [
        (True, False),
        (False, True),
        (False, False),
        (False, False),
        (False, True),
    ]
    assert [line.split()[-1] for line in lines] == ["1,000", "1", "0", "value", "5"]
    assert lines[3].endswith(" no value")
    assert lines[4].startswith("(no value) ")


def test_negative_bars_grow_to_the_left_of_an_axis() -> None:
    lines = bars(regions([("a", Decimal(4)), ("b", Decimal(-4)), ("c", Decimal("-0.01"))]), BY_REGION, 24).splitlines()
    assert lines == ["a         │███████     4", "b  ███████│           -4", "c        ▕│        -0.01"]
    only = bars(regions([("a", Decimal(-4)), ("b", Decimal(-3))]), BY_REGION, 13).splitlines()
    assert only == ["a ███████│ -4", "b  ▐█████│ -3"]


def test_wide_labels_are_measured_in_cells_and_cut() -> None:
    rows = [("東京都の店舗です、とても長い名前", Decimal(3)), ("👩‍👩‍👧 family", Decimal(4)), ("e\u0301te", Decimal(5))]
    lines = bars(regions(rows), BY_REGION, 40).splitlines()
    assert [cell_len(line) for line in lines] == [40, 40, 40]
    assert "…" in lines[0]


def test_a_label_cannot_send_escapes_to_the_terminal() -> None:
    hostile = regions([("\x1b[2J\nx", Decimal(3)), ("b", Decimal(1))])
    picture = bars(hostile, BY_REGION, 40) + "\n".join(shown(hostile, BY_REGION))
    assert "\x1b" not in picture
    assert len(bars(hostile, BY_REGION, 40).splitlines()) == 2


def test_a_series_is_a_sparkline_with_its_range() -> None:
    values: list[Cell] = [*cents("0", "1", "2", "3", "4", "5", "6", "7"), None]
    lines = bars(months(values), BY_MONTH, 60).splitlines()
    assert lines == ["January 2010 ▁▂▃▄▅▆▇█", "lowest 0, highest 7"]
    flat = bars(months(cents(*["2.50"] * 6)), BY_MONTH, 60).splitlines()
    assert flat == ["January 2010 ▄▄▄▄▄▄", "lowest 2.50, highest 2.50"]
    gap: list[Cell] = [*cents("0", "7", "0"), None, *cents("0", "7")]
    assert bars(months(gap), BY_MONTH, 60).splitlines()[0] == "January 2010 ▁█▁ ▁█"


def test_a_long_series_wraps_and_each_line_names_its_first_point() -> None:
    lines = bars(months([Decimal(at) for at in range(50)]), BY_MONTH, 40).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["January", "February", "lowest"]
    assert all(cell_len(line) <= 40 for line in lines)
    assert sum(len(line.split()[-1]) for line in lines[:2]) == 50


def test_shares_are_bars_with_their_percent() -> None:
    columns = (REGION, SALES, measure("total_sales.percent_of_total"))
    kinds: dict[str, Kind] = {"region": "text", "total_sales": "integer", "total_sales.percent_of_total": "double"}
    picture = bars(table(kinds, [("a", 15, 93.75), ("b", 1, 6.25)]), columns, 24)
    assert picture.splitlines() == ["a █████████████ 15 93.8%", "b ▉              1  6.2%"]


def test_two_categories_are_blocks_of_bars_to_one_scale() -> None:
    columns = (REGION, group("kind"), SALES)
    rows = [("N", "x", 4), ("N", "y", 2), ("S", "x", 1), ("S", "y", None)]
    picture = bars(table({"region": "text", "kind": "text", "total_sales": "integer"}, rows), columns, 20)
    assert picture.splitlines() == [
        "N", "  x ███████        4", "  y ███▌           2", "S", "  x █▊             1", "  y         no value",
    ]  # fmt: skip


def test_time_by_category_is_a_sparkline_for_each() -> None:
    columns = (MONTH, REGION, SALES)
    rows = [(date(2024, m, 1), r, m * k) for m in range(1, 7) for k, r in ((1, "N"), (2, "S")) if (m, r) != (3, "S")]
    picture = bars(table({"week_date_month": "date", "region": "text", "total_sales": "integer"}, rows), columns, 60)
    assert picture.splitlines() == ["N ▁▂▂▃▄▄", "S ▂▃ ▅▇█", "January 2024 to June 2024: lowest 1, highest 12"]


@pytest.mark.parametrize(
    ("result", "columns", "width"),
    [
        (regions([]), BY_REGION, 80),
        (regions([("a", Decimal(1))]), BY_REGION, 5),
        (stores((s, Decimal(s)) for s in range(31)), BY_STORE, 80),
        (months([Decimal(1)] * 2000), BY_MONTH, 80),
        (months([None] * 9), BY_MONTH, 80),
        (table({"total_sales": "integer"}, [(5,)]), (SALES,), 80),
        (table({"region": "text", "total_sales": "text"}, [("a", "b")]), BY_REGION, 80),
    ],
    ids=["empty", "narrow", "too many bars", "too many points", "no values", "number", "text"],
)
def test_what_cannot_be_drawn_is_not(result: Table, columns: tuple[OutputColumn, ...], width: int) -> None:
    assert bars(result, columns, width) == ""


@given(
    st.lists(st.tuples(st.text("aé東👩\u200d\u0301\n ", max_size=30), st.floats() | st.none()), max_size=12),
    st.integers(1, 120),
)
def test_no_line_is_wider_than_asked(rows: list[tuple[str, float | None]], width: int) -> None:
    picture = bars(table({"region": "text", "total_sales": "double"}, rows), BY_REGION, width)
    lines = picture.splitlines()
    assert {cell_len(line) for line in lines} <= {width}
    assert len(lines) in (0, len(rows))


def test_a_grid_sets_numbers_to_the_right_and_keys_without_separators() -> None:
    lines = shown(stores([(2011, Decimal("1234.50")), (4, None)]), BY_STORE)
    assert "│     2011 │    1,234.50 │" in lines
    assert "│        4 │  (no value) │" in lines


def test_a_grid_says_what_it_leaves_out_and_what_it_rounds() -> None:
    result = table({"region": "text", "rate": "double"}, [(f"r{at}", at / 3) for at in range(5)])
    columns = (group("region"), OutputColumn("rate", "v.rate", "measure", "average"))
    assert caption(result, columns, 2) == "2 of 5 rows; values are rounded"
    assert caption(result, columns, 1) == "1 of 5 rows"
    cut = result.model_copy(update={"truncated": "rows"})
    assert caption(cut, columns, 2) == "2 of 5 or more rows; values are rounded"
    assert caption(cut, columns, 5) == "the first 5 rows; there are more; values are rounded"
    assert caption(regions([("a", Decimal(1))]), BY_REGION, 5) == ""


def test_a_grid_prints_markup_in_data_as_it_is() -> None:
    assert any("[red]x[/red]" in line for line in shown(regions([("[red]x[/red]", Decimal(1))]), BY_REGION))
