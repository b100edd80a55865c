"""Whatever is asked under row policies gives what counting by hand gives over a shop without the hidden rows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model, RowPolicy
from backedge.semantic.policies import Attributes
from backedge.semantic.spec import Compiled, Spec
from tests.semantic.oracle import answer
from tests.semantic.shop import SHOP, Data, Row, fill, rows_of
from tests.semantic.test_oracle import CONNECTION, HEALTH, _same, in_order, shops, specs

POLICIES: dict[str, tuple[str, str, object]] = {
    "customers": ("region = {{user.region}}", "region", ("a", "b")),
    "orders": ("{{status}} IN ({{user.status}})", "status", ("a", "50%")),
    "items": ("qty > {{user.least}}", "qty", 2),
    "returns": ("reason <> {{user.reason}}", "reason", "A_"),
    "tickets": ("minutes IS NULL OR minutes < {{user.most}}", "minutes", 5),
}
WHO: Attributes = {"region": ("a", "b"), "status": ("a", "50%"), "least": "2", "reason": "A_", "most": "5"}


def _seen(view: str, row: Row) -> bool:
    """What the policy of a view says of one row, in Python."""
    _, column, wanted = POLICIES[view]
    value = row[column]
    if view == "tickets":
        return value is None or value < wanted  # type: ignore[operator]
    if value is None:
        return False
    if view == "items":
        return value > wanted  # type: ignore[operator,no-any-return]
    return value != wanted if view == "returns" else value in wanted  # type: ignore[operator]


def policed(held: frozenset[str]) -> Model:
    """The shop, in which some views have their policy."""
    views = (replace(v, row_policies=(RowPolicy("own", POLICIES[v.name][0]),)) for v in SHOP.views if v.name in held)
    free = (v for v in SHOP.views if v.name not in held)
    by_name = {view.name: view for view in (*views, *free)}
    return replace(SHOP, views=tuple(by_name[view.name] for view in SHOP.views))


helds = st.frozensets(st.sampled_from(sorted(POLICIES)), min_size=1)


def check(data: Data, spec: Spec, held: frozenset[str]) -> None:
    found = compile_spec(policed(held), spec, attributes=WHO)
    assert isinstance(found, Compiled), found
    fill(CONNECTION, data)
    ours = in_order(rows_of(CONNECTION, found.sql, found.params), len(spec.by))
    visible = {view: [row for row in rows if view not in held or _seen(view, row)] for view, rows in data.items()}
    theirs = in_order(answer(visible, spec), len(spec.by))
    assert len(ours) == len(theirs), (ours, theirs)
    assert all(_same(a, b) for a, b in zip(ours, theirs, strict=True)), (ours, theirs)


@settings(max_examples=25, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=HEALTH)
@given(shops, specs(), helds)
def test_the_policed_answer_is_the_answer_over_the_visible_rows(data: Data, spec: Spec, held: frozenset[str]) -> None:
    check(data, spec, held)


@pytest.mark.slow
@settings(max_examples=1_000, deadline=None, phases=[Phase.generate], suppress_health_check=HEALTH)
@given(shops, specs(), helds)
def test_the_policed_answer_is_the_answer_over_the_visible_rows_at_length(
    data: Data, spec: Spec, held: frozenset[str]
) -> None:
    check(data, spec, held)
