"""Fixtures of the pages' tests: a browser for a file of tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.browsing import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium. It ends with its file: Playwright keeps an event loop running as long as it lives."""
    with chromium() as opened:
        yield opened
