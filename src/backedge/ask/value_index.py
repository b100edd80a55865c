"""Looks up which words of a question are values: kept from one process to the next, apart for each asker."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from backedge.ask.catalog import Catalog
from backedge.ask.grounding.ground import needs_values
from backedge.ask.grounding.lookups import beginning, foldable, lookup
from backedge.ask.grounding.spans import Span, asked_spellings, solid, spans_of
from backedge.ask.grounding.values import CAP, Values, gathered, value_queries
from backedge.ask.grounding.words import tokenise
from backedge.ask.intent import Clarified, NotUnderstood
from backedge.ask.states import Question
from backedge.ask.value_shelf import Label, Shelf, Shelves
from backedge.kernel.defect import Defect
from backedge.query.ports import Caps, Connector, Ran, Rejected
from backedge.query.table import Table
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model
from backedge.semantic.policies import Attributes, attribute_names, held, without_samples
from backedge.semantic.spec import Compiled, Spec

LOOK_UP = Caps(rows=CAP + 1, seconds=20)
ASKERS = 64  # whose shelves are open at once
FRESH = 3_600.0  # seconds that values are good for where a database cannot say whether it has changed
_AT_ONCE = 400  # stretches of a question in one query
_BEGINNING, _NEAR = 3, 200
_PASSING = frozenset({"deadline", "memory"})


@dataclass(frozen=True)
class Seen:
    """The values that somebody may see, and why some could not be looked up, where row policies forbid it."""

    values: Values
    refused: Defect | None = None


class ValueIndex:
    """Finds values in shelves that hold those of the model's dimensions, one for each state of the data and each asker.

    Askers are told apart by the attributes that row policies look at. What one of them may not see is not in theirs.
    A dimension of more than `CAP` values is asked for the words of each question, once for each state of the data.
    """

    def __init__(
        self,
        catalog: Catalog,
        connectors: Mapping[str, Connector],
        default: str,
        shelves: Shelves,
        zone: str = "",
    ) -> None:
        self._catalog = catalog
        self._connectors = connectors
        self._default = default
        self._shelves = shelves
        self._zone = zone if zone != "UTC" else ""
        self._names = attribute_names(catalog.model)
        self._known: OrderedDict[str, Shelf] = OrderedDict()

    async def look(self, spans: Sequence[Span], attributes: Attributes) -> Seen:
        """What the stretches of a question name. A dimension whose query fails has no values: they are not guessed."""
        shelf = await self._shelf(attributes)
        failed = [path for path in sorted(shelf.open_ended) if not await self._learnt(shelf, path, spans, attributes)]
        return Seen(replace(shelf.find(spans), partial=frozenset(failed)), shelf.refused)

    async def names(self, unknown: Sequence[str], attributes: Attributes) -> tuple[str, ...]:
        """Values that unknown words may be near to: those of the shelf, and some that begin like the words."""
        shelf = await self._shelf(attributes)
        starts = list(dict.fromkeys(word[:_BEGINNING] for word in unknown if len(word) > _BEGINNING))
        found = list(shelf.names())
        for path in sorted(shelf.open_ended) if starts else ():
            result = await self._run(self._twins, beginning(path, starts, _NEAR), attributes)
            found += _texts(result.table) if isinstance(result, Ran) else []
        return tuple(dict.fromkeys(found))

    async def _shelf(self, attributes: Attributes) -> Shelf:
        asker = sorted((n, attributes[n]) for n in self._names & attributes.keys())
        owner = json.dumps([self._catalog.hash, self._zone, asker])
        stamps = [await connector.fingerprint() for connector in self._connectors.values()]
        stamp, dated = "".join(stamps), all(stamps)

        def is_current(label: Label) -> bool:
            return label.stamp == stamp and (dated or 0 <= time.time() - label.made < FRESH)

        known = self._known.pop(owner, None)
        if known and not is_current(known.label):
            known.close()
            known = None
        self._known[owner] = (
            known or self._shelves.find(owner, is_current) or await self._made(owner, stamp, attributes)
        )
        if len(self._known) > ASKERS:
            self._known.popitem(last=False)[1].close()
        return self._known[owner]

    async def _made(self, owner: str, stamp: str, attributes: Attributes) -> Shelf:
        model = self._catalog.model
        asked = value_queries(model, self._zone)
        results = await asyncio.gather(*(self._run(model, spec, attributes) for _, spec in asked))
        found = [(path, r.table) for (path, _), r in zip(asked, results, strict=True) if isinstance(r, Ran)]
        forbidden = [d for r in results if isinstance(r, tuple) for d in r if d.kind == "not_permitted"]
        shown = without_samples(model) if held(model, attributes) else model
        keep = not any(isinstance(r, Rejected) and r.kind in _PASSING for r in results)
        label, refused = Label(stamp, time.time()), forbidden[0] if forbidden else None
        return await asyncio.to_thread(self._shelves.make, owner, label, gathered(shown, found), refused, keep=keep)

    async def _learnt(self, shelf: Shelf, path: str, spans: Sequence[Span], attributes: Attributes) -> bool:
        """Whether the shelf knows what a dimension of many values holds of a question; its database is asked if not."""
        unasked = [span for span in shelf.unasked(path, spans) if span.spellings]
        for at in range(0, len(unasked), _AT_ONCE):
            some = unasked[at : at + _AT_ONCE]
            result = await self._run(self._twins, lookup(path, asked_spellings(some)), attributes)
            if not isinstance(result, Ran) or result.table.truncated or len(result.table.rows) > CAP:
                return False
            shelf.learn(path, some, _texts(result.table))
        return True

    @cached_property
    def _twins(self) -> Model:
        return foldable(self._catalog.model, self._dialects)

    @cached_property
    def _dialects(self) -> dict[str, str]:
        """The dialect of each view's database."""
        views = self._catalog.model.views
        found = {view.name: self._connectors.get(view.datasource or self._default) for view in views}
        return {name: connector.dialect for name, connector in found.items() if connector}

    async def _run(self, model: Model, spec: Spec, attributes: Attributes) -> Ran | Rejected | tuple[Defect, ...]:
        view = spec.by[0].member.partition(".")[0]
        query = compile_spec(model, spec, self._dialects.get(view, "duckdb"), attributes=attributes)
        if not isinstance(query, Compiled):
            return query
        connector = self._connectors.get(query.datasource or self._default)
        return await connector.run(query.sql, query.params, LOOK_UP) if connector else ()


async def read_with_values(
    index: ValueIndex, question: Question, catalog: Catalog, read: Callable[[Values], Clarified]
) -> tuple[Clarified, Defect | None]:
    """What `read` makes of a question with the values that its words name, and why some could not be looked up.

    Words as they are written are looked up: what is put right may be a member's name, and never a value. Names that are
    near are fetched only for words that mean nothing.
    """
    if not needs_values(question.text, catalog):
        return read(Values()), None
    asker = question.asker
    seen = await index.look(spans_of(tokenise(question.text)), asker)
    reading = read(seen.values)
    if isinstance(reading, NotUnderstood) and reading.unknown:
        unknown = [solid(word.word) for word in reading.unknown]
        reading = read(replace(seen.values, names=await index.names(unknown, asker)))
    return reading, seen.refused


def _texts(table: Table) -> list[str]:
    return [row[0] for row in table.rows if isinstance(row[0], str)]
