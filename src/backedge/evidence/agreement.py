"""Whether two texts of the same key say the same: what their spaces divide, and which hyphens only end a line."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.evidence.text_key import HYPHEN, fold_one, is_gap, may_be_dropped

# Words that turn a meaning round when a space makes them or takes them: "not able" and "notable".
_NEGATIONS = frozenset({"not", "no", "nor", "non", "never", "without"})
# Beginnings that turn a word round: "in effective" and "ineffective", "a symptomatic" and "asymptomatic".
_TURNING = frozenset({"a", "ab", "an", "anti", "de", "dis", "il", "im", "in", "ir", "mis", "un", "with"})
_LONGEST = 40  # letters of a word that is looked at
_INSIDE_NUMBERS = ".,\u00b7:/^_"


@dataclass(frozen=True)
class _Sign:
    """A character of a key: whether a gap stands before it, and whether it is a hyphen that may be dropped."""

    character: str
    gap: bool
    soft: bool


def agree(raw: str, quoted: str) -> bool:
    """Whether a stretch of a text and a quotation differ only in presentation.

    Gaps may differ, but not inside a number and not where a negation comes or goes. A hyphen at the end of a line (or a
    soft one) may stand or be dropped, on either side, between letters; every other hyphen must stand on both.
    """
    if raw == quoted or raw.split() == quoted.split():
        return True
    ours, theirs = _signs(raw), _signs(quoted)
    one = other = 0
    joined = False
    while one < len(ours) and other < len(theirs):
        mine, said = ours[one], theirs[other]
        if mine.character == said.character:
            if mine.gap != said.gap and one and other and not joined and not _harmless(ours, one, theirs, other):
                return False
            one, other, joined = one + 1, other + 1, False
        elif mine.soft and _between_letters(ours, one) and not said.gap:
            one, joined = one + 1, True
        elif said.soft and _between_letters(theirs, other) and not mine.gap:
            other, joined = other + 1, True
        else:
            return False
    return one == len(ours) and other == len(theirs)


def _signs(text: str) -> list[_Sign]:
    found: list[_Sign] = []
    gap = False
    for place, character in enumerate(text):
        if is_gap(character):
            gap = True
            continue
        for folded in fold_one(character):
            found.append(_Sign(folded, gap, folded == HYPHEN and may_be_dropped(text, place)))
            gap = False
    return found


def _between_letters(signs: list[_Sign], at: int) -> bool:
    around = signs[at - 1].character + signs[at + 1].character if 0 < at < len(signs) - 1 else ""
    return around.isalpha() and not signs[at].gap


def _harmless(ours: list[_Sign], one: int, theirs: list[_Sign], other: int) -> bool:
    """Whether a gap that only one side has changes neither a number, nor its sign, nor a negation."""
    if ours[one].gap:
        spaced, at, solid, there = ours, one, theirs, other
    else:
        spaced, at, solid, there = theirs, other, ours, one
    return not _divides_number(spaced, at) and not _turns(spaced, at, solid, there)


def _divides_number(signs: list[_Sign], at: int) -> bool:
    """Whether the place before a sign lies inside a number, or between it and its sign."""
    last, first = signs[at - 1].character, signs[at].character
    before = signs[at - 2].character if at > 1 else ""
    behind = signs[at + 1].character if at + 1 < len(signs) else ""
    if last.isdigit() and (first.isdigit() or (first in _INSIDE_NUMBERS and behind.isdigit())):
        return True
    if not first.isdigit():
        return False
    if last in _INSIDE_NUMBERS and before.isdigit():
        return True
    return last == HYPHEN and at > 1 and signs[at - 1].gap  # "dose - 5 mg" is not "dose -5 mg"


def _turns(spaced: list[_Sign], at: int, solid: list[_Sign], there: int) -> bool:
    """Whether the gap makes or unmakes a negation."""
    left, right = _word_before(spaced, at), _word_behind(spaced, at)
    if left in _NEGATIONS or (right in _NEGATIONS and left != "can"):
        return bool(left and right)
    if left not in _TURNING or not right:
        return False
    begins = there - len(left)
    return begins <= 0 or solid[begins].gap or not solid[begins - 1].character.isalpha()


def _word_before(signs: list[_Sign], at: int) -> str:
    first = at
    while first > 0 and signs[first - 1].character.isalpha() and (first == at or not signs[first].gap):
        first -= 1
    return _letters(signs, first, at)


def _word_behind(signs: list[_Sign], at: int) -> str:
    last = at
    while last < len(signs) and signs[last].character.isalpha() and (last == at or not signs[last].gap):
        last += 1
    return _letters(signs, at, last)


def _letters(signs: list[_Sign], start: int, end: int) -> str:
    """The letters of a stretch; nothing where there are more than any negation has."""
    return "".join(sign.character for sign in signs[start:end]).casefold() if end - start <= _LONGEST else ""
