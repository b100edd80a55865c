"""The foundation in a real browser: no violation, no other host, narrow and wide, light and dark, by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.browsing import NARROW, WIDE, overflows, paged, violations
from tests.web.kit import copied, listening

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with listening(copied(shop, tmp_path_factory.mktemp("served"))) as found:
        yield found


@pytest.mark.parametrize("path", ["/runs", "/me", "/runs/nosuchrun"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
def test_a_page_is_whole(browser: Browser, address: str, path: str, scheme: str, size: dict[str, int]) -> None:
    with paged(browser, address, viewport=size, color_scheme=scheme) as page:
        page.goto(path)
        assert (violations(page), overflows(page)) == ([], False)


def test_the_content_is_reached_by_keyboard(browser: Browser, address: str) -> None:
    with paged(browser, address) as page:
        page.goto("/runs")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "content"
