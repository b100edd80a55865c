"""The source adapter `file`: brings files of the user, and single records of PubMed sets (`set.xml.gz#pmid=123`)."""

from __future__ import annotations

import asyncio
import mmap
import os
import re
import tempfile
from collections.abc import Awaitable
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from backedge.adapters.sources.opened_file import Identity, content_of, opened
from backedge.evidence.sources import Delivery, Metadata
from backedge.kernel.defect import Permanent

MEGABYTE = 1 << 20
MOST_BYTES = 64 * MEGABYTE
"""Of a file that is read as one source."""
MOST_SET_BYTES = 1024 * MEGABYTE
"""Of a file of many PubMed records, which never stands in memory as a whole."""

MEDIA_TYPES: dict[str, str] = {
    ".pdf": "application/pdf",
    ".xml": "application/xml",
    ".nxml": "application/xml",
    ".xml.gz": "application/gzip",
    ".nxml.gz": "application/gzip",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".parquet": "application/vnd.apache.parquet",
}
"""The known ends of file names."""

RECORD = re.compile(r"(?P<path>.+)#pmid=(?P<pmid>\d{1,12}(?:\.\d{1,3})?)")
"""What one record of a set is called; behind the point stands its version where it is not the first."""

_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_SETS = 2  # sets that are kept unpacked


class Described(Protocol):
    """Tells what a content says of itself (`reading.opening.ContentReader.describe`)."""

    def __call__(self, content: bytes, media_type: str, name: str) -> Awaitable[Metadata]:
        """What it says; empty where it cannot be read."""
        ...


class Unpacked(Protocol):
    """Takes a PubMed set apart (`reading.opening.ContentReader.records`)."""

    def __call__(self, content: memoryview, into: BinaryIO) -> Awaitable[dict[str, tuple[int, int]]]:
        """By PMID where in `into` each record begins, and its length in bytes."""
        ...


@dataclass
class RecordSet:
    """The records of a PubMed set, in a file that goes with the process; `places` holds them by PMID."""

    identity: Identity
    places: dict[str, tuple[int, int]]
    file: BinaryIO = field(repr=False)

    def record(self, pmid: str) -> bytes | None:
        """The bytes of one record."""
        place = self.places.get(pmid)
        return None if place is None else os.pread(self.file.fileno(), place[1], place[0])


class FileSource:
    """Brings files. A relative path stands in `folder`; with `only`, so must every path, absolute ones included.

    Metadata is what the file says of itself, told by `describe`.
    """

    name = "file"

    def __init__(self, folder: Path, describe: Described, records: Unpacked, *, only: bool = False) -> None:
        self.folder = Path(os.path.realpath(folder))
        self._describe = describe
        self._records = records
        self._only = only
        self._sets: dict[Path, RecordSet] = {}
        self._one = asyncio.Lock()

    async def fetch(self, identifier: str) -> Delivery:
        """The file at a path, or one record of a set. Raises `Permanent` with what to do, or `Transient`."""
        part, pmid = self._divided(identifier)
        path = self.path(part)
        if pmid:
            content = (await self.records_of(path)).record(pmid)
            if content is None:
                raise Permanent(f"{path} has no record of PMID {pmid}", mend="list the set again")
            name, media_type = f"{path.name}#pmid={pmid}", "application/xml"
        else:
            content = await asyncio.to_thread(content_of, path, MOST_BYTES)
            name, media_type = path.name, media_type_of(path.name)
        return Delivery(content, media_type, name, await self._describe(content, media_type, name))

    def path(self, identifier: str) -> Path:
        """Where an identifier stands, without `.` and `..`. Raises `Permanent` where it may not be read."""
        if not identifier or _CONTROL.search(identifier):
            raise Permanent(f"{identifier[:200]!r} is no path of a file", mend="give a path without control characters")
        path = Path(os.path.normpath(self.folder / identifier))
        if self._only and not path.is_relative_to(self.folder):
            raise Permanent(f"{identifier} is outside of {self.folder}", mend="move the file into that folder")
        return path

    def identifier(self, path: Path) -> str:
        """What a file is called: its path in `folder`, else its whole path."""
        return str(path.relative_to(self.folder) if path.is_relative_to(self.folder) else path)

    def _divided(self, identifier: str) -> tuple[str, str]:
        """The path of an identifier, and the PMID where it is one of a record. A file may be called so, too."""
        found = RECORD.fullmatch(identifier)
        if not found or os.path.lexists(self.folder / identifier):
            return identifier, ""
        return found["path"], found["pmid"]

    async def records_of(self, path: Path) -> RecordSet:
        """The records of a PubMed set, unpacked once; anew where the file was changed."""
        async with self._one:
            with opened(path, MOST_SET_BYTES) as (file, identity):
                known = self._sets.get(path)
                if known is not None and known.identity == identity:
                    return known
                made = await self._made(file, identity)
            self._forget(path)
            while len(self._sets) >= _SETS:
                self._forget(next(iter(self._sets)))
            self._sets[path] = made
            return made

    async def _made(self, file: BinaryIO, identity: Identity) -> RecordSet:
        into = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        try:
            if not identity.size:
                return RecordSet(identity, {}, into)
            # not closed here: where this is cancelled, a thread may still be reading it
            content = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            places = await self._records(content, into)
            into.flush()
        except BaseException:
            into.close()
            raise
        return RecordSet(identity, places, into)

    def _forget(self, path: Path) -> None:
        if known := self._sets.pop(path, None):
            known.file.close()

    async def close(self) -> None:
        """Let go of the unpacked sets."""
        for path in list(self._sets):
            self._forget(path)


def media_type_of(name: str) -> str:
    """The media type of a file by the end of its name; bytes of whatever kind where that is not known."""
    return MEDIA_TYPES.get(suffix_of(name), "application/octet-stream")


def suffix_of(name: str) -> str:
    """The known end of a file's name, small; empty where there is none."""
    return max((end for end in MEDIA_TYPES if name.lower().endswith(end)), key=len, default="")
