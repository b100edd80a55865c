"""The demo shop opened in Python, once for all tests that only ask; `shop` is the folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import backedge
from backedge.demo.shop import make_shop


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("python") / "shop"
    make_shop(folder)
    return folder


@pytest.fixture(scope="session")
def project(shop: Path) -> Iterator[backedge.Project]:
    with backedge.open(shop, by="ada") as opened:
        yield opened


@pytest.fixture(scope="session")
def monthly(project: backedge.Project) -> backedge.Answer:
    """An answer with rows, a chart, figures and SQL."""
    return project.ask("Monthly net revenue in 2025")
