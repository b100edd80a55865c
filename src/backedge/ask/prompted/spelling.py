"""Holds the values of a request to the data: each must be there as it is spelt, or is respelt, or is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from backedge.ask.grounding.words import fold, phrase
from backedge.ask.probe import filters_of
from backedge.kernel.defect import Defect
from backedge.query.ports import Caps, Connector, Ran
from backedge.query.sqltables import nearest
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model
from backedge.semantic.operators import NEGATIVE
from backedge.semantic.policies import Attributes
from backedge.semantic.spec import All, AnyOf, By, Compiled, Condition, Filter, Operator, Spec, Value

MOST_VALUES = 10_000
LOOK = Caps(rows=MOST_VALUES, seconds=20)
_WHOLE: frozenset[Operator] = frozenset({"equals", "not_equals", "in", "not_in"})
Spellings = Mapping[tuple[str, str], tuple[str, ...]]


@dataclass(frozen=True)
class Spelt:
    """The request with the values that the data have, what was respelt, and the values that are not there."""

    spec: Spec
    assumptions: tuple[str, ...] = ()
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True)
class Speller:
    """Looks values up with the eyes of one asker: what that one may not see is not there.

    At most `shown` values that are near to a wrong one are told, and none of a member that `hides`.
    """

    model: Model
    connectors: Mapping[str, Connector]
    default: str
    asker: Attributes
    shown: int
    hides: Callable[[str], bool]

    async def of(self, spec: Spec) -> Spelt:
        """A spec whose members are known, with its values held to the data."""
        asked: dict[str, dict[str, None]] = {}
        for given in (f for condition in spec.where for f in filters_of(condition)):
            if given.op in _WHOLE and self._is_text(given.member):
                asked.setdefault(given.member, {}).update((v, None) for v in given.values if isinstance(v, str))
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        defects: list[Defect] = []
        for member, values in asked.items():
            held = await self._values(member, tuple(values))
            for value in values if held is not None else ():
                spelt = _spelt(value, held or ())
                found[member, value] = spelt
                defects += () if spelt else (self._unknown(member, value, held or ()),)
        respelt = tuple(
            f"read {value!r} of {member.partition('.')[2]} as {' and '.join(map(repr, spelt))}"
            for (member, value), spelt in found.items()
            if spelt and spelt != (value,)
        )
        changed = tuple(_respelt(condition, found) for condition in spec.where)
        return Spelt(replace(spec, where=changed), respelt, tuple(defects))

    async def _values(self, member: str, asked: tuple[str, ...]) -> tuple[str, ...] | None:
        """The values of a dimension, with those asked for where it has too many; None where nobody can tell."""
        every = await self._column(Spec(by=(By(member),), where=(Filter(member, "set"),), limit=MOST_VALUES))
        if every is None or len(every) < MOST_VALUES:
            return every
        exact = await self._column(Spec(by=(By(member),), where=(Filter(member, "in", asked),)))
        return (*(exact or ()), *every)

    async def _column(self, spec: Spec) -> tuple[str, ...] | None:
        view = self.model.view(spec.by[0].member.partition(".")[0])
        connector = self.connectors.get((view.datasource if view else "") or self.default)
        query = compile_spec(self.model, spec, connector.dialect if connector else "duckdb", attributes=self.asker)
        if connector is None or not isinstance(query, Compiled):
            return None
        result = await connector.run(query.sql, query.params, LOOK)
        return (
            tuple(row[0] for row in result.table.rows if isinstance(row[0], str)) if isinstance(result, Ran) else None
        )

    def _unknown(self, member: str, value: str, held: tuple[str, ...]) -> Defect:
        near = () if self.hides(member) else nearest(value, held)[: self.shown]
        hint = "use a value as the data have it, or another member"
        return Defect("unknown_value", f"{member} has no value {value!r}", member, hint, near)

    def _is_text(self, path: str) -> bool:
        view_name, _, name = path.partition(".")
        view = self.model.view(view_name)
        dimension = view.dimension(name) if view else None
        return dimension is not None and dimension.type == "string"


def _spelt(value: str, held: tuple[str, ...]) -> tuple[str, ...]:
    """The spellings that the data have of a value: all that differ from it in case and white space alone."""
    folded = _folded(value)
    same = tuple(v for v in held if _folded(v) == folded)
    if same or not phrase(value):
        return same
    alike = tuple(v for v in held if phrase(v) == phrase(value))
    return alike if len({_folded(v) for v in alike}) == 1 else ()


def _folded(value: str) -> str:
    return " ".join(fold(value).split())


def _respelt(condition: Condition, found: Spellings) -> Condition:
    if not isinstance(condition, Filter):
        kind = All if isinstance(condition, All) else AnyOf
        return kind(tuple(_respelt(part, found) for part in condition.of))
    values = tuple(dict.fromkeys(_each(condition, found)))
    if values == condition.values:
        return condition
    several: Operator = "not_in" if condition.op in NEGATIVE else "in"
    return Filter(condition.member, several if len(values) > 1 else condition.op, values)


def _each(given: Filter, found: Spellings) -> Iterator[Value]:
    for value in given.values:
        spelt = found.get((given.member, value), ()) if isinstance(value, str) and given.op in _WHOLE else ()
        yield from spelt or (value,)
