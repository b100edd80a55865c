"""Rows of the Retraction Watch database: each original is retracted, each notice is one, and each names the other."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

import pytest

from backedge.adapters.sources.retraction_watch import RetractionWatch
from backedge.evidence.eligibility import judge
from backedge.evidence.facts import Facts, Policy
from backedge.evidence.sources import Identifiers, Metadata

ROWS = Path(__file__).resolve().parents[3] / "shared" / "data" / "retraction" / "stub_retractions.csv"
pytestmark = pytest.mark.skipif(not ROWS.exists(), reason="the shared data sets are not here")


def said(*sources: Identifiers) -> tuple[Metadata | None, ...]:
    return asyncio.run(RetractionWatch(ROWS).status(sources))


def test_every_original_is_retracted_and_every_notice_is_one() -> None:
    with ROWS.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    originals = [Identifiers(doi=row["OriginalPaperDOI"].lower()) for row in rows]
    notices = [Identifiers(doi=row["RetractionDOI"].lower()) for row in rows]
    found = said(*originals, *notices)
    assert len(rows) == 20
    for at, row in enumerate(rows):
        original, notice = found[at], found[at + len(rows)]
        assert original is not None, row["Record ID"]
        assert notice is not None, row["Record ID"]
        assert [signal.kind for signal in original.signals] == ["retracted"]
        assert f"record {row['Record ID']}" in original.signals[0].detail
        assert [signal.kind for signal in notice.signals] == ["notice"]
        assert [(r.kind, r.other.doi) for r in original.relations] == [("retracted_by", notices[at].doi)]
        assert [(r.kind, r.other.doi) for r in notice.relations] == [("retraction_of", originals[at].doi)]


def test_what_a_row_says_forbids_the_source() -> None:
    (found,) = said(Identifiers(doi="10.1155/2022/9172719"))
    assert found is not None
    usable, reasons, _ = judge(Facts(found), Policy())
    assert not usable
    assert {reason.kind for reason in reasons} == {"retracted"}


def test_numbers_of_pubmed_are_read_as_the_file_writes_them() -> None:
    found = said(Identifiers(pmid="36035816"), Identifiers(pmid="37476288"), Identifiers(pmid="0"))
    assert [[s.kind for s in each.signals] if each else None for each in found] == [["retracted"], ["notice"], None]
