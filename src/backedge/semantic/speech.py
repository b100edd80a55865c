"""Which SQL a spec is written in, where nobody says: that of the database in which its views are."""

from __future__ import annotations

from collections.abc import Iterator

from backedge.semantic.dialects import DIALECTS
from backedge.semantic.model import Model
from backedge.semantic.spec import All, AnyOf, Condition, Spec

_USUAL = "duckdb"


def spoken(model: Model, spec: Spec) -> str:
    """The dialect of the first view that the spec names; one that has no tables here is printed as DuckDB's."""
    for path in _paths(spec):
        view = model.view(path.partition(".")[0])
        if view is not None:
            return view.dialect if view.dialect in DIALECTS else _USUAL
    return _USUAL


def _paths(spec: Spec) -> Iterator[str]:
    yield from spec.measures
    yield from (by.member for by in spec.by)
    for condition in spec.where:
        yield from _members(condition)


def _members(condition: Condition) -> Iterator[str]:
    if isinstance(condition, All | AnyOf):
        for part in condition.of:
            yield from _members(part)
    else:
        yield condition.member
