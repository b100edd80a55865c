"""A query's result as the numbers gate sees it: whether it is whole and adds up, and the question's own wording."""

from __future__ import annotations

from backedge.ask.heading import heading
from backedge.ask.intent import Intent
from backedge.ask.numbers.sheet import Sheet
from backedge.ask.probe import filters_of
from backedge.ask.shape import shape_of
from backedge.ask.states import Query
from backedge.query.table import Table

_OVERLAPS = ("may overlap", "must not be added up", "over other rows")


def sheet_of(question: str, intent: Intent, query: Query, table: Table, remarks: tuple[str, ...] = ()) -> Sheet:
    """The sheet of a query's result. Of SQL that no spec stands behind it is not known whether all rows are there."""
    shape = shape_of(query.columns, table)
    head = heading(intent, shape, query.filters)
    phrases = tuple(filter(None, (*head.conditions, head.defaults, head.limit, *query.filters, *remarks)))
    return Sheet(
        shape,
        table,
        {column.name: column.type for column in query.columns if column.kind == "measure"},
        question=question,
        phrases=phrases,
        said=" ".join((*intent.assumptions, *query.notes)),
        whole=table.truncated is None and _all_rows(query),
        apart=not overlaps(query),
        direction=head.direction if head.limit else "",
    )


def overlaps(query: Query) -> bool:
    """Whether the compile says that groups share rows, so that adding them up would count some twice."""
    return any(text in note for note in query.notes for text in _OVERLAPS)


def _all_rows(query: Query) -> bool:
    spec = query.spec
    if spec is None or spec.limit is not None or spec.offset or spec.listing:
        return False
    return not any(f.member in spec.measures for condition in spec.where for f in filters_of(condition))
