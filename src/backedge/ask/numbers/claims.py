"""What no row can prove: a cause that nobody asked for, and any word that is neither known here nor proven."""

from __future__ import annotations

import re

from backedge.ask.numbers.english import BEHIND_A_NUMBER, NEUTRAL
from backedge.ask.numbers.reader import Reader
from backedge.ask.numbers.sheet import stem

_CAUSE = re.compile(
    r"\b(?:because|due to|owing to|thanks to|led to|leads to|leading to"
    r"|drove|drives|driven by|driving|caused?|causes|causing"
    r"|as a result|results? (?:of|from|in)|resulted|reasons?|explain(?:s|ed)?|attribut\w+"
    r"|stems? from|on account of|boosted by"
    r"|fuel?led by|spurred|triggered|consequently|therefore|thus|hence|reflect(?:s|ed|ing)?|thereby)\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"\b(?:why|causes?|caused|reasons?|explain|drivers?|drives?|because)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_CLAIMLESS = NEUTRAL | BEHIND_A_NUMBER
_CODES = frozenset({"eur", "usd", "gbp", "chf", "s"})


def judge_causes(reader: Reader) -> None:
    """Refuse a claim of cause, unless the question asks for one."""
    asked = bool(_WHY.search(reader.sheet.question))
    for match in _CAUSE.finditer(reader.line.text):
        if not asked:
            message = "claims a cause that nobody asked for"
            raise reader.refuse("cause_claimed", match.start(), message, "say what happened, not why", match.end())
        reader.take(match.start(), match.end())


def judge_words(reader: Reader) -> None:
    """Refuse a word that may claim something: it is not the question's or the result's own, not neutral, not proven."""
    for match in _WORD.finditer(reader.line.text):
        known = match[0].lower() in _CLAIMLESS | _CODES or stem(match[0]) in reader.sheet.known
        if not known and reader.open(match.start(), match.end()):
            hint = "use the words of the question and the result, or leave it out"
            raise reader.refuse(
                "word_unproven", match.start(), f"{match[0]!r} may claim what is not checked", hint, match.end()
            )
