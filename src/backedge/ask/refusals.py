"""What sort of reason ends a question: a table from the kinds of defects."""

from __future__ import annotations

from collections.abc import Sequence

from backedge.ask.intent import RefusalKind
from backedge.kernel.defect import Defect

BEYOND_THE_MODEL = frozenset({"not_supported", "bad_expression"})
UNSAFE = frozenset({"needs_primary_key", "key_not_unique", "no_join", "ambiguous_join"})
UNSAFE |= {"mixed_levels", "mixed_datasource", "not_parts"}
FORBIDDEN = frozenset({"sql_not_read_only", "sql_not_one_statement", "sql_function", "not_permitted"})
KINDS: dict[str, RefusalKind] = {
    **dict.fromkeys(BEYOND_THE_MODEL | {"no_sql"}, "beyond_the_model"),
    **dict.fromkeys(UNSAFE, "not_proven"),
    **dict.fromkeys(("malformed", "duplicate_groups", "duplicate_rows", "null_ratio"), "bad_result"),
    **dict.fromkeys(("empty", "all_null"), "empty"),
    "automation_failed": "rejected",
}


def refusal_kind(because: Sequence[Defect]) -> RefusalKind:
    """What sort of reason ended the run: that nobody may see it, else the first that its defects say."""
    kinds = [defect.kind for defect in because]
    if FORBIDDEN.intersection(kinds):
        return "not_permitted"
    found = (KINDS.get(kind, "rejected" if kind.startswith("sql_") else None) for kind in kinds)
    return next((kind for kind in found if kind), "given_up")
