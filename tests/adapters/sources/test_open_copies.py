"""OpenAlex and Unpaywall: open copies of others' servers, and what is told of a work."""

from __future__ import annotations

from typing import Any

import pytest

from backedge.adapters.sources import openalex
from backedge.evidence.sources import Identifiers
from backedge.kernel.defect import Permanent, Transient
from tests.adapters.sources.asking import failed, fetched, stands, statuses, usual
from tests.adapters.sources.server import Server, Step
from tests.adapters.sources.shapes import (
    DOI,
    PAPER,
    PDF,
    PMID,
    unpaywall,
)
from tests.adapters.sources.shapes import openalex as alex


def place(url: str | None, **instead: Any) -> dict[str, Any]:
    source = {"display_name": "PLoS ONE", "type": "journal"}
    return {"is_oa": True, "pdf_url": url, "landing_page_url": None, "license": "cc-by", "source": source, **instead}


def test_openalex_brings_the_first_open_pdf_that_is_one(server: Server) -> None:
    base = f"{server.url}/files"
    places = [place(f"{base}/page"), place(f"{base}/gone"), place(f"{base}/busy"), place(f"{base}/article.pdf?k=1")]
    routes = usual(server) | {
        "/openalex/works/": Step(alex(best_oa_location=places[0], locations=places)),
        "/files/page": Step(b"<html>Just a moment...</html>", "text/html"),
        "/files/gone": Step(b"", status=404),
        "/files/busy": Step(b"", status=503),
    }
    server.play(routes)
    brought = fetched(server, "openalex", DOI)
    assert (brought.content, brought.name, len(brought.notes)) == (PDF, "article.pdf", 3)
    assert brought.metadata.licence == "CC BY"


def test_servers_of_others_that_are_gone_do_not_keep_the_abstract_back(server: Server) -> None:
    routes = usual(server) | {
        "/openalex/works/": Step(alex(best_oa_location=place(f"{server.url}/files/busy"))),
        "/files/busy": Step(b"", status=503),
    }
    server.play(routes)
    brought = fetched(server, "openalex", DOI)
    assert (b"Statins may help Statins do p&lt;0.05" in brought.content, len(brought.notes)) == (True, 1)
    server.play(routes | {"/unpaywall/": Step(unpaywall(f"{server.url}/files/busy"))})
    assert isinstance(failed(server, "unpaywall", DOI), Transient)  # it has no abstract to fall back on


@pytest.mark.parametrize(
    ("page", "is_taken"),
    [
        (b"<html><h1>Impact of <i>Statins</i></h1>" + b"<p>long text</p>" * 2_000 + b"</html>", True),
        (b"<html><h1>Impact of Statins</h1><p>Accept cookies</p></html>", False),
        (b"<html><h1>Another</h1>" + b"<p>long text</p>" * 2_000 + b"</html>", False),
        (b"<html><h1>Impact of Statins</h1><script>" + b"long text " * 2_000 + b"</script></html>", False),
    ],
)
def test_a_page_is_taken_only_where_it_is_the_article(server: Server, page: bytes, is_taken: bool) -> None:
    where = place(None, landing_page_url=f"{server.url}/files/page")
    routes = usual(server) | {
        "/openalex/works/": Step(alex(best_oa_location=where)),
        "/files/page": Step(page, "text/html"),
    }
    server.play(routes)
    assert (fetched(server, "openalex", DOI).media_type == "text/html") is is_taken


def test_openalex_tells_retractions_and_notices() -> None:
    assert stands(openalex.metadata_of(alex(is_retracted=True)))[1] == {"retracted"}
    assert stands(openalex.metadata_of(alex(type="retraction")))[1] == {"notice"}
    assert stands(openalex.metadata_of(alex(is_retracted="true")))[0]


def test_openalex_is_not_believed_about_another_work(server: Server) -> None:
    server.play({"/openalex/works/": Step(alex(doi="https://doi.org/10.1000/preprint"))})
    assert isinstance(failed(server, "openalex", DOI), Permanent)


def test_openalex_is_asked_for_many_at_once(server: Server) -> None:
    server.play({"/openalex/works?": Step({"meta": {"count": 1}, "results": [alex()]})})
    said = statuses(server, "openalex", Identifiers(doi=DOI), Identifiers(pmid=PMID), Identifiers(arxiv=PAPER))
    assert [each is not None for each in said] == [True, True, False]
    assert [asked.query["filter"] for asked in server.asked] == [f"doi:{DOI}", f"pmid:{PMID}"]


def test_unpaywall_needs_the_contact_and_an_open_copy(server: Server) -> None:
    told = failed(server, "unpaywall", DOI, contact="")
    assert (isinstance(told, Permanent), server.asked) == (True, [])
    server.play({"/unpaywall/": Step(unpaywall("", is_oa=False, best_oa_location=None, oa_locations=[]))})
    assert isinstance(failed(server, "unpaywall", DOI), Permanent)
    refused = Step({"HTTP_status_code": 422, "error": True, "message": "Please use your own email"}, status=422)
    server.play({"/unpaywall/": refused})
    assert "Please use your own email" in failed(server, "unpaywall", DOI).message
