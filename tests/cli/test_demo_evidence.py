"""`backedge demo evidence`: what it shows is so, and a second run says what is there."""

from __future__ import annotations

from pathlib import Path

from tests.cli.projects import Ended, backedge


def test_it_says_that_replies_are_recorded_and_what_came_of_the_papers(demo_run: tuple[Path, Ended]) -> None:
    _, ended = demo_run
    assert (ended.code, "RECORDED" in ended.out) == (0, True)
    assert "records: 3 accepted, 1 quarantined, 1 rejected, 1 in review" in ended.out
    assert "quotations: 6 checked, 6 found, 0 not found" in ended.out


def test_the_false_quotation_was_sent_back_and_is_in_no_record(demo_run: tuple[Path, Ended]) -> None:
    folder, ended = demo_run
    false = "Velorin lowered fasting glucose by 2.7 mmol/L"
    assert f"refused and sent back (quote_not_found): record 1, quotation 1: the quotation '{false}" in ended.out
    for record in backedge("records", "list", "--json", "--project", folder).json["records"]:
        shown = backedge("records", "show", record["key"], "--json", "--project", folder).json
        assert all(quotation["found"] and "2.7" not in quotation["said"] for quotation in shown["quotations"])


def test_each_trap_is_caught_by_what_is_there_for_it(demo_run: tuple[Path, Ended]) -> None:
    folder, _ = demo_run
    found = backedge("records", "list", "--json", "--project", folder).json["records"]
    standings = {record["statement"]: record["standing"] for record in found}
    assert standings["Metformin lowered fasting glucose in patients with type 2 diabetes."] == "quarantined"
    assert standings["Velorin lowered fasting glucose in lean Wistar rats."] == "rejected"
    assert standings["Velorin acts on hepatic glucose output."] == "in_review"


def test_what_rests_on_the_retracted_paper_may_not_be_used(demo_run: tuple[Path, Ended]) -> None:
    folder, ended = demo_run
    told = ended.out.split("A notice arrives")[1]
    assert "may not be used now: Velorin reduced urinary albumin excretion by 38%" in told
    found = backedge("records", "list", "--json", "--project", folder).json["records"]
    taken = [record for record in found if record["standing"] == "accepted" and not record["usable"]]
    assert ["albumin" in record["statement"] for record in taken] == [True]
    assert sum(record["usable"] for record in found) == 2


def test_a_second_run_says_what_is_there_and_adds_nothing(demo: Path) -> None:
    before = backedge("records", "list", "--json", "--project", demo).json
    again = backedge("demo", "evidence", demo)
    assert (again.code, "sources: 3 duplicate" in again.out) == (0, True)
    assert "NOTHING WAS CHECKED" not in again.err
    assert backedge("records", "list", "--json", "--project", demo).json == before


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    ended = backedge("demo", "evidence", tmp_path)
    assert (ended.code, "it holds other files" in ended.err, len(list(tmp_path.iterdir()))) == (2, True, 1)
