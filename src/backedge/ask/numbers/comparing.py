"""Claims that set two rows beside each other: more than, twice as much as, the difference between."""

from __future__ import annotations

import re
from fractions import Fraction

from backedge.ask.numbers.changes import differing
from backedge.ask.numbers.lines import pattern
from backedge.ask.numbers.reader import Reader
from backedge.ask.shape import Field

_MORE = r"more|higher|larger|bigger|greater|better|longer|faster"
_LESS = r"less|fewer|lower|smaller|worse|shorter|slower"
_THAN = pattern(
    rf"\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b(?P<of>[^,.;]{{0,40}}?)\bthan\b(?P<gap>[^,.;]{{0,40}}?)(?P<b><L>)"
)
_OVER = pattern(r"\b(?:(?P<more>above|ahead of)|(?P<less>below|behind))\b (?P<gap>(?:that of |the )?)(?P<b><L>)")
_GAP = pattern(
    r"\b(?:difference|gap)\b[^,.;]{0,40}?\bbetween (?:the )?<L> and (?:the )?(?P<b><L>)[^,.;]{0,20}?(?P<n><N>)"
)
_TIMES = pattern(r"(?P<t><T>)(?P<gap>[^.;]{0,60}?)(?P<b><L>)")
_MORE_NAMES = pattern(r"(?:,? (?:and|or|nor) |, )<L>(?!.*<N>)")
_PART = pattern(r"(?P<n><N>) of (?:what |that of |the <C> (?:of|in) )?(?P<b><L>)")
_CLOSE = pattern(r" ?(?:(?:<C>|of|the) ?){0,3}")
_SHARE = re.compile(r" of (?:the |all )*(?:total|whole)\b")
_COMPARATIVE = re.compile(
    rf"\b(?:{_MORE}|{_LESS}|than|exceeds|exceeded|outsold|outperform\w*|beats?|beat|trails?|trailed|behind|ahead|above|below"
    r"|difference|gap|as \w+ as|similar\w*|equal\w*)\b",
    re.I,
)


def judge_comparisons(reader: Reader) -> None:
    """Check every comparison of two rows; a comparative that is left compares with nothing."""
    for match in _TIMES.finditer(reader.line.text):
        if reader.open(match.start("t")) and _compares(reader, match):
            _times(reader, match)
    for form in (_THAN, _OVER):
        for match in form.finditer(reader.line.text):
            if reader.open(match.start()):
                _than(reader, match)
    for match in _PART.finditer(reader.line.text):
        if (
            reader.open(match.start("n"))
            and reader.number(match.start("n")).percent
            and reader.labels(0, match.start("n"))
        ):
            _percent_of(reader, match)
    for match in _GAP.finditer(reader.line.text):
        _gap(reader, match)
    for match in _COMPARATIVE.finditer(reader.line.text):
        if reader.open(match.start(), match.end()):
            message = "compares with nothing that is named"
            raise reader.refuse("claim_unproven", match.start(), message, "name both rows", match.end())


def _compares(reader: Reader, match: re.Match[str]) -> bool:
    """Whether a multiple stands between two names; "half of the total" and a change do not."""
    at = match.start("t")
    before = re.search(r"\b(?:is|are|was|were) $", reader.line.text[:at])
    changed = reader.multiple(at).change and not before
    return not changed and bool(reader.labels(0, at)) and not _SHARE.match(match["gap"])


def _rows(reader: Reader, match: re.Match[str]) -> tuple[int, int]:
    """The two rows: the name behind, and the last one of its grouping before; what else is named holds for both."""
    at = match.start("b")
    other = reader.labels(at, at + 1)[0][1]
    ones = [label for _, label in reader.labels(0, at) if label.group == other.group]
    if _MORE_NAMES.match(reader.line.text[at + 1 :]):
        raise reader.refuse("row_unclear", at, "is one of several that are compared with", "compare with one at a time")
    rest = {label.group.name: label.cell for _, label in reader.labels() if label.group != other.group}
    several = len({(i.group.name, i.cell) for _, i in reader.labels() if i.group != other.group}) > len(rest)
    labels = [ones[-1], other] if ones else []
    found = [reader.sheet.rows({**reader.carried, **rest, label.group.name: label.cell}) for label in labels]
    if not ones or several or any(len(rows) != 1 for rows in found):
        raise reader.refuse("row_unclear", at, "is set beside a row that is not clear", "name two rows")
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
    reader.take(at, match.start("b"))


def _than(reader: Reader, match: re.Match[str]) -> None:
    word = "more" if match["more"] else "less"
    at = match.start(word)
    measure, rows = _measure(reader, at), _rows(reader, match)
    one, other = _values(reader, rows, measure, at)
    sign = 1 if word == "more" else -1
    if (one - other) * sign <= 0:
        raise reader.refuse("direction_wrong", at, "is not how the two compare", "turn it round", match.end(word))
    for place in _right_before(reader, at):
        amount = reader.number(place)
        change, computation = differing(reader, amount, measure, one, other)
        if change is None or not amount.fits(abs(change)):
            message = "is not the difference of the two"
            raise reader.refuse("number_wrong", place, message, "compute it, or leave it out")
        reader.prove(place, change, reader.cells(rows, measure), computation)
    reader.take(at, match.start("b"))


def _percent_of(reader: Reader, match: re.Match[str]) -> None:
    """ "A sold 67% of what B sold": how large one is in percent of the other."""
    at = match.start("n")
    measure, rows = _measure(reader, at), _rows(reader, match)
    one, other = _values(reader, rows, measure, at)
    if other <= 0 or not reader.number(at).fits(100 * one / other):
        raise reader.refuse("number_wrong", at, "is not how large one is of the other", "compute it, or leave it out")
    reader.prove(at, 100 * one / other, reader.cells(rows, measure), "percent of cells")


def _right_before(reader: Reader, at: int) -> list[int]:
    """The number that a comparative counts by: "10 more", "10 of sales more"."""
    places = [place for place, _ in reader.line.each("N") if place < at and reader.open(place)]
    return places[-1:] if places and _CLOSE.fullmatch(reader.line.text[places[-1] + 1 : at]) else []


def _gap(reader: Reader, match: re.Match[str]) -> None:
    at = match.start("n")
    measure, rows = _measure(reader, at), _rows(reader, match)
    one, other = _values(reader, rows, measure, at)
    change, computation = differing(reader, reader.number(at), measure, one, other)
    if change is None or reader.number(at).percent or not reader.number(at).fits(abs(change)):
        raise reader.refuse("number_wrong", at, "is not the difference of the two", "compute it, or leave it out")
    reader.prove(at, abs(change), reader.cells(rows, measure), computation)
    reader.take(match.start(), match.end())
