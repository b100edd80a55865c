"""From packages to an approved design: what is invalid, what is refused and paused, and what people decide."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.designs import Candidates, Citation, Design
from backedge.evidence.inquire.ports import AssessedByModel
from backedge.evidence.staleness import stale
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.drive import NotAsked, OfferRefused
from tests.evidence.investigated import KEY, design, record_of
from tests.evidence.outside import NAUSEA, PAIN
from tests.evidence.shelf import go
from tests.evidence.stories_investigate.desk import (
    GARBAGE,
    Desk,
    approving,
    asking,
    confirmed,
    deciding,
    keep,
    planning,
    rejecting,
    restricting,
)


def changed(made: Desk) -> tuple[str, ...]:
    """What the packages rest on that has changed, as the command line finds it."""
    return go(stale([each.package for each in made.all(inquiry_kinds.PACKAGE)], made.library))


def stopped(made: Desk) -> tuple[str, str, bool]:
    """The state of the investigation, why it stopped, and whether it can go on."""
    run = made.load(KEY)
    assert run.stopped is not None
    return run.trail[-1], run.stopped.stop, run.stopped.resumable


# ---------------------------------------------------------------- packages


@pytest.mark.slow
def test_a_package_holds_what_supports_and_what_contradicts_and_its_spans_resolve() -> None:
    (kept,) = deciding().all(inquiry_kinds.PACKAGE)
    package = kept.package
    assert sorted(record.relationship for record in package.records) == ["contradicts", "supports"]
    assert {span.exact for record in package.records for span in record.spans} == {NAUSEA, PAIN}
    assert (package.invalid, package.trimmed, package.sufficiency.reviewed_by) == ((), (), "rita")


INVALID: dict[str, Any] = {
    "is no longer accepted": rejecting(PAIN),
    "its source may not be used": restricting("b"),
}


def without_pain(said: AssessedByModel) -> AssessedByModel:
    """What is contradicted is not what the question is about."""
    told = (replace(a, relationship="irrelevant") if a.relationship == "contradicts" else a for a in said.assessments)
    return AssessedByModel(tuple(told))


@pytest.mark.slow
@pytest.mark.parametrize("why", INVALID)
def test_a_package_with_what_may_no_longer_be_used_is_invalid_and_no_record_of_it_is_told(why: str) -> None:
    made = confirmed(says={"questions": [asking(2)], "assess": [without_pain, keep]})
    INVALID[why](made)
    made.stand()
    valid, invalid = sorted((kept.package for kept in made.all(inquiry_kinds.PACKAGE)), key=lambda p: bool(p.invalid))
    assert (why in invalid.invalid[0], valid.invalid) == (True, ())
    _, packages = made.scripted.told["candidates"][0]
    told = {package.question.key: package for package in packages}
    assert [record.record for record in told[valid.question.key].records] == [record_of(made, NAUSEA)]
    assert told[invalid.question.key].records == ()
    assert "its package is invalid, so nothing may rest on it" in told[invalid.question.key].gaps[-1].why
    assert made.load(KEY).trail[-1] == "AwaitingDecision"


@pytest.mark.slow
def test_a_record_that_only_an_invalid_package_holds_may_not_be_named() -> None:
    made = confirmed(says={"questions": [asking(2)], "assess": [without_pain, keep]})
    pain = record_of(made, PAIN)
    made.scripted.says["candidates"] = [
        lambda said: replace(said, approaches=tuple(replace(each, records=(pain,)) for each in said.approaches))
    ]
    rejecting(PAIN)(made)
    made.stand()
    assert made.refusals() == [("Proposing", "record_not_packaged")] * 3
    assert stopped(made) == ("Proposing", "refused", True)


NOTHING: dict[str, dict[str, Any]] = {
    "q1 (nothing was found)": {"says": {"plan": [planning(words="xylophone")]}},
    "q1 (nothing that was found may be used: restricted)": {"before": restricting("a", "b")},
    "q1 (its inquiry failed: no account)": {"says": {"plan": [Permanent("no account")]}},
}


@pytest.mark.slow
@pytest.mark.parametrize("gap", NOTHING)
def test_on_nothing_verified_no_approach_is_proposed_and_the_run_stops_with_the_gap(gap: str) -> None:
    made = confirmed(**NOTHING[gap])
    assert made.refusals() == [("Packaging", "nothing_verified")]
    run = made.load(KEY)
    assert stopped(made) == ("Packaging", "refused", True)
    assert run.stopped is not None
    assert f"nothing verified bears on {gap}" in run.stopped.reason
    assert "candidates" not in made.scripted.told


def test_when_all_packages_are_invalid_the_reason_names_why_and_retry_goes_on_once_that_is_lifted() -> None:
    made = confirmed()
    restricting("a", "b")(made)
    made.stand()
    assert stopped(made)[0] == "Packaging"
    assert "its source may not be used" in made.load(KEY).stopped.reason  # type: ignore[union-attr]
    for version in made.all(kinds.VERSION):
        made.restrict(version.source, "cleared", lifted=True)
    assert made.retry(KEY).trail[-1] == "AwaitingDecision"


@pytest.mark.slow
def test_a_package_whose_critical_records_do_not_fit_is_invalid() -> None:
    made = confirmed(package_tokens=10)
    made.stand()
    assert "what is critical does not fit into 10 tokens" in made.load(KEY).stopped.reason  # type: ignore[union-attr]


@pytest.mark.slow
def test_a_package_that_must_be_cut_lists_what_was_trimmed_and_keeps_what_contradicts() -> None:
    two: Any = lambda said: AssessedByModel(  # noqa: E731
        tuple(
            replace(a, relationship="contradicts" if a.relationship == "contradicts" else "context")
            for a in said.assessments
        )
    )
    made = confirmed(package_tokens=50, says={"assess": [two]})
    (kept,) = made.all(inquiry_kinds.PACKAGE)
    assert [record.record for record in kept.package.records] == [record_of(made, PAIN)]
    assert (kept.package.trimmed, kept.package.invalid) == ((record_of(made, NAUSEA),), ())


# -------------------------------------------------------------- candidates


@pytest.mark.slow
def test_fewer_than_two_approaches_are_asked_for_again() -> None:
    one: Any = lambda made: replace(made, approaches=made.approaches[:1])  # noqa: E731
    made = confirmed(says={"candidates": [one, keep]})
    made.stand()
    assert made.refusals() == [("Proposing", "too_few_approaches")]
    assert made.load(KEY).trail[-1] == "AwaitingDecision"


def first(**fields: Any) -> Any:
    """Becomes candidates whose first approach has these fields."""

    def change(made: Candidates) -> Candidates:
        return replace(made, approaches=(replace(made.approaches[0], **fields), *made.approaches[1:]))

    return change


LACKING: dict[str, Any] = {
    "assumption_unlabelled": first(summary="We assume that the supply of reagents holds."),
    "criteria_unrated": lambda made: first(ratings=made.approaches[0].ratings[1:])(made),
    "comparison_missing": lambda made: replace(made, comparison=""),
    "too_few_approaches": first(key=" "),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", LACKING)
def test_candidates_that_lack_something_are_asked_for_again(kind: str) -> None:
    made = confirmed(says={"candidates": [LACKING[kind], keep]})
    made.stand()
    assert made.refusals() == [("Proposing", kind)]


CHANCE = first(summary="It has an 80 % chance of success.")


def test_a_chance_of_success_is_refused_and_pauses_the_refused_reply_is_seen_and_retry_goes_on() -> None:
    made = confirmed(says={"candidates": [CHANCE, keep]})
    made.stand()
    assert (stopped(made), made.refusals()) == (("Proposing", "refused", True), [("Proposing", "chance_of_success")])
    run = made.load(KEY)
    refused = run.learned["Proposing"].previous
    assert isinstance(refused, Candidates)
    assert refused.approaches[0].summary == "It has an 80 % chance of success."
    assert made.all(inquiry_kinds.CANDIDATES) == ()
    assert made.retry(KEY).trail[-1] == "AwaitingDecision"
    (lesson,) = made.scripted.lessons["candidates"][1:]
    assert [defect.kind for defect in lesson.defects] == ["chance_of_success"]


# ---------------------------------------------------------------- decision

DECIDED: dict[str, dict[str, Any]] = {
    "not_a_reviewer": {"by": "eve"},
    "unknown_approach": {"chosen": "c", "rejected": (("a", "slow"), ("b", "dear"))},
    "reasons_missing": {"rejected": ()},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", DECIDED)
def test_a_decision_that_is_refused_is_recorded_and_the_run_still_waits(kind: str) -> None:
    made = deciding()
    with pytest.raises(OfferRefused) as refused:
        made.choose(**DECIDED[kind])
    assert [defect.kind for defect in refused.value.defects] == [kind]
    assert (made.load(KEY).status, made.refusals()) == ("waiting", [("AwaitingDecision", kind)])
    assert made.all(inquiry_kinds.DECISION) == ()
    assert made.choose().trail[-1] == "AwaitingApproval"


@pytest.mark.parametrize("rejected", [(("b", " "),), (("b", "dear"), ("c", "slow"))])
def test_each_rejected_approach_and_no_other_has_a_reason(rejected: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(OfferRefused) as refused:
        deciding().choose(rejected=rejected)
    assert refused.value.defects[0].kind == "reasons_missing"


@pytest.mark.slow
def test_a_decision_on_packages_that_changed_says_so_and_the_design_is_not_told_of_what_changed() -> None:
    made = deciding()
    rejecting(PAIN)(made)
    made.choose(stale=changed(made))
    (decision,) = made.all(inquiry_kinds.DECISION)
    assert decision.stale == (f"record {record_of(made, PAIN)} is rejected now",)
    _, packages, *_ = made.scripted.told["design"][0]
    assert [record.record for record in packages[0].records] == [record_of(made, NAUSEA)]
    assert "rejected now" in packages[0].gaps[-1].why


# ------------------------------------------------------------------ design


def section(name: str, **fields: Any) -> Any:
    """Becomes a design one of whose sections has these fields."""

    def change(made: Design) -> Design:
        return replace(made, sections=tuple(replace(s, **fields) if s.name == name else s for s in made.sections))

    return change


WRITTEN: dict[str, tuple[str, Any]] = {
    "a section is missing": ("sections_missing", lambda made: replace(made, sections=made.sections[1:])),
    "nothing is cited": ("nothing_cited", section("evidence_basis", text="Much is known.", citations=())),
    "a record that is in no package": (
        "citations_do_not_stand",
        section("ethics", text="It is safe.", citations=(Citation("It is safe.", ("0.none",)),)),
    ),
    "a sentence that is not there": ("citations_do_not_stand", section("evidence_basis", text="Nothing.")),
    "a citation without a sentence": ("citations_do_not_stand", section("ethics", citations=(Citation(" ", ()),))),
    "words that nobody said": (
        "citations_do_not_stand",
        section("ethics", text="One says \u201cit was perfectly safe\u201d."),
    ),
    "a mandatory facet is left out": ("facets_unaccounted", lambda made: replace(made, facets=made.facets[1:])),
    "no design at all": ("unreadable", GARBAGE),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", WRITTEN)
def test_a_wrong_design_is_asked_for_again(what: str) -> None:
    kind, says = WRITTEN[what]
    made = deciding(says={"design": [says, keep]})
    assert (made.choose().trail[-1], made.refusals()) == ("AwaitingApproval", [("Designing", kind)])


@pytest.mark.slow
def test_a_design_that_is_wrong_three_times_has_failed_and_its_number_is_not_used_up() -> None:
    made = deciding(says={"design": [GARBAGE, GARBAGE, GARBAGE, keep]})
    made.choose()
    assert stopped(made) == ("Designing", "refused", True)
    assert made.retry(KEY).state.design.version == 1


def test_a_record_that_was_rejected_after_the_packages_is_not_cited() -> None:
    made = deciding()
    pain, nausea = record_of(made, PAIN), record_of(made, NAUSEA)
    made.scripted.says["design"] = [lambda said: design(said.version, {NAUSEA: nausea, PAIN: pain})]
    rejecting(PAIN)(made)
    made.choose()
    assert made.refusals() == [("Designing", "citations_do_not_stand")] * 3
    assert f"record {pain} is in no package" in made.load(KEY).stopped.reason  # type: ignore[union-attr]


@pytest.mark.slow
def test_which_version_it_is_no_model_says() -> None:
    made = deciding(says={"design": [lambda said: replace(said, version=7)]})
    assert made.choose().state.design.version == 1
    assert made.approve().trail[-1] == "Approved"


# ---------------------------------------------------------------- approval

APPROVED: dict[str, dict[str, Any]] = {
    "not_an_approver": {"by": "eve"},
    "rationale_missing": {"rationale": " "},
    "stale_decision": {"version": 2},
    "changes_missing": {"approved": False, "changes": (" ",)},
    "stale": {"stale": ("record r is rejected now",)},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", APPROVED)
def test_an_approval_that_is_refused_is_recorded_and_the_design_is_still_a_proposal(kind: str) -> None:
    made = approving()
    with pytest.raises(OfferRefused) as refused:
        made.approve(**APPROVED[kind])
    assert [defect.kind for defect in refused.value.defects] == [kind]
    assert (made.load(KEY).status, made.refusals()) == ("waiting", [("AwaitingApproval", kind)])
    assert made.all(inquiry_kinds.APPROVAL) == ()
    assert made.approve().trail[-1] == "Approved"


@pytest.mark.slow
def test_only_who_may_approve_asks_for_changes() -> None:
    with pytest.raises(OfferRefused) as refused:
        approving().approve(by="eve", approved=False, changes=("more rats",))
    assert [defect.kind for defect in refused.value.defects] == ["not_an_approver"]


def test_changes_run_the_design_again_with_them_as_its_lesson_and_every_version_is_kept() -> None:
    made = approving()
    made.approve(approved=False, changes=("say how many rats", " "), rationale="the number is missing")
    (lesson,) = made.scripted.lessons["design"]
    assert [(d.kind, d.message, d.hint) for d in lesson.defects] == [
        ("change_requested", "say how many rats", "the number is missing")
    ]
    assert lesson.previous is not None
    assert made.load(KEY).state.design.version == 2
    made.approve()
    assert [each.design.version for each in made.all(inquiry_kinds.DESIGN)] == [1, 2]
    assert [(each.number, each.approval.approved) for each in made.all(inquiry_kinds.APPROVAL)] == [
        (1, False),
        (2, True),
    ]
    with pytest.raises(NotAsked):
        made.approve(approved=False, changes=("more",))


@pytest.mark.slow
def test_a_version_after_a_pause_has_the_next_number_and_the_changes_are_still_its_lesson() -> None:
    made = approving(says={"design": [GARBAGE, GARBAGE, GARBAGE, Permanent("no key", mend="set a key"), keep]})
    made.approve(approved=False, changes=("say how many rats",))
    assert stopped(made) == ("Designing", "refused", True)
    made.retry(KEY)
    assert stopped(made) == ("Designing", "permanent", True)
    assert made.retry(KEY).state.design.version == 2
    assert made.scripted.lessons["design"][-1].defects[0].kind == "change_requested"


def test_a_stale_design_is_sent_back_and_the_next_version_rests_on_what_stands() -> None:
    made = approving()
    rejecting(PAIN)(made)
    with pytest.raises(OfferRefused) as refused:
        made.approve(stale=changed(made))
    defect: Defect = refused.value.defects[0]
    assert (defect.kind, "request changes" in defect.hint, "rejected now" in defect.message) == ("stale", True, True)
    run = made.approve(approved=False, changes=("leave pain out",), stale=changed(made))
    assert run.state.design.version == 2
    cited = {key for s in run.state.design.sections for c in s.citations for key in c.records}
    assert cited == {record_of(made, NAUSEA)}
    assert made.approve().trail[-1] == "Approved"
