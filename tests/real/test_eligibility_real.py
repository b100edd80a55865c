"""Real articles and notices are judged right: every retracted, withdrawn, corrected and concerned one, and no other."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest
from lxml import etree

from backedge.adapters.reading import jats, medline
from backedge.evidence.eligibility import judge
from backedge.evidence.facts import Facts, Notice, Policy
from backedge.evidence.identifiers import doi
from backedge.evidence.reading import Reading
from backedge.evidence.sources import Identifiers, Metadata
from backedge.evidence.title_marks import marked

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = pytest.mark.slow
needs_data = pytest.mark.skipif(not SHARED.exists(), reason="the shared data sets are not here")

# From SOURCE.txt: what has neither type nor link, only a title.
BY_TITLE = {"15320745": "retracted", "33759656": "withdrawn"}
PAIRS = {
    "31031480": "34092875",
    "27602157": "34093767",
    "33104149": "34095918",
    "32743968": "34097317",
}
KIND_OF_LINK = {"RetractionIn": "retracted", "ExpressionOfConcernIn": "concern", "ErratumIn": "corrected"}
KIND_OF_LINK |= {"RetractionOf": "notice", "ExpressionOfConcernFor": "notice", "ErratumFor": "notice"}
NOTICE_TYPES = {"Retraction of Publication", "Expression of Concern", "Published Erratum"}
FORBIDS = {"retracted", "withdrawn", "notice", "superseded"}


def facts_of(known: dict[str, Metadata]) -> dict[str, Facts]:
    """What is known of each when all of them are stored: its own words, and the notices of the others."""
    notices: dict[str, list[Notice]] = defaultdict(list)
    for source, metadata in known.items():
        for relation in metadata.relations:
            for name in relation.other.named():
                notices[name].append(Notice(relation.kind, source, metadata.title, relation.other))
    found = {}
    for source, metadata in known.items():
        told = [notice for name in metadata.identifiers.named() for notice in notices[name] if notice.by != source]
        found[source] = Facts(metadata, tuple(dict.fromkeys(told)))
    return found


def kinds(facts: Facts) -> tuple[set[str], set[str]]:
    _, reasons, warnings = judge(facts, Policy())
    return {reason.kind for reason in reasons}, {reason.kind for reason in warnings}


def medline_set() -> bytes:
    return gzip.decompress((SHARED / "medline" / "medline_subset.xml.gz").read_bytes())


def expected_of_medline(content: bytes) -> dict[str, set[str]]:
    """By the index, the types and the titles that SOURCE.txt names, not by our reader."""
    found: dict[str, set[str]] = {}
    tree = etree.fromstring(content)
    for article in tree.iterfind("PubmedArticle"):
        number = article.find("MedlineCitation/PMID")
        assert number is not None
        key = f"{number.text}/{number.get('Version')}"
        types = {part.text for part in article.iterfind(".//PublicationType")}
        found[key] = {"notice"} if types & NOTICE_TYPES else set()
        found[key] |= {BY_TITLE[number.text]} if number.text in BY_TITLE else set()
    with (SHARED / "medline" / "index.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            key = f"{row['pmid']}/{row['version']}"
            links = row["ref_types"].replace(",", ";").split(";")
            found[key] |= {KIND_OF_LINK[link] for link in links if link in KIND_OF_LINK}
            if "UpdateIn" in links:
                found[key].add("published" if row["pmid"] == "34013271" else "superseded")
    return found


def read_medline(content: bytes) -> dict[str, Metadata]:
    found = {}
    for key, body in medline.records(content):
        done = medline.read(body, f"{key}.xml")
        found[f"{done.metadata.identifiers.pmid}/{done.metadata.version_label}"] = done.metadata
    return found


@needs_data
def test_every_record_of_medline_is_judged_right() -> None:
    content = medline_set()
    expected, facts = expected_of_medline(content), facts_of(read_medline(content))
    wrong = {}
    for key, wanted in expected.items():
        reasons, warnings = kinds(facts[key])
        if (reasons, warnings) != (wanted & FORBIDS, wanted - FORBIDS):
            wrong[key] = (wanted, reasons, warnings, facts[key].metadata.title[:60])
    assert wrong == {}
    counts = {
        kind: sum(kind in wanted for wanted in expected.values()) for kind in sorted(set().union(*expected.values()))
    }
    print(len(expected), counts)
    assert len(expected) == len(facts) == 1_496
    assert counts == {
        "concern": 1,
        "corrected": 58,
        "notice": 14,
        "published": 1,
        "retracted": 7,
        "superseded": 1,
        "withdrawn": 1,
    }


@needs_data
def test_each_side_of_a_pair_is_enough() -> None:
    """The original is known by its notice alone, and the notice by its original alone."""
    known = {key.partition("/")[0]: metadata for key, metadata in read_medline(medline_set()).items()}
    for original, notice in PAIRS.items():
        bare = Metadata(title="A title", identifiers=Identifiers(pmid=original))
        assert kinds(facts_of({original: bare, notice: known[notice]})[original])[0] == {"retracted"}
        silent = Metadata(title="A title", identifiers=Identifiers(pmid=notice))
        assert kinds(facts_of({original: known[original], notice: silent})[notice])[0] == {"notice"}
    four = facts_of({"400964": known["400964"], **bare_originals(["166323", "178540", "183981", "785270"])})
    assert [kinds(facts)[0] for facts in four.values()] == [{"notice"}, *[{"retracted"}] * 4]


def bare_originals(numbers: Iterable[str]) -> dict[str, Metadata]:
    return {number: Metadata(title="A title", identifiers=Identifiers(pmid=number)) for number in numbers}


@needs_data
def test_plos_notices_and_their_targets_are_judged_right() -> None:
    known: dict[str, Metadata] = {}
    notices = {
        "journal.pcbi.0030158.xml",
        "journal.ppat.1005207.xml",
        "journal.pone.0097541.xml",
        "journal.pone.0108198.xml",
    }
    for path in sorted((SHARED / "jats_plos").glob("*.xml")):
        done = jats.read(path.read_bytes(), path.name)
        assert isinstance(done, Reading)
        known[path.name] = done.metadata
    targets = {
        relation.other.doi: relation.kind
        for name in notices
        for relation in known[name].relations
        if relation.other.doi
    }
    retracted = {"10.1371/journal.pcbi.0030051", "10.1371/journal.ppat.1003435"}
    stored = {
        identifiers: Metadata(title="A title", identifiers=Identifiers(doi=identifiers)) for identifiers in targets
    }
    found = facts_of({**known, **stored})
    assert {name for name in known if "notice" in kinds(found[name])[0]} == notices
    assert {name for name in stored if kinds(found[name])[0] == {"retracted"}} == retracted
    assert {name for name in stored if kinds(found[name]) == (set(), {"corrected"})} == set(stored) - retracted
    others = [name for name in known if name not in notices and kinds(found[name]) != (set(), set())]
    assert (len(known), len(stored), others) == (49, 4, [])


@needs_data
def test_titles_and_dois_of_retracted_papers_are_taken_as_they_are() -> None:
    """Retraction Watch gives the titles that papers had: none may look like a mark, and every DOI is one."""
    with (SHARED / "retraction" / "stub_retractions.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 20
    assert [row["Title"] for row in rows if marked(row["Title"])] == []
    named = [row[name] for row in rows for name in ("RetractionDOI", "OriginalPaperDOI")]
    assert [name for name in named if doi(name) != name.lower() and name.lower() not in ("unavailable", "")] == []
