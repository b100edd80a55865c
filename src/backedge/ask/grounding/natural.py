"""Which dates may be meant where none is named: customers have a day of signing up, and the days of their orders."""

from __future__ import annotations

from collections.abc import Mapping

from backedge.ask.grounding.once import once
from backedge.ask.grounding.words import phrase
from backedge.semantic.model import Model, View

_SAYS_DATE = frozenset({"date", "day", "time", "at", "on", "timestamp", "datetime", "when", "week", "month", "year"})


@once
def rivals(model: Model) -> Mapping[str, frozenset[str]]:
    """For each view whose own date says another thing than its rows, the dated views that point to its rows.

    An order has its order date; a customer has the date of signing up, and the dates of all orders.
    """
    pointing: dict[str, list[View]] = {}
    for view in model.views:
        if _dates(view):
            for name in {entity.name for entity in view.entities if entity.type == "foreign"}:
                pointing.setdefault(name, []).append(view)
    return {view.name: frozenset(_pointing(pointing, view)) for view in model.views if _one_of_many(view)}


def _one_of_many(view: View) -> bool:
    """Whether the one date of a view is not called after its rows, nor just a date, nor the day an event was made."""
    dates = _dates(view)
    nouns = {word for name in (view.name, view.primary.name if view.primary else "") for word in phrase(name)}
    event = {"created", "creation"} if any(e.type == "foreign" for e in view.entities) else set()
    return len(dates) == 1 and not any(nouns.union(_SAYS_DATE, event).issuperset(phrase(n)) for n in dates[0])


def _dates(view: View) -> list[tuple[str, ...]]:
    return [(d.name, *d.synonyms) for d in view.dimensions if d.type in ("date", "datetime") and not d.unsupported]


def _pointing(pointing: Mapping[str, list[View]], view: View) -> list[str]:
    return [other.name for other in pointing.get(view.primary.name if view.primary else "", ()) if other is not view]
