"""Journals of every released shape still fold to the end that they had: what was answered stays readable for ever."""

from __future__ import annotations

import json
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from backedge.ask.answer import answer_of
from backedge.ask.workflow import ASK
from backedge.kernel.journal import Stored, entry_from_json
from backedge.kernel.run import fold

FOLDER = Path(__file__).parent
ENDS: dict[str, tuple[str, Any]] = {
    "ask_answered": ("answered", [["North", 30.75], ["None", 7.75]]),
    "ask_waiting": ("needs_input", []),
    "ask_answered_after_asking": ("answered", [["South", 5.0]]),
    "ask_answered_by_default": ("answered", [["North", 30.75], ["None", 7.75]]),
    "ask_empty": ("cannot_answer", []),
    "ask_not_understood": ("cannot_answer", []),
    "ask_verified": ("answered", [[4, 7.75]]),
    "ask_follow_up": ("answered", [["2025-01-01", 30.75], ["2025-02-01", 7.75]]),
}


def read(name: str) -> tuple[str, tuple[Stored, ...]]:
    """A journal as `backedge runs events` printed it."""
    lines = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    stored = tuple(
        Stored(line["seq"], datetime.fromisoformat(line["at"]), entry_from_json(json.dumps(_entry(line))))
        for line in lines
    )
    return lines[0]["run_id"], stored


def _entry(line: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in line.items() if key not in ("run_id", "seq", "at")}


@pytest.mark.parametrize("name", ENDS)
def test_a_kept_journal_still_folds(name: str) -> None:
    run_id, entries = read(name)
    found = answer_of(fold(ASK, run_id, entries), entries)
    status, rows = ENDS[name]
    assert found["status"] == status
    assert [[_plain(cell) for cell in row] for row in found["rows"] if row[-1] is not None] == rows


def _plain(cell: Any) -> Any:
    if cell is None or isinstance(cell, date):
        return str(cell)
    return cell if isinstance(cell, str | int) else float(cell)


def test_every_kept_journal_is_tried() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(ENDS)
