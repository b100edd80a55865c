"""PubMed and PubMed Central: records, full texts, errors that stand in answers, batches, history."""

from __future__ import annotations

import pytest

from backedge.evidence.sources import Identifiers
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient
from tests.adapters.sources.asking import XML, failed, fetched, found, links_of, statuses, usual
from tests.adapters.sources.server import Server, Step
from tests.adapters.sources.shapes import (
    CLOSED,
    DOI,
    PMCID,
    PMID,
    article,
    central,
    pubmed_error,
    record,
    records,
    searched,
)


def test_pubmed_brings_the_full_text_of_central_with_what_the_record_says(server: Server) -> None:
    link = "<RefSource>J. 2010</RefSource><PMID>88</PMID>"
    retracted = f'<CommentsCorrections RefType="RetractionIn">{link}</CommentsCorrections>'
    routes = usual(server) | {"/pubmed/efetch.fcgi?db=pubmed": Step(records(record(links=retracted, pmcid=PMCID)), XML)}
    server.play(routes)
    brought = fetched(server, "pubmed", PMID)
    assert (b"<body>" in brought.content, brought.content.count(b"pmc-articleset")) == (True, 0)
    assert (links_of(brought.metadata), brought.metadata.identifiers) == (
        [("retracted_by", ("pmid:88",))],
        Identifiers(doi=DOI, pmid=PMID, pmcid=PMCID),
    )


@pytest.mark.parametrize(
    "central_said",
    [
        central(CLOSED + article(body="")),
        pubmed_error("ID list is empty! Possibly it has no correct IDs."),
        central('<error id="PMC1">The following PMCID is not available: 1</error>'),
    ],
)
def test_where_central_gives_no_text_the_record_is_brought(server: Server, central_said: str) -> None:
    server.play(
        {
            "/pubmed/efetch.fcgi?db=pubmed": Step(records(record(pmcid=PMCID)), XML),
            "/pubmed/efetch.fcgi?db=pmc": Step(central_said, XML),
        }
    )
    brought = fetched(server, "pubmed", PMID)
    assert (brought.name, len(brought.notes)) == (f"{PMID}.xml", 1)
    assert brought.content.startswith(b"<?xml version='1.0' encoding='utf-8'?>\n<PubmedArticle>")


def test_a_number_of_central_is_taken_with_the_record_of_its_article(server: Server) -> None:
    brought = fetched(server, "pubmed", PMCID)
    assert (b"<body>" in brought.content, brought.metadata.identifiers.pmcid, brought.metadata.journal) == (
        True,
        PMCID,
        "PloS one",
    )
    assert [asked.query["db"] for asked in server.asked] == ["pmc", "pubmed"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (pubmed_error("ID list is empty! Possibly it has no correct IDs."), Permanent),
        (pubmed_error("Unable to obtain query #1"), Transient),
        (pubmed_error("Can't fetch uids from history because of: NCBI C++ Exception: Error"), Transient),
        (pubmed_error("Search Backend failed: read timed out"), Transient),
        ('{"error":"API rate limit exceeded","api-key":"1.2.3.4","count":"4","limit":"3"}', RateLimited),
        ('{"error":"API key invalid","api-key":"ncbi-key-5a5a","count":"11"}', Permanent),
        (records(), Permanent),
        (records(record("999")), Permanent),
        ("<PubmedArticleSet><PubmedArticle><MedlineCitation>", Transient),
    ],
)
def test_errors_of_pubmed_that_stand_in_answers(server: Server, said: str, kind: type[Failure]) -> None:
    server.play({"/pubmed/efetch.fcgi": Step(said, XML)})
    caught = failed(server, "pubmed", PMID)
    assert type(caught) is kind
    assert not any(secret in str(vars(caught)) for secret in ("1.2.3.4", "ncbi-key-5a5a"))


def test_pubmed_is_asked_for_many_at_once_and_records_are_told_apart(server: Server) -> None:
    many = [record(str(number), doi=f"10.1000/{number}") for number in (11, 13)]
    server.play({"/pubmed/efetch.fcgi": Step(records(*many), XML)})
    said = statuses(server, "pubmed", *(Identifiers(pmid=str(n)) for n in (11, 12, 13)), Identifiers(doi="10.1000/11"))
    assert [each.identifiers.doi if each else None for each in said] == ["10.1000/11", None, "10.1000/13", None]
    assert [asked.query["id"] for asked in server.asked] == ["11,12,13"]


def test_pubmed_searches_by_its_history(server: Server) -> None:
    server.play(
        {
            "/pubmed/esearch.fcgi": Step(searched("13", "11", "99", count=500)),
            "/pubmed/efetch.fcgi": Step(records(record("11"), record("13")), XML),
        }
    )
    said = found(server, "pubmed", limit=3)
    assert ([hit.identifier for hit in said.hits], said.total) == (["PMID:13", "PMID:11", "PMID:99"], 500)
    assert [hit.metadata.title[-2:] for hit in said.hits] == ["13", "11", ""]
    first, second = server.asked
    assert (first.query["usehistory"], second.query["WebEnv"], "id" in second.query) == ("y", "MCID_0123456789", False)


def test_a_search_that_pubmed_cannot_do_says_so(server: Server) -> None:
    server.play({"/pubmed/esearch.fcgi": Step({"esearchresult": {"ERROR": "Search Backend failed: x"}})})
    with pytest.raises(Transient):
        found(server, "pubmed")
    server.play({"/pubmed/esearch.fcgi": Step({"esearchresult": {"ERROR": "Empty term and query_key - nothing todo"}})})
    with pytest.raises(Permanent):
        found(server, "pubmed")
