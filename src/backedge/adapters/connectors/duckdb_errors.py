"""What DuckDB says about a statement, as the short rejection that the next attempt can act on."""

from __future__ import annotations

import re

from backedge.query.ports import Rejected

_KINDS = {
    "Parser Error": "parse",
    "Syntax Error": "parse",
    "Conversion Error": "type",
    "Mismatch Type Error": "type",
    "Out of Range Error": "type",
    "Invalid type Error": "type",
    "Permission Error": "not_read_only",
}

# The engine itself broke, whatever the statement: the worker is replaced and the query may be tried again.
_BROKEN = ("INTERNAL Error", "FATAL Error", "Connection Error")

_COLUMN = re.compile(r"Referenced column|does not have a column|column .* not found|Referenced table", re.IGNORECASE)
_QUOTED = re.compile(r'"([^"]+)"')


def is_broken(message: str) -> bool:
    """Whether the engine is at fault and not the statement."""
    return message.startswith(_BROKEN)


def rejection(message: str) -> Rejected:
    """The rejection for the message of a DuckDB exception."""
    short, near = _first_sentence(message), _near(message)
    name = message.partition(":")[0]
    if name == "Out of Memory Error":
        return Rejected("memory", f"the query needs more memory than it may have; narrow it with a filter ({short})")
    if name in ("Binder Error", "Catalog Error"):
        return Rejected(_name_kind(message), short, near)
    return Rejected(_KINDS.get(name, "sql"), short, near)


def _name_kind(message: str) -> str:
    if "Function with name" in message or "No function matches" in message:
        return "function" if "Function with name" in message else "type"
    if "Table with name" in message:
        return "unknown_table"
    return "unknown_column" if _COLUMN.search(message) else "sql"


def _first_sentence(message: str) -> str:
    line = message.split("\n", 1)[0]
    return line.partition(" Error: ")[2] or line


def _near(message: str) -> tuple[str, ...]:
    for marker in ("Candidate bindings:", "Did you mean"):
        _, found, rest = message.partition(marker)
        if found:
            return tuple(_QUOTED.findall(rest.split("\n", 1)[0]))
    return ()
