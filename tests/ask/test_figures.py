"""The gate over an answer's sentence: what the rows do not bear out is refused, whoever wrote it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backedge.ask.figures import Figure, Prose, figures_resolve
from backedge.ask.prose import write
from backedge.query.table import Cell, Kind, Table
from backedge.semantic.spec import Filter, OutputColumn
from tests.ask.results import (
    BY_MONTH,
    BY_REGION,
    BY_STORE,
    SALES,
    cents,
    intent,
    judged,
    measure,
    months,
    stores,
    table,
)

RESULT = stores(zip((20, 4, 14), cents("301.46", "299.95", "288.00"), strict=True))
RATE = measure("rate", "average")


def cited(text: str, *figures: tuple[str, str, tuple[tuple[int, str], ...], str]) -> Prose:
    """A sentence with figures (text, value, cells, computation) found in it from left to right."""
    made: list[Figure] = []
    for shown, value, cells, computation in figures:
        start = text.index(shown, made[-1].end if made else 0)
        made.append(Figure(shown, start, start + len(shown), value, cells, computation))
    return Prose(text, tuple(made))


def respelled(prose: Prose, old: str, new: str) -> Prose:
    """The sentence with a figure's text replaced by one of the same length."""
    figures = tuple(replace(f, text=new) if f.text == old else f for f in prose.figures)
    return Prose(prose.text.replace(old, new), figures)


def accepted(prose: Prose, columns: tuple[OutputColumn, ...], result: Table) -> bool:
    return figures_resolve(prose, intent(), columns, result) is None


def test_a_wrong_digit_is_refused() -> None:
    prose = write(intent(), BY_STORE, RESULT)
    assert judged(respelled(prose, "299.95", "299.96"), BY_STORE, RESULT).kind == "figure_text"
    both = respelled(prose, "299.95", "299.96")
    forged = replace(both, figures=tuple(replace(f, value=f.text) if f.text == "299.96" else f for f in both.figures))
    assert judged(forged, BY_STORE, RESULT).kind == "figure_value"


def test_swapped_rows_are_refused_even_where_each_number_is_in_the_result() -> None:
    prose = write(intent(), BY_STORE, RESULT)
    first, second = (next(f for f in prose.figures if f.text == text) for text in ("301.46", "299.95"))
    swapped = {
        first: replace(second, start=first.start, end=first.end),
        second: replace(first, start=second.start, end=second.end),
    }
    text = prose.text.replace("301.46", "?").replace("299.95", "301.46").replace("?", "299.95")
    forged = Prose(text, tuple(swapped.get(f, f) for f in prose.figures))
    assert judged(forged, BY_STORE, RESULT).kind == "figure_row"


def test_a_table_with_other_rows_is_refused() -> None:
    prose = write(intent(), BY_STORE, RESULT)
    turned = RESULT.model_copy(update={"rows": RESULT.rows[::-1]})
    assert judged(prose, BY_STORE, turned).kind == "figure_value"
    shorter = RESULT.model_copy(update={"rows": RESULT.rows[:2]})
    assert judged(prose, BY_STORE, shorter).kind == "figure_cell"


@pytest.mark.parametrize("claim", [" In all 889.41.", " In all 889 thousand.", " Twice as much.", " That is ½.", " Ⅳ."])
def test_an_invented_total_is_refused(claim: str) -> None:
    prose = write(intent(), BY_STORE, RESULT)
    assert judged(replace(prose, text=prose.text + claim), BY_STORE, RESULT).kind == "number_without_figure"


def test_a_declared_sum_is_computed_again() -> None:
    right = cited("In all 889.41.", ("889.41", "889.41", (), "sum of total_sales"))
    assert accepted(right, BY_STORE, RESULT)
    wrong = cited("In all 889.42.", ("889.42", "889.42", (), "sum of total_sales"))
    assert judged(wrong, BY_STORE, RESULT).kind == "figure_value"
    long = stores([(1, Decimal("12345678901234567890123456789012345.67")), (2, Decimal("0.01"))])
    total = "12345678901234567890123456789012345.68"
    assert accepted(cited(f"In all {total}.", (total, total, (), "sum of total_sales")), BY_STORE, long)


