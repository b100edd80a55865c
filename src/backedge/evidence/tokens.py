"""Where words and numbers of a text begin and end, and what tells two texts apart that look alike without spaces."""

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


LONGEST_WORD = 40


def whole_words(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The stretch widened to the words that it begins and ends in; None where it cuts a number, or its sign.

    A word that is cut is shown whole, so that "effective" is never shown of "ineffective". A number is not widened:
    "1" of "15" is another value, and so is "9.15" of "-9.15".
    """
    first, last = _widened_before(text, start), _widened_behind(text, end)
    if last - end > LONGEST_WORD or start - first > LONGEST_WORD:
        return None
    if _cuts_number(text, start, end) or any(c.isdigit() for c in text[first:start] + text[end:last]):
        return None
    return first, last


def _widened_before(text: str, start: int) -> int:
    while start > 0 and start < len(text) and _goes_on(text[start - 1], text[start]):
        start -= 1
    return start


def _widened_behind(text: str, end: int) -> int:
    while 0 < end < len(text) and _goes_on(text[end - 1], text[end]):
        end += 1
    return end


def _goes_on(one: str, other: str) -> bool:
    """Whether two characters side by side are of one word, a mark of the one, or joined by a hyphen."""
    if unicodedata.combining(other):
        return True
    if _ideographic(one) or _ideographic(other):
        return False
    if one in _JOINED or other in _JOINED:
        return (one in _JOINED or _in_word(one)) and (other in _JOINED or _in_word(other))
    return _in_word(one) and _in_word(other)


def _cuts_number(text: str, start: int, end: int) -> bool:
    before, behind = text[max(0, start - 3) : start], text[end : end + 2]
    if text[start].isdigit() and (
        _NUMBER_BEFORE.search(before) or _SIGN_BEFORE.search(before) or _COMPARED_BEFORE.search(before)
    ):
        return True
    return text[end - 1].isdigit() and _NUMBER_GOES_ON.match(behind) is not None


def _in_word(character: str) -> bool:
    return character.isalnum() or character in "_\u00ad"


def _ideographic(character: str) -> bool:
    code = ord(character)
    return (
        0x2E80 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or 0x20000 <= code <= 0x3FFFF or 0x0E00 <= code <= 0x0E7F
    )
