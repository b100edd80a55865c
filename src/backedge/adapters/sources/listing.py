"""Lists what there is to ingest at a path: the files of a folder, the records of a PubMed set, the lines of a list."""

from __future__ import annotations

import asyncio
import csv
import io
import os
import re
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from backedge.adapters.sources.files import MEDIA_TYPES, MOST_SET_BYTES, RECORD, FileSource, suffix_of
from backedge.adapters.sources.opened_file import content_of, failure_of, opened
from backedge.evidence.identifiers import identified
from backedge.kernel.defect import Permanent

_MOST_LIST_BYTES = 16 << 20
_HEAD = 65536
_SET = re.compile(rb"<PubmedArticleSet\b|<MedlineCitationSet\b")
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_COLUMN = "identifier"


@dataclass(frozen=True)
class Entry:
    """Something to ingest. A file's identifier is one of the adapter `file`; any other as it was written."""

    identifier: str
    is_file: bool


@dataclass(frozen=True)
class Skipped:
    """Something at the path that is not ingested: where (a path, or `list.csv:7`), and why."""

    where: str
    why: str


@dataclass(frozen=True)
class Listing:
    """All that is at a path, in order; nothing is left out without being named."""

    entries: tuple[Entry, ...]
    skipped: tuple[Skipped, ...] = ()


async def listed(source: FileSource, path: str) -> Listing:
    """What there is to ingest at a path that somebody typed. Raises `Permanent` or `Transient`.

    A folder: its files of known kinds, in sub-folders, too, by their names. A PubMed set: its records. A CSV file with
    a column `identifier`, or with identifiers in its first column: its lines. Any other file: itself.
    """
    real = _meant(source, path)
    if await asyncio.to_thread(real.is_dir):
        return await _folder(source, real)
    if real.name.lower().endswith(".csv") and (found := await asyncio.to_thread(_list, source, real)):
        return found
    return await _file(source, real)


def _meant(source: FileSource, path: str) -> Path:
    """Who types a link means what it leads to; that must be allowed, too."""
    return source.path(os.path.realpath(source.path(path)))


async def _folder(source: FileSource, folder: Path) -> Listing:
    skipped: list[Skipped] = []
    files = await asyncio.to_thread(lambda: list(_walked(source, folder, folder, skipped)))
    entries: list[Entry] = []
    for file in files:
        try:
            found = await _file(source, file)
        except Permanent as failure:
            skipped.append(Skipped(source.identifier(file), failure.message))
            continue
        entries += found.entries
        skipped += found.skipped
    return Listing(tuple(entries), tuple(skipped))


def _walked(source: FileSource, top: Path, folder: Path, skipped: list[Skipped]) -> Iterator[Path]:
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        skipped.append(Skipped(source.identifier(folder), failure_of(folder, error).message))
        return
    for name in names:
        path = folder / name
        why = _unwanted(top, path)
        if why is None and path.is_dir():
            yield from _walked(source, top, path, skipped)
        elif why is None:
            yield path
        else:
            shown = source.identifier(path).encode("utf-8", "backslashreplace").decode()
            skipped.append(Skipped(shown, why))


def _unwanted(top: Path, path: Path) -> str | None:
    """Why a name in a folder is passed over."""
    if re.search("[\x00-\x1f\x7f\ud800-\udfff]", path.name):
        return "its name has characters that are no text"
    if path.name.startswith("."):
        return "it is hidden"
    try:
        mode = path.lstat().st_mode
    except OSError as error:
        return failure_of(path, error).message
    if stat.S_ISLNK(mode):
        inside = Path(os.path.realpath(path)).is_relative_to(top)
        return f"it is a link {'within' if inside else 'out of'} the folder; links are not followed"
    if stat.S_ISDIR(mode):
        return None
    if not stat.S_ISREG(mode):
        return "it is a pipe, socket or device"
    known = ", ".join(MEDIA_TYPES)
    return None if suffix_of(path.name) else f"its kind is not known; known are {known}"


