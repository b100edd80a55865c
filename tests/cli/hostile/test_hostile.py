"""Models that say one thing by two names and two things by one: what is answered is right, the rest is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.hostile.made import PROJECTS, make
from tests.cli.projects import backedge


@pytest.mark.slow
@pytest.mark.parametrize("name", PROJECTS)
def test_what_is_answered_is_right(name: str, tmp_path: Path) -> None:
    project = make(name, tmp_path / name)
    ended = backedge("test", "--project", project, "--json", "--min-precision", "0.99", "--min-coverage", "0.85")
    found: Any = ended.json
    assert ended.code == 0, (found["wrong"], found["failed"], found["coverage"])
    asked = sum(sum(found["confusion"][expect].values()) for expect in ("ask", "refuse"))
    assert asked >= found["checked"] / 4
    assert found["checked"] >= 80
