"""Which option of an open question an answer means."""

from __future__ import annotations

from backedge.ask.grounding.words import fold, phrase
from backedge.ask.intent import Ambiguous, Option


def match_option(ambiguous: Ambiguous, text: str) -> Option | None:
    """The option that an answer means: by its value, its label (or the name that opens it), or its number from 1."""
    said, asked = text.strip(), fold(text.strip())
    values, labels = [o.value for o in ambiguous.options], [o.label for o in ambiguous.options]
    # A value goes before the label of another option, and what is written the same before what only folds to it.
    for names, wanted in ((values, said), (labels, said), (map(fold, values), asked), (map(fold, labels), asked)):
        found = [option for option, name in zip(ambiguous.options, names, strict=True) if name == wanted]
        if len(found) == 1:
            return found[0]
    if asked.isascii() and asked.isdigit():
        number = int(asked) if len(asked) < 4 else 0
        return ambiguous.options[number - 1] if 1 <= number <= len(ambiguous.options) else None
    named = [
        o
        for o in ambiguous.options
        if phrase(text) in (phrase(o.label.partition(",")[0]), phrase(o.value.partition(".")[2]))
    ]
    return named[0] if len(named) == 1 else None
