"""The table of incidents is whole, and every test that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
LINES = (TESTS.parent / "docs" / "incidents.md").read_text(encoding="utf-8").splitlines()
ROWS = [line for line in LINES if re.match(r"\| \d", line)]


def test_every_incident_has_its_line() -> None:
    assert [int(row.split("|")[1]) for row in ROWS] == list(range(1, 48))


def test_every_incident_is_held_by_tests_that_exist() -> None:
    for row in ROWS:
        named = re.findall(r"`(\S+\.py)::(\w+)`", row.split("|")[4])
        missing = [n for file, n in named if f"\ndef {n}(" not in (TESTS / file).read_text(encoding="utf-8")]
        assert (bool(named), missing) == (True, []), row
