"""Parameters of saved queries: typed, checked against what is allowed, and put into requests as values."""

from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal

import pytest

from backedge.kernel.defect import Defect
from backedge.semantic.saved_queries import (
    Parameter,
    ParameterType,
    SavedQuery,
    Step,
    bound,
    from_text,
    spec_with,
    step_specs,
    typed,
)
from backedge.semantic.spec import Filter, Spec, Value

LOOK = SavedQuery(
    "look",
    (
        Step("a", json.dumps({"measures": ["o.{{params.metric}}"], "limit": "{{ params.most }}"})),
        Step("b", json.dumps({"filters": [{"field": "o.day", "op": "gte", "value": "{{variables.since}}"}]})),
        Step("c", json.dumps({"filters": [{"field": "o.x", "op": "contains", "value": "<{{params.metric}}>"}]})),
    ),
    (
        Parameter("metric", values=("total", "count"), default="total"),
        Parameter("most", "number", default=3),
        Parameter("since", "date", default="2024-01-31"),
    ),
)
ALL = (("metric", "count"), ("most", 3), ("since", date(2024, 1, 31)))


def test_parameters_stand_in_every_step() -> None:
    assert step_specs(LOOK, {"metric": "count"}) == (
        Spec(("o.count",), limit=3, variables=ALL),
        Spec(where=(Filter("o.day", "gte", ("2024-01-31",)),), variables=ALL),
        Spec(where=(Filter("o.x", "contains", ("<count>",)),), variables=ALL),
    )


@pytest.mark.parametrize(
    ("given", "kind", "where"),
    [
        ({"metrc": "count"}, "unknown_parameter", "metrc"),
        ({"metric": "cost"}, "bad_value", "metric"),
        ({"most": "few"}, "bad_value", "look"),
        ({"since": "soon"}, "bad_value", "look"),
    ],
)
def test_a_wrong_parameter_is_refused_before_any_step(given: dict[str, Value], kind: str, where: str) -> None:
    (found,) = step_specs(LOOK, given)
    assert isinstance(found, Defect)
    assert (found.kind, where in found.message or where == found.where) == (kind, True)
    assert found.hint


def test_a_parameter_without_a_default_must_be_given() -> None:
    saved = SavedQuery("q", (), (Parameter("x", "number", values=(1, 2)),))
    (found,) = step_specs(saved, {})
    assert isinstance(found, Defect)
    assert found.kind == "missing_parameter"
    assert "one of 1, 2" in found.message
    assert bound(saved.parameters, {"x": "2"}, "q") == {"x": 2}


def test_a_step_that_names_no_parameter_is_refused_alone() -> None:
    (found,) = step_specs(SavedQuery("q", (Step("a", '{"measures": ["{{params.mesure}}"]}'),)), {})
    assert isinstance(found, tuple)
    assert found[0].kind == "missing_parameter"


@pytest.mark.parametrize(
    ("value", "type_", "right"),
    [
        ("5", "number", 5),
        ("5.50", "number", Decimal("5.50")),
        (2.5, "number", 2.5),
        ("true", "boolean", True),
        (False, "boolean", False),
        ("2024-02-29", "date", date(2024, 2, 29)),
        ("2024-02-29T10:00", "datetime", datetime(2024, 2, 29, 10)),
        ("0123", "string", "0123"),
    ],
)
def test_a_value_is_of_its_type(value: Value, type_: ParameterType, right: Value) -> None:
    found = typed(value, type_, "x")
    assert (found, type(found)) == (right, type(right))


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        ("x", "number"),
        ("nan", "number"),
        (True, "number"),
        ("yes", "boolean"),
        (1, "string"),
        ("2024-01-01T10:00", "date"),
    ],
)
def test_a_value_of_another_type_is_refused(value: Value, type_: ParameterType) -> None:
    (found,) = step_specs(SavedQuery("q", (), (Parameter("x", type_),)), {"x": value})
    assert isinstance(found, Defect)
    assert found.kind == "bad_value"


def test_what_is_typed_without_a_type_is_a_number_true_false_or_text() -> None:
    found = [from_text(text) for text in ("5", "-0.5", "007", "true", "2024-01-01", "1e5", "")]
    assert found == [5, Decimal("-0.5"), "007", True, "2024-01-01", "1e5", ""]


def test_a_request_keeps_its_own_variables() -> None:
    spec = spec_with({"measures": ["o.n"], "variables": {"x": 2}}, {"x": 1, "y": 3})
    assert isinstance(spec, Spec)
    assert dict(spec.variables) == {"x": 2, "y": 3}
