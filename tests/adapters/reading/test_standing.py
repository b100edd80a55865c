"""The tables of what types and links say of standing: whole, and in the docs."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from backedge.evidence import standing
from backedge.evidence.sources import RelationKind, SignalKind

DOCS = Path(__file__).resolve().parents[3] / "docs" / "reading.md"


@pytest.mark.parametrize("name", ["JATS_LINKS", "JATS_TYPES", "PUBMED_LINKS", "PUBMED_TYPES"])
def test_every_row_has_its_place_in_the_docs(name: str) -> None:
    table: dict[str, str] = getattr(standing, name)
    page = DOCS.read_text(encoding="utf-8")
    assert [said for said in table if f"`{said}`" not in page] == []
    assert set(table.values()) <= {*get_args(RelationKind), *get_args(SignalKind)}
    assert [kind for kind in set(table.values()) if f"`{kind}`" not in page] == []
