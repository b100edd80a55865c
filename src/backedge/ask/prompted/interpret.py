"""Interpreting with a model: it words validated rows; every figure of its words is held to the rows by the gates."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from backedge.agent.blocks import as_json
from backedge.ask.chart_choice import Choice, chosen_chart
from backedge.ask.delegated import UNKNOWN, given_text
from backedge.ask.gates import intent_of, question_of
from backedge.ask.grounded import TemplateInterpreter
from backedge.ask.numbers.sheet_of import overlaps
from backedge.ask.prompted.hiding import typed_for
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.replies import Picture, Words
from backedge.ask.prompted.surroundings import Surroundings
from backedge.ask.proposals import Interpretation
from backedge.ask.shape import cells_of, shape_of
from backedge.ask.states import Delegating, Executing, Interpreting, Query
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.query.ports import Ran
from backedge.query.table import Table


@dataclass(frozen=True)
class _Told:
    """What a result is about, as the model may be told it."""

    question: str
    reading: str
    filters: tuple[str, ...]
    query: Query


class PromptedInterpreter:
    """Words the rows of a query, or of an automation, by a model.

    Templates write where its words were refused, where there is no result or not all of it (of that, stories are
    invented), and where it may not see the rows. Parts of a question were worded by their own runs.
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
        told, ran = self._told(state), state.ran
        if told is None or ran is None or not self._may_word(told.query, ran):
            return await self._templates.interpret(state, lesson)
        rows = min(len(ran.table.rows), self._mind.sharing.result_rows)
        shown = _rows(ran.table, rows)
        parts = (
            ("question", told.question),
            ("reading", told.reading),
            ("filters that apply", "\n".join(told.filters)),
            ("result", shown),
            ("remarks", "\n".join(self._mind.hiding.note(text) for text in (*state.remarks, *ran.notes))),
            ("lesson", self._mind.lesson(lesson)),
        )
        prompt = self._mind.prompt(parts, {"question": told.question, "result": shown}, {"rows": rows})
        reply = await self._mind.agent.ask(prompt, Words)
        if isinstance(reply, Unreadable):
            return reply
        apart = told.query is not UNKNOWN and not overlaps(told.query)
        drawn = chosen_chart(_choice(reply.proposal.chart), told.query.columns, ran.table, apart)
        return Reply(Interpretation(reply.proposal.text, (), drawn), reply.usage, reply.details)

    def _told(self, state: Interpreting) -> _Told | None:
        """What rows are about; None where templates are asked for, or what came is worded already."""
        match state.came_from:
            case Executing(query=query) as source if not state.plain:
                hiding, typed = self._mind.hiding, typed_for(source)
                reading = hiding.text(intent_of(source).reading, query.spec, typed)
                filters = tuple(hiding.text(text, query.spec, typed) for text in query.filters)
                return _Told(question_of(source).text, reading, filters, query)
            case Delegating(automation=name) as source if not (state.plain or state.told):
                question = source.came_from.question.text
                return _Told(question, f"automation {name}", given_text(source), UNKNOWN)
            case _:
                return None

    def _may_word(self, query: Query, ran: Ran) -> bool:
        return self._mind.sharing.result_rows > 0 and _says_something(query, ran.table) and not self._hidden(query)

    def _hidden(self, query: Query) -> bool:
        """Whether the rows may hold values that no model may see."""
        if query is UNKNOWN:
            return bool(self._mind.hiding)
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
