"""Finds what a prose quotes and nobody said: quoted strings that stand in none of the spans that it may quote."""

from __future__ import annotations

import re
from collections.abc import Sequence

from backedge.evidence.quoted import quoted_strings
from backedge.evidence.spans import stands

_MARKS = (
    (re.compile(r"``(?P<words>[^`\n]*?)(?:''|``)"), r'"\g<words>"'),
    (re.compile(r"`(?P<words>[^`\n]+)`"), r'"\g<words>"'),
    (re.compile(r"<q\b[^>]*>(?P<words>.*?)</q>", re.IGNORECASE | re.DOTALL), r'"\g<words>"'),
    (re.compile("\uff02"), '"'),
    (re.compile("\u201f"), "\u201c"),
    (re.compile("(?<!\\d)\u2033(?P<words>[^\u2033\n]+)\u2033"), r'"\g<words>"'),
)


def quoted_elsewhere(prose: str, spans: Sequence[str]) -> tuple[str, ...]:
    """The quoted strings of a prose that stand in none of these texts, by the one matcher, in their order."""
    return tuple(
        quoted.text
        for quoted in quoted_strings(_marked(prose))
        if not _term(quoted.text) and not any(stands(quoted.text, span) for span in spans)
    )


def _term(text: str) -> bool:
    """Whether a quoted string is one word without a digit: a term that the prose names, and no quotation."""
    return len(text.split()) == 1 and not any(sign.isdigit() for sign in text)


def _marked(prose: str) -> str:
    """The prose with every pair of marks that a reader takes for quotation marks written as one that is known."""
    for found, known in _MARKS:
        prose = found.sub(known, prose)
    return prose
