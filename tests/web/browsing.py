"""A real browser over the pages: Debian's Chromium by Playwright, with axe; nothing but the server may be reached."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = Path(os.environ.get("BACKEDGE_CHROMIUM", "/usr/bin/chromium"))
AXE = (Path(__file__).parent / "vendor" / "axe-4.14.1.min.js").read_text(encoding="utf-8")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NARROW = {"width": 320, "height": 640}
WIDE = {"width": 1280, "height": 900}


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser. Where there is none the test is skipped with the reason; in CI it fails."""
    if not CHROMIUM.exists():
        said = f"there is no browser at {CHROMIUM}; install Debian's chromium, or set BACKEDGE_CHROMIUM"
        if os.environ.get("CI"):
            pytest.fail(said)
        pytest.skip(said)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def paged(browser: Browser, address: str, **settings: Any) -> Iterator[Page]:
    """A page that may reach nothing but `address`: what else it asks for, and what its console says, fails the test."""
    context = browser.new_context(base_url=address, **{"viewport": WIDE, **settings})
    elsewhere: list[str] = []
    said: list[str] = []
    host = urlsplit(address).netloc
    page = context.new_page()
    page.on("request", lambda request: _note(elsewhere, request.url, host))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text) if _matters(message.type, message.text) else None)
    try:
        yield page
        assert (elsewhere, said) == ([], [])
    finally:
        context.close()


def _note(elsewhere: list[str], url: str, host: str) -> None:
    if urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).netloc != host:
        elsewhere.append(url)


def _matters(kind: str, text: str) -> bool:
    """A refused form answers 4xx, which Chromium tells as an error of the console."""
    return kind == "error" and "Failed to load resource" not in text


def violations(page: Page) -> list[str]:
    """What axe finds wrong with the page as it is now, with where."""
    page.evaluate(AXE)
    found = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [f"{each['id']}: {node['target']} {node['failureSummary']}" for each in found for node in each["nodes"]]


def overflows(page: Page) -> bool:
    """Whether the page scrolls sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
