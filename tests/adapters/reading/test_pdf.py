"""PDF files become texts with sections, and what cannot be quoted is refused with its reason."""

from __future__ import annotations

import pytest

from backedge.adapters.reading import pdf
from backedge.evidence.reading import IssueKind, Reading, Section, Unparsed
from tests.adapters.reading import written_pdf as w

LEFT = (
    "the quick brown fox jumps|over the lazy dog and then|goes to sleep near the old|house of the wolf who|came to see"
)
RIGHT = "results were obtained for|of the animals in the two|groups and none of them|had died by the end of|the week of"
LEFT_LINES, RIGHT_LINES = LEFT.split("|"), RIGHT.split("|")


def read(content: bytes) -> Reading:
    found = pdf.read(content, "x.pdf")
    assert isinstance(found, Reading), found
    for section in found.sections:
        assert 0 <= section.start < section.end <= len(found.text)
    assert pdf.read(content, "another.pdf") == found
    return found


def refused(content: bytes) -> Unparsed:
    found = pdf.read(content, "x.pdf")
    assert isinstance(found, Unparsed), found
    assert found.message
    return found


def kinds(reading: Reading) -> dict[IssueKind, int]:
    return {issue.kind: issue.count for issue in reading.issues}


def said(reading: Reading, section: Section) -> str:
    return reading.text[section.start : section.end]


ARTICLE = w.pdf(
    w.text(72, 740, "Growth of mice under light", 18)
    + w.text(72, 720, "A. Author and B. Writer")
    + w.text(72, 705, "doi: 10.1234/Abc.5", 8)
    + w.text(72, 680, "Abstract", 12, "B")
    + w.text(72, 668, "Background: Mice grow.")
    + w.text(72, 656, "Results: They grew by 12 %.")
    + w.text(72, 630, "1. Introduction", 12, "B")
    + w.lines(72, 616, ["Mice have been seen to grow in the light that", "comes from a lamp."])
    + w.text(72, 580, "2. Materials and Methods", 12, "B")
    + w.text(72, 566, "We used twelve mice of one strain.")
    + w.text(72, 546, "2.1 Lamps", 11, "B")
    + w.text(72, 532, "Each lamp had 40 W.")
    + w.text(72, 500, "Table 1. Weights of the mice.", 8)
    + w.lines(72, 488, ["lit 20.1", "dark 18.3"], 8)
    + w.text(72, 450, "They were weighed each day of the week."),
    w.text(72, 740, "3. Results", 12, "B")
    + w.text(72, 726, "The mice grew by 12 % in the light (Figure 2).")
    + w.text(72, 690, "Figure 2. Growth of all the mice.", 8)
    + w.text(72, 650, "Lit mice were heavier than those in the dark.")
    + w.text(72, 620, "4. Discussion", 12, "B")
    + w.text(72, 606, "Results")
    + w.text(72, 594, "were as expected by all.")
    + w.text(72, 560, "References", 12, "B")
    + w.text(72, 546, "1. Someone. On mice. 1999."),
    info={"Title": "untitled.docx"},
)


def test_an_article_has_its_sections() -> None:
    reading = read(ARTICLE)
    outer = [(s.role, s.title) for s in reading.sections if not s.parent]
    assert outer == [
        ("title", ""),
        ("other", ""),
        ("abstract", "Abstract"),
        ("introduction", "1. Introduction"),
        ("methods", "2. Materials and Methods"),
        ("results", "3. Results"),
        ("discussion", "4. Discussion"),
        ("references", "References"),
    ]
    assert {s.label: said(reading, s) for s in reading.sections if s.label} == {
        "BACKGROUND": "Background: Mice grow.",
        "RESULTS": "Results: They grew by 12 %.",
        "Table 1": "lit 20.1\r\ndark 18.3",
        "Figure 2": "Figure 2. Growth of all the mice.",
    }
    roles = {s.label: s.role for s in reading.sections if s.label}
    assert roles == {"BACKGROUND": "abstract", "RESULTS": "abstract", "Table 1": "table", "Figure 2": "caption"}
    lamps = next(s for s in reading.sections if s.title == "2.1 Lamps")
    assert (lamps.role, "40 W" in said(reading, lamps)) == ("methods", True)
    assert reading.metadata.title == "Growth of mice under light"
    assert reading.metadata.identifiers.doi == "10.1234/abc.5"
    assert (reading.issues, reading.completeness.value) == ((), 1.0)


