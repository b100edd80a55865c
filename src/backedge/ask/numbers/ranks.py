"""Claims of rank: who is highest, second, first in time, ahead of whom; and the top few in their order."""

from __future__ import annotations

import re
from fractions import Fraction

from backedge.ask.numbers.lines import CLASSES, Label, Place, pattern
from backedge.ask.numbers.reader import Reader
from backedge.ask.shape import Field

_HIGH = r"highest|largest|biggest|greatest|most|best|strongest|maximum|peak(?:s|ed)?|top|leads?|led|leading|leader"
_LOW = (
    r"lowest|smallest|least|fewest|worst|weakest|minimum|bottom"
    r"|(?:is|are|was|were|comes?|came|ranks?|ranked|finishe[sd]) last"
)
_SUPERLATIVE = pattern(rf"(?:(?P<place><R>)[- ](?:the )?)?\b(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))\b")
_TOP = pattern(r"\b(?P<word>top|bottom)\b (?P<count><N>)(?: (?:<G>|<C>|by|for|of|in|on|are|is|were|:))*")
_ENDS = pattern(r"\b(?:the )?(?P<word><R>|last|latest|earliest|most recent)(?: <G>)? (?:is|was|:) (?P<label><L>)")
_AFTER = pattern(r"(?:followed by|ahead of|before)(?: the)? (?P<label><L>)")
_THESE = re.compile(
    r"\b(?:of|among|amongst) (?:these|those|them|the (?:rows|ones) (?:shown|listed|here))\b|\bshown\b|\blisted\b", re.I
)


def judge_ranks(reader: Reader) -> None:
    """Check every claim of rank in the sentence."""
    _tops(reader)
    _ends(reader)
    for match in _SUPERLATIVE.finditer(reader.line.text):
        if reader.open(match.start(), match.end()):
            place = reader.line.items.get(match["place"] or "")
            number = place.place if isinstance(place, Place) else 1
            _superlative(reader, match.span(), number, "lowest" if match["low"] else "highest")
    for at, item in list(reader.line.each("R")):
        if reader.open(at) and isinstance(item, Place):
            _superlative(reader, (at, at + 1), item.place, "highest")
    _afterwards(reader)


def _tops(reader: Reader) -> None:
    """ "the top two are A and B": as many as said, the highest, in their order."""
    for match in _TOP.finditer(reader.line.text):
        at = match.start("count")
        run = re.search(
            rf"{CLASSES['L']}(?:(?:,? and |, | & |[^,;]{{0,3}}\(?{CLASSES['N']}\)?){{1,3}}{CLASSES['L']})*",
            reader.line.text[match.end() :],
        )
        count, labels = reader.number(at).value, [i for _, i in reader.labels(match.end())]
        measure = reader.measure(at)
        if run is None or measure is None or len(labels) != count:
            raise reader.refuse(
                "rank_wrong", at, "the number of those that are named is another", "name as many as are said"
            )
        word = "highest" if match["word"].lower() == "top" else "lowest"
        _complete(reader, at, word)
        rows = [_row(reader, label) for label in labels]
        ranks = [_rank(reader, row, measure, word) for row in rows]
        if ranks != list(range(1, len(rows) + 1)):
            raise reader.refuse(
                "rank_wrong", at, f"these are not the {match['word']} {count} in their order", "name them in order"
            )
        reader.prove(at, Fraction(count), reader.cells(rows, measure), "count of cells")
        reader.take(match.start(), match.end())


def _row(reader: Reader, label: Label) -> int:
    rows = reader.sheet.rows({label.group.name: label.cell})
    if len(rows) != 1:
        raise reader.refuse("row_unclear", 0, "a name stands for several rows", "name one row")
    return rows[0]


def _ends(reader: Reader) -> None:
    """ "the first month is L": of a grouping by time, its first or last."""
    for match in _ENDS.finditer(reader.line.text):
        label = reader.line.items[match["label"]]
        place = reader.line.items.get(match["word"])
        if not isinstance(label, Label) or not label.group.time or (isinstance(place, Place) and place.place != 1):
            continue
        _complete(reader, match.start(), "")
        cells = sorted(
            {row[label.group.index] for row in reader.sheet.table.rows if row[label.group.index] is not None}
        )
        first = isinstance(place, Place) or match["word"].lower() == "earliest"
        if label.cell != cells[0 if first else -1]:
            raise reader.refuse(
                "rank_wrong", match.start("label"), "is not at that end of time", "name the first or last"
            )
        reader.take(match.start(), match.end())


