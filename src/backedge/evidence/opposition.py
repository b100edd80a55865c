"""Holds a statement against a text: whether one negates what the other says, or says its opposite."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from backedge.evidence.polarity import Clause, Cue, clauses, content, plain, softened
from backedge.evidence.records import Direction
from backedge.evidence.sentences import sentences

# Axes on which an opposite pole is an opposite statement.
_TURNING = ("quantity", "value", "sign", "susceptibility", "dependence", "presence", "stability")
_OPPOSITES = {
    ("quantity", "up"): "down",
    ("quantity", "down"): "up",
    ("value", "good"): "bad",
    ("value", "bad"): "good",
    ("sign", "positive"): "negative",
    ("sign", "negative"): "positive",
    ("susceptibility", "open"): "closed",
    ("susceptibility", "closed"): "open",
    ("dependence", "bound"): "free",
    ("dependence", "free"): "bound",
    ("presence", "there"): "away",
    ("presence", "away"): "there",
    ("stability", "firm"): "loose",
    ("stability", "loose"): "firm",
}
# Axes with nothing between their poles: what is not dependent is independent, but what is not higher may be the same.
_TWO_POLES = frozenset({"dependence", "presence", "stability", "susceptibility"})
# Axes of which a text that is quoted for a statement must have the same pole somewhere.
_STATED = frozenset({"quantity", "value", "part"})
_DIRECTIONS: dict[str, Direction] = {"up": "increase", "down": "decrease"}
_TURNED_POLES: dict[str, Direction] = {"up": "decrease", "down": "increase"}
_THAN = re.compile(
    r"\b(?:than|versus|vs\.?|(?:as\s+)?compared\s+(?:with|to)|relative\s+to|in\s+comparison\s+(?:with|to))\s"
)
_CLEAR = 0.5  # the share of a statement's words that a negated clause has, to be about the same


@dataclass(frozen=True)
class About:
    """The content words of an endpoint, of the treatment, and of what it is compared with."""

    endpoint: frozenset[str]
    treatment: frozenset[str] = frozenset()
    comparator: frozenset[str] = frozenset()


_Poles = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Turned:
    """What stands opposite: the words of the statement, and those of the text."""

    said: str
    text: str


def negation_lost(statement: str, text: str) -> Turned | None:
    """A clause of the text that negates what the statement says without a negation, where no other clause says it."""
    mine, theirs = clauses(statement), clauses(text)
    asserted = content(statement) - _negated(mine)
    ranked = _ranked(asserted, theirs)
    if not ranked or _negative(mine):
        return None
    best = ranked[0][0]
    top = [clause for share, clause in ranked if share >= best * 0.9]
    if best < _CLEAR or not all(_denies(clause, asserted) for clause in top):
        return None
    return Turned(statement, top[0].text.strip())


def negation_added(statement: str, text: str) -> Turned | None:
    """What the statement negates, where no clause of the text does."""
    mine, theirs = clauses(statement), clauses(text)
    for clause in mine:
        scope = frozenset().union(*clause.negated) or clause.words
        if clause.negated and not any(_negates(other, scope) for other in theirs):
            return Turned(clause.text.strip(), text)
    return None


def opposed(statement: str, text: str) -> Turned | None:
    """A cue of the statement whose opposite stands in the text beside the same words, and it itself does not."""
    if _said_the_other_way(statement, text):
        return None
    theirs = [cue for clause in clauses(text) for cue in clause.cues]
    for clause in clauses(statement):
        for cue in clause.cues:
            found = _opposite(cue, theirs) if cue.axis in _TURNING and not cue.negated else None
            if found is not None:
                return Turned(f"{cue.axis} {cue.pole}", f"{found.axis} {found.pole}")
    return None


def _opposite(cue: Cue, theirs: list[Cue]) -> Cue | None:
    """Of the cues of the same axis beside the most of the same words: one that is opposite, where none agrees."""
    if cue.pole == "none":
        return None
    alike = [(len(cue.about & other.about), other) for other in theirs if other.axis == cue.axis]
    best = max((shared for shared, _ in alike), default=0)
    near = [other for shared, other in alike if shared == best and best > 0]
    if not near or any(_agrees(cue, other) for other in near):
        return None
    return near[0]


def _agrees(cue: Cue, other: Cue) -> bool:
    """Whether two cues of one axis say the same; on an axis of two poles, not to be at one is to be at the other."""
    if cue.pole == other.pole:
        return not other.negated
    return cue.axis in _TWO_POLES and other.negated


def _negated(told: tuple[Clause, ...]) -> frozenset[str]:
    return frozenset(word for clause in told for scope in clause.negated for word in scope)


def _negative(told: tuple[Clause, ...]) -> bool:
    return any(clause.negated for clause in told)


def _ranked(asserted: frozenset[str], theirs: tuple[Clause, ...]) -> list[tuple[float, Clause]]:
    """The clauses by how many of the asserted words they have; their sentence counts half."""
    if not asserted:
        return []
    shares = [(len(asserted & clause.words) * 0.5 + len(asserted & clause.sentence) * 0.5, clause) for clause in theirs]
    return sorted(((share / len(asserted), clause) for share, clause in shares), key=lambda each: -each[0])


def _denies(clause: Clause, asserted: frozenset[str]) -> bool:
    return any(scope & asserted for scope in clause.negated)


def _negates(clause: Clause, scope: frozenset[str]) -> bool:
    """Whether a clause negates some of these words, or says by another word that there is nothing to them."""
    if any(scope & other for other in clause.negated):
        return True
    none = [cue for cue in clause.cues if (cue.axis, cue.pole) in (("quantity", "none"), ("dependence", "free"))]
    return any(scope & (cue.about | clause.words) for cue in none)


def unstated(statement: str, text: str) -> str:
    """A cue of the statement, such as "quantity up", that the text does not have anywhere; else empty."""
    if _said_the_other_way(statement, text):
        return ""
    theirs = {(cue.axis, cue.pole) for clause in clauses(text) for cue in clause.cues if not cue.negated}
    for clause in clauses(statement):
        for cue in clause.cues:
            if cue.axis in _STATED and cue.pole != "none" and not cue.negated and (cue.axis, cue.pole) not in theirs:
                return f"{cue.axis} {cue.pole}"
    return ""


def doubtful(statement: str, text: str) -> Turned | None:
    """A clause of the text that leaves open what the statement says as it is: "cannot be excluded that"."""
    if any(clause.doubt for clause in clauses(statement)):
        return None
    asserted = content(statement)
    for clause in clauses(text):
        if clause.doubt and len(asserted & clause.sentence) >= len(asserted) * _CLEAR:
            return Turned(statement, clause.text.strip())
    return None


def hedge_lost(statement: str, text: str) -> Turned | None:
    """A clause of the text that tells as what may be, or is expected, what the statement tells as it is.

    None where another clause says so much of it without a hedge.
    """
    if softened(statement):
        return None
    asserted = content(statement)
    clear = [clause for share, clause in _ranked(asserted, clauses(text)) if share >= _CLEAR]
    if not clear or not all(any(scope & asserted for scope in clause.hedged) for clause in clear):
        return None
    return Turned(statement, clear[0].text.strip())


def directions(text: str, about: About) -> frozenset[Direction]:
    """The directions that a text states of an endpoint: those of the clauses with the most of its words.

    Where these have none, all clauses speak. A sentence whose p values are all 0.05 or more states no difference. What
    is said of the comparator ("higher with placebo than with the drug") is turned round.
    """
    told = clauses(text)
    best = max((len(about.endpoint & clause.words) for clause in told), default=0)
    nearest = [clause for clause in told if best and len(about.endpoint & clause.words) == best]
    return _stated(nearest, about) or _stated(told, about)


def _stated(told: Iterable[Clause], about: About) -> frozenset[Direction]:
    found: set[Direction] = set()
    for clause in told:
        cues = [cue for cue in clause.cues if cue.axis == "quantity"]
        if clause.insignificant or any(cue.pole == "none" or cue.negated for cue in cues):
            found.add("no_difference")
        else:
            poles = _TURNED_POLES if _of_comparator(clause, about) else _DIRECTIONS
            found |= {poles[cue.pole] for cue in cues}
    return frozenset(found)


def _of_comparator(clause: Clause, about: About) -> bool:
    """Whether a clause tells how the comparator did: it stands before "than", or it alone is named."""
    mine, other = about.treatment - about.comparator, about.comparator - about.treatment
    first = content(_THAN.split(clause.text, maxsplit=1)[0])
    return bool(first & other) and not first & mine


def swapped(statement: str, text: str) -> Turned | None:
    """A comparison of the text whose sides stand the other way round in the statement, with a pole that is the same."""
    found = _turned_round(statement, text)
    return next((Turned(statement, sentence) for sentence, mine, theirs in found if mine & theirs), None)


def _said_the_other_way(statement: str, text: str) -> bool:
    """Whether the text has "B was lower than A" for "A was higher than B"."""
    return any(not mine & theirs for _, mine, theirs in _turned_round(statement, text))


def _turned_round(statement: str, text: str) -> list[tuple[str, _Poles, _Poles]]:
    """The sentences of the text that compare what the statement compares, with their sides exchanged."""
    found = []
    for left, right, mine, _ in _compared(statement):
        for other_left, other_right, theirs, sentence in _compared(text):
            if (left - right) & (other_right - other_left) and (right - left) & (other_left - other_right):
                found.append((sentence, mine, theirs))
    return found


def _compared(text: str) -> list[tuple[frozenset[str], frozenset[str], _Poles, str]]:
    """Each sentence with "than" or "compared with": the words of both sides, and the poles of its cues."""
    found = []
    for start, end in sentences(text):
        sentence = plain(text[start:end])
        parted = _THAN.split(sentence, maxsplit=1)
        if len(parted) == 2:
            poles = {(cue.axis, cue.pole) for clause in clauses(sentence) for cue in clause.cues} - {
                ("quantity", "none")
            }
            telling = {pole for pole in poles if pole[0] == "quantity"} or poles
            found.append((content(parted[0]), content(parted[1]), frozenset(telling), sentence))
    return found
