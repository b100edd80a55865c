"""What models may not see reaches none of them, in no stage and on no way back; what was sent is in the journal."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from backedge.kernel.defect import Transient
from tests.models.secretive import BEYOND, MARK, PRIVACY, READS, SPEND, project, sent, world

PLAIN = "privacy: {samples: 5}"
OF_ANN = {**SPEND, "filters": [{"field": "customers.email", "op": "equals", "values": ["ann@x.org"]}]}
WORDLESS = "how might all of this be put"


def solving(sql: str, *after: str) -> dict[str, Any]:
    """Replies that lead to this SQL, and to others after it."""
    return {"specifying": [BEYOND], "solving": [{"sql": text} for text in (sql, *after)]}


FINE = 'SELECT city, SUM(spend) AS spend FROM "customers.csv" GROUP BY city ORDER BY city'
WAYS: dict[str, tuple[str, dict[str, Any]]] = {
    "a grouping": ("spend by email", {}),
    "a sensitive grouping": ("spend by phone", {}),
    "what is made of a hidden column": ("spend by mailbox", {}),
    "the least of a hidden column": ("first email", {}),
    "the greatest of a sensitive member": ("last phone", {}),
    "samples": ("how is the email and phone put", {}),
    "nearest values": (WORDLESS, {"specifying": [OF_ANN, SPEND]}),
    "columns of written SQL": (WORDLESS, solving('SELECT email AS contact, spend AS paid FROM "customers.csv"')),
    "all columns": (WORDLESS, solving('SELECT * FROM "customers.csv"')),
    "rows as values": (WORDLESS, solving('SELECT c AS everything, spend FROM "customers.csv" AS c')),
    "a repeated group": (
        WORDLESS,
        solving('SELECT email, 1 AS n FROM "customers.csv", (VALUES (1), (2)) AS v(x) ORDER BY email', FINE),
    ),
    "the database's own words": (WORDLESS, solving('SELECT CAST(email AS INTEGER) AS n FROM "customers.csv"', FINE)),
    "notes and examples": (WORDLESS, solving(FINE)),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_hidden_reaches_no_model(way: str, tmp_path: Path) -> None:
    question, replies = WAYS[way]
    scene = world(project(tmp_path), **replies)
    scene.asked(question)
    assert MARK not in sent(scene)


@pytest.mark.parametrize("way", WAYS)
def test_each_of_these_ways_would_betray_it(way: str, tmp_path: Path) -> None:
    question, replies = WAYS[way]
    scene = world(project(tmp_path, PLAIN, sensitive=False), **replies)
    scene.asked(question)
    texts = sent(scene).replace(f"A note of {MARK}", "").replace(f"file {MARK}.md", "")
    assert MARK in texts.replace(f"SELECT 1 AS {MARK}", "") or (way == "notes and examples" and MARK in sent(scene))
