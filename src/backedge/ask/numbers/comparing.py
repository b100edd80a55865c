"""Claims that set two rows beside each other: more than, twice as much as, the difference between."""

from __future__ import annotations

import re
from fractions import Fraction

from backedge.ask.numbers.changes import differing
from backedge.ask.numbers.lines import Label, pattern
from backedge.ask.numbers.reader import Reader
from backedge.ask.shape import Field

_MORE = r"more|higher|larger|bigger|greater|better|longer|faster"
_LESS = r"less|fewer|lower|smaller|worse|shorter|slower"
_THAN = pattern(
    rf"(?P<a><L>)(?P<mid>[^.;]{{0,60}}?)\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b(?P<of>[^,.;]{{0,40}}?)\bthan\b(?P<gap>[^,.;]{{0,40}}?)(?P<b><L>)"
)
_OVER = pattern(r"(?P<a><L>)(?P<mid>[^.;]{0,60}?)\b(?:(?P<more>above|ahead of)|(?P<less>below|behind))\b (?P<gap>(?:that of |the )?)(?P<b><L>)")
_GAP = pattern(r"\b(?:difference|gap)\b[^,.;]{0,40}?\bbetween (?:the )?(?P<a><L>) and (?:the )?(?P<b><L>)[^,.;]{0,20}?(?P<n><N>)")
_TIMES = pattern(r"(?P<a><L>)(?P<mid>[^.;]{0,60}?)(?P<t><T>)(?P<gap>[^.;]{0,60}?)(?P<b><L>)")
_COMPARATIVE = re.compile(
    rf"\b(?:{_MORE}|{_LESS}|than|exceeds|exceeded|outsold|outperform\w*|beats?|beat|trails?|trailed|behind|ahead|difference|gap)\b", re.I
)


def judge_comparisons(reader: Reader) -> None:
    """Check every comparison of two rows; a comparative that is left compares with nothing."""
    for match in _TIMES.finditer(reader.line.text):
        if (reader.open(match.start("t")) and not reader.multiple(match.start("t")).change) or _double_of(reader, match):
            _times(reader, match)
    for form in (_THAN, _OVER):
        for match in form.finditer(reader.line.text):
            if reader.open(match.start("more") if match["more"] else match.start("less")):
                _than(reader, match)
    for match in _GAP.finditer(reader.line.text):
        _gap(reader, match)
    for match in _COMPARATIVE.finditer(reader.line.text):
        if reader.open(match.start(), match.end()):
            raise reader.refuse("claim_unproven", match.start(), "compares with nothing that is named", "name both rows", match.end())


def _double_of(reader: Reader, match: re.Match[str]) -> bool:
    """ "is double": a multiple, though the word may also tell of a change."""
    return reader.open(match.start("t")) and bool(re.search(r"\b(?:is|are|was|were) $", match["mid"]))


def _rows(reader: Reader, match: re.Match[str]) -> tuple[int, int]:
    """The two rows, which differ in one grouping; what else is named holds for both."""
    labels = [reader.line.items[match[name]] for name in ("a", "b")]
    one, other = (label for label in labels if isinstance(label, Label))
    rest = {l.group.name: l.cell for _, l in reader.labels() if l.group != one.group}
    found = [reader.sheet.rows({**reader.carried, **rest, label.group.name: label.cell}) for label in (one, other)]
    if one.group != other.group or any(len(rows) != 1 for rows in found):
        raise reader.refuse("row_unclear", match.start("b"), "is set beside a row that is not clear", "name two rows")
    return found[0][0], found[1][0]


def _measure(reader: Reader, at: int) -> Field:
    measure = reader.measure(at)
    if measure is None:
        raise reader.refuse("claim_unproven", at, "compares no measure that is named", "name it")
    return measure


def _values(reader: Reader, rows: tuple[int, int], measure: Field, at: int) -> tuple[Fraction, Fraction]:
    one, other = (reader.sheet.value(row, measure) for row in rows)
    if one is None or other is None:
        raise reader.refuse("claim_wrong", at, "compares a row without a value", "leave it out")
    return one, other


def _times(reader: Reader, match: re.Match[str]) -> None:
    at = match.start("t")
    if re.search(r"\b(?:more|less|higher|lower)\b", match["gap"]):
        raise reader.refuse("claim_unproven", at, '"times more" can be read in two ways', 'say "times as much as"')
    measure, rows = _measure(reader, at), _rows(reader, match)
    one, other = _values(reader, rows, measure, at)
    if other <= 0 or not reader.multiple(at).amount.fits(one / other):
        raise reader.refuse("number_wrong", at, "is not the multiple between the two", "compute it")
    reader.prove(at, one / other, reader.cells(rows, measure), "ratio of cells")
    reader.take(match.start("mid"), match.start("b"))


def _than(reader: Reader, match: re.Match[str]) -> None:
    word = "more" if match["more"] else "less"
    at = match.start(word)
    numbers = [place for place, _ in reader.line.each("N") if match.start() < place < match.start("b") and reader.open(place)]
    measure, rows = _measure(reader, at), _rows(reader, match)
    one, other = _values(reader, rows, measure, at)
    sign = 1 if word == "more" else -1
    if (one - other) * sign <= 0:
        raise reader.refuse("direction_wrong", at, "is not how the two compare", "turn it round", match.end(word))
    for place in numbers:
        amount = reader.number(place)
        change, computation = differing(reader, amount, measure, one, other)
        directly = re.fullmatch(r" ?(?:of |the )?", pattern(r"<C>").sub("", reader.line.text[place + 1 : at]).strip())
        if not directly:
            continue
        if change is None or not amount.fits(abs(change)):
            raise reader.refuse("number_wrong", place, "is not the difference of the two", "compute it, or leave it out")
        reader.prove(place, change, reader.cells(rows, measure), computation)
    reader.take(at, match.start("b"))


def _gap(reader: Reader, match: re.Match[str]) -> None:
    at = match.start("n")
    measure, rows = _measure(reader, at), _rows(reader, match)
    one, other = _values(reader, rows, measure, at)
    change, computation = differing(reader, reader.number(at), measure, one, other)
    if change is None or reader.number(at).percent or not reader.number(at).fits(abs(change)):
        raise reader.refuse("number_wrong", at, "is not the difference of the two", "compute it, or leave it out")
    reader.prove(at, abs(change), reader.cells(rows, measure), computation)
    reader.take(match.start(), match.end())
