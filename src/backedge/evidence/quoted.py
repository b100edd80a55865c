"""Lists what a prose quotes: every pair of quotation marks and every block quote, so that each can be checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

LONGEST = 2_000  # characters within a pair of marks
MOST_ENDS = 50
_CLOSES = {
    '"': '"',
    "'": "'\u2019",
    "\u201c": '\u201d"',
    "\u201e": "\u201c\u201d",
    "\u2018": "\u2019'",
    "\u201a": "\u2018\u2019",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u2039": "\u203a",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
}
_MAY_STAY_OPEN = '"\u201c\u201e\u00ab'  # of a quotation of several paragraphs only the last one is closed
_ENDS = {mark: re.compile(f"[{closes}]") for mark, closes in _CLOSES.items()}
_OPENS = re.compile("[" + "".join(_CLOSES) + "]")
_BLOCK = re.compile(r"^[ \t]{0,3}>[^\n]*(?:\n[ \t]{0,3}>[^\n]*)*", re.MULTILINE)
_MARKER = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)
_PARAGRAPH_ENDS = re.compile(r"\n[ \t]*\n")
_APOSTROPHES = "'\u2019"


@dataclass(frozen=True)
class Quoted:
    """Words that a prose quotes: `start`:`end` is their stretch without the marks, `text` what they are.

    In a block quote `text` is without the `>` of its lines.
    """

    start: int
    end: int
    text: str


def quoted_strings(prose: str) -> tuple[Quoted, ...]:
    """Everything quoted in a prose, in order; what stands inside a quotation is part of it. Apostrophes are none."""
    found: list[Quoted] = []
    at = 0
    for block in _BLOCK.finditer(prose):
        found += _pairs(prose, at, block.start())
        text = _MARKER.sub("", block.group()).strip()
        if text:
            found.append(Quoted(block.start(), block.end(), text))
        at = block.end()
    found += _pairs(prose, at, len(prose))
    return tuple(found)


def _pairs(prose: str, start: int, end: int) -> Iterator[Quoted]:
    at = start
    while opening := _OPENS.search(prose, at, end):
        at = opening.end()
        if not _opens(prose, opening.start()):
            continue
        closing = _closing(prose, opening.group(), at, end)
        if closing > at and prose[at:closing].strip():
            yield Quoted(at, closing, prose[at:closing].strip())
        if closing >= 0:
            at = closing + 1


def _opens(prose: str, at: int) -> bool:
    """Whether a mark begins a quotation: no apostrophe, no sign of inches, minutes or seconds."""
    before, behind = prose[at - 1 : at], prose[at + 1 : at + 2]
    if prose[at] in "'\u2018":
        return not before.isalnum() and not behind.isspace()
    if prose[at] == '"':
        return not before.isdigit()
    return True


def _closing(prose: str, mark: str, start: int, end: int) -> int:
    """The place of the closing mark in the same paragraph, or the end of it; -1 where nothing is quoted."""
    end = min(end, start + LONGEST)
    if paragraph := _PARAGRAPH_ENDS.search(prose, start, end):
        end = paragraph.start()
    marks = (found.start() for found in _ENDS[mark].finditer(prose, start, end))
    ends = [at for at in islice(marks, MOST_ENDS) if _closes(prose, at)]
    if not ends:
        return end if mark in _MAY_STAY_OPEN else -1
    if mark not in "'\u2018\u201a":
        return ends[0]
    again = _OPENS.search(prose, ends[0] + 1, end)
    later = [at for at in ends[1:] if again is None or at <= again.start() or again.group() in _APOSTROPHES]
    # "the patients' outcomes were good": the first mark is a plural's apostrophe where another one closes.
    plural = prose[ends[0] - 1] == "s" and prose[ends[0] + 1 : ends[0] + 3].strip().islower()
    return later[-1] if later and plural else ends[0]


def _closes(prose: str, at: int) -> bool:
    """Whether a mark may end a quotation; inside a word it is an apostrophe."""
    return prose[at] not in _APOSTROPHES or not (prose[at - 1].isalnum() and prose[at + 1 : at + 2].isalnum())
