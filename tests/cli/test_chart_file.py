"""`--chart FILE`: a picture that says what it shows, a page that needs no network, and errors that say what to do."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from backedge.adapters.pictures import vega
from tests.cli.projects import backedge, make_project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("charts"))


@pytest.fixture
def drawing() -> None:
    pytest.importorskip("vl_convert", reason="the extra `charts` is not installed")


BY_REGION = "sales by region"


@pytest.mark.usefixtures("drawing")
def test_an_svg_is_labelled_and_holds_every_name(project: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    ended = backedge("ask", BY_REGION, "--project", project, "-q", "--chart", file)
    assert (ended.code, ended.err) == (0, f"chart written to {file}\n")
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    assert root.get("role") == "img"
    assert "Bar chart of total amount by region" in (root.get("aria-label") or "")
    said = " ".join(root.itertext())
    assert all(name in said for name in (BY_REGION, "North", "South", "(no value)"))


@pytest.mark.usefixtures("drawing")
def test_a_png_is_one(project: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.PNG"
    assert backedge("ask", "order count", "--project", project, "-q", "--chart", file).code == 0
    assert file.read_bytes().startswith(b"\x89PNG\r\n")


class Page(HTMLParser):
    """The tags, the addresses and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href", "data", "action")]

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.usefixtures("drawing")
def test_a_page_needs_nothing_from_outside_and_has_picture_table_and_sql(project: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    assert backedge("ask", BY_REGION, "--project", project, "-q", "--chart", file).code == 0
    text = file.read_text(encoding="utf-8")
    page = Page(text)
    assert page.links == []
    assert not {"script", "link", "iframe", "img", "object"} & set(page.tags)
    assert not re.search(r"url\(\s*['\"]?(?!#)", text)
    assert "default-src 'none'" in text
    assert {"svg", "table", "caption", "h1"} <= set(page.tags)
    assert all(said in page.text for said in ("105.00", "30.75", "7.75", "no value", "SELECT"))


@pytest.mark.usefixtures("drawing")
def test_what_is_best_as_a_table_is_a_page_and_no_picture(project: Path, tmp_path: Path) -> None:
    question = ("ask", "sales and number of orders by region", "--project", project, "-q", "--chart")
    assert backedge(*question, tmp_path / "a.html").code == 0
    assert "<svg" not in (tmp_path / "a.html").read_text(encoding="utf-8")
    ended = backedge(*question, tmp_path / "a.svg")
    assert (ended.code, (tmp_path / "a.svg").exists()) == (1, False)
    assert "name an .html file" in ended.err


@pytest.mark.usefixtures("drawing")
def test_words_of_the_question_are_no_markup(project: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    backedge("ask", "sales by region for 'North'", "--project", project, "-q", "--chart", file)
    assert "<title>sales by region for &#x27;North&#x27;</title>" in file.read_text(encoding="utf-8")


@pytest.mark.usefixtures("drawing")
def test_without_an_answer_no_file_is_written(project: Path, tmp_path: Path) -> None:
    ended = backedge("ask", "sales by planet", "--project", project, "-q", "--chart", tmp_path / "a.svg")
    assert (ended.code, list(tmp_path.iterdir())) == (4, [])


@pytest.mark.usefixtures("drawing")
def test_a_file_that_cannot_be_written_says_so(project: Path, tmp_path: Path) -> None:
    ended = backedge("ask", "order count", "--project", project, "-q", "--chart", tmp_path / "none" / "a.svg")
    assert ended.code == 1
    assert "cannot be written: No such file or directory" in ended.err


def test_another_ending_is_a_wrong_use(project: Path, tmp_path: Path) -> None:
    ended = backedge("ask", "order count", "--project", project, "--chart", tmp_path / "a.pdf")
    assert ended.code == 2
    assert "does not end in .svg, .png, .html" in ended.err


def test_a_missing_extra_is_named_before_anything_is_asked(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vega, "find_spec", lambda _name: None)
    ended = backedge("ask", "order count", "--project", project, "--chart", tmp_path / "a.svg")
    assert (ended.code, ended.out) == (5, "")
    assert "pip install 'backedge[charts]'" in ended.err
