"""The demo shop's questions that ask for more than totals: all that is answered is right, and the rest is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from backedge.demo.shop import make_shop
from tests.cli.projects import backedge

QUESTIONS = Path(__file__).parent / "shop_slots.test.yml"


@pytest.mark.slow
def test_shares_comparisons_and_windows_are_right(tmp_path: Path) -> None:
    make_shop(tmp_path / "shop")
    ended = backedge("test", QUESTIONS, "--project", tmp_path / "shop", "--json", "--min-coverage", "1")
    found = ended.json
    assert ended.code == 0, (found["wrong"], found["failed"], ended.err)
    assert found["checked"] == found["passed"] >= 50
