"""Every check and every failure of the investigation's stages, by the command line; what is refused is kept."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.investigated import MANDATORY, Investigated, good
from tests.cli.projects import Ended

pytestmark = pytest.mark.slow
At = Callable[[str], Investigated]


@pytest.fixture(scope="module")
def points(made: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Investigated]:
    """An investigation that waits, at each of three points; nobody may change them."""
    found: dict[str, Investigated] = {}
    for point in ("facets", "candidates", "approval"):
        one = Investigated(shutil.copytree(made, tmp_path_factory.mktemp(point) / "project"))
        if point == "facets":
            one.start()
        else:
            one.to(point)
        found[point] = one
    return found


@pytest.fixture
def at(points: dict[str, Investigated], tmp_path: Path) -> At:
    """A copy of an investigation that waits at a point."""

    def copied(point: str) -> Investigated:
        one = Investigated.__new__(Investigated)
        one.folder = shutil.copytree(points[point].folder, tmp_path / "project")
        one.story, one.run = copy.deepcopy(points[point].story), points[point].run
        return one

    return copied


@pytest.fixture
def fresh(made: Path, tmp_path: Path) -> Investigated:
    """A project without an investigation of its own."""
    return Investigated(shutil.copytree(made, tmp_path / "project"))


def refused(done: Ended, says: str) -> bool:
    """Whether a command was refused with these words."""
    return done.code == 3 and says in done.err


# 1 extract facets


def test_an_explicit_facet_whose_words_are_not_in_the_request_is_read_again_and_then_pauses(
    fresh: Investigated,
) -> None:
    wrong = fresh.reply("extracting_facets")
    wrong["objective"]["values"][0]["quote"] = "we decide whether to treat patients"
    fresh.says("extracting_facets", wrong)
    done = fresh.start()
    assert (done.code, fresh.view["status"], fresh.kept()) == (1, "paused", ["facet_not_in_request"] * 3)
    fresh.says("extracting_facets", fresh.reply("extracting_facets"))
    assert fresh.do("investigate", "retry", fresh.run).code == 0
    assert fresh.view["waits_for"] == "facet review"


def test_an_inferred_facet_needs_its_reason(fresh: Investigated) -> None:
    wrong = fresh.reply("extracting_facets")
    wrong["comparator"]["values"][0]["reason"] = ""
    fresh.says("extracting_facets", wrong, fresh.reply("extracting_facets"))
    assert (fresh.start().code, fresh.kept()) == (0, ["inferred_without_reason"])


# 2 round trip


def test_what_the_round_trip_finds_is_shown_and_stops_nothing(at: At) -> None:
    one = at("facets")
    shown = one.data("facets", "show", one.run)
    assert shown["round_trip"]["omissions"] == ["the study is to begin next spring"]
    assert "the study is to begin next spring" in one.do("facets", "show", one.run).out
    assert one.view["waits_for"] == "facet review"
    one.says("round_tripping", {"reconstruction": "It is told anew.", "contradictions": ["a rat"]})
    assert one.do("facets", "edit", one.run, "comparator", "saline", "--as", "rita").code == 0
    assert one.do("facets", "round-trip", one.run, "--as", "rita").code == 0
    assert one.data("facets", "show", one.run)["round_trip"]["contradictions"] == ["a rat"]


# 3 await facet review


def test_confirming_too_early_is_refused_and_kept(at: At) -> None:
    one = at("facets")
    assert refused(one.do("facets", "confirm", one.run, "--as", "rita"), "not settled: objective")
    assert (one.view["waits_for"], one.kept()) == ("facet review", ["facets_open"])


def test_a_mandatory_facet_may_be_assumed_or_flagged_for_a_reason(at: At) -> None:
    one = at("facets")
    assert refused(one.do("facets", "assume", one.run, "objective", "--as", "rita"), "needs a reason")
    assert one.do("facets", "assume", one.run, "objective", "--because", "it was said", "--as", "rita").code == 0
    assert one.do("facets", "flag", one.run, "condition", "--because", "open", "--as", "rita").code == 0
    assert one.do("facets", "confirm", one.run, *MANDATORY[2:], "--as", "rita").code == 0
    assert one.do("facets", "confirm", one.run, "--as", "rita").code == 0


COMMANDS: list[tuple[list[str], str]] = [
    (["edit", "RUN", "endpoint", "glucose", "--as", "mallory"], "mallory is no configured reviewer"),
    (["edit", "RUN", "endpoint", "glucose", "--value", "9", "--as", "rita"], "none is number 9"),
    (["split", "RUN", "endpoint", "glucose", "--as", "rita"], "at least two texts"),
    (["add", "RUN", "timing", "daily", "--seen", "7", "--as", "rita"], "after 7 changes"),
    (["remove", "RUN", "timing", "--value", "2", "--as", "rita"], "none is number 2"),
]


@pytest.mark.parametrize(("words", "says"), COMMANDS)
def test_a_command_that_does_not_fit_is_refused(at: At, words: list[str], says: str) -> None:
    one = at("facets")
    named = [one.run if word == "RUN" else word for word in words]
    assert refused(one.do("facets", *named), says)
    assert (one.view["waits_for"], len(one.kept())) == ("facet review", 1)


def test_changes_are_made_within_the_eight_and_all_kept(at: At) -> None:
    one = at("facets")
    for words in (
        ("split", one.run, "endpoint", "glucose", "weight"),
        ("add", one.run, "timing", "four weeks"),
        ("edit", one.run, "comparator", "saline"),
        ("edit", one.run, "constraints", "--importance", "optional"),
        ("remove", one.run, "timing", "--value", "1"),
    ):
        assert one.do("facets", *words, "--as", "rita").code == 0
    shown = one.data("facets", "show", one.run)
    assert (len(shown["facets"]), shown["seen"], [c["what"] for c in shown["history"]]) == (
        8,
        5,
        ["split", "add", "edit", "edit", "remove"],
    )
    endpoint = next(facet for facet in shown["facets"] if facet["name"] == "endpoint")
    assert [(value["text"], value["origin"]) for value in endpoint["values"]] == [
        ("glucose", "reviewer"),
        ("weight", "reviewer"),
    ]


# 4 derive questions


def test_a_facet_that_no_question_investigates_is_a_gap_of_coverage(at: At) -> None:
    one = at("facets")
    wrong = one.reply("deriving_questions")
    for question in wrong["questions"]:
        question["facets"] = ["objective", "endpoint"]
    one.says("deriving_questions", wrong)
    assert (one.confirm().code, one.kept()) == (1, ["coverage_gap"] * 3)
    assert "condition" in one.view["why"]
    missing = [name for name in MANDATORY if name not in ("objective", "endpoint")]
    named = {**wrong, "uninvestigated": [{"facet": name, "reason": "known already"} for name in missing]}
    one.says("deriving_questions", named)
    assert one.do("investigate", "retry", one.run).code == 0
    assert [facet for facet, _ in one.data("gaps", one.run)["uninvestigated"]] == missing


# 5 plan


def test_a_plan_needs_both_kinds_of_query_a_target_and_when_to_stop(at: At) -> None:
    one = at("facets")
    plan = one.reply("planning")
    wrong = [{**plan, "semantic": []}, {**plan, "targets": []}, {**plan, "stopping": ""}]
    one.says("planning", *wrong)
    assert one.confirm().code == 1
    inquiries = one.view["inquiries"]
    assert [each["status"] for each in inquiries] == ["failed", "failed"]
    assert one.kept(inquiries[0]["run"]) == ["query_missing", "target_missing", "stopping_missing"]


# 6 execute, 7 eligibility, 8 supplemental, 9 resolve


def test_executions_have_their_snapshots_and_one_is_fused(at: At) -> None:
    one = at("candidates")
    question = one.data("questions", one.run)["questions"][0]
    assert [each["arm"] for each in question["executions"]] == ["lexical", "semantic", "fused"]
    assert all(each["snapshot"] for each in question["executions"])
    ranks = [hit["rank"] for hit in question["rounds"][0]["eligible"]]
    assert ranks == sorted(ranks)
    assert {reason for each in question["rounds"][0]["excluded"] for reason in each["reasons"]} == {
        "notice",
        "retracted",
    }


def test_where_nothing_may_be_used_two_more_rounds_are_run_and_no_third(fresh: Investigated) -> None:
    for source in fresh.data("sources", "list")["sources"]:
        assert fresh.do("sources", "restrict", source["id"], "--because", "a contract", "--as", "rita").code == 0
    wider = {"wider_lexical": ["velorin glucose", "velorin weight"], "wider_semantic": []}
    fresh.says("planning", *({**each, "reply": {**each["reply"], **wider}} for each in good()["planning"]))
    fresh.start()
    fresh.confirm()
    question = fresh.data("questions", fresh.run)["questions"][0]
    assert {each["round"] for each in question["executions"]} == {0, 1, 2}
    gaps = fresh.data("gaps", fresh.run)["gaps"]
    assert [(gap["closed_by"], "restricted" in gap["why"]) for gap in gaps] == [(0, True), (0, True)]
    assert question["inquiry"]["sufficiency"]["status"] == "insufficient"


# 10 assess


def test_each_record_is_assessed_once_and_another_species_is_never_direct(at: At) -> None:
    one = at("facets")
    derived = one.reply("deriving_questions")
    derived["questions"] = derived["questions"][:1]
    derived["questions"][0]["wants"]["species"] = "rat"
    one.says("deriving_questions", derived)
    said = one.reply("assessing", 0)
    short = {"assessments": said["assessments"][:1]}
    one.says("assessing", short, said)
    one.confirm()
    inquiry = one.view["inquiries"][0]
    assert one.kept(inquiry["run"])[0] == "records_not_assessed"
    one.judge()
    found = one.data("packages", "show", one.run)["packages"][0]["records"]
    assert {record["applicability"] for record in found} <= {"indirect", "unknown", "not_applicable"}


# 11 sufficiency


def test_more_than_the_records_bear_is_judged_again(at: At) -> None:
    one = at("facets")
    said = one.reply("weighing", 0)
    one.says("weighing", {**said, "critical_gaps": []}, said)
    one.confirm()
    assert one.kept(one.view["inquiries"][0]["run"]) == ["gaps_missing"]


def test_what_one_record_alone_affirms_waits_for_a_reviewer(at: At) -> None:
    one = at("facets")
    one.confirm()
    waits = [each for each in one.data("review", "list")["waiting"] if each["what"] == "sufficiency"]
    assert (len(waits), one.view["waits_for"]) == (2, "sufficiency review")
    key = waits[0]["key"]
    assert "alone" in one.do("review", "show", key).out
    assert refused(one.do("review", "decide", key, "accept", "--as", "rita"), "reason")
    assert refused(one.do("review", "decide", key, "accept", "--because", "x", "--as", "mallory"), "mallory")
    assert (
        one.data("review", "decide", key, "reject", "--because", "one is none", "--as", "rita")["status"]
        == "insufficient"
    )
    assert len(one.kept(waits[0]["run"])) == 2


# 12 build packages


def test_a_package_of_a_source_that_may_not_be_used_any_more_is_invalid_and_says_why(at: At) -> None:
    one = at("facets")
    one.confirm()
    usable = one.data("sources", "list", "--status", "eligible")["sources"]
    for source in usable:
        one.do("sources", "restrict", source["id"], "--because", "a contract", "--as", "rita")
    for waits in [each for each in one.data("review", "list")["waiting"] if each["what"] == "sufficiency"]:
        words = ("--because", "its source may not be used", "--as", "rita")
        assert refused(one.do("review", "decide", waits["key"], "accept", *words), "may not be used now")
        assert one.do("review", "decide", waits["key"], "reject", *words).code == 0
    found = one.data("packages", "show", one.run)["packages"]
    assert all("may not be used" in why for package in found for why in package["invalid"])
    assert all(package["invalid"] for package in found)
    assert one.view["status"] in ("paused", "failed")
    assert "INVALID" in one.do("packages", "show", one.run).out


# 13 candidates


def changed(reply: Any, change: Callable[[Any], None]) -> Any:
    change(reply)
    return reply


CANDIDATES: list[tuple[Callable[[Any], None], str]] = [
    (lambda reply: reply["approaches"].pop(), "too_few_approaches"),
    (lambda reply: reply["approaches"][0].update(summary="We assume that lower doses work."), "assumption"),
    (lambda reply: reply["approaches"][0]["ratings"]["cost"].update(rationale=" "), "rationale_missing"),
]


@pytest.mark.parametrize(("change", "kind"), CANDIDATES)
def test_candidates_that_lack_something_are_proposed_again(at: At, change: Callable[[Any], None], kind: str) -> None:
    one = at("facets")
    one.says("proposing", changed(one.reply("proposing"), change), one.reply("proposing"))
    one.confirm()
    one.judge()
    assert one.view["waits_for"] == "decision"
    assert len(one.kept()) == 1
    assert kind in one.kept()[0]


def test_a_chance_of_success_pauses_and_stays_to_be_seen(at: At) -> None:
    one = at("facets")
    wrong = one.reply("proposing")
    wrong["comparison"] = "The first has an 80% chance of success."
    one.says("proposing", wrong)
    one.confirm()
    one.judge()
    assert (one.view["status"], one.kept()) == ("paused", ["chance_of_success"])
    shown = one.data("candidates", "show", one.run)
    assert (shown["candidates"], shown["refused"]["comparison"]) == (None, wrong["comparison"])
    assert "REFUSED" in one.do("candidates", "show", one.run).out
    one.says("proposing", one.reply("proposing"))
    assert one.do("investigate", "retry", one.run, "--as", "rita").code == 0
    assert one.view["waits_for"] == "decision"


# 14 await decision


DECISIONS: list[tuple[list[str], str]] = [
    (["a", "--as", "rita"], "no reason for b"),
    (["a", "--reject", "b= ", "--as", "rita"], "no reason for b"),
    (["a", "--reject", "b=no", "--as", "mallory"], "mallory is no configured reviewer"),
    (["z", "--reject", "b=no", "--as", "rita"], "there is no approach"),
]


@pytest.mark.parametrize(("words", "says"), DECISIONS)
def test_a_decision_needs_a_reviewer_and_every_reason(at: At, words: list[str], says: str) -> None:
    one = at("candidates")
    assert refused(one.do("decide", one.run, *words), says)
    assert (one.view["waits_for"], len(one.kept()) >= 1) == ("decision", True)


# 15 design


DESIGNS: list[tuple[Callable[[Any], None], str]] = [
    (lambda reply: reply["facets"].update(condition=""), "facets_unaccounted"),
    (lambda reply: reply["ethics"].update(sentences=[]), "sections_empty"),
    (
        lambda reply: reply["evidence_basis"]["sentences"][0].update(text='It "cured every mouse that was treated".'),
        "citations_do_not_stand",
    ),
]


@pytest.mark.parametrize(("change", "kind"), DESIGNS)
def test_a_design_that_does_not_stand_is_written_again(at: At, change: Callable[[Any], None], kind: str) -> None:
    one = at("candidates")
    one.says("designing", changed(one.reply("designing"), change), one.reply("designing"))
    assert (one.decide().code, one.view["waits_for"]) == (0, "approval")
    assert one.kept() == [kind]


def test_a_design_that_never_stands_pauses(at: At) -> None:
    one = at("candidates")
    one.says("designing", changed(one.reply("designing"), DESIGNS[0][0]))
    assert (one.decide().code, one.view["status"], len(one.kept())) == (1, "paused", 3)


# 16 await approval


def test_an_approval_needs_an_approver_and_a_rationale(at: At) -> None:
    one = at("approval")
    assert "PROPOSAL" in one.do("design", "show", one.run).out
    assert refused(one.do("design", "approve", one.run, "--because", "good", "--as", "sam"), "may not approve")
    assert refused(one.do("design", "approve", one.run, "--as", "rita"), "rationale")
    assert refused(
        one.do("design", "approve", one.run, "--version", "4", "--because", "x", "--as", "rita"), "version 4"
    )
    assert (one.view["waits_for"], len(one.kept())) == ("approval", 3)
    assert one.do("design", "approve", one.run, "--because", "good", "--as", "rita").code == 0
    shown = one.do("design", "show", one.run).out
    assert ("PROPOSAL" in shown, "Approved by rita" in shown, one.view["status"]) == (False, True, "approved")


def test_changes_that_are_requested_make_the_next_version(at: At) -> None:
    one = at("approval")
    second = one.reply("designing")
    second["ethics"]["sentences"].append({"text": "Mice in pain are killed humanely.", "records": []})
    one.says("designing", second)
    words = ("say what becomes of mice in pain", "--because", "it is missing", "--as", "rita")
    assert one.do("design", "request-changes", one.run, *words).code == 0
    changes = one.do("design", "diff", one.run).out
    assert "Mice in pain are killed humanely." in changes
    assert one.data("design", "show", one.run)["version"] == 2
    assert one.data("design", "show", one.run, "--version", "1")["version"] == 1


def test_a_source_that_is_retracted_after_approval_is_said_everywhere(at: At, tmp_path: Path) -> None:
    one = at("approval")
    assert one.do("design", "approve", one.run, "--because", "good", "--as", "rita").code == 0
    used = one.data("packages", "show", one.run)["packages"][0]["records"][0]["source"]
    assert one.do("sources", "restrict", used, "--because", "withdrawn by its authors", "--as", "rita").code == 0
    assert one.data("design", "show", one.run)["stale"]
    assert "may not be used now" in one.do("design", "show", one.run).out
    written = one.do("export", "--investigation", one.run, "--out", tmp_path / "design.md")
    assert (written.code, "STALE" in written.err) == (0, True)
    assert "may not be used now" in (tmp_path / "design.md").read_text(encoding="utf-8")
    assert (one.do("verify", one.run).code, bool(one.view["stale"])) == (1, True)
