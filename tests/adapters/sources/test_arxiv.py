"""arXiv: versions that are withdrawn or superseded, comments that say so, errors that stand in feeds."""

from __future__ import annotations

import pytest

from backedge.evidence.sources import Identifiers, Metadata
from backedge.kernel.defect import Failure, Permanent, Transient
from tests.adapters.sources.asking import failed, fetched, found, links_of, stands, statuses
from tests.adapters.sources.server import Server, Step
from tests.adapters.sources.shapes import (
    PAPER,
    PDF,
    arxiv_error,
    entry,
    feed,
)

ATOM = "application/atom+xml"


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
