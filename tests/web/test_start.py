"""The demo in a browser begins with an answered question, a waiting one and a filled queue, once and for all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser
from selectolax.lexbor import LexborHTMLParser

from backedge.cli.demo_served import seed
from backedge.demo.served import ANSWERED, WAITING, make_served
from backedge.demo.shop import DemoError, make_shop
from tests.cli.projects import backedge
from tests.web.browsing import NARROW, WIDE, overflows, paged, violations
from tests.web.kit import client, listening
from tests.web.reviewed import REVIEWER, plain, run_apart

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("served") / "demo"
    make_served(made)
    run_apart(lambda: seed(made))
    return made


@pytest.fixture(scope="module")
def pages(folder: Path) -> Iterator[TestClient]:
    with client(folder) as made:
        yield made


def test_the_first_page_has_all_three_and_links_to_them(pages: TestClient) -> None:
    found = pages.get("/index.json", headers=REVIEWER).json()
    assert [line["asked"] for line in found["ended"]] == [ANSWERED]
    assert [line["asked"] for line in found["waiting"]] == [WAITING]
    assert sorted(line["what"] for line in found["queue"]["waiting"]) == ["record", "sufficiency", "sufficiency"]
    parsed = LexborHTMLParser(pages.get("/", headers=REVIEWER).text)
    main = parsed.css_first("main")
    assert main is not None
    links = {node.attributes["href"]: node.text() for node in main.css("a")}
    assert links[f"/runs/{found['ended'][0]['id']}"] == ANSWERED
    assert links[f"/runs/{found['waiting'][0]['id']}"] == WAITING
    for line in found["queue"]["waiting"]:
        assert line["statement"] in links.values()
    assert [href for href in links if href and pages.get(href, headers=REVIEWER).status_code != 200] == []


def test_the_answer_and_the_question_are_there(pages: TestClient) -> None:
    found = pages.get("/index.json", headers=REVIEWER).json()
    ended, waiting = (pages.get(f"/runs/{found[name][0]['id']}", headers=REVIEWER) for name in ("ended", "waiting"))
    assert "starts at 101,633.27" in plain(LexborHTMLParser(ended.text).text())
    assert "Which measure does 'revenue' mean?" in plain(LexborHTMLParser(waiting.text).text())


def test_a_second_start_adds_nothing(folder: Path, pages: TestClient) -> None:
    before = pages.get("/runs.json?limit=500", headers=REVIEWER).json()
    make_served(folder)
    run_apart(lambda: seed(folder))
    assert pages.get("/runs.json?limit=500", headers=REVIEWER).json() == before


def test_a_folder_with_other_files_is_left_alone(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    ended = backedge("demo", "--serve", tmp_path)
    assert (ended.code, "it holds other files" in ended.err, len(list(tmp_path.iterdir()))) == (2, True, 1)
    with pytest.raises(DemoError, match="add --serve"):
        make_shop(folder)


@pytest.mark.parametrize("given", [("evidence", "x", "--serve"), ("x", "--port", "0"), ("x", "--no-browser")])
def test_options_that_do_not_fit_are_refused(given: tuple[str, ...], tmp_path: Path) -> None:
    ended = backedge("demo", *given)
    assert (ended.code, "backedge demo --serve" in ended.err) == (2, True)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
def test_the_first_page_is_whole_in_every_size(
    folder: Path, browser: Browser, size: dict[str, int], scheme: str
) -> None:
    with listening(folder) as address, paged(browser, address, viewport=size, color_scheme=scheme) as page:
        page.goto("/")
        assert (violations(page), overflows(page)) == ([], False)
        page.get_by_role("link", name=WAITING).click()
        assert page.get_by_text("Which measure does 'revenue' mean?").count() > 0
