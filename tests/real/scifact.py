"""SciFact as files: abstracts as lists of sentences, claims with the abstracts they cite, and nDCG@10."""

from __future__ import annotations

import ast
import csv
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data" / "scifact"
REASON = "../shared/data/scifact is not here"
_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


@dataclass(frozen=True)
class Abstract:
    """One of the 5,183."""

    id: str
    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its sentences put together again."""
        return " ".join(self.sentences)


def abstracts() -> Iterator[Abstract]:
    """All of them, in the order of the file."""
    csv.field_size_limit(10_000_000)
    with (DATA / "corpus_train.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            told = [str(ast.literal_eval(found.group())).strip() for found in _LITERAL.finditer(row["abstract"])]
            yield Abstract(row["doc_id"], row["title"], tuple(filter(None, told)))


def claims() -> dict[str, frozenset[str]]:
    """The 300 claims, each with the ids of the abstracts that it cites."""
    found: dict[str, frozenset[str]] = {}
    with (DATA / "claims_validation.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found[row["claim"]] = frozenset(re.findall(r"\d+", row["cited_doc_ids"]))
    return found


def ndcg(ranked: Sequence[str], relevant: frozenset[str], depth: int = 10) -> float:
    """The discounted gain of the first `depth`, over the best that there could be."""
    gain = sum(1 / math.log2(place + 2) for place, id_ in enumerate(ranked[:depth]) if id_ in relevant)
    return gain / sum(1 / math.log2(place + 2) for place in range(min(depth, len(relevant))))
