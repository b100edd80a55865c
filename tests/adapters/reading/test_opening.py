"""The reader's child processes: what a content does to them is told, and the next content is read all the same."""

from __future__ import annotations

import asyncio
import gzip
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import pytest

from backedge.adapters.reading import jats, pdf
from backedge.adapters.reading.opening import MEGABYTE, ContentReader, Limits
from backedge.evidence.reading import Reading, Unparsed
from backedge.kernel.defect import Permanent, Transient
from tests.adapters.reading import written_pdf as w

T = TypeVar("T")

PDF = w.pdf(w.text(72, 700, "Mice grow."), mapped={})
XML = (
    b"<article><front><article-meta><title-group><article-title>Mice</article-title></title-group>"
    b"</article-meta></front></article>"
)
RECORD = (
    b"<PubmedArticle><MedlineCitation><PMID>%d</PMID><Article><ArticleTitle>T%d</ArticleTitle></Article>"
    b"</MedlineCitation></PubmedArticle>"
)


@asynccontextmanager
async def reader(limits: Limits | None = None, children: int = 1) -> AsyncIterator[ContentReader]:
    opened = ContentReader(limits, children)
    try:
        yield opened
    finally:
        await opened.close()


def with_reader(use: Callable[[ContentReader], Awaitable[T]], limits: Limits | None = None) -> T:
    async def used() -> T:
        async with reader(limits) as opened:
            return await use(opened)

    return asyncio.run(used())


def test_contents_of_all_kinds_are_read_as_their_readers_read_them() -> None:
    async def use(opened: ContentReader) -> None:
        assert await opened.read(PDF, "", "a.pdf") == pdf.read(PDF, "")
        first = opened.children
        assert await opened.read(XML, "", "a.xml") == jats.read(XML, "")
        text = await opened.read(b"Mice grow.", "text/plain", "a.txt")
        assert isinstance(text, Reading)
        assert (await opened.describe(XML, "", "a.xml")).title == "Mice"
        assert (len(first), opened.children) == (1, first)  # the warm child read them all
        assert {part.partition("/")[0] for part in opened.version.split("+")} >= {"pdf", "jats", "text"}

    with_reader(use)


def test_a_child_stays_however_large_its_parent_is() -> None:
    held = bytearray(b"x") * (120 * MEGABYTE)  # more than the quarter of its cap from which a child is replaced

    async def use(opened: ContentReader) -> None:
        await opened.read(XML, "", "a.xml")
        first = opened.children
        await opened.read(XML, "", "a.xml")
        assert (len(first), opened.children) == (1, first)

    with_reader(use, Limits(memory=400 * MEGABYTE))
    assert len(held) > 100 * MEGABYTE


def test_what_is_too_large_starts_no_child() -> None:
    async def use(opened: ContentReader) -> None:
        found = await opened.read(PDF, "", "a.pdf")
        assert isinstance(found, Unparsed)
        assert (found.why, opened.children) == ("too_large", ())

    with_reader(use, Limits(size=len(PDF) - 1))


def test_a_content_that_needs_too_much_time_is_too_slow() -> None:
    slow = w.pdf(*[w.lines(10, 780, ["many words " * 20] * 60, 8)] * 1500)

    async def use(opened: ContentReader) -> None:
        found = await opened.read(slow, "", "a.pdf")
        assert isinstance(found, Unparsed), len(found.text)
        assert (found.why, "processor time" in found.message) == ("too_slow", True)
        assert isinstance(await opened.read(PDF, "", "b.pdf"), Reading)

    with_reader(use, Limits(processor=0.5))


def test_a_content_that_needs_too_much_memory_is_hostile() -> None:
    big = b"<article><body>" + b"<p/>" * 2_000_000 + b"</body></article>"

    async def use(opened: ContentReader) -> None:
        found = await opened.read(big, "", "a.xml")
        assert isinstance(found, Unparsed)
        assert (found.why, "memory" in found.message) == ("hostile", True), found
        assert isinstance(await opened.read(XML, "", "b.xml"), Reading)

    with_reader(use, Limits(memory=200 * MEGABYTE))


def test_a_child_that_is_ended_is_replaced() -> None:
    """From outside, the content is not at fault; after a crash it may be, and it is tried with a new child."""

    async def use(opened: ContentReader) -> None:
        await opened.read(XML, "", "a.xml")
        (child,) = opened.children
        os.kill(child, signal.SIGKILL)
        with pytest.raises(Transient, match="SIGKILL"):
            await opened.read(XML, "", "a.xml")
        assert isinstance(await opened.read(XML, "", "a.xml"), Reading)
        (second,) = opened.children
        os.kill(second, signal.SIGSEGV)
        assert isinstance(await opened.read(XML, "", "a.xml"), Reading)
        assert len({child, second, *opened.children}) == 3

    with_reader(use)


@pytest.mark.slow
def test_a_child_that_hangs_is_killed_at_the_deadline() -> None:
    async def use(opened: ContentReader) -> None:
        await opened.read(PDF, "", "a.pdf")
        (child,) = opened.children
        os.kill(child, signal.SIGSTOP)
        with pytest.raises(Transient, match="too busy"):
            await opened.read(PDF + b"\n" * MEGABYTE, "", "a.pdf")
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
        assert isinstance(await opened.read(PDF, "", "a.pdf"), Reading)

    with_reader(use, Limits(clock=5.0))


def test_whoever_is_cancelled_kills_the_child() -> None:
    async def use(opened: ContentReader) -> None:
        await opened.read(PDF, "", "a.pdf")
        (child,) = opened.children
        os.kill(child, signal.SIGSTOP)
        task = asyncio.create_task(opened.read(PDF, "", "a.pdf"))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert isinstance(await opened.read(PDF, "", "a.pdf"), Reading)
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)

    with_reader(use)


def test_a_set_is_taken_apart_into_a_file() -> None:
    many = b"<PubmedArticleSet>" + b"".join(RECORD % (n, n) for n in range(1, 1302)) + b"</PubmedArticleSet>"

    async def use(opened: ContentReader) -> None:
        with tempfile.TemporaryFile() as file:
            places = await opened.records(gzip.compress(many), file)
            assert list(places) == [str(n) for n in range(1, 1302)]
            at, size = places["1301"]
            record = os.pread(file.fileno(), size, at)
            found = await opened.read(record, "", "x.xml")
            assert isinstance(found, Reading)
            assert found.metadata.identifiers.pmid == "1301"
            with pytest.raises(Permanent, match="end"):
                await opened.records(many[:-40], file)

    with_reader(use)
