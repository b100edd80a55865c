"""Whether a stretch of a text begins or ends inside a word or a number, or leaves out what changes its meaning."""

from __future__ import annotations

import re
import unicodedata

_NUMBER_GOES_ON = re.compile(r"[.,·]\d")
_NUMBER_BEFORE = re.compile(r"\d[.,·]\Z")
_SIGN_BEFORE = re.compile(r"(?:^|[\s(\[,;:=<>≤≥±/])[-\u2212\u2010-\u2013]\Z")
_COMPARED_BEFORE = re.compile(r"[<>≤≥≦≧±~≈]\s?\Z")
_JOINED = "-\u2010\u2011"


_TELLING = re.compile(r"\d+|\b(?:not|no|nor|non|never|without|cannot)\b", re.IGNORECASE)


def telling(text: str) -> tuple[str, ...]:
    """The numbers and negations of a text in their order: "10 20" is not "1020", and "not able" is not "notable"."""
    return tuple(found.casefold() for found in _TELLING.findall(text))


def cut(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is no stretch of whole words and whole numbers with their signs and comparators."""
    return _cut_before(text, start) or _cut_behind(text, end)


def _cut_before(text: str, start: int) -> bool:
    if start == 0:
        return False
    first, before = text[start], text[max(0, start - 3) : start]
    if _in_word(before[-1]) and _in_word(first) and not _unspaced(before[-1], first):
        return True
    if _marks(first):
        return True
    if first.isdigit() and (
        _NUMBER_BEFORE.search(before) or _SIGN_BEFORE.search(before) or _COMPARED_BEFORE.search(before)
    ):
        return True
    joined = before[-1] in _JOINED and len(before) > 1 and _in_word(before[-2])
    return joined and first.isalpha()


def _cut_behind(text: str, end: int) -> bool:
    if end == len(text):
        return False
    last, behind = text[end - 1], text[end : end + 2]
    if _in_word(last) and _in_word(behind[0]) and not _unspaced(last, behind[0]):
        return True
    if _marks(behind[0]):
        return True
    if last.isdigit() and _NUMBER_GOES_ON.match(behind):
        return True
    return _in_word(last) and last.isalpha() and behind[0] in _JOINED and len(behind) > 1 and behind[1].isalpha()


def _in_word(character: str) -> bool:
    return character.isalnum() or character in "_\u00ad"


def _marks(character: str) -> bool:
    """Whether it is a mark that belongs to the character before it."""
    return unicodedata.combining(character) != 0


def _unspaced(one: str, other: str) -> bool:
    """Whether two characters stand side by side in a script that puts no spaces between words."""
    return _ideographic(one) or _ideographic(other)


def _ideographic(character: str) -> bool:
    code = ord(character)
    return (
        0x2E80 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x3FFFF or 0x0E00 <= code <= 0x0E7F
    )
