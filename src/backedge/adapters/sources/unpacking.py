"""Takes the body of an answer, bounded as it is unpacked, and what a body of an error says."""

from __future__ import annotations

import json
import re

import httpx2

from backedge.kernel.defect import Permanent, Transient

_PACKED = frozenset({"", "identity", "gzip", "x-gzip"})
_HONEST = 4 << 20  # bytes up to which no ratio is looked at
_RATIO = 200  # times that honest text and XML never shrinks to
_WORDS = 200
_ERROR = 20_000
_NAMES = ("message", "error", "errMsg", "detail", "description")
_ELEMENT = re.compile(r"<(?P<name>ERROR|error|summary)\b[^<>]*>(?P<said>[^<>]*)</(?P=name)>")


async def unpacked(said: httpx2.Response, host: str, most: int) -> bytes:
    """The bytes of a body. Raises `Permanent` where they are more than `most`, or swell as only a bomb does."""
    packed = said.headers.get("content-encoding", "").strip().lower()
    if packed not in _PACKED:
        raise Transient(f"{host} packed its answer as {packed[:20]!r}, which it was not asked to")
    held = bytearray()
    async for piece in said.aiter_bytes():
        held += piece
        if len(held) > most:
            raise Permanent(f"{host} sent more than {most:,} bytes", mend="download the file, and add a part of it")
        if len(held) > _HONEST and len(held) > _RATIO * max(said.num_bytes_downloaded, 1):
            raise Permanent(f"{host} sent a little that swells without end: it is refused", mend="use another source")
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
    """What the body of an error says, on one line, cut short; empty where it is a page or says nothing."""
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
    return " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())[:_WORDS]
