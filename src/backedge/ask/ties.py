"""Whether a top or bottom N cuts through rows that tie: then the last of them has no better right than the next."""

from __future__ import annotations

import math
from dataclasses import replace

from backedge.ask.probe import Probe
from backedge.query.table import Cell, Table
from backedge.semantic.spec import OutputColumn, Spec


def after_the_cut(spec: Spec, table: Table) -> Probe | None:
    """What asks for the one row behind a limit that cut an order by a measure; None where nothing was cut."""
    ranked = bool(spec.order) and spec.order[0].by in spec.measures
    if spec.limit is None or not ranked or len(table.rows) < spec.limit:
        return None
    return Probe("tie", 0, spec.order[0].by, replace(spec, limit=1, offset=(spec.offset or 0) + spec.limit))


def ties(spec: Spec, columns: tuple[OutputColumn, ...], table: Table, following: Table) -> bool:
    """Whether the row behind the cut has the same value as the last row before it."""
    place = next(i for i, column in enumerate(columns) if column.member == spec.order[0].by)
    return bool(following.rows) and _same(table.rows[-1][place], following.rows[0][place])


def _same(one: Cell, other: Cell) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9)  # sums of doubles differ in their last digits between runs
    return one == other
