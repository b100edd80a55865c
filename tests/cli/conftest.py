"""The evidence demo, run once for all tests of commands: nobody changes `made`; `demo` is a copy of a test's own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.projects import Ended, backedge


@pytest.fixture(scope="session")
def demo_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Ended]:
    """The folder of the demo, and what its command printed."""
    folder = tmp_path_factory.mktemp("demo") / "evidence"
    return folder, backedge("demo", "evidence", folder)


@pytest.fixture(scope="session")
def made(demo_run: tuple[Path, Ended]) -> Path:
    """The folder of the demo; nobody may change it."""
    folder, ended = demo_run
    assert ended.code == 0, ended.err
    return folder


@pytest.fixture
def demo(made: Path, tmp_path: Path) -> Path:
    """A copy of the demo, to be changed."""
    return shutil.copytree(made, tmp_path / "demo")
