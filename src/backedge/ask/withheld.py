"""What a database says of its data, without the values that a row policy may hide from the asker."""

from __future__ import annotations

import re
from dataclasses import replace

from backedge.query.ports import Ran, Rejected
from backedge.semantic.model import Model
from backedge.semantic.policies import Attributes, held

_VALUE = re.compile(r"'(?:[^']|'')*'|\S*\d\S*")
_TELLS_VALUES = frozenset({"type", "sql"})
_WITHHELD = "the database could not run it; what it said is withheld, because a row policy may hide the values in it"


def without_hidden_values(result: Ran | Rejected, model: Model, attributes: Attributes) -> Ran | Rejected:
    """The result as somebody with those attributes may read it: errors and notes of loading quote values."""
    if not held(model, attributes):
        return result
    if isinstance(result, Rejected):
        return Rejected(result.kind, _WITHHELD) if result.kind in _TELLS_VALUES else result
    return replace(result, notes=tuple(map(without_values, result.notes)))


def without_values(text: str) -> str:
    """A sentence of a database without what may be a value in it."""
    return _VALUE.sub("…", text)
