"""What a model's words about the catalog claim, and whether that stands in what the model was shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from backedge.ask.grounding.words import phrase, stem
from backedge.ask.numbers.english import ONES, TENS

_NUMBER = re.compile(r"(?<![\w.])\d[\d.,:/-]*(?<![.,:/-])(?!\w)|(?<!\w)\d\w*")
_TICKED = re.compile(r"`([^`\n]{1,200})`")
_WORD = re.compile(r"[^\W\d_]+")
_QUERY = re.compile(r"\bselect\b.*\bfrom\b", re.IGNORECASE | re.DOTALL)
_COUNTING = {*ONES, *TENS, "hundred", "thousand", "million", "billion", "dozen", "half", "twice", "double", "triple"}
_COUNTING -= {"one"}  # "one of these", "which one": it counts nothing there
_CLAIMING = _COUNTING.union(
    phrase(
        "most least highest lowest largest smallest biggest best worst greatest fewest more fewer less higher lower "
        "larger smaller increase decrease increased decreased grew grown growing rose risen rising fell fallen falling "
        "dropped declined declining majority minority"
    )
)


def claims(text: str) -> tuple[str, ...]:
    """The numbers, names in backticks and words of counting and comparing that a text has, in order."""
    return tuple(dict.fromkeys(_claims(text)))


def _claims(text: str) -> Iterator[str]:
    yield from (f"`{match[1].strip()}`" for match in _TICKED.finditer(text))
    plain = _TICKED.sub(" ", text)
    yield from (match[0] for match in _NUMBER.finditer(plain))
    yield from (word for word in _WORD.findall(plain.casefold()) if stem(word) in _CLAIMING)


def vouched(text: str, shown: str) -> tuple[str, ...]:
    """Those claims of a text that stand in what was shown, each as a whole word."""
    return tuple(claim for claim in claims(text) if _stands(claim, shown))


def _stands(claim: str, shown: str) -> bool:
    before = r"(?<!\w)" if claim.startswith("`") else r"(?<![\w.,])"
    return re.search(rf"{before}{re.escape(claim.strip('`'))}(?!\w|[.,]\d)", shown, re.IGNORECASE) is not None


def unvouched(text: str, facts: tuple[str, ...]) -> tuple[str, ...]:
    """The claims of a text that nothing shown bears out."""
    return tuple(claim for claim in claims(text) if claim not in facts)


def names_something(facts: tuple[str, ...]) -> bool:
    """Whether any of the facts is a name of the catalog."""
    return any(fact.startswith("`") for fact in facts)


def holds_sql(text: str) -> bool:
    """Whether a text has a query in it."""
    return _QUERY.search(text) is not None
