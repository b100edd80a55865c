"""52 odd PDF files, each looked at: what each gives, and that none crashes its reader or goes over its caps."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from backedge.adapters.reading import pdf
from backedge.adapters.reading.opening import MEGABYTE, ContentReader, Limits
from backedge.evidence.reading import Reading, Unparsed

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "pdf_samples"

needs_data = pytest.mark.skipif(not SAMPLES.exists(), reason="the shared data sets are not here")

# What each file gives: why it is refused, or `text` with the issues told. Each was rendered and compared by eye.
# Two are wrong without a sign, since the files map their glyphs to other characters than they draw:
# TrueType_without_cmap (Armenian) and issue7696 (Chinese).
EXPECTED = {
    "ArabicCIDTrueType": "text uncertain_order",
    "IdentityToUnicodeMap_charCodeOf": "text",
    "TrueType_without_cmap": "text",
    "arial_unicode_ab_cidfont": "no_text",  # Arabic whose font tells no characters
    "arial_unicode_en_cidfont": "text",
    "bug1947248_text": "text",
    "bug866395": "text",
    "complex_ttf_font": "no_text",  # Arabic whose font tells no characters
    "copy_paste_ligatures": "text",
    "empty": "no_text",
    "empty_protected": "no_text",  # encrypted, and opens without a password
    "encrypted-attachment": "text damaged",  # opens without a password; its index is 19 bytes beside
    "find_all": "text",
    "french_diacritics": "text unmapped_glyphs",  # accented letters, taken by their codes
    "helloworld-bad": "text damaged",
    "issue1155r": "text",
    "issue11651": "text",
    "issue14267": "no_text",
    "issue3207r": "text",
    "issue4246": "image_only",
    "issue5801": "no_text",  # Polish whose font tells no characters
    "issue5896": "text unmapped_glyphs",  # a font of pictures; letters are their codes
    "issue7180": "text",
    "issue7696": "text",
    "issue9105_reduced": "text damaged",
    "mixedfonts": "text hidden_text",  # a line of its maker, one point high
    "noembed-sjis": "text",  # draws nothing where its font is not installed
    "openoffice": "text",
    "pdfjsbad1586": "text",
    "rotation": "text",
    "scan-bad": "image_only",  # a scan with six recognised letters
    "simpletype3font": "no_text",  # squares and triangles
    "standard_fonts": "text hidden_text unknown_section unmapped_glyphs",
    "text_rise_eol_bug": "text",
    "tracemonkey": "text unmapped_glyphs",  # one, the sign (c)
    "002-trivial-libre-office-writer": "text",
    "annotated_pdf": "text",
    "crazyones-pdfa": "text",
    "google-doc-document": "text",
    "grayscale-image": "image_only",
    "habibi": "text uncertain_order unmapped_glyphs",
    "habibi-rotated": "text uncertain_order unmapped_glyphs",
    "imagemagick-images": "image_only",
    "libreoffice-writer-password": "encrypted",
    "minimal-document": "text",
    "mistitled_outlines_example": "text unknown_section",
    "multicolumn": "text unknown_section",
    "pdfkit": "text",
    "pdflatex-4-pages": "text unknown_section",
    "pdflatex-image": "text",
    "pdflatex-outline": "text unknown_section",
    "with-attachment": "text",
}


def sample(name: str) -> bytes:
    (path,) = SAMPLES.glob(f"*/{name}.pdf")
    return path.read_bytes()


def shown(read: Reading | Unparsed) -> str:
    if isinstance(read, Unparsed):
        return read.why
    return " ".join(["text", *sorted({issue.kind for issue in read.issues})])


@needs_data
def test_every_file_gives_what_it_holds_or_the_reason() -> None:
    """In children with a quarter of the default caps, twice: none crashes, none goes over, and the same is read."""
    names = sorted(path.stem for path in SAMPLES.glob("*/*.pdf"))
    assert (names, len(names)) == (sorted(EXPECTED), 52)

    async def reading() -> tuple[list[Reading | Unparsed], list[Reading | Unparsed]]:
        reader = ContentReader(Limits(memory=512 * MEGABYTE, processor=15))
        try:
            one, two = [
                await asyncio.gather(*(reader.read(sample(name), "application/pdf", name) for name in names))
                for _ in range(2)
            ]
        finally:
            await reader.close()
        return one, two

    one, two = asyncio.run(reading())
    assert {name: shown(read) for name, read in zip(names, one, strict=True)} == EXPECTED
    assert one == two
    spans = [(read, section) for read in one if isinstance(read, Reading) for section in read.sections]
    assert len(spans) > 100
    for read, section in spans:
        assert 0 <= section.start < section.end <= len(read.text)
        assert read.text[section.start : section.end].strip() == read.text[section.start : section.end]
    assert all(read.message and read.reader for read in one if isinstance(read, Unparsed))


@needs_data
def test_a_paper_in_two_columns() -> None:
    read = pdf.read(sample("tracemonkey"), "")
    assert isinstance(read, Reading)
    assert read.metadata.title == "Trace-based Just-in-Time Type Specialization for Dynamic Languages"
    assert read.text.count("\ufffe") == 160
    assert "more difficult to com\ufffepile than statically typed ones. Since no concrete type information" in read.text
    assert not any("\ufb00" <= char <= "\ufb06" for char in read.text)  # ligatures are their letters
    outer = {section.title: section.role for section in read.sections if not section.parent}
    assert outer["Abstract"] == "abstract"
    assert (outer["1. Introduction"], outer["9. Conclusions"], outer["References"]) == (
        "introduction",
        "discussion",
        "references",
    )
    captions = {section.label for section in read.sections if section.role == "caption"}
    assert captions >= {f"Figure {number}" for number in (1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)}
    assert {section.order for section in read.sections} == {"sure"}


@needs_data
def test_two_columns_are_read_one_after_the_other() -> None:
    read = pdf.read(sample("multicolumn"), "")
    assert isinstance(read, Reading)
    left, right = read.text.index("Lorem ipsum dolor sit amet"), read.text.index("pellentesque ante. Phasellus")
    assert left < read.text.index("Vivamus viverra fermentum felis") < right
    assert {issue.kind for issue in read.issues} == {"unknown_section"}
