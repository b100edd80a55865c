"""Somebody else's automations, unchanged: questions of oxygen-demo that its procedures are meant for."""

from __future__ import annotations

import csv
import shutil
import statistics
from decimal import Decimal
from pathlib import Path

import pytest

from tests.cli.projects import backedge
from tests.models.minds import FakeModel, Scene

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "oxygen-demo"
pytestmark = [pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here"), pytest.mark.slow]


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    shutil.copytree(DATA, tmp_path / "demo", copy_function=shutil.copyfile)
    return tmp_path / "demo"


def correlation(folder: Path, factor: str) -> Decimal:
    """That of sales with a factor, worked out by hand."""
    with (folder / ".db" / "oxymart.csv").open() as file:
        rows = [(float(row[factor]), float(row["Weekly_Sales"])) for row in csv.DictReader(file)]
    return Decimal(statistics.correlation(*zip(*rows, strict=True))).quantize(Decimal("0.0001"))


def test_a_question_that_a_procedure_is_meant_for_is_answered_by_it(demo: Path) -> None:
    ended = backedge("ask", "temperature correlation", "--project", demo, "--quiet", "--no-input", "--json")
    found = ended.json
    assert (ended.code, found["path"]) == (0, "automation")
    assert found["answer"].startswith("As the automation external_factors_correlation gives it:\n\n# External Factors")
    unemployment = correlation(demo, "Unemployment")
    assert f"**Unemployment**: {unemployment}" in found["answer"]
    assert Decimal(str(found["rows"][0][1])) == unemployment
    assert (demo / "results" / "external_factors_summary.txt").exists()


def test_one_that_fails_is_told_with_its_reason(demo: Path) -> None:
    """Its template compares a cell without a value: nothing is said rather than something wrong."""
    found = backedge("ask", "store deep dive", "--project", demo, "--quiet", "--no-input", "--json").json
    assert found["status"] == "cannot_answer"
    assert "the automation store_deep_dive_analysis failed" in found["answer"]


def test_a_model_may_choose_it_by_name(demo: Path) -> None:
    calls = {"kind": "automation", "automation": "external_factors_correlation"}
    world = Scene(demo, {"clarifying": FakeModel([calls])})
    run, found = world.asked("hmm, is our business somehow shaped by the world around it")
    assert run.trail == ("Clarifying", "Delegating", "Interpreting", "Done")
    assert found["automation"]["name"] == "external_factors_correlation"
    assert "automation store_deep_dive_analysis" in world.models["clarifying"].prompts[0].user
