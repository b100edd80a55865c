"""Proposes what a quotation that is not there may have been meant to be; a proposal is located like any other."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

SHORTEST = 24  # characters of a quotation that a repair is sought for: what is short is like too much
LONGEST = 1_000
MOST_WINDOWS = 6
ALIKE = 80.0
_WORD = re.compile(r"[^\W\d_]{5,}")


def nearest(quotation: str, section: str) -> str:
    """The stretch of a section that is most like the quotation, cut at words; empty where none is like it.

    Only windows around the quotation's rarest words are looked at, so that the work is bounded.
    """
    if not SHORTEST <= len(quotation) <= LONGEST:
        return ""
    best, place = ALIKE, (0, 0)
    for start, end in _windows(quotation, section):
        found = fuzz.partial_ratio_alignment(quotation, section[start:end], score_cutoff=best)
        if found is not None and found.score >= best and found.dest_end > found.dest_start:
            best, place = found.score, (start + found.dest_start, start + found.dest_end)
    return _whole_words(section, *place)


def _windows(quotation: str, section: str) -> list[tuple[int, int]]:
    counted = {word: section.count(word) for word in dict.fromkeys(_WORD.findall(quotation)[:40])}
    rare = sorted((word for word in counted if counted[word]), key=lambda word: counted[word])
    found: list[tuple[int, int]] = []
    for word in rare[:MOST_WINDOWS]:
        at = section.find(word)
        while at >= 0 and len(found) < MOST_WINDOWS:
            if not any(start <= at < end for start, end in found):
                found.append((max(0, at - len(quotation)), at + 2 * len(quotation)))
            at = section.find(word, at + 1)
    return found


def _whole_words(text: str, start: int, end: int) -> str:
    while start > 0 and start < end and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while start < end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    return text[start:end].strip()
