"""A model's words: what they are shown, what the gates make of them, and when templates speak instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from backedge.query.ports import Caps
from tests.models.minds import FakeModel, scene
from tests.models.test_delegating import TOTALS, with_model
from tests.models.test_delegating import project as automated

BY_REGION = "total amount by region"


def words(text: str, chart: Any = None) -> dict[str, Any]:
    return {"text": text, "chart": chart}


def asked(shop: Path, folder: Path, question: str, *replies: dict[str, Any]) -> tuple[FakeModel, dict[str, Any]]:
    """The model of Interpreting, and the answer form of a question that rules read."""
    world = scene(shop, folder, interpreting=replies)
    _, found = world.asked(question)
    return world.models["interpreting"], found


def test_every_figure_of_its_words_is_bound_to_its_cells(shop: Path, tmp_path: Path) -> None:
    _, found = asked(shop, tmp_path, BY_REGION, words("South has 105.00, about 74 more than North."))
    figures = {figure["text"]: figure for figure in found["figures"]}
    rows = {row[0]: at for at, row in enumerate(found["rows"])}
    assert found["answer"].startswith("South has 105.00, about 74 more than North.")
    assert figures["105.00"]["cells"] == ((rows["South"], "total_amount"),)
    assert (figures["74"]["value"], figures["74"]["computation"]) == ("74.25", "difference of cells")
    assert all(found["answer"][f["start"] : f["end"]] == f["text"] for f in found["figures"])


WRONG = {
    "a wrong digit": "South has 106.00.",
    "swapped rows": "South has 30.75, North has 105.00.",
    "a cause": "South has 105.00 because its customers are richer.",
    "a judgement": "South has an impressive 105.00.",
    "a total of its own": "All regions together have 999.",
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_words_that_the_rows_do_not_bear_out_are_sent_back_and_the_template_speaks(
    text: str, shop: Path, tmp_path: Path
) -> None:
    model, found = asked(shop, tmp_path, BY_REGION, words(text))
    assert text not in found["answer"]
    assert "105.00" in found["answer"]
    assert found["states"].count("Interpreting") == 2
    assert "lesson" not in model.prompts[0].user
    assert "<<data lesson" in model.prompts[1].user


def test_the_model_is_shown_the_rows_the_reading_and_the_filters(shop: Path, tmp_path: Path) -> None:
    model, _ = asked(shop, tmp_path, "total amount by region for paid", words("South has 100.00."))
    for block in ("question", "reading", "filters that apply", "result"):
        assert f"<<data {block} " in model.prompts[0].user
    assert '{"region": "South", "total_amount": "100.00"}' in model.prompts[0].user
    assert "paid" in model.prompts[0].user


def test_what_must_be_said_of_the_data_follows_the_words_whatever_they_are(shop: Path, tmp_path: Path) -> None:
    world = scene(shop, tmp_path, interpreting=[words("March 2026 has 100.00.")])
    agent = world.folder / "shop.agentic.yml"
    rules = "validation: {rules: {solved: [{name: freshness_check, max_age_days: 1}]}}\n"
    agent.write_text(f"{agent.read_text()}{rules}")
    _, found = world.asked("total amount by month")
    assert found["answer"].startswith("March 2026 has 100.00. ")
    assert "The newest day in the result is 2026-03-01" in found["answer"]


@pytest.mark.parametrize("question", ["total amount where id is over 99", "open amount for North"])
def test_of_an_empty_result_no_model_tells_a_story(question: str, shop: Path, tmp_path: Path) -> None:
    model, found = asked(shop, tmp_path, question, words("Nothing sold."))
    assert model.prompts == []
    assert "Nothing sold" not in str(found["answer"])


def test_of_a_result_that_was_cut_no_model_tells_a_story(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("backedge.assemble.Caps", lambda: Caps(rows=2))
    model, found = asked(shop, tmp_path, "total amount by id", words("Order 5 has 100.00."))
    assert model.prompts == []
    assert "Only the first 2 rows are here" in found["answer"]


TABLE = {"kind": "table"}
NO_SUCH = {"kind": "bar", "x": "country", "y": "total_amount"}
LINE = {"kind": "line", "x": "region", "y": "total_amount"}
SECOND = {"kind": "bar", "x": "region", "y": "order_count"}


def test_a_chart_that_does_not_fit_the_rows_gives_way_to_the_rules(shop: Path, tmp_path: Path) -> None:
    said = "South has 105.00."
    charts = [
        asked(shop, tmp_path / str(n), BY_REGION, words(said, chart))[1]["chart"]
        for n, chart in enumerate((None, NO_SUCH, LINE, TABLE))
    ]
    assert charts[0]["mark"]["type"] == "bar"
    assert charts[1:] == [charts[0], charts[0], None]


def test_of_several_measures_the_one_that_it_chooses_is_drawn(shop: Path, tmp_path: Path) -> None:
    question = "total amount and order count by region"
    _, ruled = asked(shop, tmp_path / "1", question, words("South has a total amount of 105.00."))
    _, chosen = asked(shop, tmp_path / "2", question, words("South has a total amount of 105.00.", SECOND))
    assert ruled["chart"] is None
    assert chosen["chart"]["encoding"]["x"]["field"] == "order_count"


RAW = {"kind": "bar", "x": "region", "y": "total_amount", "data": {"url": "https://evil.example"}}


def test_a_drawing_of_its_own_is_no_reply(shop: Path, tmp_path: Path) -> None:
    model, found = asked(shop, tmp_path, BY_REGION, words("South has 105.00.", RAW), words("South has 105.00."))
    assert len(model.prompts) == 2
    assert "evil" not in str(found["chart"])


@pytest.mark.parametrize(("text", "holds"), [("South has 100.00.", True), ("South has 999.", False)])
def test_words_of_an_automations_table_are_held_to_its_rows(text: str, holds: bool, shop: Path, tmp_path: Path) -> None:
    world = with_model(automated(shop, tmp_path, totals=TOTALS), interpreting=[words(text)])
    _, found = world.asked("How do the regions fare?")
    assert (found["status"], found["path"]) == ("answered", "automation")
    assert (text in found["answer"]) == holds
    assert ("100.00" in {figure["text"] for figure in found["figures"]}) == ("100.00" in found["answer"])


def test_the_same_table_is_worded_anew_for_another_question(shop: Path, tmp_path: Path) -> None:
    other = TOTALS.replace("how do the regions fare", "how do the regions fare, which one leads")
    world = with_model(automated(shop, tmp_path, totals=other), interpreting=[words("South has 100.00.")])
    for question in ("How do the regions fare?", "Which one leads?", "How do the regions fare?"):
        world.asked(question)
    assert len(world.models["interpreting"].prompts) == 2
