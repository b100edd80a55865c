"""Review and export through the command line, on the evidence demo: who may decide, what is kept, what is written."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from backedge.cli.app import main
from backedge.evidence.kappa import kappa


def run(*words: str, project: Path) -> Result:
    return CliRunner().invoke(main, [*words, "--project", str(project)])


def told(*words: str, project: Path) -> Any:
    done = run(*words, "--json", project=project)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evidence") / "demo"
    done = CliRunner().invoke(main, ["demo", "evidence", str(folder)])
    assert done.exit_code == 0, done.output
    assert "RECORDED" in done.output
    return folder


@pytest.fixture
def demo(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "demo")


def test_the_demo_has_a_record_of_each_standing_and_takes_back_what_was_retracted(made: Path) -> None:
    records = told("records", "list", project=made)["records"]
    standings = {record["standing"] for record in records}
    assert {"accepted", "rejected", "quarantined", "in_review"} <= standings
    unusable = [record for record in records if record["standing"] == "accepted" and not record["usable"]]
    assert [record["statement"].split()[1] for record in unusable] == ["reduced"]


def test_a_refused_decision_leaves_the_record_waiting(demo: Path) -> None:
    (waiting,) = told("review", "list", project=demo)
    for words, said in (
        (("reject", "--as", "rita"), "a rejection needs a reason"),
        (("accept", "--as", "bob"), "bob is no configured reviewer; rita, sam is"),
        (("accept", "--as", "rita", "--seen", "1"), "the decision is on standing 1"),
        (
            ("fix", "--as", "rita", "--set", "quotation=Velorin may act on renal glucose output."),
            "the mended record is refused",
        ),
    ):
        refused = run("review", "decide", waiting["key"], *words, project=demo)
        assert (refused.exit_code, said in refused.output) == (3, True), refused.output
        assert len(told("review", "list", project=demo)) == 1


def test_a_decision_is_kept_and_can_be_changed(demo: Path) -> None:
    (waiting,) = told("review", "list", project=demo)
    key = waiting["key"]
    assert (
        told("review", "decide", key, "reject", "--because", "may", "--as", "rita", project=demo)["standing"]
        == "rejected"
    )
    assert told("review", "list", project=demo) == []
    changed = told("review", "decide", key, "accept", "--because", "after all", "--as", "sam", project=demo)
    assert changed["standing"] == "accepted"
    shown = told("records", "show", key, project=demo)
    assert [(d["kind"], d["by"]) for d in shown["decisions"]] == [("reject", "rita"), ("accept", "sam")]
    (agreed,) = told("review", "agreement", project=demo)
    assert (agreed["reviewers"], agreed["records"], agreed["alike"]) == (["rita", "sam"], 1, 0)


def test_a_mended_record_replaces_the_first_and_is_gated_itself(demo: Path) -> None:
    (waiting,) = told("review", "list", project=demo)
    words = ("--set", "statement=Velorin may act on hepatic glucose output.", "--because", "the may", "--as", "rita")
    fixed = told("review", "decide", waiting["key"], "fix", *words, project=demo)
    assert (fixed["standing"], fixed["key"] == waiting["key"]) == ("accepted", False)
    assert told("records", "show", waiting["key"], project=demo)["standing"] == "replaced"
    again = run("review", "decide", waiting["key"], "accept", "--because", "x", "--as", "sam", project=demo)
    assert (again.exit_code, "was replaced" in again.output) == (5, True)


def test_every_exported_span_is_what_stands_in_the_exported_text(made: Path, tmp_path: Path) -> None:
    done = run("export", "--format", "ro-crate", "--only", "all", "--out", str(tmp_path / "crate"), project=made)
    assert done.exit_code == 0, done.output
    crate = tmp_path / "crate"
    checked = 0
    for line in (crate / "records.jsonl").read_text().splitlines():
        for quotation in json.loads(line)["quotations"]:
            for target in quotation["targets"]:
                text = (crate / "contents" / target["state"]["value"].removeprefix("sha256:")).read_text()
                place, quote = target["selector"]
                assert text[place["start"] : place["end"]] == quote["exact"]
                checked += 1
    assert checked > 4
    graph = json.loads((crate / "ro-crate-metadata.json").read_text())["@graph"]
    assert any(entity.get("sha256") for entity in graph)
    assert json.loads((crate / "provenance.json").read_text())["activity"]
    again = run("export", "--format", "ro-crate", "--out", str(crate), project=made)
    assert (again.exit_code, "holds other files" in again.output) == (5, True)


def test_what_may_not_be_used_is_not_exported_as_accepted_and_is_marked_in_references(made: Path) -> None:
    lines = run("export", project=made).stdout.splitlines()
    assert (len(lines), any("albumin" in line for line in lines)) == (2, False)
    rows = list(csv.DictReader(io.StringIO(run("export", "--format", "csv", "--only", "all", project=made).stdout)))
    assert {row["source_may_be_used"] for row in rows if "albumin" in row["statement"]} == {"False"}
    ris = run("export", "--format", "ris", project=made).stdout
    assert "N1  - MAY NOT BE USED: retracted" in ris
    assert ris.count("TY  - ") == ris.count("ER  - ") == 4
    assert "@article{s_" in run("export", "--format", "bibtex", project=made).stdout


def test_a_file_is_not_overwritten_unasked(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    out.write_text("mine")
    refused = run("export", "--out", str(out), project=made)
    assert (refused.exit_code, out.read_text()) == (5, "mine")
    assert run("export", "--out", str(out), "--force", project=made).exit_code == 0
    assert out.read_text() == run("export", project=made).stdout


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([], None),
        ([("accept", "accept")], None),
        ([("accept", "accept"), ("reject", "reject")], 1.0),
        ([("accept", "reject"), ("reject", "accept")], -1.0),
        ([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")], 0.5),
    ],
)
def test_kappa(pairs: list[tuple[str, str]], found: float | None) -> None:
    told = kappa(pairs)
    assert told == (None if found is None else pytest.approx(found))
