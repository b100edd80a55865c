"""Questions to somebody else's projects, with SQL written by hand: at least 99 % of what is answered is right."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.cli.projects import backedge

HERE = Path(__file__).parent
DATA = Path(__file__).parents[2].parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")


@pytest.fixture(scope="module")
def projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies: the runs of a test are kept in its project."""
    folder = tmp_path_factory.mktemp("real")
    for name in ("oxygen-demo", "oxygen-examples"):
        shutil.copytree(DATA / name, folder / name, copy_function=shutil.copyfile)
    return folder


def asked(projects: Path, project: str, file: str, coverage: float) -> Any:
    ended = backedge(
        "test", HERE / file, "--project", projects / project, "--json",
        "--min-precision", "0.99", "--min-coverage", str(coverage),
    )  # fmt: skip
    return ended.code, ended.json


def unanswerable(found: Any) -> int:
    """How many questions of a set cannot be answered, or not without asking."""
    return sum(sum(found["confusion"][expect].values()) for expect in ("ask", "refuse"))


@pytest.mark.slow
def test_oxygen_demo(projects: Path) -> None:
    code, found = asked(projects, "oxygen-demo", "oxygen_demo.test.yml", 0.9)
    assert code == 0, (found["wrong"], found["failed"], found["coverage"])
    assert found["checked"] >= 120
    assert unanswerable(found) >= found["checked"] / 4


@pytest.mark.slow
def test_oxygen_examples(projects: Path) -> None:
    code, found = asked(projects, "oxygen-examples", "oxygen_examples.test.yml", 0.85)
    assert code == 0, (found["wrong"], found["failed"], found["coverage"])
    assert found["checked"] >= 120
    assert unanswerable(found) >= found["checked"] / 4


@pytest.mark.slow
def test_oxygen_demo_beyond_totals(projects: Path) -> None:
    code, found = asked(projects, "oxygen-demo", "oxygen_demo_slots.test.yml", 1.0)
    assert code == 0, (found["wrong"], found["failed"], found["coverage"])
    assert found["checked"] == found["passed"] == 10
