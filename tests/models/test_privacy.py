"""What models may not see reaches none of them, in no stage and on no way back; what was sent is in the journal."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from backedge.ask.prompted import mind
from backedge.kernel.defect import Transient
from backedge.kernel.provenance import Activity, activities
from tests.models.minds import Scene
from tests.models.secretive import BEYOND, MARK, READS, SPEND, project, sent, world

PLAIN = "privacy: {samples: 5}"
OF_ANN = {**SPEND, "filters": [{"field": "customers.email", "op": "equals", "values": ["ann@x.org"]}]}
WORDLESS = "how might all of this be put"


def solving(sql: str, *after: str) -> dict[str, Any]:
    """Replies that lead to this SQL, and to others after it."""
    return {"specifying": [BEYOND], "solving": [{"sql": text} for text in (sql, *after)]}


FINE = 'SELECT city, SUM(spend) AS spend FROM "customers.csv" GROUP BY city ORDER BY city'
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "a grouping": ("spend by email", {}),
    "a sensitive grouping": ("spend by phone", {}),
    "what is made of a hidden column": ("spend by mailbox", {}),
    "the least of a hidden column": ("first email", {}),
    "the greatest of a sensitive member": ("last phone", {}),
    "samples": ("how is the email and phone put", {}),
    "nearest values": ("how might all of this be put for ann@x.org", {"specifying": [OF_ANN, SPEND]}),
    "columns of written SQL": (WORDLESS, solving('SELECT email AS contact, spend AS paid FROM "customers.csv"')),
    "all columns": (WORDLESS, solving('SELECT * FROM "customers.csv"')),
    "rows as values": (WORDLESS, solving('SELECT c AS everything, spend FROM "customers.csv" AS c')),
    "a repeated group": (
        WORDLESS,
        solving('SELECT email, 1 AS n FROM "customers.csv", (VALUES (1), (2)) AS v(x) ORDER BY email', FINE),
    ),
    "the database's own words": (WORDLESS, solving('SELECT CAST(email AS INTEGER) AS n FROM "customers.csv"', FINE)),
    "notes and examples": (WORDLESS, solving(FINE)),
}


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, its marks hidden."""
    return project(tmp_path_factory.mktemp("hidden"))


@pytest.fixture(scope="module")
def open_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same project with nothing hidden."""
    return project(tmp_path_factory.mktemp("open"), PLAIN, sensitive=False)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_hidden_reaches_no_model(way: str, hidden: Path) -> None:
    question, replies = WAYS[way]
    scene = world(hidden, **replies)
    scene.asked(question)
    assert MARK not in sent(scene)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_each_of_these_ways_would_betray_it(way: str, open_project: Path) -> None:
    question, replies = WAYS[way]
    scene = world(open_project, **replies)
    scene.asked(question)
    texts = sent(scene)
    for known in (f"A note of {MARK}", f"file {MARK}.md", f"SELECT 1 AS {MARK}") if "notes" not in way else ():
        texts = texts.replace(known, "")
    assert MARK in texts


def test_a_hidden_value_that_the_person_typed_is_told(hidden: Path) -> None:
    scene = world(hidden)
    scene.asked(f"spend where email is {MARK}ann@x.org")
    assert f"{MARK}ann@x.org" in sent(scene, "interpreting")
    assert f"{MARK}bob" not in sent(scene)


def test_no_value_of_any_column_is_told_where_no_samples_are_shared(tmp_path: Path) -> None:
    of_town = {**SPEND, "filters": [{"field": "customers.city", "op": "equals", "values": ["Berm"]}]}
    folder = project(tmp_path, "privacy: {samples: 0, result_rows: 0}", sensitive=False)
    scene = world(folder, specifying=[of_town, SPEND])
    scene.asked("how might all of this be put for Berm")
    scene.asked("spend by city")
    assert len(scene.models["specifying"].prompts) == 2
    assert ("Bern" in sent(scene), MARK in sent(scene, "specifying")) == (False, False)
    assert scene.models["interpreting"].prompts == []


def test_no_more_rows_are_told_than_are_shared(tmp_path: Path) -> None:
    scene = world(project(tmp_path, "privacy: {result_rows: 1}"), interpreting=[{"text": "Bern has 30."}])
    _, found = scene.asked("spend by city")
    assert ("Bern" in sent(scene), "Genf" in sent(scene), "1 more rows" in sent(scene)) == (True, False, True)
    (attempt,) = [a for a in found["attempts"] if a["stage"] == "Interpreting"]
    assert attempt["sent"] == {"files": [f"{MARK}.md"], "rows": 1}


def test_one_vendor_may_be_shown_less_than_the_others(tmp_path: Path) -> None:
    scene = world(project(tmp_path, "privacy: {vendors: {scripted: {notes: false, result_rows: 0}}}"))
    scene.asked("spend by city")
    assert scene.models["interpreting"].prompts == []


def test_the_journal_names_the_columns_and_the_files_that_were_shown(open_project: Path) -> None:
    scene = world(open_project, **solving(FINE))
    shown: dict[str, Any] = {}
    for question in ("how is the email and phone put", WORDLESS):
        _, found = scene.asked(question)
        shown |= {f"{a['stage']} {question}": a["sent"] for a in found["attempts"] if "sent" in a}
    read = shown["Clarifying how is the email and phone put"]
    assert (set(read["samples"]), read["files"]) == ({"customers.email", "customers.phone"}, [f"{MARK}.md"])
    assert shown[f"Solving {WORDLESS}"]["files"] == ["example.sql"]


def test_every_attempt_keeps_what_was_sent_and_what_came_back_however_it_ended(hidden: Path) -> None:
    bad = Transient("the line broke", retry_after=0)
    scene = world(hidden, clarifying=[bad, {"kind": "wrong"}, READS])
    run, _ = scene.asked(WORDLESS)
    kept = [(a.outcome, a.details) for a in _activities(scene, run.id) if a.stage == "Clarifying"]
    assert [outcome for outcome, _ in kept] == ["transient", "defects", "accepted"]
    prompts = [prompt.user for prompt in scene.models["clarifying"].prompts]
    assert [details["prompt_text"] for _, details in kept] == prompts
    assert ["reply" in details for _, details in kept] == [False, True, True]
    assert "wrong" in str(kept[1][1]["reply"])
    assert "reply_form" in str(kept[2][1]["lesson"])


def _activities(scene: Scene, run_id: str) -> tuple[Activity, ...]:
    async def read() -> tuple[Activity, ...]:
        app = scene.opened()
        try:
            return activities(await app.store.read(run_id))
        finally:
            await app.close()

    return asyncio.run(read())


def test_lessons_are_told_by_the_mind_alone() -> None:
    sources = Path(mind.__file__).parent.glob("*.py")
    users = {path.name for path in sources if "lesson_text(" in path.read_text(encoding="utf-8")}
    assert users == {"mind.py"}