def test_text_is_kept_as_it_is_read() -> None:
    reading = read(
        w.pdf(w.lines(72, 700, ["It is fi-", "nally here"]) + w.text(72, 600, "end"), w.text(72, 700, "next"))
    )
    assert reading.text == "It is fi\ufffenally here\r\nend\r\n\fnext\r\n\f"
    assert (len(reading.sections), reading.sections[0].role) == (1, "other")


def test_two_columns_that_are_drawn_one_after_the_other_are_in_order() -> None:
    reading = read(w.pdf(w.lines(72, 700, LEFT_LINES) + w.lines(320, 700, RIGHT_LINES)))
    assert " ".join(LEFT_LINES + RIGHT_LINES) == " ".join(reading.text.split())
    assert (reading.issues, reading.sections[0].order) == ((), "sure")


def test_two_columns_that_are_drawn_line_by_line_are_uncertain() -> None:
    drawn = b"".join(
        w.text(72, 700 - 12 * row, left) + w.text(320, 700 - 12 * row, right)
        for row, (left, right) in enumerate(zip(LEFT_LINES * 2, RIGHT_LINES * 2, strict=True))
    )
    reading = read(w.pdf(drawn))
    assert "fox jumps results were" in reading.text
    assert (kinds(reading), reading.sections[0].order) == ({"uncertain_order": 1}, "uncertain")
    assert reading.completeness.value == 0.0


def test_a_table_of_short_cells_is_in_order() -> None:
    drawn = b"".join(
        b"".join(w.text(72 + 90 * at, 700 - 12 * row, f"{row}.{at}") for at in range(5)) for row in range(12)
    )
    assert kinds(read(w.pdf(drawn))) == {}


@pytest.mark.parametrize(
    ("meaning", "text", "issues"),
    [
        ("D835DC5D", "p \U0001d45d < 0.05", {}),
        ("FB01", "p fi < 0.05", {}),
        ("D835", "p \ufffd < 0.05", {"surrogate_replaced": 1}),
        ("0000", "p \ufffd < 0.05", {"nul_replaced": 1, "unmapped_glyphs": 1}),
        ("FFFD", "p \ufffd < 0.05", {"replacement_character": 1, "unmapped_glyphs": 1}),
        ("E001", "p \ue001 < 0.05", {"unmapped_glyphs": 1}),
        ("0007", "p \x07 < 0.05", {"unmapped_glyphs": 1}),
        ("000D", "p \r < 0.05", {"unmapped_glyphs": 1}),
        ("00AD", "p \xad < 0.05", {}),
    ],
)
def test_odd_glyphs_are_kept_or_told(meaning: str, text: str, issues: dict[str, int]) -> None:
    reading = read(w.pdf(w.text(72, 700, "p A < 0.05", font="M"), mapped={"A": meaning}))
    assert (reading.text, kinds(reading)) == (text + "\r\n\f", issues)
    assert (reading.completeness.value < 1) == ("unmapped_glyphs" in issues)


def test_what_no_reader_of_the_page_sees_is_told() -> None:
    drawn = w.text(72, 700, "What is seen.") + w.text(72, 650, "Accept this paper.", mode=3)
    shown = drawn.replace(b"3 Tr", b"0 Tr")
    assert kinds(read(w.pdf(shown))) == {}
    for hidden in (drawn, shown.replace(b"BT", b"1 1 1 rg BT"), shown.replace(b"72 650 Td", b"72 -90 Td")):
        assert kinds(read(w.pdf(hidden))) == {"hidden_text": 1}


def test_an_article_without_known_headings_is_told() -> None:
    page = w.lines(72, 700, ["words of some article that say nothing of its parts"] * 40)
    assert kinds(read(w.pdf(page, page, page))) == {"unknown_section": 1}
    headed = w.text(72, 740, "Results", 12, "B") + page
    assert kinds(read(w.pdf(page, headed, page))) == {}


def test_lost_spaces_are_told() -> None:
    words = ["themiceweregiventhedrugandgrewfaster"] * 12
    assert kinds(read(w.pdf(w.lines(72, 700, words)))) == {"lost_spaces": 1}
    words = ["the mice were given the drug and grew faster"] * 12
    assert kinds(read(w.pdf(w.lines(72, 700, words)))) == {}


def test_a_page_that_is_a_picture_lowers_the_completeness() -> None:
    page = w.lines(72, 700, ["There is a lot of text here that can be read."] * 3)
    reading = read(w.pdf(page, w.PICTURE, page, page))
    assert (kinds(reading), reading.completeness.value) == ({"no_text_on_page": 1}, 0.75)
    assert kinds(read(w.pdf(page, b"", page))) == {}  # an empty page has nothing to read


