"""Cuts text into words and folds them, so that a question, a name and a value that say the same compare equal."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Kind = Literal["word", "number", "date", "quoted", "mark"]
Phrase = tuple[str, ...]

# Alternatives are tried in order and none can backtrack over more than its own token.
_TOKEN = re.compile(
    r"""
      ["“”](?P<quoted>[^"“”]{1,200})["“”]
    | (?<!\w)['‘](?P<single>[^'‘’"]{1,200})['’](?!\w)
    | (?P<date>(?<![\w.,/-])(?:
          \d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?
        | \d{4}-(?:W\d{2}|\d{2}(?:-\d{2})?)
        | \d{1,4}[/.]\d{1,2}[/.]\d{1,4}
      )(?![\w/-]))
    | (?P<number>(?<!\w)-?[$€£]?\d+(?:,\d{3})*(?:\.\d+)?(?:k|m|mn|bn|b)?(?!\w))
    | (?P<range>(?<=\d)\ ?[-–—]\ ?(?=\d))
    | (?P<mark>>=|<=|!=|<>|==|[<>=,;&%+*/≥≤])
    | (?P<word>[^\W_]+(?:['’ʼ＇`][^\W_]+)*)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_APOSTROPHES = str.maketrans("’ʼ＇`", "''''")
_HYPHENS = tuple("-\u2010\u2011\u2012\u2013\u00ad")
_CONTRACTED = re.compile(r"'(?:s|ll|re|ve|d|m)$")
_SAME = {
    "avg": "average",
    "mean": "average",
    "max": "maximum",
    "min": "minimum",
    "percentage": "percent",
    "pct": "percent",
}


@dataclass(frozen=True)
class Word:
    """One token: `text` as written at `start`..`end`; `folded` without case and diacritics; `stem` its singular.

    `joined` says that a hyphen follows it.
    """

    text: str
    folded: str
    stem: str
    start: int
    end: int
    kind: Kind
    joined: bool = False


def fold(text: str) -> str:
    """`text` in one case, without diacritics and compatibility forms."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(c for c in plain if not unicodedata.combining(c))


def stem(folded: str) -> str:
    """The singular of a folded word, with the few abbreviations of aggregates spelled out."""
    return _SAME.get(folded) or _singular(folded)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith(("ies", "ie")):
        return word.removesuffix("s").removesuffix("ie") + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def tokenise(text: str) -> tuple[Word, ...]:
    """The words of a text in order. Punctuation that means nothing is dropped; a quoted string is one word."""
    return tuple(word for match in _TOKEN.finditer(text) for word in _words(match))


def _words(match: re.Match[str]) -> tuple[Word, ...]:
    start, end = match.span()
    quoted = match["quoted"] or match["single"]
    if quoted:
        folded = fold(quoted)
        return (Word(quoted, folded, folded, start, end, "quoted"),)
    text = match[0]
    if match["range"]:
        return (Word(text, "to", "to", start, end, "word"),)
    if match["word"]:
        return _plain(match, text, start, end)
    kind: Kind = "date" if match["date"] else "number" if match["number"] else "mark"
    folded = {";": ",", "≥": ">=", "≤": "<=", "<>": "!=", "==": "=", "&": "and"}.get(text) or fold(text)
    return (Word(text, folded, folded, start, end, kind),)


def _plain(match: re.Match[str], text: str, start: int, end: int) -> tuple[Word, ...]:
    folded = fold(text.translate(_APOSTROPHES))
    if folded.endswith("n't") or folded == "cannot":
        folded = "not"  # "isn't", "don't": the negation must never be lost
    folded = _CONTRACTED.sub("", folded).replace("'", "")  # "O'Brien" is obrien, and not whatever else begins with O'
    return (Word(text, folded, stem(folded), start, end, "word", match.string[end : end + 1] in _HYPHENS),)


@lru_cache(maxsize=65_536)
def phrase(text: str) -> tuple[str, ...]:
    """The stems of a name, a synonym, a description or a value: the key that questions are matched by."""
    return tuple(word.stem for word in tokenise(_CAMEL.sub(" ", text.replace('"', " "))))


def plain_stems(text: str) -> Phrase:
    """The stems of a text as it stands: "McDonald" is one word, where a member's name would be two."""
    return tuple(word.stem for word in tokenise(text.replace('"', " ")))


def is_camel(text: str) -> bool:
    """Whether a capital follows a small letter, where a name would be parted."""
    return _CAMEL.search(text) is not None


def in_words(name: str) -> str:
    """A member's name as a person says it: `total_sales` gives "total sales"."""
    return _CAMEL.sub(" ", name).replace("_", " ").strip()
