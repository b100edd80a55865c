"""What a result is about, in words: measures, groupings, conditions and limit of a grounded question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from backedge.ask.intent import Intent
from backedge.ask.shape import Field, Shape, told_of
from backedge.ask.wording import clean, listing, name_text, noun_of, plural, time_text, value_text, words_of
from backedge.semantic.calendar import later, whole_span
from backedge.semantic.operators import midnight
from backedge.semantic.spec import All, Condition, Filter, Grain, Operator, Spec, Value
from backedge.semantic.timed import periods

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_ORDERED: dict[Operator, tuple[str, str]] = {  # of a number, of a date
    "gt": ("over", "after"),
    "gte": ("of at least", "from"),
    "lt": ("under", "before"),
    "lte": ("of at most", "up to"),
}
_TEXTUAL: dict[Operator, str] = {
    "contains": "containing",
    "not_contains": "not containing",
    "starts_with": "starting with",
    "not_starts_with": "not starting with",
    "ends_with": "ending with",
    "not_ends_with": "not ending with",
}


@dataclass(frozen=True)
class Heading:
    """The parts of "total sales | by store | in 2011 for region EU | (topic sales: status is paid) | top 5".

    `direction` is the order of the first measure that the question orders by: "highest", "lowest", or "" for none.
    `earlier` is what the question compares with, `part` what it asks the share of,
    `within` what its limit holds in each of, `beside` what is told of each row beside its value.
    """

    subject: str
    by: str
    conditions: tuple[str, ...]
    defaults: str
    limit: str
    direction: str
    names: tuple[str, ...]
    earlier: str = ""
    part: str = ""
    beside: str = ""
    within: str = ""

    @property
    def where(self) -> str:
        """The conditions alone."""
        return " ".join(filter(None, (*self.conditions, self.defaults)))

    @property
    def text(self) -> str:
        """The whole heading, without a stop at its end."""
        beyond = [f"compared with the value {self.earlier}" if self.earlier else "", self.beside, self.limit]
        return ", ".join(
            [" ".join(filter(None, (self.subject, self.part, self.by, self.where))), *filter(None, beyond)]
        )

    @property
    def phrases(self) -> tuple[str, ...]:
        """Every wording of the question itself that a sentence may repeat: numbers inside them come from no cell."""
        return tuple(filter(None, (*self.conditions, self.defaults, self.limit, self.earlier, self.part, *self.names)))


def heading(intent: Intent, shape: Shape, filters: tuple[str, ...] = ()) -> Heading:
    """The heading of an answer. Of `filters` (those of `Compiled`) the topic's are added: nobody asked for them."""
    draft = intent.draft or Spec()
    defaults = "; ".join(clean(text) for text in filters if text.startswith("topic "))
    subjects = tuple(m.words for m in told_of(shape)) or tuple(plural(g.noun) for g in shape.groups)
    return Heading(
        subject=listing(subjects),
        by=f"by {listing(tuple(g.noun for g in shape.groups))}" if shape.measures and shape.groups else "",
        conditions=tuple(_condition(c, intent.dates) for c in draft.where) + tuple(map(_segment, draft.segments)),
        defaults=f"({defaults})" if defaults else "",
        limit=_limit(draft),
        direction=_direction(draft),
        names=tuple(name for f in (*shape.measures, *shape.groups) for name in _names(f)),
        earlier=_earlier(draft),
        part=" and ".join(_part(c) for c in draft.part),
        within=_within(draft),
        beside="with shares of the total" if draft.motif == "percent_of_total" else "",
    )


def _within(draft: Spec) -> str:
    """What the order and limit hold within each of."""
    by = {by.name: by.grain or noun_of(_own(by.member)) for by in draft.by}
    return listing(tuple(by[name] for name in draft.per if name in by))


def _part(condition: Condition) -> str:
    segment = isinstance(condition, Filter) and condition.op == "set"
    return _segment(condition.member) if isinstance(condition, Filter) and segment else _condition(condition, ())


def _earlier(draft: Spec) -> str:
    """What a question compares with: the days before its own, or along time so many periods before each."""
    compare = draft.compare
    if compare is None:
        return ""
    grain = compare.grain or ("year" if compare.to == "previous_year" else None)
    ranges = [f for f in draft.where if isinstance(f, Filter) and f.op == "in_range" and _ranged(f)]
    days = [day for f in ranges for v in f.values if (day := _day(v))]
    along = next((by.grain for by in draft.by if by.grain), None)
    if along or len(days) != 2:
        unit = (grain or along or "period").replace("_", " ")
        return f"{compare.n} {unit}s before" if compare.n > 1 else f"one {unit} before"
    span = periods(compare.n, grain) if grain else whole_span(*days)
    start, end = (later(midnight(day), -span).date() for day in days)
    return _range("", (start, end))


