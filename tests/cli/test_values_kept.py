"""What one command found of the data's values is there for the next, and a suggestion is answered and resumed."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from backedge.ask.value_index import ValueIndex
from tests.cli.projects import backedge, make_project


def test_a_second_command_does_not_gather_values_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = make_project(tmp_path)
    first = backedge("ask", "sales in North", "--project", project, "--json")
    (file,) = (project / ".backedge" / "cache").glob("values-*.db")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600

    async def gathers(*_: object) -> None:
        raise AssertionError("the values were gathered again")

    monkeypatch.setattr(ValueIndex, "_made", gathers)
    second = backedge("ask", "sales in North", "--project", project, "--json")
    assert (first.json["rows"], first.json["filters"]) == (second.json["rows"], second.json["filters"])
    (project / "data" / "orders.csv").write_text("id,region,status,amount,ordered\n1,East,paid,1,2025-01-03\n")
    with pytest.raises(AssertionError, match="again"):
        backedge("ask", "sales in East", "--project", project, "--json")


def test_words_of_a_description_are_asked_about_answered_and_resumed(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    view = project / "semantics" / "orders.view.yml"
    text = view.read_text().replace(
        "{name: order_count, type: count,", "{name: order_count, type: count, description: Parcels sent,"
    )
    view.write_text(text)
    asked = backedge("ask", "parcels by region", "--project", project, "--json", "--no-input").json
    assert (asked["status"], [o["value"] for o in asked["question"]["options"]]) == (
        "needs_input",
        ["orders.order_count", "none"],
    )
    refused = backedge("answer", asked["run_id"], "none", "--project", project, "--json").json
    assert (refused["status"], [word["word"] for word in refused["unknown"]]) == ("cannot_answer", ["parcels"])
    again = backedge("ask", "parcels by region", "--project", project, "--json", "--no-input").json
    found = backedge("answer", again["run_id"], "1", "--project", project, "--json").json
    assert found["status"] == "answered"
    assert "read 'parcels' as order_count, as you said" in found["assumptions"]
