"""Whatever is asked along time of whatever data, the compiled query gives what walking through the days gives."""

from __future__ import annotations

import math
from datetime import date, timedelta
from random import Random

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import By, Filter, Spec
from backedge.semantic.timed import MONTHS, WEEKDAYS
from tests.semantic.time_oracle import GRAINS, NAMES, PLAIN, Calendar, answer, start
from tests.semantic.time_shop import MODEL, Data, fill

REFUSED = {"needs_time_grouping", "unfit_grain", "unaligned_range"}
CONNECTION = duckdb.connect(config={"disabled_optimizers": "statistics_propagation"})
DAYS = [date(2023, 12, 25) + timedelta(days=n) for n in range(0, 130, 3)] + [date(2024, 2, 29), date(2025, 2, 28)]


def shop(seed: int) -> Data:
    """Random tables over few days, with gaps, missing cells and rows without a match."""
    dice = Random(seed)
    days = dice.sample(DAYS, 6)

    def cell(*values: object) -> object:
        return dice.choice(values) if dice.randrange(6) else None

    lines = dice.sample([(o, n) for o in range(1, 8) for n in range(2)], dice.randint(0, 6))
    return {
        "customers": [{"id": i, "region": cell("n", "s")} for i in range(1, dice.randint(1, 4))],
        "orders": [
            {
                "id": i,
                "customer_id": cell(1, 2, 3, 9),
                "status": cell("a", "b"),
                "day": cell(*days),
                "amount": cell(-2, 0, 3, 8),
            }
            for i in range(1, dice.randint(1, 9))
        ],
        "items": [{"order_id": o, "line": n, "sku": cell("x", "y"), "qty": cell(1, 2, 5)} for o, n in lines],
    }


@st.composite
def questions(draw: st.DrawFn) -> tuple[Spec, Calendar]:
    dice = Random(draw(st.integers(0, 2**32)))
    measures = tuple({dice.choice(dice.choice((NAMES, PLAIN))): 0 for _ in range(dice.choice((1, 1, 2, 3)))})
    by = [By(m) for m in ("customers.region", "orders.status", "items.sku") if not dice.randrange(3)]
    week, fiscal = dice.choice((0, 0, 6, 3)), dice.choice((1, 2, 4, 11))
    time = dice.choice((*GRAINS, By("orders.day", "month"), By("orders.day", "day")))
    grouped = dice.randrange(8) > 0
    if grouped:
        by.insert(dice.randint(0, len(by)), By(time.member, time.grain, fill=dice.randrange(3) == 0))
    calendar = Calendar(week, fiscal)
    low, high = sorted((start(d, time.grain or "day", calendar) if grouped else d) for d in dice.sample(DAYS, 2))
    sides = dice.choice(((False, False), (True, True), (True, False), (False, True)))
    bounds = (low if sides[0] else None, high if sides[1] else None)
    bounds = (None, None) if low == high else bounds
    where = tuple(Filter("orders.day", op, (b,)) for op, b in zip(("gte", "lt"), bounds, strict=True) if b)  # type: ignore[arg-type]
    spec = Spec(measures, tuple(by), where, week_start=WEEKDAYS[week], fiscal_year_start=MONTHS[fiscal - 1])
    return spec, Calendar(week, fiscal, *bounds)


def _same(ours: object, theirs: object) -> bool:
    if isinstance(ours, float) and isinstance(theirs, int | float):
        return math.isclose(ours, theirs, rel_tol=1e-9)
    return ours == theirs


def in_order(rows: list[tuple[object, ...]], width: int) -> list[tuple[object, ...]]:
    return sorted(rows, key=lambda row: [(cell is None, str(cell)) for cell in row[:width]])


def check(data: Data, question: tuple[Spec, Calendar]) -> bool:
    spec, calendar = question
    result = compile_spec(MODEL, spec)
    if isinstance(result, tuple):
        assert {d.kind for d in result} <= REFUSED, result
        return False
    fill(CONNECTION, data)
    ours = in_order(CONNECTION.execute(result.sql, list(result.params)).fetchall(), len(spec.by))
    theirs = in_order(answer(data, spec, calendar), len(spec.by))
    assert len(ours) == len(theirs), (ours, theirs)
    assert all(_same(a, b) for x, y in zip(ours, theirs, strict=True) for a, b in zip(x, y, strict=True)), (
        ours,
        theirs,
    )
    return True


@settings(
    max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(st.integers(0, 2**32).map(shop), questions())
def test_questions_along_time_give_what_walking_through_the_days_gives(
    data: Data, question: tuple[Spec, Calendar]
) -> None:
    check(data, question)


@pytest.mark.slow
@settings(max_examples=5_000, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32).map(shop), questions())
def test_questions_along_time_give_what_walking_through_the_days_gives_at_length(
    data: Data, question: tuple[Spec, Calendar]
) -> None:
    check(data, question)
