"""From parse to eligibility: quarantine keeps the content, and what may not be used ends there."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from backedge.evidence import kinds
from backedge.evidence.facts import Policy
from backedge.evidence.ingest.states import Ineligible, Quarantined
from backedge.evidence.sources import Delivery, Relation, Signal
from backedge.kernel.defect import Transient
from backedge.kernel.run import Run
from tests.evidence.outside import Agent, Counts, View, article, delivery, doi
from tests.evidence.shelf import Shelf

UNREAD = ("Fetching", "Recording", "Parsing", "Judging", "Quarantined")
FORBIDDEN = ("Fetching", "Recording", "Parsing", "Chunking", "Measuring", "Judging", "Ineligible")
NOTICE = b"Retraction\n\nThe article on ketorolac is retracted by its authors because its figures were copied.\n"


def pdf_of_no_text(extra: bytes = b"") -> bytes:
    """A whole PDF of one empty page; `extra` goes into its trailer."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>",
        b"<</Filter/Standard/V 1/R 2/O<" + b"41" * 32 + b">/U<" + b"42" * 32 + b">/P -4>>",
    ]
    body, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(body)
    size = len(objects) + 1
    body += b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    return body + b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (size, extra, start)


UNFIT = {
    "corrupt": (b"<article><front></article>", "application/xml", "a.xml"),
    "damaged_pdf": (b"%PDF-1.4\nnothing of it is here", "application/pdf", "a.pdf"),
    "encrypted": (
        pdf_of_no_text(b"/Encrypt 4 0 R/ID[<" + b"43" * 16 + b"><" + b"43" * 16 + b">]"),
        "application/pdf",
        "a.pdf",
    ),
    "text_less": (pdf_of_no_text(), "application/pdf", "a.pdf"),
    "empty": (b"  \n", "text/plain", "a.txt"),
    "hostile": (
        b'<!DOCTYPE article [<!ENTITY e SYSTEM "file:///etc/passwd">]><article><body><p>&e;</p></body></article>',
        "application/xml",
        "a.xml",
    ),
}


@pytest.mark.parametrize("what", UNFIT)
def test_what_cannot_be_read_is_quarantined_kept_and_judged(what: str) -> None:
    content, media_type, name = UNFIT[what]
    shelf = Shelf()
    run = shelf.ingest("a", delivery(content, name, media_type))
    assert run.trail == UNREAD
    assert isinstance(run.state, Quarantined)
    assert run.state.message
    (judgement,) = shelf.all(kinds.JUDGEMENT)
    assert (judgement.eligible, [reason.kind for reason in judgement.reasons]) == (
        False,
        ["failed_parse" if run.state.why in ("corrupt", "too_slow") else "quarantined"],
    )
    (unread,) = shelf.all(kinds.UNREAD)
    assert (unread.why, unread.version) == (run.state.why, run.state.version)
    assert shelf.contents.kept[run.state.version] == content
    assert (shelf.agent.lessons, shelf.view.revision, shelf.counts()["text"]) == ([], 0, 0)


def test_each_reason_is_told_by_its_name() -> None:
    found = {}
    for what, (content, media_type, name) in UNFIT.items():
        found[what] = Shelf().ingest("a", delivery(content, name, media_type)).state.why
    assert found == {
        "corrupt": "corrupt",
        "damaged_pdf": "corrupt",
        "encrypted": "encrypted",
        "text_less": "no_text",
        "empty": "no_text",
        "hostile": "hostile",
    }


def test_without_an_embedder_the_ingest_pauses_before_chunk_and_says_what_to_install() -> None:
    shelf = Shelf(embedder=None)
    run = shelf.ingest("a")
    assert (run.trail, run.status) == (("Fetching", "Recording", "Parsing", "Chunking"), "stopped")
    assert run.stopped is not None
    assert run.stopped.resumable
    assert "pip install 'backedge[embed]'" in run.stopped.mend
    assert (shelf.counts()["text"], shelf.counts()["chunks"]) == (1, 0)
    shelf.embedder = Counts()
    assert shelf.retry(run.id).trail == (*run.trail, "Measuring", "Judging", "Extracting", "AwaitingParts", "Ingested")
    assert shelf.lab.asked["a"] == 1


