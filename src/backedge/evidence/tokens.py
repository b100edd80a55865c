"""Where a stretch of a text may begin and end: not inside a word or a number, and not behind a negation."""

from __future__ import annotations

import re
import unicodedata

_REACH = 16  # characters that are looked at on either side
_JOINED = "-\u2010\u2011\u00ad\ufffe"
_DASH = "-\u2010-\u2015\u2212\u00ad\ufffe"
_COMPARED = "<>\u2264\u2265\u2266\u2267\u2a7d\u2a7e\u226a\u226b\u00b1~\u223c\u2248\u2260"

# What stands before a place and behind it where the place lies inside a number, its sign, its comparator or its unit.
_INSIDE_NUMBER = tuple(
    (re.compile(rf"(?:{before})\Z"), re.compile(behind))
    for before, behind in (
        (r"\d[.,\u00b7]", r"\d"),
        (r"\d", r"[.,\u00b7]\d"),
        (r"\d", r"\s?[%\u2030\u00b0\u2103]"),
        (r"\d", rf"[{_DASH}/:^\u2044\u2236]\s?\d"),
        (rf"\d[{_DASH}/:^\u2044\u2236]\s?", r"\d"),
        (r"\d", r"[\u207a\u207b]"),
        (r"\d", r"\s?[\u00d7x]\s?10(?!\d)"),
        (r"\d\s?[\u00d7x]\s?", r"10(?!\d)"),
        (rf"(?:^|[\s(\[{{,;:=/|{_COMPARED}])[{_DASH}]", r"\.?\d"),
        (rf"(?:\u2212|[(\[=/{_COMPARED}][{_DASH}])\s", r"\.?\d"),
        (rf"(?:[{_COMPARED}]|[<>!]=)\s?", rf"[{_DASH}]?\.?\d"),
        (r"[<>!]", r"="),
        (r"\+/", rf"[{_DASH}]"),
    )
)
_NEAR_NUMBER = re.compile(r"[\d=]|\+/")  # what every row above has within three characters
_NEGATION_BEFORE = re.compile(
    r"(?:(?:\b(?:not|no|never|without|cannot|nor|neither|rarely|seldom|hardly|scarcely|barely)"
    r"|n['\u2019]t)(?P<gap>\s+)|\bnon[-\u2010-\u2015]?\s?)\Z",
    re.IGNORECASE,
)
_NEGATION_BEFORE_UNSPACED = re.compile(r"(?:[不非無无未没沒否莫勿]|ไม่)\Z")
_NEGATION_BEHIND_UNSPACED = re.compile(r"(?:では|じゃ|は)?(?:ない|なく|なかった|ません)")
_LINE_ENDED_BEFORE = re.compile(r"[^\W\d_](?:[-\u2010\u2011][^\S\n]*\n\s*|\ufffe\s*)\Z")
_LINE_ENDED_BEHIND = re.compile(r"(?:[-\u2010\u2011][^\S\n]{0,8}\n\s{0,8}|\ufffe\s{0,8})[^\W\d_]")
_SENTENCE_BEGINS = re.compile(r"(?:\A|[\n\t]|[.!?:;)\]\u201d\"]\s+|\d\s+)\Z")


def cut(text: str, start: int, end: int) -> str:
    """What `text[start:end]` cuts: "a word", "a number" or "a negation"; empty where it cuts nothing."""
    for at in (start, end):
        if _inside_word(text, at):
            return "a word"
        before, behind = text[max(0, at - _REACH) : at], text[at : at + _REACH]
        if _NEAR_NUMBER.search(text, max(0, at - 3), at + 3) and any(
            one.search(before) and other.match(behind) for one, other in _INSIDE_NUMBER
        ):
            return "a number"
    return "a negation" if _negated(text, start, end) else ""


def with_stray_letters(text: str, start: int, end: int) -> tuple[int, int]:
    """The stretch with the whole of a word of which a copy took all but the capital, or nothing but the capital.

    Both only where a sentence begins: "here were no deaths" of "There were no deaths", and a "F" of the "For" that
    follows. "A" is never added: it turns "symptomatic" round. People copy like that; no other cut word is mended.
    """
    first = start - 1
    if (
        first >= 0
        and text[first].isupper()
        and text[first] != "A"
        and text[start : start + 1].islower()
        and _SENTENCE_BEGINS.search(text[max(0, first - _REACH) : first])
    ):
        start = first
    last = end
    if text[end - 1].isupper() and _SENTENCE_BEGINS.search(text[max(0, end - 1 - _REACH) : end - 1]):
        while last < len(text) and last - end < _REACH and text[last].islower():
            last += 1
    return start, last


def _inside_word(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    one, other = text[at - 1], text[at]
    if unicodedata.combining(other):
        return True
    if _unspaced(one) or _unspaced(other):
        return False
    before, behind = text[at - 2 : at - 1], text[at + 1 : at + 2]
    if _in_word(one) and _in_word(other):
        return True
    if other in _JOINED or other in "'\u2019":
        return _in_word(one) and (_in_word(behind) or _LINE_ENDED_BEHIND.match(text, at) is not None)
    if one in _JOINED or one in "'\u2019":
        return _in_word(other) and _in_word(before)
    return other.islower() and _LINE_ENDED_BEFORE.search(text[max(0, at - _REACH) : at]) is not None


def _negated(text: str, start: int, end: int) -> bool:
    """Whether a negation stands directly before the stretch, or (in Japanese) directly behind it."""
    before = text[max(0, start - _REACH) : start]
    if found := _NEGATION_BEFORE.search(before):
        # "No" in a cell of a table or at the end of a line is no negation of what the next one begins with.
        gap = found["gap"] or ""
        return "\t" not in gap and ("\n" not in gap or text[start].islower())
    if _unspaced(text[start]) and _NEGATION_BEFORE_UNSPACED.search(before):
        return True
    return _unspaced(text[end - 1]) and _NEGATION_BEHIND_UNSPACED.match(text, end) is not None


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _unspaced(character: str) -> bool:
    """Whether it is of a script without spaces between words, where any place may be between two."""
    code = ord(character)
    return (
        0x2E80 <= code <= 0x9FFF
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFF
        or 0x0E00 <= code <= 0x0EFF
        or 0x1000 <= code <= 0x109F
        or 0x1780 <= code <= 0x17FF
    )
