"""Tells which quotations of a record are background, by section and label, and whether the others carry the finding."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from backedge.evidence.numerals import mismatches
from backedge.evidence.opposition import About, directions
from backedge.evidence.polarity import content
from backedge.evidence.reading import Section
from backedge.evidence.records import Proposal, Span

BACKGROUND = frozenset({"introduction", "references", "background"})
REFERENCES = "references"
_LABELLED = frozenset({"abstract", "other", "title"})  # roles in which words such as "Objective:" part the text
_CARRIED = 3  # of an endpoint's words at least one in so many must stand where the finding was seen

_BEFORE_FINDINGS = (
    r"background|introduction|context|rationale|importance|objectives?|aims?|goals?|purpose|hypothes[ie]s|methods?"
    r"|materials|design|setting|participants|patients|interventions?|(?:main\s+)?outcome\s+measures?"
)
_FINDINGS = r"results?|(?:main\s+)?findings?|observations?|conclusions?|interpretation|discussion|significance"
_NO_FINDINGS = re.compile(rf"\W*(?:{_BEFORE_FINDINGS})\b(?!.*\b(?:results?|findings?)\b)", re.IGNORECASE)
# A label in running text begins a sentence or a line, with a capital, and ends with a colon (in capitals also with a
# full stop or dash): "Background: …", "AIMS AND METHODS. …", "**Results:** …".
_WORDS = rf"(?:{_BEFORE_FINDINGS}|{_FINDINGS})"
_INLINE = re.compile(
    rf"(?:\A|[\n\r]|[.!?)\]]\s|[*_#>]\s?)[ \t*_#>]{{0,8}}"
    rf"(?P<label>(?=[A-Z])(?i:(?:the\s+)?{_WORDS}(?:\s*(?:,|/|&|and|of\s+the\s+study)\s*(?:{_WORDS})?){{0,3}}))"
    r"[ \t*_]{0,8}(?P<sign>[:.–—-])"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\r?\n")

# An entry of a list of literature: perhaps its number, an author with initials, and a year with volume and pages, or a
# DOI, behind it.
_LONGEST_ENTRY = 600
_AUTHOR = (
    r"(?:[\[(]\d{1,4}[\])]|\d{1,4}[.)]|[-*•])?[ \t]*(?:(?:van|von|der|den|de|la|le|al|el|da|di) )*"
    r"[A-Z][^\W\d_]+(?:[ '’-][A-Z]?[^\W\d_]+)?,? (?:[A-Z]\.?[ -]?){1,3}"
)
_PAGES = r"\d+\s*(?:\([^)\n]*\))?\s*[:,]\s*\w?\d+"
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_ENTRY = re.compile(
    rf"[ \t]*{_AUTHOR}[^\n]{{0,400}}?(?:\b{_YEAR}\b[^\n]{{0,12}}[;:,]\s*{_PAGES}"
    rf"|\({_YEAR}\)[^\n]{{10,300}}?,\s*{_PAGES}"
    r"|\b[Dd][Oo][Ii]\s*[:.]\s*10\.\d{4,9}/|https?://(?:dx\.)?doi\.org/10\.)"
)


def place_of(span: Span, section: Section | None, text: str) -> str:
    """The role of the place that is quoted; `background` where a label says that nothing was seen there.

    `references` too where the line is an entry of a list of literature, whatever its section is called.
    """
    if span.role != REFERENCES and _is_entry(span, text):
        return REFERENCES
    if span.role == "abstract" and section is not None and _NO_FINDINGS.match(section.label or section.title):
        return "background"
    if span.role in _LABELLED and section is not None and _NO_FINDINGS.match(_label_before(span, section, text)):
        return "background"
    return span.role


def _is_entry(span: Span, text: str) -> bool:
    """Whether the first line that is quoted is an entry of a list of literature."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    line = text[start : end if end >= 0 else len(text)]
    return len(line) <= _LONGEST_ENTRY and _ENTRY.match(line) is not None


def _label_before(span: Span, section: Section, text: str) -> str:
    """The label in whose part the last of the quoted words stand; in an abstract it reaches to the next one.

    Elsewhere it reaches to the end of its paragraph.
    """
    start = section.start
    if span.role != "abstract":
        paragraphs = [found.end() for found in _PARAGRAPH.finditer(text, section.start, span.start)]
        start = paragraphs[-1] if paragraphs else start
    label = ""
    for found in _INLINE.finditer(text, start, span.end):
        if found["sign"] == ":" or found["label"].isupper():
            label = found["label"]
    return label


def uncarried(proposal: Proposal, background: Iterable[str], observed: Iterable[str]) -> str:
    """What of a finding stands only in quoted background: "endpoint", "direction" or a number; empty where nothing.

    What neither part says is for the verifier to find.
    """
    told, seen = "\n".join(background), "\n".join(observed)
    endpoint = frozenset(word for word in content(proposal.endpoint) if not word[0].isdigit())
    here, there = endpoint & content(seen), endpoint & content(told)
    if len(here) * _CARRIED < len(endpoint) and len(here) < len(there):
        return "endpoint"
    about = About(content(proposal.endpoint), content(proposal.treatment), content(proposal.comparator))
    if proposal.direction in directions(told, about) and proposal.direction not in directions(seen, about):
        return "direction"
    said = f"{proposal.statement}\n{proposal.effect} {proposal.units}"
    elsewhere = _missing(said, told)
    return next((f"number {number}" for number in _missing(said, seen) if number not in elsewhere), "")


def _missing(said: str, text: str) -> Sequence[str]:
    return [number.written for kind, number in mismatches(said, text) if kind == "number_missing"]
