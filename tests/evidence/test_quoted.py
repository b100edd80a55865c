"""Quoted strings of a prose: every pair of marks and every block quote, and no apostrophe."""

from __future__ import annotations

import pytest

from backedge.evidence.quoted import quoted_strings

CASES: dict[str, tuple[str, list[str]]] = {
    "straight": ('It says "one two" and "three".', ["one two", "three"]),
    "curly": ("It says \u201cone two\u201d.", ["one two"]),
    "curly, nested": ("It says \u201cone \u2018two\u2019 three\u201d.", ["one \u2018two\u2019 three"]),
    "single": ("It says \u2018one two\u2019 there.", ["one two"]),
    "single with an apostrophe": ("It says \u2018it isn\u2019t so\u2019 there.", ["it isn\u2019t so"]),
    "single with a plural": ("the \u2018patients\u2019 mean was low\u2019 there", ["patients\u2019 mean was low"]),
    "straight single": ("It says 'one two' there.", ["one two"]),
    "low": ("Es hei\u00dft \u201eeins zwei\u201c dort.", ["eins zwei"]),
    "low, English": ("It says \u201eone\u201d there.", ["one"]),
    "guillemets": ("Il dit \u00ab un deux \u00bb ici.", ["un deux"]),
    "guillemets, turned": ("Es hei\u00dft \u00bbeins zwei\u00ab dort.", ["eins zwei"]),
    "corners": ("\u4ed6\u8bf4\u300c\u6b7b\u4ea1\u7387\u300d\u4e86\u3002", ["\u6b7b\u4ea1\u7387"]),
    "apostrophes": ("The patients' and the drug's effects weren't theirs.", []),
    "curly apostrophes": ("The patients\u2019 and the drug\u2019s effects weren\u2019t theirs.", []),
    "inches": ('A 5" tube and a 6" tube say "one".', ["one"]),
    "minutes": ("After 5' and 6' it said 'one two' there.", ["one two"]),
    "over lines": ('It says "one\ntwo" there.', ["one\ntwo"]),
    "left open": ("It says \u201cone two\n\nand then \u201cthree four\u201d.", ["one two", "three four"]),
    "left open, straight": ('It says "one two\n\nAnd then nothing.', ["one two"]),
    "empty": ('It says "" and \u201c \u201d.', []),
    "block": ("He says:\n\n> one two\n> three\n\nand on", ["one two\nthree"]),
    "block and pair": ('A "first".\n> second\nThen "third".', ["first", "second", "third"]),
    "block with a pair inside": ('> so "inside" it', ['so "inside" it']),
    "comparison is no block": ("with p > 0.05", []),
    "nothing": ("", []),
}


@pytest.mark.parametrize(("prose", "expected"), CASES.values(), ids=CASES)
def test_what_is_quoted(prose: str, expected: list[str]) -> None:
    found = quoted_strings(prose)
    assert [quoted.text for quoted in found] == expected
    for quoted in found:
        inside = prose[quoted.start : quoted.end]
        assert inside.strip() == quoted.text or inside.lstrip().startswith(">")


@pytest.mark.parametrize("mark", ['"', "'", "\u201c", "\u2018", "\u201e", "\u00ab", "> a\n", "'a ", "s' "])
def test_many_marks_are_bounded_work(mark: str) -> None:
    assert isinstance(quoted_strings(mark * 5_000), tuple)
