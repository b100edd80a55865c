"""`backedge doctor` on evidence: what its file says, and what it names that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from backedge.cli.evidence_checks import every_check, evidence_checks
from tests.evidence.shelf import go

WHOLE = """reviewers: [{name: Ana}]
models: {evidence: "anthropic:claude-sonnet-4-6"}
sources: {search: [pubmed], ingest: [file, pubmed]}
keys: {pubmed: NCBI_KEY}
units: [{spelling: bpm, unit: beats/min}]
"""


def told(folder: Path, text: str, environment: dict[str, str]) -> dict[str, tuple[bool, str, str]]:
    (folder / "evidence.yml").write_text(text, encoding="utf-8")
    return {check.name: (check.ok, check.said, check.mend) for check in evidence_checks(folder, environment)}


def test_what_is_named_and_not_there_is_to_be_mended(tmp_path: Path) -> None:
    found = told(tmp_path, WHOLE, {})
    assert found["model evidence"][0] is False
    assert "ANTHROPIC_API_KEY" in found["model evidence"][2]
    assert found["key pubmed"] == (
        False,
        "the variable NCBI_KEY is not set",
        "set NCBI_KEY, or take `pubmed` out of `keys`",
    )
    assert (found["model design"][0], found["model design"][1].startswith("none")) == (True, True)
    there = told(tmp_path, WHOLE, {"ANTHROPIC_API_KEY": "x", "NCBI_KEY": "y"})
    assert all(ok for ok, _, _ in there.values())
    assert not any(said == "x" or said == "y" for _, said, _ in there.values())


def test_what_the_file_says_is_told(tmp_path: Path) -> None:
    said = told(tmp_path, WHOLE, {})["evidence"][1]
    for part in ("reviewed by Ana", "the library, pubmed", "only file, pubmed may bring", "to which bpm is added"):
        assert part in said
    assert "no reviewers" in told(tmp_path, "{}\n", {})["evidence"][1]


@pytest.mark.parametrize("text", ["sources: {search: [pubmd]}\n", "units: [{spelling: x, unit: mgg}]\n"])
def test_a_mistake_in_it_is_told_with_its_line(tmp_path: Path, text: str) -> None:
    ok, said, mend = told(tmp_path, text, {})["evidence"]
    assert (ok, "evidence.yml:1" in said, "did you mean" in said, "validate" in mend) == (False, True, True, True)


def test_a_project_for_evidence_alone_needs_neither_views_nor_databases(tmp_path: Path) -> None:
    (tmp_path / "evidence.yml").write_text("reviewers: [{name: Ana}]\n", encoding="utf-8")
    found = {check.name: check.ok for check in go(every_check(tmp_path, None))}
    assert {"python", "libraries", "runs", "evidence"} <= set(found)
    assert ("project" in found, all(found.values())) == (False, True)
    (tmp_path / "a.view.yml").write_text("name: a\n", encoding="utf-8")
    found = {check.name: check.ok for check in go(every_check(tmp_path, None))}
    assert (found["project"], found["evidence"]) == (False, True)
