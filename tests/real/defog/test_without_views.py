"""Questions to a Defog database without any view: an outline over its tables, then SQL that is tried before it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.models.minds import AGENT, FakeModel, Scene
from tests.real.defog.made import DUMPS, make

pytestmark = pytest.mark.skipif(not DUMPS.is_dir(), reason="the shared data is not here")
SOLD, PAID = "sales.csv.sale_price", "payments_received.csv.payment_amount"
JOIN = "payments_received.csv.sale_id = sales.csv.id"
JOINED = '"sales.csv" s JOIN "payments_received.csv" p ON p.sale_id = s.id'


def scene(folder: Path, columns: list[str], *sql: str) -> Scene:
    project = make("cars", folder / "cars")
    for views in project.rglob("*.view.yml"):
        views.unlink()
    for tests in [*project.rglob("*.topic.yml"), *project.rglob("*.test.yml"), *project.rglob("*.agentic.yml")]:
        tests.unlink()
    (project / "cars.agentic.yml").write_text(AGENT)
    intent = {"kind": "data", "intent": "money", "members": columns}
    beyond = {"kind": "beyond", "reason": "there are no views", "columns": columns, "joins": [JOIN]}
    replies: dict[str, list[Any]] = {
        "clarifying": [intent],
        "specifying": [{**beyond, "columns": ["sales.csv.price", PAID]}, beyond],
        "solving": [{"sql": text} for text in sql],
    }
    return Scene(project, {stage: FakeModel(said) for stage, said in replies.items()})


@pytest.mark.slow
def test_sums_over_both_sides_of_a_join_are_refused_until_each_is_added_up_apart(tmp_path: Path) -> None:
    wrong = f"SELECT SUM(s.sale_price) AS sold, SUM(p.payment_amount) AS paid FROM {JOINED}"
    right = (
        'SELECT (SELECT SUM(s.sale_price) FROM "sales.csv" s) AS sold,'
        ' (SELECT SUM(p.payment_amount) FROM "payments_received.csv" p) AS paid'
    )
    world = scene(tmp_path, [SOLD, PAID], wrong, right)
    run, found = world.asked("how much money came in against what was billed")
    assert run.trail == ("Clarifying", "Specifying", "Solving", "Executing", "Interpreting", "Done")
    assert "Nearest: " in world.models["specifying"].prompts[1].user
    assert "join_repeats_rows" in world.models["solving"].prompts[1].user
    assert found["rows"] == [list(truth(world, right))]


def truth(world: Scene, sql: str) -> tuple[Any, ...]:
    """What the database itself gives."""
    import duckdb

    with duckdb.connect() as database:
        for file in (world.folder / "data").glob("*.csv"):
            database.execute(f"CREATE TABLE \"{file.name}\" AS SELECT * FROM '{file}'")
        row = database.execute(sql).fetchone()
    assert row is not None
    return row
