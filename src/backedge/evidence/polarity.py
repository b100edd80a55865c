"""What a sentence says yes or no to, and which way: cue words with their scope, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

from backedge.evidence.sentences import sentences

_WORD = re.compile(r"[^\W_]+(?:[-'/][^\W_]+)*")
# Where what is negated or compared ends.
_BOUND = re.compile(
    r"""[;:()\[\]] | \s[–—]\s | ,\s+(?=(?:and|but|or|nor|which|who|with|whereas|while|although|though|yet|suggesting)\b)
      | \b(?:but|whereas|while|although|though|however|yet|except|because|despite|unlike|nevertheless)\b
      | ,\s+(?=(?:the|there|these|this|it|we|they)\b) | \band\s+(?=(?:was|were|is|are|had|has|did|does|do|may|that)\b)
    """,
    re.VERBOSE,
)
_STOPPED = """
    a an the of in on at to for by with from as and or but nor if than then that this these those which who whom whose
    is are was were be been being am do does did done has have had having it its their his her our your we they he she
    there here no not never without between among within into over under after before during both each all any some
    such so very more most less least can could may might will would shall should also only however whereas while p ci n
    vs versus compared relative using used use via per about against study studies results result conclusion group
    groups significant significantly difference different differ effect effects evidence
    observed found showed shown show seen
    respectively respective when where either neither lack lacking fail failed fails patients
"""
_STOP = frozenset(_STOPPED.split())
_SUFFIX = re.compile(
    r"(?:isations?|izations?|ations?|ities|ments?|ingly|ively|ences?|ances?|ions?|ings?|ally|edly|ely|ies"
    r"|ied|ers?|ors?|ing|ity|ive|ous|est|ed|es|al|ic|ly|en|s|e|y)\Z"
)
# "Without treatment, mortality was 80 %": what it was without is no negation of what it was.
_CONDITION = re.compile(r"(?:in the absence of|without|lacking)\s[^,]{1,80},")
_P_VALUE = re.compile(r"\bp(?:[-\s]?values?)?\s?(?P<sign>[=<>≥≤])\s?0?[.·](?P<digits>\d{1,5})")
# "More than 30 patients" compares a number and tells no direction.
_OF_NUMBER = re.compile(r"\s+than\s+(?:[<>≤≥~$€£]?\s?\d|half\b|one\b|two\b|three\b|twice\b)")
_NEAR = 60  # characters before a cue that hold what undoes it
_ALPHA = 0.05
SEEMING, DOUBT, FORWARD, BACKWARD, MODAL = "seeming", "doubt", "forward", "backward", "modal"
# "In May 2010" tells a month, in lower case too.
_MONTH = re.compile(
    r"(?:\b(?:in|since|until|from|of|by|to|and|late|early|\d{1,2})\s+)may\b(?=\s+(?:\d|and\b|to\b))|may\s+\d"
)


@dataclass(frozen=True)
class Cue:
    """A word that has a pole on an axis (`quantity`: `up`), where it stands, and the content words around it.

    `negated` says that it stands in the scope of a negation of its clause.
    """

    axis: str
    pole: str
    start: int
    about: frozenset[str]
    negated: bool


@dataclass(frozen=True)
class Clause:
    """A clause with its content words, those of its sentence, what is negated in it, and its cues; `doubt`: left open.

    `negated` are the content words of each negation's scope, one set for each; `hedged` those behind each word that
    says what may be, or is expected. `insignificant`: all p values of the sentence are 0.05 or more.
    """

    text: str
    words: frozenset[str]
    sentence: frozenset[str]
    negated: tuple[frozenset[str], ...]
    cues: tuple[Cue, ...]
    doubt: bool
    insignificant: bool
    hedged: tuple[frozenset[str], ...] = ()


@dataclass(frozen=True)
class Mark:
    """A word that negates (`forward`, `backward`), leaves open (`doubt`) or hedges (`modal`), and where it stands."""

    pole: str
    start: int
    end: int
    word: str


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A word without its ending, as far as two forms of it are to be told as one."""
    low = word.casefold().replace("-", "").replace("'", "")
    if len(low) <= 3 or any(letter.isdigit() for letter in low):
        return low
    for _ in range(2):
        shorter = _SUFFIX.sub("", low)
        if len(shorter) >= 4:
            low = shorter
    return low[:8]


