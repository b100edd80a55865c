"""The numbers that no comparison took: a cell of the row that is named, a sum, a mean, a share, or a range."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from backedge.ask.numbers.amounts import Amount
from backedge.ask.numbers.english import BEHIND_A_NUMBER
from backedge.ask.numbers.lines import CLASSES, Label, Named, pattern
from backedge.ask.numbers.reader import Reader
from backedge.ask.numbers.sheet import stem
from backedge.ask.shape import Field

_SUM = re.compile(
    r"\b(?:totals?|totall?(?:ed|ing)|in all|in total|altogether|overall|combined"
    r"|together|sums?|add(?:s|ed|ing)? up|both)\b",
    re.IGNORECASE,
)
_MEAN = re.compile(r"\b(?:averag(?:e|es|ed|ing)|mean|on average)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:median|percentile|quartile|standard deviation|variance|typical(?:ly)?|per capita|cumulative(?:ly)?)\b",
    re.IGNORECASE,
)
_SHARE = pattern(
    r"\b(?:accounts?|accounted|accounting|represents?|represented|makes? up|made up|making up|contribut\w+|share)\b"
    r"|\bof (?:the |all |its )*(?:total|whole|sum|<C>)|<N> of (?:the |all )*(?:total|<C>)"
)
_PER = pattern(
    r"\b(?:per|an? (?=day|week|month|quarter|year|hour))\b ?[^\W\d_]*"
    r"|\b(?:daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|hourly)\b|(?<=<N>) each\b"
)
_RANGE = pattern(
    r"(?:rang\w+|between|vary|varies|varied|spread)[^.;<]{0,30}?(?P<low><N>)"
    r"(?: (?:(?:in|for|at) )?\(?(?P<a><L>)\)?)? (?:to|and) (?P<high><N>)(?: (?:(?:in|for|at) )?\(?(?P<b><L>)\)?)?"
)
_AFTER = re.compile(r"^ ?(?:[-–] ?)?(?P<word>[^\W\d_]+)")


def judge_values(reader: Reader) -> None:
    """Prove every number that is left, or refuse it."""
    _rates(reader)
    if match := _OTHER.search(reader.line.text):
        raise reader.refuse(
            "claim_unproven", match.start(), f"{match[0]!r} is not computed here", "leave it out", match.end()
        )
    for match in _RANGE.finditer(reader.line.text):
        _range(reader, match)
    _paired(reader)
    for at, item in list(reader.line.each("N")):
        if reader.open(at) and isinstance(item, Amount):
            _after(reader, at)
            _one(reader, at, item)
    for at, _ in list(reader.line.each("T")):
        if reader.open(at):
            _part(reader, at)
    for at, _ in list(reader.line.each("D")):
        _day(reader, at)


def _rates(reader: Reader) -> None:
    """ "per order", "a month": another quantity, unless the question or the measure is one; "each" is a mean's own."""
    for match in _PER.finditer(reader.line.text):
        words = re.findall(r"[^\W\d_]+", match[0])
        own = bool(words) and stem(words[-1]) in reader.sheet.known and words[-1].lower() != "per"
        mean = words == ["each"] and re.search(r"\baverage of $", reader.line.text[: match.start() - 1])
        if not own and not mean:
            raise reader.refuse(
                "claim_unproven", match.start(), "makes a rate of the number", "leave it out", match.end()
            )


def _after(reader: Reader, at: int) -> None:
    """The noun behind a number is a measure's, or the question's own."""
    match = _AFTER.match(reader.line.text[at + 1 :])
    if match is None or match["word"].lower() in BEHIND_A_NUMBER or stem(match["word"]) in reader.sheet.known:
        return
    raise reader.refuse("unit_unknown", at, f"counts {match['word']!r}, which the result does not", "name the measure")


def _range(reader: Reader, match: re.Match[str]) -> None:
    """ "from 416 in Italy to 2,498 in France": the ends of a measure over all rows."""
    low, high = match.start("low"), match.start("high")
    measure = reader.measure(low)
    values = [] if measure is None else _known(reader, range(len(reader.sheet.table.rows)), measure)
    if measure is None or not values or not reader.sheet.whole:
        raise reader.refuse(
            "claim_unproven", low, "is a range of no measure, or of rows of which some are missing", "name it"
        )
    for at, (row, value), name in (
        (low, min(values, key=lambda v: v[1]), "a"),
        (high, max(values, key=lambda v: v[1]), "b"),
    ):
        label = reader.line.items.get(match[name] or "")
        rows = [r for r, v in values if v == value]
        named = reader.sheet.rows({label.group.name: label.cell}) if isinstance(label, Label) else rows
        if not reader.sheet.says(reader.number(at), measure, value) or not set(named) & set(rows):
            raise reader.refuse("number_wrong", at, "is not that end of the range", "copy the lowest and the highest")
        word = "lowest" if name == "a" else "highest"
        reader.prove(at, value, reader.cells(rows, measure), f"{word} of {measure.name}", reader.exact(row, measure))


