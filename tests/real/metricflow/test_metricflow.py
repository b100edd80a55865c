"""MetricFlow's cases: each gives what its check query gives, or is refused with a reason that the docs list."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from decimal import Decimal

import pytest

from tests.real.metricflow.conform import OTHERWISE, PAGE, Outcome, is_beginning, outcomes, page, same
from tests.real.metricflow.importer import _next, _start
from tests.real.metricflow.manifest import ROOT
from tests.real.metricflow.templates import check_query, filter_with_references

needs_data = pytest.mark.skipif(not ROOT.is_dir(), reason="../shared/data/metricflow-models is not here")


@pytest.fixture(scope="module")
def found() -> list[Outcome]:
    return outcomes()


@needs_data
@pytest.mark.slow
def test_no_case_is_wrong(found: list[Outcome]) -> None:
    assert [outcome for outcome in found if outcome.verdict == "wrong"] == []
    assert len(found) == len({outcome.case for outcome in found}) == 266


@needs_data
@pytest.mark.slow
def test_what_is_refused_has_a_reason_and_never_grows(found: list[Outcome]) -> None:
    assert all(outcome.reason for outcome in found if outcome.verdict == "refused")
    assert Counter(outcome.verdict for outcome in found)["equal"] >= 165


@needs_data
@pytest.mark.slow
def test_what_is_said_to_be_answered_by_another_rule_is(found: list[Outcome]) -> None:
    assert set(OTHERWISE) <= {outcome.case for outcome in found if outcome.verdict == "otherwise"}


@needs_data
@pytest.mark.slow
def test_the_docs_list_what_is_refused(found: list[Outcome]) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(found), "run python -m tests.real.metricflow.conform"


@pytest.mark.parametrize(
    ("ours", "theirs", "equal"),
    [
        ([(1, "a"), (2, None)], [(2.0, None), (Decimal(1), "a")], True),
        ([(date(2024, 1, 1),)], [(datetime(2024, 1, 1),)], True),
        ([(0.1 + 0.2,)], [(0.3,)], True),
        ([(1.0,)], [(1.000001,)], False),
        ([(1,)], [(1,), (1,)], False),
        ([(None,)], [(0,)], False),
        ([(True,)], [(False,)], False),
    ],
)
def test_rows_are_compared_as_values(
    ours: list[tuple[object, ...]], theirs: list[tuple[object, ...]], equal: bool
) -> None:
    assert same(ours, theirs, ordered=False) is equal


def test_only_what_lies_after_the_last_period_may_be_left_out() -> None:
    first, second, third = ((datetime(2024, 1, day), day) for day in (1, 2, 3))
    assert is_beginning([first, second], [third, second, first])
    assert not is_beginning([first, third], [first, second, third])
    assert not is_beginning([first, (second[0], 9)], [first, second, third])
    assert not is_beginning([], [first])


def test_order_counts_where_it_is_asked_for() -> None:
    assert not same([(1,), (2,)], [(2,), (1,)], ordered=True)


def test_a_constraint_ends_after_its_last_day_or_second() -> None:
    whole = check_query("{{ render_time_constraint('ds', '2020-01-01', '2020-01-31') }}")
    assert whole.endswith("CAST(ds AS TIMESTAMP) < CAST('2020-02-01' AS TIMESTAMP)")
    exact = check_query("{{ render_time_constraint('ds', stop_time='2020-01-01 00:00:59') }}")
    assert exact.endswith("< CAST('2020-01-01 00:01:00' AS TIMESTAMP)")


def test_references_are_taken_out_of_a_filter() -> None:
    sql, references = filter_with_references("NOT {{ Dimension('a__b') }} OR {{ Entity('c') }} IS NULL")
    assert sql == "NOT __0 OR __1 IS NULL"
    assert [(reference.kind, reference.name) for reference in references] == [("Dimension", "a__b"), ("Entity", "c")]


@pytest.mark.parametrize(
    ("grain", "start", "after"),
    [
        ("week", datetime(2024, 2, 26), datetime(2024, 3, 4)),
        ("month", datetime(2024, 2, 1), datetime(2024, 3, 1)),
        ("quarter", datetime(2024, 1, 1), datetime(2024, 4, 1)),
        ("year", datetime(2024, 1, 1), datetime(2025, 1, 1)),
        ("hour", datetime(2024, 2, 29, 13), datetime(2024, 2, 29, 14)),
    ],
)
def test_the_period_of_a_moment(grain: str, start: datetime, after: datetime) -> None:
    assert _start(datetime(2024, 2, 29, 13, 30, 5), grain) == start
    assert _next(start, grain) == after
