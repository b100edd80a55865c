"""A model's request agrees with what rules read of the question, or is told what it leaves out, turns round or adds."""

from __future__ import annotations

from typing import Any

import pytest

from backedge.ask.agreement import Agreement
from backedge.ask.grounding.understood import understood
from backedge.semantic.request import spec_from_json
from backedge.semantic.spec import Filter, Spec
from tests.ask.grounding_shop import MODEL, TODAY, VALUES

SALES = ["orders.total_sales"]
DATE = "orders.order_date"


def spec_of(**request: Any) -> Spec:
    spec = spec_from_json({"measures": SALES, **request})
    assert isinstance(spec, Spec)
    return spec


def where(field: str, op: str, *values: Any) -> dict[str, Any]:
    return {"filters": [{"field": field, "op": op, "values": list(values)}]}


def within(*days: str, **more: Any) -> dict[str, Any]:
    return {"time_dimensions": [{"dimension": DATE, "date_range": list(days), **more}]}


def agreement(question: str, answer: str = "", kept: Any = (), **request: Any) -> Agreement:
    said, answered = (understood(text, MODEL, VALUES, TODAY) for text in (question, answer))
    return Agreement(spec_of(**request), said, MODEL, answered, kept)


def kinds(*args: Any, **request: Any) -> list[str]:
    return [defect.kind for defect in agreement(*args, **request).defects()]


BY_CHANNEL = {"dimensions": ["orders.channel"]}
TOP: dict[str, Any] = {**BY_CHANNEL, "order": [{"field": "orders.total_sales", "direction": "desc"}], "limit": 5}
YEAR = within("2023-01-01", "2023-12-31")
AGREES: list[tuple[str, dict[str, Any]]] = [
    ("how did total sales spread over channel", BY_CHANNEL),
    ("wobbling revenue", {"measures": ["sales_copy.turnover"]}),
    ("wobbling sales in germany", where("customers.country", "equals", "Germany")),
    ("wobbling sales not in germany", where("customers.country", "not_equals", "Germany")),
    ("wobbling completed", {"measures": ["orders.completed_orders"]}),
    ("wobbling total sales in 2023", YEAR),
    ("wobbling total sales last year", YEAR),
    ("wobbling total sales since 2023", where(DATE, "gte", "2023-01-01")),
    ("wobbling total sales in january and february 2023", within("2023-01-01", "2023-02-28")),
    ("wobbling total sales 2023 vs 2022", {**YEAR, "compare": {"to": "previous_year"}}),
    ("wobbling total sales of march 2024 vs february 2024",
     {**within("2024-03-01", "2024-03-31"), "compare": {"to": "previous_period"}}),
    ("wobbling total sales over 500", where("orders.total_sales", "gt", 500)),
    ("wobbling people of at least thirty", where("customers.age", "gte", 30)),
    ("five best wobbling channel", TOP),
    ("wobbling sales by month", {"time_dimensions": [{"dimension": DATE, "granularity": "month"}]}),
    ("wobbling gift sales", where("orders.is_gift", "equals", True)),
    ("which channel wobbles most", {**TOP, "limit": 1}),
    ("total sales of whatever", where("orders.channel", "equals", "app")),
]  # fmt: skip
DISAGREES: list[tuple[str, dict[str, Any], str]] = [
    ("how did total sales spread over channel", {}, "left_out"),
    ("wobbling total sales", {"measures": ["orders.order_count"]}, "left_out"),
    ("wobbling sales in germany", {}, "left_out"),
    ("wobbling sales in germany", where("customers.country", "equals", "France"), "left_out"),
    ("wobbling sales not in germany", where("customers.country", "equals", "Germany"), "contradicts"),
    ("wobbling sales in germany", where("customers.country", "not_equals", "Germany"), "contradicts"),
    ("wobbling total sales in 2023", {}, "left_out"),
    ("wobbling total sales in 2023", within("2022-01-01", "2022-12-31"), "left_out"),
    ("wobbling total sales in 2023", within("2023-01-01", "2023-12-30"), "left_out"),
    ("wobbling total sales in january and march 2023", within("2023-01-01", "2023-03-31"), "left_out"),
    ("wobbling total sales 2023 vs 2022", YEAR, "left_out"),
    ("wobbling total sales 2023 vs 2021", {**YEAR, "compare": {"to": "previous_year"}}, "left_out"),
    ("wobbling total sales since 2023", where(DATE, "gt", "2023-01-01"), "left_out"),
    ("wobbling total sales since 2023", where(DATE, "lt", "2023-01-01"), "left_out"),
    ("wobbling total sales over 500", {}, "left_out"),
    ("wobbling total sales over 500", where("orders.total_sales", "lt", 500), "contradicts"),
    ("wobbling total sales over 500", where("orders.total_sales", "gte", 500), "contradicts"),
    ("five best wobbling channel", {**TOP, "limit": 10}, "left_out"),
    ("five best wobbling channel", {**TOP, "order": [{"field": "orders.total_sales"}]}, "contradicts"),
    ("five best wobbling channel", {**TOP, "order": [{"field": "orders.channel"}]}, "contradicts"),
    ("five best wobbling channel", {**BY_CHANNEL, "limit": 5}, "left_out"),
    ("wobbling sales by month", {"time_dimensions": [{"dimension": DATE, "granularity": "year"}]}, "left_out"),
    ("total sales by channel", {**BY_CHANNEL, **where("customers.country", "equals", "Germany")}, "not_asked"),
    ("total sales by channel", {**BY_CHANNEL, "segments": ["orders.big_orders"]}, "not_asked"),
    ("total sales by channel", {**BY_CHANNEL, **YEAR}, "not_asked"),
    ("total sales by channel", {**BY_CHANNEL, **where("orders.total_sales", "gt", 10)}, "not_asked"),
    ("wobbling sales", {**BY_CHANNEL, "limit": 10}, "not_asked"),
]


@pytest.mark.parametrize(("question", "request_"), AGREES)
def test_what_agrees_passes(question: str, request_: dict[str, Any]) -> None:
    assert kinds(question, **request_) == []


@pytest.mark.parametrize(("question", "request_", "kind"), DISAGREES)
def test_what_does_not_agree_is_told(question: str, request_: dict[str, Any], kind: str) -> None:
    assert kind in kinds(question, **request_)


def test_the_days_of_a_period_are_told() -> None:
    (defect,) = agreement("wobbling total sales last year").defects()
    assert '["2023-01-01", "2023-12-31"]' in defect.hint


def test_a_condition_for_words_without_a_meaning_is_said() -> None:
    (said,) = agreement("wobbling total sales", **where("orders.channel", "equals", "app")).assumptions()
    assert "orders.channel equals app" in said
    assert "'wobbling'" in said


def test_an_answer_of_the_person_counts_as_asked() -> None:
    assert kinds("total sales by channel", "only germany", **BY_CHANNEL) == ["left_out"]
    assert (
        kinds("total sales by channel", "only germany", **BY_CHANNEL, **where("customers.country", "equals", "Germany"))
        == []
    )
    assert kinds("total sales last year", "2022", **within("2022-01-01", "2022-12-31")) == []


def test_conditions_of_the_question_before_are_kept() -> None:
    kept = (Filter("customers.country", "equals", ("Germany",)),)
    asked = {**BY_CHANNEL, **where("customers.country", "equals", "Germany")}
    assert kinds("total sales by channel", "", kept, **asked) == []


def test_a_number_of_rows_that_nobody_said_is_said() -> None:
    assert agreement("best channel by total sales", **TOP).assumptions() == ("showed 5 rows",)
