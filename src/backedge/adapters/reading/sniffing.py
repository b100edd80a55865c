"""Tells the format of a content: by its first bytes, and only where those leave it open by media type and name."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import Literal

from backedge.evidence.reading import Unfit, Unparsed

Format = Literal["pdf", "jats", "medline", "html", "text", "rows"]

READER = "sniffing/1"
MOST_UNPACKED = 256 << 20
"""Bytes that a packed content may unpack to."""
MOST_TIMES = 200
"""How many times its size a packed content may unpack to; text packs to a tenth."""

_ADVICE = "Save it as PDF, XML, HTML or plain text, and add that."
_HEAD = 4096
_PDF_WITHIN = 1024  # bytes in which readers of PDF look for its header
_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")

_PICTURES: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"II+\0", "TIFF"),
    (b"BM", "BMP"),
    (b"\0\0\0\x0cjP", "JPEG 2000"),
    (b"AT&TFORM", "DjVu"),
)
_OTHERS: tuple[tuple[bytes, str], ...] = (
    (b"{\\rtf", "an RTF document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of an old Microsoft Office"),
    (b"%!PS", "a PostScript file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ\0", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3\0", "a database"),
)
_PACKED: tuple[tuple[str, str], ...] = (
    ("word/", "a Word document"),
    ("ppt/", "a PowerPoint presentation"),
    ("xl/", "an Excel workbook"),
    ("META-INF/container.xml", "an EPUB book"),
    ("content.xml", "an OpenDocument file"),
)
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body|title|meta|div|p|h[1-6]|article\s+class)\b", re.IGNORECASE)
_PROLOGUE = re.compile(r"\s*(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[>]|\[.*?\])*>)", re.DOTALL)
_ROOT = re.compile(r"\s*<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)")
_MEDLINE = re.compile(r"Pubmed(?:Book)?Article(?:Set)?|MedlineCitation(?:Set)?")
_ROWS = (".csv", ".tsv", ".tab", ".parquet")
_ROW_TYPES = ("text/csv", "text/tab-separated-values", "application/vnd.apache.parquet")
_CONTROL = bytes(set(range(32)) - {9, 10, 12, 13, 27})


@dataclass(frozen=True)
class Sniffed:
    """A format, and the content that its reader takes: unpacked where it was packed."""

    format: Format
    content: bytes


def sniffed(content: bytes, media_type: str, name: str) -> Sniffed | Unparsed:
    """The format of a content, or why it is none that is read. Nothing is ever unpacked but gzipped XML."""
    media_type, name = media_type.partition(";")[0].strip().lower(), name.lower()
    if not content.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return _refused("no_text", "It is empty.")
    if content.startswith(_GZIP):
        return _gunzipped(content)
    if content.startswith(_ZIP):
        return _zipped(content)
    if content.startswith(b"PAR1"):
        return Sniffed("rows", content)
    start = _start(content)
    if b"%PDF-" in content[:_PDF_WITHIN] and not start.startswith("<"):
        return Sniffed("pdf", content)
    if foreign := _foreign(content):
        return foreign
    found = _of_text(start, media_type, name)
    if media_type == "application/pdf" or name.endswith(".pdf"):
        what = "a web page, perhaps one that asks to log in" if found == "html" else "something else"
        return _refused("corrupt", f"It is called a PDF, but is {what}. Download the article itself.")
    if found == "text" and _is_binary(content):
        return _refused("unknown_format", f"It is neither text nor any document known here. {_ADVICE}")
    return Sniffed(found, content)


def _refused(why: Unfit, message: str) -> Unparsed:
    return Unparsed(why, message, READER)


def _start(content: bytes) -> str:
    """Its first characters, whatever Unicode encoding they are in."""
    head = content[:_HEAD]
    encoding = "utf-8-sig"
    if head.startswith((b"\xff\xfe", b"<\0")):
        encoding = "utf-16-le"
    elif head.startswith((b"\xfe\xff", b"\0<")):
        encoding = "utf-16-be"
    return head.decode(encoding, "replace").lstrip("\ufeff \t\r\n")


def _foreign(content: bytes) -> Unparsed | None:
    """What is known, and not read."""
    for magic, what in _PICTURES:
        if content.startswith(magic) and (len(magic) > 2 or _is_binary(content)):
            message = f"It is a picture ({what}). Run character recognition (OCR) on it, and add the PDF or text."
            return _refused("image_only", message)
    for magic, what in _OTHERS:
        if content.startswith(magic) and (len(magic) > 2 or _is_binary(content)):
            return _refused("unknown_format", f"It is {what}. {_ADVICE}")
    return None


def _of_text(start: str, media_type: str, name: str) -> Format:
    if start.startswith("<"):
        return _of_markup(start)
    if name.endswith(_ROWS) or media_type in _ROW_TYPES:
        return "rows"
    if media_type in ("text/html", "application/xhtml+xml") or name.endswith((".html", ".htm", ".xhtml")):
        return "html"
    if media_type.endswith("xml") or name.endswith((".xml", ".nxml")):
        return "jats"
    return "text"


def _of_markup(start: str) -> Format:
    """Of XML the root tells; what is neither PubMed's nor HTML is left to the reader of JATS, which names it."""
    if _HTML.match(start):
        return "html"
    at = 0
    while prologue := _PROLOGUE.match(start, at):
        if _HTML.match(prologue[0].lstrip()):
            return "html"
        at = prologue.end()
    root = _ROOT.match(start, at)
    if root is None:
        return "jats" if start.startswith(("<?", "<!")) else "text"
    if _MEDLINE.fullmatch(root[1]):
        return "medline"
    return "html" if root[1].lower() == "html" else "jats"


