"""What each gate of ask refuses, as pairs: what it lets through, and what it does not."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from backedge.ask import gates
from backedge.ask.intent import Ambiguous, Intent, Option, Token
from backedge.ask.proposals import Interpretation, Saying, Several, Written
from backedge.ask.states import (
    AwaitingAnswer,
    Clarifying,
    Executing,
    Interpreting,
    Query,
    Question,
    Solving,
    Specifying,
)
from backedge.query.ports import Ran, Rejected
from backedge.query.table import Column, Table
from backedge.semantic.spec import OutputColumn
from tests.ask.scripted import COLUMN, INTENT, TODAY, WHICH, table

CLARIFYING = Clarifying(Question('Total sales of "North-East", top 5?', TODAY))
SPECIFYING = Specifying(Clarifying(Question("total sales", TODAY)), INTENT)
STORE = OutputColumn("store", "shop.store", "dimension", "string")
BY_STORE = Query("semantic", "SELECT", columns=(STORE, COLUMN), filters=("region is EU",))


def intent(*texts: str) -> Intent:
    return Intent("q", "r", tuple(Token(text, "filler", "") for text in texts))


@pytest.mark.parametrize(
    ("texts", "missing"),
    [
        (("Total sales", "of", "North-East", "top", "5"), ""),
        (("Total sales", "of", "North-East", "top 5"), ""),
        (("Total sales", "of", "top", "5"), "north"),
        (("Total", "of", "North-East", "top", "5"), "sales"),
        (("Total sales", "of", "North-East", "top"), "5"),
        ((), "total"),
    ],
)
def test_a_reading_leaves_out_no_word(texts: tuple[str, ...], missing: str) -> None:
    defect = gates.every_word_is_read(CLARIFYING, intent(*texts))
    assert (defect is None) if not missing else (defect is not None and missing in defect.message)


@pytest.mark.parametrize(("count", "passes"), [(1, False), (2, True), (4, True), (5, False)])
def test_a_question_offers_two_to_four_readings(count: int, passes: bool) -> None:
    asked = Ambiguous("s", "w", "Which?", tuple(Option(str(n), str(n)) for n in range(count)))
    assert (gates.has_choices(CLARIFYING, asked) is None) is passes


@pytest.mark.parametrize(
    ("said", "passes"), [("1", True), ("b", True), ("Gross Sales", True), ("3", False), ("", False)]
)
def test_an_answer_is_an_option_by_number_value_or_label(said: str, passes: bool) -> None:
    state = AwaitingAnswer(CLARIFYING, WHICH)
    defect = gates.is_an_option(state, Saying((said,)))
    assert (defect is None) is passes
    if defect:
        assert "1) net sales; 2) gross sales" in defect.message


def test_one_question_takes_one_answer() -> None:
    assert gates.is_an_option(AwaitingAnswer(CLARIFYING, WHICH), Saying(("1", "2"))) is not None
    assert gates.is_an_option(AwaitingAnswer(CLARIFYING, WHICH), Saying(())) is not None


@pytest.mark.parametrize(
    ("parts", "passes"),
    [
        (("sales of A", "sales of B"), True),
        (("sales of A",), False),
        (("a", "a"), False),
        (("total sales", "b"), False),
    ],
)
def test_parts_are_several_and_differ_from_the_whole(parts: tuple[str, ...], passes: bool) -> None:
    assert (gates.has_parts(SPECIFYING, Several(parts)) is None) is passes


def test_no_sql_is_refused_with_its_reason() -> None:
    defect = gates.has_sql(Solving(SPECIFYING, None, "x"), Written("", reason="no model is configured"))
    assert defect is not None
    assert defect.message == "no model is configured"
    assert not defect.retryable


def test_what_the_database_refused_is_a_defect_with_the_nearest_names() -> None:
    defect = gates.ran(Executing(SPECIFYING, BY_STORE), Rejected("unknown_column", "no column x", ("y",)))
    assert defect is not None
    assert (defect.kind, defect.near, defect.retryable) == ("sql_unknown_column", ("y",), False)


def result(
    *rows: tuple[Any, ...], kinds: tuple[Any, Any] = ("text", "integer"), names: Any = ("store", "total_sales")
) -> Table:
    columns = tuple(Column(name=n, type="T", kind=k) for n, k in zip(names, kinds, strict=True))
    return Table(columns=columns, rows=rows)


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        (result(("a", 1), ("b", 2)), ""),
        (result((None, 1), ("a", None)), ""),
        (result(("a", Decimal("1.10")), kinds=("text", "decimal")), ""),
        (result(), "empty"),
        (result(("a", None), ("b", None)), "all_null"),
        (result(("a", 1), ("a", 2)), "duplicate_groups"),
        (result((None, 1), (None, 2)), "duplicate_groups"),
        (result(("a", "x"), kinds=("text", "text")), "malformed"),
        (result(("a", 1), names=("shop", "total_sales")), "malformed"),
        (result(("a", float("nan")), kinds=("text", "double")), "malformed"),
        (result(("a", float("inf")), kinds=("text", "double")), "malformed"),
    ],
)
def test_a_result_is_judged(rows: Table, kind: str) -> None:
    defects = gates.result_defects(BY_STORE, rows)
    assert [defect.kind for defect in defects] == ([kind] if kind else [])
    state = Executing(SPECIFYING, BY_STORE)
    checks = (gates.well_formed, gates.not_empty, gates.not_all_null, gates.no_duplicate_groups)
    assert any(check(state, Ran(rows, 1)) for check in checks) is bool(kind)


def test_an_empty_result_names_the_filters_that_emptied_it() -> None:
    defect = gates.empty(BY_STORE, result())
    assert defect is not None
    assert defect.message == "the query found no rows under region is EU"


def test_a_count_of_nothing_is_a_zero_and_no_empty_result() -> None:
    query = Query("semantic", "SELECT", columns=(COLUMN,))
    assert gates.result_defects(query, table((0,))) == ()


def test_sql_without_members_is_judged_by_its_rows_alone() -> None:
    query = Query("verified", "SELECT")
    assert gates.result_defects(query, table((1,), (1,))) == ()
    assert [d.kind for d in gates.result_defects(query, table((None,)))] == ["all_null"]
    assert [d.kind for d in gates.result_defects(query, table())] == ["empty"]


def test_a_number_in_the_words_that_no_cell_holds_is_refused() -> None:
    state = Interpreting(Executing(SPECIFYING, Query("semantic", "S", columns=(COLUMN,))), Ran(table((42,)), 1))
    assert gates.figures_hold(state, Interpretation("There were 43 sales.")) is not None
    assert gates.says_something(state, Interpretation(" ")) is not None
