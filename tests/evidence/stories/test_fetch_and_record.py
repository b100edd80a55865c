"""Rows fetch and record of the table: failures by their class, a version by its hash, a duplicate that adds nothing."""

from __future__ import annotations

import hashlib

import pytest

from backedge.evidence import kinds
from backedge.evidence.ingest.states import Duplicate, Ingested, Recording
from backedge.evidence.records import Reason
from backedge.kernel.defect import Permanent, RateLimited, Transient
from backedge.kernel.drive import CannotRetry
from backedge.kernel.journal import Refused
from backedge.kernel.run import Run
from tests.evidence.outside import article, delivery, doi
from tests.evidence.shelf import Shelf
from tests.kernel.memory import Crash

WHOLE = ("Fetching", "Recording", "Parsing", "Chunking", "Measuring", "Judging", "Extracting", "AwaitingParts")


def failures(shelf: Shelf, run: Run) -> list[tuple[str, str]]:
    """The failed calls that a run's journal holds."""
    entries = [stored.entry for stored in shelf.journal(run.id)]
    return [(entry.stage, entry.failure) for entry in entries if isinstance(entry, Refused)]


def test_a_source_goes_from_fetching_to_verified_records() -> None:
    shelf = Shelf()
    run = shelf.ingest("a")
    assert run.trail == (*WHOLE, "Ingested")
    assert shelf.counts() == {
        **dict.fromkeys(("source", "version", "source_version", "text", "chunks", "measurements", "judgement"), 1),
        "record": 1,
        "alike": 1,
        "extraction": 1,
        "validation": 1,
        "verification": 1,
        "standing": 2,
    }
    assert (shelf.record(run).trail, shelf.verified(run)) == (("Validating", "Verifying", "Accepted"), 1)


def test_a_transient_failure_is_tried_twice_more() -> None:
    shelf = Shelf()
    run = shelf.ingest("a", Transient("lost"), Transient("lost"), delivery())
    assert (run.trail[-1], shelf.lab.asked["a"]) == ("Ingested", 3)
    assert failures(shelf, run) == [("Fetching", "transient")] * 2
    assert len(shelf.clock.slept) == 2


def test_a_third_transient_failure_is_recorded_and_the_run_pauses_until_it_is_retried() -> None:
    shelf = Shelf()
    run = shelf.ingest("a", *[Transient("lost")] * 3, delivery())
    assert (run.trail, run.status, shelf.lab.asked["a"]) == (("Fetching",), "stopped", 3)
    assert run.stopped is not None
    assert run.stopped.resumable
    assert "lost" in run.stopped.reason
    assert failures(shelf, run) == [("Fetching", "transient")] * 3
    assert shelf.counts() == {}
    again = shelf.drive(run.id)
    assert (again.status, shelf.lab.asked["a"]) == ("stopped", 3)
    assert shelf.retry(run.id).trail == (*WHOLE, "Ingested")


def test_a_limited_rate_is_waited_for_as_long_as_the_service_says() -> None:
    shelf = Shelf()
    run = shelf.ingest("a", RateLimited("slow down", 17.0), delivery())
    assert (run.trail[-1], shelf.clock.slept) == ("Ingested", [17.0])


def test_a_permanent_failure_is_recorded_and_ends_the_run() -> None:
    shelf = Shelf()
    run = shelf.ingest("a", Permanent("there is no such article"), delivery())
    assert (run.trail, run.status, shelf.lab.asked["a"]) == (("Fetching",), "stopped", 1)
    assert run.stopped is not None
    assert not run.stopped.resumable
    assert run.stopped.reason == "there is no such article"
    assert (failures(shelf, run), shelf.counts()) == ([("Fetching", "permanent")], {})
    with pytest.raises(CannotRetry):
        shelf.retry(run.id)


def test_the_same_content_again_ends_as_a_duplicate_and_adds_nothing() -> None:
    shelf = Shelf()
    first = shelf.ingest("a", delivery(identifiers=doi("a")))
    before, written, revision = shelf.counts(), dict(shelf.store.written), shelf.view.revision
    assert isinstance(first.state, Ingested)
    for name in ("a", "elsewhere"):
        again = shelf.ingest(name, delivery(identifiers=doi("b")))
        assert again.trail == ("Fetching", "Recording", "Duplicate")
        assert again.state == Duplicate(first.state.version, first.state.source)
    assert (shelf.counts(), shelf.store.written) == (before, written)
    assert shelf.view.revision == revision
    assert len(shelf.agent.lessons) == 1


