"""Reads records of PubMed (MEDLINE XML): title, abstract with its labels, standing, links, MeSH headings."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from typing import Any

from lxml import etree

from backedge.adapters.reading.building import Builder
from backedge.adapters.reading.markup import child, children, local, opened, plain
from backedge.adapters.reading.medline_metadata import metadata_of
from backedge.adapters.reading.prose import Prose
from backedge.evidence.reading import Reading, Unparsed

READER = "medline/1"
MOST_BYTES = 2_000_000_000
"""Of a set, decompressed: the yearly files of PubMed have some 200 to 400 million."""

RECORDS = ("PubmedArticle", "PubmedBookArticle")
_NO_RECORD = "It is XML, but holds no record of PubMed. Export the records as `PubMed XML`, or save the article itself."


class Damaged(ValueError):
    """A set of records cannot be read to its end; says where and why."""


def read(content: bytes, name: str) -> Reading | Unparsed:
    """The one record in a PubMed document; `name` tells nothing here, the content tells all.

    Of a set each record is a source of its own: `records` takes it apart, and this refuses it.
    """
    root = opened(content, READER)
    if isinstance(root, Unparsed):
        return root
    found = [root] if local(root) in RECORDS else [part for part in root if local(part) in RECORDS]
    if not found:
        return Unparsed("unknown_format", _NO_RECORD, READER)
    if len(found) > 1:
        message = f"It holds {len(found)} records: add the file itself, and each is taken as a source (FILE#pmid=…)."
        return Unparsed("unknown_format", message, READER)
    return _written(found[0])


def records(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Each record of a set, gzipped or not: its PMID, with the version where it is not the first (`30271887.2`), and
    the bytes of that record alone, which `read` takes.

    One record at a time is in memory. Raises `Damaged` where the set ends badly or is larger than `MOST_BYTES`; the
    records before it were given.
    """
    source: io.BufferedIOBase = io.BytesIO(content)
    if content[:2] == b"\x1f\x8b":
        source = gzip.GzipFile(fileobj=source)
    parser = etree.XMLPullParser(
        ("end",), tag=RECORDS, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False
    )
    size = 0
    try:
        while block := source.read(1 << 20):
            size += len(block)
            if size > MOST_BYTES:
                raise Damaged(f"the set has more than {MOST_BYTES:,} bytes: divide it")
            parser.feed(block)
            yield from _ended(parser)
        parser.close()
    except (etree.XMLSyntaxError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Damaged(f"the set cannot be read to its end: {' '.join(str(error).split())}") from error


def _ended(parser: Any) -> Iterator[tuple[str, bytes]]:
    """The records that are whole; each is forgotten once it was given."""
    for _, record in parser.read_events():
        record.tail = None
        yield _key(record), bytes(etree.tostring(record, encoding="utf-8", xml_declaration=True))
        parent = record.getparent()
        if parent is not None:
            parent.clear()


def _key(record: etree._Element) -> str:
    pmid = _pmid(record)
    version = "1" if pmid is None else pmid.get("Version", "1")
    return plain(pmid) if version == "1" else f"{plain(pmid)}.{version}"


def _pmid(record: etree._Element) -> etree._Element | None:
    return child(citation_of(record), "PMID")


def citation_of(record: etree._Element) -> etree._Element | None:
    """The part of a record that describes the article or book."""
    found = child(record, "MedlineCitation")
    return found if found is not None else child(record, "BookDocument")


def _written(record: etree._Element) -> Reading | Unparsed:
    builder = Builder(READER)
    prose, citation = Prose(builder), citation_of(record)
    article = child(citation, "Article") if local(record) == "PubmedArticle" else citation
    with builder.section("title"):
        for part in children(article, "ArticleTitle", "VernacularTitle"):
            prose.part(part)
        if child(article, "ArticleTitle") is None and (book := child(article, "Book", "BookTitle")) is not None:
            prose.part(book)
    for abstract in (*children(article, "Abstract"), *children(citation, "OtherAbstract")):
        _abstract(abstract, builder, prose)
    for keywords in children(citation, "KeywordList"):
        with builder.section("other", "Keywords"):
            for word in children(keywords, "Keyword"):
                prose.part(word)
    return builder.finish(metadata_of(record))


def _abstract(abstract: etree._Element, builder: Builder, prose: Prose) -> None:
    """A section for the abstract, and one within it for each label; the label is no text of it."""
    label = abstract.get("Language") or abstract.get("Type") or ""
    with builder.section("abstract", "Abstract", label if local(abstract) == "OtherAbstract" else ""):
        for part in children(abstract, "AbstractText"):
            said = part.get("Label") or ""
            if said:
                with builder.section("abstract", said.capitalize(), said.upper()):
                    prose.part(part)
            else:
                builder.paragraph()
                prose.part(part)
