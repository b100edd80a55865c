"""Reading of contents: pages of PDF against pypdf and bare pdfium, XML documents against bare lxml, in turn."""

from __future__ import annotations

import asyncio
import io
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pypdfium2
from lxml import etree

from backedge.adapters.reading import jats, pdf
from backedge.adapters.reading.opening import ContentReader
from tests.adapters.reading import written_pdf

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
ROUNDS = 5
WORDS = ("the mice that were", "given the drug", "grew by twelve", "per cent", "in the light", "of the lamp")


def written() -> bytes:
    """A paper of 30 pages in two columns, for machines without the shared data."""

    def column(page: int, x: float) -> bytes:
        rows = [" ".join(WORDS[(page + row + at) % 6] for at in range(3)) for row in range(55)]
        return written_pdf.lines(x, 740, rows, 10)

    return written_pdf.pdf(*[column(page, 50) + column(page, 320) for page in range(30)])


def papers() -> list[bytes]:
    """Real papers where the shared data are, else the written one."""
    names = ("pdfjs/tracemonkey", "py-pdf/multicolumn", "py-pdf/pdflatex-4-pages", "py-pdf/pdflatex-outline")
    paths = [SHARED / "pdf_samples" / f"{name}.pdf" for name in names]
    return [path.read_bytes() for path in paths if path.exists()] or [written()]


def articles() -> list[bytes]:
    """JATS articles of the shared data."""
    return [path.read_bytes() for path in sorted(SHARED.glob("jats_plos/*.xml"))]


def by_pdfium(contents: Sequence[bytes]) -> None:
    """The texts alone, as pdfium gives them."""
    for content in contents:
        document = pypdfium2.PdfDocument(content)
        for number in range(len(document)):
            document[number].get_textpage().get_text_range()
        document.close()


def by_pypdf(contents: Sequence[bytes]) -> None:
    """The texts by pypdf."""
    from pypdf import PdfReader  # type: ignore[import-not-found, unused-ignore]

    for content in contents:
        for page in PdfReader(io.BytesIO(content)).pages:
            page.extract_text()


def by_us(contents: Sequence[bytes]) -> None:
    """Text, sections, metadata and issues, in this process."""
    for content in contents:
        pdf.read(content, "")


def by_lxml(contents: Sequence[bytes]) -> None:
    """The trees alone."""
    for content in contents:
        etree.fromstring(content)


def by_our_jats(contents: Sequence[bytes]) -> None:
    """Text, sections, tables and metadata."""
    for content in contents:
        jats.read(content, "")


def through_children(contents: Sequence[bytes]) -> Callable[[Sequence[bytes]], None]:
    """Two warm children; what is timed is reading with them."""
    loop, reader = asyncio.new_event_loop(), ContentReader()

    async def read(some: Sequence[bytes]) -> None:
        await asyncio.gather(*(reader.read(content, "", "") for content in some))

    loop.run_until_complete(read([*contents[:2], *contents[:2]]))
    return lambda some: loop.run_until_complete(read(some))


def timed(ways: dict[str, Callable[[Sequence[bytes]], None]], contents: Sequence[bytes]) -> dict[str, float]:
    """Median seconds of each way, the ways in turn."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            began = time.perf_counter()
            way(contents)
            found[name].append(time.perf_counter() - began)
    return {name: statistics.median(times) for name, times in found.items()}


def table(what: str, amount: int, seconds: dict[str, float], ours: str) -> Iterator[str]:
    """Lines of a table: how much a second, and how that stands to ours."""
    yield f"{what:36}  per second  ours is faster by"
    for name, taken in seconds.items():
        yield f"{name:36}  {amount / taken:10.1f}  {taken / seconds[ours]:17.2f}"


def main() -> None:
    """Print both tables."""
    contents = papers()
    pages = sum(len(pypdfium2.PdfDocument(content)) for content in contents)
    ways: dict[str, Callable[[Sequence[bytes]], None]] = {
        "ours": by_us,
        "ours, in two children": through_children(contents),
        "pdfium, text only": by_pdfium,
    }
    try:
        by_pypdf(contents[:1])
        ways["pypdf, text only"] = by_pypdf
    except ImportError:
        print("pypdf is not installed and left out: uv run --with pypdf==7.1.1 python -m benchmarks.parsing")
    print("\n".join(table(f"PDF, pages ({pages})", pages, timed(ways, contents), "ours")))
    if not (documents := articles()):
        sys.exit("the shared data sets are not here: no XML documents to read")
    ways = {"ours": by_our_jats, "ours, in two children": through_children(documents), "lxml, tree only": by_lxml}
    print("\n".join(table(f"JATS, documents ({len(documents)})", len(documents), timed(ways, documents), "ours")))


if __name__ == "__main__":
    main()
