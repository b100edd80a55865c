"""The format of a content is told by what it holds; what is not read is refused with its reason, never opened."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile

import pytest

from backedge.adapters.reading.sniffing import MOST_TIMES, Sniffed, sniffed
from backedge.evidence.reading import Unparsed

ARTICLE = b'<?xml version="1.0"?><article><front/></article>'
SET = b"""<?xml version='1.0'?>
<!DOCTYPE PubmedArticleSet PUBLIC 'x' 'y'>
<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>"""
PAGE = b"<!DOCTYPE html>\n<html><body><h1>Mice</h1></body></html>"


def zipped(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "media_type", "name", "format_"),
    [
        (b"%PDF-1.7\n", "", "", "pdf"),
        (b"\x00\r\njunk " * 40 + b"%PDF-1.7\n", "", "", "pdf"),
        (b"%PDF-1.7\n", "text/html", "a.html", "pdf"),
        (ARTICLE, "", "", "jats"),
        (b"\xef\xbb\xbf \n" + ARTICLE, "", "", "jats"),
        (ARTICLE.decode().replace("1.0", "1.0").encode("utf-16"), "", "", "jats"),
        (b"<!-- a > b --><!DOCTYPE article [<!ENTITY x 'y'>]>\n<article/>", "text/plain", "a.txt", "jats"),
        (b"<rss/>", "", "", "jats"),  # whose reader says that it is none
        (SET, "", "", "medline"),
        (b"<PubmedBookArticle/>", "", "", "medline"),
        (PAGE, "", "", "html"),
        (b"<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'><html xmlns='x'/>", "", "", "html"),
        (b"<?xml version='1.0'?><html/>", "application/xml", "a.xml", "html"),
        (b"  <HTML>", "", "", "html"),
        (b"<p>Mice</p>", "", "", "html"),
        (b"Mice", "text/html; charset=utf-8", "", "html"),
        (b"Mice", "", "a.HTM", "html"),
        (b"Mice grow.", "", "", "text"),
        (b"# Mice", "text/markdown", "a.md", "text"),
        (b"<0.05 is small", "", "", "text"),
        (b"BMI was 25", "", "", "text"),
        (b"MZ twins", "", "", "text"),
        ("Mice".encode("utf-16"), "", "", "text"),
        ("Mice grow in the light".encode("utf-16-le"), "", "", "text"),
        (b"Words of %PDF-1.7", "", "", "pdf"),
        (PAGE + b"%PDF-1.7", "", "", "html"),
        (b"a,b\n1,2\n", "", "a.csv", "rows"),
        (b"a\tb\n1\t2\n", "text/tab-separated-values", "", "rows"),
        (b"PAR1\x15\x04", "", "", "rows"),
    ],
)
def test_formats(content: bytes, media_type: str, name: str, format_: str) -> None:
    found = sniffed(content, media_type, name)
    assert isinstance(found, Sniffed), found
    assert (found.format, found.content) == (format_, content)


@pytest.mark.parametrize(
    ("content", "name", "why", "part"),
    [
        (b"", "", "no_text", "empty"),
        (b"\xef\xbb\xbf\r\n \0", "", "no_text", "empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "", "image_only", "PNG"),
        (b"\xff\xd8\xff\xe0", "", "image_only", "OCR"),
        (b"BM\x00\x01\x02\x03\x00\x00", "", "image_only", "BMP"),
        (b"{\\rtf1 Mice}", "", "unknown_format", "RTF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "", "unknown_format", "Office"),
        (b"%!PS-Adobe-3.0", "", "unknown_format", "PostScript"),
        (b"MZ\x90\x00\x03\x00\x00\x00", "", "unknown_format", "program"),
        (bytes(range(256)) * 4, "a.txt", "unknown_format", "neither text"),
        (zipped(word__document_xml=b"<w/>"), "", "unknown_format", "Word"),
        (zipped(xl__workbook_xml=b"<w/>"), "", "unknown_format", "Excel"),
        (
            zipped(mimetype=b"application/epub+zip", **{"META-INF__container_xml": b"<c/>"}),
            "",
            "unknown_format",
            "EPUB",
        ),
        (zipped(a_pdf=b"%PDF-1.7"), "", "unknown_format", "Unpack it"),
        (b"PK\x03\x04 and nothing more", "", "corrupt", "ZIP"),
        (gzip.compress(b"Mice grow.", mtime=0), "", "unknown_format", "no XML"),
        (gzip.compress(PAGE, mtime=0), "", "unknown_format", "no XML"),
        (gzip.compress(gzip.compress(ARTICLE, mtime=0), mtime=0), "", "unknown_format", "no XML"),
        (gzip.compress(ARTICLE, mtime=0)[:-12], "", "corrupt", "cut off"),
        (gzip.compress(ARTICLE, mtime=0)[:14] + b"\xff\xff\xff\xff", "", "corrupt", "damaged"),
        (PAGE, "article.pdf", "corrupt", "log in"),
        (b"Not found", "article.PDF", "corrupt", "Download"),
    ],
)
def test_refusals(content: bytes, name: str, why: str, part: str) -> None:
    found = sniffed(content, "", name)
    assert isinstance(found, Unparsed)
    assert (found.why, part in found.message) == (why, True), found.message


def test_gzipped_xml_is_unpacked() -> None:
    found = sniffed(gzip.compress(SET, mtime=0), "", "pubmed.xml.gz")
    assert found == Sniffed("medline", SET)
    members = gzip.compress(ARTICLE[:20], mtime=0) + gzip.compress(ARTICLE[20:], mtime=0)
    assert sniffed(members, "", "") == Sniffed("jats", ARTICLE)


def test_a_gzip_bomb_is_not_unpacked() -> None:
    bomb = gzip.compress(b"<article>" + b" " * 20_000_000, mtime=0)
    assert len(bomb) * MOST_TIMES < 20_000_000
    found = sniffed(bomb, "", "")
    assert isinstance(found, Unparsed)
    assert found.why == "hostile"
    many = b"".join(gzip.compress(b"<a>" + b" " * 1_000_000, mtime=0) for _ in range(8))
    assert isinstance(found := sniffed(many, "", ""), Unparsed)
    assert found.why == "hostile"


def test_a_zip_bomb_is_not_opened() -> None:
    """Its list of names says 4 GB, though there is nothing of that in it."""
    packed = bytearray(zipped(word__document_xml=b"<w/>"))
    at = packed.index(b"PK\x01\x02")
    packed[at + 24 : at + 28] = struct.pack("<I", 0xFFFFFFF0)
    found = sniffed(bytes(packed), "", "a.docx")
    assert isinstance(found, Unparsed)
    assert (found.why, "not opened" in found.message) == ("hostile", True)
