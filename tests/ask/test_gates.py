"""What each gate of ask refuses, as pairs: what it lets through, and what it does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.ask import gates
from backedge.ask.intent import Ambiguous, Intent, Option, Token
from backedge.ask.probe import Finding
from backedge.ask.proposals import Interpretation, Investigated, Saying, Several, Written
from backedge.ask.rules import RuleSetting
from backedge.ask.stages.interpret import INTERPRETING
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
from backedge.kernel.stage import Gate
from backedge.query.ports import Ran, Rejected
from backedge.query.table import Column, Table
from backedge.semantic.spec import Filter, OutputColumn, Spec
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
    defect = gates.answers_every_question(state, Saying((said,)))
    assert (defect is None) is passes
    if defect:
        assert "1) net sales; 2) gross sales" in defect.message


def test_one_question_takes_one_answer() -> None:
    assert gates.answers_every_question(AwaitingAnswer(CLARIFYING, WHICH), Saying(("1", "2"))) is not None
    assert gates.answers_every_question(AwaitingAnswer(CLARIFYING, WHICH), Saying(())) is not None


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


def test_a_number_in_the_words_that_no_cell_holds_is_refused() -> None:
    state = Interpreting(Executing(SPECIFYING, Query("semantic", "S", columns=(COLUMN,))), Ran(table((42,)), 1))
    assert gates.figures_hold(state, Interpretation("There were 43 sales.")) is not None
    assert gates.says_something(state, Interpretation(" ")) is not None


@pytest.mark.parametrize("gate", gates.RESULT_GATES, ids=lambda gate: gate.__name__)
def test_every_gate_of_results_lets_good_rows_through_and_says_what_it_is(gate: Gate) -> None:
    state = Executing(SPECIFYING, Query("semantic", "S", columns=(COLUMN,)))
    assert gate(state, Ran(table((42,)), 1)) is None
    assert gate(state, Investigated(Ran(table((0,)), 1), ())) is None
    assert gate.__doc__


def test_a_filter_that_empties_the_result_is_named_with_what_the_data_holds() -> None:
    finding = Finding("no_such_value", "no row has region = Nord (nearest: North)", "shop.region", ("North",))
    state = Executing(SPECIFYING, BY_STORE)
    defects = [d for gate in gates.RESULT_GATES if (d := gate(state, Investigated(Ran(table((0,)), 1), (finding,))))]
    assert [(d.kind, d.near, d.message) for d in defects] == [("empty", ("North",), finding.message)]


def test_the_agents_settings_reach_the_rules() -> None:
    question = Question("total sales", TODAY, rules=(RuleSetting("non_empty", enabled=False),))
    state = Executing(Specifying(Clarifying(question), INTENT), Query("verified", "S"))
    assert all(gate(state, Ran(table(), 1)) is None for gate in gates.RESULT_GATES)


def interpreting(*rows: tuple[object, ...], query: Query = BY_STORE) -> Interpreting:
    return Interpreting(Executing(SPECIFYING, query), Ran(named(*rows), 1))


def named(*rows: tuple[object, ...]) -> Table:
    columns = (Column(name="store", type="TEXT", kind="text"), Column(name="total_sales", type="INT", kind="integer"))
    return Table(columns=columns, rows=rows)


WHOLE = Query("semantic", "SELECT", columns=(STORE, COLUMN), spec=Spec(("shop.total_sales",)))


def test_figures_that_nobody_declared_are_found_and_kept_with_the_answer() -> None:
    state = interpreting(("Alpha", 30), ("Beta", 10), query=WHOLE)
    said = Interpretation("Alpha had sales of 30, three times as much as Beta.")
    assert gates.figures_hold(state, said) is None
    done = INTERPRETING.settle(state, said).state
    assert [(f.text, f.value, f.cells, f.computation) for f in done.outcome.figures] == [
        ("Alpha", "Alpha", ((0, "store"),), ""),
        ("30", "30", ((0, "total_sales"),), ""),
        ("three times", "3", ((0, "total_sales"), (1, "total_sales")), "ratio of cells"),
        ("Beta", "Beta", ((1, "store"),), ""),
    ]
    assert [said.text[f.start : f.end] for f in done.outcome.figures] == [f.text for f in done.outcome.figures]


@pytest.mark.parametrize(
    ("query", "passes"),
    [
        (WHOLE, True),
        (replace(WHOLE, spec=Spec(("shop.total_sales",), limit=2)), False),
        (replace(WHOLE, spec=Spec(("shop.total_sales",), where=(Filter("shop.total_sales", "gt", (5,)),))), False),
        (replace(WHOLE, notes=("each row of orders counts once for every store, so groups may overlap",)), False),
        (replace(WHOLE, spec=None), False),
    ],
    ids=["whole", "limited", "groups left out", "overlapping", "unknown SQL"],
)
def test_a_total_is_said_only_of_rows_that_are_all_there_and_apart(query: Query, passes: bool) -> None:
    state = interpreting(("Alpha", 30), ("Beta", 10), query=query)
    assert (gates.figures_hold(state, Interpretation("Total sales are 40.")) is None) is passes


def test_a_remark_may_be_repeated_with_its_numbers() -> None:
    state = interpreting(("Alpha", 30), ("Beta", 10), query=WHOLE)
    said = Interpretation("Alpha had sales of 30. Data to 2026-11-17.")
    assert gates.figures_hold(state, said) is not None
    assert gates.figures_hold(replace(state, remarks=("data to 2026-11-17",)), said) is None
