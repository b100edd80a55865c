"""`backedge ingest` through the command line: every end of a source, the summary, and going on with what paused."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.papers import (
    EVIDENCE,
    EXTRACTING,
    MOUSE,
    RAT,
    SILENT_JUDGE,
    UNREADABLE,
    VALUES,
    VERIFYING,
    make_papers,
)
from tests.cli.projects import Ended, backedge, started

pytestmark = pytest.mark.slow

PAPERS = {"mouse.txt": MOUSE, "rat.txt": RAT, "values.csv": VALUES, "broken.pdf": "no PDF", "notes.xyz": "?"}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    folder = make_papers(tmp_path_factory.mktemp("ingest") / "project", PAPERS)
    (folder / "list.csv").write_text("identifier\npapers/mouse.txt\nnonsense\n", encoding="utf-8")
    named = ("list.csv", "papers/mouse.txt", "papers")
    return folder, backedge("ingest", *named, "--json", "--project", folder)


@pytest.fixture
def papers(first: tuple[Path, Ended], tmp_path: Path) -> Path:
    return shutil.copytree(first[0], tmp_path / "project")


def standings(folder: Path) -> list[str]:
    found = backedge("records", "list", "--json", "--project", folder).json
    return sorted(record["standing"] for record in found["records"])


def test_every_source_is_told_with_its_end_and_its_reason(first: tuple[Path, Ended]) -> None:
    folder, ended = first
    ends = {run["wanted"].removeprefix("file:papers/"): (run["status"], run["why"]) for run in ended.json["runs"]}
    assert ends["mouse.txt"] == ("ingested", "")
    assert ends["rat.txt"] == ("ingested", "no record: the animals are not those that are asked for")
    assert ends["values.csv"] == ("ingested", "it holds no text to quote")
    assert ends["broken.pdf"][0] == "quarantined"
    assert ends["broken.pdf"][1].startswith("corrupt: ")
    skipped = {each["where"]: each["why"] for each in ended.json["skipped"]}
    assert set(skipped) == {"list.csv:3", "papers/notes.xyz"}
    assert "its kind is not known" in skipped["papers/notes.xyz"]
    assert (len(ends), ended.code) == (4, 0)
    assert standings(folder) == ["accepted", "rejected"]


def test_the_summary_counts_what_was_checked_and_what_was_refused(first: tuple[Path, Ended]) -> None:
    found = first[1].json
    assert found["sources"] == {"ingested": 3, "quarantined": 1}
    assert found["records"] == {"accepted": 1, "rejected": 1}
    assert found["quotations"] == {"checked": 2, "passed": 2, "failed": 0, "not_checkable": 2, "sent_back": 1}


def test_the_same_again_says_duplicates_and_adds_nothing(papers: Path) -> None:
    before = standings(papers)
    ended = backedge("ingest", "papers", "--project", papers)
    assert (ended.code, "sources: 4 duplicate" in ended.out) == (0, True)
    assert "4/4: 4 duplicate" in ended.err
    assert "skipped papers/notes.xyz" in ended.err
    assert "NOTHING WAS CHECKED" not in ended.err
    assert standings(papers) == before


def test_nothing_checked_is_a_failure_and_says_so(tmp_path: Path) -> None:
    folder = make_papers(tmp_path, {"broken.pdf": "no PDF"})
    ended = backedge("ingest", "papers/broken.pdf", "--project", folder)
    assert (ended.code, "NOTHING WAS CHECKED" in ended.err) == (1, True)
    assert "quotations: 0 checked" in ended.out
    empty = backedge("ingest", "papers", "--project", make_papers(tmp_path / "empty", {"notes.xyz": "?"}))
    assert (empty.code, "nothing was ingested" in empty.err) == (1, True)


@pytest.mark.slow
def test_rows_of_values_alone_are_no_failure(tmp_path: Path) -> None:
    ended = backedge("ingest", "papers", "--project", make_papers(tmp_path, {"values.csv": VALUES}))
    assert (ended.code, ended.err.splitlines()[-1]) == (0, "1/1: 1 ingested")
    assert "it holds no text to quote" in ended.out


@pytest.mark.parametrize(
    "again",
    [
        ("ingest", "papers"),
        pytest.param(("sources", "retry"), marks=pytest.mark.slow),
        pytest.param(("sources", "retry", "papers/mouse.txt"), marks=pytest.mark.slow),
    ],
)
def test_without_a_model_an_ingest_pauses_and_goes_on_once_there_is_one(tmp_path: Path, again: tuple[str, ...]) -> None:
    folder = make_papers(tmp_path, {"mouse.txt": MOUSE}, evidence="reviewers: [{name: ann}]\n")
    paused = backedge("ingest", "papers", "--json", "--project", folder)
    assert (paused.code, paused.json["sources"]) == (1, {"paused": 1})
    assert "evidence.yml" in paused.json["runs"][0]["why"]
    (folder / "evidence.yml").write_text(EVIDENCE, encoding="utf-8")
    done = backedge(*again, "--json", "--project", folder)
    assert (done.code, done.json["records"]) == (0, {"accepted": 1, "rejected": 1})
    assert done.json["runs"][0]["run"] == paused.json["runs"][0]["run"]


@pytest.mark.parametrize("again", [pytest.param(("ingest", "papers"), marks=pytest.mark.slow), ("sources", "retry")])
def test_a_record_whose_check_paused_is_taken_up_though_its_source_is_through(
    tmp_path: Path, again: tuple[str, ...]
) -> None:
    folder = make_papers(tmp_path, {"mouse.txt": MOUSE}, replies=EXTRACTING + SILENT_JUDGE)
    paused = backedge("ingest", "papers", "--project", folder)
    assert (paused.code, "records: 2 paused" in paused.out, "2 checked" in paused.out) == (1, True, True)
    assert "backedge sources retry" in paused.out
    (folder / "replies.yml").write_text(EXTRACTING + VERIFYING, encoding="utf-8")
    done = backedge(*again, "--json", "--project", folder)
    assert (done.code, done.json["records"]) == (0, {"accepted": 1, "rejected": 1})
    assert standings(folder) == ["accepted", "rejected"]


@pytest.mark.slow
def test_an_extraction_that_failed_says_why_and_is_done_over(tmp_path: Path) -> None:
    folder = make_papers(tmp_path, {"mouse.txt": MOUSE}, replies=UNREADABLE)
    ended = backedge("ingest", "papers", "--project", folder)
    assert (ended.code, "sources: 1 failed" in ended.out) == (1, True)
    assert re.search(r"failed: file:papers/mouse.txt: 1 of its 1 parts could not be extracted: .+JSON", ended.out)
    (folder / "replies.yml").write_text(EXTRACTING + VERIFYING, encoding="utf-8")
    again = backedge("ingest", "papers", "--json", "--project", folder)
    assert (again.json["sources"], standings(folder)) == ({"duplicate": 1}, [])
    done = backedge("sources", "retry", "papers/mouse.txt", "--json", "--project", folder)
    assert (done.code, done.json["sources"], standings(folder)) == (0, {"ingested": 1}, ["accepted", "rejected"])
    idle = backedge("sources", "retry", "papers/mouse.txt", "--project", folder)
    assert (idle.code, "has paused" in idle.err) == (5, True)


@pytest.mark.slow
def test_a_mended_record_that_no_model_could_verify_goes_on_later(papers: Path) -> None:
    (rejected,) = backedge("records", "list", "--standing", "rejected", "--json", "--project", papers).json["records"]
    said = (papers / "replies.yml").read_text(encoding="utf-8")
    (papers / "replies.yml").write_text(EXTRACTING + SILENT_JUDGE, encoding="utf-8")
    words = ("--set", "statement=Drug X left body weight in mice as it was.", "--set", "direction=no_difference")
    fixed = backedge("review", "decide", rejected["key"], "fix", *words, "--as", "ann", "--project", papers)
    assert (fixed.code, "it is not verified yet" in fixed.out, "sources retry" in fixed.out) == (0, True, True), fixed
    silent = backedge("sources", "retry", "--project", papers)
    assert (silent.code, ": paused: " in silent.out) == (1, True)
    (papers / "replies.yml").write_text(said, encoding="utf-8")
    done = backedge("sources", "retry", "--json", "--project", papers)
    (line,) = done.json["verified"]
    assert (done.code, line["status"]) == (0, "accepted")
    assert standings(papers) == ["accepted", "accepted", "replaced"]


@pytest.mark.slow
def test_what_was_withheld_while_it_was_forbidden_is_verified_once_it_may_be_used(tmp_path: Path) -> None:
    folder = make_papers(tmp_path, {"mouse.txt": MOUSE}, replies=EXTRACTING + SILENT_JUDGE)
    backedge("ingest", "papers", "--project", folder)
    mark = ("sources", "restrict", "papers/mouse.txt", "--project", folder)
    backedge(*mark, "--because", "an embargo")
    (folder / "replies.yml").write_text(EXTRACTING + VERIFYING, encoding="utf-8")
    ended = backedge("sources", "retry", "--project", folder)
    assert (ended.code, standings(folder)) == (0, ["quarantined", "quarantined"])
    backedge(*mark, "--because", "it is over", "--lift")
    done = backedge("sources", "retry", "papers/mouse.txt", "--json", "--project", folder)
    assert (done.code, len(done.json["verified"]), standings(folder)) == (0, 2, ["accepted", "rejected"])


def test_lists_folders_and_files_may_be_mixed_and_each_source_is_one_run(first: tuple[Path, Ended]) -> None:
    wanted = [run["wanted"] for run in first[1].json["runs"]]
    assert (len(wanted), len(set(wanted))) == (4, 4)


def test_what_is_no_source_is_said_before_anything_begins(papers: Path) -> None:
    before = backedge("runs", "list", "--json", "--project", papers).json
    ended = backedge("ingest", "papers/mouse.txt", "papers/none.txt", "--project", papers)
    assert (ended.code, ended.out) == (5, "")
    assert "'papers/none.txt' is no file here and no identifier" in ended.err
    assert "give a path, a DOI" in ended.err
    assert backedge("runs", "list", "--json", "--project", papers).json == before


def restricted(folder: Path, source: str) -> dict[str, Any]:
    shown: dict[str, Any] = backedge("sources", "show", source, "--json", "--project", folder).json
    return {"status": shown["status"], "reasons": shown["reasons"]}


def test_a_restricted_source_is_marked_whether_it_is_new_or_there(papers: Path) -> None:
    (papers / "papers" / "new.txt").write_text(MOUSE.replace("40", "60"), encoding="utf-8")
    ended = backedge(
        "ingest", "papers/new.txt", "papers/mouse.txt", "--restricted", "licence ended", "--project", papers
    )
    assert "ineligible: file:papers/new.txt: restricted" in ended.out
    for name in ("new.txt", "mouse.txt"):
        assert restricted(papers, f"papers/{name}") == {"status": "ineligible", "reasons": ["restricted"]}
    assert backedge("records", "list", "--usable", "--json", "--project", papers).json["records"] == []


@pytest.mark.slow
def test_an_interrupted_ingest_says_how_to_go_on_and_does(tmp_path: Path) -> None:
    many = {f"p{number}.txt": MOUSE.replace("40 male", f"{number + 20} male") for number in range(40)}
    folder = make_papers(tmp_path, many)
    asked = ("ingest", "papers", "--project", str(folder))
    process = started(*asked, stdin=None, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stderr is not None
    heard = next(line for line in process.stderr if line.startswith(b"3/40"))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (heard != b"", process.returncode) == (True, 130)
    assert f"go on with: backedge ingest papers --project {folder}".encode() in said
    done = backedge(*asked, "--json").json
    assert set(done["sources"]) == {"ingested", "duplicate"}
    assert sum(done["sources"].values()) == 40
    assert standings(folder).count("accepted") == len(standings(folder)) / 2 >= 30
