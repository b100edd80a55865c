"""RIS and BibTeX: what is written is read again by a small parser of each, whatever stands in the metadata."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backedge.evidence.exporting.exported import Exported, ExportedVersion
from backedge.evidence.exporting.references import bibtex, parted, ris
from backedge.evidence.records import Judgement, Reason
from backedge.evidence.sources import Fetched, Identifiers, Metadata
from backedge.evidence.versions import Version

NAMES = {
    "textbackslash": "\\",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciitilde": "~",
    "textasciicircum": "^",
}


def exported(*metadata: Metadata, numbers: tuple[int, ...] = ()) -> Exported:
    """A source for each metadata, or with `numbers` one source with a version for each."""
    judgement = Judgement("c", 1, True, (), (Reason("concern", "title"),), "p")
    return Exported(
        tuple(
            ExportedVersion(
                Version(f"c{at}", "s_0" if numbers else f"s_{at}", numbers[at] if numbers else 1, fetched(at)),
                each,
                judgement,
            )
            for at, each in enumerate(metadata)
        ),
        (),
    )


def fetched(at: int) -> Fetched:
    return Fetched("file", f"paper{at}.txt", f"c{at}", 1, "text/plain", f"paper{at}.txt")


def read_ris(text: str) -> list[list[tuple[str, str]]]:
    """References as tags with values; every line must have the form of RIS."""
    found: list[list[tuple[str, str]]] = []
    for line in (line for line in text.split("\r\n") if line):
        match = re.fullmatch(r"([A-Z][A-Z0-9])  - (.*)", line)
        assert match, line
        if match[1] == "TY":
            found.append([])
        found[-1].append((match[1], match[2]))
    assert all(reference[-1] == ("ER", "") for reference in found)
    return found


def read_bibtex(text: str) -> dict[str, dict[str, str]]:
    """Entries by key; a value ends where its braces are balanced, as BibTeX counts them."""
    found: dict[str, dict[str, str]] = {}
    at = 0
    while (match := re.compile(r"\s*@(article|misc)\{([^,\s]+),\n").match(text, at)) is not None:
        at, entry = match.end(), found.setdefault(match[2], {})
        while (field := re.compile(r"  (\w+) = \{").match(text, at)) is not None:
            depth, end = 1, field.end()
            while depth:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            entry[field[1]] = text[field.end() : end - 1]
            assert text[end : end + 2] == ",\n"
            at = end + 2
        assert text[at : at + 2] == "}\n"
        at += 2
    assert not text[at:].strip()
    return found


def plain(value: str) -> str:
    """A value as it is printed."""
    return re.sub(r"\\(text\w+)\{\}|\\([&%$#_])", lambda m: NAMES[m[1]] if m[1] else m[2], value)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=40), min_size=1, max_size=3))
def test_any_title_is_read_again(titles: list[str]) -> None:
    told = exported(*(Metadata(title=title, year=2020) for title in titles))
    wanted = [" ".join(title.split()) or f"paper{at}.txt" for at, title in enumerate(titles)]
    entries = read_bibtex(bibtex(told))
    assert [plain(entries[f"s_{at}"]["title"][1:-1]) for at in range(len(titles))] == wanted
    assert [dict(reference)["TI"] for reference in read_ris(ris(told))] == wanted


def test_a_brace_that_stands_alone_does_not_end_a_field() -> None:
    told = exported(Metadata(title="The set {a, b", journal="J. of {Sets", identifiers=Identifiers(doi="10.1/a{b_c")))
    entry = read_bibtex(bibtex(told))["s_0"]
    assert plain(entry["title"]) == "{The set {a, b}"
    assert entry["doi"] == "10.1/a%7Bb_c"


def test_all_that_is_known_is_written() -> None:
    known = Metadata(
        title="100% of R&D",
        authors=("Mara Ostrander", "WHO Study Group"),
        journal="J",
        year=2024,
        language="en",
        url="https://example.org/a_b",
        identifiers=Identifiers("10.1/x", "123", "PMC4", "2401.00001"),
    )
    assert read_ris(ris(exported(known))) == [
        [
            ("TY", "JOUR"),
            ("ID", "s_0"),
            ("TI", "100% of R&D"),
            ("AU", "Ostrander, Mara"),
            ("AU", "WHO Study Group"),
            ("JO", "J"),
            ("PY", "2024"),
            ("DO", "10.1/x"),
            ("UR", "https://example.org/a_b"),
            ("LA", "en"),
            ("AN", "123"),
            ("C2", "PMC4"),
            ("N1", "may be used: concern (title)"),
            ("ER", ""),
        ]
    ]
    assert read_bibtex(bibtex(exported(known)))["s_0"] == {
        "title": r"{100\% of R\&D}",
        "author": "Ostrander, Mara and {WHO Study Group}",
        "journal": "J",
        "year": "2024",
        "doi": "10.1/x",
        "eprint": "2401.00001",
        "archiveprefix": "arXiv",
        "pmid": "123",
        "pmcid": "PMC4",
        "url": "https://example.org/a_b",
        "note": "may be used: concern (title)",
    }


def test_a_source_has_one_reference_of_its_newest_version() -> None:
    told = exported(Metadata(title="new"), Metadata(title="old"), numbers=(2, 1))
    assert [dict(reference)["TI"] for reference in read_ris(ris(told))] == ["new"]


@pytest.mark.parametrize(
    ("author", "parts"),
    [
        ("Mara Ostrander", ("Ostrander", "Mara", "")),
        ("Jan van der Berg", ("van der Berg", "Jan", "")),
        ("van Gogh", ("van Gogh", "", "")),
        ("John A. Smith Jr.", ("Smith", "John A.", "Jr.")),
        ("Ostrander, Mara", ("Ostrander", "Mara", "")),
        ("Plato", ("Plato", "", "")),
        ("The Lung and Heart Consortium", ("The Lung and Heart Consortium", "", "")),
        ("李明", ("李明", "", "")),
    ],
)
def test_an_author_is_parted_and_a_group_is_not(author: str, parts: tuple[str, str, str]) -> None:
    assert parted(author) == parts
