"""The pages of questions in a real browser: every state without a violation, live, by keyboard, narrow and wide."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest
from playwright.sync_api import Browser, Page, expect

from backedge.assemble import open_app
from backedge.demo.shop import make_shop
from tests.web.browsing import NARROW, WIDE, overflows, paged, violations
from tests.web.kit import listening

pytestmark = pytest.mark.browser
T = TypeVar("T")
QUESTIONS = {
    "answered": "Monthly net revenue in 2025",
    "waiting": "Revenue by country",
    "cannot": "Why is the sky blue?",
    "cancelled": "Revenue by segment",
    "markup": '<script>alert("x")</script> שלום עולם',
}


def elsewhere(work: Coroutine[None, None, T]) -> T:
    """The result of a coroutine that runs beside the browser's own loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("browsed")
    make_shop(made)
    return made


@pytest.fixture(scope="module")
def runs(folder: Path) -> dict[str, str]:
    """A run in each state."""
    return elsewhere(_runs(folder))


async def _runs(folder: Path) -> dict[str, str]:
    app = open_app(folder)
    found = {}
    for name, text in QUESTIONS.items():
        found[name] = await app.ask(text, by="ann")
        await app.driver.drive(found[name])
    await app.driver.cancel(found["cancelled"], by="ann", reason="stopped by a person")
    many = (
        'select row_number() over () as n, a.quantity from "order_items.csv" a cross join "customers.csv" b limit 10000'
    )
    found["many"] = await app.ask("Many rows", by="ann", sql=many)
    await app.driver.drive(found["many"])
    found["failed"] = await app.ask("How many orders?", by="ann", sql="select 1 as n", database="nosuch")
    await app.driver.drive(found["failed"])
    await app.close()
    return found


@pytest.fixture(scope="module")
def address(folder: Path, runs: dict[str, str]) -> Iterator[str]:
    with listening(folder) as found:
        yield found


@pytest.fixture(scope="module")
def running(folder: Path, address: str) -> str:
    """A run that another process began, and that nobody drives yet."""

    async def begin() -> str:
        app = open_app(folder)
        run_id = await app.ask("Top 5 products by units sold", by="ann")
        await app.close()
        return run_id

    return elsewhere(begin())


@pytest.mark.parametrize("state", ["ask", "examples", "compare", "replay", "running", *QUESTIONS, "many", "failed"])
@pytest.mark.parametrize(("size", "scheme"), [(NARROW, "light"), (WIDE, "dark")], ids=["narrow", "wide"])
def test_every_state_is_whole(
    browser: Browser, address: str, runs: dict[str, str], running: str, state: str, size: dict[str, int], scheme: str
) -> None:
    special = {
        "ask": "/ask",
        "examples": "/examples",
        "compare": f"/compare?a={runs['answered']}&b={runs['waiting']}",
        "replay": f"/runs/{runs['answered']}/replay?at=4",
        "running": f"/runs/{running}",
    }
    with paged(browser, address, viewport=size, color_scheme=scheme) as page:
        page.goto(special.get(state) or f"/runs/{runs[state]}")
        if state == "answered":
            page.wait_for_selector("figure[data-drawn]")
        assert (violations(page), overflows(page)) == ([], False)


def test_a_question_is_asked_answered_and_followed_by_keyboard(browser: Browser, address: str) -> None:
    with paged(browser, address) as page:
        page.goto("/ask")
        page.get_by_label("Your question").focus()
        page.keyboard.type("Revenue by country")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_label("net revenue", exact=False).first.focus()
        page.keyboard.press("Space")
        page.get_by_role("button", name="Answer").press("Enter")
        expect(page.get_by_role("heading", name="Answer")).to_be_visible()
        figure = page.locator("a.figure").last
        figure.focus()
        assert page.locator("td.lit").count() >= 1
        page.get_by_label("A question that follows this one").fill("and in 2024?")
        page.get_by_role("button", name="Ask").click()
        expect(page.get_by_role("heading", name="Thread")).to_be_visible()


def test_a_run_is_followed_to_its_answer(browser: Browser, address: str, folder: Path) -> None:
    async def begin() -> str:
        app = open_app(folder)
        found = await app.ask("Monthly net revenue in 2024", by="ann")
        await app.close()
        return found

    async def drive(run_id: str) -> None:
        app = open_app(folder)
        await app.driver.drive(run_id)
        await app.close()

    run_id = elsewhere(begin())
    with paged(browser, address) as page:
        page.goto(f"/runs/{run_id}")
        expect(page.get_by_role("status").first).to_have_text("Running")
        elsewhere(drive(run_id))
        expect(page.get_by_role("heading", name="Answer")).to_be_visible(timeout=15_000)
        page.wait_for_selector("figure[data-drawn]")
        seen = page.locator("#trace > li").evaluate_all("lines => lines.map(line => line.dataset.seq)")
        assert seen == [str(at) for at in range(len(seen))]
        assert len(seen) > 5


def test_the_chart_changes_its_kind_and_is_loaded_only_where_there_is_one(
    browser: Browser, address: str, runs: dict[str, str]
) -> None:
    with paged(browser, address) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"/runs/{runs['waiting']}")
        page.wait_for_load_state("load")
        assert [url for url in asked if "vega" in url] == []
        page.goto(f"/runs/{runs['answered']}")
        page.wait_for_selector("figure[data-drawn=line]")
        page.get_by_label("Shown as").select_option("bar")
        page.wait_for_selector("figure[data-drawn=bar]")
        assert page.locator("figure canvas").count() == 1


def test_many_rows_are_shown_page_by_page(browser: Browser, address: str, runs: dict[str, str]) -> None:
    with paged(browser, address) as page:
        page.goto(f"/runs/{runs['many']}")
        assert page.locator("tbody tr").count() == 100
        page.get_by_role("link", name="Last").click()
        expect(page.locator("#c-9999-0")).to_be_visible()


def test_stopping_and_going_back(browser: Browser, address: str) -> None:
    with paged(browser, address) as page:
        page.goto("/ask")
        page.get_by_label("Your question").fill("Revenue by segment")
        page.get_by_role("button", name="Ask").dblclick()
        expect(page.get_by_role("heading", name="A question back")).to_be_visible()
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("status").first).to_have_text("Cancelled")
        page.goto("/ask")
        assert page.get_by_label("Your question").input_value() == ""
        page.go_back()
        expect(page.get_by_role("status").first).to_have_text("Cancelled")


def test_the_pages_work_without_scripts(browser: Browser, address: str) -> None:
    with paged(browser, address, java_script_enabled=False) as page:
        page.goto("/ask")
        page.get_by_label("Your question").fill("Revenue by country")
        page.get_by_role("button", name="Ask").click()
        _until(page, "A question back")
        page.get_by_label("net revenue", exact=False).first.check()
        page.get_by_role("button", name="Answer").click()
        _until(page, "Table")
        assert page.locator("#c-0-0").is_visible()


def _until(page: Page, heading: str) -> None:
    """Look again, as a person without scripts does."""
    for _ in range(50):
        if page.get_by_role("heading", name=heading).count():
            return
        page.wait_for_timeout(100)
        page.reload()
    raise AssertionError(f"{heading} never came")
