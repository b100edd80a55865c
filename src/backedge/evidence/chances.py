"""Finds a chance of success in a prose, in any wording, and leaves the statistics that a source reports."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

NEAR = 8  # words between what is said of chance and what is said of success
BESIDE = 2
_HIDDEN = "\N{MIDDLE DOT}"  # stands for the letters of a term of statistics, so that its words are not read
_SENTENCE = re.compile(r"[^.!?;\n]+")
_DECIMAL = re.compile(r"(?<=\d)[.,](?=\d)")
_PAST = re.compile(
    r"\b(?:was|were|had|did|reported|observed|found|showed|succeeded|failed|survived|published|in records?"
    r"|from records?|records? r?\d+|r\d+)\b"
)
# What no source reports of itself: the chance of success, or that success is likely, as such.
_PLAIN = re.compile(
    r"\b(?:probabilit(?:y|ies)|chances?|odds|likelihood) (?:of success|that it succeeds)\b"
    r"|\bchance of success\b|\bsuccess is (?:\w+ )?(?:\d+(?:_\d+)? ?% )?(?:likely|certain|assured)\b"
)
_AHEAD = re.compile(r"\b(?:will|would|should|shall|expect\w*|anticipat\w*|predict\w*|going to|can|may|might|could)\b")
_UNSAID = re.compile(
    r"\b(?:no|not|nor|any|neither) (?:\w+ ){0,5}(?:is|are|was|be|been) (?:\w+ )?"
    r"(?:stated|given|estimated|claimed|assigned|attached|implied|made|quantified)\b"
    r"|\b(?:not|never|nor|without) (?:\w+ )?(?:stat|estimat|claim|giv|assign|imply|quantify)\w* (?:\w+ ){0,4}"
    r"(?:probabilit|chance|odds|likelihood)\w*"
)
_UNKNOWN = re.compile(r"\b(?:unknown|not known|unclear|not clear|open|cannot be (?:said|told|known))\b")
_MODEL = re.compile(r"\b(?:binomial|bernoulli|beta)\b")
_ADVERB = r"(?: (?:\w+ly|very|well|also|then|most|indeed|be|prove|have|almost|all but|not|in all|still|thus|not only))*"
_NOUN = r"(?:probabilit(?:y|ies)|chances?|odds|likelihood|prospects?|confidence)"
_RISK = re.compile(r"\brisks?\b")
_FAILS = re.compile(r"\bfail\w*")
_COUNTED = re.compile(r"\bsuccess\W{0,3}(?:\w+\W{1,2}){0,2}?\d+(?:_\d+)? ?%|\d+(?:_\d+)? ?% (?:\w+ )?success\b")
_LIKELY_SELF = re.compile(r"\b(?:un)?likel(?:y|ier|iest) (?:approach|plan|option|candidate)\b")


@dataclass(frozen=True)
class Chance:
    """Words that state a chance of success: their stretch in the text, and themselves."""

    start: int
    end: int
    words: str


def chances_in(text: str) -> tuple[Chance, ...]:
    """The chances of success that a text states, at most one of each sentence, in order.

    A chance is what is said of how likely an approach is to succeed, work, fail or answer: a number, odds, a level, an
    adverb, or a plain promise ("should succeed"). A statistic that a source reports (p-value, power, odds ratio, the
    success rate of a surgery that was observed) is none, unless its sentence speaks of the approach itself.
    """
    plain, places = _plain(text)
    found = []
    for sentence in _SENTENCE.finditer(_DECIMAL.sub("_", plain)):
        stretch = _stretch(sentence.group())
        if stretch is not None:
            start, end = places[sentence.start() + stretch[0]], places[sentence.start() + stretch[1] - 1] + 1
            found.append(Chance(start, end, text[start:end]))
    return tuple(found)


def _plain(text: str) -> tuple[str, list[int]]:
    """The text in small letters with plain digits, hyphens as spaces and no invisible signs; and where each came from.

    Each run of white space within a line is one space.
    """
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        kind = unicodedata.category(letter)
        if kind == "Cf":
            continue
        folded = unicodedata.normalize("NFKC", letter).casefold()
        if kind == "Pd" or (kind.startswith("Z") and letter not in "\u2028\u2029") or letter in "\t*_`":
            folded = " "
        if letter == "\N{ARABIC PERCENT SIGN}":
            folded = "%"
        if letter in "\u2019\u02bc":
            folded = "'"
        for each in folded:
            if each != " " or (letters and letters[-1] not in " \n"):
                letters.append(each)
                places.append(place)
    return "".join(letters), places


def _stretch(sentence: str) -> tuple[int, int] | None:
    """Where a sentence states a chance, or None."""
    if _UNSAID.search(sentence):
        head, but, tail = sentence.partition(" but ")  # "no guarantee is given, but …"
        sentence = _HIDDEN * len(head + but) + tail
    if _MODEL.search(sentence) and not _of("approach").search(sentence):
        return None
    read = _of("statistic").sub(lambda match: _HIDDEN * len(match.group()), sentence)
    if _UNKNOWN.search(read) and not _of("level").search(read) and not _of("number").search(read):
        return None
    own = _of("approach").search(read) is not None
    reported = not own and _PAST.search(read) is not None and _AHEAD.search(read) is None
    if reported and not _PLAIN.search(read):
        return None
    return next((stretch for stretch in _found(read, own) if stretch is not None), None)


def _found(read: str, own: bool) -> Iterator[tuple[int, int] | None]:
    """What each rule finds in a sentence that reports nothing."""
    yield _span(_of("idiom").search(read))
    yield _span(_promised("success").search(read))
    yield _near(read, "chance", "success", NEAR)
    yield _near(read, "expected", "success", NEAR)
    yield _span(_COUNTED.search(read))
    if own or _of("source").search(read):
        yield _near(read, "chance", "result", NEAR)
        yield _near(read, "number", "success", NEAR)
        yield _span(_levelled().search(read))
    if own:
        yield _near(read, "expected", "result", NEAR)
        yield _near(read, "chance", "outcome", NEAR)
        yield _near(read, "expected", "outcome", NEAR)
        yield _span(_promised("outcome").search(read))
        yield _span(_LIKELY_SELF.search(read))
        yield _near(read, "number", "chance", BESIDE)
        yield _span(_staked().search(read))
    yield _risked(read)


def _near(read: str, one: str, other: str, most: int) -> tuple[int, int] | None:
    """The first two words of these classes with at most so many words between them, in either order."""
    seconds = [match.span() for match in _of(other).finditer(read)]
    for first in (match.span() for match in _of(one).finditer(read)):
        for second in seconds:
            before, behind = sorted((first, second))
            if before[1] <= behind[0] and len(read[before[1] : behind[0]].split()) <= most:
                return before[0], behind[1]
    return None


def _risked(read: str) -> tuple[int, int] | None:
    """A risk of failure with its size is a chance of success the other way round; a risk that is only named is none."""
    risk = _RISK.search(read)
    if risk is None or not _FAILS.search(read) or not (_of("level").search(read) or _of("number").search(read)):
        return None
    return risk.span()


def _span(match: re.Match[str] | None) -> tuple[int, int] | None:
    return match.span() if match else None


@cache
def _promised(what: str) -> re.Pattern[str]:
    """A plain promise: "should succeed"."""
    return re.compile(rf"{_of('modal').pattern}{_ADVERB} {_of(what).pattern}")


@cache
def _staked() -> re.Pattern[str]:
    """A number given to an approach: "we put it at 70 %"."""
    return re.compile(
        rf"\b(?:give|put|rate|rank|score|place)s? (?:\w+ ){{0,3}}?(?:it|this|that|approach|plan|option|a|b|c) "
        rf"(?:at |a |as |about |around |roughly ){{0,2}}{_of('number').pattern}"
    )


@cache
def _levelled() -> re.Pattern[str]:
    """A level beside a noun of chance of which nothing more is said: "stands an excellent chance"."""
    level = _of("level").pattern
    return re.compile(
        rf"{level} (?:\w+ )?\b{_NOUN}\b(?! (?:of|that|for|to))"
        rf"|\b{_NOUN} (?:of (?:the|this|our|that|its) (?:\w+ )?\w+ )?(?:is|are|looks?|seems?|remains?) (?:\w+ )?{level}"
    )


@cache
def _of(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'{_HIDDEN}])(?:{'|'.join(_table()[name])})(?!\w)")


@cache
def _table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    text = (files("backedge.evidence") / "lexicon" / "chances.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, pattern = line.split("\t")
            table.setdefault(name, []).append(pattern)
    return table
