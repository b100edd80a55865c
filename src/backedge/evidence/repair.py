"""Proposes what a quotation that is not there may have been meant to be; a proposal is located like any other."""

from __future__ import annotations

from rapidfuzz import fuzz

LONGEST = 2_000  # characters of a quotation that a repair is sought for
MOST = 60_000  # characters of a section that are looked through
ALIKE = 80.0


def nearest(quotation: str, section: str) -> str:
    """The stretch of a section that is most like the quotation, cut at words; empty where none is like it."""
    if not quotation.strip() or len(quotation) > LONGEST:
        return ""
    text = section[:MOST]
    found = fuzz.partial_ratio_alignment(quotation, text, score_cutoff=ALIKE)
    if found is None:
        return ""
    start, end = found.dest_start, found.dest_end
    while start > 0 and text[start - 1].isalnum() and start < end and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return text[start:end].strip()
