"""Crossref: retractions and corrections from both ends, preprints, odd shapes, batches."""

from __future__ import annotations

import pytest

from backedge.adapters.reading import jats
from backedge.adapters.sources import crossref, europe_pmc, openalex
from backedge.evidence.reading import Reading
from backedge.evidence.sources import Identifiers
from tests.adapters.sources.asking import fetched, links_of, stands, statuses
from tests.adapters.sources.server import Server, Step
from tests.adapters.sources.shapes import (
    DOI,
    crossref_many,
    crossref_one,
    europe,
    update,
    work,
)
from tests.adapters.sources.shapes import openalex as alex


def test_crossref_tells_a_retraction_on_the_original() -> None:
    said = crossref.metadata_of(work(**{"updated-by": [update("retraction", "10.1126/science.1112286-n")]}))
    assert links_of(said) == [("retracted_by", ("doi:10.1126/science.1112286-n",))]
    assert [(signal.kind, signal.by) for signal in said.signals] == [("retracted", "Crossref: updated-by")]
    assert "retraction-watch, 2010-02-06" in said.signals[0].detail
    assert stands(said)[:2] == (False, {"retracted"})


def test_crossref_tells_a_notice_from_what_it_is_about() -> None:
    said = crossref.metadata_of(work(**{"update-to": [update("retraction", "10.1000/original", "publisher")]}))
    assert links_of(said) == [("retraction_of", ("doi:10.1000/original",))]
    assert stands(said)[:2] == (False, {"notice"})


def test_a_work_that_crossref_lets_update_itself_is_no_notice() -> None:
    said = crossref.metadata_of(work(**{"update-to": [update("retraction", DOI)]}))
    assert (links_of(said)[0][0], stands(said)[1]) == ("retracted_by", {"retracted"})


@pytest.mark.parametrize(
    ("kind", "reasons"),
    [
        ("correction", set()),
        ("erratum", set()),
        ("addendum", set()),
        ("something-new", set()),
        ("partial_retraction", {"retracted"}),
        ("Retraction", {"retracted"}),
        ("retraction_and_replacement", {"retracted"}),
        ("removal", {"withdrawn"}),
        ("withdrawal", {"withdrawn"}),
        ("temporary removal", {"withdrawn"}),
        ("new_version", {"superseded"}),
        ("expression_of_concern", set()),
    ],
)
def test_crossref_tells_corrections_from_retractions(kind: str, reasons: set[str]) -> None:
    eligible, why, warnings = stands(crossref.metadata_of(work(**{"updated-by": [update(kind, "10.1000/notice")]})))
    assert (eligible, why) == (not reasons, reasons)
    assert bool(warnings) == (not reasons)


def test_crossref_links_a_preprint_and_its_article() -> None:
    entry_of = {"id-type": "doi", "id": "https://doi.org/10.1000/OTHER", "asserted-by": "subject"}
    preprint = crossref.metadata_of(
        work(type="posted-content", subtype="preprint", relation={"is-preprint-of": [entry_of]})
    )
    published = crossref.metadata_of(work(relation={"has-preprint": [entry_of], "has-review": [entry_of], "x": "y"}))
    assert (links_of(preprint), links_of(published)) == (
        [("published_as", ("doi:10.1000/other",))],
        [("update_of", ("doi:10.1000/other",))],
    )
    assert (preprint.kind, stands(preprint)[0], stands(published)[0]) == ("posted-content; preprint", True, True)


def test_crossref_takes_plain_facts_and_the_licence_of_the_published_version() -> None:
    said = crossref.metadata_of(work())
    assert (said.title, said.authors, said.journal, said.year, said.licence) == (
        "Impact of Statins on risk & recovery",
        ("Wayne A Ray", "Example Group"),
        "PLoS ONE",
        2007,
        "CC BY 4.0",
    )


@pytest.mark.parametrize("broken", [None, [], "x", 3, {"date-parts": [[None]]}, [{"a": None}], {"DOI": 5}, [[]]])
@pytest.mark.parametrize(
    "name",
    ["title", "author", "published", "license", "relation", "updated-by", "update-to", "abstract", "DOI", "resource"],
)
def test_no_shape_of_a_member_is_a_surprise(name: str, broken: object) -> None:
    crossref.metadata_of(work(**{name: broken}))
    europe_pmc.metadata_of(europe(**{name: broken, "authorList": broken, "commentCorrectionList": broken}))
    openalex.metadata_of(alex(**{name: broken, "ids": broken, "open_access": broken, "primary_location": broken}))
    openalex.abstract_of(alex(abstract_inverted_index=broken))


def test_crossref_is_asked_for_many_at_once_and_for_odd_ones_alone(server: Server) -> None:
    dois = [f"10.1000/{number}" for number in range(45)]
    odd = "10.1000/a,b"
    server.play(
        {
            "/crossref/works?": Step(crossref_many(work(DOI=dois[0]), work(DOI=dois[44].upper()))),
            "/crossref/works/": Step(crossref_one(work(DOI=odd))),
        }
    )
    said = statuses(server, "crossref", *(Identifiers(doi=doi) for doi in (*dois, odd)), Identifiers(pmid="1"))
    assert [each.identifiers.doi for each in said if each] == [dois[0], dois[44], odd]
    assert [asked.path for asked in server.asked] == [
        "/crossref/works",
        "/crossref/works",
        "/crossref/works/10.1000%2Fa%2Cb",
    ]
    first, second = (asked.query["filter"].split(",") for asked in server.asked[:2])
    assert (len(first), len(second), odd.split(",")[0] in str(second)) == (crossref.TOGETHER, 5, False)


def test_a_record_without_an_abstract_is_one_all_the_same(server: Server) -> None:
    server.play({"/crossref/works/": Step(crossref_one(work(abstract=None)))})
    read = jats.read(fetched(server, "crossref", DOI).content, "x")
    assert isinstance(read, Reading)
    assert [(section.role, read.text[section.start : section.end]) for section in read.sections] == [
        ("title", "Impact of Statins on risk & recovery")
    ]
