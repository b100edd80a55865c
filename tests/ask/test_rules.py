"""The rules that results are judged by: what each refuses or says, and how an agent's settings change it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from backedge.ask.rules import RULES, Result, RuleSetting, refusals, remarks
from backedge.config.agent_file import RULES as KNOWN
from backedge.query.table import Column, Table
from backedge.semantic.spec import OutputColumn
from tests.ask.scripted import COLUMN, TODAY

STORE = OutputColumn("store", "shop.store", "dimension", "string")
MONTH = OutputColumn("month", "shop.day", "dimension", "date", "month")


def rows(*cells: tuple[Any, ...], kinds: Any = ("text", "integer"), names: Any = ("store", "total_sales")) -> Table:
    columns = tuple(Column(name=n, type="T", kind=k) for n, k in zip(names, kinds, strict=True))
    return Table(columns=columns, rows=cells)


def by_store(table: Table, *, proven: bool = True) -> Result:
    return Result(table, (STORE, COLUMN), ("region is EU",), proven, TODAY)


def by_month(*cells: tuple[Any, ...]) -> Result:
    table = rows(*cells, kinds=("date", "integer"), names=("month", "total_sales"))
    return Result(table, (MONTH, COLUMN), (), True, TODAY)


@pytest.mark.parametrize(
    ("table", "kind"),
    [
        (rows(("a", 1), ("b", 2)), ""),
        (rows((None, 1), ("a", None)), ""),
        (rows(("a", Decimal("1.10")), kinds=("text", "decimal")), ""),
        (rows(), "empty"),
        (rows(("a", None), ("b", None)), "all_null"),
        (rows(("a", 1), ("a", 2)), "duplicate_groups"),
        (rows((None, 1), (None, 2)), "duplicate_groups"),
        (rows(("a", "x"), kinds=("text", "text")), "malformed"),
        (rows(("a", 1), names=("shop", "total_sales")), "malformed"),
        (rows(("a", float("nan")), kinds=("text", "double")), "malformed"),
        (rows(("a", float("inf")), kinds=("text", "double")), "malformed"),
    ],
)
def test_a_result_is_judged(table: Table, kind: str) -> None:
    assert [defect.kind for defect in refusals(by_store(table))] == ([kind] if kind else [])


def test_an_empty_result_names_its_filters() -> None:
    assert refusals(by_store(rows()))[0].message == "the query found no rows under region is EU"


def test_a_count_of_nothing_is_a_zero_and_no_empty_result() -> None:
    assert refusals(Result(rows((0,), kinds=("integer",), names=("total_sales",)), (COLUMN,))) == ()


@pytest.mark.parametrize(
    ("cells", "kinds"),
    [(((1,), (2,)), []), (((None,),), ["all_null"]), ((), ["empty"]), (((1,), (1,)), ["duplicate_rows"])],
)
def test_sql_without_members_is_judged_by_its_rows_alone(cells: Any, kinds: list[str]) -> None:
    table = rows(*cells, kinds=("integer",), names=("n",))
    assert [defect.kind for defect in refusals(Result(table))] == kinds


def test_a_few_repeated_rows_of_unknown_sql_pass() -> None:
    table = rows(*((n,) for n in range(19)), (0,), kinds=("integer",), names=("n",))
    assert refusals(Result(table)) == ()
    strict = (RuleSetting("duplicate_row_check", parameters=(("max_duplicate_ratio", 0.01),)),)
    assert [defect.kind for defect in refusals(Result(table), strict)] == ["duplicate_rows"]


def test_many_nulls_send_unproven_rows_back_and_are_said_of_proven_ones() -> None:
    table = rows(("a", 1), ("b", None), ("c", None))
    assert [d.kind for d in refusals(by_store(table, proven=False))] == ["null_ratio"]
    assert refusals(by_store(table)) == ()
    assert remarks(by_store(table)) == ("total_sales has no value in 2 of 3 rows",)


def test_an_outlier_is_said() -> None:
    table = rows(*((str(n), 100 + n) for n in range(40)), ("x", 9_000))
    assert "total_sales has a value far from the others" in remarks(by_store(table))[0]
    assert remarks(by_store(rows(*((str(n), 100 + n) for n in range(9)), ("x", 9_000)))) == ()
    off = (RuleSetting("outlier_detection", enabled=False),)
    assert remarks(by_store(table), off) == ()
    assert remarks(by_store(table), (RuleSetting("outlier_detection", parameters=(("min_rows", 50),)),)) == ()


def test_a_cut_result_is_said() -> None:
    table = rows(("a", 1)).model_copy(update={"truncated": "rows"})
    assert remarks(by_store(table)) == ("the result was cut after 1 rows (cap on rows)",)


def test_a_series_out_of_order_is_said_unless_it_is_ranked() -> None:
    one, two, three = date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1)
    assert remarks(by_month((one, 5), (three, 9), (two, 7))) == ("month is not in order",)
    assert remarks(by_month((one, 5), (two, 9), (three, 7))) == ()
    assert remarks(by_month((two, 9), (one, 5), (three, 1))) == ()


def test_old_data_is_said_where_the_agent_asks_for_it() -> None:
    result = by_month((date(2026, 1, 1), 5), (date(2026, 2, 1), 7))
    assert remarks(result) == ()
    asked = (RuleSetting("freshness_check", parameters=(("max_age_days", 30),)),)
    assert remarks(result, asked) == ("the newest day in the result is 2026-02-01, 302 days ago",)


def test_every_rule_that_an_agent_may_set_exists() -> None:
    assert set(RULES) == set(KNOWN["solved"])


@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_only_removed_by_saying_so(name: str) -> None:
    table = rows().model_copy(update={"truncated": "rows"})
    left = {d.kind for d in refusals(by_store(table), (RuleSetting(name),))}
    assert left == {"empty"}
    gone = {d.kind for d in refusals(by_store(table), (RuleSetting(name, enabled=False),))}
    assert gone == (set() if name == "non_empty" else {"empty"})
