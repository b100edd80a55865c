"""What was cut short goes on, what another policy judged is judged anew, and what nobody decided waits for nobody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from backedge.assembling import rejudging
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.rejudging import gone_on, interrupted, refreshed, up_to_date
from backedge.assembling.reviewing import Reviewers, Reviews
from backedge.config.evidence_file import EvidenceProject
from backedge.evidence import kinds
from backedge.evidence.facts import Policy
from backedge.evidence.judging import outdated
from backedge.evidence.refresh.states import Marking, Refresh
from backedge.evidence.saved_searches import SavedSearch
from backedge.evidence.sources import Metadata, Signal
from backedge.kernel.defect import Permanent, Transient
from backedge.kernel.drive import OfferRefused
from backedge.kernel.journal import Stored
from backedge.kernel.run import Run
from backedge.kernel.stage import Record
from tests.evidence.investigated import Kept
from tests.evidence.outside import Agent, Registry, article, delivery, doi, taking
from tests.evidence.shelf import TODAY, Shelf, go
from tests.kernel.memory import Crash

RETRACTED = Metadata(signals=(Signal("retracted", "registry", "retraction of 2026"),))
DOWN = Permanent("no answer")


def app_of(shelf: Shelf) -> EvidenceApp:
    """What commands use, on a shelf."""
    nothing: object = None
    project = EvidenceProject(Path(), policy=shelf.policy)
    outside = (shelf.contents, shelf.view, shelf.embedder, nothing, nothing, (), ())
    return EvidenceApp(project, shelf.store, shelf.driver, shelf.library, *outside)  # type: ignore[arg-type]


def ingested(*registries: Registry, name: str = "a", **known: Any) -> tuple[Shelf, Run]:
    """A shelf, whose runs can be listed, with one verified record of a source with a DOI."""
    shelf = Shelf(store=Kept(), registries=registries)
    run = shelf.ingest(name, delivery(identifiers=doi(name), **known))
    assert shelf.verified(run) == 1
    return shelf, run


def killed(shelf: Shelf, workflow: str, given: object, at: int) -> bool:
    """Start a run and drive it in a process that dies at an append; False where it came to its end before."""
    run_id = go(shelf.driver.start(workflow, given, TODAY))
    shelf.store.crash_at = shelf.store.appends + at
    try:
        shelf.drive(run_id)
    except Crash:
        return True
    finally:
        shelf.store.crash_at = None
    return False


@pytest.mark.parametrize("at", range(1, 5))
def test_a_mark_that_was_cut_short_anywhere_is_judged_by_the_next_command(at: int) -> None:
    shelf, run = ingested()
    assert killed(shelf, "restrict", Marking(run.state.source, "ann", "no licence"), at)
    (done,) = go(up_to_date(app_of(shelf), "bo"))
    assert (done.workflow.name, done.trail[-1], shelf.verified(run)) == ("restrict", "Refreshed", 0)
    assert [mark.by for mark in shelf.all(kinds.MARK)] == ["ann"]
    assert go(up_to_date(app_of(shelf), "bo")) == ()


def test_a_mark_has_as_many_appends_as_are_tried_here() -> None:
    shelf, run = ingested()
    assert not killed(shelf, "restrict", Marking(run.state.source, "ann", "no licence"), 5)


def test_what_a_refresh_has_recorded_is_judged_without_asking_anybody() -> None:
    registry = Registry("crossref", {"10.1/a": RETRACTED})
    shelf, run = ingested(registry)
    assert killed(shelf, "refresh", Refresh((run.state.source,), "ann"), 3)
    registry.asked.clear()
    assert [done.trail[-1] for done in go(up_to_date(app_of(shelf), "bo"))] == ["Refreshed"]
    assert (registry.asked, shelf.verified(run)) == ([], 0)


def test_a_refresh_that_did_not_ask_yet_and_a_look_are_gone_on_with_by_retry_alone() -> None:
    shelf, run = ingested(Registry("crossref", {"10.1/a": RETRACTED}))
    assert killed(shelf, "refresh", Refresh((run.state.source,), "ann"), 1)
    assert killed(shelf, "watch", SavedSearch("nausea", "nausea", ("library",), "ann"), 1)
    app = app_of(shelf)
    assert go(up_to_date(app, "bo")) == ()
    assert shelf.verified(run) == 1
    done = go(gone_on(app, go(interrupted(app)), "bo"))
    assert [each.trail[-1] for each in done] == ["Refreshed", "Seen"]
    assert shelf.verified(run) == 0
    assert go(interrupted(app)) == ()


def test_a_refresh_that_paused_goes_on_and_a_mark_that_was_refused_does_not() -> None:
    silent = Registry("crossref", {"10.1/a": RETRACTED}, Transient("no answer"))
    shelf, run = ingested(silent)
    paused, refused = shelf.refresh(run.state.source), shelf.restrict(run.state.source, " ")
    assert (paused.status, refused.status) == ("stopped", "stopped")
    app = app_of(shelf)
    silent.fails = None
    left = go(interrupted(app))
    assert [each.id for each in left] == [paused.id]
    assert [each.trail[-1] for each in go(gone_on(app, left, "bo"))] == ["Refreshed"]
    assert shelf.verified(run) == 0


def test_what_another_policy_judged_is_judged_anew_and_its_records_follow() -> None:
    concern = Signal("concern", "crossref", "expression of concern")
    shelf, run = ingested(signals=(concern,))
    source = run.state.source
    assert go(outdated(shelf.library, shelf.policy)) == ()
    shelf.policy = Policy(concern_forbids=True)
    assert go(outdated(shelf.library, shelf.policy)) == (source,)
    (done,) = go(up_to_date(app_of(shelf), "bo"))
    assert [judgement.eligible for judgement in done.state.judgements] == [False]
    assert (shelf.verified(run), go(outdated(shelf.library, shelf.policy))) == (0, ())
    shelf.policy = Policy()
    assert len(go(up_to_date(app_of(shelf), "bo"))) == 1
    assert shelf.verified(run) == 1


def test_a_policy_that_changes_nothing_is_told_as_no_change_and_is_not_sought_again() -> None:
    shelf, run = ingested()
    shelf.policy = Policy(concern_forbids=True)
    assert go(up_to_date(app_of(shelf), "bo")) == ()
    assert go(outdated(shelf.library, shelf.policy)) == ()
    first, again = shelf.all(kinds.JUDGEMENT)
    assert (first.policy != again.policy, again.number, shelf.verified(run)) == (True, 2, 1)
    assert go(up_to_date(app_of(shelf), "bo")) == ()
    assert len(shelf.all(kinds.JUDGEMENT)) == 2


@pytest.mark.parametrize(
    ("registries", "checked"),
    [
        ((Registry("crossref", {"10.1/a": Metadata(title="A")}),), 1),
        ((Registry("crossref"),), 1),
        ((Registry("crossref", {"10.1/a": Metadata()}), Registry("arxiv", fails=DOWN)), 1),
        ((Registry("arxiv"), Registry("crossref", fails=DOWN)), 0),
        ((), 0),
    ],
)
def test_every_check_is_kept_also_without_news_and_silence_is_none(
    registries: Sequence[Registry], checked: int
) -> None:
    shelf, run = ingested(*registries)
    done = shelf.refresh(run.state.source)
    assert (done.state.checked, done.state.news) == (checked, ())
    source = run.state.source
    assert shelf.all(kinds.CHECKED) == (kinds.Checked(source, "2026-12-01"),) * checked
    shelf.refresh(source)
    assert len(shelf.all(kinds.CHECKED)) == checked


def test_a_source_without_an_identifier_is_never_checked() -> None:
    shelf = Shelf(store=Kept(), registries=(Registry("crossref"),))
    run = shelf.ingest("a")
    done = shelf.refresh(run.state.source)
    assert (done.state.checked, shelf.all(kinds.CHECKED)) == (0, ())


def test_many_sources_are_refreshed_by_several_runs_which_stop_behind_one_that_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rejudging, "TOGETHER", 1)
    registry = Registry("crossref", fails=Transient("no answer"))
    shelf, run = ingested(registry)
    other = shelf.ingest("b", delivery(article("Another"), identifiers=doi("b")))
    app, ids = app_of(shelf), (run.state.source, other.state.source)
    assert [each.status for each in go(refreshed(app, ids, "ann"))] == ["stopped", "running"]
    registry.fails = None
    done = go(gone_on(app, go(interrupted(app)), "ann"))
    assert sorted(each.state.checked for each in done) == [1, 1]


def test_a_refused_decision_on_a_decided_record_leaves_nothing_in_the_queue() -> None:
    shelf, run = ingested()
    record = shelf.record(run).state.record
    reviews = Reviews(app_of(shelf), Reviewers(("ann", "bo")))
    for kind, by, changes in (("reject", "ann", None), ("fix", "bo", None)):
        with pytest.raises(OfferRefused):
            go(reviews.decide(record.key, kind, by=by, changes=changes))  # type: ignore[arg-type]
    with pytest.raises(OfferRefused):
        go(reviews.decide(record.key, "accept", by="ann", seen=1))
    assert (go(reviews.queue(10)), go(reviews.waiting(record, "ann"))) == ((), None)
    done = go(reviews.decide(record.key, "reject", by="bo", reason="the arms are swapped"))
    assert (done.trail[-1], shelf.verified(run), go(reviews.queue(10))) == ("Rejected", 0, ())


def test_the_first_of_two_who_decide_a_record_again_leaves_it_in_the_queue_for_the_other() -> None:
    shelf, run = ingested()
    key = shelf.record(run).state.record.key
    reviews = Reviews(app_of(shelf), Reviewers(("ann", "bo"), double=True))
    go(reviews.decide(key, "reject", by="ann", reason="swapped"))
    assert [(waits.state.record.key, waits.decided) for waits in go(reviews.queue(10))] == [(key, 1)]
    assert go(reviews.decide(key, "reject", by="bo", reason="swapped")).trail[-1] == "Rejected"


class Counting(Kept):
    """A store that counts the records, and the characters of journals, that it gives out."""

    def __init__(self) -> None:
        super().__init__()
        self.records_given = self.journals_given = 0

    async def records(self, kind: str, run_id: str | None = None, under: str = "") -> tuple[Record, ...]:
        found = await super().records(kind, run_id, under)
        self.records_given += len(found)
        return found

    async def read(self, run_id: str, after: int = -1) -> tuple[Stored, ...]:
        self.journals_given += sum(len(text) for _, _, text in self.journals[run_id])
        return await super().read(run_id, after)


def read_for_each_of(records: int) -> tuple[float, float]:
    """Records and characters that are read for each record of an article, which are all proposed together."""
    told = [f"Nausea did not differ between ketorolac and placebo in group {n} (p = 0.62)." for n in range(records)]
    shelf = Shelf(store=Counting(), agent=Agent([taking(*told)]))
    shelf.ingest("a", delivery(article(results="\n".join(told))))
    assert len(shelf.all(kinds.RECORD)) == len(shelf.all(kinds.VALIDATED)) == records
    return shelf.store.records_given / records, shelf.store.journals_given / records


def test_a_record_is_checked_without_reading_all_others_of_its_version() -> None:
    few, many = read_for_each_of(3), read_for_each_of(9)
    assert (many[0] < few[0], many[1] < few[1]) == (True, True), (few, many)


def test_a_record_that_says_what_another_says_is_found_among_those_alike() -> None:
    shelf, run = ingested()
    record = shelf.record(run).state.record
    twin = replace(record, key=f"{record.key}t")
    done = shelf.drive(go(shelf.driver.start("verify", twin, TODAY)))
    assert [defect.kind for defect in done.state.defects] == ["duplicate"]
