"""Reading a written number, date or name back, without the code that wrote it, to compare it with its cell."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from backedge.ask.shape import Field
from backedge.ask.wording import CUT, LONGEST_NAME, MONTHS, NO_GROUP, NO_NUMBER, SMALL, clean
from backedge.query.table import Cell

Reading = Literal["exact", "rounded", "other"]
_NUMBER = re.compile(r"-?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?(e[+-]?\d+)?%?\Z", re.ASCII)
_PERIOD = re.compile(
    rf"(?P<year>\d{{4}})\Z|Q(?P<quarter>[1-4]) \d{{4}}\Z|(?P<month>{'|'.join(MONTHS)}) \d{{4}}\Z", re.ASCII
)
_WEEK = "week of "
_NOT_FINITE = {"not a number": "nan", "infinite": "inf", "minus infinite": "-inf"}


def reads_as(text: str, value: Cell, field: Field | None) -> Reading:
    """How `text` says `value`, a cell of `field` (None for a computed number): exactly, rounded, or not at all.

    Only doubles may be rounded; whole numbers and decimals are exact.
    """
    if value is None:
        return _exactly(text in (NO_GROUP, NO_NUMBER))
    if isinstance(value, bool):
        return _exactly(text == ("true" if value else "false"))
    if isinstance(value, int | float | Decimal):
        return _number(text, value)
    if isinstance(value, date):
        return _exactly(_date(text, value, field))
    if isinstance(value, str):
        whole = clean(value)
        cut = len(text) == LONGEST_NAME and text.endswith(CUT) and whole.startswith(text.removesuffix(CUT))
        return _exactly(text == whole or cut)
    return _exactly(text == str(value))


def _exactly(same: bool) -> Reading:
    return "exact" if same else "other"


def _number(text: str, value: int | float | Decimal) -> Reading:
    if isinstance(value, float) and text in _NOT_FINITE:
        return _exactly(repr(value) == _NOT_FINITE[text])
    if text in SMALL:
        return _exactly(value == SMALL.index(text) + 2)
    if not _NUMBER.match(text) or (isinstance(value, float) and value - value != 0):
        return "other"
    said = Decimal(text.replace(",", "").removesuffix("%"))
    if not isinstance(value, float):
        return _exactly(said == value)
    exact = Decimal(repr(value))
    distance = abs(said - exact)
    if distance <= abs(exact) * Decimal("1e-9"):
        return "exact"
    exponent = said.as_tuple().exponent
    half = Decimal(5).scaleb(int(exponent) - 1)
    return "rounded" if said and distance <= half else "other"


def _date(text: str, value: date, field: Field | None) -> bool:
    grain = field.grain if field else None
    if period := _PERIOD.match(text):
        return grain == period.lastgroup and _first_day(period) == _wall(value).removesuffix("T00:00:00")
    day = text.removeprefix(_WEEK)
    if text.startswith(_WEEK) and grain != "week":
        return False
    if not isinstance(value, datetime):
        return day == value.isoformat()
    if len(day) == 10:
        return grain in ("day", "week") and f"{day}T00:00:00" == _wall(value)
    try:
        return datetime.fromisoformat(day) == value
    except (ValueError, TypeError):
        return False


def _wall(value: date) -> str:
    return (value.replace(tzinfo=None) if isinstance(value, datetime) else value).isoformat()


def _first_day(period: re.Match[str]) -> str:
    year = period[0][-4:]
    if period["month"]:
        return f"{year}-{MONTHS.index(period['month']) + 1:02d}-01"
    return f"{year}-{3 * int(period['quarter']) - 2:02d}-01" if period["quarter"] else f"{year}-01-01"
