"""The key of a text: what is left of it without white space and presentation, and where each of its characters stands.

Folded are only ways of printing the same characters: ligatures, dashes, quotation marks, soft hyphens, composed and
decomposed accents. Punctuation stays, case stays, and no digit changes its value.
"""

from __future__ import annotations

import unicodedata
from array import array
from dataclasses import dataclass

LINE_END = "\ufffe"  # what a PDF reader writes for the hyphen at the end of a line
_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
_DASHES = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D), "-")
_SINGLE = dict.fromkeys((0x2018, 0x2019, 0x201A, 0x201B, 0x02BC, 0x2032), "'")
_DOUBLE = dict.fromkeys((0x201C, 0x201D, 0x201E, 0x201F, 0x2033, 0xAB, 0xBB), '"')
_NOTHING = dict.fromkeys((0xAD, 0x200B, 0x2060, 0xFEFF), "")
FOLDED: dict[int, str] = {
    **_LIGATURES,
    **_DASHES,
    **_SINGLE,
    **_DOUBLE,
    **_NOTHING,
    0x2026: "...",
    0xB5: "\u03bc",  # the two micro signs look alike, and only one of them can be typed on most keyboards
    0xFFFE: "-",
}
HYPHEN = "-"


@dataclass(frozen=True)
class Key:
    """A key, and for each of its characters the place in the text of the character that it comes from."""

    text: str
    places: array[int]


def key_of(text: str) -> Key:
    """The key of a text, in one pass."""
    characters: list[str] = []
    places = array("l")
    for place, character in enumerate(text):
        for folded in _folded(character):
            characters.append(folded)
            places.append(place)
    return Key("".join(characters), places)


def folded(text: str) -> str:
    """The key of a text without its places."""
    return "".join(folded for character in text for folded in _folded(character))


_known: dict[str, str] = {}


def _folded(character: str) -> str:
    found = _known.get(character)
    if found is None:
        found = "" if character.isspace() else FOLDED.get(ord(character))
        if found is None:
            found = unicodedata.normalize("NFD", character)
        _known[character] = found
    return found


def without_hyphens(key: Key) -> Key:
    """The key without any hyphen: what words look alike with, however lines were broken."""
    kept = [at for at, character in enumerate(key.text) if character != HYPHEN]
    return Key("".join(key.text[at] for at in kept), array("l", (key.places[at] for at in kept)))


def ends_a_line(text: str, place: int) -> bool:
    """Whether the hyphen at a place is one that may be there only because a line ended."""
    if text[place] == LINE_END:
        return True
    at = place + 1
    while at < len(text) and text[at] in " \t\r":
        at += 1
    return at < len(text) and text[at] == "\n"
