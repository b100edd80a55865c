"""Europe PMC: full texts, labels of abstracts, links from both ends, preprints, errors that stand in answers."""

from __future__ import annotations

from typing import Any

import pytest

from backedge.adapters.reading import jats
from backedge.adapters.sources import europe_pmc
from backedge.evidence.reading import Reading
from backedge.evidence.sources import Identifiers
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient
from tests.adapters.sources.asking import XML, failed, fetched, found, links_of, stands, statuses
from tests.adapters.sources.server import Server, Step
from tests.adapters.sources.shapes import (
    PAPER,
    PMCID,
    PMID,
    article,
    europe,
    europe_found,
    links,
)


def test_europe_pmc_brings_what_is_open_in_full_and_else_the_abstract_with_its_labels(server: Server) -> None:
    assert b"<body>" in fetched(server, "europepmc", PMID).content
    server.play({"/europepmc/search": Step(europe_found(europe(isOpenAccess="N")))})
    brought = fetched(server, "europepmc", PMID)
    read = jats.read(brought.content, "x")
    assert isinstance(read, Reading)
    assert [(section.role, section.label) for section in read.sections] == [
        ("title", ""),
        ("abstract", ""),
        ("abstract", "BACKGROUND"),
        ("abstract", "RESULTS"),
    ]
    assert "by 10^2 units" in read.text
    assert (brought.metadata.access, brought.metadata.title) == ("restricted", "Impact of statins on risk & recovery.")


def test_a_full_text_that_is_not_there_is_noted_and_one_that_is_late_is_waited_for(server: Server) -> None:
    server.play({"/europepmc/search": Step(europe_found(europe()))})
    assert fetched(server, "europepmc", PMID).notes == (f"the full text of Europe PMC ({PMCID}) is not there",)
    server.play({"/europepmc/search": Step(europe_found(europe())), "/europepmc/PMC": Step(b"", status=503)})
    assert isinstance(failed(server, "europepmc", PMID), Transient)


def test_europe_pmc_links_from_both_ends() -> None:
    of_article = europe_pmc.metadata_of(
        europe(
            commentCorrectionList=links(
                ("Retraction in", "MED", "88888888"),
                ("Erratum in", "MED", "77777777"),
                ("Expression of concern in", "MED", "66666666"),
                ("Comment in", "MED", "55555555"),
                ("Preprint in", "PPR", "PPR179288"),
            )
        )
    )
    assert links_of(of_article) == [
        ("retracted_by", ("pmid:88888888",)),
        ("corrected_by", ("pmid:77777777",)),
        ("concern_by", ("pmid:66666666",)),
        ("update_of", ()),
    ]
    assert "PPR179288" in of_article.relations[3].note
    notice = europe_pmc.metadata_of(
        europe(
            commentCorrectionList=links(("Retraction of", "MED", "1")),
            pubTypeList={"pubType": ["Retraction of Publication"]},
        )
    )
    assert (stands(of_article)[1], stands(notice)[1]) == ({"retracted"}, {"notice"})


def test_a_preprint_of_europe_pmc_is_found_by_its_id_and_names_its_article(server: Server) -> None:
    preprint = europe(
        id="PPR179288",
        source="PPR",
        pmid=None,
        pmcid=None,
        doi="10.1101/2020.01.01.000001",
        versionNumber=2,
        pubTypeList={"pubType": ["Preprint"]},
        commentCorrectionList=links(("Preprint of", "MED", "32678530")),
        fullTextIdList={"fullTextId": ["PPR179288"]},
    )
    server.play({"/europepmc/search": Step(europe_found(preprint)), "/europepmc/PPR179288/": Step(article(), XML)})
    brought = fetched(server, "europepmc", "PPR179288")
    assert server.asked[0].query["query"] == "EXT_ID:PPR179288 AND SRC:PPR"
    assert (links_of(brought.metadata), brought.metadata.version_label) == (
        [("published_as", ("pmid:32678530",))],
        "v2",
    )
    assert (stands(brought.metadata)[0], b"<body>" in brought.content) == (True, True)


@pytest.mark.parametrize("kind", ["preprint-withdrawal", "Preprint-removal"])
def test_a_preprint_that_was_taken_back_is_withdrawn(kind: str) -> None:
    said = europe_pmc.metadata_of(europe(source="PPR", pubTypeList={"pubType": ["Preprint", kind]}))
    assert stands(said)[1] == {"withdrawn"}


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ({"version": "6.9", "errCode": 404, "errMsg": "no such thing"}, Permanent),
        ({"version": "6.9", "errCode": 429, "errMsg": "slow"}, RateLimited),
        ({"version": "6.9", "errCode": 500, "errMsg": "down"}, Transient),
        ({"errMsg": "down"}, Transient),
        (europe_found(), Permanent),
        (europe_found(europe(pmid="1", id="1")), Permanent),
    ],
)
def test_errors_of_europe_pmc_that_stand_in_answers(server: Server, said: dict[str, Any], kind: type[Failure]) -> None:
    server.play({"/europepmc/search": Step(said)})
    assert type(failed(server, "europepmc", PMID)) is kind


def test_europe_pmc_is_asked_for_many_at_once(server: Server) -> None:
    server.play({"/europepmc/search": Step(europe_found(europe(pmid="7", id="7", doi=None, pmcid=None)))})
    sources = [Identifiers(pmid=str(number)) for number in range(1, 31)]
    said = statuses(server, "europepmc", *sources, Identifiers(arxiv=PAPER), Identifiers(pmid="7", doi="10.9/other"))
    assert [place for place, each in enumerate(said) if each] == [6, 31]
    assert [asked.query["query"].count("EXT_ID:") for asked in server.asked] == [25, 5]


def test_searches_go_on_until_enough_is_found(server: Server) -> None:
    first, second = ([europe(pmid=str(n), id=str(n)) for n in numbers] for numbers in ((1, 2, 3), (4, 5)))
    server.play(
        {
            "/europepmc/search": [
                Step(europe_found(*first, hitCount=5, nextCursorMark="AoE")),
                Step(europe_found(*second, hitCount=5, nextCursorMark="AoE")),
            ]
        }
    )
    said = found(server, "europepmc", limit=4)
    assert ([hit.identifier for hit in said.hits], said.total) == (["PMID:1", "PMID:2", "PMID:3", "PMID:4"], 5)
    assert [asked.query["cursorMark"] for asked in server.asked] == ["*", "AoE"]
