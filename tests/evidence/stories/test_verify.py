"""Rows validate, verify and retry: the table of verdicts, what a failed check forbids, and a budget that ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backedge.evidence import kinds
from backedge.evidence.ports import Extraction, Verdict
from backedge.evidence.records import CHECKS, CheckName, EvidenceRecord, Label, Outcome, Quotation
from backedge.evidence.verdicts import ROWS, STRICTEST
from backedge.evidence.verify.states import Anew
from backedge.evidence.verify.workflow import VERIFY
from backedge.kernel.defect import Defect, Transient
from backedge.kernel.run import Run
from backedge.kernel.stage import Unreadable
from tests.evidence.outside import INTRODUCTION, NAUSEA, Agent, Judge, taking, verdict
from tests.evidence.shelf import TODAY, Shelf, go

ENDS = {"accept": "Accepted", "reject": "Rejected", "review": "InReview", "retry": "Reextracting"}
NOTHING = Extraction((), "the source says no more")


def proposed() -> tuple[Shelf, EvidenceRecord]:
    """A shelf with one verified record, and that record."""
    shelf = Shelf()
    record: EvidenceRecord = shelf.record(shelf.ingest("a")).state.record
    return shelf, record


def verify(shelf: Shelf, record: EvidenceRecord) -> Run:
    """Another record of the same version, through its own run."""
    return shelf.drive(go(shelf.driver.start("verify", replace(record, key=f"{record.key}x"), TODAY)))


def broken(record: EvidenceRecord) -> dict[str, EvidenceRecord]:
    """A record with each defect that validation knows."""
    span = record.spans[0][0]
    said = record.proposal

    def spans(**changes: object) -> EvidenceRecord:
        return replace(record, spans=((replace(span, **changes),),))  # type: ignore[arg-type]

    def fields(**changes: object) -> EvidenceRecord:
        return replace(record, proposal=replace(said, **changes))  # type: ignore[arg-type]

    return {
        "quotation_missing": replace(record, proposal=replace(said, quotations=()), spans=()),
        "span_missing": replace(record, spans=((),)),
        "quotation_repeated": replace(
            record, proposal=replace(said, quotations=said.quotations * 2), spans=record.spans * 2
        ),
        "span_other_words": fields(quotations=(Quotation(span.section, NAUSEA[:40]),)),
        "span_stale": spans(text="0" * 64),
        "span_out_of_range": spans(end=span.end + 100_000),
        "span_differs": spans(exact=span.exact.upper()),
        "references_quoted": spans(role="references"),
        "span_other_version": spans(version="0" * 64),
        "field_missing": fields(endpoint=""),
        "direction_unknown": fields(direction="sideways"),
        "status_asserted": fields(status="accepted"),
        "statement_too_short": fields(statement="Same."),
        "statement_too_long": fields(statement="It did not differ. " * 60),
        "duplicate": record,
    }


VALIDATED = [row.kind for row in ROWS.values() if row.gate == "validate" and row.kind != "background"]


@pytest.mark.parametrize("kind", VALIDATED)
def test_every_defect_of_validation_quarantines_and_no_model_is_called(kind: str) -> None:
    shelf, record = proposed()
    asked = (len(shelf.judge.lessons), len(shelf.agent.lessons), len(shelf.agent.lessons_again))
    bad = broken(record)[kind]
    run = verify(shelf, bad)
    assert run.trail == ("Validating", "Withheld")
    assert kind in {defect.kind for defect in run.state.defects}
    assert (len(shelf.judge.lessons), len(shelf.agent.lessons), len(shelf.agent.lessons_again)) == asked
    (standing,) = shelf.all(kinds.STANDING, f"{record.key}x/")
    assert (standing.status, kind in standing.defects) == ("quarantined", True)
    (validated,) = shelf.all(kinds.VALIDATED, f"{record.key}x/")
    assert validated.defects == run.state.defects


def test_what_others_found_is_no_finding_of_this_source() -> None:
    shelf = Shelf(agent=Agent([taking(INTRODUCTION)]))
    run = shelf.record(shelf.ingest("a"))
    assert (run.trail, [d.kind for d in run.state.defects]) == (("Validating", "Withheld"), ["background"])
    assert shelf.judge.lessons == []


def test_a_sound_record_is_verified_beside_its_passages() -> None:
    shelf, record = proposed()
    ((proposal, passages, around),) = shelf.judge.saw
    assert proposal == record.proposal
    assert [passage.span.exact for passage in passages] == [NAUSEA]
    assert "Pain at 24 h" in passages[0].before
    assert any("Sixty male Wistar rats" in section.text for section in around)
    statuses = [(standing.number, standing.status) for standing in shelf.all(kinds.STANDING)]
    assert statuses == [(1, "proposed"), (2, "accepted")]


ONE_CHECK: list[tuple[CheckName, Outcome]] = [(name, outcome) for name in CHECKS for outcome in ("failed", "unclear")]


def ended(judged: Verdict) -> tuple[Shelf, Run]:
    """Where one verdict sends a record that the model will not extract again."""
    shelf = Shelf(agent=Agent(again=[lambda sections, lesson: NOTHING]), judge=Judge([judged]))
    return shelf, shelf.record(shelf.ingest("a"))


@pytest.mark.parametrize("label", ["entailed", "partly", "contradicted", "not_enough", "ambiguous"])
def test_each_label_goes_where_the_table_says(label: Label) -> None:
    shelf, run = ended(verdict(label))
    assert run.trail[2] == ENDS[ROWS[label].action]
    (found,) = shelf.all(kinds.VERIFIED)
    assert (found.verification.label, found.verification.said) == (label, label)


@pytest.mark.parametrize(("name", "outcome"), ONE_CHECK)
def test_each_check_goes_where_the_table_says(name: CheckName, outcome: Outcome) -> None:
    label: Label = "partly" if outcome == "failed" else "entailed"
    shelf, run = ended(verdict(label, **{name: outcome}))
    actions = [ROWS[f"{name}_{outcome}"].action, ROWS[label].action]
    assert run.trail[2] == ENDS[min(actions, key=STRICTEST.index)]
    if outcome == "unclear":
        assert shelf.all(kinds.VERIFIED)[0].verification.label == "ambiguous"
    assert run.trail[2] != "Accepted"


def test_a_flag_of_a_rule_lowers_what_the_model_accepted() -> None:
    shelf = Shelf(agent=Agent([taking(NAUSEA, statement="In rats, nausea was 99 percent lower with ketorolac.")]))
    run = shelf.record(shelf.ingest("a"))
    assert run.trail == ("Validating", "Verifying", "InReview")
    verification = run.state.verification
    assert (verification.said, verification.label != "entailed") == ("entailed", True)
    assert "number_missing" in {flag.kind for flag in verification.flags}


def test_a_failed_check_forbids_entailed_and_the_lesson_says_so() -> None:
    shelf = Shelf(judge=Judge([verdict("entailed", species="failed"), verdict()]))
    run = shelf.record(shelf.ingest("a"))
    assert run.trail == ("Validating", "Verifying", "Accepted")
    assert [d.kind for d in shelf.judge.lessons[1].defects] == ["entailed_with_failed_check"]
    assert "species" in shelf.judge.lessons[1].defects[0].message


def test_who_insists_on_entailed_with_a_failed_check_is_not_believed_a_person_decides() -> None:
    shelf = Shelf(judge=Judge([verdict("entailed", species="failed")]))
    run = shelf.record(shelf.ingest("a"))
    assert run.trail == ("Validating", "Verifying", "GivingUp", "InReview")
    assert (len(shelf.judge.lessons), run.status) == (3, "waiting")
    (failed,) = shelf.all(kinds.GIVEN_UP)
    assert (failed.stage, failed.attempts, failed.version) == ("Verifying", 3, run.state.record.version)
    assert shelf.all(kinds.STANDING)[-1].status == "in_review"


BAD_REPLIES: dict[str, Verdict | Unreadable] = {
    "checks_missing": replace(verdict(), checks=verdict().checks[1:]),
    "check_without_reason": replace(verdict(), checks=tuple(replace(check, reason=" ") for check in verdict().checks)),
    "unreadable": Unreadable("maybe", Defect("unreadable", "the reply is no JSON")),
}


@pytest.mark.parametrize("kind", BAD_REPLIES)
def test_a_verdict_that_is_not_whole_is_asked_for_again_and_then_goes_to_a_person(kind: str) -> None:
    once = Shelf(judge=Judge([BAD_REPLIES[kind], verdict()]))
    assert once.record(once.ingest("a")).trail == ("Validating", "Verifying", "Accepted")
    assert [d.kind for d in once.judge.lessons[1].defects] == [kind]
    always = Shelf(judge=Judge([BAD_REPLIES[kind]]))
    assert always.record(always.ingest("a")).trail == ("Validating", "Verifying", "GivingUp", "InReview")


def test_a_record_is_extracted_again_from_its_source_and_held_to_the_same() -> None:
    shelf = Shelf(judge=Judge([verdict("partly"), verdict()]))
    shelf.agent.again = [taking(NAUSEA, statement="In rats, nausea did not differ from placebo (p = 0.62).")]
    run = shelf.record(shelf.ingest("a"))
    assert run.trail == ("Validating", "Verifying", "Reextracting", "Validating", "Verifying", "Accepted")
    second = run.state.record
    first = shelf.all(kinds.RECORD, second.replaces)[0]
    assert (second.attempt, first.attempt, second.source) == (2, 1, first.source)
    assert [s.status for s in shelf.all(kinds.STANDING, f"{first.key}/")] == ["proposed", "proposed", "replaced"]
    assert [s.status for s in shelf.all(kinds.STANDING, f"{second.key}/")][-1] == "accepted"
    assert [d.kind for d in shelf.agent.lessons_again[0].defects] == ["partly"]


def test_the_budget_is_two_retries_and_then_the_record_is_quarantined() -> None:
    statements = [f"In rats, nausea did not differ from placebo, take {n}." for n in range(9)]
    again = [taking(NAUSEA, statement=statement, effect="") for statement in statements]
    shelf = Shelf(agent=Agent(again=again), judge=Judge([verdict("partly")]))
    run = shelf.record(shelf.ingest("a"))
    rounds = ("Validating", "Verifying", "Reextracting")
    assert run.trail == (*rounds, *rounds, "Validating", "Verifying", "Withheld")
    assert (len(shelf.agent.lessons_again), len(shelf.judge.lessons)) == (2, 3)
    assert [record.attempt for record in sorted(shelf.all(kinds.RECORD), key=lambda r: r.attempt)] == [1, 2, 3]
    assert [s.status for s in shelf.all(kinds.STANDING, f"{run.state.record.key}/")][-1] == "quarantined"


def test_a_source_that_cannot_mend_it_quarantines_the_record() -> None:
    _, run = ended(verdict("partly"))
    assert run.trail[2:] == ("Reextracting", "Withheld")
    assert [defect.kind for defect in run.state.defects] == ["partly", "not_mended"]


def test_a_retry_that_quotes_falsely_three_times_is_given_up_and_quarantined() -> None:
    shelf = Shelf(agent=Agent(again=[taking("Nausea was worse.")]), judge=Judge([verdict("partly")]))
    run = shelf.record(shelf.ingest("a"))
    assert run.trail[2:] == ("Reextracting", "GivingUp", "Withheld")
    assert [failed.stage for failed in shelf.all(kinds.GIVEN_UP)] == ["Reextracting"]
    assert [len(lesson.defects) for lesson in shelf.agent.lessons_again] == [1, 2, 3]


def test_without_a_verifier_the_record_waits_validated_and_goes_on_when_there_is_one() -> None:
    shelf = Shelf(judge=None)
    ingested = shelf.ingest("a")
    run = shelf.record(ingested)
    assert (ingested.trail[-1], run.trail, run.status) == ("Ingested", ("Validating", "Verifying"), "stopped")
    assert run.stopped is not None
    assert "models" in run.stopped.mend
    shelf.judge = Judge()
    assert shelf.retry(run.id).trail[-1] == "Accepted"


def test_a_record_is_shown_to_no_model_once_its_version_may_not_be_used_and_is_verified_once_it_may_be() -> None:
    shelf = Shelf(judge=None)
    ingested = shelf.ingest("a")
    run = shelf.record(ingested)
    shelf.restrict(ingested.state.source, "under embargo")
    shelf.judge = Judge([verdict("partly")])
    again = shelf.retry(run.id)
    assert (again.trail[-2:], shelf.judge.saw, shelf.counts()["given_up"]) == (("GivingUp", "Withheld"), [], 0)
    (standing,) = [s for s in shelf.all(kinds.STANDING) if s.status == "quarantined"]
    assert (standing.defects, "restricted (ann)" in standing.reason) == (("ineligible",), True)
    shelf.restrict(ingested.state.source, "granted", lifted=True)
    anew = shelf.drive(go(shelf.driver.start("verify", Anew(run.state.record, standing.number), TODAY)))
    assert anew.trail[:3] == ("Validating", "Verifying", "Reextracting")


def test_a_record_is_extracted_again_only_where_its_version_may_be_used_by_then() -> None:
    shelf = Shelf(agent=Agent(again=[Transient("busy")]), judge=Judge([verdict("partly")]))
    ingested = shelf.ingest("a")
    run = shelf.record(ingested)
    assert (run.trail[-1], len(shelf.agent.lessons_again)) == ("Reextracting", 3)
    shelf.restrict(ingested.state.source, "under embargo")
    again = shelf.retry(run.id)
    assert (again.trail[-2:], len(shelf.agent.lessons_again)) == (("GivingUp", "Withheld"), 3)
    assert [defect.kind for defect in again.state.defects] == ["partly", "ineligible"]


def test_every_state_of_a_verification_is_told_of_here() -> None:
    told = {"Validating", "Verifying", "Reextracting", "GivingUp", "InReview", "Accepted", "Rejected", "Withheld"}
    assert {state.__name__ for state in VERIFY.states} == told | {"Kept"}  # see test_extract