def _known(reader: Reader, rows: Sequence[int], measure: Field) -> list[tuple[int, Fraction]]:
    return [(row, value) for row in rows if (value := reader.sheet.value(row, measure)) is not None]


def _paired(reader: Reader) -> None:
    """ "A, B and C had 1, 2 and 3": each its own."""
    numbers = pattern(r"<N>(?:(?:,? and |, )<N>)+")
    for match in numbers.finditer(reader.line.text):
        run = reader.runs(match.start())
        at_numbers = [at for at, _ in reader.line.each("N") if match.start() <= at < match.end()]
        labels = reader.labels(*run[-1]) if run else []
        if not labels or not all(map(reader.open, at_numbers)):
            continue
        if len(labels) != len(at_numbers):
            raise reader.refuse(
                "row_unclear", at_numbers[0], "has not as many numbers as names", "pair names with numbers"
            )
        measure = reader.measure(at_numbers[0], reader.number(at_numbers[0]))
        for at, (_, label) in zip(at_numbers, labels, strict=True):
            rows = reader.sheet.rows({**reader.carried, label.group.name: label.cell})
            _cell(reader, at, rows[0] if len(rows) == 1 else None, measure)


def _cell(reader: Reader, at: int, row: int | None, measure: Field | None) -> None:
    if measure is None:
        raise reader.refuse("measure_unclear", at, "is of no measure that is named", "name the measure and its unit")
    if row is None:
        raise reader.refuse("row_unclear", at, "is of no row that is named", "name the row beside its number")
    value = reader.sheet.value(row, measure)
    if value is None or not reader.sheet.says(reader.number(at), measure, value):
        said = "no value" if value is None else reader.exact(row, measure)
        raise reader.refuse(
            "number_wrong", at, f"is not {measure.words} of its row, {said}", "copy the value, in its unit"
        )
    reader.prove(at, value, reader.cells([row], measure), exact=reader.exact(row, measure))


def _one(reader: Reader, at: int, amount: Amount) -> None:
    """One number: a share, a mean, a sum, or a cell, as the words of its part say."""
    if (amount.percent or amount.points) and (_SHARE.search(_near(reader, at)) or _bracketed(reader, at)):
        _share(reader, at, amount, amount.percent)
        return
    measure, rows = reader.measure(at, amount), _meant(reader, at)
    words = _near(reader, at)
    mean = _mean(reader, at, words, measure)
    summed = bool(_SUM.search(words)) or any(i.total for i in _names(reader, at))
    if measure is None or (not mean and (len(rows) == 1 or not (summed or _run(reader, at)))):
        _cell(reader, at, reader.row(at), measure)
        return
    if mean:
        _averaged(reader, at, amount, measure, rows)
        return
    if not summed:
        raise reader.refuse("row_unclear", at, "is of several rows: of each, or together?", 'say "together"')
    _summed(reader, at, amount, measure, rows)


def _bracketed(reader: Reader, at: int) -> bool:
    """ "2,498 (50%)": a percent behind a number is its share, where nothing in the result is a percent itself."""
    behind = re.search(rf"{CLASSES['N']} \($", reader.line.text[:at])
    return bool(behind) and not any(reader.sheet.unit(m) == "%" for m in reader.sheet.shape.measures)


def _near(reader: Reader, at: int) -> str:
    """The words of a number's own part of the sentence, and of the parts without numbers around it."""
    parts = reader.segments()
    here = next(n for n, (s, e) in enumerate(parts) if s <= at < e)
    holds = [bool(re.search(CLASSES["N"], reader.line.text[s:e])) for s, e in parts]
    first = here
    while first and not holds[first - 1]:
        first -= 1
    last = here
    while last + 1 < len(parts) and not holds[last + 1]:
        last += 1
    return reader.line.text[parts[first][0] : parts[last][1]]


def _names(reader: Reader, at: int) -> list[Named]:
    near = _near(reader, at)
    return [item for _, item in reader.line.each("C") if isinstance(item, Named) and _char(reader, item) in near]


def _char(reader: Reader, item: Named) -> str:
    return next(char for char, other in reader.line.items.items() if other is item)


def _mean(reader: Reader, at: int, words: str, measure: Field | None) -> bool:
    """Whether a mean over rows is meant; a measure that is an average itself is not averaged again."""
    if measure is not None and (reader.sheet.kinds.get(measure.name) == "average" or _MEAN.search(measure.words)):
        return False
    return bool(_MEAN.search(words)) or any(item.mean for item in _names(reader, at))


