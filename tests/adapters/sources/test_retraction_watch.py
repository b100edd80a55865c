"""A file of Retraction Watch as a registry: what its rows say of originals and of notices, and files that are none."""

from __future__ import annotations

import asyncio
import csv
import os
from pathlib import Path

import pytest

from backedge.adapters.sources.retraction_watch import RetractionWatch
from backedge.evidence.sources import Identifiers, Metadata
from backedge.kernel.defect import Permanent

COLUMNS = (
    *("Record ID", "Title", "Subject", "Institution", "Journal", "Publisher", "Country", "Author", "URLS"),
    *("ArticleType", "RetractionDate", "RetractionDOI", "RetractionPubMedID", "OriginalPaperDate", "OriginalPaperDOI"),
    *("OriginalPaperPubMedID", "RetractionNature", "Reason", "Paywalled", "Notes"),
)
ARTICLE = Identifiers(doi="10.1000/article", pmid="31031480")
NOTICE = Identifiers(doi="10.1000/notice", pmid="31031499")


def row(nature: str, when: str = "7/12/2023 0:00", **instead: str) -> dict[str, str]:
    """A row about the article."""
    return {
        "Record ID": "4036",
        "Title": "On rats",
        "RetractionDate": when,
        "RetractionDOI": "10.1000/Notice",
        "RetractionPubMedID": "31031499.0",
        "OriginalPaperDOI": "10.1000/Article",
        "OriginalPaperPubMedID": "31031480.0",
        "RetractionNature": nature,
        "Reason": "+Error in Data;+Unreliable Results;",
        **instead,
    }


def written(folder: Path, *rows: dict[str, str], encoding: str = "utf-8") -> Path:
    """A file with these rows."""
    path = folder / "retraction_watch.csv"
    with path.open("w", encoding=encoding, newline="") as file:
        made = csv.DictWriter(file, COLUMNS)
        made.writeheader()
        made.writerows(rows)
    return path


def said(path: Path, *sources: Identifiers) -> tuple[Metadata | None, ...]:
    return asyncio.run(RetractionWatch(path).status(sources))


def one(path: Path, source: Identifiers = ARTICLE) -> Metadata:
    (found,) = said(path, source)
    assert found is not None
    return found


def kinds(metadata: Metadata) -> list[str]:
    return [signal.kind for signal in metadata.signals]


@pytest.mark.parametrize(
    ("nature", "signal", "of_article", "of_notice"),
    [
        ("Retraction", "retracted", "retracted_by", "retraction_of"),
        ("Expression of concern", "concern", "concern_by", "concern_about"),
        ("Correction", "corrected", "corrected_by", "correction_of"),
    ],
)
def test_a_row_speaks_of_the_article_and_of_its_notice(
    tmp_path: Path, nature: str, signal: str, of_article: str, of_notice: str
) -> None:
    path = written(tmp_path, row(nature))
    article, notice = one(path), one(path, NOTICE)
    assert (kinds(article), kinds(notice)) == ([signal], ["notice"])
    assert [(r.kind, r.other) for r in article.relations] == [(of_article, NOTICE)]
    assert [(r.kind, r.other) for r in notice.relations] == [(of_notice, ARTICLE)]
    assert article.signals[0].by == "Retraction Watch"
    assert article.signals[0].detail == f"{nature}, 2023-07-12, record 4036: Error in Data; Unreliable Results"


@pytest.mark.parametrize(
    "source",
    [
        Identifiers(doi="10.1000/article"),
        Identifiers(pmid="31031480"),
        Identifiers(doi="10.1000/article", pmid="31031480", pmcid="PMC1"),
    ],
    ids=["doi", "pmid", "all"],
)
def test_any_name_of_the_article_finds_its_row(tmp_path: Path, source: Identifiers) -> None:
    assert kinds(one(written(tmp_path, row("Retraction")), source)) == ["retracted"]


def test_answers_stand_in_the_order_of_the_sources(tmp_path: Path) -> None:
    others = (Identifiers(doi="10.1000/unknown"), Identifiers(arxiv="2301.00001"), Identifiers())
    found = said(written(tmp_path, row("Retraction")), others[0], ARTICLE, *others[1:], NOTICE)
    assert [kinds(each) if each else None for each in found] == [None, ["retracted"], None, None, ["notice"]]


def test_one_pmid_in_the_row_of_another_doi_says_nothing(tmp_path: Path) -> None:
    other = Identifiers(doi="10.1000/other", pmid=ARTICLE.pmid)
    assert said(written(tmp_path, row("Retraction")), other) == (None,)


