"""One small project for all tests of the command line: its data are loaded once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.projects import make_project


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's folder."""
    return make_project(tmp_path_factory.mktemp("shop"))