def _names(field: Field) -> tuple[str, ...]:
    return field.words, field.noun, plural(field.noun)


def _direction(draft: Spec) -> str:
    if not draft.order or draft.order[0].by not in draft.measures:
        return ""
    return "highest" if draft.order[0].desc else "lowest"


def _limit(draft: Spec) -> str:
    if draft.limit is None:
        return ""
    word = {"highest": "top", "lowest": "bottom", "": "first"}[_direction(draft)]
    each = f" in each {within}" if (within := _within(draft)) else ""
    after = f" after the first {draft.offset:,}" if draft.offset else ""
    return f"{word} {draft.limit:,}{each}{after}"


def _segment(path: str) -> str:
    return f"in {words_of(_own(path)).removeprefix('in ')}"


def _condition(condition: Condition, dates: tuple[str, ...]) -> str:
    """A condition in words; `dates` are the dates that must be named, for there are others that it could go by."""
    if isinstance(condition, Filter):
        named = f"with {words_of(_own(condition.member))} " if _ranges((condition,)) & set(dates) else ""
        return named + _filter(condition)
    if len(_ranges(condition.of)) == 1 and not isinstance(condition, All):
        return " or ".join((_condition(condition.of[0], dates), *(_condition(c, ()) for c in condition.of[1:])))
    inner = tuple(_condition(c, dates) for c in condition.of)
    if len(inner) == 1:
        return inner[0]
    return f"({' and '.join(inner)})" if isinstance(condition, All) else f"(either {' or '.join(inner)})"


def _ranges(conditions: tuple[Condition, ...]) -> set[str]:
    """The members of conditions, where all of them are ranges of days."""
    found = {c.member for c in conditions if isinstance(c, Filter) and _ranged(c)}
    return found if all(isinstance(c, Filter) and _ranged(c) for c in conditions) else set()


def _ranged(f: Filter) -> bool:
    return f.op in ("in_range", "not_in_range") and len(f.values) == 2 and all(_day(v) is not None for v in f.values)


def _filter(f: Filter) -> str:
    words = words_of(_own(f.member))
    if f.op in ("in_range", "not_in_range"):
        span = _range(words, f.values)
        return f"not {span}" if f.op == "not_in_range" else span
    if f.op == "set" or (f.op == "not_equals" and f.values == (None,)):
        return f"with a {words}"
    if f.op == "not_set" or (f.op == "equals" and f.values == (None,)):
        return f"with no {words}"
    if f.op in _TEXTUAL:
        return f"with {words} {_TEXTUAL[f.op]} {listing(tuple(map(_value, f.values)), 'or')}"
    if f.op in _ORDERED:
        dated = bool(f.values) and _day(f.values[0]) is not None
        return f"with {words} {_ORDERED[f.op][dated]} {listing(tuple(map(_amount, f.values)), 'or')}"
    if len(f.values) == 1 and isinstance(f.values[0], bool):
        flag = words.removeprefix("is ").removeprefix("has ")
        return f"where {flag} is {'not ' if f.op.startswith('not_') else ''}{_value(f.values[0])}"
    other = "other than " if f.op.startswith("not_") else ""
    return f"for {noun_of(_own(f.member))} {other}{listing(tuple(map(_value, f.values)), 'or')}"


def _range(words: str, values: tuple[Value, ...]) -> str:
    """A half-open range: a whole year, quarter, month or day by its name, other days with the last one included."""
    days = tuple(_day(v) for v in values)
    start, end = days if len(days) == 2 else (None, None)
    if start is None or end is None:
        return f"with {words} from {listing(tuple(map(_amount, values)), 'to below')}"
    for grain, after in _periods(start):
        if end == after:
            return f"in {time_text(start, grain)}"
    last = end - timedelta(days=1)
    return f"on {start.isoformat()}" if last == start else f"from {start.isoformat()} to {last.isoformat()}"


def _periods(start: date) -> tuple[tuple[Grain, date | None], ...]:
    month = start.month - 1
    return (
        ("year", _month(start.year, 12) if month == 0 else None),
        ("quarter", _month(start.year, month + 3) if month % 3 == 0 else None),
        ("month", _month(start.year, month + 1)),
    ) if start.day == 1 else ()  # fmt: skip


def _month(year: int, months: int) -> date | None:
    year += months // 12
    return date(year, months % 12 + 1, 1) if year <= 9999 else None


def _day(value: Value) -> date | None:
    """The day that a value names, or None where it names an instant, a number or no date."""
    if isinstance(value, datetime):
        return value.date() if value.tzinfo is None and value == datetime(value.year, value.month, value.day) else None
    if isinstance(value, str) and _DAY.match(value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return value if isinstance(value, date) else None


def _value(value: Value) -> str:
    return name_text(value)


def _amount(value: Value) -> str:
    return value_text(value)[0]


def _own(path: str) -> str:
    return path.rpartition(".")[2]
