"""Chunks: whole sentences of one section, small enough, overlapping, and together all that can be quoted."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backedge.evidence.chunking import LARGEST, OVERLAP, chunked, pieces
from backedge.evidence.chunks import Chunk
from backedge.evidence.reading import Reading, Role, Section
from backedge.evidence.sentences import sentences

VERSION = "ab" * 32


def reading(*sections: tuple[Role, str]) -> Reading:
    text, found = "", []
    for number, (role, body) in enumerate(sections, 1):
        found.append(Section(f"s{number}", role, "", len(text), len(text) + len(body)))
        text += body + "\n"
    return Reading(text, tuple(found), "test/1")


def told(of: Reading, chunks: tuple[Chunk, ...]) -> list[str]:
    return [of.text[chunk.start : chunk.end] for chunk in chunks]


def covered(of: Reading, chunks: tuple[Chunk, ...]) -> set[int]:
    return {place for chunk in chunks for place in range(chunk.start, chunk.end) if not of.text[place].isspace()}


def readable(of: Reading) -> set[int]:
    places = [range(s.start, s.end) for s in of.sections if s.role != "references"]
    return {place for stretch in places for place in stretch if not of.text[place].isspace()}


def prose(count: int, words: int = 20) -> str:
    return " ".join(f"Sentence {n} tells of {' '.join(['mice'] * words)}." for n in range(1, count + 1))


def test_chunks_are_whole_sentences_and_share_the_last_ones() -> None:
    of = reading(("title", "Of mice"), ("results", prose(40)))
    chunks = chunked(of, VERSION)
    ends = {edge for start, end in sentences(prose(40)) for edge in (start + 8, end + 8)}
    assert told(of, chunks[:1]) == ["Of mice"]
    assert len(chunks) > 5
    assert all({chunk.start, chunk.end} <= ends for chunk in chunks[1:])
    for before, after in pairwise(chunks[1:]):
        assert before.start < after.start < before.end < after.end
        assert pieces(of.text[after.start : before.end]) <= OVERLAP
    assert [chunk.key for chunk in chunks[:2]] == [f"{VERSION}:0001", f"{VERSION}:0002"]


def test_no_chunk_crosses_a_section_and_references_have_none() -> None:
    of = reading(("methods", prose(3)), ("references", prose(9)), ("results", prose(3)))
    chunks = chunked(of, VERSION)
    assert {(chunk.section, chunk.role) for chunk in chunks} == {("s1", "methods"), ("s3", "results")}
    assert covered(of, chunks) == readable(of)


def test_a_section_that_holds_others_keeps_what_stands_beside_them() -> None:
    text = "Before it. Inner words here. Behind it."
    outer, inner = Section("s1", "results", "", 0, len(text)), Section("s2", "results", "", 11, 28, parent="s1")
    of = Reading(text, (outer, inner), "test/1")
    found = chunked(of, VERSION)
    assert [(c.section, of.text[c.start : c.end]) for c in found] == [
        ("s1", "Before it."),
        ("s1", "Behind it."),
        ("s2", "Inner words here."),
    ]


def test_a_table_is_cut_between_rows_and_repeats_none() -> None:
    rows = "\n".join(f"group {n}\t{n}.5\t0.0{n}\t12 of 40 mice. All died" for n in range(80))
    of = reading(("table", rows))
    found = told(of, chunked(of, VERSION))
    assert len(found) > 3
    assert "\n".join(found) == rows


def test_what_has_no_end_is_cut_at_white_space_and_else_anywhere() -> None:
    of = reading(("other", " ".join(["word"] * 900)), ("other", "ACGT" * 700), ("other", "字" * 900))
    chunks = chunked(of, VERSION)
    assert max(pieces(piece) for piece in told(of, chunks)) <= LARGEST
    assert set(" ".join(told(of, chunks)).split()) >= {"word"}
    assert all(set(piece.split()) == {"word"} for piece in told(of, chunks) if "word" in piece)
    assert covered(of, chunks) == readable(of)


def test_a_reading_without_text_has_no_chunk() -> None:
    assert chunked(reading(), VERSION) == ()
    assert chunked(reading(("abstract", "  \n "), ("references", "A. Smith. 1999.")), VERSION) == ()


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("mice", 1, 1),
        ("immunohistochemistry", 4, 6),
        ("1.5 mg/kg", 5, 7),
        ("小鼠", 2, 2),
        ("12345678", 2, 4),
    ],
)
def test_pieces_are_told_about_right(text: str, least: int, most: int) -> None:
    assert least <= pieces(text) <= most


bodies = st.lists(
    st.sampled_from(
        ["Mice died.", "p < 0.05", "x" * 700, "\n\n", "i.p. injection.", "字" * 50, "a b " * 120, "\t", "…"]
    ),
    max_size=30,
).map(" ".join)


@given(st.lists(st.tuples(st.sampled_from(["abstract", "table", "references", "other"]), bodies), max_size=4))
@settings(max_examples=30, deadline=None)
def test_all_that_can_be_read_is_in_a_chunk_small_enough(parts: list[tuple[Role, str]]) -> None:
    of = reading(*parts)
    chunks = chunked(of, VERSION)
    assert covered(of, chunks) == readable(of)
    assert all(pieces(piece) <= LARGEST and piece == piece.strip() != "" for piece in told(of, chunks))
    assert all(of.sections[int(c.section[1:]) - 1].start <= c.start < c.end for c in chunks)
    assert all(c.end <= of.sections[int(c.section[1:]) - 1].end for c in chunks)
    assert chunked(of, VERSION) == chunks


def test_an_endless_token_is_cut_in_bounded_work() -> None:
    of = reading(("other", "x" * 300_000))
    assert sum(c.end - c.start for c in chunked(of, VERSION)) == 300_000
