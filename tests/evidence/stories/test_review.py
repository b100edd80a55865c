"""The review queue: who may decide, on what was seen, alone or as two who do not see each other, and again later."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backedge.evidence import kinds
from backedge.evidence.decisions import Decision, DecisionKind
from backedge.evidence.ports import Verdict
from backedge.evidence.records import EvidenceRecord
from backedge.evidence.verify.states import Reopened
from backedge.kernel.defect import Defect
from backedge.kernel.drive import NotAsked, OfferRefused
from backedge.kernel.journal import Refused
from backedge.kernel.run import Run
from tests.evidence.outside import Judge, verdict
from tests.evidence.shelf import Shelf

WHO = ("ann", "bo", "cy")


def waiting() -> tuple[Shelf, Run]:
    """A shelf, and a run that waits with an ambiguous record."""
    shelf = Shelf(judge=Judge([verdict("ambiguous")]))
    run = shelf.record(shelf.ingest("a"))
    assert (run.trail, run.status) == (("Validating", "Verifying", "InReview"), "waiting")
    return shelf, run


def says(run: Run, kind: DecisionKind, by: str = "ann", reason: str = "I read it", **more: object) -> Decision:
    """A decision on the record as it stands in the run."""
    decision = Decision(kind, by, reason, run.state.standing, reviewers=WHO)
    return replace(decision, **more)  # type: ignore[arg-type]


def statuses(shelf: Shelf, key: str) -> list[tuple[str, str]]:
    """The standings of a record: status, and by whom."""
    return [(standing.status, standing.by) for standing in shelf.all(kinds.STANDING, f"{key}/")]


@pytest.mark.parametrize(
    ("kind", "end", "status"), [("accept", "Accepted", "accepted"), ("reject", "Rejected", "rejected")]
)
def test_a_configured_reviewer_accepts_or_rejects(kind: DecisionKind, end: str, status: str) -> None:
    shelf, run = waiting()
    after = shelf.offer(run.id, says(run, kind))
    assert after.trail[-1] == end
    key = run.state.record.key
    assert statuses(shelf, key)[1:] == [("in_review", "verifier"), (end.lower(), "reviewer:ann")]
    (decided,) = shelf.all(kinds.DECIDED)
    assert (decided.record, decided.number, decided.decision.by, decided.decision.reason) == (
        key,
        1,
        "ann",
        "I read it",
    )


def test_a_skip_is_kept_and_the_record_still_waits() -> None:
    shelf, run = waiting()
    after = shelf.offer(run.id, says(run, "skip"))
    assert (after.trail[-2:], after.status) == (("InReview", "InReview"), "waiting")
    assert shelf.offer(run.id, says(after, "accept", "bo")).trail[-1] == "Accepted"
    assert [d.decision.kind for d in shelf.all(kinds.DECIDED)] == ["skip", "accept"]


def fixed(record: EvidenceRecord, **changes: Any) -> EvidenceRecord:
    """The record with another statement."""
    proposal = replace(record.proposal, statement="In rats, nausea did not differ from placebo.", **changes)
    return replace(record, key=f"{record.key}f", proposal=proposal, attempt=2, replaces=record.key)


def mend(shelf: Shelf, run: Run, **changes: Any) -> Run:
    """The run after a fix and what it sets off."""
    shelf.offer(run.id, says(run, "fix", fixed=fixed(run.state.record, **changes)))
    return shelf.drive(run.id)


@pytest.mark.parametrize(
    "said", [verdict(), verdict("ambiguous"), verdict(scope="unclear")], ids=["yes", "both", "unclear"]
)
def test_a_mended_record_is_verified_and_replaces_the_first_where_nothing_critical_is_found(said: Verdict) -> None:
    shelf, run = waiting()
    record = run.state.record
    shelf.judge = Judge([said])
    after = mend(shelf, run)
    assert after.trail[-4:] == ("InReview", "Validating", "Verifying", "Accepted")
    assert (after.state.record, len(shelf.judge.saw)) == (fixed(record), 1)
    assert statuses(shelf, record.key)[-1] == ("replaced", "reviewer:ann")
    assert statuses(shelf, f"{record.key}f") == [("proposed", "rules"), ("accepted", "reviewer:ann")]
    assert [verified.record for verified in shelf.all(kinds.VERIFIED)] == [record.key, f"{record.key}f"]


@pytest.mark.parametrize(
    "said",
    [verdict("contradicted"), verdict("partly"), verdict("ambiguous", negation="failed")],
    ids=["no", "part", "turned"],
)
def test_a_mended_record_that_the_verifier_speaks_against_waits_again_with_its_checks(said: Verdict) -> None:
    shelf, run = waiting()
    shelf.judge = Judge([said])
    after = mend(shelf, run)
    assert (after.trail[-3:], after.status) == (("Validating", "Verifying", "InReview"), "waiting")
    assert (after.state.verification.said, after.state.decisions) == (said.label, ())
    assert statuses(shelf, after.state.record.key)[-1] == ("in_review", "rules")
    again = shelf.offer(run.id, says(after, "accept", "bo"))
    assert (again.trail[-1], statuses(shelf, again.state.record.key)[-1]) == ("Accepted", ("accepted", "reviewer:bo"))


def test_a_mended_record_that_is_not_sound_by_then_waits_again_and_no_model_is_asked() -> None:
    shelf, run = waiting()
    shelf.judge = Judge()
    after = mend(shelf, run, endpoint="")
    assert (after.trail[-2:], after.status, shelf.judge.saw) == (("Validating", "InReview"), "waiting", [])
    assert "needs its endpoint" in after.state.why


def test_without_a_model_a_mended_record_stops_with_the_reason_and_goes_on_when_there_is_one() -> None:
    shelf, run = waiting()
    shelf.judge = None
    after = mend(shelf, run)
    assert (after.trail[-1], after.status, after.stopped is not None and "models" in after.stopped.mend) == (
        "Verifying",
        "stopped",
        True,
    )
    assert statuses(shelf, after.state.record.key) == [("proposed", "rules")]
    shelf.judge = Judge()
    assert shelf.retry(run.id).trail[-1] == "Accepted"


REFUSED: dict[str, tuple[DecisionKind, dict[str, Any]]] = {
    "not_a_reviewer": ("accept", {"by": "eve"}),
    "stale_decision": ("accept", {"seen": 1}),
    "reason_missing": ("reject", {"reason": "  "}),
    "fix_missing": ("fix", {}),
    "fix_refused": ("fix", {"fixed": "mended", "defects": (Defect("field_missing", "it needs an endpoint"),)}),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_decision_that_is_refused_is_recorded_and_the_run_still_waits(kind: str) -> None:
    shelf, run = waiting()
    decides, told = REFUSED[kind]
    before = shelf.counts()
    changes = {**told, **({"fixed": fixed(run.state.record)} if "fixed" in told else {})}
    with pytest.raises(OfferRefused) as refused:
        shelf.offer(run.id, says(run, decides, **changes))
    assert [defect.kind for defect in refused.value.defects] == [kind]
    after = shelf.load(run.id)
    assert (after.status, after.state, shelf.counts()) == ("waiting", run.state, before)
    (kept,) = [stored.entry for stored in shelf.journal(run.id) if isinstance(stored.entry, Refused)]
    assert [defect.kind for defect in kept.defects] == [kind]
    assert shelf.offer(run.id, says(run, "accept")).trail[-1] == "Accepted"


def test_one_decision_is_not_taken_twice() -> None:
    shelf, run = waiting()
    decision = says(run, "accept")
    shelf.offer(run.id, decision)
    before = shelf.counts()
    assert shelf.offer(run.id, decision).trail[-1] == "Accepted"
    with pytest.raises(NotAsked):
        shelf.offer(run.id, says(run, "reject", "bo"))
    assert shelf.counts() == before


def test_a_decision_can_be_changed_and_its_history_is_kept() -> None:
    shelf, run = waiting()
    record = run.state.record
    accepted = shelf.offer(run.id, says(run, "accept"))
    opened = shelf.reopen(Reopened(record, "bo", "the figure says otherwise", accepted.state.standing, None, 1))
    assert (opened.status, opened.trail) == ("waiting", ("InReview",))
    assert "the figure says otherwise" in opened.state.why
    shelf.offer(opened.id, says(opened, "reject", "bo"))
    assert [status for status, _ in statuses(shelf, record.key)] == ["proposed", "in_review", "accepted", "rejected"]
    assert [(d.number, d.decision.kind) for d in shelf.all(kinds.DECIDED)] == [(1, "accept"), (2, "reject")]


def double(run: Run, kind: DecisionKind, by: str) -> Decision:
    """A decision where two must agree."""
    return says(run, kind, by, double=True)


def test_two_who_agree_settle_it_and_neither_is_told_what_the_other_said() -> None:
    shelf, run = waiting()
    first = shelf.offer(run.id, double(run, "accept", "ann"))
    assert (first.status, first.state.standing, first.state.why) == ("waiting", run.state.standing, run.state.why)
    with pytest.raises(OfferRefused) as refused:
        shelf.offer(run.id, double(first, "reject", "ann"))
    assert [defect.kind for defect in refused.value.defects] == ["decided_before"]
    after = shelf.offer(run.id, double(first, "accept", "bo"))
    assert (after.trail[-1], len(shelf.all(kinds.DECIDED))) == ("Accepted", 2)
    assert statuses(shelf, run.state.record.key)[-1][0] == "accepted"


def test_a_conflict_goes_to_a_third() -> None:
    shelf, run = waiting()
    first = shelf.offer(run.id, double(run, "accept", "ann"))
    second = shelf.offer(run.id, double(first, "reject", "bo"))
    assert second.status == "waiting"
    third = shelf.offer(run.id, double(second, "reject", "cy"))
    assert (third.trail[-1], len(third.trail)) == ("Rejected", 6)
    assert [d.decision.kind for d in shelf.all(kinds.DECIDED)] == ["accept", "reject", "reject"]
