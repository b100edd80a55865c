"""Takes from a PDF what it says of itself: title, identifiers, and marks that say that it was withdrawn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from backedge.adapters.reading.pdf_outline import clean
from backedge.adapters.reading.pdf_pages import Line
from backedge.evidence.identifiers import arxiv, doi, pmcid
from backedge.evidence.sources import Identifiers, Metadata, Signal

INFO = ("Title", "Subject", "doi", "DOI", "WPS-ARTICLEDOI")
"""The entries of a PDF's own description that are looked at."""

_XMP_DOI = re.compile(rb"<(?:prism|pdfx|crossmark):(?:doi|DOI)>\s*([^<\s]{6,200})\s*</")
_DOI = re.compile(r"(?:\bdoi\s*:?\s*|doi\.org/)(10\.\d{4,9}/[^\s\"<>\ufffe]+)(?P<cut>\ufffe?)", re.IGNORECASE)
_STAMP = re.compile(r"\barXiv:\s*((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?)\s*\[")
_PMCID = re.compile(r"\bPMCID:?\s*(PMC\d+)")
_NO_TITLE = re.compile(
    r"^(?:untitled|microsoft word|powerpoint|title|document\d*)\b|\.(?:docx?|tex|pdf|indd|dvi)$", re.I
)
_MARK = re.compile(r"(RETRACTED|WITHDRAWN)(?: (?:ARTICLE|PAPER|PUBLICATION))?|(Retracted|Withdrawn) (?:Article|Paper)")
_GOES_ON = (".", "-", "/", "_", "(", "‐")


def metadata_of(content: bytes, info: Mapping[str, str], title: str, pages: Sequence[Sequence[Line]]) -> Metadata:
    """What the file says of itself. `title` is the one that stands on its first page, empty where none was found."""
    first = "\n".join(line.text for line in pages[0]) if pages else ""
    stamp = _STAMP.search(first)
    number, version = arxiv(stamp[1]) if stamp else ("", "")
    numbers = {pmcid(found) for found in _PMCID.findall(first)}
    said = Identifiers(doi=_doi(content, info, first), pmcid=numbers.pop() if len(numbers) == 1 else "", arxiv=number)
    return Metadata(
        title=_title(info.get("Title", ""), title, first),
        version_label=version,
        identifiers=said,
        signals=tuple(_marks(pages)),
    )


def _title(told: str, shown: str, first: str) -> str:
    """The title on the page; else the one of the file's description, where it stands on the page, too."""
    shown, told = clean(shown), clean(told)
    if shown or _NO_TITLE.search(told) or len(told) < 4:
        return shown
    return told if _key(told) in _key(first) else ""


def _key(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def _doi(content: bytes, info: Mapping[str, str], first: str) -> str:
    """The DOI of the description, else the only one that the first page marks as one.

    Another paper's DOI would join two sources, so that of several none is taken, nor one that a line's end may cut.
    """
    told = [found[1].decode("utf-8", "replace") for found in _XMP_DOI.finditer(content)]
    told += [info.get(name, "") for name in INFO if name.lower().endswith("doi")]
    told += [found[1] for found in _DOI.finditer(info.get("Subject", ""))]
    for text in told:
        if number := doi(text):
            return number
    numbers = set(_marked(first))
    return numbers.pop() if len(numbers) == 1 else ""


def _marked(first: str) -> Iterator[str]:
    for found in _DOI.finditer(first):
        ends_line = found.end() == len(first) or first[found.end()] in "\r\n"
        if not found["cut"] and not (ends_line and found[1].endswith(_GOES_ON)):
            yield doi(found[1])


def _marks(pages: Sequence[Sequence[Line]]) -> Iterator[Signal]:
    """A mark such as RETRACTED across at least half of the pages."""
    marked = [match for page in pages for match in [_first_mark(page)] if match]
    if marked and len(marked) * 2 >= len(pages):
        said = marked[0][0]
        yield Signal("retracted" if said[0] == "R" else "withdrawn", "mark on the pages", said)


def _first_mark(page: Sequence[Line]) -> re.Match[str] | None:
    return next((match for line in page if (match := _MARK.fullmatch(line.text.strip()))), None)
