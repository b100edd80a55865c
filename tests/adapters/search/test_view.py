"""The search view: what it finds, that a query is only data, and whose vectors it takes."""

from __future__ import annotations

import asyncio
import math
import sqlite3
from pathlib import Path

import pytest

from backedge.adapters.search import vectors as by_meaning
from backedge.adapters.search import words as by_words
from backedge.adapters.search.view import SqliteSearchView
from backedge.evidence.chunks import Chunk, Snapshot
from backedge.kernel.defect import Permanent
from tests.adapters.search.views import DIMENSIONS, EMBEDDER, View, chunk, keys, vector

MICE = (
    "Mice treated with rapamycin lived longer.",
    "The mouse was treated with saline; the mouse died.",
    "Blood pressure did not change in rats.",
)


@pytest.fixture
def view(tmp_path: Path) -> View:
    return View(tmp_path / "view.db")


def test_words_find_their_stems_the_rarer_ones_first(view: View) -> None:
    view.add("v", *MICE)
    assert keys(view.words("treating a mouse")) == ["v:0002", "v:0001"]
    assert keys(view.words("pressures")) == ["v:0003"]
    found = view.words("rapamycin")
    assert (found.query, found.arm, found.snapshot) == ("rapamycin", "lexical", view.now())
    assert found.hits[0].chunk == chunk("v", 1, MICE[0])
    assert [hit.rank for hit in view.words("treated").hits] == [1, 2]


def test_scores_are_those_of_bm25(view: View) -> None:
    view.add("v", "mouse mouse rat", "mouse", "rat rat rat rat rat")
    mean, idf = 9 / 3, math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    told = {"v:0001": (2, 3), "v:0002": (1, 1)}
    expected = {key: idf * 2.2 * tf / (tf + 1.2 * (0.25 + 0.75 * length / mean)) for key, (tf, length) in told.items()}
    found = {hit.chunk.key: hit.score for hit in view.words("mouse").hits}
    assert found == pytest.approx(expected, rel=1e-12)
    doubled = {hit.chunk.key: hit.score for hit in view.words("mouse mouse").hits}
    assert doubled == pytest.approx({key: 2 * score for key, score in expected.items()}, rel=1e-12)


def test_meaning_finds_by_exact_cosine(view: View) -> None:
    view.add("v", *MICE)
    found = view.meaning(MICE[2])
    expected = sorted(((sum(map(float.__mul__, vector(t), vector(MICE[2]))), t) for t in MICE), reverse=True)
    assert [hit.score for hit in found.hits] == pytest.approx([score for score, _ in expected], abs=1e-6)
    assert (keys(found)[0], found.arm, abs(found.hits[0].score - 1) < 1e-6) == ("v:0003", "semantic", True)


def test_without_numpy_the_very_same_is_found(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    told = [f"text {n} {'mouse ' * (n % 7)}{'rat ' * (n % 3)}{'liver ' * (n % 11)}" for n in range(300)]
    view.add("v", *told, *(["the same mouse"] * 30))
    searches = [(view.meaning, "asked", 40), (view.words, "mouse liver rat text", 40), (view.words, "mouse", 400)]
    with_numpy = [search(query, limit) for search, query, limit in searches]
    monkeypatch.setattr(by_meaning, "find_spec", lambda _: None)
    monkeypatch.setattr(by_words, "find_spec", lambda _: None)
    assert [search(query, limit) for search, query, limit in searches] == with_numpy
    assert [len(found.hits) for found in with_numpy] == [40, 40, 287]


def test_ties_go_by_key_in_both_arms(view: View) -> None:
    for version in "cab":
        view.add(version, "same words", "same words")
    expected = ["a:0001", "a:0002", "b:0001"]
    assert keys(view.words("same", 3)) == keys(view.meaning("same", 3)) == expected


HOSTILE = ['"', '""', "*", "mouse*", "NEAR(mouse rat", "text:mouse", "(", ") OR (", "mouse AND NOT", "-mouse", "^mouse"]
HOSTILE += ["mouse' OR 1=1 --", "\x00mouse", "\ud800", "{mouse", "%_", "\\", "mouse\nrat", "🐁", "a" * 100_000]


@pytest.mark.parametrize("query", HOSTILE)
def test_a_query_is_data(query: str, view: View) -> None:
    view.add("v", *MICE)
    assert keys(view.words(query, 1)) == (["v:0002"] if "mouse" in query else [])


@pytest.mark.parametrize("query", ["", " \n", "the of and", "The", "!?", "unseen", "quagga thylacine"])
def test_a_query_of_nothing_finds_nothing(query: str, view: View) -> None:
    assert view.words(query).hits == ()
    view.add("v", *MICE)
    assert view.words(query).hits == ()


def test_what_is_written_as_a_name_is_no_stop_word(view: View) -> None:
    view.add("v", "hepatitis was found", "hepatitis A was found", "hepatitis in many")
    assert keys(view.words("hepatitis A", 1)) == ["v:0002"]


def test_an_empty_view_and_one_with_fewer_chunks_than_asked_for(view: View) -> None:
    assert (view.words("mouse").hits, view.meaning("mouse").hits, view.now().revision) == ((), (), 0)
    view.add("v", "mouse", "", "rat")
    assert (len(view.words("mouse", 1000).hits), len(view.meaning("mouse", 1000).hits)) == (1, 3)
    assert (view.words("mouse", 0).hits, view.meaning("mouse", 0).hits, view.words("mouse", -1).hits) == ((), (), ())


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Das Gewebe wurde gefärbt.", "gefarbt"),
        ("Мыши получали препарат.", "препарат"),
        ("تلقت الفئران العلاج", "العلاج"),
        ("העכברים טופלו", "העכברים"),
        ("小鼠 接受 治疗", "小鼠"),
        ("α-synuclein aggregates", "α-synuclein"),
        ("चूहों का इलाज", "चूहों"),
        ("e\u0301tude", "étude"),
    ],
)
def test_every_script_is_found(text: str, query: str, view: View) -> None:
    view.add("v", "another text", text)
    assert keys(view.words(query, 1)) == ["v:0002"]


