"""What a question may be about, for one agent: found by search, never shown whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from backedge.ask.catalog import Catalog
from backedge.ask.delegable import Delegable
from backedge.ask.delegating import is_excluded
from backedge.ask.grounded import GroundingClarifier
from backedge.ask.prompted.search import CatalogSearch, Entry
from backedge.ask.prompted.shown import MOST
from backedge.ask.states import Question
from backedge.query.ports import Connector, TableInfo
from backedge.semantic.policies import held


@dataclass(frozen=True)
class Surroundings:
    """The catalog, how it is searched, its databases, and the automations that a question may be handed to.

    `hides` says of which members no value may be shown.
    """

    catalog: Catalog
    search: CatalogSearch
    connectors: Mapping[str, Connector]
    rules: GroundingClarifier
    automations: tuple[Delegable, ...] = ()
    hides: Callable[[str], bool] = field(default=lambda path: False)

    async def found(self, question: Question, text: str) -> tuple[Entry, ...]:
        """What a text may be about: members with the values that its words name, as far as the asker may see them."""
        known = await self.rules.values_of(question, text)
        values: dict[str, tuple[str, ...]] = {}
        for holders in known.phrases.values():
            for holder in holders:
                shown = () if self.hides(holder.member) else holder.values
                values[holder.member] = tuple(dict.fromkeys((*values.get(holder.member, ()), *shown)))
        entries = await self.search.find(text, MOST, values)
        # samples stand in the files of the project, and say nothing of who may see them
        unsampled = held(self.catalog.model, question.asker)
        return tuple(replace(e, samples=()) for e in entries) if unsampled else entries

    def offered(self, question: str) -> tuple[Delegable, ...]:
        """The automations that the question is not excluded from."""
        return tuple(a for a in self.automations if not is_excluded(a, question))

    async def tables(self) -> tuple[TableInfo, ...]:
        """The introspected tables, where no view says what they mean."""
        if self.catalog.model.views:
            return ()
        found = [await connector.catalog() for connector in self.connectors.values()]
        return tuple(table for tables in found for table in tables)

    def paths(self, tables: Iterable[TableInfo]) -> frozenset[str]:
        """Every path that a reply may name."""
        members = {f"{view.name}.{member.name}" for view, member in self.catalog.model.members()}
        return frozenset(members | {f"{t.name}.{name}" for t in tables for name, _ in t.columns})
