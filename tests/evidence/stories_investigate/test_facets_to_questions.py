"""From a request to its questions: facets, the round trip, their review, and the coverage of the questions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.facets import FACET_NAMES, RequestSpan
from backedge.evidence.inquiry import DerivedQuestions
from backedge.evidence.investigate.ports import SaidFacets, SaidValue
from backedge.kernel.drive import OfferRefused
from tests.evidence.investigated import KEY, REQUEST
from tests.evidence.stories_investigate.desk import (
    GARBAGE,
    MANDATORY,
    Desk,
    Spoken,
    approving,
    confirmed,
    desk,
    keep,
    reviewing,
    trail,
)


def extracting(*says: Any) -> Desk:
    """A desk without sources whose request agent says so of the facets."""
    made = desk({}, scripted=Spoken({"facets": says}))
    made.investigate()
    return made


def with_value(number: int, *values: SaidValue) -> Any:
    """Becomes facets one of which has these values."""

    def changed(said: SaidFacets) -> SaidFacets:
        facets = list(said.facets)
        facets[number] = replace(facets[number], values=values)
        return SaidFacets(tuple(facets))

    return changed


def test_a_whole_investigation_to_an_approved_design() -> None:
    made = approving()
    made.approve()
    assert trail(made) == [
        "ExtractingFacets",
        "RoundTripping",
        "AwaitingFacets",
        "DerivingQuestions",
        "AwaitingInquiries",
        "Packaging",
        "Proposing",
        "AwaitingDecision",
        "Designing",
        "AwaitingApproval",
        "Approved",
    ]
    (inquiry,) = made.inquiries()
    assert trail(made, inquiry.id) == [
        "Planning",
        "Executing",
        "Sorting",
        "Resolving",
        "Assessing",
        "Weighing",
        "AwaitingSufficiency",
        "Inquired",
    ]
    assert made.refusals() == []


def test_every_row_leaves_its_product() -> None:
    counts = approving().counts()
    products = [
        "facets",
        "round_trip",
        "facets_confirmed",
        "questions",
        "search_plan",
        "execution",
        "sorted",
        "resolved",
        "assessment",
    ]
    products += ["sufficiency", "package", "candidates", "approach_decision", "design"]
    assert [kind for kind in products if not counts[kind]] == []
    (plan,) = approving().all(kinds.PLAN)
    assert (plan.plan.stopping, [query.arm for query in plan.plan.queries]) == (
        "both arms were read",
        ["lexical", "semantic"],
    )


@pytest.mark.slow
def test_explicit_facets_cite_the_request_where_they_stand() -> None:
    state = reviewing().load(KEY).state
    assert [facet.name for facet in state.facets] == list(FACET_NAMES)
    (value,) = next(facet for facet in state.facets if facet.name == "intervention").values
    at = REQUEST.index("ketorolac")
    assert value.spans == (RequestSpan(at, at + 9, "ketorolac"),)


WRONG = {
    "facets_not_eight": lambda said: SaidFacets(said.facets[1:]),
    "facet_not_in_request": with_value(2, SaidValue("Wistar rat", "explicit", "Wistar rats")),
    "inferred_without_reason": with_value(2, SaidValue("rat", "inferred")),
    "origin_claimed": with_value(2, SaidValue("rat", "reviewer")),
    "unreadable": GARBAGE,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRONG)
def test_wrong_facets_are_asked_for_twice_more_then_the_stage_has_failed(kind: str) -> None:
    made = extracting(WRONG[kind])
    assert made.refusals() == [("ExtractingFacets", kind)] * 3
    run = made.load(KEY)
    assert run.stopped is not None
    assert (run.stopped.stop, run.stopped.resumable, trail(made)) == ("refused", True, ["ExtractingFacets"])
    assert [len(lesson.defects) for lesson in made.scripted.lessons["facets"]] == [0, 1, 2]


@pytest.mark.slow
def test_facets_that_are_mended_go_on_and_retry_gives_a_fresh_budget() -> None:
    wrong = WRONG["facets_not_eight"]
    made = extracting(wrong, keep)
    assert (trail(made)[-1], made.load(KEY).status) == ("AwaitingFacets", "waiting")
    made = extracting(wrong, wrong, wrong, wrong, keep)
    assert made.load(KEY).status == "stopped"
    assert made.retry(KEY).status == "waiting"


@pytest.mark.slow
def test_a_default_without_a_reason_is_refused_too() -> None:
    made = extracting(with_value(2, SaidValue("rat", "default")), keep)
    assert made.refusals() == [("ExtractingFacets", "inferred_without_reason")]


@pytest.mark.slow
def test_the_round_trip_is_shown_and_gates_nothing() -> None:
    says = {"round_trip": [lambda told: replace(told, omissions=("the dose",), contradictions=("dogs, not rats",))]}
    made = desk({}, scripted=Spoken(says))
    run = made.investigate()
    assert (run.status, run.state.round_trip.omissions) == ("waiting", ("the dose",))
    (told,) = made.all(kinds.TOLD)
    assert told.round_trip.contradictions == ("dogs, not rats",)
    assert "DerivingQuestions" in made.confirm().trail


@pytest.mark.slow
def test_a_new_round_trip_is_over_the_changed_facets() -> None:
    made = reviewing()
    made.command("edit", facet="timing", texts=("24 h",))
    run = made.command("round_trip")
    assert (trail(made)[-2:], run.status) == (["RoundTripping", "AwaitingFacets"], "waiting")
    _, facets = made.scripted.told["round_trip"][-1]
    assert next(f for f in facets if f.name == "timing").values[0].text == "24 h"
    assert sorted(told.number for told in made.all(kinds.TOLD)) == [0, 1]


REFUSED: dict[str, tuple[str, dict[str, Any]]] = {
    "facets_open": ("confirm", {}),
    "not_a_reviewer": ("confirm_facet", {"facet": "objective", "by": "eve"}),
    "stale_command": ("confirm_facet", {"facet": "objective", "seen": 7}),
    "reason_missing": ("flag", {"facet": "objective"}),
    "unknown_value": ("remove", {"facet": "objective", "value": 3}),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", REFUSED)
def test_a_command_that_is_refused_is_in_the_journal_and_the_run_still_waits(kind: str) -> None:
    made = reviewing()
    command, given = REFUSED[kind]
    before = made.counts()
    with pytest.raises(OfferRefused) as refused:
        made.command(command, **given)
    assert [defect.kind for defect in refused.value.defects] == [kind]
    run = made.load(KEY)
    assert (run.status, made.counts(), made.refusals()) == ("waiting", before, [("AwaitingFacets", kind)])


def test_confirm_is_refused_until_each_mandatory_facet_is_confirmed_assumed_or_flagged() -> None:
    made = reviewing()
    first, second, *others = MANDATORY
    for name in others:
        made.command("confirm_facet", facet=name)
    made.command("assume", facet=first, reason="as everywhere")
    with pytest.raises(OfferRefused) as refused:
        made.command("confirm")
    assert refused.value.defects[0].message == f"not settled: {second}"
    made.command("flag", facet=second, reason="nobody knows yet")
    assert made.command("confirm").trail[-1] == "AwaitingInquiries"
    (confirmed_,) = made.all(kinds.CONFIRMED)
    assert (confirmed_.by, confirmed_.number) == ("rita", 5)


@pytest.mark.slow
def test_each_change_is_in_the_history_with_who_made_it_and_there_are_eight_all_the_time() -> None:
    made = reviewing()
    made.command("add", facet="timing", texts=("24 h",))
    made.command("split", facet="timing", texts=("1 h", "2 h"))
    history = [(each.change.number, each.change.what, each.change.by) for each in made.all(kinds.CHANGED)]
    assert history == [(1, "add", "rita"), (2, "split", "rita")]
    assert [len(at.facets) for at in made.all(kinds.FACETS_AT)] == [8, 8, 8]


def naming_none(derived: DerivedQuestions) -> DerivedQuestions:
    """Becomes questions that leave a mandatory facet out without a word."""
    return replace(derived, uninvestigated=())


def test_a_coverage_miss_is_tried_twice_more_then_it_has_failed() -> None:
    made = confirmed(says={"questions": [naming_none]})
    run = made.load(KEY)
    assert run.stopped is not None
    assert (made.refusals(), run.stopped.stop) == ([("DerivingQuestions", "coverage_gap")] * 3, "refused")
    assert "not investigated: condition" in run.stopped.reason
    assert (made.inquiries(), made.all(kinds.QUESTIONS)) == ([], ())


@pytest.mark.slow
def test_a_coverage_miss_that_is_mended_goes_on_and_the_lesson_names_the_facet() -> None:
    made = confirmed(says={"questions": [naming_none, keep]})
    assert [defect.message for defect in made.scripted.lessons["questions"][1].defects] == [
        "not investigated: condition"
    ]
    (questions,) = made.all(kinds.QUESTIONS)
    assert (len(made.inquiries()), questions.uninvestigated) == (1, (("condition", "none is stated"),))


@pytest.mark.slow
def test_what_nothing_investigates_is_told_to_who_designs() -> None:
    made = confirmed()
    made.stand()
    facets, _ = made.scripted.told["candidates"][0]
    assert {facet.name: facet.note for facet in facets if facet.note} == {
        "condition": "not investigated: none is stated"
    }


def test_two_investigations_of_one_text_do_not_mix() -> None:
    made = reviewing()
    other = made.investigate(f"{KEY}9")
    made.command("edit", facet="timing", texts=("24 h",))
    assert made.load(other.id).state.changes == 0
    assert [len(made.all(kinds.FACETS_AT, f"{key}/")) for key in (KEY, f"{KEY}9")] == [2, 1]
    made.confirm(f"{KEY}9")
    made.stand(key=f"{KEY}9")
    assert (len(made.inquiries()), len(made.inquiries(f"{KEY}9"))) == (0, 1)
    assert {each.investigation for each in made.all(kinds.PACKAGE)} == {f"{KEY}9"}