def test_a_very_long_query_is_bounded(view: View) -> None:
    view.add("v", *MICE)
    many = " ".join(f"w{n}" for n in range(by_words.MOST))
    assert keys(view.words(f"rapamycin {many}")) == ["v:0001"]
    assert keys(view.words(f"{many} rapamycin")) == []


def test_chunks_that_are_there_change_nothing(view: View) -> None:
    first = view.add("v", *MICE)
    assert view.add("v", *MICE) == first
    assert view.add("v", *MICE, "A fourth.").revision == first.revision + 1
    assert len(view.meaning("x", 99).hits) == 4
    assert view.add("nothing").revision == first.revision + 1


def test_other_bounds_under_a_key_that_is_there_are_refused(view: View) -> None:
    before = view.add("v", *MICE)
    with pytest.raises(Permanent, match="other bounds") as caught:
        view.add("v", "Other words.", "And more of them.")
    assert "made anew" in caught.value.mend
    assert view.now() == before


def test_vectors_of_another_embedder_are_refused_and_words_still_found(view: View, tmp_path: Path) -> None:
    view.add("v", *MICE)
    for other in (View(tmp_path / "view.db", "test:other"), View(tmp_path / "view.db", EMBEDDER, DIMENSIONS + 1)):
        with pytest.raises(Permanent, match="holds vectors of test:hashed") as caught:
            other.add("w", "more")
        assert "remove" in caught.value.mend
        with pytest.raises(Permanent, match="holds vectors of test:hashed"):
            other.meaning("mouse")
        assert keys(other.words("rapamycin")) == ["v:0001"]


def test_without_an_embedder_words_are_found_and_it_is_said_whose_vectors_there_are(view: View, tmp_path: Path) -> None:
    view.add("v", *MICE)
    bare = View(tmp_path / "view.db", "", 0)
    assert (bare.view.embedder, view.view.embedder, View(tmp_path / "x.db", "", 0).view.embedder) == (EMBEDDER,) * 2 + (
        "",
    )
    assert keys(bare.words("rapamycin")) == ["v:0001"]
    with pytest.raises(Permanent, match="no embedder") as caught:
        bare.meaning("x")
    assert caught.value.mend == "pip install 'backedge[embed]'"


@pytest.mark.parametrize("bad", [[0.0] * DIMENSIONS, [math.nan] * DIMENSIONS, [math.inf] * DIMENSIONS, [1.0] * 3, []])
def test_a_vector_that_is_none_is_refused_and_nothing_is_added(bad: list[float], view: View) -> None:
    with pytest.raises(Permanent):
        view.add("v", "good", "bad", vectors=[vector("good"), bad])
    assert (view.now().revision, view.words("good").hits) == (0, ())


def test_a_snapshot_of_another_index_or_of_no_revision_is_refused(view: View, tmp_path: Path) -> None:
    here, there = view.add("v", *MICE), View(tmp_path / "other.db").add("v", *MICE)
    assert here.index != there.index
    for at in (there, Snapshot(here.index, here.revision + 1), Snapshot(here.index, -1)):
        for search in (view.words, view.meaning):
            with pytest.raises(Permanent, match="none of this chunk view") as caught:
                search("mouse", 5, at)
            assert "without a snapshot" in caught.value.mend


def test_what_is_no_chunk_view_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_bytes(b"no database at all, but a text of some length" * 100)
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    for name in ("text.db", "other.db"):
        before = (tmp_path / name).read_bytes()
        with pytest.raises(Permanent) as caught:
            View(tmp_path / name).now()
        assert "remove that file" in caught.value.mend
        assert (tmp_path / name).read_bytes() == before


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(Permanent, match="cannot be used"):
        View(tmp_path / "file" / "view.db").now()


def test_it_is_closed_and_opened_again(tmp_path: Path) -> None:
    view = View(tmp_path / "view.db")
    here = view.add("v", *MICE)
    found = view.words("mouse"), view.meaning("mouse")
    view.view.close()
    assert (view.now(), view.words("mouse"), view.meaning("mouse")) == (here, *found)
    assert isinstance(view.view, SqliteSearchView)
    assert asyncio.run(view.view.lexical("mouse", 1)).hits[0].chunk == Chunk(
        "v:0002", "v", "s1", "results", 20, 20 + len(MICE[1])
    )
