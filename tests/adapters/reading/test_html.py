"""Web pages: what is seen is read, what is hidden or run is not, headings make sections, citation tags metadata."""

from __future__ import annotations

import pytest

from backedge.adapters.reading import html
from backedge.evidence.sources import Identifiers
from tests.adapters.reading.readings import outline, reading_of, unparsed


def text_of(body: str) -> str:
    """The text of a page with this body."""
    return reading_of(html.read, f"<html><body>{body}</body></html>").text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>a <b>b</b>c\n  d</p>", "a bc d"),
        ("<p>a<br>b<p>c<div>d</div>e", "a\nb\n\nc\n\nd\n\ne"),
        ("<ul><li>a<li>b</ul>", "a\nb"),
        ("10<sup>2</sup>, m<sup>2</sup>, log<sub>10</sub>5", "10^2, m2, log10 5"),
        ("<math><msup><mi>x</mi><mn>2</mn></msup></math>", "x^2"),
        ("&lt;5&nbsp;&alpha; &#181;", "<5\u00a0α µ"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("a<!-- b --><script>c</script><style>d</style><template>e</template><nav>f</nav>g", "ag"),
    ],
)
def test_what_is_seen_is_read(body: str, text: str) -> None:
    assert text_of(body) == text


@pytest.mark.parametrize(
    "hiding",
    [
        "hidden",
        "style='color:red; display : NONE'",
        "style='visibility:hidden'",
        "style='font-size:0px;'",
        "style='opacity: 0'",
    ],
)
def test_what_is_hidden_is_not_read_and_an_issue_says_so(hiding: str) -> None:
    reading = reading_of(html.read, f"<p>seen</p><div {hiding}><p>not seen</p></div><div {hiding}> </div><p>end</p>")
    assert reading.text == "seen\n\nend"
    assert [(issue.kind, issue.start, issue.count) for issue in reading.issues] == [("hidden_text", 4, 1)]


def test_what_only_looks_like_hiding_is_read() -> None:
    assert text_of("<p style='opacity:0.9;font-size:0.9em'>a</p><p style='display:block'>b</p>") == "a\n\nb"


def test_headings_make_sections_with_roles() -> None:
    reading = reading_of(
        html.read,
        "<h1>Of <i>mice</i></h1><p>By A.</p><h2>Abstract</h2><p>s</p><h2>2. Methods</h2><p>m</p>"
        "<h3>Animals</h3><p>n</p>"
        "<h4>Diet</h4><p>d</p><h2>Results</h2><p>r</p><h2> </h2><h2>References</h2><p>x</p>",
    )
    assert outline(reading) == [
        ("title", "", "Of mice"),
        ("other", "", "By A."),
        ("abstract", "Abstract", "Abstract\n\ns"),
        ("methods", "2. Methods", "2. Methods\n\nm"),
        ("methods", "Animals", "Animals\n\nn"),
        ("methods", "Diet", "Diet\n\nd"),
        ("results", "Results", "Results\n\nr"),
        ("references", "References", "References\n\nx"),
    ]


def test_headings_of_the_first_level_may_be_sections_too() -> None:
    reading = reading_of(html.read, "<h1>Introduction</h1><p>a</p><h1>Methods</h1><p>b</p>")
    assert [(s.role, s.title) for s in reading.sections] == [("introduction", "Introduction"), ("methods", "Methods")]


def test_tables_of_data_have_cells_captions_and_spans() -> None:
    reading = reading_of(
        html.read,
        "<h2>Results</h2><p>See.</p><table><caption>Table 1. <h3>W</h3>eights</caption><tr><th><th>Dose</tr>"
        "<tr><td rowspan=2>mice<td>1</tr><tr><td><p>2</p><p>3</p></tr></table><figure>"
        "<figcaption>Fig. 1</figcaption></figure>",
    )
    assert outline(reading)[1:3] == [
        ("caption", "Table 1. Weights", "Table 1. W eights"),
        ("table", "Table 1. Weights", "Dose\nmice\t1\n2 3"),
    ]
    assert outline(reading)[3][0] == "caption"
    (table,) = reading.tables
    assert [[cell.text for cell in row] for row in (*table.head, *table.rows)] == [
        ["", "Dose"],
        ["mice", "1"],
        ["mice", "2 3"],
    ]
    assert len(table.head) == 1


def test_a_table_that_lays_out_a_page_is_no_table_of_data() -> None:
    for page in (
        "<table><tr><td><h2>Methods</h2><p>m</p></td><td>x</td></tr></table>",
        "<table role=presentation><tr><td>Methods</td><td>x</td></tr></table>",
    ):
        assert reading_of(html.read, page).tables == ()
    nested = "<table><tr><td>menu</td><td><table><tr><td>1</td><td>2</td></tr></table></td></tr></table>"
    (table,) = reading_of(html.read, nested).tables
    assert [[cell.text for cell in row] for row in table.rows] == [["1", "2"]]


