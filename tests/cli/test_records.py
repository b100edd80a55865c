"""`backedge records` through the command line, on the evidence demo: quotations in their context, and what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backedge.cli.lines import one_line, plain
from backedge.evidence import record_view
from backedge.kernel.defect import Defect
from tests.cli.projects import backedge

pytestmark = pytest.mark.slow


def listed(folder: Path, *asked: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = backedge("records", "list", *asked, "--json", "--project", folder).json["records"]
    return found


def key_of(folder: Path, words: str) -> str:
    (key,) = [record["key"] for record in listed(folder) if words in record["statement"]]
    return str(key)


def test_the_list_is_narrowed_by_source_kind_standing_and_use(made: Path) -> None:
    everything = listed(made)
    assert {record["kind"] for record in listed(made, "--kind", "claim")} == {"claim"}
    assert {record["standing"] for record in listed(made, "--standing", "rejected")} == {"rejected"}
    of_one = listed(made, "--source", "10.5555/demo.2025.002")
    assert [record["source_eligible"] for record in of_one] == [False]
    usable = listed(made, "--usable")
    assert (len(everything), len(usable)) == (6, 2)
    assert all(record["standing"] == "accepted" and record["source_eligible"] for record in usable)
    few = backedge("records", "list", "--limit", "2", "--json", "--project", made).json
    assert (len(few["records"]), few["more"]) == (2, True)
    assert backedge("records", "list", "--standing", "replaced", "--project", made).out == "no record is so\n"


def test_show_marks_each_span_in_its_context(made: Path) -> None:
    found = backedge("records", "show", key_of(made, "hepatic"), "--json", "--project", made).json
    (quotation,) = found["quotations"]
    (span,) = quotation["spans"]
    assert (span["title"], span["role"], span["exact"], span["broken"]) == (
        "Discussion",
        "discussion",
        "Velorin may act on hepatic glucose output.",
        "",
    )
    assert span["after"].startswith(" We suggest that it deserves a trial")
    assert span["end"] - span["start"] == len(span["exact"])
    assert [standing["status"] for standing in found["standings"]] == ["proposed", "in_review"]
    assert {check["name"] for check in found["verification"]["checks"]} == {
        "negation",
        "scope",
        "species",
        "treatment",
        "endpoint",
    }
    page = backedge("records", "show", found["key"], "--project", made).out
    assert "⟦Velorin may act on hepatic glucose output.⟧ We suggest" in page
    assert "because: how far the passages go is unclear" in page
    assert "MAY NOT BE USED" not in page


def test_show_says_that_a_source_may_not_be_used(made: Path) -> None:
    key = key_of(made, "albumin")
    assert "ITS SOURCE MAY NOT BE USED: retracted" in backedge("records", "show", key, "--project", made).out
    found = backedge("records", "show", key, "--json", "--project", made).json
    assert (found["standing"], found["usable"], found["source_reasons"]) == ("accepted", False, ["retracted"])


def test_a_key_may_be_begun_and_an_unknown_one_is_told_with_those_near_it(made: Path) -> None:
    key = key_of(made, "hepatic")
    assert backedge("records", "show", key[:16], "--json", "--project", made).json["key"] == key
    several = backedge("records", "show", key[:12], "--project", made)
    assert (several.code, "5 records begin with" in several.err, key in several.err) == (5, True, True)
    wrong = key[:-1] + ("0" if key[-1] != "0" else "1")
    none = backedge("records", "show", wrong, "--project", made)
    assert (none.code, f"there is no record '{wrong}'; near it are {key}" in none.err) == (5, True)


def test_a_text_that_was_changed_since_is_refused(demo: Path) -> None:
    key = key_of(demo, "hepatic")
    shown = backedge("sources", "show", "papers/velorin-mice.xml", "--json", "--project", demo).json
    text = shown["versions"][0]["text"]
    (kept,) = (demo / ".backedge" / "contents").glob(f"*/{text}")
    kept.chmod(0o600)
    kept.write_text(kept.read_text(encoding="utf-8").replace("may act", "can act"), encoding="utf-8")
    ended = backedge("records", "show", key, "--project", demo)
    assert (ended.code, ended.out, "was changed since it was kept" in ended.err) == (5, "", True)


def test_a_span_that_does_not_resolve_is_said(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def moved(*_: object) -> Defect:
        return Defect("span_moved", "the words stand elsewhere now", "spans", "place them anew")

    monkeypatch.setattr(record_view, "resolve", moved)
    page = backedge("records", "show", key_of(made, "hepatic"), "--project", made).out
    assert "BROKEN: the words stand elsewhere now" in page


def test_what_a_source_says_cannot_drive_the_terminal() -> None:
    assert plain("a\x1b[31mred\x07\u202eleft\nnext") == "a�[31mred��left\nnext"
    assert one_line("  many \n\n  spaces  ", 20) == "many spaces"
    assert one_line("العربية 中文 words", 9) == "العربية …"
