"""What each registry says and brings: standing from both ends, versions, errors that stand in answers, batches."""

from __future__ import annotations

from typing import Any

import pytest

from backedge.adapters.reading import jats
from backedge.adapters.sources import crossref, europe_pmc, openalex
from backedge.adapters.sources.abstract_record import record_of, without_marks
from backedge.adapters.sources.licences import licence
from backedge.evidence.eligibility import judge
from backedge.evidence.facts import Facts, Policy
from backedge.evidence.ports import ExternalFound
from backedge.evidence.reading import Reading
from backedge.evidence.sources import Identifiers, Metadata
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient
from tests.adapters.sources.asking import XML, failed, fetched, go, opened, usual
from tests.adapters.sources.server import Server, Step
from tests.adapters.sources.shapes import (
    CLOSED,
    DOI,
    PAPER,
    PDF,
    PMCID,
    PMID,
    article,
    arxiv_error,
    central,
    crossref_many,
    crossref_one,
    entry,
    europe,
    europe_found,
    feed,
    links,
    pubmed_error,
    record,
    records,
    searched,
    unpaywall,
    update,
    work,
)
from tests.adapters.sources.shapes import openalex as alex

ATOM = "application/atom+xml"


def stands(metadata: Metadata) -> tuple[bool, set[str], set[str]]:
    """Whether it is eligible, the kinds of the reasons why not, and those of the warnings."""
    eligible, reasons, warnings = judge(Facts(metadata), Policy())
    return eligible, {reason.kind for reason in reasons}, {warning.kind for warning in warnings}


def statuses(server: Server, name: str, *sources: Identifiers) -> tuple[Metadata | None, ...]:
    return go(opened(server).registries[name].status(sources))


def found(server: Server, name: str, query: str = "statins", limit: int = 5) -> ExternalFound:
    return go(opened(server).searchable[name].search(query, limit))


def links_of(metadata: Metadata) -> list[tuple[str, tuple[str, ...]]]:
    return [(relation.kind, relation.other.named()) for relation in metadata.relations]


# Crossref


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
    assert server.asked[0].query["filter"].count("doi:10.1000/") == crossref.TOGETHER


def test_a_record_without_an_abstract_is_one_all_the_same(server: Server) -> None:
    server.play({"/crossref/works/": Step(crossref_one(work(abstract=None)))})
    read = jats.read(fetched(server, "crossref", DOI).content, "x")
    assert isinstance(read, Reading)
    assert [(section.role, read.text[section.start : section.end]) for section in read.sections] == [
        ("title", "Impact of Statins on risk & recovery")
    ]


# Europe PMC


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


# PubMed


def test_pubmed_brings_the_full_text_of_central_with_what_the_record_says(server: Server) -> None:
    retracted = '<CommentsCorrections RefType="RetractionIn"><RefSource>J. 2010</RefSource><PMID>88</PMID></CommentsCorrections>'
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
    many = [record(str(number), doi=f"10.1/{number}") for number in (11, 13)]
    server.play({"/pubmed/efetch.fcgi": Step(records(*many), XML)})
    said = statuses(server, "pubmed", *(Identifiers(pmid=str(n)) for n in (11, 12, 13)), Identifiers(doi="10.1/11"))
    assert [each.identifiers.doi if each else None for each in said] == ["10.1/11", None, "10.1/13", None]
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


# arXiv


def arxiv_of(server: Server, *entries: str, typed: str = f"{PAPER}v1") -> tuple[Metadata, bytes]:
    server.play({"/arxiv/api/query": Step(feed(*entries), ATOM), "/arxiv/pdf/": Step(PDF, "application/pdf")})
    brought = fetched(server, "arxiv", typed)
    return brought.metadata, brought.content


def test_a_version_that_was_withdrawn_says_nothing_against_another(server: Server) -> None:
    gone = entry(f"{PAPER}v2", comment="This paper has been withdrawn by the author due to an error in Lemma 2.")
    first, content = arxiv_of(server, entry(f"{PAPER}v1"), gone)
    assert (stands(first), content) == ((True, set(), {"withdrawn"}), PDF)
    second, content = arxiv_of(server, gone, typed=f"{PAPER}v2")
    assert (stands(second)[:2], b"<article-title>" in content) == ((False, {"withdrawn"}), True)
    newest, _ = arxiv_of(server, gone, typed=PAPER)
    assert (newest.version_label, stands(newest)[1]) == ("v2", {"withdrawn"})


def test_an_older_version_is_superseded_and_the_newest_is_not(server: Server) -> None:
    first, _ = arxiv_of(server, entry(f"{PAPER}v1"), entry(f"{PAPER}v3"))
    assert (first.version_label, stands(first)[1]) == ("v1", {"superseded"})
    assert server.asked[0].query["id_list"] == f"{PAPER}v1,{PAPER}"
    assert server.paths("/arxiv/pdf") == [f"/arxiv/pdf/{PAPER}v1"]
    newest, _ = arxiv_of(server, entry(f"{PAPER}v3"), typed=PAPER)
    assert (newest.version_label, stands(newest)[0]) == ("v3", True)


