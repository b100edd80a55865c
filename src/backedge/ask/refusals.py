"""What sort of reason ends a question: a table from the kinds of defects."""

from __future__ import annotations

from collections.abc import Sequence

from backedge.ask.intent import RefusalKind
from backedge.ask.rules import RULES
from backedge.kernel.defect import Defect

BEYOND_THE_MODEL = frozenset({"not_supported", "bad_expression"})
UNSAFE = frozenset({"needs_primary_key", "key_not_unique", "no_join", "ambiguous_join"})
UNSAFE |= {"mixed_levels", "mixed_datasource", "not_parts"}
KINDS: dict[str, RefusalKind] = {
    **dict.fromkeys(BEYOND_THE_MODEL | {"no_sql"}, "beyond_the_model"),
    **dict.fromkeys(UNSAFE, "not_proven"),
    **dict.fromkeys(RULES, "bad_result"),
    "empty": "empty",
    "non_empty": "empty",
}


def refusal_kind(because: Sequence[Defect]) -> RefusalKind:
    """What sort of reason ended the run: the first of its defects that has one of its own."""
    kinds = [defect.kind for defect in because]
    if "not_permitted" in kinds:
        return "not_permitted"
    found = (KINDS.get(kind, "rejected" if kind.startswith("sql_") else None) for kind in kinds)
    return next((kind for kind in found if kind), "given_up")
