"""Conditions below the thing counted: "orders excluding Novel" and "orders with Novel and Tent" say two things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backedge.ask.grounding.slots import Choice, Unread
from backedge.ask.grounding.words import in_words
from backedge.semantic.joins import Joins, only_up
from backedge.semantic.model import Model
from backedge.semantic.operators import NEGATIVE
from backedge.semantic.refusal import Refused
from backedge.semantic.spec import Condition, Filter, Spec

ANY_OF_THEM = "any of them"


def refuse_unclear(model: Model, spec: Spec, choices: Iterable[Choice]) -> None:
    """Refuse a denied value, or values joined by "and", of rows of which one counted thing has several.

    "Not Novel" may be orders without a Novel or orders with something else; "Novel and Tent" either or both. Where the
    question groups by the same thing each group is one value, and both say the same.
    """
    grouped = {by.member for by in spec.by}
    counted = {path.partition(".")[0] for path in spec.measures}
    for choice in choices:
        for given in _filters(choice.where):
            view = given.member.partition(".")[0]
            if given.member in grouped or not any(is_below(model, one, view) for one in counted):
                continue
            name, things = in_words(given.member.partition(".")[2]), in_words(sorted(counted)[0])
            said = ", ".join(str(value) for value in given.values)
            if given.op in NEGATIVE:
                raise Unread(
                    f"'not {said}' may mean {things} without any {name} {said}, or {things} that have another {name}; "
                    f"ask for each {name} by 'by {name}', or for {said} alone"
                )
            if choice.note.endswith(ANY_OF_THEM) and len(given.values) > 1:
                raise Unread(f"{said} may mean {things} with any of them, or with all; say 'or' for any of them")


def is_below(model: Model, counted: str, view: str) -> bool:
    """Whether one row of `counted` may have several of `view`."""
    if counted == view:
        return False
    try:
        return not only_up(Joins(model).path(counted, view))
    except Refused:
        return False


def _filters(conditions: Iterable[Condition]) -> Iterator[Filter]:
    for condition in conditions:
        if isinstance(condition, Filter):
            yield condition
        else:
            yield from _filters(condition.of)
