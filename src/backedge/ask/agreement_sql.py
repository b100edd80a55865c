"""Whether SQL that a model wrote has the values, numbers and days that rules read of the question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from backedge.ask.grounding.periods import Period
from backedge.ask.grounding.understood import Numbered, Understood, Valued
from backedge.ask.grounding.words import fold
from backedge.kernel.defect import Defect
from backedge.query.sqlliterals import Literals

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def missing(said: Understood, answers: Understood, found: Literals) -> tuple[Defect, ...]:
    """What the question, or an answer of the person, says and no literal of the SQL stands for."""
    return tuple(_missing(said, answers, found))


def _missing(said: Understood, answers: Understood, found: Literals) -> Iterator[Defect]:
    for valued in (*said.values, *answers.values):
        if not valued.paths and not _has_value(valued, found):
            yield _left_out(valued.words, "compare with that value, as the data have it")
    for number in (*said.numbers, *answers.numbers):
        if not _has_number(number, found):
            yield _left_out(number.words, "write the number into a condition or the limit")
    for period in answers.periods or said.periods:
        if not any(_has_period(meant, found) for meant in period.others or (period,)):
            yield _left_out(period.text, f"restrict the date to {_days(period)}, with both days written out")


def _has_value(valued: Valued, found: Literals) -> bool:
    texts = {fold(text).strip("%") for text in found.texts}
    return any({fold(value) for value in held.values} <= texts for held in valued.held)


def _has_number(number: Numbered, found: Literals) -> bool:
    meant = Decimal(number.number)
    digits = {text for text in found.texts if re.fullmatch(r"-?\d+(\.\d+)?", text)}
    held = found.numbers | {Decimal(text) for text in digits}
    return meant in held or (number.percent and meant / 100 in held)


def _has_period(period: Period, found: Literals) -> bool:
    """Both of its days are there; or, where the SQL writes no day at all, its year."""
    days = {day for text in found.texts for day in _DAY.findall(text)}
    if not days:
        years = {str(end.year) for end in (period.start, period.last) if end is not None}
        numbers = {str(number) for number in found.numbers}
        return years <= numbers | found.texts
    starts = period.start is None or str(period.start)[:10] in days
    return starts and (period.end is None or bool({str(period.end)[:10], str(period.last)[:10]} & days))


def _days(period: Period) -> str:
    return " or ".join(meant.days for meant in period.others or (period,))


def _left_out(words: str, hint: str) -> Defect:
    return Defect("left_out", f"the question says {words!r}, and the SQL leaves it out", "sql", hint)
