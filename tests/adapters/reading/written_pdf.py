"""Writes small PDF files: text in two fonts at given places, pictures, odd character maps, passwords."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

PASSWORD_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
IDENTIFIER = b"0123456789abcdef"
PICTURE = b"q 612 0 0 792 0 0 cm BI /W 2 /H 2 /CS /G /BPC 8 ID \x00\xff\xff\x00 EI Q\n"


def text(x: float, y: float, words: str, size: float = 10, font: str = "F", mode: int = 0) -> bytes:
    """Words at a place; fonts are F (Helvetica), B (bold) and M (Helvetica with the map of `pdf`)."""
    escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").encode("cp1252")
    return b"BT %d Tr /%b %g Tf %g %g Td (%b) Tj ET\n" % (mode, font.encode(), size, x, y, escaped)


def lines(x: float, y: float, words: Sequence[str], size: float = 10, font: str = "F") -> bytes:
    """Lines below each other."""
    return b"".join(text(x, y - 1.2 * size * row, line, size, font) for row, line in enumerate(words))


def pdf(
    *pages: bytes,
    info: dict[str, str] | None = None,
    mapped: dict[str, str] | None = None,
    xmp: str = "",
    password: str = "",
) -> bytes:
    """A PDF of pages, each given by its drawing. `mapped`: what glyphs of font M mean, as hexadecimal UTF-16."""
    first = 8
    numbers = [first + 2 * at for at in range(len(pages))]
    kids = b" ".join(b"%d 0 R" % number for number in numbers)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R%b>>" % (b"/Metadata 7 0 R" if xmp else b""),
        b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, len(pages)),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
        stream(_map(mapped or {})),
        stream(xmp.encode(), b"/Type/Metadata/Subtype/XML"),
    ]
    for number, drawing in zip(numbers, pages, strict=True):
        objects += [
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R"
            b"/Resources<</Font<</F 3 0 R/B 4 0 R/M 5 0 R>>>>>>" % (number + 1),
            stream(drawing),
        ]
    trailer = b""
    if info:
        told = b"".join(b"/%b(%b)" % (key.encode(), value.encode("cp1252")) for key, value in info.items())
        objects.append(b"<<%b>>" % told)
        trailer += b"/Info %d 0 R" % len(objects)
    if password:
        objects.append(_lock(password))
        trailer += b"/Encrypt %d 0 R/ID[<%b><%b>]" % (
            len(objects),
            IDENTIFIER.hex().encode(),
            IDENTIFIER.hex().encode(),
        )
    return file(objects, trailer)


def file(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """A file of numbered objects, with its index."""
    written, places = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    index = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % place for place in places)
    written += b"trailer\n<</Size %d/Root 1 0 R%b>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, index)
    return bytes(written)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """An object of bytes."""
    return b"<</Length %d%b>>\nstream\n%b\nendstream" % (len(data), entries, data)


def _map(mapped: dict[str, str]) -> bytes:
    pairs = b"".join(b"<%02X> <%b>\n" % (ord(glyph), meaning.encode()) for glyph, meaning in mapped.items())
    head = b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /x def /CMapType 2 def "
    spaces = b"1 begincodespacerange <00> <FF> endcodespacerange "
    chars = b"%d beginbfchar\n%bendbfchar " % (len(mapped), pairs) if mapped else b""
    return head + spaces + chars + b"endcmap end end"


def _lock(password: str) -> bytes:
    """The entry of a file that opens with a password only (standard handler, revision 2)."""
    padded = (password.encode() + PASSWORD_PAD)[:32]
    owner = _rc4(hashlib.md5(padded).digest()[:5], padded)
    permissions = (-44).to_bytes(4, "little", signed=True)
    key = hashlib.md5(padded + owner + permissions + IDENTIFIER).digest()[:5]
    user = _rc4(key, PASSWORD_PAD)
    return b"<</Filter/Standard/V 1/R 2/P -44/O<%b>/U<%b>>>" % (owner.hex().encode(), user.hex().encode())


def _rc4(key: bytes, data: bytes) -> bytes:
    state, at = list(range(256)), 0
    for index in range(256):
        at = (at + state[index] + key[index % len(key)]) % 256
        state[index], state[at] = state[at], state[index]
    found, left, right = bytearray(), 0, 0
    for byte in data:
        left = (left + 1) % 256
        right = (right + state[left]) % 256
        state[left], state[right] = state[right], state[left]
        found.append(byte ^ state[(state[left] + state[right]) % 256])
    return bytes(found)
