"""What stands in the sentence of a quotation outside of it, and denies, hedges or leaves open what is quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from backedge.evidence.polarity import BACKWARD, DOUBT, FORWARD, Mark, clauses, content, marks, plain, softened
from backedge.evidence.ports import Passage
from backedge.evidence.sentences import sentences

Governed = Literal["denied", "insignificant", "open", "hedged"]

_BESIDE = 600  # characters before and behind a quotation in which its sentence begins and ends
_SHARE = 1 / 3  # of a statement's words that a stretch has, to be what it rests on
_ALIKE = 0.9
# Words that deny a thing ("in the absence of the drug"), not what a sentence says of it.
_OF_THINGS = re.compile(
    r"(?:without|lack\w*|non|absen\w+(?:\sof)?|devoid\sof|free\s(?:of|from)|rather\sthan|instead\sof"
    r"|independent\w*|unrelated|excluded|un\w+ed|negligible|undetectable|incapable\w*)\Z"
)
_STRONG = re.compile(
    r"[;:]|\s[–—]\s|\b(?:but|whereas|while|although|though|however|yet|except|because|despite|unlike|nevertheless)\b"
)
_THAT = re.compile(r"\b(?:that|whether|if)\b")
_WEAK = re.compile(r",|[()]|\b(?:and|who|whom|whose|which|where|when|after|before)\b")
_EVIDENCE = re.compile(r"\b(?:evidence|proof|support|sign|indication|suggestion)")
_ASIDE = re.compile(
    r",\s*(?:however|in\sfact|therefore|thus|overall|in\sgeneral|moreover|indeed|furthermore|consequently|in\sturn)\s*,"
)
# "Patients who did not respond": which ones, and nothing of what they did.
_RELATIVE = re.compile(r"\b(?:who|whom|whose|which|when|if|where|because|since|unless)\b[^,;]*\Z|\bthat(?:\s\w+)?\s\Z")
_INSIGNIFICANT_BEHIND = re.compile(
    r"""[^;:]{0,60}?,?\s*\b(?:but|although|though|however|yet|albeit)\s+
        (?:(?:this|these|it|they|the\s+(?:difference|change|effect|reduction|increase|trend|association|result)s?)\b
           [^,;]{0,40}?)?\b(?:(?:not|non|without|fail\w*|lack\w*|(?:did|was|were)n't)\b[^,;]{0,40}?(?:significan|\breach)
           |insignifican)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Outside:
    """How a sentence turns the part of it that is quoted, and the words that do so."""

    how: Governed
    words: str


def governing(statement: str, passages: tuple[Passage, ...]) -> Outside | None:
    """What turns the quoted part that a statement rests on; None where such a part is not turned, or the statement too.

    A statement that itself negates or hedges is left to the rules for what is quoted.
    """
    asserted = content(statement)
    told = [part for passage in passages for part in _parts(passage)]
    shares = [len(asserted & content(sentence[start:end])) for sentence, start, end in told]
    most = max(shares, default=0)
    if not asserted or most < len(asserted) * _SHARE:
        return None
    found = [_turning(statement, *part) for share, part in zip(shares, told, strict=True) if share >= most * _ALIKE]
    return found[0] if all(found) else None


def _parts(passage: Passage) -> Iterator[tuple[str, int, int]]:
    """Each sentence that a passage touches, in plain letters, with the stretch of it that is quoted."""
    before, behind = passage.before[-_BESIDE:], passage.after[:_BESIDE]
    text = f"{before}{passage.span.exact}{behind}"
    first, last = len(before), len(before) + len(passage.span.exact)
    for start, end in sentences(text):
        if start < last and end > first:
            yield plain(text[start:end]), max(first, start) - start, min(last, end) - start


def _turning(statement: str, sentence: str, start: int, end: int) -> Outside | None:
    """The first thing outside of a stretch that denies, leaves open or hedges it, where the statement does not."""
    if start == 0 and end == len(sentence):
        return None
    told = clauses(statement)
    none = any(cue.axis == "quantity" and cue.pole == "none" for clause in told for cue in clause.cues)
    denies = none or any(clause.negated for clause in told)
    soft = softened(statement)
    for mark in marks(sentence):
        if mark.start < end and mark.end > start:
            continue
        how = _how(mark.pole, denies, soft)
        if how and _reaches(sentence, mark, start, end):
            return Outside(how, mark.word)
    return None if denies else _insignificant(statement, sentence, start, end)


def _how(pole: str, denies: bool, soft: bool) -> Governed | None:
    if pole in (FORWARD, BACKWARD):
        return None if denies else "denied"
    if soft:
        return None
    return "open" if pole == DOUBT else "hedged"


def _reaches(sentence: str, mark: Mark, start: int, end: int) -> bool:
    """Whether a word governs what is quoted: it stands before it without an end between, or says it of it behind."""
    of_things = _OF_THINGS.match(mark.word) is not None
    if mark.end <= start and mark.pole != BACKWARD:
        gap = _ASIDE.sub(" ", sentence[mark.end : start])
        that = _THAT.search(gap) or _THAT.search(mark.word)
        which = _RELATIVE.search(_STRONG.split(sentence[: mark.start])[-1]) is not None
        if _STRONG.search(gap) or which:
            return False
        if of_things:  # "in the absence of evidence that"
            return that is not None and _EVIDENCE.search(gap) is not None
        return that is not None or not _WEAK.search(gap)
    if mark.start >= end and mark.pole in (BACKWARD, DOUBT):
        gap = sentence[end : mark.start]
        return not of_things and not _STRONG.search(gap) and not _WEAK.search(gap)
    return False


def _insignificant(statement: str, sentence: str, start: int, end: int) -> Outside | None:
    """That what is quoted as a change was not significant, told behind it."""
    turns = [cue for clause in clauses(statement) for cue in clause.cues if cue.pole in ("up", "down")]
    found = _INSIGNIFICANT_BEHIND.match(sentence, end) if turns else None
    if found:
        return Outside("insignificant", found.group().strip(" ,"))
    return None
