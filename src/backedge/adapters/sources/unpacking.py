"""Takes the body of an answer, bounded as it is unpacked, and what a body of an error says."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator

import httpx2

from backedge.kernel.defect import Permanent, Transient

_PLAIN = frozenset({"", "identity"})
_PACKED = frozenset({"gzip", "x-gzip"})
_HONEST = 4 << 20  # bytes up to which no ratio is looked at
_RATIO = 200  # times that honest text and XML never shrinks to
_PIECE = 1 << 20
_ERROR = 20_000
_NAMES = ("message", "error", "errMsg", "detail", "description")
_ELEMENT = re.compile(r"<(?P<name>ERROR|error|summary)\b[^<>]*>(?P<said>[^<>]*)</(?P=name)>")


class _Gzip:
    """Unpacks gzip piece by piece. `whole` tells whether it came to its end, its checksum included."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._members = zlib.decompressobj(zlib.MAX_WBITS | 16)

    @property
    def whole(self) -> bool:
        return self._members.eof

    def pieces(self, packed: bytes) -> Iterator[bytes]:
        """What a piece holds, at most a megabyte at a time."""
        while packed:
            if self._members.eof:
                self._members = zlib.decompressobj(zlib.MAX_WBITS | 16)
            try:
                yield self._members.decompress(packed, _PIECE)
            except zlib.error as error:
                raise Transient(f"{self._host} sent what cannot be unpacked") from error
            packed = self._members.unused_data if self._members.eof else self._members.unconsumed_tail


async def unpacked(said: httpx2.Response, host: str, most: int) -> bytes:
    """The bytes of a body. Raises `Permanent` where they are more than `most`, or swell as only a bomb does.

    A packed body that was cut short raises `Transient`, even where all of it came that was promised.
    """
    packing = said.headers.get("content-encoding", "").strip().lower()
    if packing not in _PLAIN | _PACKED:
        raise Transient(f"{host} packed its answer as {packing[:20]!r}, which it was not asked to")
    gzip = _Gzip(host) if packing in _PACKED else None
    held = bytearray()
    async for raw in said.aiter_raw():
        for piece in gzip.pieces(raw) if gzip else (raw,):
            held += piece
            if len(held) > most:
                raise Permanent(f"{host} sent more than {most:,} bytes", mend="download the file, and add a part of it")
            if len(held) > _HONEST and len(held) > _RATIO * max(said.num_bytes_downloaded, 1):
                raise Permanent(f"{host} sent a little that swells without end", mend="use another source")
    if gzip and not gzip.whole:
        raise Transient(f"{host} sent half of what it packed")
    return bytes(held)


async def beginning(said: httpx2.Response) -> bytes:
    """The first bytes of a body, enough to see what an error says."""
    held = bytearray()
    async for piece in said.aiter_bytes():
        held += piece
        if len(held) >= _ERROR:
            break
    return bytes(held[:_ERROR])


def said_in(content: bytes) -> str:
    """What the body of an error says, on one line; empty where it is a page or says nothing."""
    text = content.decode("utf-8", "replace")
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = None
    words = ""
    if isinstance(told, dict):
        words = next((str(told[name]) for name in _NAMES if isinstance(told.get(name), str)), "")
    elif found := _ELEMENT.search(text):
        words = found["said"]
    elif "<" not in text and told is None:
        words = text
    return " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())
