"""What is said of questions that reach below a grain: a refusal, a note that totals repeat, no listing of such rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from backedge.semantic.joins import Step, described
from backedge.semantic.model import View
from backedge.semantic.refusal import Refused, refused


def below_grain(view: View, below: Iterable[str]) -> Refused:
    """The refusal of a grouping below the grain, where the question asks for that."""
    names = ", ".join(below)
    return refused(
        "below_grain",
        f"one row of {view.name} has many of {names}, so its totals cannot be divided by {names}",
        where=names,
        hint="leave the grouping out, or ask with grain: associate (groups overlap) or broadcast (totals repeat)",
    )


def repeated(view: View, below: Iterable[str]) -> str:
    """The note that a broadcast total must carry."""
    names = ", ".join(below)
    return f"totals of {view.name} are not divided by {names}: they repeat on each row and must not be added up"


def refuse_many_rows(view: View, steps: Iterable[Step], bridged: Collection[str]) -> None:
    """Refuse a listing of rows of `view` that reaches a view of which one row has many."""
    for step in steps:
        if step.child in bridged:
            raise refused(
                "mixed_levels",
                f"a listing has one row for each of {view.name}, and {described((step,))} leads to many rows",
                where=step.child,
                hint=f"list the rows of {step.child}, or group by its fields",
            )
