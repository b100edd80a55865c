"""The chunk view is made anew from what is stored, and only where it lacks something."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest

from backedge.adapters.search.view import SqliteSearchView
from backedge.evidence import kinds
from backedge.evidence.catching_up import Damaged, caught_up
from backedge.evidence.chunking import chunked
from backedge.evidence.library import Library
from backedge.evidence.ports import Contents
from backedge.evidence.reading import Completeness, Reading, Section
from backedge.evidence.versions import Text
from backedge.kernel.defect import Permanent, Transient


class Lengths:
    """An embedder that counts what it is asked for, and fails once at a text."""

    name, dimensions = "test:lengths", 2

    def __init__(self, fails_at: str = "") -> None:
        self.asked: list[str] = []
        self._fails_at = fails_at

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self._fails_at and any(self._fails_at in text for text in texts):
            self._fails_at = ""
            raise Transient("busy")
        self.asked += texts
        return [[1.0, float(len(text))] for text in texts]


class Stored:
    """A library and its contents: versions by their texts, one of them without chunks."""

    def __init__(self, **texts: str) -> None:
        self._texts = texts
        self.lost: set[str] = set()

    async def all(self, kind: object, under: str = "") -> tuple[kinds.Chunks, ...]:
        assert kind is kinds.CHUNKS
        return tuple(kinds.Chunks(name, "other", chunked(self._reading(name), name)) for name in self._texts)

    async def text(self, version: str) -> Text:
        read = self._reading(version)
        return Text(version, version, "t/1", read.sections, (), (), (), Completeness())

    async def get(self, content: str) -> bytes:
        if content in self.lost:
            raise Permanent(f"the content {content} is gone", mend="add it again")
        return self._texts[content].encode()

    def _reading(self, name: str) -> Reading:
        text = self._texts[name]
        return Reading(text, (Section("s1", "abstract", "", 0, len(text)),) if text else (), "t/1")


def made(view: SqliteSearchView, embedder: Lengths, stored: Stored) -> int:
    return asyncio.run(caught_up(view, embedder, cast(Library, stored), cast(Contents, stored))).revision


def test_a_removed_view_is_made_anew_and_a_whole_one_left_alone(tmp_path: Path) -> None:
    stored = Stored(a="Mice died.", b="", c="Rats lived.")
    embedder = Lengths()
    view = SqliteSearchView(tmp_path / "view.db", embedder.name, embedder.dimensions)
    assert made(view, embedder, stored) == 2
    assert made(view, embedder, stored) == 2
    assert embedder.asked == ["Mice died.", "Rats lived."]
    (hit,) = asyncio.run(view.lexical("rats", 5)).hits
    assert (hit.chunk.version, hit.chunk.start, hit.chunk.end) == ("c", 0, 11)


def test_what_failed_half_way_is_gone_on_with(tmp_path: Path) -> None:
    stored = Stored(a="Mice died.", c="Rats lived.")
    embedder = Lengths(fails_at="Rats")
    view = SqliteSearchView(tmp_path / "view.db", embedder.name, embedder.dimensions)
    with pytest.raises(Transient):
        made(view, embedder, stored)
    assert asyncio.run(view.snapshot()).revision == 1
    assert made(view, embedder, stored) == 2


def test_a_damaged_text_is_told_and_keeps_no_other_from_being_found(tmp_path: Path) -> None:
    stored, embedder = Stored(a="Mice died.", b="Dogs slept.", c="Rats lived."), Lengths()
    stored.lost = {"b"}
    view = SqliteSearchView(tmp_path / "view.db", embedder.name, embedder.dimensions)
    with pytest.raises(Damaged, match=r"1 versions .* b \(the content b is gone\)") as told:
        made(view, embedder, stored)
    assert "--rebuild" in told.value.mend
    assert len(asyncio.run(view.lexical("rats", 5)).hits) == 1
    stored.lost = set()
    assert made(view, embedder, stored) == 3
    assert len(asyncio.run(view.lexical("dogs", 5)).hits) == 1