def _is_binary(content: bytes) -> bool:
    """Whether control characters stand among the first that no text has; wide text has NULs at every second place."""
    head = content[:_HEAD]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or _is_wide(head):
        return False
    return len(head) - len(head.translate(None, _CONTROL)) > 0.02 * len(head)


def _is_wide(head: bytes) -> bool:
    even, odd = head[::2].count(0), head[1::2].count(0)
    return max(even, odd) > 0.3 * len(head) / 2 and min(even, odd) < 0.02 * len(head)


def _gunzipped(content: bytes) -> Sniffed | Unparsed:
    """Gzipped XML, unpacked under the caps; anything else that is gzipped is refused."""
    most = min(MOST_UNPACKED, MOST_TIMES * len(content))
    try:
        unpacked = _inflated(content, most)
    except (zlib.error, EOFError) as error:
        return _refused("corrupt", f"It is gzipped, and damaged: {error}. Fetch it again.")
    if len(unpacked) > most:
        message = f"It is gzipped, and unpacks to more than {most:,} bytes from {len(content):,}: it is not unpacked."
        return _refused("hostile" if most < MOST_UNPACKED else "too_large", message)
    start = _start(unpacked)
    found = _of_markup(start) if start.startswith("<") else "text"
    if found not in ("jats", "medline"):
        return _refused("unknown_format", f"It is gzipped, and no XML. Unpack it. {_ADVICE}")
    return Sniffed(found, unpacked)


def _inflated(content: bytes, most: int) -> bytes:
    """All members of a gzip file, or one byte more than `most`."""
    pieces, left = [], content
    while left.startswith(_GZIP) and most >= 0:
        unpacker = zlib.decompressobj(wbits=31)
        piece = unpacker.decompress(left, most + 1)
        pieces.append(piece)
        most -= len(piece)
        if most >= 0 and not unpacker.eof:
            raise EOFError("it is cut off")
        left = unpacker.unused_data
    return b"".join(pieces)


def _zipped(content: bytes) -> Unparsed:
    """What an archive is, by its list of names; nothing in it is opened."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError):
        return _refused("corrupt", f"It is a damaged ZIP archive. {_ADVICE}")
    size = sum(member.file_size for member in members)
    if size > max(MOST_UNPACKED, MOST_TIMES * len(content)):
        return _refused("hostile", f"It is a ZIP archive that says it unpacks to {size:,} bytes. It was not opened.")
    names = [member.filename for member in members]
    for prefix, what in _PACKED:
        if any(name.startswith(prefix) for name in names):
            return _refused("unknown_format", f"It is {what}. {_ADVICE}")
    return _refused("unknown_format", f"It is a ZIP archive. Unpack it, and add the articles in it. {_ADVICE}")
