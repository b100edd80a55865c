"""Whether two names mean one table: schemas that a dialect adds by itself, letter case, and the endings of files."""

from __future__ import annotations

from typing import Literal

from sqlglot import exp

from backedge.semantic.tables import is_file

_DEFAULT_SCHEMAS = frozenset({"main", "public", "dbo"})
Likeness = Literal["same", "other", "unclear"]


def likeness(one: exp.Table, other: exp.Table) -> Likeness:
    """Whether both names mean one table; `unclear` where one of them leaves out a schema that the other names."""
    (above, stem, ending), (above_other, stem_other, ending_other) = _parts(one), _parts(other)
    if stem != stem_other or (ending and ending_other and ending != ending_other):
        return "other"
    if above == above_other:
        return "same"
    shorter, longer = sorted((above, above_other), key=len)
    return "unclear" if longer[len(longer) - len(shorter) :] == shorter else "other"


def _parts(table: exp.Table) -> tuple[list[str], str, str]:
    """The schemas above a table, its name without the ending of a file, and that ending."""
    parts = [part.name.casefold() for part in table.parts]
    if len(parts) > 1 and is_file(".".join(parts)):  # `orders.csv` without quotes
        parts = [".".join(parts)]
    name = parts.pop().rsplit("/", 1)[-1]
    stem, _, ending = name.rpartition(".") if is_file(name) else (name, "", "")
    if len(parts) == 1 and parts[0] in _DEFAULT_SCHEMAS:
        parts = []
    return parts, stem, ending
