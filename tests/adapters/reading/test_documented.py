"""Every issue and every reason of refusal has its row in docs/reading.md."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from backedge.adapters.sources.files import MEDIA_TYPES
from backedge.evidence.reading import IssueKind, Unfit

DOCS = (Path(__file__).parents[3] / "docs" / "reading.md").read_text(encoding="utf-8")


def test_every_kind_has_its_row() -> None:
    kinds = (*get_args(IssueKind), *get_args(Unfit))
    assert len(kinds) > 15
    assert [kind for kind in kinds if f"\n| `{kind}` |" not in DOCS] == []
    assert [end for end in MEDIA_TYPES if f"`{end}`" not in DOCS] == []
