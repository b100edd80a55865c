"""Interpreting with a model: it words validated rows; every figure of its words is held to the rows by the gates."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.ask.chart_choice import Choice, chosen_chart
from backedge.ask.gates import intent_of, question_of
from backedge.ask.grounded import TemplateInterpreter
from backedge.ask.numbers.sheet_of import overlaps
from backedge.ask.prompted.blocks import as_json
from backedge.ask.prompted.hiding import typed_for
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.replies import Picture, Words
from backedge.ask.prompted.surroundings import Surroundings
from backedge.ask.proposals import Interpretation
from backedge.ask.shape import cells_of, shape_of
from backedge.ask.states import Executing, Interpreting, Query
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.query.ports import Ran
from backedge.query.table import Table


class PromptedInterpreter:
    """Words the rows of a query by a model.

    Templates write where its words were refused, where there is little or no result (a story of nothing is invented),
    where it may not see the rows, and for automations and parts of a question, which are worded already.
    """

    def __init__(self, mind: Mind, templates: TemplateInterpreter, around: Surroundings, default: str) -> None:
        self._mind = mind
        self._templates = templates
        self._around = around
        self._default = default

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What the words depend on beside the rows."""
        return self._mind.settings

    async def interpret(
        self, state: Interpreting, lesson: Lesson
    ) -> Interpretation | Reply[Interpretation] | Unreadable:
        """The words, and a chart."""
        source, ran = state.came_from, state.ran
        if state.plain or ran is None or not isinstance(source, Executing) or not self._may_word(source.query, ran):
            return await self._templates.interpret(state, lesson)
        rows = min(len(ran.table.rows), self._mind.sharing.result_rows)
        shown = _rows(ran.table, rows)
        inputs: dict[str, JsonValue] = {"question": question_of(source).text, "result": shown}
        prompt = self._mind.prompt(self._parts(state, source, shown, ran, lesson), inputs, {"rows": rows})
        reply = await self._mind.agent.ask(prompt, Words)
        if isinstance(reply, Unreadable):
            return reply
        drawn = chosen_chart(_choice(reply.proposal.chart), source.query.columns, ran.table, not overlaps(source.query))
        return Reply(Interpretation(reply.proposal.text, (), drawn), reply.usage, reply.details)

    def _parts(
        self, state: Interpreting, source: Executing, shown: str, ran: Ran, lesson: Lesson
    ) -> tuple[tuple[str, str], ...]:
        hiding, typed, spec = self._mind.hiding, typed_for(source), source.query.spec
        told = "\n".join(hiding.text(text, spec, typed) for text in source.query.filters)
        return (
            ("question", question_of(source).text),
            ("reading", hiding.text(intent_of(source).reading, spec, typed)),
            ("filters that apply", told),
            ("result", shown),
            ("remarks", "\n".join(hiding.note(text) for text in (*state.remarks, *ran.notes))),
            ("lesson", self._mind.lesson(lesson)),
        )

    def _may_word(self, query: Query, ran: Ran) -> bool:
        return self._mind.sharing.result_rows > 0 and _says_something(query, ran.table) and not self._hidden(query)

    def _hidden(self, query: Query) -> bool:
        """Whether the rows may hold values that no model may see."""
        if query.spec is not None:
            return any(self._mind.hiding.hides(column.member) for column in query.columns)
        connector = self._around.connectors.get(query.database or self._default)
        return self._mind.hiding.is_read_by(query.sql, connector.dialect if connector else "duckdb")


def _says_something(query: Query, table: Table) -> bool:
    """Whether a result is whole and has a value in some measure."""
    measures = shape_of(query.columns, table).measures
    known = any(cell is not None for measure in measures for cell in cells_of(table, measure))
    return bool(table.rows) and table.truncated is None and (known or not measures)


def _choice(picture: Picture | None) -> Choice | None:
    return Choice(picture.kind, picture.x, picture.y, picture.series) if picture else None


def _rows(table: Table, most: int) -> str:
    names = [column.name for column in table.columns]
    shown = [as_json(dict(zip(names, row, strict=True))) for row in table.rows[:most]]
    left = len(table.rows) - len(shown)
    return "\n".join((*shown, f"({left} more rows are not shown)" if left else "")).strip()
