"""`backedge review`, on the evidence demo: who may decide, what each may see, what is kept, what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.evidence_commands import run, told

pytestmark = pytest.mark.slow


@pytest.fixture
def double(demo: Path) -> Path:
    """The demo where two must agree, and a third decides where they do not."""
    settings = demo / "evidence.yml"
    text = settings.read_text().replace("  - {name: sam", "  - {name: tom}\n  - {name: sam")
    assert "tom" in text
    settings.write_text(f"{text}\nreview: {{double: true}}\n")
    return demo


def waiting(project: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = told("review", "list", project=project)["waiting"]
    return found


def decide(project: Path, key: str, kind: str, by: str, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = told("review", "decide", key, kind, "--as", by, *words, project=project)
    return found


def decisions(project: Path, key: str, *words: str) -> list[tuple[str, str]]:
    shown = told("review", "show", key, *words, project=project)
    return [(decision["kind"], decision["by"]) for decision in shown["decisions"]]


def test_the_demo_has_a_record_of_each_standing_and_takes_back_what_was_retracted(made: Path) -> None:
    records = told("records", "list", project=made)["records"]
    assert {"accepted", "rejected", "quarantined", "in_review"} <= {record["standing"] for record in records}
    unusable = [record for record in records if record["standing"] == "accepted" and not record["usable"]]
    assert [record["statement"].split()[1] for record in unusable] == ["reduced"]


def test_a_reviewer_is_shown_the_record_beside_its_passage_with_checks_and_attempts(made: Path) -> None:
    (waits,) = waiting(made)
    shown = told("review", "show", waits["key"], project=made)
    (span,) = shown["quotations"][0]["spans"]
    assert (bool(span["exact"]), span["broken"]) == (True, "")
    assert len(shown["verification"]["checks"]) == 5
    assert [(a["stage"], a["outcome"]) for a in shown["attempts"]] == [
        ("Validating", "accepted"),
        ("Verifying", "accepted"),
    ]
    page = run("review", "show", waits["key"], project=made).output
    assert f"⟦{span['exact']}⟧" in page
    for part in ("Verifying, attempt 1: accepted", f"--seen {waits['standing_number']}", waits["why"]):
        assert part in page


def test_a_refused_decision_is_kept_and_leaves_the_record_waiting(demo: Path) -> None:
    (waits,) = waiting(demo)
    refusals = (
        (("reject", "--as", "rita"), "a rejection needs a reason"),
        (("accept", "--as", "bob"), "bob is no configured reviewer; rita, sam is"),
        (("accept", "--as", "rita", "--seen", "1"), "the decision is on standing 1"),
        (("fix", "--as", "rita"), "a fix needs the mended record"),
        (
            ("fix", "--as", "rita", "--set", "quotation=Velorin may act on renal glucose output."),
            "the mended record is refused",
        ),
        (("fix", "--as", "rita", "--set", "direction=sideways"), "'sideways' is no direction"),
    )
    for words, said in refusals:
        refused = run("review", "decide", waits["key"], *words, project=demo)
        assert (refused.exit_code, said in refused.output) == (3, True), refused.output
        assert waiting(demo) == [waits]
    attempts = told("review", "show", waits["key"], project=demo)["attempts"]
    assert [a["outcome"] for a in attempts if a["stage"] == "InReview"] == ["defects"] * len(refusals)


def test_what_is_typed_wrong_is_told_with_the_next_step(demo: Path) -> None:
    (waits,) = waiting(demo)
    for words, said in (
        (("fix", "--as", "rita", "--set", "colour=red"), "write FIELD=VALUE, with one of statement"),
        (("accept", "--as", "rita", "--set", "species=mouse"), "only a fix changes fields"),
    ):
        wrong = run("review", "decide", waits["key"], *words, project=demo)
        assert (wrong.exit_code, said in wrong.output) == (5, True), wrong.output
    unknown = run("review", "show", "nothing", project=demo)
    assert (unknown.exit_code, "records list" in unknown.output) == (5, True)


def test_a_decision_is_kept_and_can_be_changed_by_one_who_saw_it(demo: Path) -> None:
    (waits,) = waiting(demo)
    key, seen = waits["key"], waits["standing_number"]
    assert decide(demo, key, "skip", "rita")["waits"]
    assert decide(demo, key, "reject", "rita", "--because", "may")["standing"] == "rejected"
    assert waiting(demo) == []
    stale = run("review", "decide", key, "accept", "--as", "sam", "--seen", str(seen), project=demo)
    assert (stale.exit_code, f"on standing {seen}" in stale.output) == (3, True), stale.output
    assert told("records", "show", key, project=demo)["standing"] == "rejected"
    changed = decide(demo, key, "accept", "sam", "--because", "after all", "--seen", str(seen + 1))
    assert (changed["standing"], changed["waits"]) == ("accepted", False)
    assert decisions(demo, key) == [("skip", "rita"), ("reject", "rita"), ("accept", "sam")]
    idle = run("review", "decide", key, "skip", "--as", "sam", project=demo)
    assert (idle.exit_code, "nothing to skip" in idle.output) == (1, True), idle.output
    assert told("review", "agreement", project=demo) == {"records": 0, "alike": 0, "pairs": []}


def test_a_mended_record_replaces_the_first_and_is_gated_itself(demo: Path) -> None:
    (waits,) = waiting(demo)
    words = ("--set", "statement=Velorin may act on hepatic glucose output.", "--because", "the may")
    fixed = decide(demo, waits["key"], "fix", "rita", *words)
    assert (fixed["standing"], fixed["replaces"]) == ("accepted", waits["key"])
    assert told("records", "show", waits["key"], project=demo)["standing"] == "replaced"
    again = run("review", "decide", waits["key"], "accept", "--because", "x", "--as", "sam", project=demo)
    assert (again.exit_code, "was replaced" in again.output) == (5, True)


def test_two_must_agree_and_neither_sees_the_other_on_any_page(double: Path) -> None:
    (waits,) = waiting(double)
    key = waits["key"]
    assert decide(double, key, "accept", "rita", "--because", "SECRET")["waits"]
    for words in (("review", "show", key, "--as", "sam"), ("records", "show", key), ("review", "list")):
        for output in (run(*words, project=double).output, run(*words, "--json", project=double).output):
            assert "SECRET" not in output
            assert "rita" not in output
    assert "SECRET" not in run("export", "--only", "all", project=double).output
    assert decisions(double, key, "--as", "rita") == [("accept", "rita")]
    twice = run("review", "decide", key, "reject", "--because", "x", "--as", "rita", project=double)
    assert (twice.exit_code, "another reviewer must" in twice.output) == (3, True)
    assert decide(double, key, "accept", "sam")["standing"] == "accepted"
    assert decisions(double, key, "--as", "tom") == [("accept", "rita"), ("accept", "sam")]
    # Opened again it is as blind, though its standing does not say that it waits.
    assert decide(double, key, "reject", "tom", "--because", "HIDDEN")["waits"]
    assert "HIDDEN" not in run("review", "show", key, "--as", "sam", project=double).output
    assert "HIDDEN" not in run("review", "list", project=double).output


def test_a_third_settles_a_conflict_whatever_the_third_decides(double: Path) -> None:
    (waits,) = waiting(double)
    key = waits["key"]
    decide(double, key, "accept", "rita")
    assert decide(double, key, "reject", "sam", "--because", "may")["waits"]
    assert decisions(double, key, "--as", "tom") == [("accept", "rita"), ("reject", "sam")]
    words = ("--set", "statement=Velorin may act on hepatic glucose output.")
    settled = decide(double, key, "fix", "tom", *words)
    assert (settled["standing"], settled["waits"], waiting(double)) == ("accepted", False, [])
    agreed = told("review", "agreement", project=double)
    assert agreed == {
        "records": 1,
        "alike": 0,
        "pairs": [{"reviewers": ["rita", "sam"], "records": 1, "alike": 0, "kappa": 0.0}],
    }
    assert "rita and sam: 0 of 1 alike, kappa 0.00" in run("review", "agreement", project=double).output
