"""Whether a top or bottom N cuts through rows that tie: then the last of them has no better right than the next."""

from __future__ import annotations

import math
from dataclasses import replace

from backedge.ask.probe import Probe
from backedge.query.table import Cell, Table
from backedge.semantic.spec import OutputColumn, Spec


def after_the_cut(spec: Spec, table: Table) -> Probe | None:
    """What asks for the row behind a limit (of each group) that cut a ranking; None where nothing was cut."""
    ranked = bool(spec.order) and spec.order[0].by in spec.measures
    if spec.limit is None or not ranked or len(table.rows) < spec.limit:
        return None  # not even one group has as many rows
    return Probe("tie", 0, spec.order[0].by, replace(spec, limit=1, offset=(spec.offset or 0) + spec.limit))


def ties(spec: Spec, columns: tuple[OutputColumn, ...], table: Table, following: Table) -> bool:
    """Whether a row behind the cut has the same value as the last row before it."""
    place = next(i for i, column in enumerate(columns) if column.member == spec.order[0].by)
    per = [i for i, c in enumerate(columns) if (f"{c.member}.{c.grain}" if c.grain else c.member) in spec.per]
    last = {tuple(row[i] for i in per): row for row in table.rows}  # of each group, its last row stays
    behind = [(last.get(tuple(row[i] for i in per)), row) for row in following.rows]
    return any(before is not None and _same(before[place], row[place]) for before, row in behind)


def _same(one: Cell, other: Cell) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9)  # sums of doubles differ in their last digits between runs
    return one == other
