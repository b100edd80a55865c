"""Searching by words: BM25 with the counts that a snapshot has, whatever was added since."""

from __future__ import annotations

import math
import re
import sqlite3
from array import array
from collections import Counter
from collections.abc import Sequence

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
    connection: sqlite3.Connection, asked: Counter[str], lengths: Sequence[int] | array[int], words: int
) -> dict[int, float]:
    """BM25 of each chunk that has any of the terms, by its number from 1.

    `lengths` are the words of the chunks that are seen, `words` their sum: what was added later is not looked at.
    """
    found: dict[int, float] = {}
    seen = len(lengths)
    mean = words / seen if words else 1.0
    rows = "SELECT doc, count(*) FROM temp.place WHERE term = ? AND doc <= ? GROUP BY doc"
    for term, often in asked.items():
        places = connection.execute(rows, (term, seen)).fetchall()
        weight = often * math.log(1 + (seen - len(places) + 0.5) / (len(places) + 0.5)) * (K1 + 1)
        for chunk, count in places:
            full = count + K1 * (1 - B + B * lengths[chunk - 1] / mean)
            found[chunk] = found.get(chunk, 0.0) + weight * count / full
    return found