def test_names_that_are_none_join_no_rows(tmp_path: Path) -> None:
    rows = [
        row("Retraction", OriginalPaperDOI=name, OriginalPaperPubMedID="0.0", RetractionPubMedID="0", RetractionDOI="")
        for name in ("unavailable", "10.1000/article")
    ]
    path = written(tmp_path, *rows)
    assert said(path, Identifiers(pmid="0")) == (None,)
    assert len(one(path, Identifiers(doi="10.1000/article")).signals) == 1


def test_a_notice_in_the_place_of_its_article_makes_that_no_notice(tmp_path: Path) -> None:
    article = one(written(tmp_path, row("Retraction", RetractionDOI="10.1000/article", RetractionPubMedID="0")))
    assert (kinds(article), article.relations) == (["retracted"], ())


def test_an_article_that_was_reinstated_says_both(tmp_path: Path) -> None:
    rows = (row("Reinstatement", "3/1/2021 0:00"), row("Retraction", "2/6/2020 0:00"))
    found = one(written(tmp_path, *rows))
    assert kinds(found) == ["retracted", "reinstated"]
    assert [signal.at for signal in found.signals] == ["2020-02-06", "2021-03-01"]
    assert {relation.at for relation in found.relations} <= {"2020-02-06"}


@pytest.mark.parametrize("again", ["4/1/2022 0:00", "2022-04-01", "", "13/45/2022 0:00", "4/1/22 0:00", "April 2022"])
def test_a_reinstatement_does_not_outlast_a_retraction_that_may_be_later(tmp_path: Path, again: str) -> None:
    rows = (row("Retraction", "2/6/2020 0:00"), row("Reinstatement", "3/1/2021 0:00"), row("Retraction", again))
    found = one(written(tmp_path, *rows))
    assert "reinstated" not in kinds(found)
    assert kinds(found).count("retracted") == 2


def test_a_date_is_month_first(tmp_path: Path) -> None:
    found = one(written(tmp_path, row("Retraction", "3/6/2020 0:00"), row("Reinstatement", "4/1/2020 0:00")))
    assert kinds(found) == ["retracted", "reinstated"]
    assert "2020-03-06" in found.signals[0].detail


def test_a_byte_order_mark_and_other_encodings_hide_no_row(tmp_path: Path) -> None:
    path = written(tmp_path, row("Retraction"), encoding="utf-8-sig")
    path.write_bytes(path.read_bytes().replace(b"On rats", b"\xdcber Ratten"))
    assert kinds(one(path)) == ["retracted"]


def test_a_file_that_was_replaced_is_read_again(tmp_path: Path) -> None:
    registry = RetractionWatch(written(tmp_path, row("Correction")))
    (before,) = asyncio.run(registry.status([ARTICLE]))
    path = written(tmp_path, row("Retraction"), row("Correction"))
    os.utime(path, ns=(1, 1))
    (after,) = asyncio.run(registry.status([ARTICLE]))
    assert before is not None
    assert after is not None
    assert (kinds(before), sorted(kinds(after))) == (["corrected"], ["corrected", "retracted"])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no column"),
        (b"<html>Not found</html>", "no column"),
        (b"DOI,Title\n10.1000/article,On rats\n", "no column"),
        (",".join(COLUMNS).encode() + b'\n4036,"' + b"x" * 200_000 + b'"\n', "cannot be read"),
    ],
    ids=["empty", "page", "other table", "endless cell"],
)
def test_a_file_that_is_none_is_refused_with_what_to_do(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "retraction_watch.csv"
    path.write_bytes(content)
    with pytest.raises(Permanent, match=words) as refused:
        said(path, ARTICLE)
    assert "download" in refused.value.mend


@pytest.mark.parametrize("rest", ["", '4036,"On rats'], ids=["no row", "cut in a cell"])
def test_a_file_that_was_cut_is_refused(tmp_path: Path, rest: str) -> None:
    path = tmp_path / "retraction_watch.csv"
    path.write_text(",".join(COLUMNS) + "\n" + rest, encoding="utf-8")
    with pytest.raises(Permanent) as refused:
        said(path, ARTICLE)
    assert "download" in refused.value.mend


def test_a_missing_file_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(Permanent, match=r"nowhere\.csv"):
        said(tmp_path / "nowhere.csv", ARTICLE)
