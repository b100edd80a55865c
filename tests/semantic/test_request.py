"""Requests as JSON: every key that is read, and everything else refused by name."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from backedge.semantic.request import spec_from_json
from backedge.semantic.spec import All, AnyOf, By, Filter, Order, Spec


def test_a_whole_request_is_read() -> None:
    given = {
        "measures": ["orders.total"],
        "dimensions": ["orders.status", "orders.day.year"],
        "time_dimensions": [
            {
                "dimension": "orders.day",
                "granularity": "month",
                "date_range": ["2024-01-01", "2024-01-31"],
            }
        ],
        "filters": [
            {
                "or": [
                    {
                        "member": "orders.status",
                        "operator": "notEquals",
                        "values": ["a", "b"],
                    },
                    {"and": [_above(5)]},
                ]
            },
            {"field": "orders.status", "op": "neq", "value": "x"},
        ],
        "segments": ["orders.large"],
        "order": [
            {"id": "orders.total", "desc": True},
            {"field": "orders.status", "direction": "asc"},
        ],
        "limit": 5,
        "offset": 10,
        "topic": "sales",
        "ungrouped": False,
        "through": ["customers"],
        "grain": "refuse",
        "motif": "rank",
        "motif_params": {"measure": "orders.total"},
        "variables": {"rate": 2},
    }
    assert spec_from_json(given) == Spec(
        measures=("orders.total",),
        by=(By("orders.status"), By("orders.day", "year"), By("orders.day", "month")),
        where=(
            AnyOf(
                (
                    Filter("orders.status", "not_in", ("a", "b")),
                    All((Filter("orders.id", "gt", (5,)),)),
                )
            ),
            Filter("orders.status", "not_equals", ("x",)),
            Filter("orders.day", "in_range", (date(2024, 1, 1), date(2024, 2, 1))),
        ),
        segments=("orders.large",),
        order=(Order("orders.total", True), Order("orders.status")),
        limit=5,
        offset=10,
        topic="sales",
        through=("customers",),
        grain="refuse",
        motif="rank",
        motif_params=(("measure", "orders.total"),),
        variables=(("rate", 2),),
    )


def _above(number: int) -> dict[str, object]:
    return {"member": "orders.id", "operator": "gt", "values": [number]}


def test_camel_case_is_read_and_a_time_dimension_without_granularity_only_filters() -> None:
    given = {"timeDimensions": [{"dimension": "o.day", "dateRange": "2024-02-29"}]}
    assert spec_from_json(given) == Spec(where=(Filter("o.day", "in_range", (date(2024, 2, 29), date(2024, 3, 1))),))


@pytest.mark.parametrize(
    ("operator", "values", "right"),
    [
        (
            "inDateRange",
            ["2024-01-01", "2024-01-01"],
            ("in_range", date(2024, 1, 1), date(2024, 1, 2)),
        ),
        (
            "notInDateRange",
            ["2024-01-01", "2024-01-02"],
            ("not_in_range", date(2024, 1, 1), date(2024, 1, 3)),
        ),
        (
            "in_range",
            ["2024-01-01", "2024-02-01"],
            ("in_range", "2024-01-01", "2024-02-01"),
        ),
        ("onTheDate", ["2024-01-01"], ("equals", "2024-01-01")),
        ("beforeOrOnDate", ["2024-01-01"], ("lte", "2024-01-01")),
        ("afterDate", ["2024-01-01"], ("gt", "2024-01-01")),
        ("equals", [None], ("equals", None)),
        ("set", None, ("set",)),
        (
            "in_date_range",
            ["2024-01-01", "2024-01-01T12:00:00"],
            ("in_range", date(2024, 1, 1), datetime(2024, 1, 1, 12)),
        ),
    ],
)
def test_an_operator_is_read(operator: str, values: list[object] | None, right: tuple[object, ...]) -> None:
    spec = spec_from_json({"filters": [{"member": "o.x", "operator": operator, "values": values}]})
    assert isinstance(spec, Spec), spec
    (found,) = spec.where
    assert isinstance(found, Filter)
    assert (found.op, *found.values) == right


@pytest.mark.parametrize(
    ("given", "kind", "near"),
    [
        ([], "bad_request", ""),
        ({"mesures": []}, "unknown_key", "measures"),
        ({"measures": "orders.total"}, "bad_request", ""),
        ({"measures": [1]}, "bad_request", ""),
        ({"timezone": 1}, "bad_request", ""),
        ({"compare": {"to": "last_year"}}, "bad_value", ""),
        ({"compare": {"n": -1}}, "bad_value", ""),
        ({"compare": {"grain": "fortnight"}}, "unknown_grain", ""),
        ({"compare": {"by": "month"}}, "unknown_key", ""),
        ({"time_dimensions": [{"dimension": "o.at", "fill": True}]}, "bad_request", ""),
        ({"ungrouped": 1}, "bad_value", ""),
        ({"through": "x"}, "bad_request", ""),
        ({"grain": "any"}, "bad_value", ""),
        ({"motif": ["yoy"]}, "bad_request", ""),
        ({"motifParams": []}, "bad_request", ""),
        ({"variables": {"x": [1]}}, "bad_value", ""),
        (
            {"filters": [{"member": "o.x", "operator": "last_week", "values": ["a", "b"]}]},
            "unknown_operator",
            "",
        ),
        (
            {"filters": [{"member": "o.x", "operator": "equal", "values": [1]}]},
            "unknown_operator",
            "equals",
        ),
        ({"filters": [{"member": "o.x", "values": [1]}]}, "bad_request", ""),
        ({"filters": [{"operator": "set"}]}, "bad_request", ""),
        (
            {"filters": [{"member": "o.x", "operator": "in", "values": [[1]]}]},
            "bad_value",
            "",
        ),
        ({"filters": [{"and": []}]}, "bad_request", ""),
        ({"filters": [{"and": [], "or": []}]}, "bad_request", ""),
        (
            {"filters": [{"member": "o.x", "operator": "in", "values": [1], "value": 1}]},
            "bad_request",
            "",
        ),
        ({"time_dimensions": [{"dimension": "o.d"}]}, "bad_request", ""),
        (
            {"time_dimensions": [{"dimension": "o.d", "granularity": "mont"}]},
            "unknown_grain",
            "month",
        ),
        (
            {"time_dimensions": [{"dimension": "o.d", "date_range": "last 30 days"}]},
            "not_supported",
            "",
        ),
        (
            {"time_dimensions": [{"dimension": "o.d", "date_range": ["2024-02-01", "2024-01-01"]}]},
            "bad_value",
            "",
        ),
        (
            {"time_dimensions": [{"dimension": "o.d", "date_range": ["9999-12-31", "9999-12-31"]}]},
            "bad_value",
            "",
        ),
        ({"order": [{"id": "o.x", "desc": "yes"}]}, "bad_request", ""),
        ({"order": [{"id": "o.x", "direction": "down"}]}, "bad_request", ""),
        ({"timeDimensions": [], "time_dimensions": []}, "bad_request", ""),
        ({"limit": -1}, "bad_value", ""),
        ({"limit": True}, "bad_value", ""),
        ({"offset": "3"}, "bad_value", ""),
    ],
)
def test_what_cannot_be_read_is_refused(given: object, kind: str, near: str) -> None:
    result = spec_from_json(given)
    assert not isinstance(result, Spec), result
    (found,) = result
    assert found.kind == kind
    assert found.hint
    assert not near or near in found.near


def test_all_problems_of_a_request_are_told_at_once() -> None:
    result = spec_from_json({"mesures": [], "limt": 1})
    assert isinstance(result, tuple)
    assert [d.where for d in result] == ["mesures", "limt"]


def test_filters_nested_without_end_are_refused() -> None:
    given: dict[str, object] = _above(1)
    for _ in range(40):
        given = {"and": [given]}
    result = spec_from_json({"filters": [given]})
    assert isinstance(result, tuple)
    assert result[0].kind == "bad_request"