@pytest.mark.parametrize(
    ("comment", "is_withdrawn"),
    [
        ("This paper has been withdrawn by the author", True),
        ("arXiv admin note: This submission has been withdrawn by arXiv administrators due to plagiarism", True),
        ("Withdrawn", True),
        ("withdrawn due to a crucial sign error in eq. 3", True),
        ("Paper withdrawn", True),
        ("This paper has been temporarily withdrawn", True),
        ("We withdraw this paper", True),
        ("This paper has been retracted by the authors", True),
        ("This submission has been removed by arXiv administrators", True),
        ("12 pages, 3 figures", False),
        ("withdrawn patients included in appendix", False),
        ("12 pages. The paper was withdrawn from consideration at PRL", False),
        ("Comments on retracted claims; not withdrawn money", False),
        ("", False),
    ],
)
def test_comments_that_withdraw(server: Server, comment: str, is_withdrawn: bool) -> None:
    said, _ = arxiv_of(server, entry(comment=comment))
    assert stands(said)[1] == ({"withdrawn"} if is_withdrawn else set())


def test_a_paper_that_another_takes_the_place_of(server: Server) -> None:
    said, _ = arxiv_of(server, entry(comment="Preliminary draft, superseded by arXiv:2405.13351."))
    assert (links_of(said), stands(said)[1]) == ([("updated_by", ("arxiv:2405.13351",))], {"superseded"})


def test_the_published_article_is_another_work(server: Server) -> None:
    said, _ = arxiv_of(server, entry(doi="10.1063/1.1383585"))
    assert (said.identifiers.doi, links_of(said), said.title) == (
        f"10.48550/arxiv.{PAPER}",
        [("published_as", ("doi:10.1063/1.1383585",))],
        "On rats, and x < y",
    )
    assert stands(said)[0]


def test_arxiv_says_of_papers_which_versions_have_newer_ones(server: Server) -> None:
    server.play({"/arxiv/api/query": Step(feed(entry(f"{PAPER}v3"), entry("hep-th/9901001v1")), ATOM)})
    said = statuses(
        server, "arxiv", Identifiers(arxiv=PAPER), Identifiers(arxiv="hep-th/9901001"), Identifiers(arxiv="2302.00001")
    )
    assert said[2] is None
    assert said[0] is not None
    assert [(s.kind, s.detail) for s in said[0].signals] == [
        ("superseded", "v1: v3 is the newest version"),
        ("superseded", "v2: v3 is the newest version"),
    ]
    assert said[1] is not None
    for known, reasons in (("v1", {"superseded"}), ("v2", {"superseded"}), ("v3", set())):
        assert stands(said[0].joined(Metadata(version_label=known)))[1] == reasons


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (Step(arxiv_error("#incorrect_id_format_for_x", "incorrect id format for x"), ATOM), Permanent),
        (Step(arxiv_error("#incorrect_id_format_for_x", "incorrect id format for x"), ATOM, 400), Permanent),
        (Step(arxiv_error("", "The server encountered an internal error"), ATOM), Transient),
        (Step(arxiv_error("", "The server encountered an internal error"), ATOM, 500), Transient),
        (Step(feed(), ATOM), Permanent),
        (Step(feed(entry("2301.99999v1")), ATOM), Permanent),
        (Step(feed(entry(f"{PAPER}v2")), ATOM), Permanent),
        (Step(feed()[:-30], ATOM), Transient),
    ],
)
def test_errors_of_arxiv_that_stand_in_answers(server: Server, step: Step, kind: type[Failure]) -> None:
    server.play({"/arxiv/api/query": step})
    caught = failed(server, "arxiv", f"{PAPER}v1")
    assert type(caught) is kind


def test_words_are_searched_for_together_and_fields_are_left_as_they_are(server: Server) -> None:
    server.play({"/arxiv/api/query": Step(feed(entry(f"{PAPER}v2"), total=40), ATOM)})
    said = found(server, "arxiv", "fish oil & mice")
    found(server, "arxiv", 'ti:"fish oil" AND cat:q-bio.TO')
    assert [asked.query["search_query"] for asked in server.asked] == [
        "all:fish AND all:oil AND all:mice",
        'ti:"fish oil" AND cat:q-bio.TO',
    ]
    assert ([hit.identifier for hit in said.hits], said.total) == ([f"arXiv:{PAPER}v2"], 40)


# OpenAlex and Unpaywall


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


# words


@pytest.mark.parametrize(
    ("written", "one"),
    [
        ("cc by-nc-nd", "CC BY-NC-ND"),
        ("cc-by", "CC BY"),
        ("CC BY 4.0", "CC BY 4.0"),
        ("https://creativecommons.org/licenses/by-nc/4.0/legalcode", "CC BY-NC 4.0"),
        ("http://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0"),
        ("cc0", "CC0"),
        ("https://www.elsevier.com/tdm/userlicense/1.0/", "https://www.elsevier.com/tdm/userlicense/1.0/"),
        ("", ""),
    ],
)
def test_licences_have_one_spelling(written: str, one: str) -> None:
    assert licence(written) == one


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("A <i>b</i> &amp; c", "A b & c"),
        ("x&lt;sub&gt;2&lt;/sub&gt; p &lt; 0.05", "x<sub>2</sub> p < 0.05"),
        ("if a <b and c> d", "if a <b and c> d"),
        ('<span class="x">Word</span>', "Word"),
    ],
)
def test_titles_lose_their_marks_and_nothing_else(title: str, plain: str) -> None:
    assert without_marks(title) == plain


@pytest.mark.parametrize(
    "abstract", ["<sup>2", "</sup>x<sub>", "a\x00b\x0c", "]]>", "<h4>A</h4>", "&#0;&#xD800;", "<p>" * 500, "𝛼 \ufffe"]
)
def test_any_abstract_makes_a_document_that_can_be_read(abstract: str) -> None:
    read = jats.read(record_of("T <x", abstract, "x", Metadata()).content, "x")
    assert isinstance(read, Reading)
    assert read.text.startswith("T <x")