def test_a_declared_share_is_computed_again_and_its_rounding_stated() -> None:
    result = stores([(1, Decimal(1)), (2, Decimal(2))])
    value = repr(100 / 3)
    cell = ((0, "total_sales"),)
    assert accepted(
        cited("A share of 33.3%, rounded.", ("33.3%", value, cell, "share of total_sales")), BY_STORE, result
    )
    unsaid = cited("A share of 33.3%.", ("33.3%", value, cell, "share of total_sales"))
    assert judged(unsaid, BY_STORE, result).kind == "figure_text"
    wrong = cited("A share of 34%, rounded.", ("34%", value, cell, "share of total_sales"))
    assert judged(wrong, BY_STORE, result).kind == "figure_text"


@pytest.mark.parametrize(
    ("text", "value", "computation"),
    [
        ("three", "3", "count of rows"),
        ("3", "3", "distinct values of store_id"),
        ("0", "0", "missing values of total_sales"),
        ("301.46", "301.46", "highest of total_sales"),
        ("4", "4", "lowest of store_id"),
        ("1", "1", "tied lowest of total_sales"),
    ],
)
def test_counts_and_extremes_are_computed_again(text: str, value: str, computation: str) -> None:
    assert accepted(cited(f"It is {text}.", (text, value, (), computation)), BY_STORE, RESULT)
    assert judged(cited("It is 9.", ("9", "9", (), computation)), BY_STORE, RESULT).kind == "figure_value"
    fourth = (*RESULT.rows, (4, None), (5, Decimal("288.00")), (1, Decimal(1000)), (0, Decimal(1)), (0, Decimal(1)))
    other = RESULT.model_copy(update={"rows": fourth})
    assert judged(cited(f"It is {text}.", (text, value, (), computation)), BY_STORE, other).kind == "figure_value"


def test_a_cell_that_is_not_the_extreme_is_refused() -> None:
    second = cited("The highest is 299.95.", ("299.95", "299.95", ((1, "total_sales"),), "highest of total_sales"))
    assert judged(second, BY_STORE, RESULT).kind == "figure_cell"


def test_a_superlative_needs_its_computation() -> None:
    plain = cited("The highest is 299.95.", ("299.95", "299.95", ((1, "total_sales"),), ""))
    assert judged(plain, BY_STORE, RESULT).kind == "superlative_without_figure"
    named = table({"highest_rate": "double"}, [(1.5,)])
    column = (measure("highest_rate", "max"),)
    assert accepted(write(intent(), column, named), column, named)


@pytest.mark.parametrize(
    "cells",
    [((9, "total_sales"),), ((-1, "total_sales"),), ((0, "profit"),), (), ((0, "total_sales"), (1, "total_sales"))],
)
def test_cells_that_are_not_in_the_result_or_differ_are_refused(cells: tuple[tuple[int, str], ...]) -> None:
    assert judged(cited("It is 301.46.", ("301.46", "301.46", cells, "")), BY_STORE, RESULT).kind == "figure_cell"


@pytest.mark.parametrize(
    "computation", ["sum of region", "sum of profit", "guess of total_sales", "share of total_sales"]
)
def test_a_computation_that_cannot_be_made_is_refused(computation: str) -> None:
    result = table({"region": "text", "total_sales": "decimal"}, [("N", Decimal(1))])
    assert judged(cited("It is 1.", ("1", "1", (), computation)), BY_REGION, result).kind == "figure_cell"


def test_spans_must_be_in_order_and_hold_their_text() -> None:
    good = cited("It is 301.46.", ("301.46", "301.46", ((0, "total_sales"),), ""))
    moved = replace(good, figures=(replace(good.figures[0], start=5, end=11),))
    assert judged(moved, BY_STORE, RESULT).kind == "figure_span"
    assert judged(replace(good, figures=good.figures * 2), BY_STORE, RESULT).kind == "figure_span"
    empty = replace(good, figures=(replace(good.figures[0], text="", start=3, end=3), *good.figures))
    assert judged(empty, BY_STORE, RESULT).kind == "figure_span"


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (1234567, "1,23,4567"), (1234567, "1234,567"), (1200, "1.2"), (5, "about"), (None, "0"),
        (Decimal("1.25"), "1.3"), (Decimal("1.25"), "1.2"), (-5, "5"), (5, "-5"), (2, "three"),
    ],
)  # fmt: skip
def test_a_number_that_reads_otherwise_than_its_cell_is_refused(cell: Cell, shown: str) -> None:
    kind: Kind = "decimal" if isinstance(cell, Decimal) else "integer"
    result = table({"total_sales": kind}, [(cell,)])
    value = "null" if cell is None else str(cell)
    prose = cited(f"Rounded, rounded it is {shown}.", (shown, value, ((0, "total_sales"),), ""))
    assert judged(prose, (SALES,), result).kind == "figure_text"


