"""The evidence demo, served; and what of a page's values is also in its JSON, at the place that the page names."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from fastapi.testclient import TestClient
from selectolax.lexbor import LexborHTMLParser

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.opening_evidence import open_evidence
from backedge.demo.evidence import FIRST, NOTICE, make_evidence

T = TypeVar("T")
REVIEWER = {"cookie": "backedge_name=rita"}
SECOND = {"cookie": "backedge_name=sam"}


def made_evidence(folder: Path) -> Path:
    """The demo with its papers ingested, and the notice that retracts one; nothing is investigated."""
    make_evidence(folder)
    run_apart(lambda: _ingested(folder))
    return folder


def run_apart(begun: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What a coroutine returns; in a thread of its own, since a browser's loop runs in that of the tests."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(lambda: asyncio.run(begun())).result()


async def _ingested(folder: Path) -> None:
    app = open_evidence(folder)
    try:
        for papers in (FIRST, (NOTICE,)):
            await ingested(app, [f"papers/{paper}" for paper in papers])
    finally:
        await app.close()


async def ingested(app: EvidenceApp, names: list[str]) -> None:
    """Ingest files of the project."""
    named = await app.named(names)
    await app.drive_all(await app.begin(named.asked, by="rita"), lambda _told: None)


def page(made: TestClient, path: str, who: dict[str, str] = REVIEWER) -> tuple[LexborHTMLParser, Any]:
    """A page, parsed, and its JSON; every value that the page says it shows is that of the JSON at that place."""
    address, _, query = path.partition("?")
    told = made.get(f"{address}.json?{query}", headers=who)
    shown = made.get(path, headers=who)
    assert (told.status_code, shown.status_code) == (200, 200), (path, told.text[:500], shown.text[:500])
    parsed, data = LexborHTMLParser(shown.text), json.loads(told.text)
    places = parsed.css("[data-at]")
    assert places, path
    for node in places:
        at = node.attributes["data-at"] or ""
        assert plain(node.text()) == plain(str(value_at(data, at))), (path, at)
    return parsed, data


def value_at(data: Any, place: str) -> Any:
    """What stands at `facets.0.name`."""
    for part in place.split("."):
        data = data[int(part)] if isinstance(data, list) else data[part]
    return data


def places_of(parsed: LexborHTMLParser) -> set[str]:
    """The places that a page shows, with the numbers left out."""
    return {re.sub(r"\.\d+(?=\.|$)", ".*", node.attributes["data-at"] or "") for node in parsed.css("[data-at]")}


def shown_all(parsed: LexborHTMLParser, data: Any, *wanted: str) -> None:
    """Every value of the JSON at these places (`facets.*.name`) is on the page, and there is one at least."""
    there = {node.attributes["data-at"] for node in parsed.css("[data-at]")}
    for pattern in wanted:
        needed = set(_places(data, pattern.split("."), ""))
        assert needed, f"there is no {pattern}"
        assert needed <= there, (pattern, needed - there)


def _places(data: Any, parts: list[str], at: str) -> list[str]:
    if not parts:
        return [at]
    head, *rest = parts
    if head == "*":
        return [place for number, each in enumerate(data) for place in _places(each, rest, f"{at}.{number}")]
    return _places(data[head], rest, f"{at}.{head}" if at else head)


def text_at(parsed: LexborHTMLParser, selector: str) -> str:
    """The text of the first such element. Fails where there is none."""
    node = parsed.css_first(selector)
    assert node is not None, selector
    return node.text()


def plain(text: str) -> str:
    """A text without its line ends and doubled spaces, as a page shows it."""
    return " ".join(text.split())


def copy_of(folder: Path, to: Path) -> Path:
    """The project with all its runs and contents, so that a test may write."""
    return Path(shutil.copytree(folder, to))
