"""The question set of the demo shop: at least 99 % of what is answered is right, and three quarters are answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from backedge.demo.shop import make_shop
from tests.cli.projects import backedge


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "shop"
    make_shop(folder)
    return folder


@pytest.mark.slow
def test_what_is_answered_is_right(shop: Path) -> None:
    ended = backedge("test", "--project", shop, "--json", "--min-precision", "0.99", "--min-coverage", "0.75")
    found = ended.json
    assert ended.code == 0, (found["wrong"], found["failed"], ended.err)
    assert found["checked"] >= 200
    unanswerable = sum(sum(found["confusion"][expect].values()) for expect in ("ask", "refuse"))
    assert unanswerable >= found["checked"] / 4