def test_chunks_are_recorded_and_are_those_of_the_view() -> None:
    shelf = Shelf()
    run = shelf.ingest("a")
    (kept,) = shelf.all(kinds.CHUNKS)
    text = shelf.contents.kept[shelf.all(kinds.TEXT)[0].text].decode()
    assert {chunk.key: (chunk, text[chunk.start : chunk.end]) for chunk in kept.chunks} == shelf.view.chunks
    assert (kept.version, kept.embedder, len(kept.chunks)) == (run.state.version, Counts.name, 4)


def test_chunks_that_a_failed_call_added_are_not_added_twice() -> None:
    shelf = Shelf()

    class Failing(View):
        """Adds, and loses its answer once."""

        lost = False

        async def add(self, chunks, texts, vectors):  # type: ignore[no-untyped-def]
            made = await super().add(chunks, texts, vectors)
            if not self.lost:
                self.lost = True
                raise Transient("the answer was lost")
            return made

    shelf.view = Failing()
    assert shelf.ingest("a").trail[-1] == "Ingested"
    assert (shelf.view.revision, len(shelf.view.chunks)) == (1, 4)


ROWS = b"group,glucose (mg/dL),weight (furlongs),n\nA,10,212,6\nB,20,198,6\n"


def test_a_unit_outside_the_table_is_kept_as_written_marked_invalid_and_nothing_is_converted() -> None:
    shelf = Shelf()
    run = shelf.ingest("rows", delivery(ROWS, "rows.csv", "text/csv"))
    assert run.trail == ("Fetching", "Recording", "Parsing", "Chunking", "Measuring", "Judging", "Ingested")
    (kept,) = shelf.all(kinds.MEASUREMENTS)
    found = {(m.name, m.value, m.unit, m.valid) for m in kept.measurements}
    assert found == {
        ("glucose", "10", "mg/dL", True),
        ("glucose", "20", "mg/dL", True),
        ("weight (furlongs)", "212", "furlongs", False),
        ("weight (furlongs)", "198", "furlongs", False),
    }
    assert all(m.reason for m in kept.measurements if not m.valid)
    assert shelf.agent.lessons == []


def forbidden(shelf: Shelf, kind: str) -> Run:
    """An ingest of a source that may not be used, for each reason that has a text."""
    ways: dict[str, Delivery] = {
        "retracted": delivery(signals=(Signal("retracted", "publication type", "Retracted Publication"),)),
        "withdrawn": delivery(title="WITHDRAWN: Ketorolac in rats"),
        "superseded": delivery(relations=(Relation("updated_by", doi("newer")),)),
        "restricted": delivery(),
        "notice": delivery(NOTICE, relations=(Relation("retraction_of", doi("a")),)),
    }
    return shelf.ingest("a", ways[kind], restricted="under embargo" if kind == "restricted" else "")


@pytest.mark.parametrize("kind", ["retracted", "withdrawn", "superseded", "restricted", "notice"])
def test_what_may_not_be_used_is_kept_with_its_reasons_and_never_extracted(kind: str) -> None:
    shelf = Shelf()
    run = forbidden(shelf, kind)
    assert run.trail == FORBIDDEN
    assert isinstance(run.state, Ineligible)
    (judgement,) = shelf.all(kinds.JUDGEMENT)
    assert (judgement.eligible, {reason.kind for reason in judgement.reasons}) == (False, {kind})
    assert judgement.reasons[0].by
    assert (shelf.agent.lessons, shelf.judge.lessons, shelf.counts()["record"]) == ([], [], 0)
    assert shelf.contents.kept[run.state.version]


