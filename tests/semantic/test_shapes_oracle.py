"""Listings and repeated totals of random data give what counting by hand gives."""

from __future__ import annotations

from functools import partial
from itertools import chain

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from backedge.semantic.compile import compile_spec
from backedge.semantic.spec import By, Condition, Spec
from tests.semantic.oracle import COUNTS, EDGES, MEASURES, answer
from tests.semantic.oracle import _cell as cell
from tests.semantic.oracle import _holds as holds
from tests.semantic.oracle import _paths as paths_in
from tests.semantic.oracle import _reached as reached
from tests.semantic.shop import SHOP, Data, fill, rows_of
from tests.semantic.test_oracle import CONNECTION, DIMENSIONS, HEALTH, _same, in_order, shops, trees

BASES = ("customers", "orders", "items", "tickets", "returns")


def above(view: str) -> list[str]:
    """The views of which a row has at most one, its own first."""
    return [view, *chain.from_iterable(above(up) for (down, up) in EDGES if down == view)]


@st.composite
def listings(draw: st.DrawFn) -> tuple[str, Spec]:
    base = draw(st.sampled_from(BASES))
    own = st.sampled_from([m for m in DIMENSIONS if m.split(".")[0] == base])
    others = st.sampled_from([m for m in DIMENSIONS if m.split(".")[0] in above(base)])
    members = dict.fromkeys([draw(own), *draw(st.lists(others, max_size=2))])
    where = tuple(draw(st.lists(trees, max_size=2)))
    return base, Spec(by=tuple(By(m) for m in members), where=where, listing=True)


def listed(data: Data, base: str, spec: Spec) -> list[tuple[object, ...]]:
    """One row for each row of the base that some combination of what it reaches lets through."""
    needed = {b.member.split(".")[0] for b in spec.by} | {p.split(".")[0] for c in spec.where for p in paths_in(c)}
    found = []
    for row in data[base]:
        kept = [
            tuple(cell(joined, b.member) for b in spec.by)
            for joined in reached(data, {base: row}, base, needed)
            if all(holds(c, partial(cell, joined)) for c in spec.where)
        ]
        found += kept[:1]
    return found


def _settings(examples: int) -> settings:
    return settings(
        max_examples=examples, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=HEALTH
    )


def check_listing(data: Data, asked: tuple[str, Spec]) -> None:
    base, spec = asked
    result = compile_spec(SHOP, spec)
    if isinstance(result, tuple):  # a condition that is an OR over two branches below
        assert [d.kind for d in result] == ["mixed_levels"]
        return
    fill(CONNECTION, data)
    width = len(spec.by)
    ours = in_order(rows_of(CONNECTION, result.sql, result.params), width)
    assert ours == in_order(listed(data, base, spec), width)


@pytest.mark.slow
@_settings(40)
@given(shops, listings())
def test_listings(data: Data, asked: tuple[str, Spec]) -> None:
    check_listing(data, asked)


@pytest.mark.slow
@_settings(1_000)
@given(shops, listings())
def test_listings_at_length(data: Data, asked: tuple[str, Spec]) -> None:
    check_listing(data, asked)


@st.composite
def repeated(draw: st.DrawFn) -> Spec:
    members = draw(st.lists(st.sampled_from(sorted(DIMENSIONS)), min_size=1, max_size=2, unique=True))
    measures = draw(st.lists(st.sampled_from(sorted(MEASURES)), min_size=1, max_size=2, unique=True))
    where: list[Condition] = draw(st.lists(trees, max_size=1))
    return Spec(tuple(measures), tuple(By(m) for m in members), tuple(where), grain="broadcast")


def check_repeated(data: Data, spec: Spec) -> None:
    result = compile_spec(SHOP, spec)
    assert not isinstance(result, tuple), result
    fill(CONNECTION, data)
    width = len(spec.by)
    ours = rows_of(CONNECTION, result.sql, result.params)
    assert len({row[:width] for row in ours}) == len(ours)
    for place, measure in enumerate(spec.measures, width):
        view = MEASURES[measure][0]
        dividing = [i for i, b in enumerate(spec.by) if b.member.split(".")[0] in above(view)]
        by = tuple(spec.by[i] for i in dividing)
        values = {row[:-1]: row[-1] for row in answer(data, Spec((measure,), by, spec.where))}
        for row in ours:
            value = values.get(tuple(row[i] for i in dividing), 0 if measure in COUNTS else None)
            assert _same((row[place],), (value,)), (measure, row, value)


@pytest.mark.slow
@_settings(40)
@given(shops, repeated())
def test_repeated_totals(data: Data, spec: Spec) -> None:
    check_repeated(data, spec)


@pytest.mark.slow
@_settings(1_000)
@given(shops, repeated())
def test_repeated_totals_at_length(data: Data, spec: Spec) -> None:
    check_repeated(data, spec)
