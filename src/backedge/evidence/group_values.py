"""Which group a number is told of ("12 in the drug group and 30 in controls"), and whether two stand exchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

from backedge.evidence.polarity import content, plain
from backedge.evidence.sentences import sentences

_VALUE = r"(?<![\w.,])[-−]?\d+(?:[.,·]\d+)?(?![\w,.]*\d)"
_NUMBER = re.compile(_VALUE)
# What may stand between a number and its group: a unit, a spread in brackets, what is counted.
_TAIL = (
    r"(?:\s?%|\s?±\s?[\d.,]+)?(?:\s?\([^()]{0,60}\))?"
    r"(?:\s(?!and\b|or\b|vs\b|versus\b|in\b|for\b|with\b|among\b)[^\s,;:.()]+){0,3}"
)
_NAME = r"(?P<name>(?:[^\s,;:.()]+\s?){1,6})"
_BEHIND = re.compile(rf"{_TAIL}\s(?:in|for|with|among|on|under|after|receiving|given)\s{_NAME}")
_ENDS = re.compile(r"\b(?:and|but|or|vs|versus|than|while|whereas|compared|against|to|was|were|is|are|had)\b|\d")
_BEFORE = re.compile(
    r"(?P<name>(?:[^\s,;:.()]+\s){1,6})(?:was|were|had|of|at|[=:])\s\Z|(?P<bare>(?:[^\s,;:.()]+\s){1,4})\(\Z"
)
_RESPECTIVELY = re.compile(r"(?P<groups>.+?)\b(?:was|were|had|of|at)\s(?P<values>[^;:]*?),?\srespectively")
_OTHER_ORDER = re.compile(rf"(?P<values>{_VALUE}[^;:]*?)\s(?:in|for|with|among)\s(?P<groups>[^;:]*?),?\srespectively")
_AND = re.compile(r",?\s(?:and|vs\.?|versus)\s|,\s")
_SAID = frozenset(content("mean median value score rate values were was the mortality"))


def exchanged(statement: str, text: str) -> tuple[str, str] | None:
    """Two numbers of a statement whose groups have each other's number in the text; None where no two are so."""
    mine, theirs = list(_told(statement)), list(_told(text))
    for (one, ones), (other, others) in combinations(mine, 2):
        first, second = ones - others, others - ones
        if one == other or not first or not second:
            continue
        if _crossed(one, first, other, second, theirs) and not _crossed(other, first, one, second, theirs):
            return str(one), str(other)
    return None


def _crossed(
    one: Decimal,
    first: frozenset[str],
    other: Decimal,
    second: frozenset[str],
    told: list[tuple[Decimal, frozenset[str]]],
) -> bool:
    """Whether the text tells the first number of the second group and the second of the first."""
    return any(value == one and words & second and not words & first for value, words in told) and any(
        value == other and words & first and not words & second for value, words in told
    )


def _told(text: str) -> Iterator[tuple[Decimal, frozenset[str]]]:
    """The numbers of a text with the words of the group that each is told of."""
    for start, end in sentences(text):
        sentence = plain(text[start:end])
        listed = list(_listed(sentence))
        yield from listed or _single(sentence)


def _listed(sentence: str) -> Iterator[tuple[Decimal, frozenset[str]]]:
    """The pairs of "A and B were 12 and 30, respectively"."""
    for pattern in (_OTHER_ORDER, _RESPECTIVELY) if "respectively" in sentence else ():
        found = pattern.search(sentence)
        if found is None:
            continue
        values = [match.group() for match in _NUMBER.finditer(found["values"])]
        groups = [part for part in _AND.split(found["groups"]) if part.strip()][-len(values) :]
        if len(values) > 1 and len(values) == len(groups):
            yield from ((_value(value), content(group)) for value, group in zip(values, groups, strict=True))
            return


def _single(sentence: str) -> Iterator[tuple[Decimal, frozenset[str]]]:
    for match in _NUMBER.finditer(sentence):
        behind = _BEHIND.match(sentence, match.end())
        before = _BEFORE.search(sentence[max(0, match.start() - 80) : match.start()])
        name = _ENDS.split(behind["name"])[0] if behind else ""
        if not name.strip() and before:
            name = _ENDS.split(before["name"] or before["bare"])[-1]
        if words := content(name) - _SAID:
            yield _value(match.group()), words


def _value(written: str) -> Decimal:
    return Decimal(written.replace("−", "-").replace("·", ".").replace(",", "."))