def test_who_restricts_a_source_and_why_is_kept() -> None:
    shelf = Shelf()
    run = forbidden(shelf, "restricted")
    (mark,) = shelf.all(kinds.MARK)
    assert (mark.source, mark.by, mark.reason, mark.lifted) == (run.state.source, "ann", "under embargo", False)
    (reason,) = run.state.judgement.reasons
    assert (reason.by, reason.detail) == ("ann", "under embargo")


def test_a_concern_warns_or_forbids_as_the_policy_says() -> None:
    concern = delivery(signals=(Signal("concern", "registry"),))
    warned, refused = Shelf(), Shelf(policy=Policy(concern_forbids=True))
    assert warned.ingest("a", concern).trail[-1] == "Ingested"
    assert [warning.kind for warning in warned.all(kinds.JUDGEMENT)[0].warnings] == ["concern"]
    assert refused.ingest("a", concern).trail == FORBIDDEN
    assert warned.all(kinds.JUDGEMENT)[0].policy != refused.all(kinds.JUDGEMENT)[0].policy


def notice_and_article(shelf: Shelf) -> None:
    shelf.brings("article", delivery(identifiers=doi("a"), title="Ketorolac in rats"))
    told: dict[str, Any] = {"identifiers": doi("n"), "title": "Retraction: Ketorolac in rats"}
    shelf.brings("notice", delivery(NOTICE, relations=(Relation("retraction_of", doi("a")),), **told))


def test_a_notice_that_arrives_later_forbids_the_article_and_its_records() -> None:
    shelf = Shelf()
    notice_and_article(shelf)
    run = shelf.ingest("article")
    assert (run.trail[-1], shelf.verified(run)) == ("Ingested", 1)
    assert shelf.ingest("notice").trail == FORBIDDEN
    first, second = shelf.all(kinds.JUDGEMENT, f"{run.state.version}/")
    assert (first.eligible, second.eligible, second.number) == (True, False, 2)
    assert [reason.kind for reason in second.reasons] == ["retracted"]
    assert shelf.verified(run) == 0
    assert asyncio.run(shelf.library.standing(shelf.record(run).state.record.key)) is not None


def test_a_notice_that_was_there_first_forbids_the_article_at_once() -> None:
    shelf = Shelf()
    notice_and_article(shelf)
    assert shelf.ingest("notice").trail == FORBIDDEN
    assert shelf.ingest("article").trail == FORBIDDEN
    assert shelf.agent.lessons == []


@pytest.mark.parametrize("first", ["article", "notice"])
def test_a_notice_and_its_article_at_once_come_to_the_same(first: str) -> None:
    shelf = Shelf()
    notice_and_article(shelf)
    runs = {name: shelf.begin(name) for name in (first, *({"article", "notice"} - {first}))}
    shelf.drive(*runs.values())
    (version,) = [v.content for v in shelf.all(kinds.VERSION) if v.fetched.identifier == "article"]
    last = asyncio.run(shelf.library.judgement(version))
    assert last is not None
    assert (last.eligible, [reason.kind for reason in last.reasons]) == (False, ["retracted"])
    assert asyncio.run(shelf.library.verified(version)) == ()


def test_versions_are_judged_by_their_own_label() -> None:
    shelf = Shelf()
    signal = Signal("withdrawn", "arxiv", "v2: withdrawn by its authors")
    one = shelf.ingest("a", delivery(version_label="v1", signals=(signal,)))
    other = shelf.ingest("b", delivery(article(results="Other."), version_label="v2", signals=(signal,)))
    assert (one.trail[-1], other.trail[-1]) == ("Ingested", "Ineligible")


def test_a_run_that_paused_before_extracting_reads_the_judgement_that_counts_when_it_goes_on() -> None:
    shelf = Shelf(agent=None)
    notice_and_article(shelf)
    run = shelf.ingest("article")
    assert run.trail[-1] == "Extracting"
    shelf.ingest("notice")
    shelf.agent = Agent()
    again = shelf.retry(run.id)
    assert (again.trail[-1], again.status, shelf.agent.lessons) == ("Ineligible", "ended", [])
    assert [reason.kind for reason in again.state.judgement.reasons] == ["retracted"]
