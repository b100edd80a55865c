"""Finds what a prose quotes and nobody said: quoted strings that stand in none of the spans that it may quote."""

from __future__ import annotations

from collections.abc import Sequence

from backedge.evidence.quoted import quoted_strings
from backedge.evidence.spans import stands

SHORTEST_WORDS = 3  # a quoted word or two is a term, not a quotation


def quoted_elsewhere(prose: str, spans: Sequence[str]) -> tuple[str, ...]:
    """The quoted strings of a prose that stand in none of these texts, by the one matcher, in their order."""
    return tuple(
        quoted.text
        for quoted in quoted_strings(prose)
        if len(quoted.text.split()) >= SHORTEST_WORDS and not any(stands(quoted.text, span) for span in spans)
    )