def _run(reader: Reader, at: int) -> bool:
    """Whether several names joined by "and" stand before a number, as its subject."""
    return _subject(reader, at) is not None


def _subject(reader: Reader, at: int) -> tuple[int, int] | None:
    free = [span for span in reader.runs(at) if not re.search(CLASSES["N"], reader.line.text[span[1] : at])]
    return free[-1] if free else None


def _meant(reader: Reader, at: int) -> tuple[int, ...]:
    """The rows that a number is about: of the names joined before it, of the one name, or all."""
    if (run := _subject(reader, at)) is not None:
        labels = reader.labels(*run)
        return tuple(row for _, label in labels for row in reader.sheet.rows({label.group.name: label.cell}))
    bound = reader.bound(at)
    return reader.sheet.rows(bound) if bound is not None else ()


def _summed(reader: Reader, at: int, amount: Amount, measure: Field, rows: tuple[int, ...]) -> None:
    if not reader.sheet.adds_up(measure):
        raise reader.refuse("not_a_sum", at, f"adds up {measure.words}, whose sum means nothing", "leave it out")
    _all(reader, at, rows)
    total = sum((value for _, value in _known(reader, rows, measure)), Fraction())
    if not rows or not reader.sheet.says(amount, measure, total):
        raise reader.refuse("number_wrong", at, "is not the sum", "compute it, or leave it out")
    whole = len(rows) == len(reader.sheet.table.rows)
    computation, cells = (f"sum of {measure.name}", ()) if whole else ("sum of cells", reader.cells(rows, measure))
    reader.prove(at, total, cells, computation)


def _averaged(reader: Reader, at: int, amount: Amount, measure: Field, rows: tuple[int, ...]) -> None:
    known = _known(reader, rows, measure)
    if len(rows) < 2 or len(known) < len(rows) or not reader.sheet.adds_up(measure):
        raise reader.refuse(
            "claim_unproven", at, "is a mean of one row, of averages, or over missing values", "leave it out"
        )
    _all(reader, at, rows)
    mean = sum((value for _, value in known), Fraction()) / len(known)
    if not reader.sheet.says(amount, measure, mean):
        raise reader.refuse("number_wrong", at, "is not the mean of the rows", "compute it, or leave it out")
    reader.prove(at, mean, reader.cells(rows, measure), "mean of cells")


def _all(reader: Reader, at: int, rows: tuple[int, ...]) -> None:
    """A sum or a mean over all rows needs all of them, unless it says that it is of these."""
    these = re.search(r"\b(?:these|those|them|shown|listed)\b", reader.line.text, re.IGNORECASE)
    named = len(
        {row for _, label in reader.labels() for row in reader.sheet.rows({label.group.name: label.cell})}
    ) == len(rows)
    if not (reader.sheet.whole or these or named):
        raise reader.refuse(
            "not_all_rows", at, "is computed over rows of which some are missing", "say that it is of these"
        )


def _share(reader: Reader, at: int, amount: Amount, percent: bool) -> None:
    """A part of the total over all rows: of a measure that adds up, without negative values."""
    measure, rows = reader.measure(at), _meant(reader, at)
    if measure is None or (reader.sheet.unit(measure) == "%" and len(rows) == 1):
        _cell(reader, at, rows[0] if len(rows) == 1 else None, measure)
        return
    every = _known(reader, range(len(reader.sheet.table.rows)), measure)
    total = sum((value for _, value in every), Fraction())
    if not reader.sheet.adds_up(measure) or not reader.sheet.whole or total <= 0 or any(v < 0 for _, v in every):
        raise reader.refuse("not_a_share", at, "is a share of what does not add up here", "leave it out")
    part = sum((value for _, value in _known(reader, rows, measure)), Fraction()) / total
    if not rows or len(rows) == len(every) or amount.points or not amount.fits(part * (100 if percent else 1)):
        raise reader.refuse("number_wrong", at, "is not its share of the total", "compute it, or leave it out")
    computation = f"share of {measure.name}" if len(rows) == 1 else "share of cells"
    reader.prove(at, part * 100, reader.cells(rows, measure), computation)


def _part(reader: Reader, at: int) -> None:
    """ "half of the total": a share in words; any other multiple that is left compares with nothing."""
    if not _SHARE.search(_near(reader, at)):
        raise reader.refuse("claim_unproven", at, "is a multiple of nothing that is named", "name both rows")
    _share(reader, at, reader.multiple(at).amount, percent=False)


def _day(reader: Reader, at: int) -> None:
    for row, name in reader.day(at).cells:
        field = reader.sheet.shape.field(name)
        if row == reader.row(at) and field is not None:
            reader.prove(at, None, ((row, name),), exact=reader.exact(row, field))
            return
    raise reader.refuse("number_wrong", at, "is not a day of the row that is named", "copy the day")
