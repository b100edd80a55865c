"""Tells where the lines of a PDF page may stand in a wrong order: two columns read across, right-to-left text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from backedge.adapters.reading.pdf_pages import Box, Page

_SPLICES = 5  # lines at which the text of a page goes across the same gap
_WIDE = 0.15  # of the page: what stands on each side of the gap is wider
_GAP = 1.0  # heights of the letters: no gap between words is so wide
_ALIGNED = 4.0  # points
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def is_spliced(page: Page) -> bool:
    """Whether lines of two columns were probably read as one: many go on behind a wide gap, each at the same place."""
    places = Counter(round(left / _ALIGNED) for left in _crossings(page.runs, page.box.width * _WIDE))
    return any(places[place] + places[place + 1] >= _SPLICES for place in places)


def is_right_to_left(page: Page) -> bool:
    """Whether a tenth of it or more is of a script that runs from right to left."""
    text = "".join(line.text for line in page.lines)
    return len(_RIGHT_TO_LEFT.findall(text)) * 10 >= max(1, len(text))


def _crossings(runs: Sequence[Box], wide: float) -> Iterator[float]:
    """Where text begins that goes on, at the height of the text before it, behind a gap; both sides are wide."""
    rows = list(_rows(runs))
    for left, right in pairwise(rows):
        height = max(left.height, right.height)
        level = abs(left.bottom - right.bottom) < height * 0.6
        if level and left.width >= wide and right.width >= wide and right.left - left.right > _GAP * height:
            yield right.left


def _rows(runs: Sequence[Box]) -> Iterator[Box]:
    """Stretches that follow one another without a gap, as one."""
    row: Box | None = None
    for run in runs:
        if row is not None and _goes_on(row, run):
            row = Box(row.left, min(row.bottom, run.bottom), run.right, max(row.top, run.top))
            continue
        if row is not None:
            yield row
        row = run
    if row is not None:
        yield row


def _goes_on(row: Box, run: Box) -> bool:
    height = max(row.height, run.height)
    shift = min(abs(row.bottom - run.bottom), abs(row.top - run.top))
    return shift < height * 0.6 and -height < run.left - row.right <= _GAP * height
