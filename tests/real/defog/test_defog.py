"""Questions to two of Defog's databases through views of our own: what is answered is right, the rest is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.projects import backedge
from tests.real.defog.made import DUMPS, PROJECTS, make

pytestmark = pytest.mark.skipif(not DUMPS.is_dir(), reason="the shared data is not here")


@pytest.mark.slow
@pytest.mark.parametrize("name", PROJECTS)
def test_what_is_answered_is_right(name: str, tmp_path: Path) -> None:
    project = make(name, tmp_path / name)
    ended = backedge("test", "--project", project, "--json", "--min-precision", "0.99", "--min-coverage", "0.85")
    found: Any = ended.json
    assert ended.code == 0, (found["wrong"], found["failed"], found["coverage"])
    assert found["checked"] >= 50
