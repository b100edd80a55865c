"""Clarifying with a model: what it reads is held to the catalog, to the question, and to what the rules know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.models.minds import scene

QUESTION = "please explain wherever regions come from"
DATA = {"kind": "data", "intent": "total amount by region", "members": ["orders.total_amount", "orders.region"]}
SPEC = {"kind": "request", "measures": ["orders.total_amount"], "dimensions": ["orders.region"]}
PAID = {**SPEC, "measures": ["orders.paid_amount"]}
SAID = {"text": "South has the most, 105.00."}


def test_an_inquiry_says_only_what_the_excerpt_says(shop: Path, tmp_path: Path) -> None:
    bad = {"kind": "inquiry", "answer": "`orders.region` has 3 values."}
    good = {"kind": "inquiry", "answer": "It is `orders.region`, also called area."}
    world = scene(shop, tmp_path, clarifying=[bad, good])
    _, found = world.asked(QUESTION)
    taught = world.models["clarifying"].prompts[1].user
    assert "not_in_catalog at answer: nothing in the catalog excerpt says 3" in taught
    assert bad["answer"] in taught  # the reply that was refused
    assert (found["answer"], found["sql"]) == (good["answer"], None)


def test_an_inquiry_that_never_holds_ends_without_an_answer(shop: Path, tmp_path: Path) -> None:
    run, found = scene(shop, tmp_path, clarifying=[{"kind": "inquiry", "answer": "`orders.region`: 77"}]).asked(
        QUESTION
    )
    assert run.trail == ("Clarifying", "Diagnosing", "Done")
    assert "77" not in found["answer"].replace("says 77", "")
    assert found["status"] == "cannot_answer"


def test_what_cannot_be_answered_keeps_the_unknown_words_and_their_nearest_names(shop: Path, tmp_path: Path) -> None:
    said = {"kind": "unanswerable", "reason": "the planet of an order is not recorded"}
    _, found = scene(shop, tmp_path, clarifying=[said]).asked("total amount by planet and regoin code")
    assert (found["answer"], found["status"]) == (said["reason"], "cannot_answer")
    assert "planet" in [unknown["word"] for unknown in found["unknown"]]
    assert found["instead"]


def test_a_reason_smuggles_no_number(shop: Path, tmp_path: Path) -> None:
    said = {"kind": "unanswerable", "reason": "planets are unknown, but sales were 4,711"}
    run, found = scene(shop, tmp_path, clarifying=[said]).asked("total amount by planet")
    assert run.spent_of("Clarifying").refused == 3
    assert "sales were" not in found["answer"]


def test_a_question_to_the_person_needs_different_suggestions(shop: Path, tmp_path: Path) -> None:
    asks: Any = {"slot": "turnover", "prompt": "Which?", "suggestions": ["all orders", "paid orders"]}
    bad = {"kind": "data", "questions": [{**asks, "suggestions": ["all", "All "]}]}
    world = scene(shop, tmp_path, clarifying=[bad, {"kind": "data", "questions": [asks]}])
    run, found = world.asked("how did turnover spread over the regions")
    assert (found["status"], run.spent_of("Clarifying").refused) == ("needs_input", 1)


def test_a_verified_query_is_chosen_by_its_exact_name(shop: Path, tmp_path: Path) -> None:
    wrong, right = ({"kind": "data", "verified": name} for name in ("noregion", "no_region"))
    world = scene(shop, tmp_path, clarifying=[wrong, right], interpreting=[{"text": "Order 4 has 7.75."}])
    run, found = world.asked("gimme whatever lacks its region")
    assert "Nearest: no_region" in world.models["clarifying"].prompts[1].user
    assert (found["path"], run.trail[-1]) == ("verified", "Done")


def test_a_verified_query_that_lacks_what_is_asked_is_refused(shop: Path, tmp_path: Path) -> None:
    chosen = {"kind": "data", "verified": "no_region"}
    gives_up = {"kind": "unanswerable", "reason": "no such query"}
    world = scene(shop, tmp_path, clarifying=[chosen, gives_up])
    _, found = world.asked("gimme whatever lacks its region that is paid last month")
    taught = world.models["clarifying"].prompts[1].user
    assert "no_region is fixed and does not have what the question asks for: 'paid', 'last month'" in taught
    assert found["sql"] is None


def test_a_question_about_data_names_members(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, clarifying=[{"kind": "data"}, DATA], specifying=[SPEC], interpreting=[SAID])
    run, _ = world.asked("how did turnover spread over the regions")
    assert (run.trail[-1], run.spent_of("Clarifying").refused) == ("Done", 1)


def test_what_rules_know_to_be_ambiguous_costs_no_call(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, clarifying=[DATA])
    _, found = world.asked("income by region")
    assert (found["status"], world.models["clarifying"].prompts) == ("needs_input", [])


def test_a_model_never_decides_what_rules_know_to_be_ambiguous(shop: Path, tmp_path: Path) -> None:
    """`flibber` is for the model, `income` is paid or open: the person says, and the model is held to it."""
    paid = {**DATA, "members": ["orders.paid_amount", "orders.region"]}
    unpaid = {**DATA, "members": ["orders.open_amount", "orders.region"]}
    world = scene(
        shop, tmp_path, clarifying=[unpaid, unpaid, paid], specifying=[PAID], interpreting=[{"text": "South: 100.00."}]
    )
    run, found = world.asked("flibber income by region", "paid amount")
    assert run.trail[:3] == ("Clarifying", "AwaitingAnswer", "Clarifying")
    taught = world.models["clarifying"].prompts[2].user
    assert "the person chose orders.paid_amount" in taught
    assert (found["status"], run.spent_of("Clarifying").refused) == ("answered", 1)


def test_two_meanings_that_rules_refuse_are_asked_about(shop: Path, tmp_path: Path) -> None:
    asks: Any = {"slot": "over", "prompt": "What is over 50?", "suggestions": ["each order", "their number"]}
    world = scene(shop, tmp_path, clarifying=[DATA, {"kind": "data", "questions": [asks]}])
    _, found = world.asked("orders over 50")
    assert "two_meanings at questions: it is not clear" in world.models["clarifying"].prompts[1].user
    assert found["status"] == "needs_input"


def test_sent_back_the_model_sees_why_and_what_it_said(shop: Path, tmp_path: Path) -> None:
    beyond = {"kind": "request", "measures": ["orders.total_amount"], "dimensions": ["orders.nope"]}
    world = scene(shop, tmp_path, clarifying=[DATA], specifying=[beyond], interpreting=[SAID])
    run, _ = world.asked("how did turnover spread over the regions")
    assert run.trail[:4] == ("Clarifying", "Specifying", "Diagnosing", "Clarifying")
    taught = world.models["clarifying"].prompts[1].user
    assert "orders.nope" in taught
    assert '"members": ["orders.total_amount", "orders.region"]' in taught


@pytest.mark.slow
def test_the_value_of_a_question_is_shown_with_its_dimension(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, clarifying=[DATA], specifying=[SPEC], interpreting=[SAID])
    world.asked("flibber about south")
    assert "dimension orders.region | the question has words for its values: South" in (
        world.models["clarifying"].prompts[0].user
    )


WORDY = "how did turnover spread over the regions"


def test_a_reading_that_is_of_something_else_than_a_word_of_the_question_is_refused(shop: Path, tmp_path: Path) -> None:
    silent = {**DATA, "words": [{"word": "spread", "member": "orders.region"}]}
    meant = {**DATA, "words": [*silent["words"], {"word": "turnover", "member": "orders.total_amount"}]}
    world = scene(shop, tmp_path, clarifying=[silent, meant], specifying=[SPEC], interpreting=[SAID])
    run, found = world.asked(WORDY)
    assert run.spent_of("Clarifying").refused == 1
    assert "does not say what is meant by turnover" in world.models["clarifying"].prompts[1].user
    assert "'turnover' was read as orders.total_amount" in found["assumptions"]


def test_a_word_cannot_be_taken_for_what_is_no_member_of_the_reading(shop: Path, tmp_path: Path) -> None:
    words = [{"word": word, "member": "orders.status"} for word in ("turnover", "spread")]
    world = scene(shop, tmp_path, clarifying=[{**DATA, "words": words}], specifying=[SPEC], interpreting=[SAID])
    run, _ = world.asked(WORDY)
    assert run.trail == ("Clarifying", "Diagnosing", "Done")
    assert "orders.status is not among the members" in world.models["clarifying"].prompts[1].user
