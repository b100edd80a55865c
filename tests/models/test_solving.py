"""Solving with a model: its SQL is tried before it runs, and every refusal goes back to the stage that can mend it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from backedge.adapters.connectors.duckdb import DuckDBConnector
from backedge.ask.prompted.trial import Trial
from backedge.ask.stages.solve import NOT_PROVEN
from backedge.kernel.journal import Proposed
from backedge.query.ports import Caps, Ran, Rejected
from backedge.query.table import Cell
from tests.cli.projects import make_project
from tests.models.minds import AGENT, Scene, scene
from tests.semantic.policed import MODEL as POLICED

DATA = {"kind": "data", "intent": "middle of the amounts", "members": ["orders.total_amount"]}
BEYOND = {"kind": "beyond", "reason": "the middle value is no measure"}
REQUEST = {"kind": "request", "measures": ["orders.total_amount"], "dimensions": ["orders.region"]}
QUESTION = "how did turnover wobble"
GOOD = {"sql": 'SELECT MEDIAN(o.amount) AS middle FROM "orders.csv" o'}
REPEATED_ROWS = {"sql": 'SELECT o.status FROM "orders.csv" o'}
JOINED = '"orders.csv" o JOIN "items.csv" i ON o.id = i.order_id'
REPEATING = {"sql": f"SELECT SUM(o.amount) AS total FROM {JOINED}"}
SOUND = {"sql": f"SELECT SUM(i.qty) AS pieces FROM {JOINED}"}
START = ("Clarifying", "Specifying", "Solving")
END = ("Executing", "Interpreting", "Done")


def solved(shop: Path, folder: Path, *sql: Any, specifying: Any = (BEYOND,), **more: Any) -> Scene:
    world = scene(shop, folder, clarifying=[DATA], specifying=specifying, solving=sql, **more)
    (world.folder / "data" / "items.csv").write_text("order_id,qty\n1,2\n1,3\n2,1\n")
    return world


def told(world: Scene, attempt: int) -> str:
    return world.models["solving"].prompts[attempt].user


def previews(world: Scene, run_id: str) -> list[Any]:
    """What the journal has of each trial."""

    async def read() -> list[Any]:
        app = world.opened()
        try:
            entries = [stored.entry for stored in await app.store.read(run_id)]
        finally:
            await app.close()
        made = [e for e in entries if isinstance(e, Proposed) and e.stage == "Solving"]
        return [entry.details.get("preview") for entry in made]

    return asyncio.run(read())


def test_written_sql_is_marked_and_said_to_be_unproven(shop: Path, tmp_path: Path) -> None:
    run, found = solved(shop, tmp_path, GOOD).asked(QUESTION)
    assert run.trail == (*START, *END)
    assert (found["path"], found["notes"][0]) == ("written", NOT_PROVEN)


def test_sums_over_repeated_rows_are_refused_with_the_counts(shop: Path, tmp_path: Path) -> None:
    world = solved(shop, tmp_path, REPEATING, SOUND)
    run, found = world.asked(QUESTION)
    assert run.trail == (*START, *END)
    assert found["rows"] == [[6]]
    assert "join_repeats_rows" in told(world, 1)
    assert "2 of its 5 rows come 3 times in the join (rows of each side: o 5, i 3; joined: 3)" in told(world, 1)
    assert REPEATING["sql"] in told(world, 1)
    refused, accepted = previews(world, run.id)
    assert refused["joins"][0]["sources"]["o"] == {"rows": 5, "in_the_join": 3, "different": 2}
    assert (accepted["rows"], accepted["joins"][0]["joined"]) == (1, 3)


def test_sql_that_cannot_run_is_a_lesson(shop: Path, tmp_path: Path) -> None:
    unknown = {"sql": 'SELECT o.amout FROM "orders.csv" o'}
    broken = {"sql": 'SELECT CAST(o.status AS INTEGER) AS n FROM "orders.csv" o'}
    world = solved(shop, tmp_path, unknown, broken, GOOD)
    run, _ = world.asked(QUESTION)
    assert run.trail == (*START, *END)
    assert run.spent_of("Solving").refused == 2
    assert "sql_unknown_column" in told(world, 1)
    assert "Nearest: amount" in told(world, 1)
    assert "sql_type" in told(world, 2)


def test_sql_that_loses_the_period_of_the_question_is_refused(shop: Path, tmp_path: Path) -> None:
    dated = {"sql": f"{GOOD['sql']} WHERE YEAR(o.ordered) = 2025"}
    world = solved(shop, tmp_path, GOOD, dated)
    run, found = world.asked(f"{QUESTION} in 2025")
    assert run.trail == (*START, *END)
    assert "'2025', and the SQL leaves it out" in told(world, 1)
    assert "2025" in found["sql"]


def test_a_refused_result_goes_back_to_solving(shop: Path, tmp_path: Path) -> None:
    world = solved(shop, tmp_path, REPEATED_ROWS, GOOD)
    run, found = world.asked(QUESTION)
    assert run.trail == (*START, "Executing", "Diagnosing", "Solving", *END)
    assert "duplicate_rows" in told(world, 1)
    assert found["status"] == "answered"


def test_the_same_refused_result_again_ends_the_run(shop: Path, tmp_path: Path) -> None:
    run, found = solved(shop, tmp_path, REPEATED_ROWS).asked(QUESTION)
    assert run.trail == (*START, "Executing", "Diagnosing", "Solving", "Executing", "Diagnosing", "Done")
    assert (found["status"], found["rows"]) == ("cannot_answer", [])


def test_sql_that_is_never_sound_goes_back_to_specifying(shop: Path, tmp_path: Path) -> None:
    world = solved(shop, tmp_path, REPEATING, specifying=[BEYOND, {**REQUEST, "dimensions": []}])
    run, found = world.asked(QUESTION)
    assert run.trail == (*START, "Diagnosing", "Specifying", *END)
    assert "join_repeats_rows" in world.models["specifying"].prompts[1].user
    assert found["path"] == "semantic"


def test_sql_that_is_never_sound_and_nothing_else_ends_the_run(shop: Path, tmp_path: Path) -> None:
    run, found = solved(shop, tmp_path, REPEATING).asked(QUESTION)
    assert run.trail == (*START, "Diagnosing", "Specifying", "Solving", "Diagnosing", "Done")
    assert "more than once" in found["answer"]


def test_a_reason_instead_of_sql_ends_the_run_with_it(shop: Path, tmp_path: Path) -> None:
    run, found = solved(shop, tmp_path, {"reason": "there are no weights"}).asked(QUESTION)
    assert run.trail == (*START, "Diagnosing", "Done")
    assert "there are no weights" in found["answer"]


def test_the_examples_most_like_the_question_go_first(shop: Path, tmp_path: Path) -> None:
    world = solved(shop, tmp_path, GOOD)
    for name, text in {"a": "-- weather", "b": "-- how turnover may wobble\nSELECT 1", "c": "-- turnover"}.items():
        (world.folder / f"{name}.sql").write_text(text)
    (world.folder / "shop.agentic.yml").write_text(f"{AGENT}context: ['semantics/*', '*.sql']\n")
    world.asked(QUESTION)
    shown = told(world, 0)
    assert -1 < shown.index("b.sql") < shown.index("c.sql")
    assert "weather" not in shown


class Watched(DuckDBConnector):
    """A database that keeps what it was asked to run."""

    asked: list[str]

    async def run(self, sql: str, params: tuple[Cell, ...] = (), caps: Caps | None = None) -> Ran | Rejected:
        """As the connector does."""
        self.asked.append(sql)
        return await super().run(sql, params, caps)


def test_a_trial_runs_only_what_the_asker_may_see(tmp_path: Path) -> None:
    database = Watched("local", dataset=make_project(tmp_path) / "data", cache=tmp_path / "cache")
    database.asked = []
    sql = 'SELECT SUM(a.amount) AS n FROM "orders.csv" a JOIN "orders.csv" b ON a.region = b.region'

    async def tried() -> Any:
        try:
            return await Trial(POLICED, database, "local", {"region": ("North",)}).of(sql)
        finally:
            await database.close()

    found = asyncio.run(tried())
    assert len(database.asked) == 2
    assert all(ran.lower().count("where") >= 2 for ran in database.asked)
    assert "2 of its 2 rows come 4 times" in found.defects[0].message
