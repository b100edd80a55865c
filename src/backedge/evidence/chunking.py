"""Cuts a reading into chunks: whole sentences of one section, small enough for an embedder, with some overlap."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from backedge.evidence.chunks import Chunk
from backedge.evidence.reading import Reading, Section
from backedge.evidence.sentences import sentences

__all__ = ["LARGEST", "OVERLAP", "chunked", "own_stretches", "pieces", "sentences"]

LARGEST = 200
"""Word pieces of a chunk, as `pieces` estimates them. Small embedders read 256 and drop the rest without a word."""
OVERLAP = 60
"""Word pieces of the whole sentences that a chunk may share with the one before it."""

_COUNTED = re.compile(r"[0-9]+|[^\W\d_]+|[^\w\s]|[\w]")
_LAST_ASCII_LIKE = "\u02ff"  # up to here letters lose their accents and join in words; beyond, each is its own piece
_LETTERS, _DIGITS = 4, 3  # of a word, and of a number, for each piece after the first


@dataclass(frozen=True)
class _Unit:
    """What chunks are put together of. Only a `whole` one, that is no part of a longer one, is shared."""

    start: int
    end: int
    size: int
    whole: bool


def chunked(reading: Reading, version: str) -> tuple[Chunk, ...]:
    """The chunks of a version's reading in the order of its sections, numbered from 1.

    All of the text of its sections that is not white space is in one of them, references left out. A section that holds
    others is in their chunks; what it holds beside them is in chunks of its own. Tables are cut between rows.
    """
    found: list[Chunk] = []
    for section in reading.sections:
        if section.role == "references":
            continue
        for start, end in own_stretches(reading, section):
            for first, last in _grouped(_units(reading.text, section, start, end)):
                key = f"{version}:{len(found) + 1:04}"
                found.append(Chunk(key, version, section.key, section.role, first, last))
    return tuple(found)


def own_stretches(reading: Reading, section: Section) -> list[tuple[int, int]]:
    """What of a section stands in none of those that it holds, where there is more than white space."""
    inner = sorted((held.start, held.end) for held in reading.sections if held.parent == section.key)
    found, at = [], section.start
    for start, end in (*inner, (section.end, section.end)):
        found.append((at, start))
        at = max(at, end)
    return [(start, end) for start, end in found if reading.text[start:end].strip()]


def pieces(text: str) -> int:
    """About how many word pieces a text has, rather too many than too few; nothing of an embedder is loaded for it."""
    return sum(_pieces_of(found.group()) for found in _COUNTED.finditer(text))


def _pieces_of(token: str) -> int:
    if not token[0].isalpha():
        return 1 + (len(token) - 1) // _DIGITS
    alone = sum(character > _LAST_ASCII_LIKE for character in token)
    return alone + -(-(len(token) - alone) // _LETTERS)


def _units(text: str, section: Section, start: int, end: int) -> list[_Unit]:
    stretch = text[start:end]
    parts = _rows(stretch) if section.role == "table" else sentences(stretch)
    units = []
    for first, last in parts:
        size = pieces(stretch[first:last])
        if size <= LARGEST:
            units.append(_Unit(start + first, start + last, size, section.role != "table"))
        else:
            units += [_Unit(start + a, start + b, pieces(stretch[a:b]), False) for a, b in _cut(stretch, first, last)]
    return units


def _rows(text: str) -> list[tuple[int, int]]:
    return [(row.start(), row.end()) for row in re.finditer(r"\S(?:[^\n]*\S)?", text)]


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A stretch that is too long, cut at white space; within a token only where that alone is too long."""
    found, at, size, space = [], start, 0, start
    for token in re.finditer(r"\S+", text[start:end]):
        first, last = start + token.start(), start + token.end()
        more = pieces(token.group())
        if size and size + more > LARGEST:
            found.append((at, space))
            at, size = first, 0
        if more > LARGEST:  # within it each character is one piece at most
            edges = range(first, last, LARGEST)
            found += pairwise(edges)
            at = edges[-1]
            more = pieces(text[at:last])
        size += more
        space = last
    if at < end:
        found.append((at, end))
    return found


def _grouped(units: list[_Unit]) -> list[tuple[int, int]]:
    """As many units together as fit; each begins with the last whole sentences of the one before, where short."""
    found: list[tuple[int, int]] = []
    group: list[_Unit] = []
    fresh = False
    for unit in units:
        if fresh and _size(group) + unit.size > LARGEST:
            found.append((group[0].start, group[-1].end))
            group = _shared(group)
        if group and _size(group) + unit.size > LARGEST:
            group = []
        group.append(unit)
        fresh = True
    if group:
        found.append((group[0].start, group[-1].end))
    return found


def _shared(group: list[_Unit]) -> list[_Unit]:
    """The last whole sentences that are short enough to be told twice."""
    found: list[_Unit] = []
    for unit in reversed(group):
        if not unit.whole or _size(found) + unit.size > OVERLAP:
            break
        found.insert(0, unit)
    return found


def _size(units: list[_Unit]) -> int:
    return sum(unit.size for unit in units)