def test_of_two_runs_that_bring_the_same_content_at_once_one_records_it() -> None:
    shelf = Shelf()
    for name in ("a", "b"):
        shelf.brings(name, delivery())
    runs = [shelf.begin("a"), shelf.begin("b")]
    shelf.drive(*runs)
    ends = [shelf.load(run).state for run in runs]
    assert sorted(type(end).__name__ for end in ends) == ["Duplicate", "Ingested"]
    assert (len(shelf.all(kinds.VERSION)), len(shelf.all(kinds.VERSION_OF))) == (1, 1)
    assert len(shelf.contents.claims) == 1


def test_the_holder_of_a_claim_that_crashed_records_it_when_it_goes_on() -> None:
    shelf = Shelf()
    shelf.brings("a", delivery())
    shelf.brings("b", delivery())
    first, second = shelf.begin("a"), shelf.begin("b")
    shelf.store.crash_at = 3  # the claim is made, and what came of it is not written
    with pytest.raises(Crash):
        shelf.drive(first)
    assert isinstance(shelf.load(first).state, Recording)
    other = shelf.drive(second)
    assert other.state == Duplicate(next(iter(shelf.contents.claims)), f"run:{first}")
    assert shelf.drive(first).trail[-1] == "Ingested"
    assert len(shelf.all(kinds.VERSION)) == 1


def test_a_claim_whose_holder_is_over_is_taken_over() -> None:
    shelf = Shelf()
    content = hashlib.sha256(article()).hexdigest()
    shelf.contents.claims[content] = "a run that never was"
    run = shelf.ingest("a")
    assert (run.trail[-1], shelf.contents.claims[content]) == ("Ingested", run.id)


def test_a_holder_that_is_over_by_the_time_it_is_asked_after_recorded_the_content() -> None:
    shelf = Shelf()
    shelf.brings("a", delivery())
    shelf.brings("b", delivery())
    first, second = shelf.begin("a"), shelf.begin("b")
    claim = shelf.contents.claim

    async def late(content: str, token: str) -> str:
        """The other run is through before this one's claim is heard."""
        if token == second:
            await shelf.driver.drive(first)
        holder: str = await claim(content, token)
        return holder

    shelf.contents.claim = late
    run = shelf.drive(second)
    assert (run.trail[-1], shelf.load(first).trail[-1]) == ("Duplicate", "Ingested")
    assert len(shelf.all(kinds.VERSION_OF)) == 1


def test_another_content_of_a_source_is_a_version_that_supersedes() -> None:
    shelf = Shelf()
    old = shelf.ingest("a", delivery(identifiers=doi("a")))
    new = shelf.ingest("a", delivery(article(results="Nothing was seen.\nIt ended there."), identifiers=doi("a")))
    assert (old.trail[-1], new.trail[-1]) == ("Ingested", "Ingested")
    assert old.state.source == new.state.source
    first, second = shelf.all(kinds.VERSION_OF)
    assert (first.number, second.number, second.supersedes) == (1, 2, old.state.version)
    last = shelf.all(kinds.JUDGEMENT, f"{old.state.version}/")[-1]
    reason = Reason("superseded", "a newer version of the source", new.state.version)
    assert (last.number, last.eligible, last.reasons) == (2, False, (reason,))
    assert shelf.verified(old) == 0


def test_other_dois_are_other_sources() -> None:
    shelf = Shelf()
    one = shelf.ingest("a", delivery(identifiers=doi("a"), title="Part I"))
    other = shelf.ingest("b", delivery(article(results="More."), identifiers=doi("b"), title="Part I"))
    assert one.state.source != other.state.source
    assert len(shelf.all(kinds.SOURCE)) == 2


def test_an_adapter_that_may_not_be_used_is_told_with_those_that_may_and_the_run_can_go_on() -> None:
    shelf = Shelf()
    run = shelf.drive(shelf.begin("a", adapter="pubmed"))
    assert run.stopped is not None
    assert run.stopped.resumable
    assert run.stopped.mend == "name it under `sources.ingest` in evidence.yml, then `backedge sources retry`"
    assert run.stopped.reason == "there is no source adapter 'pubmed' that may be used; these may be: lab"
