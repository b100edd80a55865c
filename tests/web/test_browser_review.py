"""The review pages in a real browser: whole in every size and scheme, and worked by keys alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from backedge.assembling.investigating import Investigations
from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.reviewing import reviews_of
from backedge.cli.demo_investigation import investigated
from backedge.demo.evidence import REQUEST
from backedge.serving_evidence import Data, ServedEvidence
from tests.web.browsing import NARROW, WIDE, overflows, paged, violations
from tests.web.kit import listening
from tests.web.reviewed import copy_of, made_evidence, run_apart

pytestmark = pytest.mark.browser
LISTS = ("", "/queue", "/investigations", "/sources", "/ingests", "/search?q=fasting+glucose+in+mice")
PARTS = ("", "/facets", "/questions", "/gaps", "/packages", "/candidates", "/design")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The demo with an approved design and an investigation at its facets; the paths of its pages."""
    folder = made_evidence(tmp_path_factory.mktemp("evidence"))
    return folder, run_apart(lambda: _investigated(folder))


async def _investigated(folder: Path) -> list[str]:
    app = open_evidence(folder)
    try:
        done = await investigated(app, lambda _does: None)
        investigations = Investigations(app)
        open_ = await investigations.drive(await investigations.start(REQUEST, by="rita"))
        (waits,) = await reviews_of(app).queue(5)
    finally:
        await app.close()
    record = waits.state.record
    span = record.spans[0][0]
    own = [f"/records/{record.key}", f"/sources/{record.source}"]
    own.append(f"/sources/{record.version}/text?start={span.start}&end={span.end}")
    parts = [f"/investigations/{done.id}{part}" for part in PARTS] + [f"/investigations/{open_.id}/facets"]
    return [f"/review{path}" for path in (*LISTS, *own, *parts)]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
def test_every_page_is_whole(
    browser: Browser, made: tuple[Path, list[str]], tmp_path: Path, scheme: str, size: dict[str, int]
) -> None:
    folder, paths = made
    with (
        listening(copy_of(folder, tmp_path / "own")) as address,
        paged(browser, address, viewport=size, color_scheme=scheme) as page,
    ):
        found = {}
        for path in paths:
            page.goto(path)
            page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
            found[path] = (violations(page), overflows(page))
    assert {path: wrong for path, wrong in found.items() if wrong != ([], False)} == {}


@pytest.mark.slow
def test_a_record_is_decided_by_keys_alone(browser: Browser, made: tuple[Path, list[str]], tmp_path: Path) -> None:
    folder, _ = made
    with listening(copy_of(folder, tmp_path / "own")) as address, paged(browser, address) as page:
        page.context.add_cookies([{"name": "backedge_name", "value": "rita", "url": address}])
        page.goto("/review/queue")
        page.keyboard.press("n")
        page.wait_for_url("**/review/records/*")
        record = page.url
        page.keyboard.press("f")
        assert page.evaluate("document.activeElement.name") == "statement"
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("r")
        assert page.evaluate("document.activeElement.id") == "reason"
        page.keyboard.type("the paper says may, and r a s n are letters here")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("r")
        page.wait_for_url("**/review/queue?done=*")
        assert "rejected" in page.locator("[role=status]").inner_text()
        _the_other_tab(page, record)


def _the_other_tab(page: Page, record: str) -> None:
    """What a second tab that was opened before sends is refused in place, and focus goes to the reason."""
    page.goto(record)
    page.evaluate("document.querySelector('input[name=seen]').value = '1'")
    page.keyboard.press("a")
    page.wait_for_selector("#refused")
    assert "somebody was quicker" in page.locator("#refused").inner_text()
    assert page.evaluate("document.activeElement.id") == "refused"
    assert violations(page) == []


@pytest.mark.slow
def test_ingests_are_shown_as_they_go_on(
    browser: Browser, made: tuple[Path, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []

    async def going_on(_self: ServedEvidence, limit: int) -> Data:
        looks.append(limit)
        status = "running" if len(looks) < 3 else "ingested"
        line = dict.fromkeys(("run", "asked", "stage", "why", "updated"), "x")
        return {"ingests": [{**line, "status": status, "parts": 1, "records": len(looks)}], "more": False}

    monkeypatch.setattr(ServedEvidence, "ingests", going_on)
    with listening(copy_of(made[0], tmp_path / "own")) as address, paged(browser, address) as page:
        page.goto("/review/ingests")
        assert page.locator("[data-at='ingests.0.status']").inner_text() == "running"
        page.locator("[data-at='ingests.0.status']", has_text="ingested").wait_for()
        assert page.locator("[data-at='ingests.0.records']").inner_text() == "3"
        page.wait_for_timeout(2500)
    assert len(looks) == 3
