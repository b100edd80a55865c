"""Plain text and Markdown: kept as it is, headings make sections, encodings are told or guessed with an issue."""

from __future__ import annotations

import pytest

from backedge.adapters.reading import text
from backedge.adapters.reading.decoding import decoded
from backedge.evidence.sources import Identifiers
from tests.adapters.reading.readings import outline, reading_of, unparsed


@pytest.mark.parametrize(
    "content",
    [
        "a\r\nb\r c\n\n\n",
        "  a \n b\t\n",
        "METHODS\r\n\r\nWe did.\r\n",
        "# A\n\n\n## Methods\n*x*\n\n\n\ny",
        "a\x0cb\u2028c\x85d",
    ],
)
def test_the_text_is_kept_as_it_is(content: str) -> None:
    for name in ("a.txt", "a.md"):
        assert reading_of(text.read, content, name).text == content


def test_a_text_without_headings_is_one_section() -> None:
    reading = reading_of(text.read, "We gave 5 mg.\n\nIt rose.\n", "a.txt")
    assert [(s.role, s.title, s.start, s.end) for s in reading.sections] == [("other", "", 0, 23)]


def test_known_and_capital_headings_of_plain_text() -> None:
    content = (
        "Of mice\n\nABSTRACT\nShort.\n\nIntroduction\n\nWhy.\n\n2. Materials and Methods\nWe did.\nRESULTS\n"
        "It rose.\n\n"
        "EFFECTS OF DIET\n\nMore.\n\nDiscussion:\nWell.\n\nDNA AND RNA\nwere measured, not headed, as in\nMICE "
        "AND MEN\n\nResults, "
        "they say,\nmatter.\n"
    )
    assert [(role, title) for role, title, _ in outline(reading_of(text.read, content, "a.txt"))] == [
        ("other", ""),
        ("abstract", "ABSTRACT"),
        ("introduction", "Introduction"),
        ("methods", "2. Materials and Methods"),
        ("results", "RESULTS"),
        ("other", "EFFECTS OF DIET"),
        ("discussion", "Discussion"),
    ]


def test_headings_of_markdown_and_fenced_code() -> None:
    content = (
        "# Of mice #\n\nBy A.\n\n## Methods\nm\n\n### Animals\nn\n\n```\n# no heading\n```\n\nResults\n"
        "-------\nr\n\nDiscussion\n==========\nd\n"
    )
    reading = reading_of(text.read, content, "a.md")
    assert [(role, title) for role, title, _ in outline(reading)] == [
        ("title", "Of mice"),
        ("other", ""),
        ("methods", "Methods"),
        ("methods", "Animals"),
        ("results", "Results"),
        ("discussion", "Discussion"),
    ]
    assert "# no heading" in outline(reading)[3][2]
    assert reading.metadata.title == "Of mice"
    assert [s.title for s in reading_of(text.read, "# Diet\nx\n", "a.txt").sections] == [""], "by its name no Markdown"


def test_a_line_that_names_the_text_tells_its_identifier() -> None:
    named = "Of mice\nDOI: 10.1000/A\n\nAs in https://doi.org/10.1000/other it rose.\n"
    assert reading_of(text.read, named, "a.txt").metadata.identifiers == Identifiers(doi="10.1000/a")
    cited = "As in https://doi.org/10.1000/other it rose.\n"
    assert reading_of(text.read, cited, "a.txt").metadata.identifiers == Identifiers()


@pytest.mark.parametrize(
    ("content", "found", "issue"),
    [
        ("café ≥ 5".encode(), "café ≥ 5", None),
        ("café ≥ 5".encode("utf-8-sig"), "café ≥ 5", None),
        ("café ≥ 5".encode("utf-16"), "café ≥ 5", None),
        ("café ≥ 5".encode("utf-32"), "café ≥ 5", None),
        ("café au lait".encode("utf-16-le"), "café au lait", None),
        ("café au lait".encode("utf-16-be"), "café au lait", None),
        ("café “5”".encode("cp1252"), "café “5”", "Windows-1252"),
        ("caf\u00e9 ≥ 5 µg".encode() + b"\xff", "café ≥ 5 µg\ufffd", "some bytes"),
        (b"plain", "plain", None),
        (b"", "", None),
    ],
)
def test_encodings(content: bytes, found: str, issue: str | None) -> None:
    read = decoded(content)
    assert read.text == found
    assert bool(read.issue) == bool(issue)
    assert (issue or "") in (read.issue.message if read.issue else "")


@pytest.mark.parametrize(
    ("declared", "found", "guessed"),
    [
        ("utf-8", "café", False),
        ("UTF8", "café", False),
        ("latin-1", "cafÃ©", False),
        ("windows-1252", "cafÃ©", False),
        ("ascii", "cafÃ©", False),
        ("utf-16", "café", True),
        ("rot13", "café", True),
        ("base64", "café", True),
        ("nonsense", "café", True),
        ("\x00", "café", True),
    ],
)
def test_what_is_declared_counts_where_it_can_be_so(declared: str, found: str, guessed: bool) -> None:
    read = decoded("café".encode(), declared)
    assert (read.text, read.issue is not None) == (found, guessed)


def test_nul_is_replaced_and_counted_and_binaries_are_refused() -> None:
    reading = reading_of(text.read, b"It rose\x00 by 5.\n")
    assert (reading.text, [issue.kind for issue in reading.issues]) == ("It rose\ufffd by 5.\n", ["nul_replaced"])
    assert unparsed(text.read, bytes(range(32)) * 50).why == "unknown_format"
    assert unparsed(text.read, b" \n\t").why == "no_text"


@pytest.mark.parametrize(
    ("head", "signal"),
    [
        ("RETRACTED: Effects of X in mice", "retracted"),
        ("**RETRACTED:** Effects of X in mice", "retracted"),
        ("WITHDRAWN\nEffects of X in mice", "withdrawn"),
        ("WITHDRAWN\n\nEffects of X in mice", "withdrawn"),
        ("Journal of X\n\nEffects of X in mice [Retracted]", "retracted"),
        ("> [Retracted] Effects of X in mice", "retracted"),
        ("Expression of concern: Effects of X in mice", "notice"),
        ("## Retraction Note to: Effects of X in mice", "notice"),
        ("Retracted rotator cuff tears in mice", ""),
        ("Withdrawal of life support in mice", ""),
        ("Effects of X\n\nA\n\nB\n\nRETRACTED: another article", ""),
    ],
)
def test_the_first_lines_say_how_it_stands(head: str, signal: str) -> None:
    for name in ("a.txt", "a.md"):
        metadata = reading_of(text.read, f"{head}\n\nMETHODS\n\nWe did.\n", name).metadata
        assert [said.kind for said in metadata.signals] == ([signal] if signal else [])


def test_a_title_that_says_it_is_told_once() -> None:
    metadata = reading_of(text.read, "# RETRACTED: Of mice\n\nWe did.\n", "a.md").metadata
    assert (metadata.title, metadata.signals) == ("RETRACTED: Of mice", ())
