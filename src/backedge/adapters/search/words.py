"""Searching by words: BM25 with the counts that a snapshot has, whatever was added since."""

from __future__ import annotations

import math
import re
import sqlite3
from array import array
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

K1 = 1.2
B = 0.75
MOST = 300  # different words of a query that count: the first ones
# Words that say nothing of what a text is about. Written in capitals they may be names (hepatitis A, the gene WAS).
_STOP_WORDS = (
    "a an and are as at be but by for from has have if in into is it its no not of on or such that the their then"
    " there these they this to was were which will with"
)
_STOPPED = re.compile(rf"\b(?:{'|'.join(f'{w}|{w.capitalize()}' if w[1:] else w for w in _STOP_WORDS.split())})\b")
_WORD = re.compile(r"\w+")


def words_in(text: str) -> int:
    """How many words a text has: its length for BM25."""
    return sum(1 for _ in _WORD.finditer(text))


def terms(connection: sqlite3.Connection, query: str) -> Counter[str]:
    """The stems of a query as the index has them, stop words left out, with how often each is there.

    The query is data: nothing of it is read as an operator. Of more than `MOST` stems the first ones count.
    """
    connection.execute("INSERT INTO temp.asked(asked) VALUES ('delete-all')")
    connection.execute("INSERT INTO temp.asked(rowid, text) VALUES (1, ?)", (_STOPPED.sub(" ", query),))
    rows = "SELECT term, count(*) FROM temp.token GROUP BY term ORDER BY min(offset) LIMIT ?"
    return Counter(dict(connection.execute(rows, (MOST,)).fetchall()))


def scores(
    connection: sqlite3.Connection, asked: Counter[str], lengths: array[int], words: int, limit: int
) -> dict[int, float]:
    """BM25 by number from 1: at least of the best `limit` chunks that have any of the terms, and all that tie.

    `lengths` are the words of the chunks that are seen, `words` their sum: what was added later is not looked at.
    With numpy it is faster by several times, and the figures are the same to the last bit.
    """
    mean = words / len(lengths) if words else 1.0
    found = _by_hand if find_spec("numpy") is None else _with_numpy
    # One text for each term: a row for each occurrence would cost ten times what finding them does.
    rows = "SELECT group_concat(doc) FROM temp.place WHERE term = ? AND doc <= ?"
    places = {term: connection.execute(rows, (term, len(lengths))).fetchone()[0] for term in asked}
    return found([(often, places[term]) for term, often in asked.items() if places[term]], lengths, mean, limit)


def _weight(often: int, holding: int, seen: int) -> float:
    return often * math.log(1 + (seen - holding + 0.5) / (holding + 0.5)) * (K1 + 1)


def _by_hand(places: Sequence[tuple[int, str]], lengths: array[int], mean: float, limit: int) -> dict[int, float]:
    found: dict[int, float] = {}
    for often, told in places:
        counts = Counter(map(int, told.split(",")))
        weight = _weight(often, len(counts), len(lengths))
        for chunk, count in counts.items():
            full = count + K1 * (1 - B + B * lengths[chunk - 1] / mean)
            found[chunk] = found.get(chunk, 0.0) + weight * count / full
    return found


def _with_numpy(places: Sequence[tuple[int, str]], lengths: array[int], mean: float, limit: int) -> dict[int, float]:
    import numpy as np

    sizes: Any = K1 * (1 - B + B * np.frombuffer(lengths, dtype=np.uint32) / mean)
    found = np.zeros(len(lengths))
    for often, told in places:
        chunks, counts = np.unique(np.fromstring(told, dtype=np.int64, sep=","), return_counts=True)
        found[chunks - 1] += _weight(often, len(chunks), len(lengths)) * counts / (counts + sizes[chunks - 1])
    least = 0.0 if len(found) <= limit else float(np.partition(found, len(found) - limit)[len(found) - limit])
    best = np.flatnonzero((found >= least) & (found > 0))
    return {int(place) + 1: float(found[place]) for place in best}