def content(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    words = (match.group() for match in _WORD.finditer(plain(text)))
    return frozenset(stem(word) for word in words if word not in _STOP and (len(word) > 1 or word.isdigit()))


def plain(text: str) -> str:
    """A text in lower case with one kind of apostrophe and hyphen; every character keeps its place."""
    low = text.lower()
    if len(low) != len(text):  # İ has no lower form of one character
        low = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
    return low.translate(_FOLDED)


_FOLDED = str.maketrans({"’": "'", "‘": "'", "‐": "-", "‑": "-", "\n": " ", "\r": " ", "\t": " ", "\u00a0": " "})


@lru_cache(maxsize=64)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a text in their order."""
    return tuple(clause for start, end in sentences(text) for clause in _clauses(plain(text[start:end])))


def _clauses(sentence: str) -> Iterator[Clause]:
    whole = content(sentence)
    doubt = bool(_lexicon()["negation", DOUBT].search(sentence))
    masked = _masked(sentence, SEEMING)
    insignificant = _insignificant(sentence)
    opening = _CONDITION.match(sentence)
    masked += [(0, opening.end())] if opening else []
    hedges = tuple(_hedges(sentence))
    bounds = [0, *(m.start() for m in _BOUND.finditer(sentence)), len(sentence)]
    for first, last in pairwise(bounds):
        piece = sentence[first:last]
        if not _WORD.search(piece):
            continue
        scopes = tuple(_scopes(sentence, first, last, masked))
        negated = tuple(content(sentence[a:b]) for a, b in scopes)
        cues = tuple(_cues(sentence, first, last, scopes))
        hedged = tuple(content(sentence[mark.end : last]) for mark in hedges if first <= mark.start < last)
        yield Clause(piece, content(piece), whole, negated, cues, doubt, insignificant, hedged)


def _masked(sentence: str, *poles: str) -> list[tuple[int, int]]:
    """Where words only look like negations; idioms ("a few") always do."""
    found = [_lexicon()["negation", pole].finditer(sentence) for pole in (*poles, "idiom")]
    return [match.span() for matches in found for match in matches]


def _hedges(sentence: str) -> Iterator[Mark]:
    idioms = [match.span() for match in _lexicon()["hedge", "idiom"].finditer(sentence)]
    idioms += [match.span() for match in _MONTH.finditer(sentence)]
    for found in _lexicon()["hedge", MODAL].finditer(sentence):
        if not any(start < found.end() and found.start() < end for start, end in idioms):
            yield Mark(MODAL, *found.span(), found.group())


def softened(text: str) -> bool:
    """Whether a statement is told as what may be, or a text leaves it open, in any word that says so."""
    low = plain(text)
    words = (("hedge", "soft"), ("negation", DOUBT))
    return any(_lexicon()[key].search(low) for key in words) or any(_hedges(low))


def marks(sentence: str) -> Iterator[Mark]:
    """The words of a plain sentence that negate, leave open or hedge, wherever they reach."""
    masked = _masked(sentence, SEEMING)
    for pole in (FORWARD, BACKWARD, DOUBT):
        for found in _lexicon()["negation", pole].finditer(sentence):
            if pole == DOUBT or not any(start <= found.start() < end for start, end in masked):
                yield Mark(pole, *found.span(), found.group())
    yield from _hedges(sentence)


def first_negation(text: str) -> str:
    """The first word that may turn a text round or leave it open, in whatever part of it; empty where none is.

    "Patients without" is no negation of a sentence, but without "without" it is another sentence: it is told too.
    """
    low = plain(text)
    masked = _masked(low)
    found = [
        match
        for pole in (FORWARD, BACKWARD, DOUBT)
        for match in _lexicon()["negation", pole].finditer(low)
        if not any(start <= match.start() < end for start, end in masked)
    ]
    return min(found, key=lambda match: match.start()).group() if found else ""


def _insignificant(sentence: str) -> bool:
    found = [(match["sign"], float(f"0.{match['digits']}")) for match in _P_VALUE.finditer(sentence)]
    return bool(found) and all(value >= _ALPHA and sign != "<" for sign, value in found)


def _scopes(sentence: str, first: int, last: int, masked: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The stretches that negations of a clause reach over: behind a cue, or before one such as "were absent"."""
    for pole in ("forward", "backward"):
        for cue in _lexicon()["negation", pole].finditer(sentence, first, last):
            if any(start <= cue.start() < end for start, end in masked):
                continue
            yield (cue.end(), last) if pole == "forward" else (first, cue.start())


def _cues(sentence: str, first: int, last: int, scopes: tuple[tuple[int, int], ...]) -> Iterator[Cue]:
    for (axis, pole), pattern in _lexicon().items():
        for found in pattern.finditer(sentence, first, last) if axis not in ("negation", "hedge") else ():
            if _OF_NUMBER.match(sentence, found.end()):
                continue
            around = _near(sentence, found.start(), found.end(), first, last)
            negated = any(start <= found.start() < end for start, end in scopes) or _undone(sentence, found)
            yield Cue(axis, pole, found.start(), around, negated and pole != "none")


def _undone(sentence: str, found: re.Match[str]) -> bool:
    """Whether what a cue says is itself prevented: "attenuated the increase", "benefits were abolished"."""
    down = _lexicon()["quantity", "down"]
    before = re.search(
        r"([\w-]+)\s(?:(?:the|its|their|this|these|any|an|a)\s)?\Z",
        sentence[max(0, found.start() - _NEAR) : found.start()],
    )
    behind = re.match(r"(?:\s[\w-]+){0,2}\s(?:was|were|is|are)\s([\w-]+)", sentence[found.end() :])
    return any(word is not None and down.fullmatch(word[1]) is not None for word in (before, behind))


def _near(sentence: str, start: int, end: int, first: int, last: int) -> frozenset[str]:
    """The content words next to a cue: six before it, eight behind it."""
    before = [m.start() for m in _WORD.finditer(sentence, first, start)][-6:]
    behind = [m.end() for m in _WORD.finditer(sentence, end, last)][:8]
    return content(sentence[before[0] if before else start : start]) | content(
        sentence[end : behind[-1] if behind else end]
    )


@cache
def _lexicon() -> dict[tuple[str, str], re.Pattern[str]]:
    lines = (files("backedge.evidence") / "lexicon" / "cues.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {(axis, pole): _either(words.split("; ")) for axis, pole, words in rows}


def _either(words: list[str]) -> re.Pattern[str]:
    """Any of the words, the longest first; `*` at the end of one is whatever follows in the word."""
    written = [re.escape(word).replace(r"\ ", r"\s+").replace(r"\*", r"[\w-]*") for word in words]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(written, key=len, reverse=True))})(?![\w])")
