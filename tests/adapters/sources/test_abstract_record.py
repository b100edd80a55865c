"""Titles, abstracts and licences as registries write them, made one."""

from __future__ import annotations

import pytest

from backedge.adapters.reading import jats
from backedge.adapters.sources.abstract_record import record_of, without_marks
from backedge.adapters.sources.licences import licence
from backedge.evidence.reading import Reading
from backedge.evidence.sources import Metadata


@pytest.mark.parametrize(
    ("written", "one"),
    [
        ("cc by-nc-nd", "CC BY-NC-ND"),
        ("cc-by", "CC BY"),
        ("CC BY 4.0", "CC BY 4.0"),
        ("https://creativecommons.org/licenses/by-nc/4.0/legalcode", "CC BY-NC 4.0"),
        ("http://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0"),
        ("cc0", "CC0"),
        ("https://www.elsevier.com/tdm/userlicense/1.0/", "https://www.elsevier.com/tdm/userlicense/1.0/"),
        ("", ""),
    ],
)
def test_licences_have_one_spelling(written: str, one: str) -> None:
    assert licence(written) == one


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("A <i>b</i> &amp; c", "A b & c"),
        ("x&lt;sub&gt;2&lt;/sub&gt; p &lt; 0.05", "x<sub>2</sub> p < 0.05"),
        ("if a <b and c> d", "if a <b and c> d"),
        ('<span class="x">Word</span>', "Word"),
    ],
)
def test_titles_lose_their_marks_and_nothing_else(title: str, plain: str) -> None:
    assert without_marks(title) == plain


@pytest.mark.parametrize(
    "abstract", ["<sup>2", "</sup>x<sub>", "a\x00b\x0c", "]]>", "<h4>A</h4>", "&#0;&#xD800;", "<p>" * 500, "𝛼 \ufffe"]
)
def test_any_abstract_makes_a_document_that_can_be_read(abstract: str) -> None:
    read = jats.read(record_of("T <x", abstract, "x", Metadata()).content, "x")
    assert isinstance(read, Reading)
    assert read.text.startswith("T <x")
