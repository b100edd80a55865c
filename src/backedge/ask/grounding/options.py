"""Which option of an open question an answer means."""

from __future__ import annotations

from backedge.ask.grounding.words import fold, phrase
from backedge.ask.intent import Ambiguous, Option


def match_option(ambiguous: Ambiguous, text: str) -> Option | None:
    """The option that an answer means: by its value, its label (or the name that opens it), or its number from 1."""
    asked = fold(text.strip())
    for option in ambiguous.options:
        if asked in (fold(option.value), fold(option.label)):
            return option
    if asked.isascii() and asked.isdigit():
        number = int(asked) if len(asked) < 4 else 0
        return ambiguous.options[number - 1] if 1 <= number <= len(ambiguous.options) else None
    named = [
        o
        for o in ambiguous.options
        if phrase(text) in (phrase(o.label.partition(",")[0]), phrase(o.value.partition(".")[2]))
    ]
    return named[0] if len(named) == 1 else None
