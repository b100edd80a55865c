"""Candidates: a chance of success anywhere, unlabelled assumptions, missing ratings, and records of no package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from backedge.evidence.candidate_rules import chance_of_success, prose_of, quotes, unlabelled, unrated, unsupported
from backedge.evidence.designs import Approach, Assumption, Candidates, Rated
from tests.evidence.proposed import RECORDS, approach, candidates

CHANCE = "It should succeed."


def with_(change: Callable[[Approach], Approach]) -> Candidates:
    return replace(candidates(), approaches=(approach("a"), change(approach("b"))))


def rating(number: int, **changed: Any) -> Callable[[Approach], Approach]:
    def change(one: Approach) -> Approach:
        ratings = list(one.ratings)
        ratings[number] = replace(ratings[number], **changed)
        return replace(one, ratings=tuple(ratings))

    return change


def said(text: str, *labels: str) -> Candidates:
    assumed = tuple(Assumption(label, "practice") for label in labels)
    return with_(lambda one: replace(one, summary=text, assumptions=assumed))


def test_what_is_whole_passes_every_rule() -> None:
    whole = candidates()
    assert [chance_of_success(whole), unlabelled(whole), unrated(whole), unsupported(whole, RECORDS)] == [None] * 4


@pytest.mark.parametrize(
    ("where", "broken"),
    [
        ("approaches.b.title", with_(lambda one: replace(one, title=CHANCE))),
        ("approaches.b.summary", with_(lambda one: replace(one, summary=f"Rats. {CHANCE}"))),
        ("approaches.b.assumptions.1", with_(lambda one: replace(one, assumptions=(Assumption(CHANCE, "r"),)))),
        ("approaches.b.assumptions.1.rests_on", with_(lambda o: replace(o, assumptions=(Assumption("r", CHANCE),)))),
        ("approaches.b.ratings.feasibility", with_(rating(4, rationale=CHANCE))),
        ("comparison", replace(candidates(), comparison=CHANCE)),
    ],
)
def test_a_chance_of_success_is_refused_wherever_it_stands(where: str, broken: Candidates) -> None:
    defect = chance_of_success(broken)
    assert defect is not None
    assert (defect.kind, defect.retryable, defect.where) == ("chance_of_success", False, where)
    assert ('"should succeed"' in defect.message, where in defect.message) == (True, True)


def test_every_chance_is_named_at_once() -> None:
    twice = replace(with_(lambda one: replace(one, title=CHANCE)), comparison="The odds of success are high.")
    defect = chance_of_success(twice)
    assert defect is not None
    assert ("approaches.b.title" in defect.message, "comparison" in defect.message) == (True, True)


def test_every_prose_of_the_candidates_is_read() -> None:
    assert len(dict(prose_of(candidates()))) == 2 * (2 + 2 + 8) + 1


@pytest.mark.parametrize(
    "text",
    [
        "Assuming rats tolerate the catheter, dosing is daily.",
        "We assume that the drug enters the brain.",
        "The drug is assumed to enter the brain.",
        "Presumably the colony breeds on time.",
        "If the catheter holds, dosing is daily.",
        "Twelve rats a group should be feasible.",
        "Imaging ought to be possible at night.",
        "The catheter lasts, provided that it is flushed.",
        "We take it for granted that cages are free.",
        "On the premise that males respond as females do, one sex is used.",
        "Supposing the licence is granted, work starts in May.",
        "The model should transfer to humans.",
        "We believe the colony is healthy.",
    ],
)
def test_what_is_taken_for_granted_must_be_labelled(text: str) -> None:
    defect = unlabelled(said(text, "isoflurane keeps animals asleep for two hours"))
    assert defect is not None
    assert (defect.kind, defect.where) == ("assumption_unlabelled", "approaches.b.summary")
    assert text.rstrip(".") in defect.message


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Assuming rats tolerate the catheter, dosing is daily.", "rats tolerate the catheter"),
        ("Twelve rats a group should be feasible.", "twelve rats a group are feasible to house"),
        ("We assume that the drug enters the brain.", "the drug enters the brain"),
    ],
)
def test_an_assumption_that_is_labelled_passes(text: str, label: str) -> None:
    assert unlabelled(said(text, label)) is None


@pytest.mark.parametrize(
    "text",
    [
        "Nothing is assumed of the dose.",
        "Rats were used in record v1.aaa.",
        "Food is provided ad libitum.",
        "If a rat loses a fifth of its weight, it is killed.",
        "Animals should be handled by one person.",
    ],
)
def test_what_takes_nothing_for_granted_needs_no_label(text: str) -> None:
    assert unlabelled(said(text)) is None


def test_one_word_in_common_does_not_cover_an_assumption() -> None:
    assert unlabelled(said("Assuming rats arrive by March, work starts.", "rats sleep")) is not None


def test_an_assumption_of_another_approach_does_not_cover_one_but_the_comparison_is_of_both() -> None:
    text = "Assuming isoflurane keeps rats asleep for two hours, imaging is done."
    assert unlabelled(said(text)) is not None
    assert unlabelled(replace(candidates(), comparison=text)) is None


@pytest.mark.parametrize(
    ("kind", "assumption"),
    [("assumption_empty", Assumption(" ", "practice")), ("assumption_without_ground", Assumption("rats sleep", ""))],
)
def test_an_assumption_has_a_text_and_a_ground(kind: str, assumption: Assumption) -> None:
    defect = unlabelled(with_(lambda one: replace(one, assumptions=(assumption,))))
    assert defect is not None
    assert (defect.kind, defect.where) == (kind, "approaches.b.assumptions.1")


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("criteria_unrated", lambda one: replace(one, ratings=one.ratings[1:])),
        ("criteria_unrated", lambda one: replace(one, ratings=(*one.ratings, one.ratings[0]))),
        ("unknown_criterion", lambda o: replace(o, ratings=(*o.ratings, Rated("beauty", "weak", "r", ())))),  # type: ignore[arg-type]
        ("unknown_rating", rating(3, rating="excellent")),
        ("rationale_missing", rating(3, rationale=" ")),
        ("support_without_records", rating(0, records=())),
        ("support_without_records", rating(0, records=(), rating="strong")),
    ],
)
def test_each_criterion_is_rated_once_with_a_rationale(kind: str, change: Callable[[Approach], Approach]) -> None:
    defect = unrated(with_(change))
    assert (defect.kind if defect else None, defect and "approaches.b" in defect.where) == (kind, True)


def test_weak_or_unknown_support_needs_no_record_and_approaches_are_compared() -> None:
    assert unrated(with_(rating(0, records=(), rating="weak"))) is None
    assert unrated(with_(rating(0, records=(), rating="unknown"))) is None
    defect = unrated(replace(candidates(), comparison=" "))
    assert defect is not None
    assert defect.kind == "comparison_missing"


@pytest.mark.parametrize(
    ("where", "broken"),
    [
        ("approaches.b.records", with_(lambda one: replace(one, records=("v1.aab",)))),
        ("approaches.b.ratings.cost", with_(rating(7, records=("v1.aab",)))),
    ],
)
def test_records_that_are_named_are_packaged(where: str, broken: Candidates) -> None:
    defect = unsupported(broken, RECORDS)
    assert defect is not None
    assert (defect.kind, defect.where) == ("record_not_packaged", where)
    assert set(defect.near) >= {"v1.aaa", "v1.bbb"}


def test_candidates_quote_nothing_since_only_the_design_is_held_to_its_quotations() -> None:
    assert quotes(candidates()) is None
    defect = quotes(said('The paper says "Velorin cured every mouse of diabetes".'))
    assert defect is not None
    assert (defect.kind, "cured every mouse" in defect.message) == ("candidates_quote", True)
    assert quotes(said('It is called the "low" dose.')) is None