@pytest.mark.parametrize(("cell", "shown"), [(0.4, "0"), (60.6637, "60.67"), (60.6637, "61.5"), (float("nan"), "0")])
def test_a_double_may_round_but_not_change(cell: float, shown: str) -> None:
    result = table({"rate": "double"}, [(cell,)])
    cells = ((0, "rate"),)
    assert (
        judged(cited(f"It is {shown}, rounded.", (shown, repr(cell), cells, "")), (RATE,), result).kind == "figure_text"
    )
    assert accepted(
        cited("It is 61, rounded.", ("61", "60.6637", cells, "")), (RATE,), table({"rate": "double"}, [(60.6637,)])
    )


@pytest.mark.parametrize(
    "shown", ["2010", "Q1 2010", "February 2010", "week of 2010-01-01", "2010-01-02", "January 2011"]
)
def test_a_date_at_another_grain_or_day_is_refused(shown: str) -> None:
    result = months(cents("5.00", "6.00"))
    prose = cited(f"In {shown}.", (shown, "2010-01-01", ((0, "week_date_month"),), ""))
    assert judged(prose, BY_MONTH, result).kind == "figure_text"
    assert accepted(
        cited("In January 2010.", ("January 2010", "2010-01-01", ((0, "week_date_month"),), "")), BY_MONTH, result
    )


def test_numbers_of_the_question_stand_only_in_its_own_wording() -> None:
    asked = intent(Filter("v.d", "in_range", ("2011-01-01", "2012-01-01")), limit=5, desc=True)
    prose = write(asked, BY_STORE, RESULT)
    assert "in 2011, top 5" in prose.text
    assert figures_resolve(prose, asked, BY_STORE, RESULT) is None
    for claim in (" It is 5.", " Since 2011.", " Top 5,000.", " Top 5.5.", " Stop 5.", " Top 5k.", " Top 5%."):
        added = replace(prose, text=prose.text + claim)
        assert judged(added, BY_STORE, RESULT, asked).kind == "number_without_figure"


def test_a_name_of_another_row_is_refused() -> None:
    result = table({"region": "text", "total_sales": "integer"}, [("Store 20", 5), ("Store 4", 6)])
    text = "Store 4 with 5."
    wrong = cited(text, ("Store 4", "Store 4", ((1, "region"),), ""), ("5", "5", ((0, "total_sales"),), ""))
    assert judged(wrong, BY_REGION, result).kind == "figure_row"
    unmarked = cited(text, ("5", "5", ((0, "total_sales"),), ""))
    assert judged(unmarked, BY_REGION, result).kind == "number_without_figure"


def test_a_stop_inside_a_name_does_not_part_it_from_its_value() -> None:
    result = table({"region": "text", "total_sales": "integer"}, [("A; B. C", 5), ("D", 6)])
    wrong = cited(
        "A; B. C with 6.", ("A; B. C", "A; B. C", ((0, "region"),), ""), ("6", "6", ((1, "total_sales"),), "")
    )
    assert judged(wrong, BY_REGION, result).kind == "figure_row"


def test_a_defect_says_what_is_wrong_and_what_to_do() -> None:
    defect = judged(cited("It is 9.", ("9", "9", ((0, "total_sales"),), "")), BY_STORE, RESULT)
    assert defect.message == "The figure '9' is 301.46 in the result, not 9."
    assert (defect.where, defect.hint, defect.retryable) == ("6:7", "copy the value", True)


@given(st.data())
def test_no_single_changed_digit_survives(data: st.DataObject) -> None:
    result = stores((s, Decimal(f"{s * 37 % 11}.25")) for s in range(1, data.draw(st.integers(2, 9))))
    prose = write(intent(), BY_STORE, result)
    at = data.draw(st.sampled_from([i for i, c in enumerate(prose.text) if c.isdigit()]))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != prose.text[at]]))
    text = prose.text[:at] + digit + prose.text[at + 1 :]
    figures = tuple(replace(f, text=text[f.start : f.end]) for f in prose.figures)
    assert figures_resolve(Prose(text, figures), intent(), BY_STORE, result) is not None


def test_a_date_cell_without_a_grain_is_its_iso_day() -> None:
    result = table({"last_day": "date"}, [(date(2012, 10, 26),)])
    column = (measure("last_day", "max"),)
    assert write(intent(), column, result).text == "Last day is 2012-10-26."
    assert accepted(write(intent(), column, result), column, result)
