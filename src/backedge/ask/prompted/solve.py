"""Solving with a model: it writes SQL, which is guarded and explained before it may run."""

from __future__ import annotations

from dataclasses import replace

from pydantic import JsonValue

from backedge.ask.prompted.blocks import blocks, lesson_text
from backedge.ask.prompted.clarify import Surroundings
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.replies import Sql
from backedge.ask.prompted.shown import tables_text
from backedge.ask.proposals import Written
from backedge.ask.states import Solving
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.query.ports import Rejected, TableInfo


class PromptedSolver:
    """Writes SQL for one database in its dialect, with the examples of the agent's context."""

    def __init__(self, mind: Mind, around: Surroundings, default: str) -> None:
        self._mind = mind
        self._around = around
        self._default = default

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What the SQL depends on beside the state."""
        return {**self._mind.settings, "catalog": self._around.catalog.hash, "database": self._default}

    async def solve(self, state: Solving, lesson: Lesson) -> Reply[Written] | Unreadable:
        """SQL that the guard and the engine's planner take, or their objections as its defects."""
        connector = self._around.connectors[self._default]
        tables = await connector.catalog()
        prompt = self._mind.prompt(self._parts(state, lesson, tables, connector.dialect), {"reason": state.reason})
        reply = await self._mind.agent.ask(prompt, Sql)
        if isinstance(reply, Unreadable):
            return reply
        said = reply.proposal
        written = Written(said.sql, self._default, said.reason, notes=said.notes)
        if said.sql.strip():
            plan = await connector.explain(said.sql)
            if isinstance(plan, Rejected):
                written = replace(written, defects=(Defect(f"sql_{plan.kind}", plan.message, "sql", near=plan.near),))
        return Reply(written, reply.usage, {**reply.details, "prompt_text": prompt.user})

    def _parts(
        self, state: Solving, lesson: Lesson, tables: tuple[TableInfo, ...], dialect: str
    ) -> tuple[tuple[str, str], ...]:
        specifying = state.came_from
        examples = self._around.catalog.examples if self._mind.sharing.examples else ()
        return (
            ("question", specifying.came_from.question.text),
            ("intent", specifying.intent.reading),
            ("why SQL is needed", state.reason),
            ("outline", state.outline),
            ("dialect", dialect),
            ("tables", tables_text(tables)),
            ("examples", blocks((f"example {name}", text) for name, text in examples)),
            ("lesson", lesson_text(lesson)),
        )
