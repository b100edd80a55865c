"""Evidence Inference 2.0 as files: articles as our reader reads them, valid quotations, and ways to change one."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from backedge.adapters.reading import jats
from backedge.evidence.places import LocatedText
from backedge.evidence.reading import Reading

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "evidence_inference"
REASON = "../shared/data/evidence_inference is not here"
_UP_DOWN = {
    "increased": "decreased",
    "decreased": "increased",
    "higher": "lower",
    "lower": "higher",
    "greater": "smaller",
    "reduced": "raised",
    "improved": "worsened",
    "increase": "decrease",
    "decrease": "increase",
    "reduction": "rise",
    "longer": "shorter",
    "shorter": "longer",
}
_DIRECTION = re.compile(rf"\b({'|'.join(_UP_DOWN)})\b")


@dataclass(frozen=True)
class Picked:
    """A quotation that doctors picked from an article."""

    article: str
    text: str


@cache
def articles() -> dict[str, LocatedText]:
    """The articles by their number."""
    found = {}
    for path in sorted((DATA / "xml").glob("PMC*.nxml")):
        read = jats.read(path.read_bytes(), path.name)
        assert isinstance(read, Reading), path
        found[path.stem.removeprefix("PMC")] = LocatedText(read)
    return found


@cache
def picked() -> tuple[Picked, ...]:
    """The quotations with valid reasoning of those articles."""
    with (DATA / "v2_annotations.csv").open(encoding="utf-8", newline="") as file:
        return tuple(
            Picked(row["PMCID"], row["Annotations"])
            for row in csv.DictReader(file)
            if row["PMCID"] in articles() and row["Valid Reasoning"] == "True" and row["Annotations"].strip()
        )


def changed(text: str) -> Iterator[tuple[str, str]]:
    """Ways to change what a quotation says: the kind of the change, and the quotation with it."""
    for found in re.finditer(r"\d", text):
        yield "digit", text[: found.start()] + str((int(found.group()) + 1) % 10) + text[found.end() :]
    for found in re.finditer(r"\b(?:was|were|is|are|did|had)\b", text):
        yield "insert not", text[: found.end()] + " not" + text[found.end() :]
    for found in re.finditer(r"\b(?:not|no)\s+", text):
        yield "drop negation", text[: found.start()] + text[found.end() :]
    for found in _DIRECTION.finditer(text):
        yield "direction", text[: found.start()] + _UP_DOWN[found.group()] + text[found.end() :]
    for found in re.finditer(r"[<>=\u2264\u2265]", text):
        yield "comparator", text[: found.start()] + (">" if found.group() != ">" else "<") + text[found.end() :]
    for found in re.finditer(r"(?<![\w.])[-\u2212\u2013](?=\d)", text):
        yield "sign", text[: found.start()] + text[found.end() :]
    for found in re.finditer(r"(?<=\d)\.(?=\d)", text):
        yield "decimal point", text[: found.start()] + text[found.end() :]
