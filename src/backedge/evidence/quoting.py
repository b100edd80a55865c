"""Finds what a prose quotes and nobody said: quoted strings that stand in none of the spans that it may quote."""

from __future__ import annotations

from collections.abc import Sequence

from backedge.evidence.quoted import quoted_strings
from backedge.evidence.spans import stands


def quoted_elsewhere(prose: str, spans: Sequence[str]) -> tuple[str, ...]:
    """The quoted strings of a prose that stand in none of these texts, by the one matcher, in their order."""
    return tuple(
        quoted.text
        for quoted in quoted_strings(prose)
        if not _term(quoted.text) and not any(stands(quoted.text, span) for span in spans)
    )


def _term(text: str) -> bool:
    """Whether a quoted string is one word without a digit: a term that the prose names, and no quotation."""
    return len(text.split()) == 1 and not any(sign.isdigit() for sign in text)
