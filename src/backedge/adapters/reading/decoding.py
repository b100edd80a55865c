"""Decodes the bytes of a text or page: by its byte order mark, by what it declares, as UTF-8, else as Windows-1252."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from backedge.evidence.reading import Issue

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_AS_BROWSERS_DO = {"iso-8859-1": "cp1252", "ascii": "cp1252", "latin-1": "cp1252", "gb2312": "gbk"}
_SAMPLE = 4_096


@dataclass(frozen=True)
class Decoded:
    """Text, and the issue where its encoding had to be guessed or was not what was said."""

    text: str
    issue: Issue | None = None


def decoded(content: bytes, declared: str = "") -> Decoded:
    """The text of some bytes; never fails, so a binary content must be refused before."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return _strictly(content[len(mark) :], name) or _guessed(content[len(mark) :], name)
    if declared:
        name = _known(declared)
        found = _strictly(content, name) if name else None
        return found or _guessed(content, declared)
    wide = _wide(content)
    return (_strictly(content, wide) if wide else None) or _strictly(content, "utf-8") or _guessed(content, "")


def _strictly(content: bytes, name: str) -> Decoded | None:
    try:
        return Decoded(content.decode(name))
    except UnicodeDecodeError:
        return None


def _known(declared: str) -> str:
    """The codec of a name, empty where there is none that makes text of bytes."""
    try:
        found = codecs.lookup(declared.strip().strip("\"'"))
    except (LookupError, ValueError):
        return ""
    if not getattr(found, "_is_text_encoding", True):
        return ""
    return _AS_BROWSERS_DO.get(found.name, found.name)


def _wide(content: bytes) -> str:
    """Whether every second byte is NUL, as in UTF-16 text without a byte order mark."""
    sample = content[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if len(sample) < 4 or max(even, odd) * 3 < len(sample):
        return ""
    return "utf-16-be" if even > odd else "utf-16-le"


def _guessed(content: bytes, declared: str) -> Decoded:
    """UTF-8 where most of what is not ASCII is valid UTF-8, else Windows-1252; the issue says so."""
    said = f"It says {declared!r}, which it is not. " if declared else ""
    as_utf8 = content.decode("utf-8", errors="replace")
    lost = as_utf8.count("\ufffd")
    if lost * 2 <= sum(char > "\x7f" for char in as_utf8):
        if not lost:
            return Decoded(as_utf8, Issue("encoding", f"{said}It was read as UTF-8."))
        return Decoded(as_utf8, Issue("encoding", f"{said}It was read as UTF-8; some bytes are none.", 0, lost))
    text = content.decode("cp1252", errors="replace")
    return Decoded(text, Issue("encoding", f"{said}It is no UTF-8: it was read as Windows-1252, which may be wrong."))
