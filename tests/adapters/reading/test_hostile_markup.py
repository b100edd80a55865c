"""Markup written to hurt: refused with a reason, or read without what it asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from backedge.adapters.reading import html, jats, medline
from backedge.evidence.reading import Unfit
from tests.adapters.reading.readings import Read, reading_of, unparsed


def of_entities(declared: str, body: str) -> str:
    """An article whose DOCTYPE declares entities."""
    return f"<!DOCTYPE article [{declared}]><article><body>{body}</body></article>"


LAUGHS = '<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
HOSTILE = {
    "billion laughs": of_entities(LAUGHS, "<p>&l9;</p>"),
    "billion laughs in an attribute": of_entities(LAUGHS, "<p id='&l9;'>x</p>"),
    "billion laughs that nothing asks for": of_entities(LAUGHS, "<p>x</p>"),
    "quadratic blow-up": of_entities(f'<!ENTITY a "{"a" * 50_000}">', f"<p>{'&a;' * 5_000}</p>"),
    "a harmless entity": of_entities('<!ENTITY a "a">', "<p>&a;</p>"),
    "a file as an entity": of_entities('<!ENTITY x SYSTEM "file:///etc/passwd">', "<p>&x;</p>"),
    "an address as a parameter entity": of_entities('<!ENTITY % x SYSTEM "http://127.0.0.1:9/x"> %x;', "<p>x</p>"),
    "inclusion": (
        "<article><body><xi:include xmlns:xi='http://www.w3.org/2001/XInclude' "
        "href='file:///etc/passwd' parse='text'/></body></article>"
    ),
    "deep nesting": "<article><body>" + "<sec>" * 100_000 + "</sec>" * 100_000 + "</body></article>",
    "a huge attribute": f"<article><body id='{'x' * 11_000_000}'><p>x</p></body></article>",
    "a huge text": f"<article><body><p>{'x' * 11_000_000}</p></body></article>",
    "a huge name": f"<article><body><{'x' * 60_000}/></body></article>",
}
CORRUPT: dict[str, str | bytes] = {
    "cut": "<article><body><p>It rose",
    "wrongly nested": "<article><body><p><b>x</p></b></body></article>",
    "nothing": "",
    "NUL": "<article><body><p>a\x00b</p></body></article>",
    "half a surrogate pair": "<article><body><p>&#xD800;</p></body></article>",
    "an unknown encoding": "<?xml version='1.0' encoding='x-nope'?><article/>",
    "no UTF-8": b"<article><body><p>caf\xe9 au lait</p></body></article>",
    "no UTF-8, though it says so": (
        b"<?xml version='1.0' encoding='utf-8'?><article><body><p>caf\xe9</p></body></article>"
    ),
    "UTF-16 that is none": b"<?xml version='1.0' encoding='utf-16'?><article><body><p>x</p></body></article>"[:-1],
}


@pytest.mark.parametrize("read", [jats.read, medline.read])
@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_built_to_exhaust_or_to_reach_out_is_hostile(read: Read, name: str) -> None:
    assert unparsed(read, HOSTILE[name]).why == "hostile"


@pytest.mark.parametrize("name", CORRUPT)
def test_what_is_damaged_is_corrupt_and_says_where(name: str) -> None:
    found = unparsed(jats.read, CORRUPT[name])
    assert (found.why, "line " in found.message, found.message.endswith("again.")) == ("corrupt", True, True)


def test_nothing_of_another_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("SECRET")
    (tmp_path / "x.dtd").write_text('<!ENTITY s "SECRET">')
    address = (tmp_path / "x.dtd").as_uri()
    outside = f"<!DOCTYPE article SYSTEM '{address}'><article><body><p>&s; here</p></body></article>"
    assert reading_of(jats.read, outside).text == "&s; here"


def test_entities_that_name_pictures_are_no_danger() -> None:
    declared = '<!NOTATION TIFF SYSTEM "x"><!ENTITY f1 SYSTEM "f1.tif" NDATA TIFF>'
    assert reading_of(jats.read, of_entities(declared, "<p>x</p>")).text == "x"


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "utf-8-sig"])
def test_what_declares_its_encoding_truly_is_read(encoding: str) -> None:
    declared = "" if encoding == "utf-8-sig" else f"<?xml version='1.0' encoding='{encoding}'?>"
    content = f"{declared}<article><body><p>café ± 5</p></body></article>".encode(encoding)
    assert reading_of(jats.read, content).text == "café ± 5"


def test_white_space_before_a_document_is_no_damage() -> None:
    content = "\n  <?xml version='1.0'?>\n<article><body><p>x</p></body></article>"
    assert reading_of(jats.read, content).text == "x"


def test_sections_as_deep_as_the_parser_goes_are_read() -> None:
    deep = "<sec><title>T</title>" * 240
    assert reading_of(jats.read, f"<article><body>{deep}<p>x</p>{'</sec>' * 240}</body></article>").text.endswith("x")


@pytest.mark.parametrize(("tag", "why"), [("div", "hostile"), ("b", "hostile"), ("table><tr><td", "hostile")])
def test_a_page_nested_without_end_is_hostile(tag: str, why: Unfit) -> None:
    assert unparsed(html.read, f"<{tag}>" * 100_000 + "x").why == why


def test_a_page_with_many_elements_beside_each_other_is_not() -> None:
    page = "<ul>" + "<li>one" * 2_000 + "</ul>" + "<p>a" * 2_000 + "<div>b</div>" * 2_000
    assert len(reading_of(html.read, page).text) > 8_000


def test_a_table_that_claims_a_million_columns_is_cut() -> None:
    cell = "<td colspan='1000000' rowspan='1000000'>x</td>"
    reading = reading_of(
        jats.read, f"<article><body><table-wrap><table>{f'<tr>{cell}</tr>' * 5}</table></table-wrap></body></article>"
    )
    assert max(len(row) for row in reading.tables[0].rows) < 1_010
