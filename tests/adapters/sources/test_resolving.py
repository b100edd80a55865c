"""The resolver: the best text of all services, what all say of the source, and services that do not answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from backedge.evidence.sources import Delivery, Identifiers
from backedge.kernel.defect import Permanent, RateLimited, Transient
from tests.adapters.sources.asking import CONTACT, KEYS, XML, failed, fetched, usual
from tests.adapters.sources.server import Server, Step
from tests.adapters.sources.shapes import (
    CLOSED,
    DOI,
    PAPER,
    PMCID,
    PMID,
    article,
    central,
    crossref_one,
    entry,
    europe,
    europe_found,
    feed,
    openalex,
    pubmed_error,
    record,
    records,
    unpaywall,
    update,
    work,
)

Routes = Mapping[str, Step | list[Step]]
DOWN = Step(status=503)
BUSY = Step(status=429, headers={"retry-after": "30"})
SERVICES = ("europepmc", "pubmed", "crossref", "openalex", "unpaywall")
OF_EUROPE, OF_RECORD, OF_CENTRAL = "/europepmc/search", "/pubmed/efetch.fcgi?db=pubmed", "/pubmed/efetch.fcgi?db=pmc"
OF_CROSSREF, OF_OPENALEX, OF_UNPAYWALL = "/crossref/works/", "/openalex/works/", "/unpaywall/"
FULL_TEXT = f"/europepmc/{PMCID}/fullTextXML"
NOBODY: Routes = {
    OF_EUROPE: Step(europe_found()),
    OF_RECORD: Step(records(), XML),
    OF_CENTRAL: Step(pubmed_error("no such id"), XML),
}
"""Services that answer and know nothing; what is not here is a 404."""
ABSTRACT: Routes = {**NOBODY, OF_CROSSREF: Step(crossref_one(work()))}
"""Only Crossref knows the article, and has no more than its abstract."""


def brought(server: Server, routes: Routes, identifier: str = DOI, **instead: Any) -> Delivery:
    server.play(routes)
    return fetched(server, "doi", identifier, **instead)


def place(server: Server, **instead: Any) -> dict[str, Any]:
    """An open place of OpenAlex."""
    return {"is_oa": True, "pdf_url": None, "license": "cc-by", "source": {"type": "journal"}, **instead}


@pytest.mark.parametrize(
    "identifier",
    [DOI, f"https://doi.org/{DOI}", f"PMID:{PMID}", f"https://pubmed.ncbi.nlm.nih.gov/{PMID}/", PMCID],
)
def test_by_any_name_the_source_is_the_same_and_has_all_its_names(server: Server, identifier: str) -> None:
    found = fetched(server, "doi", identifier)
    assert found.metadata.identifiers == Identifiers(DOI, PMID, PMCID)
    assert (found.media_type, found.notes) == (XML, ())
    assert b"<body" in found.content


def test_a_service_is_asked_by_names_that_only_another_knew(server: Server) -> None:
    """PubMed takes no DOI; Europe PMC tells the PMID."""
    brought(server, usual(server))
    assert PMID in {asked.query.get("id") for asked in server.asked if asked.path.startswith("/pubmed")}


def test_jats_is_better_than_a_pdf_and_a_pdf_than_an_abstract(server: Server) -> None:
    pdf = {**usual(server), FULL_TEXT: Step(status=404), OF_CENTRAL: Step(central(article(CLOSED)), XML)}
    none = {**pdf, "/files/": Step(status=404)}
    kinds = [brought(server, routes).media_type for routes in (usual(server), pdf, none)]
    assert kinds == [XML, "application/pdf", XML]
    assert b"<body" not in brought(server, none).content


def test_a_better_copy_that_was_not_there_is_noted(server: Server) -> None:
    found = brought(server, {**usual(server), FULL_TEXT: Step(status=404), OF_CENTRAL: Step(central(), XML)})
    assert found.media_type == "application/pdf"
    assert len(found.notes) == 2
    assert all("full text" in note and PMCID in note for note in found.notes), found.notes


def test_what_all_say_of_the_status_is_kept_with_who_says_it(server: Server) -> None:
    notice = '<CommentsCorrections RefType="RetractionIn"><PMID>20137807</PMID></CommentsCorrections>'
    retracted = "<PublicationType>Retracted Publication</PublicationType>"
    found = brought(
        server,
        {
            **usual(server),
            OF_EUROPE: Step(europe_found(europe(pubTypeList={"pubType": ["Retracted Publication"]}))),
            OF_RECORD: Step(records(record(links=notice, types=retracted)), XML),
            OF_CROSSREF: Step(crossref_one(work(**{"updated-by": [update("retraction", "10.1016/notice")]}))),
            OF_OPENALEX: Step(openalex(is_retracted=True)),
        },
    )
    told = [signal.by for signal in found.metadata.signals if signal.kind == "retracted"]
    assert len(set(told)) == 4, told
    for service in ("Europe PMC", "Crossref", "OpenAlex"):
        assert any(service in by for by in told), service
    others = {r.other.doi or r.other.pmid for r in found.metadata.relations if r.kind == "retracted_by"}
    assert others >= {"10.1016/notice", "20137807"}


@pytest.mark.parametrize("down", SERVICES)
def test_one_service_that_is_down_is_noted_and_loses_nothing_of_the_others(server: Server, down: str) -> None:
    every = {**usual(server), OF_RECORD: Step(records(record(pmcid=PMCID)), XML)}
    routes = {path: step for path, step in every.items() if not path.startswith(f"/{down}")}
    found = brought(server, {**routes, f"/{down}/": DOWN})
    assert b"<body" in found.content
    assert found.metadata.identifiers.doi == DOI
    (note,) = [note for note in found.notes if note.startswith(f"{down} was not heard")]
    assert "503" in note
    # that nobody was heard is no word about the status of the source
    assert found.metadata.signals == ()


@pytest.mark.parametrize("heard", SERVICES)
def test_one_service_that_answers_is_enough(server: Server, heard: str) -> None:
    routes: dict[str, Step | list[Step]] = {f"/{name}/": DOWN for name in SERVICES if name != heard}
    routes |= {path: step for path, step in usual(server).items() if path.startswith((f"/{heard}", "/files/"))}
    found = brought(server, routes, f"PMID:{PMID}" if heard == "pubmed" else DOI)
    assert found.content
    assert not any(note.startswith(f"{heard} was") for note in found.notes)
    assert any("was not heard" in note for note in found.notes)


def test_all_down_is_transient_and_says_what_was_answered(server: Server) -> None:
    server.play({"/": DOWN})
    failure = failed(server, "doi", DOI)
    assert isinstance(failure, Transient)
    assert "503" in failure.message


def test_all_too_busy_is_rate_limited_as_long_as_the_longest_asks(server: Server) -> None:
    server.play({"/": BUSY, OF_CROSSREF: Step(status=429, headers={"retry-after": "90"})})
    failure = failed(server, "doi", DOI)
    assert isinstance(failure, RateLimited)
    assert failure.retry_after == 90


def test_nobody_knows_it_is_permanent_with_what_to_do(server: Server) -> None:
    server.play(NOBODY)
    failure = failed(server, "doi", DOI)
    assert isinstance(failure, Permanent)
    assert DOI in failure.message
    assert failure.mend


def test_while_one_is_down_nobody_says_that_it_is_unknown(server: Server) -> None:
    server.play({**NOBODY, OF_CROSSREF: DOWN})
    assert isinstance(failed(server, "doi", DOI), Transient)


def test_while_one_is_down_nobody_says_that_there_is_no_text(server: Server) -> None:
    no_copy = unpaywall("", best_oa_location=None, oa_locations=[], is_oa=False)
    server.play({**NOBODY, OF_UNPAYWALL: Step(no_copy)})
    assert isinstance(failed(server, "doi", DOI), Permanent)
    server.play({**NOBODY, OF_UNPAYWALL: Step(no_copy), OF_CROSSREF: DOWN})
    assert isinstance(failed(server, "doi", DOI), Transient)


@pytest.mark.parametrize("status", [404, 403, 500, 503])
def test_a_dead_place_of_a_copy_leaves_the_abstract_and_a_note(server: Server, status: int) -> None:
    copy = place(server, pdf_url=f"{server.url}/elsewhere/a.pdf?token=private")
    routes = {**ABSTRACT, OF_OPENALEX: Step(openalex(best_oa_location=copy)), "/elsewhere/": Step(status=status)}
    found = brought(server, routes)
    assert b"Statins" in found.content
    assert [note for note in found.notes if "/elsewhere/a.pdf" in note], found.notes
    assert "private" not in repr(found)


def test_a_kept_full_text_that_may_come_later_is_waited_for(server: Server) -> None:
    server.play({**usual(server), FULL_TEXT: DOWN, OF_CENTRAL: DOWN, "/files/": Step(status=404)})
    assert isinstance(failed(server, "doi", DOI), Transient)


def test_a_page_that_asks_for_a_click_is_not_the_article(server: Server) -> None:
    click = b"<html><title>Just a moment...</title><body>Enable JavaScript and cookies to continue</body></html>"
    copy = place(server, landing_page_url=f"{server.url}/elsewhere/article")
    routes = {
        **ABSTRACT,
        OF_OPENALEX: Step(openalex(best_oa_location=copy)),
        "/elsewhere/": Step(click, "text/html"),
    }
    found = brought(server, routes)
    assert b"Enable JavaScript" not in found.content
    assert [note for note in found.notes if "/elsewhere/article" in note], found.notes


@pytest.mark.parametrize(
    "routes",
    [
        {OF_CROSSREF: Step(crossref_one(work(DOI="10.1000/other")))},
        {OF_OPENALEX: Step(openalex(doi="https://doi.org/10.1000/other"))},
        {OF_EUROPE: Step(europe_found(europe(doi="10.1000/other")))},
        {OF_UNPAYWALL: Step(unpaywall("https://elsewhere.example/a.pdf", doi="10.1000/other"))},
    ],
    ids=["crossref", "openalex", "europepmc", "unpaywall"],
)
def test_an_answer_about_another_work_is_none(server: Server, routes: Routes) -> None:
    server.play({**NOBODY, **routes})
    failure = failed(server, "doi", DOI)
    assert isinstance(failure, Permanent)
    assert "no service knows" in failure.message


def test_names_that_contradict_are_not_mixed(server: Server) -> None:
    another = {
        "pmid": "https://pubmed.ncbi.nlm.nih.gov/99999999",
        "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/999",
    }
    routes = {
        **usual(server),
        OF_EUROPE: Step(europe_found(europe(pmcid=None, fullTextIdList=None))),
        OF_OPENALEX: Step(openalex(ids={"doi": f"https://doi.org/{DOI}", **another})),
    }
    assert brought(server, routes).metadata.identifiers == Identifiers(DOI, PMID)


def test_open_access_by_any_is_open_and_the_licence_is_one_spelling(server: Server) -> None:
    routes = {**usual(server), OF_EUROPE: Step(europe_found(europe(isOpenAccess="N", license=None)))}
    found = brought(server, routes)
    assert found.metadata.access == "open"
    assert found.metadata.licence.startswith("CC BY")


def test_a_version_of_arxiv_is_asked_of_arxiv_alone(server: Server) -> None:
    entries = feed(entry(f"{PAPER}v1"), entry(f"{PAPER}v2", comment="This paper has been withdrawn"))
    routes = {**usual(server), "/arxiv/api/query": Step(entries, "application/atom+xml")}
    found = brought(server, routes, f"arXiv:{PAPER}v1")
    assert found.metadata.version_label == "v1"
    assert all(path.startswith("/arxiv/") for path in server.paths())


@pytest.mark.parametrize(
    "identifier",
    ["", "rats", "../etc/passwd", "10.1000/../../x", "10.1000/x\r\nHost: evil", f"{DOI}?a=b c", "PMID:1&db=x"],
)
def test_what_is_no_identifier_is_refused_and_nobody_is_asked(server: Server, identifier: str) -> None:
    failure = failed(server, "doi", identifier)
    assert isinstance(failure, Permanent)
    assert "is no identifier" in failure.message
    assert failure.mend
    assert server.asked == []


def test_without_an_address_unpaywall_is_not_asked_and_nothing_else_is_lost(server: Server) -> None:
    found = brought(server, usual(server), contact="")
    assert server.paths("/unpaywall") == []
    assert b"<body" in found.content


def test_no_key_and_no_address_is_in_what_is_brought(server: Server) -> None:
    words = f"no {KEYS['pubmed']} {KEYS['crossref']} {KEYS['openalex']} {CONTACT}"
    refused = Step({"message": words, "error": words}, status=400)
    copy = unpaywall(f"{server.url}/files/a.pdf?email={CONTACT}&api_key={KEYS['openalex']}")
    every = {path: step for path, step in usual(server).items() if not path.startswith(("/crossref", "/openalex"))}
    found = brought(server, {**every, "/crossref/": refused, "/openalex/": refused, OF_UNPAYWALL: Step(copy)})
    assert len([note for note in found.notes if "was not heard" in note]) == 2
    for secret in (*KEYS.values(), CONTACT):
        assert secret not in repr(found)