async def _file(source: FileSource, path: Path) -> Listing:
    identifier = source.identifier(path)
    if not await asyncio.to_thread(_is_set, path):
        return Listing((Entry(identifier, is_file=True),))
    records = await source.records_of(path)
    if not records.places:
        return Listing((), (Skipped(identifier, "it is a PubMed set without records"),))
    return Listing(tuple(Entry(f"{identifier}#pmid={pmid}", is_file=True) for pmid in records.places))


def _is_set(path: Path) -> bool:
    """Whether a file is a set of PubMed records, by its first bytes."""
    if suffix_of(path.name) not in (".xml", ".xml.gz"):
        return False
    with opened(path, MOST_SET_BYTES) as (file, _):
        head = file.read(_HEAD)
    if head.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, _HEAD)
        except zlib.error:
            return False
    return bool(_SET.search(head[:_HEAD]))


def _list(source: FileSource, path: Path) -> Listing | None:
    """The lines of a list of identifiers; None where the CSV file is none, but rows of values."""
    content = content_of(path, _MOST_LIST_BYTES)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    lines = list(_cells(text))
    header = [cell.strip().lower() for cell in lines[0][1]] if lines else []
    if _COLUMN in header:
        column, lines = header.index(_COLUMN), lines[1:]
    elif not _is_list(source, path, [cells[0] for _, cells in lines], alone=all(len(cells) == 1 for _, cells in lines)):
        return None
    else:
        column = 0
        lines = lines if _names(source, path, lines[0][1][0].strip()) else lines[1:]
    return _entries(
        source, path, [(line, cells[column].strip() if column < len(cells) else "") for line, cells in lines]
    )


def _cells(text: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of all lines that are not blank, with the number of the line on which they end."""
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text[:_HEAD], ",;\t")
    except csv.Error:
        dialect = csv.excel
    reader = csv.reader(io.StringIO(text), dialect)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise Permanent(f"line {reader.line_num} of the list cannot be read: {error}", mend="mend the line") from error


def _is_list(source: FileSource, path: Path, first: list[str], *, alone: bool) -> bool:
    """Whether a first column holds identifiers. Bare numbers are PubMed's only where they are `alone` in their lines,
    since rows of values may begin with numbers.
    """
    named = [cell for cell in map(str.strip, first) if _names(source, path, cell) and (alone or not cell.isdigit())]
    return len(named) * 2 > len(first) - 1 and bool(named)


def _names(source: FileSource, path: Path, cell: str) -> bool:
    return bool(identified(cell)) or bool(_URL.fullmatch(cell)) or _local(source, path, cell) is not None


def _local(source: FileSource, path: Path, cell: str) -> str | None:
    """A file beside the list, as the adapter calls it. What leads out of the list's folder is none."""
    record = RECORD.fullmatch(cell)
    written = record["path"] if record else cell
    if not written or "\0" in written:
        return None
    found = Path(os.path.realpath(path.parent / written))
    if not found.is_relative_to(path.parent) or not os.path.isfile(found):
        return None
    return source.identifier(found) + (f"#pmid={record['pmid']}" if record else "")


def _entries(source: FileSource, path: Path, lines: list[tuple[int, str]]) -> Listing:
    entries: dict[Entry, int] = {}
    skipped = []
    for line, cell in lines:
        local = _local(source, path, cell)
        entry = Entry(local or cell, is_file=local is not None)
        if local is None and not identified(cell) and not _URL.fullmatch(cell):
            shown = f"{cell[:80]!r} is" if cell else "there is"
            why = f"{shown} no DOI, PMID, PMCID, arXiv number, URL, or file in the folder of the list"
            skipped.append(Skipped(f"{path.name}:{line}", why))
        elif entry in entries:
            skipped.append(Skipped(f"{path.name}:{line}", f"it is the same as line {entries[entry]}"))
        else:
            entries[entry] = line
    return Listing(tuple(entries), tuple(skipped))
