"""Names, numbers, dates and lists as a sentence says them: the same cell is always written the same way."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime
from decimal import Decimal

from backedge.query.table import Cell
from backedge.semantic.spec import Grain

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
NO_GROUP = "(no value)"
NO_NUMBER = "no value"
EMPTY = "(empty)"
CUT = "…"
LONGEST_NAME = 60
SMALL = ("two", "three", "four", "five", "six", "seven", "eight", "nine")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"  # they shape emoji and Indic or Persian words
_LOOSE_JOINER = re.compile(rf"(?<!\S)[{_JOINERS}]+|[{_JOINERS}]+(?!\S)")
_ES = re.compile(r"(s|x|z|ch|sh)\Z", re.IGNORECASE)
_PLURAL = re.compile(r"([^sui]s|ies|series)\Z", re.IGNORECASE)


def words_of(name: str) -> str:
    """A column's name in words: `total_sales` is "total sales"; one without a letter is called a column."""
    words = clean(name.replace("_", " "))
    return words if any(c.isalpha() for c in words) else f"column {words}".rstrip()


def noun_of(name: str) -> str:
    """What one value of a key is called: a `store_id` is a "store"."""
    words = words_of(name)
    head, _, tail = words.rpartition(" ")
    return head if head and tail.lower() in ("id", "key", "name") else words


def is_plural(words: str) -> bool:
    """Whether a name is already in the plural, by its head: "total sales", "days of week"."""
    return bool(_PLURAL.search(words.split(" of ")[0]))


def plural(noun: str, count: int = 2) -> str:
    """The noun for `count` things: "store", "stores"; of "day of week" the head takes the plural."""
    if count == 1 or is_plural(noun):
        return noun
    head, of, rest = noun.partition(" of ")
    if head[-1:].lower() == "y" and head[-2:-1].lower() not in "aeiou":
        return f"{head[:-1]}ies{of}{rest}"
    if head.lower().endswith("sis"):
        return f"{head[:-2]}es{of}{rest}"
    return f"{head}{'es' if _ES.search(head) else 's'}{of}{rest}"


def listing(items: tuple[str, ...], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    return f"{', '.join(items[:-1])} {last} {items[-1]}" if len(items) > 1 else "".join(items)


def count_text(count: int) -> str:
    """A small count as a word, a larger one in digits."""
    return SMALL[count - 2] if 2 <= count <= 9 else f"{count:,}"


def number_text(number: int | Decimal | float, places: int = 0) -> tuple[str, bool]:
    """A number as prose writes it, and whether that rounds it: whole numbers and decimals never, doubles to two places.

    A double below 1 keeps three significant digits, so that a rate is not written as 0. `places` are those that the
    doubles beside it need: it is written with as many, as far as they are known.
    """
    if isinstance(number, int):
        return f"{number:,}", False
    if isinstance(number, Decimal):
        return f"{number if number else abs(number):,f}", False
    if number - number != 0:
        return ("not a number" if number != number else "infinite" if number > 0 else "minus infinite"), False
    exact = Decimal(repr(number))
    if exact and not -6 <= exact.adjusted() <= 14:
        text = f"{exact:.6g}"
        return text, Decimal(text) != exact
    known = 2 if not exact or abs(exact) >= 1 else 2 - exact.adjusted()
    near = round(exact, known)
    shown = max(_needed(near), min(places, known))
    # Sums of doubles carry noise in their last digits, which is nobody's rounding.
    return f"{near if near else abs(near):,.{shown}f}", abs(near - exact) > abs(exact) * Decimal("1e-9")


def places_of(number: float) -> int:
    """How many places a double is written with where it stands alone."""
    text = number_text(number)[0]
    return len(text.partition(".")[2]) if "e" not in text else 0


def _needed(number: Decimal) -> int:
    return len(f"{number:f}".partition(".")[2].rstrip("0"))


def time_text(value: date, grain: Grain | None) -> str:
    """A date or datetime at its grain: "2011", "Q1 2011", "March 2011", "week of 2011-03-07", else ISO."""
    moment = value if isinstance(value, datetime) else None
    midnight = moment is None or (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0)
    if grain == "year" and midnight and (value.month, value.day) == (1, 1):
        return f"{value.year:04d}"
    if grain == "quarter" and midnight and value.month % 3 == 1 and value.day == 1:
        return f"Q{value.month // 3 + 1} {value.year:04d}"
    if grain == "month" and midnight and value.day == 1:
        return f"{MONTHS[value.month - 1]} {value.year:04d}"
    if grain in ("week", "day") and midnight:
        day = f"{value.year:04d}-{value.month:02d}-{value.day:02d}"
        return f"week of {day}" if grain == "week" else day
    if moment is None:
        return value.isoformat()
    whole = moment.second == 0 and moment.microsecond == 0
    return moment.isoformat(sep=" ", timespec="minutes" if whole else "auto")


def name_text(cell: Cell, grain: Grain | None = None) -> str:
    """A group's name: numbers as they are (a year takes no separator), text on one line, cut where it is very long."""
    if cell is None:
        return NO_GROUP
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, date):
        return time_text(cell, grain)
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    text = clean(str(cell)) if isinstance(cell, str) else str(cell)
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + CUT


def value_text(cell: Cell, grain: Grain | None = None, places: int = 0) -> tuple[str, bool]:
    """A measure's value and whether writing it rounds it; a NULL is "no value", never 0."""
    if cell is None:
        return NO_NUMBER, False
    if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool):
        return number_text(cell, places)
    return name_text(cell, grain), False


def exact_text(cell: Cell) -> str:
    """A cell without loss, the value of a figure. NULL is "null"; a double is the shortest text that reads back."""
    if cell is None:
        return "null"
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, Decimal):
        return f"{cell:f}"
    if isinstance(cell, date):
        return cell.isoformat()
    return repr(cell) if isinstance(cell, float) else str(cell)


def clean(text: str) -> str:
    """Text from data on one line, without control characters: a cell must not steer a terminal or turn a line."""
    kept = (c if c in _JOINERS or unicodedata.category(c) not in _INVISIBLE else " " for c in text)
    return " ".join(_LOOSE_JOINER.sub("", "".join(kept)).split()) or EMPTY
