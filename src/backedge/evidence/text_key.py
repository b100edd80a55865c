"""The key of a text: what is left of it without white space and presentation, and where each of its characters stands.

Folded are only ways of writing the same characters (docs/quotations.md has the table): ligatures, dashes, quotation
marks, widths, alphabets of mathematics, shapes of Arabic letters. Punctuation and case stay; no digit changes its value
or its height.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from dataclasses import dataclass

HYPHEN = "-"
SOFT_HYPHEN = "\u00ad"
LINE_END = "\ufffe"  # what a PDF reader writes for the hyphen at the end of a line
# Decompositions that change how a character looks and not what it is. `super`, `sub`, `fraction`, `circle`, `square`
# and plain `compat` are none: 10² is not 102, ½ is not 12, ① is not 1.
_LOOKS = ("<wide>", "<narrow>", "<font>", "<initial>", "<medial>", "<final>", "<isolated>", "<vertical>")
_GROUPS = {
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d" + SOFT_HYPHEN + LINE_END,
    "'": "`\u00b4\u2018\u2019\u201a\u201b\u02bc\u02b9\u2032\u2039\u203a\uff07",
    '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02",
    "": "\u061c\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2066\u2067\u2068\u2069\ufeff"
    + "".join(map(chr, range(0xFE00, 0xFE10))),
    "\u00b0": "\u00ba\u02da",
    "\u00b7": "\u22c5\u2219",
    "\u03bc": "\u00b5",
    "~": "\u223c",
    "*": "\u2217",
    "/": "\u2215\u2044",
    ":": "\u2236",
    "<=": "\u2264\u2266\u2a7d",
    ">=": "\u2265\u2267\u2a7e",
    "...": "\u2026",
    "\u00b0C": "\u2103",
    "\u00b0F": "\u2109",
    "ff": "\ufb00",
    "fi": "\ufb01",
    "fl": "\ufb02",
    "ffi": "\ufb03",
    "ffl": "\ufb04",
    "st": "\ufb05\ufb06",
}
FOLDED: dict[str, str] = {character: to for to, characters in _GROUPS.items() for character in characters}
_INVISIBLE_GAPS = "\u180e\u200b\u2062\u2063\u2064"  # seen as nothing, but what they divide is not one number
_known: dict[str, str] = {}


@dataclass(frozen=True)
class Key:
    """A key, and for each of its characters the place in the text of the character that it comes from."""

    text: str
    places: array[int]


def key_of(text: str) -> Key:
    """The key of a text, in one pass: stretches without anything to fold are taken whole."""
    changed = [character for character in set(text) if fold_one(character) != character]
    if not changed:
        return Key(text, array("l", range(len(text))))
    parts: list[str] = []
    places = array("l")
    at = 0
    for found in re.finditer(f"[{re.escape(''.join(changed))}]", text):
        place = found.start()
        parts.append(text[at:place])
        places.extend(range(at, place))
        at = place + 1
        if to := fold_one(found.group()):
            parts.append(to)
            places.extend([place] * len(to))
    parts.append(text[at:])
    places.extend(range(at, len(text)))
    return Key("".join(parts), places)


def folded(text: str) -> str:
    """The key of a text without its places."""
    if text.isascii():
        return "".join(text.split()).replace("`", "'")
    return "".join(map(fold_one, text))


def is_gap(character: str) -> bool:
    """Whether a character only divides: white space, and what is as good as that."""
    return character.isspace() or character in _INVISIBLE_GAPS


def fold_one(character: str) -> str:
    """What a character is in a key: nothing, itself, or the characters that it is another way of writing."""
    found = _known.get(character)
    if found is None:
        found = _known[character] = _fold(character)
    return found


def _fold(character: str) -> str:
    if is_gap(character):
        return ""
    if character in FOLDED:
        return FOLDED[character]
    looks = unicodedata.decomposition(character).startswith(_LOOKS)
    parts = unicodedata.normalize("NFKC" if looks else "NFD", character)
    return character if parts == character else "".join(map(fold_one, parts))


def without_hyphens(key: Key) -> Key:
    """The key without any hyphen: what words look alike with, however lines were broken."""
    kept = [at for at, character in enumerate(key.text) if character != HYPHEN]
    return Key("".join(key.text[at] for at in kept), array("l", (key.places[at] for at in kept)))


def may_be_dropped(text: str, place: int) -> bool:
    """Whether the hyphen at a place may be there only because a line ended: at the end of one, or a soft one."""
    if text[place] in (LINE_END, SOFT_HYPHEN):
        return True
    at = place + 1
    while at < len(text) and text[at] in " \t\r":
        at += 1
    return at < len(text) and text[at] == "\n"
