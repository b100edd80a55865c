"""Solving with a model: it writes SQL, which is tried before it may run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pydantic import JsonValue

from backedge.agent.blocks import blocks
from backedge.ask.agreement_sql import missing
from backedge.ask.catalog import Catalog
from backedge.ask.prompted.certain import CertainReader
from backedge.ask.prompted.definitions import definitions
from backedge.ask.prompted.hiding import typed_for
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.outlines import tables_of
from backedge.ask.prompted.replies import Sql
from backedge.ask.prompted.search import CatalogSearch, Entry
from backedge.ask.prompted.shown import tables_text
from backedge.ask.prompted.surroundings import Surroundings
from backedge.ask.prompted.trial import Trial
from backedge.ask.proposals import Written
from backedge.ask.states import Solving
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.query.ports import Connector, TableInfo
from backedge.query.sqlliterals import literals
from backedge.semantic.model import View

MOST_EXAMPLES = 4
LONGEST_EXAMPLE = 2_000


class PromptedSolver:
    """Writes SQL for one database in its dialect, with the examples of the agent's context that are most like it."""

    def __init__(self, mind: Mind, around: Surroundings, default: str) -> None:
        self._mind = mind
        self._around = around
        self._default = default
        self._certain = CertainReader(around)
        self._examples = CatalogSearch(_example_entries(around.catalog))

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What the SQL depends on beside the state."""
        return {**self._mind.settings, "catalog": self._around.catalog.hash, "database": self._default}

    async def solve(self, state: Solving, lesson: Lesson) -> Reply[Written] | Unreadable:
        """SQL that passed its trial, or that has the objections as its defects."""
        connector = await self._connector(state)
        tables = await connector.catalog()
        parts = await self._parts(state, lesson, tables, connector.dialect)
        prompt = self._mind.prompt(parts, {"reason": state.reason})
        reply = await self._mind.agent.ask(prompt, Sql)
        if isinstance(reply, Unreadable):
            return reply
        said = reply.proposal
        written = Written(said.sql, connector.name, said.reason, notes=said.notes)
        details = reply.details
        if said.sql.strip():
            asker = state.came_from.came_from.question.asker
            tried = await Trial(self._around.catalog.model, connector, self._default, asker).of(said.sql)
            read = await self._certain.of(state.came_from)
            left_out = missing(read.question, read.answers, literals(said.sql, connector.dialect))
            written = replace(written, defects=(*tried.defects, *left_out))
            details = {**details, **tried.details}
        return Reply(written, reply.usage, details)

    async def _connector(self, state: Solving) -> Connector:
        """The database of the views that are needed; without views, the one that has the tables of the outline."""
        found = {view.datasource or self._default for view in self._views(state)}
        needed = tables_of(state.outline)
        for name, connector in self._around.connectors.items() if needed and not found else ():
            if needed <= {table.name for table in await connector.catalog()}:
                found.add(name)
        only = found.pop() if len(found) == 1 else self._default
        return self._around.connectors.get(only) or self._around.connectors[self._default]

    def _views(self, state: Solving) -> tuple[View, ...]:
        """The views of the members that the question names."""
        intent = state.came_from.intent
        paths = (
            *intent.members,
            *(token.means for token in intent.tokens),
            *(state.spec.measures if state.spec else ()),
        )
        named = {path.partition(".")[0] for path in paths if "." in path}
        return tuple(view for view in self._around.catalog.model.views if view.name in named)

    async def _parts(
        self, state: Solving, lesson: Lesson, tables: tuple[TableInfo, ...], dialect: str
    ) -> tuple[tuple[str, str], ...]:
        specifying, question = state.came_from, state.came_from.came_from.question
        answers = "\n".join(f"{g.slot}: {g.value}" for g in (*specifying.came_from.given, *specifying.given))
        before, views = lesson.previous, self._views(state)
        reading = self._mind.hiding.text(specifying.intent.reading, specifying.intent.draft, typed_for(state))
        about = " ".join((question.text, reading, state.reason, state.outline, *(view.table for view in views)))
        return (
            ("question", question.text),
            ("intent", reading),
            ("today", f"{question.today} ({question.timezone})"),
            ("answers of the person", answers),
            ("why SQL is needed", state.reason),
            ("outline", state.outline),
            ("dialect", dialect),
            ("tables", tables_text(tables, about)),
            ("meanings", self._mind.hiding.note(definitions(views))),
            ("examples", await self._alike(question.text)),
            ("lesson", self._mind.lesson(lesson, before.sql if isinstance(before, Written) else "")),
        )

    async def _alike(self, question: str) -> str:
        """The examples that share words with the question, the most like it first; else the first ones there are."""
        if not self._mind.sharing.examples:
            return ""
        found = await self._examples.find(question, MOST_EXAMPLES) or tuple(_example_entries(self._around.catalog))
        shown = found[:MOST_EXAMPLES]
        return blocks(("example", f"{entry.path}\n{entry.description[:LONGEST_EXAMPLE]}") for entry in shown)


def _example_entries(catalog: Catalog) -> Iterator[Entry]:
    for name, text in catalog.examples:
        yield Entry("example", name, description=text)
    for verified in catalog.verified:
        yield Entry("example", verified.name, verified.embed, f"-- {verified.description}\n{verified.sql}")
