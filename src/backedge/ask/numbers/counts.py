"""Claims of how many: numbers of groups, all, none, only, and how many of them are over a threshold."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from backedge.ask.numbers.lines import Things, pattern
from backedge.ask.numbers.reader import Reader
from backedge.ask.shape import Field
from backedge.ask.wording import plural

_SOME = pattern(r"(?P<part><N>) (?:of|out of) (?:the |all )?(?:(?P<all><N>) )?(?P<things><G>)")
_EVERY = pattern(
    r"\b(?P<word>all|every|each|both|no|none of(?: the)?)\b(?: the| of the)?(?: (?P<all><N>))? (?P<things><G>)"
)
_COUNT = pattern(r"(?P<all><N>) (?:(?:different|distinct) )?(?P<things><G>)")
_ONLY = pattern(r"\b(?:only|just)\b (?P<run><L>(?:(?:,? and |, )<L>)*)")
_LACKS = pattern(r"\b(?:no|without(?: any)?|lacks?|zero|nothing|none)\b(?: (?P<field><C>|value))?")
_QUANTIFIER = pattern(
    r"(?<!\bin )(?<!\bof )(?<!\bas )(?<!<N> )"
    r"\b(?:all|every|each|none|nobody|only|always|never|both|any|most of(?! all)|majority|several|many|few)\b"
)
_FOUND = re.compile(r"\b(?:no|nothing|none)\b.*\b(?:found|match|matches|matched)\b", re.IGNORECASE)
_TOP = re.compile(r"\b(?:top|bottom) $", re.IGNORECASE)
_DEFINITE = re.compile(r"\b(?:the|these|those|all|there (?:are|were)) $", re.IGNORECASE)
_THESE = re.compile(r"\b(?:these|those|shown|listed)\b", re.IGNORECASE)


def judge_counts(reader: Reader) -> None:
    """Check every claim of how many groups there are, or are so."""
    for match in _SOME.finditer(reader.line.text):
        _some(reader, match)
    for match in _EVERY.finditer(reader.line.text):
        if reader.open(match.start(), match.end()):
            _every(reader, match)
    for match in _ONLY.finditer(reader.line.text):
        _only(reader, match)
    for match in _COUNT.finditer(reader.line.text):
        at = match.start("all")
        if not reader.open(at) or _TOP.search(reader.line.text[:at]) or _lacking(reader, match):
            continue
        if not _DEFINITE.search(reader.line.text[:at]) and _threshold(reader, at) is not None:
            _so_many(reader, match)
        else:
            _whole_count(reader, at, _things(reader, match))
    _nothing(reader)
    for match in _QUANTIFIER.finditer(reader.line.text):
        if reader.open(match.start(), match.end()):
            hint = "say how many, and over which value"
            raise reader.refuse(
                "claim_unproven", match.start(), f"{match[0]!r} is not proven by the rows", hint, match.end()
            )


def _things(reader: Reader, match: re.Match[str]) -> Field:
    item = reader.line.items[match["things"]]
    assert isinstance(item, Things)
    return item.group


def _whole_count(reader: Reader, at: int, group: Field) -> None:
    """ "the four countries": as many as the result has, where none is missing, or "these"."""
    before = reader.line.text[max(at - 14, 0) : at]
    if not reader.sheet.whole and not _THESE.search(before):
        raise reader.refuse("not_all_rows", at, "counts groups of which some are missing", "say that these are shown")
    count = reader.sheet.counted(group)
    if reader.number(at).value != count or reader.number(at).hedge:
        raise reader.refuse(
            "number_wrong", at, f"is not the number of {plural(group.noun)}, {count}", "copy the number"
        )
    reader.prove(at, Fraction(count), (), f"distinct values of {group.name}")


def _threshold(reader: Reader, near: int) -> tuple[int, Field, Callable[[int], bool]] | None:
    """The condition of a sentence, "more than 1,000": its place, its measure, and whether a row meets it."""
    limits = [
        at
        for at, _ in reader.line.each("N")
        if reader.open(at) and reader.number(at).hedge in ("over", "under", "least", "most")
    ]
    if len(limits) != 1:
        return None
    at = limits[0]
    measure = reader.measure(at, reader.number(at))
    if measure is None:
        return None
    amount, sheet = reader.number(at), reader.sheet
    scale = 100 if amount.percent and sheet.fraction(measure) else 1
    if amount.points or (amount.percent and sheet.unit(measure) != "%"):
        return None

    def meets(row: int) -> bool:
        value = sheet.value(row, measure)
        return value is not None and amount.bounds(value * scale)

    return at, measure, meets


def _grouped(reader: Reader, at: int, group: Field) -> None:
    """A claim over groups needs a row for each, all of them."""
    if len(reader.sheet.shape.groups) != 1 or reader.labels():
        raise reader.refuse("claim_unproven", at, "speaks of groups that are several rows each", "name the rows")
    if not reader.sheet.whole:
        raise reader.refuse("not_all_rows", at, "speaks of all groups, and some are missing", "name the rows")


def _some(reader: Reader, match: re.Match[str]) -> None:
    at, group = match.start("part"), _things(reader, match)
    _grouped(reader, at, group)
    if match["all"]:
        _whole_count(reader, match.start("all"), group)
    reader.take(at, at + 1)
    found = _threshold(reader, match.start())
    if found is None:
        raise reader.refuse(
            "claim_unproven", at, "counts groups by a condition that cannot be checked", "give a threshold"
        )
    limit, measure, meets = found
    rows = [row for row in range(len(reader.sheet.table.rows)) if meets(row)]
    if reader.number(at).value != len(rows) or reader.number(at).hedge:
        raise reader.refuse("number_wrong", at, f"is not how many there are, {len(rows)}", "count the rows")
    reader.prove(at, Fraction(len(rows)), reader.cells(rows, measure), "count of cells")
    _asserted(reader, limit, rows, measure, match)


def _so_many(reader: Reader, match: re.Match[str]) -> None:
    """ "two countries, France and Germany, sold more than 1,000": just so many do, and those."""
    at, found = match.start("all"), _threshold(reader, match.start())
    assert found is not None
    limit, measure, meets = found
    if len(reader.sheet.shape.groups) != 1 or not reader.sheet.whole:
        raise reader.refuse(
            "not_all_rows", at, "counts groups that are several rows, or of which some are missing", "name them"
        )
    rows = [row for row in range(len(reader.sheet.table.rows)) if meets(row)]
    named = {row for _, label in reader.labels() for row in reader.sheet.rows({label.group.name: label.cell})}
    if reader.number(at).value != len(rows) or reader.number(at).hedge or (named and named != set(rows)):
        raise reader.refuse(
            "number_wrong", at, f"is not how many there are, {len(rows)}, or not those", "count the rows"
        )
    reader.prove(at, Fraction(len(rows)), reader.cells(rows, measure), "count of cells")
    _asserted(reader, limit, rows, measure, match)


def _asserted(reader: Reader, limit: int, rows: list[int], measure: Field, match: re.Match[str]) -> None:
    reader.prove(limit, reader.number(limit).value, reader.cells(rows, measure), "threshold")
    reader.take(match.start(), match.end())


def _every(reader: Reader, match: re.Match[str]) -> None:
    at, group = match.start(), _things(reader, match)
    word = match["word"].lower()
    if match["all"]:
        _whole_count(reader, match.start("all"), group)
    found = _threshold(reader, at)
    if found is None:
        ranked = reader.line.text[:at].endswith("of ")
        if word in ("all", "both") and match["all"] and (ranked or _spoken_of(reader)):
            reader.take(match.start(), match.end())
            return
        raise reader.refuse(
            "claim_unproven",
            at,
            "speaks of every group, by nothing that can be checked",
            "give a threshold",
            match.end(),
        )
    _grouped(reader, at, group)
    limit, measure, meets = found
    rows = list(range(len(reader.sheet.table.rows)))
    right = not any(map(meets, rows)) if word.startswith("no") else all(map(meets, rows))
    if not right or (word == "both" and len(rows) != 2):
        raise reader.refuse(
            "claim_wrong", at, "does not hold for every row", "name the rows that it holds for", match.end()
        )
    _asserted(reader, limit, rows, measure, match)


def _spoken_of(reader: Reader) -> bool:
    """Whether "all four countries" are only what a number in the sentence is of; that number is checked by itself."""
    return not reader.labels() and any(reader.open(at) for at, _ in reader.line.each("N"))


def _only(reader: Reader, match: re.Match[str]) -> None:
    labels = [i for _, i in reader.labels(match.start(), match.end())]
    found = _threshold(reader, match.start())
    if found is None or len(reader.sheet.shape.groups) != 1 or not reader.sheet.whole:
        raise reader.refuse(
            "claim_unproven", match.start(), '"only" needs a threshold and all rows', "leave it out", match.end()
        )
    limit, measure, meets = found
    rows = [row for row in range(len(reader.sheet.table.rows)) if meets(row)]
    named = {row for label in labels for row in reader.sheet.rows({label.group.name: label.cell})}
    if set(rows) != named:
        raise reader.refuse(
            "claim_wrong", match.start(), "others are so too, or these are not", "name all of them", match.end()
        )
    _asserted(reader, limit, rows, measure, match)


def _lacking(reader: Reader, match: re.Match[str]) -> bool:
    """ "one region has no revenue": as many rows have nothing or zero there."""
    found = pattern(r"^ (?:has|have|had|with) no (?P<field><C>)").match(reader.line.text[match.end() :])
    if found is None:
        return False
    at = match.start("all")
    _grouped(reader, at, _things(reader, match))
    place = match.end() + found.start("field")
    measure = reader.measure(place)
    rows = [] if measure is None else _without(reader, list(range(len(reader.sheet.table.rows))), measure)
    if measure is None or reader.number(at).value != len(rows):
        raise reader.refuse("number_wrong", at, f"is not how many have none, {len(rows)}", "count the rows")
    reader.prove(at, Fraction(len(rows)), reader.cells(rows, measure), "count of cells")
    reader.take(match.start(), match.end() + found.end())
    return True


def _without(reader: Reader, rows: list[int], measure: Field) -> list[int]:
    return [row for row in rows if not reader.sheet.value(row, measure)]


def _nothing(reader: Reader) -> None:
    """ "West had no orders": the row that is named has none; without rows, that nothing was found."""
    for match in _LACKS.finditer(reader.line.text):
        if not reader.open(match.start(), match.end()):
            continue
        if not reader.sheet.table.rows and _FOUND.search(reader.line.text):
            reader.take(match.start(), match.end())
            continue
        measure, row = reader.measure(match.start()), reader.row(match.start())
        value = None if row is None or measure is None else reader.sheet.value(row, measure)
        if row is None or measure is None or value or (value is not None and match["field"] == "value"):
            raise reader.refuse(
                "claim_wrong",
                match.start(),
                "says that there is nothing, which the rows do not",
                "say the value",
                match.end(),
            )
        reader.take(match.start(), match.end())
