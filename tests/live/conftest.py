"""Where the live suite gets its weights, and what is said, loudly, when it cannot run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from backedge.adapters.models import local
from backedge.demo.shop import make_shop
from tools.live_model import SMALL

WEIGHTS = "BACKEDGE_LIVE_MODEL"  # a GGUF file; without it, what `just live` has put together
MISSING = "no weights of a local model: `just live` gets them, or name a GGUF file in BACKEDGE_LIVE_MODEL"
MODEL = """models:
  - {{name: laptop, vendor: local, model_ref: qwen2.5-coder-0.5b, model_file: "{file}"{more}}}
"""


@pytest.fixture(scope="session")
def weights() -> Path:
    """The file, or a skip that the end of the run repeats."""
    file = Path(os.environ.get(WEIGHTS) or SMALL.file)
    if not file.is_file():
        pytest.skip(MISSING)
    if find_spec("xllamacpp") is None:
        pytest.skip("the extra `local` is not installed: uv sync --extra local")
    return file


@pytest.fixture
def laptop(weights: Path, tmp_path: Path) -> Path:
    """The demo shop, all of whose stages have the local model."""
    return project(tmp_path / "laptop", str(weights))


def project(folder: Path, file: str, more: str = "") -> Path:
    """The demo shop with a local model of that file."""
    make_shop(folder)
    with (folder / "config.yml").open("a", encoding="utf-8") as config:
        config.write(MODEL.format(file=file, more=more))
    with (folder / "shop.agentic.yml").open("a", encoding="utf-8") as agent:
        agent.write("llm: {ref: laptop}\n")
    return folder


@pytest.fixture(autouse=True)
def _no_child_is_left() -> Iterator[None]:
    yield
    local.close_all()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A live suite without weights must not look like one that passed."""
    skipped = [report for report in terminalreporter.stats.get("skipped", ()) if report.nodeid.startswith("tests/live")]
    if skipped:
        terminalreporter.section("THE LIVE SUITE DID NOT RUN", sep="!", red=True)
        terminalreporter.write_line(f"{len(skipped)} tests without a model: {skipped[0].longrepr[2]}")