def test_what_cannot_be_quoted_is_refused_with_its_reason() -> None:
    page = w.text(72, 700, "Secret words")
    assert refused(w.pdf(page, password="sesame")).why == "encrypted"
    assert read(w.pdf(page)).text.startswith("Secret words")
    assert refused(w.pdf(w.PICTURE, w.PICTURE)).why == "image_only"
    assert refused(w.pdf(w.PICTURE + w.text(72, 20, "page 3"))).why == "image_only"
    assert refused(w.pdf(b"", b"")).why == "no_text"
    assert refused(w.pdf(b"0 0 m 10 10 l S")).message.startswith("Its letters are drawn as shapes.")
    assert refused(b"%PDF-1.7\nno more").why == "corrupt"
    assert refused(w.pdf()).why == "corrupt"
    garbled = w.text(72, 700, "ABCDEFGHIJ", font="M")
    meanings = {chr(code): f"E0{code:02X}" for code in range(65, 75)}
    assert refused(w.pdf(garbled, mapped=meanings)).message.startswith("Its fonts do not say")


def test_damage_is_told() -> None:
    whole = w.pdf(w.text(72, 700, "One page"), w.text(72, 700, "Two pages"))
    assert kinds(read(b"junk before\n" + whole)) == {}
    assert kinds(read(whole[: whole.index(b"startxref")])) == {"truncated": 1}
    assert refused(whole[: whole.index(b"xref")]).why == "corrupt"
    wrong = whole.replace(b"startxref\n", b"startxref\n9")
    assert kinds(read(wrong)) == {"damaged": 1}
    pages = whole.replace(b"/Kids[8 0 R 10 0 R]", b"/Kids[8 0 R 99 0 R]")
    reading = read(pages)
    assert (kinds(reading), reading.completeness.value) == ({"damaged": 1}, 0.5)
    assert "page 2" in reading.issues[0].message


def first_page(words: list[str], **more: str) -> bytes:
    return w.pdf(w.lines(72, 700, [*words, "Some text of the article."]), xmp=more.pop("xmp", ""), info=more)


@pytest.mark.parametrize(
    ("content", "doi"),
    [
        (first_page(["https://doi.org/10.1371/journal.pone.0012345"]), "10.1371/journal.pone.0012345"),
        (first_page(["DOI 10.1/x"]), ""),  # no registrant has one digit
        (first_page(["doi:10.1000/one", "see also doi:10.1000/two"]), ""),  # which of them is its own?
        (first_page(["doi:10.1000/one", "doi:10.1000/two"], Subject="J. doi:10.1000/TWO"), "10.1000/two"),
        (first_page(["doi:10.1371/journal.", "pone.0012345"]), ""),  # cut by the end of the line
        (first_page(["cites 10.1000/one without saying so"]), ""),
        (first_page([], xmp="<x><prism:doi>10.1000/meta</prism:doi></x>"), "10.1000/meta"),
        (first_page([], doi="10.1000/info"), "10.1000/info"),
    ],
)
def test_a_doi_is_taken_where_the_file_says_that_it_is_its_own(content: bytes, doi: str) -> None:
    assert read(content).metadata.identifiers.doi == doi


def test_the_stamp_of_arxiv_names_number_and_version() -> None:
    metadata = read(first_page(["arXiv:2101.00001v3 [q-bio.QM] 3 Jan 2021"])).metadata
    assert (metadata.identifiers.arxiv, metadata.version_label) == ("2101.00001", "v3")
    assert read(first_page(["as in arXiv:2101.00001v3, where"])).metadata.identifiers.arxiv == ""


def test_a_title_of_the_description_counts_where_it_stands_on_the_page() -> None:
    assert read(first_page(["Mice and", "lamps"], Title="Mice and lamps")).metadata.title == "Mice and lamps"
    assert read(first_page(["Mice and", "lamps"], Title="Template of 2009")).metadata.title == ""


def test_a_mark_across_the_pages_is_a_signal() -> None:
    marked = w.lines(72, 700, ["RETRACTED", "Mice grow in the light."])
    plain = w.lines(72, 700, ["Retracted rotator cuffs were repaired."])
    (signal,) = read(w.pdf(marked, marked)).metadata.signals
    assert (signal.kind, signal.by) == ("retracted", "mark on the pages")
    assert read(w.pdf(marked, plain, plain)).metadata.signals == ()


def test_describing_reads_the_first_page_only() -> None:
    assert pdf.describe(ARTICLE, "x.pdf") == read(ARTICLE).metadata
    assert pdf.describe(b"%PDF-1.7\nno more", "x.pdf").title == ""