def _superlative(reader: Reader, span: tuple[int, int], number: int, word: str) -> None:
    """One "highest": the row that is named near it has that rank, alone."""
    at = span[0]
    measure = reader.measure(at)
    row = _subject(reader, span)
    if measure is None or row is None:
        _unnamed(reader, span, number, word, measure)
        return
    _complete(reader, at, word)
    rank = _rank(reader, row, measure, word)
    if rank != number:
        said = "no value" if rank is None else f"place {rank}, or shares it" if rank else "shared"
        raise reader.refuse(
            "rank_wrong", at, f"the row has {said} by {measure.words}", "name the row that has the rank", span[1]
        )
    reader.take(*span)


def _subject(reader: Reader, span: tuple[int, int]) -> int | None:
    """The row of a superlative: that of its own part, else of the next name behind it, else of the only name."""
    start, end = reader.segment(span[0])
    if not reader.labels(start, end) and (behind := reader.labels(end)) and not reader.labels(0, start):
        return reader.row(behind[0][0])
    return reader.row(span[0])


def _unnamed(reader: Reader, span: tuple[int, int], number: int, word: str, measure: Field | None) -> None:
    """ "the highest sales were 2,498": no row is named, so a number in the sentence must be the extreme."""
    amounts = [at for at, _ in reader.line.each("N") if reader.open(at) and at > span[0]]
    if measure is None or reader.labels() or not amounts or number != 1:
        raise reader.refuse(
            "claim_unproven", span[0], "says a rank without naming its row and measure", "name both", span[1]
        )
    _complete(reader, span[0], word)
    values = [v for row in range(len(reader.sheet.table.rows)) if (v := reader.sheet.value(row, measure)) is not None]
    best = (max if word == "highest" else min)(values, default=None)
    if best is None or not reader.sheet.says(reader.number(amounts[0]), measure, best):
        raise reader.refuse("number_wrong", amounts[0], f"is not the {word} of {measure.words}", "copy the value")
    rows = [row for row in range(len(reader.sheet.table.rows)) if reader.sheet.value(row, measure) == best]
    reader.prove(
        amounts[0], best, reader.cells(rows, measure), f"{word} of {measure.name}", reader.exact(rows[0], measure)
    )
    reader.take(*span)


def _complete(reader: Reader, at: int, word: str) -> None:
    """A rank over a part of the rows is a rank only among these, unless the rest was cut off at the other end."""
    if len(reader.sheet.table.rows) == 1 and reader.sheet.direction != word:
        raise reader.refuse("claim_unproven", at, "ranks the only row", "leave it out")
    cut = reader.sheet.table.truncated is not None or (reader.sheet.direction and reader.sheet.direction != word)
    these = _THESE.search(reader.line.text)
    if cut and not these:
        raise reader.refuse("not_all_rows", at, "ranks rows of which some are missing", "say that it is of these rows")


def _rank(reader: Reader, row: int, measure: Field, word: str) -> int | None:
    """The place of a row; 0 where it shares it, None where it has no value."""
    own = reader.sheet.value(row, measure)
    if own is None:
        return None
    others = [reader.sheet.value(r, measure) for r in range(len(reader.sheet.table.rows)) if r != row]
    known = [value for value in others if value is not None]
    if own in known:
        return 0
    return 1 + sum(value > own if word == "highest" else value < own for value in known)


def _afterwards(reader: Reader) -> None:
    """ "A, followed by B": B is right behind A; "ahead of B": somewhere behind."""
    for match in _AFTER.finditer(reader.line.text):
        at = match.start("label")
        before = reader.labels(0, at)
        measure = reader.measure(at)
        if not before or measure is None:
            raise reader.refuse("claim_unproven", at, "follows nothing that is named", "name both rows")
        rows = [_row(reader, label) for label in (before[-1][1], reader.labels(at)[0][1])]
        ranks = [_rank(reader, row, measure, "highest") for row in rows]
        first, second = ranks[0] or 0, ranks[1] or 0
        directly = match[0].lower().startswith("followed")
        if not 0 < first < second or (directly and second != first + 1):
            raise reader.refuse("rank_wrong", at, "is not behind the one before it", "name rows in their order")
        reader.take(match.start(), match.start("label"))