def test_citation_tags_are_the_metadata() -> None:
    found = reading_of(
        html.read,
        "<html lang=EN><head><title>Shown</title><meta name=citation_title content='Of mice'>"
        "<meta name=citation_author content='Jane Doe'><meta name=citation_author content='R Roe'>"
        "<meta name=citation_journal_title content='J Mice'><meta name=citation_publication_date content='2009/05/01'>"
        "<meta name=citation_online_date content='2008/12/01'><meta name=CITATION_DOI content='doi:10.1000/A'>"
        "<meta name=citation_pmid content=12><link rel=canonical href='https://example.org/a'>"
        "<link rel=license href='https://creativecommons.org/licenses/by/4.0/'></head><body>x</body></html>",
    ).metadata
    assert (found.title, found.authors, found.journal, found.year) == ("Of mice", ("Jane Doe", "R Roe"), "J Mice", 2008)
    assert found.identifiers == Identifiers(doi="10.1000/a", pmid="12")
    assert (found.language, found.access, found.url) == ("en", "open", "https://example.org/a")
    assert reading_of(html.read, "<title>Shown</title>x").metadata.title == "Shown"


@pytest.mark.parametrize(
    "body",
    [
        "<div id=root></div>",
        "<p>You need to enable JavaScript to run this app.</p>",
        "<p>Loading…</p>",
        "<noscript>x</noscript>",
    ],
)
def test_a_page_whose_text_scripts_put_there_has_none(body: str) -> None:
    found = unparsed(html.read, f"<head><meta name=citation_doi content=10.1000/a></head>{body}<script src=x></script>")
    assert (found.why, found.metadata.identifiers.doi) == ("no_text", "10.1000/a")
    assert "scripts" in found.message


def test_scripts_beside_text_are_an_issue_and_are_not_read() -> None:
    reading = reading_of(html.read, f"<p>{'It rose. ' * 50}</p><script>alert('no')</script><p onclick='x()'>end</p>")
    assert [(issue.kind, issue.count) for issue in reading.issues] == [("hidden_text", 1)]
    assert "alert" not in reading.text
    assert reading.text.endswith("end")


@pytest.mark.parametrize(
    ("content", "issues"),
    [
        ("<meta charset=utf-8><p>café µ</p>".encode(), []),
        ("<p>café µ</p>".encode("utf-8-sig"), []),
        ("<p>café µ</p>".encode("utf-16"), []),
        ("<meta charset='iso-8859-1'><p>café µ</p>".encode("latin-1"), []),
        ("<meta http-equiv=Content-Type content='text/html; charset=windows-1252'><p>café µ</p>".encode("cp1252"), []),
        ("<meta charset=utf-16><p>café µ</p>".encode(), []),
        ("<meta charset=utf-8><p>café µ</p>".encode("latin-1"), ["encoding"]),
        ("<meta charset=rot13><p>café µ</p>".encode(), ["encoding"]),
        ("<p>café µ</p>".encode("latin-1"), ["encoding"]),
    ],
)
def test_encodings(content: bytes, issues: list[str]) -> None:
    reading = reading_of(html.read, content)
    assert (reading.text, [issue.kind for issue in reading.issues]) == ("café µ", issues)


def test_a_page_without_text_is_no_text() -> None:
    assert unparsed(html.read, "<html><body><img src=x alt='a picture'></body></html>").why == "no_text"


@pytest.mark.parametrize(
    ("head", "body", "said"),
    [
        ("<title>RETRACTED ARTICLE: Of mice | J</title>", "<h1>Of mice</h1>", ["retracted by page title"]),
        ("<title>Of mice | J</title>", "<h1>WITHDRAWN: Of mice</h1>", ["withdrawn by heading"]),
        ("<meta property='og:title' content='[Retracted] Of mice'>", "<h1>Of mice</h1>", ["retracted by page title"]),
        ("<title>Of mice</title>", "<h1>J of X</h1><h1>Retraction Note to: Of mice</h1>", ["notice by heading"]),
        ("<title>Of mice</title>", "<h1>Retracted rotator cuff tears</h1>", []),
        ("<title>Of mice</title>", "<h1>Of mice</h1><h2>RETRACTED: another</h2>", []),
    ],
)
def test_titles_and_headings_beside_the_citation_title_say_how_it_stands(head: str, body: str, said: list[str]) -> None:
    page = f"<html><head><meta name='citation_title' content='Of mice'>{head}</head><body>{body}<p>x</p></body></html>"
    metadata = reading_of(html.read, page).metadata
    assert metadata.title == "Of mice"
    assert [f"{signal.kind} by {signal.by}" for signal in metadata.signals] == said


def test_what_the_title_itself_says_is_told_once() -> None:
    page = "<html><head><title>RETRACTED: Of mice</title></head><body><h1>RETRACTED: Of mice</h1></body></html>"
    assert reading_of(html.read, page).metadata.signals == ()
