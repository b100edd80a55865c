"""Refreshing, restricting and saved searches: what changes later flows to the records, and only news is told."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.refresh.states import Refreshed
from backedge.evidence.saved_searches import SavedSearch
from backedge.evidence.sources import Metadata, Signal
from backedge.kernel.defect import Permanent, RateLimited, Transient
from backedge.kernel.run import Run
from tests.evidence.outside import Registry, article, delivery, doi
from tests.evidence.shelf import Shelf

RETRACTED = Metadata(signals=(Signal("retracted", "registry", "retraction of 2026"),))


def ingested(*registries: Registry) -> tuple[Shelf, Run]:
    """A shelf with one verified record of a source with a DOI."""
    shelf = Shelf(registries=registries)
    run = shelf.ingest("a", delivery(identifiers=doi("a")))
    assert shelf.verified(run) == 1
    return shelf, run


def test_what_a_registry_says_is_retracted_is_verified_no_more() -> None:
    shelf, run = ingested(Registry("crossref", {"10.1/a": RETRACTED}))
    done = shelf.refresh(run.state.source)
    assert done.trail == ("Checking", "Rejudging", "Refreshed")
    assert isinstance(done.state, Refreshed)
    assert (done.state.checked, done.state.news, done.state.unknown) == (1, (run.state.source,), ())
    (judgement,) = done.state.judgements
    assert (judgement.eligible, [reason.kind for reason in judgement.reasons]) == (False, ["retracted"])
    assert shelf.verified(run) == 0
    (kept,) = shelf.all(kinds.REFRESHED)
    assert (kept.by, kept.at, kept.number) == ("crossref", "2026-12-01", 1)


def test_the_same_again_is_no_news() -> None:
    shelf, run = ingested(Registry("crossref", {"10.1/a": RETRACTED}))
    shelf.refresh(run.state.source)
    before = shelf.counts()
    again = shelf.refresh(run.state.source)
    assert (again.state.checked, again.state.news, again.state.judgements, shelf.counts()) == (1, (), (), before)


def test_a_registry_that_is_silent_is_named_and_the_other_is_heard() -> None:
    silent = Registry("openalex", fails=Transient("no answer"))
    shelf, run = ingested(silent, Registry("crossref", {"10.1/a": RETRACTED}))
    done = shelf.refresh(run.state.source)
    assert (done.trail[-1], done.state.silent, done.state.news) == (
        "Refreshed",
        ("openalex: no answer",),
        (run.state.source,),
    )
    assert shelf.verified(run) == 0


def test_where_no_registry_answers_the_refresh_pauses_and_goes_on_later() -> None:
    silent = Registry("crossref", {"10.1/a": RETRACTED}, RateLimited("slow down", 3.0))
    shelf, run = ingested(silent)
    done = shelf.refresh(run.state.source)
    assert (done.trail, done.status) == (("Checking",), "stopped")
    assert shelf.verified(run) == 1
    silent.fails = None
    assert shelf.retry(done.id).trail[-1] == "Refreshed"
    assert shelf.verified(run) == 0


def test_a_registry_that_refuses_for_good_stops_the_refresh_with_what_it_said() -> None:
    shelf, run = ingested(Registry("crossref", fails=Permanent("the key is refused", mend="set CROSSREF_KEY")))
    done = shelf.refresh(run.state.source)
    assert done.stopped is not None
    assert (done.stopped.reason, done.stopped.resumable) == ("the key is refused", True)


def test_a_source_without_an_identifier_is_asked_of_nobody_and_said_to_be_unknown() -> None:
    registry = Registry("crossref")
    shelf = Shelf(registries=(registry,))
    run = shelf.ingest("a")
    done = shelf.refresh(run.state.source)
    assert (done.state.unknown, registry.asked) == ((run.state.source,), [])


def test_many_sources_are_asked_for_in_turns() -> None:
    registry = Registry("crossref")
    shelf = Shelf(registries=(registry,))
    done = shelf.refresh(*(f"s_{n}" for n in range(120)))
    assert done.trail == ("Checking", "Checking", "Checking", "Rejudging", "Refreshed")
    assert (done.state.checked, len(done.state.unknown)) == (0, 120)


def test_an_operator_forbids_a_source_and_allows_it_again() -> None:
    shelf, run = ingested()
    done = shelf.restrict(run.state.source, "its licence was withdrawn")
    assert done.trail == ("Restricting", "Rejudging", "Refreshed")
    assert shelf.verified(run) == 0
    lifted = shelf.restrict(run.state.source, "granted again", lifted=True)
    assert [judgement.eligible for judgement in lifted.state.judgements] == [True]
    assert shelf.verified(run) == 1
    assert [(m.number, m.by, m.reason, m.lifted) for m in shelf.all(kinds.MARK)] == [
        (1, "ann", "its licence was withdrawn", False),
        (2, "ann", "granted again", True),
    ]
    assert [j.eligible for j in shelf.all(kinds.JUDGEMENT)] == [True, False, True]


def test_a_mark_without_a_reason_is_refused() -> None:
    shelf, run = ingested()
    done = shelf.restrict(run.state.source, "  ")
    assert (done.trail, done.status) == (("Restricting",), "stopped")
    assert done.stopped is not None
    assert "a mark needs a reason" in done.stopped.reason
    assert (shelf.counts()["mark"], shelf.verified(run)) == (0, 1)


def test_a_saved_search_tells_only_what_is_new() -> None:
    shelf, run = ingested()
    shelf.lab.finds = ["x1", "x2"]
    saved = SavedSearch("nausea", "nausea with ketorolac", ("library", "lab"), "ann")
    first = shelf.look(saved)
    assert first.trail == ("Looking", "Seen")
    assert [(each.target, each.ids) for each in first.state.new] == [
        ("library", (run.state.source,)),
        ("lab", ("x1", "x2")),
    ]
    assert [each.ids for each in shelf.look(saved).state.new] == [(), ()]
    other = shelf.ingest(
        "b", delivery(article("Ketorolac in mice", "Nausea was not seen in mice."), identifiers=doi("b"))
    )
    shelf.lab.finds = ["x3", "x1"]
    third = shelf.look(saved)
    assert [each.ids for each in third.state.new] == [(other.state.source,), ("x3",)]
    shelf.lab.finds = ["x2"]
    assert [each.ids for each in shelf.look(saved).state.new] == [(), ()]
    assert [look.look.number for look in shelf.all(kinds.LOOKED)] == [1, 2, 3, 4]


def test_a_target_that_cannot_be_searched_is_told_with_those_that_can() -> None:
    shelf, _ = ingested()
    done = shelf.look(SavedSearch("all", "nausea", ("scopus",), "ann"))
    assert done.stopped is not None
    assert done.stopped.reason == "scopus cannot be searched; library, lab can"


def test_a_search_without_an_embedder_finds_by_words() -> None:
    shelf, run = ingested()
    shelf.embedder = None
    done = shelf.look(SavedSearch("words", "nausea", ("library",), "ann"))
    assert done.state.new[0].ids == (run.state.source,)


def test_what_could_not_be_used_when_it_came_is_extracted_once_it_may() -> None:
    shelf = Shelf()
    first = shelf.ingest("a", delivery(), restricted="under embargo")
    assert (type(first.state).__name__, shelf.all(kinds.EXTRACTED)) == ("Ineligible", ())
    again = shelf.ingest("a", delivery())
    assert again.trail == ("Fetching", "Recording", "Duplicate")
    shelf.restrict(first.state.source, "the embargo is over", lifted=True)
    after = shelf.ingest("a", delivery())
    assert after.trail == ("Fetching", "Recording", "Extracting", "AwaitingParts", "Ingested")
    assert shelf.verified(after) == 1
    assert shelf.ingest("a", delivery()).trail == ("Fetching", "Recording", "Duplicate")
    (extraction,) = shelf.all(kinds.EXTRACTED)
    assert (extraction.version, extraction.failed) == (after.state.version, 0)


def test_what_an_interrupted_refresh_recorded_is_judged_by_the_next_one() -> None:
    shelf, run = ingested(Registry("crossref", {"10.1/a": RETRACTED}))
    source, known = run.state.source, shelf.refresh
    done = known(source)
    judgements = [key for key in shelf.store.written if key[0] == "judgement" and key[1].split("/")[1][:6] == "000002"]
    for key in judgements:
        del shelf.store.written[key]
    assert shelf.verified(run) == 1
    assert (done.state.news, known(source).state.news) == ((source,), ())
    assert shelf.verified(run) == 0
