"""What a column is good for, by its name, its type and its values: to group by, to add up, to average, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backedge.semantic.naming import is_key_name, singular, spelled, words_of
from backedge.semantic.profile import FEW, Column

Use = Literal["group", "time", "sum", "average", "unsure", "none"]
"""`unsure` is a number whose name does not say whether its sum means anything: averaged, the sum left to a person."""

_NUMBERS = ("integer", "decimal", "double")
_LONG_TEXT = 200
_GROUPED = frozenset(
    {"year", "month", "day", "week", "quarter", "hour", "weekday", "decade", "fiscal", "period", "zip", "zipcode"}
    | {"postal", "postcode", "phone", "fax", "lat", "latitude", "lon", "lng", "long", "longitude", "version", "rank"}
    | {"position", "sequence", "seq", "index", "idx", "level", "grade", "class", "type", "category", "group", "flag"}
    | {"status", "is", "has", "was", "row", "line", "bin", "bucket", "tier", "floor", "room", "cluster", "segment"}
)
_RATES = frozenset(
    {"rate", "percent", "percentage", "ratio", "share", "proportion", "fraction", "score", "rating", "probability"}
    | {"average", "mean", "median", "std", "stddev", "variance", "temperature", "temp", "per", "cpi", "unemployment"}
    | {"margin", "growth", "change", "speed", "density", "pressure", "humidity", "height", "width", "length", "weight"}
    | {"age", "lead", "balance", "stock", "inventory", "capacity", "population", "minimum", "maximum", "min", "max"}
    | {"cumulative", "running", "ytd", "mtd", "qtd", "unit", "price", "elasticity", "lag", "target", "limit", "quota"}
)
AMOUNTS = frozenset(
    {"amount", "total", "subtotal", "quantity", "revenue", "sale", "cost", "fee", "refund", "payment", "units"}
    | {"paid", "spend", "spent", "expense", "income", "profit", "count", "view", "click", "visit", "impression"}
    | {"minute", "second", "tip", "charge", "gross", "net", "earning", "donation", "sold", "volume", "turnover"}
    | {"proceeds", "commission", "bonus", "deposit", "withdrawal", "download", "signup", "conversion", "purchase"}
)
_PERIODS_WHEN_ONE = frozenset({"minute", "second"})
_COUNTED_FIRST = frozenset({"num", "number", "n", "count"})


def is_measured(column: Column) -> bool:
    """Whether a column's name says that it is an amount, a rate or a flag, and so no part of a key."""
    words = {singular(word) for word in spelled(words_of(column.name))}
    return bool(words & (AMOUNTS | _RATES | {"flag", "status"}))


@dataclass(frozen=True)
class Used:
    """What a column is good for, and why where it is not plain."""

    use: Use
    why: str = ""


def use_of(column: Column, rows: int, *, is_key: bool) -> Used:
    """The use of a column of a table with so many rows; `is_key` where it is (part of) a key or refers to one."""
    if column.kind == "other":
        return Used("none", f"its type {column.type} cannot be grouped by")
    if rows and not column.filled:
        return Used("none", "it has no value in any row")
    if "{{" in column.name or "${" in column.name or "{%" in column.name:
        return Used("none", "its name holds a template mark")
    if is_key:
        return Used("group")
    if column.kind in ("date", "datetime"):
        return Used("time")
    if column.kind in _NUMBERS:
        return _number(column, rows)
    if column.longest > _LONG_TEXT and column.different > FEW:
        return Used("none", f"it is free text of up to {column.longest:,} characters")
    return Used("group", _mixed(column))


def _mixed(column: Column) -> str:
    """What to know of a text column whose values are mostly numbers."""
    texts = column.filled - column.numeric
    if column.kind != "text" or not texts or texts * 2 > column.filled:
        return ""
    return f"{column.numeric:,} of its {column.filled:,} values are numbers, and {texts:,} are not, so it is text"


def _number(column: Column, rows: int) -> Used:
    raw = spelled(words_of(column.name))
    words = {word if word == "units" else singular(word) for word in raw}
    if column.kind == "integer" and _numbers_things(column, raw):
        return Used("group")
    if words & {"lat", "latitude", "lon", "lng", "longitude"}:
        return Used("group")
    if words & (_RATES - {"price"} if "total" in words else _RATES):
        return Used("average", "not added up: its name says that it is a rate, a price or a level")
    if _is_share(column):
        return Used("average", "not added up: all of its values are from 0 to 1")
    if len(raw) > 1 and raw[0] in _COUNTED_FIRST:
        return Used("sum")
    if words & (AMOUNTS - (_PERIODS_WHEN_ONE & set(raw))):
        return Used("sum")
    if column.kind == "integer" and column.different <= FEW and rows >= 5 * column.different:
        return Used("group", "a whole number with few values: to group by, not to add up")
    return Used("unsure", "its name does not say whether adding it up means anything")


def _numbers_things(column: Column, raw: tuple[str, ...]) -> bool:
    """Whether a whole number is a name: an id, a year, a code, a rank, a flag."""
    plain = len(raw) < 2 or raw[0] not in _COUNTED_FIRST
    years = (
        column.different > 1 and column.low >= "1900" and column.high <= "2100" and len(column.low + column.high) == 8
    )
    flag = column.different == 2 and (column.low, column.high) == ("0", "1")
    return (is_key_name(raw) and plain) or bool(_GROUPED & set(raw)) or (years and not AMOUNTS & set(raw)) or flag


def _is_share(column: Column) -> bool:
    try:
        return column.kind != "integer" and float(column.low) >= 0 and float(column.high) <= 1
    except ValueError:
        return False
