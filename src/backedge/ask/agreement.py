"""Whether a request that a model wrote agrees with what rules read: what it leaves out, turns round or adds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from backedge.ask.grounding.periods import Period
from backedge.ask.grounding.understood import Numbered, Understood, Valued
from backedge.ask.grounding.words import phrase
from backedge.ask.probe import filters_of
from backedge.ask.ranges import Range, a_year_before, bounds, covers, is_period, just_before, met, range_text
from backedge.kernel.defect import Defect
from backedge.semantic.model import Dimension, Measure, Model, Segment
from backedge.semantic.operators import NEGATIVE
from backedge.semantic.spec import Condition, Filter, Spec, Value

_OPS = {"gt": "more than", "gte": "at least", "lt": "less than", "lte": "at most"}
_DIGITS = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_NEGATES = re.compile(r"<>|!=|\bnot\b", re.IGNORECASE)
_IN_PART = frozenset({"contains", "not_contains", "starts_with", "not_starts_with", "ends_with", "not_ends_with"})


@dataclass(frozen=True)
class Agreement:
    """A request beside the question that it is for. `said` is what is certain of the question, `answers` of what the
    person said since; `kept` are the conditions of the question before, which a follow-up may keep."""

    spec: Spec
    said: Understood
    model: Model
    answers: Understood = field(default_factory=Understood)
    kept: tuple[Condition, ...] = ()

    def defects(self) -> tuple[Defect, ...]:
        """Everything that the request leaves out of the question, says otherwise, or adds to it."""
        return (*self._left_out(), *self._times(), *self._numbers(), *self._order(), *self._added())

    def assumptions(self) -> tuple[str, ...]:
        """What the request adds that words may mean which the model has no names for: it must be said."""
        words = ", ".join(repr(word) for word in self._unread)
        found = [f"took {added} for what the question calls {words}" for added in self._additions() if words]
        limit, numbers = self.spec.limit, {_number(n.number) for n in self._numbers_said}
        return (*found, *((f"showed {limit} rows",) if limit and limit != 1 and limit not in numbers else ()))

    @cached_property
    def _filters(self) -> tuple[Filter, ...]:
        return tuple(given for condition in self.spec.where for given in filters_of(condition))

    @cached_property
    def _used(self) -> frozenset[str]:
        paths = (*self.spec.measures, *(by.member for by in self.spec.by), *(f.member for f in self._filters))
        return frozenset((*paths, *self.spec.segments))

    @property
    def _unread(self) -> tuple[str, ...]:
        return (*self.said.unknown, *self.answers.unknown)

    @property
    def _values(self) -> tuple[Valued, ...]:
        return (*self.said.values, *self.answers.values)

    @property
    def _numbers_said(self) -> tuple[Numbered, ...]:
        return (*self.said.numbers, *self.answers.numbers)

    def _left_out(self) -> Iterator[Defect]:
        for named in self.said.members:
            if not self._used.intersection(named.paths):
                yield _left_out(named.words, f"use {' or '.join(named.paths)}", named.paths)
        for valued in self._values:
            if not self._restricts_to(valued):
                paths = tuple(dict.fromkeys((*(h.member for h in valued.held), *valued.paths)))
                yield _left_out(valued.words, f"filter by {' or '.join(paths)}", paths)
            elif turned := self._turned(valued):
                yield turned
        for grain in self.said.grains:
            if all(by.grain != grain for by in self.spec.by):
                yield _left_out(grain, f"group a date by granularity {grain}")

    def _restricts_to(self, valued: Valued) -> bool:
        """Whether the request has them as a condition, their name as a member, or their text in a member's SQL."""
        if self._used.intersection(valued.paths):
            return True
        on = {h.member: set(h.values) for h in valued.held}
        if any(on[f.member] <= set(f.values) for f in self._filters if f.member in on):
            return True
        parts = [phrase(str(v)) for f in self._filters if f.op in _IN_PART and f.member in on for v in f.values]
        if any(part and _stands_in(part, phrase(valued.words)) for part in parts):
            return True
        literals = [f"'{value}'" for h in valued.held for value in h.values]
        sqls = [sql for sql in self._used_sql if bool(_NEGATES.search(sql)) is valued.negated]
        return any(literal in sql for sql in sqls for literal in literals)

    def _turned(self, valued: Valued) -> Defect | None:
        """ "Not paid" as paid, or "paid" as not paid."""
        on = {h.member: set(h.values) for h in valued.held}
        ops = {f.op in NEGATIVE for f in self._filters if f.member in on and on[f.member] & set(f.values)}
        if ops == {False} and valued.negated:
            return _contradicts(f"the question says not {valued.words!r}", "filter it out (not_equals)")
        if ops == {True} and not valued.negated and valued.certain:
            return _contradicts(f"the question says {valued.words!r}", "filter for it (equals), do not leave it out")
        return None

    @cached_property
    def _used_sql(self) -> tuple[str, ...]:
        """The SQL of the conditions in the members that the request uses."""
        found: list[str] = []
        for view, member in self.model.members():
            if f"{view.name}.{member.name}" in self._used:
                if isinstance(member, Measure):
                    found += member.filters
                found.append(member.expr)
        return tuple(found)

    # Times

    def _times(self) -> Iterator[Defect]:
        """The periods of the question, or of an answer, are those of the request: none is lost, moved or turned."""
        periods, ranges = self.answers.periods or self.said.periods, self._ranges
        only = next(iter(ranges)) if len(ranges) == 1 else None
        if not periods or (only and (covers(only, periods) or self._compares(only, periods))):
            return
        left = [period for period in periods if not any(is_period(period, found) for found in ranges)]
        for period in left:
            yield _left_out(period.text, _range_hint(period), (), "date_range")
        asked = ", ".join(period.text for period in periods)
        for found in ranges:
            if not left and not any(is_period(p, found) for p in (*periods, *self.said.periods)):
                said = f"the question is about {asked}, not {range_text(found)}"
                yield _contradicts(said, "use the question's own days")

    def _compares(self, found: Range, periods: tuple[Period, ...]) -> bool:
        """Whether the periods are the request's own and the earlier one that it is compared with."""
        if self.spec.compare is None:
            return False
        yearly = self.spec.compare.to == "previous_year"
        earlier = a_year_before(found) if yearly else just_before(found)
        own = [period for period in periods if is_period(period, found)]
        return bool(own) and all(period in own or is_period(period, earlier) for period in periods)

    @cached_property
    def _ranges(self) -> frozenset[Range]:
        """The stretch of time that the request's conditions leave, of each date."""
        dates: dict[str, list[Range]] = {}
        for given in self._filters:
            if self._type(given.member) in ("date", "datetime") and (found := bounds(given)):
                dates.setdefault(given.member, []).append(found)
        return frozenset(met(found) for found in dates.values())

    # Numbers

    def _numbers(self) -> Iterator[Defect]:
        values = [v for f in (*self._filters, *self._part) for v in f.values]
        held = {_number(v) for v in (*values, self.spec.limit)}
        for said in self._numbers_said:
            meant = {Decimal(said.number), *((Decimal(said.number) / 100,) if said.percent else ())}
            if not meant & held:
                yield _left_out(said.words, "put the number into a filter or the limit")
            for given in self._filters if said.op else ():
                if given.op != said.op and {_number(v) for v in given.values} & meant:
                    yield _contradicts(f"the question says {_OPS[said.op]} {said.words}", f"use the operator {said.op}")

    @property
    def _part(self) -> tuple[Filter, ...]:
        return tuple(given for condition in self.spec.part for given in filters_of(condition))

    def _order(self) -> Iterator[Defect]:
        """The highest are not the lowest, and not the first by name."""
        ranked, first = self.said.ranked, self.spec.order[0] if self.spec.order else None
        if not ranked or not self.spec.by:
            return
        if first is None:
            yield _left_out("the highest or lowest", "order by what is ranked")
        elif self.spec.limit and first.by in self.spec.measures and first.desc is not (ranked == "desc"):
            yield _contradicts(f"the question ranks {ranked}", f"give that order the direction {ranked}")
        elif self.spec.limit and first.by not in self.spec.measures and not self._is_date(first.by):
            yield _contradicts("the question ranks by a measure", "order by that measure first")

    def _is_date(self, name: str) -> bool:
        return any(by.name == name and self._type(by.member) in ("date", "datetime") for by in self.spec.by)

    # Additions

    def _added(self) -> Iterator[Defect]:
        if not self._unread:
            hint = "leave it out: every word of the question has another meaning"
            yield from (
                Defect("not_asked", f"the question does not say {a}", "filters", hint) for a in self._additions()
            )
        limit, said = self.spec.limit, {_number(n.number) for n in self._numbers_said}
        if limit is not None and not self.said.ranked and limit not in said:
            yield Defect("not_asked", f"the question does not say {limit} rows", "limit", "leave the limit out")

    def _additions(self) -> Iterator[str]:
        """The conditions of the request that no word of the question, or of an answer, stands for."""
        kept = {given for condition in self.kept for given in filters_of(condition)}
        for given in self._filters:
            if given not in kept and not self._is_said(given):
                values = ", ".join(str(value) for value in given.values)
                yield f"{given.member} {given.op.replace('_', ' ')} {values}".rstrip()
        named = {path for naming in (*self.said.members, *self.answers.members) for path in naming.paths}
        for path in self.spec.segments:
            view, _, name = path.partition(".")
            segment = next((s for v in self.model.views if v.name == view for s in v.segments if s.name == name), None)
            if path not in named and not (segment and self._mentions_value(segment)):
                yield path

    def _mentions_value(self, segment: Segment) -> bool:
        return any(f"'{value}'" in segment.expr for valued in self._values for h in valued.held for value in h.values)

    def _is_said(self, given: Filter) -> bool:
        kind = self._type(given.member)
        if kind in ("date", "datetime"):
            return given.op in ("set", "not_set") or bool(self.said.periods or self.answers.periods)
        if given.op in ("set", "not_set") or kind == "boolean":
            return self._is_named(given.member)
        return all(self._is_said_value(given, value) for value in given.values)

    def _is_said_value(self, given: Filter, value: Value) -> bool:
        number = None if isinstance(value, str) else _number(value)
        if number is not None:
            return any(number == n.number or (n.percent and number * 100 == n.number) for n in self._numbers_said)
        text = str(value)
        if any(h.member == given.member and text in h.values for valued in self._values for h in valued.held):
            return True
        return bool(phrase(text)) and any(_stands_in(phrase(text), u.stems) for u in (self.said, self.answers))

    def _is_named(self, path: str) -> bool:
        """Whether the name of a member stands in the question, or a part of it that is a word of its own."""
        words = {*self.said.stems, *self.answers.stems}
        return bool(words.intersection(phrase(path.partition(".")[2])) - {"is", "has", "was"})

    def _type(self, path: str) -> str:
        view_name, _, name = path.partition(".")
        view = self.model.view(view_name)
        found: Dimension | None = view.dimension(name) if view else None
        return found.type if found else ""


def _left_out(words: str, hint: str, near: tuple[str, ...] = (), where: str = "request") -> Defect:
    return Defect("left_out", f"the question says {words!r}, and the request leaves it out", where, hint, near)


def _contradicts(message: str, hint: str) -> Defect:
    return Defect("contradicts", f"{message}, and the request says otherwise", "request", hint)


def _range_hint(period: Period) -> str:
    meant = [p for p in period.others or (period,) if p.whole]
    ranges = " or ".join(f'["{p.start}", "{p.last}"]' for p in meant)
    return f"date_range {ranges}" if ranges else f"filter the date: {period.days}"


def _number(value: Value) -> Decimal | None:
    """A value as a number, digits in quotation marks too."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
        return None
    text = str(value)
    return Decimal(text) if _DIGITS.fullmatch(text) else None


def _stands_in(words: tuple[str, ...], text: tuple[str, ...]) -> bool:
    return any(text[at : at + len(words)] == words for at in range(len(text) - len(words) + 1))
