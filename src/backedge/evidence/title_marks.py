"""What a title or headline says of the standing of its article, such as `RETRACTED: …`: a table of patterns."""

from __future__ import annotations

import re

from backedge.evidence.sources import Signal, SignalKind

_END = r"\s*(?::|\.(?=\s|$)|[-–—]\s|$)"  # what parts a mark from the title: `Retracted rotator cuff` has no mark
_QUOTED = r"\s*:?\s*[\"“‘«]"
_AUTHORS = r"\s+(?-i:[A-Z])[\w'’-]*(?:,| and|\s+et al)"

TITLE_MARKS: tuple[tuple[SignalKind, str], ...] = (
    ("notice", rf"(?:partial )?retraction(?: (?:note|notice|statement))?(?: (?:to|for|of))?{_END}"),
    ("notice", rf"(?:partial )?retractions?(?: (?:note|notice))? (?:to|for|of){_QUOTED}"),
    ("notice", rf"retraction (?:to|for|of){_AUTHORS}"),
    ("notice", r"retraction (?:note|notice|statement)\b"),
    ("notice", r"(?:notice|statement|letter) of (?:partial )?retraction\b"),
    ("notice", r"(?:editorial )?retraction(?:,| and) (?:republication|replacement)\b"),
    ("notice", rf"(?:editorial retraction|editor['’]s note){_END}"),
    ("notice", rf"(?:withdrawal|removal) notice\b|notice of (?:withdrawal|removal)\b|withdrawal (?:to|of){_QUOTED}"),
    ("notice", rf"(?:editorial )?expressions? of concern(?: (?:to|for|about|regarding|on))?(?:{_END}|{_QUOTED})"),
    ("notice", rf"expressions? of concern (?:to|for|regarding){_AUTHORS}"),
    ("notice", r"editorial expressions? of concern\b"),
    ("notice", rf"(?:(?:author|publisher) )?(?:corrections?|corrigend(?:um|a)|errat(?:um|a)|addend(?:um|a)){_END}"),
    ("notice", rf"(?:corrections?|corrigend(?:um|a)|errat(?:um|a)|addendum) (?:to|for|in|on)(?:{_END}|{_QUOTED})"),
    ("notice", rf"(?:corrections?|corrigend(?:um|a)|errat(?:um|a)) (?:to|for){_AUTHORS}"),
    ("notice", r"(?:corrigend(?:um|a)|errat(?:um|a)) (?:to|for)\b"),
    ("retracted", rf"retracted(?: and (?:republished|replaced))?(?: (?:article|paper|publication|chapter))?{_END}"),
    ("retracted", r"[\[(【]\s*retracted(?: (?:article|paper|publication|chapter))?\s*[\])】]"),
    ("retracted", r".*[\[(]\s*retracted(?: (?:article|paper|publication))?[\])]\.?$"),
    (
        "retracted",
        r".*\((?:retracted article|retracted by|retraction (?:in|of) vol|retracted article\. see)\b[^()]*\)\.?$",
    ),
    ("withdrawn", rf"withdrawn(?: (?:article|paper|as duplicate|by (?:the )?authors?))?{_END}"),
    ("withdrawn", r"[\[(【]\s*withdrawn(?: (?:article|paper))?\s*[\])】]"),
    ("withdrawn", r".*[\[(]\s*withdrawn(?: (?:article|paper))?\s*[\])]\.?$"),
    ("withdrawn", r"(?:temporary removal|article removed|removed article)\s*:|(?-i:REMOVED)\s*:"),
    ("corrected", rf"corrected (?:and|&) republished(?: article)?{_END}"),
)
"""Patterns at the beginning of a title, without regard to case, by the signal that they are; the first one counts.

A title that merely begins with such a word (`Retracted rotator cuff tears …`, `Correction of scoliosis …`) is none:
a sign that parts it from what follows, quotation marks or an author must stand behind it."""

_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for kind, pattern in TITLE_MARKS)
_AROUND = "\"“'‘*_#>~"  # quotation marks, and what Markdown writes around a headline


def marked(title: str, by: str = "title") -> Signal | None:
    """The signal that a title is, its own words as the detail; None where it is an ordinary title."""
    bare = title.lstrip(f"{_AROUND} \t\r\n").rstrip("*_#~ \t\r\n")
    for kind, pattern in _COMPILED:
        if pattern.match(bare):
            return Signal(kind, by, title)
    return None
