"""Interpreting with a model: it words validated rows; every figure of its words is held to the rows by the gates."""

from __future__ import annotations

from pydantic import JsonValue

from backedge.ask.charts import chart
from backedge.ask.gates import intent_of, question_of
from backedge.ask.grounded import TemplateInterpreter
from backedge.ask.numbers.sheet_of import overlaps
from backedge.ask.prompted.blocks import as_json, lesson_text
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.privacy import Privacy
from backedge.ask.prompted.replies import Words
from backedge.ask.proposals import Interpretation
from backedge.ask.states import Executing, Interpreting
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.query.table import Table


class PromptedInterpreter:
    """Words the rows by a model; by templates where its words were refused, or where it may not see the rows."""

    def __init__(self, mind: Mind, templates: TemplateInterpreter, privacy: Privacy) -> None:
        self._mind = mind
        self._templates = templates
        self._privacy = privacy

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What the words depend on beside the rows."""
        return self._mind.settings

    async def interpret(
        self, state: Interpreting, lesson: Lesson
    ) -> Interpretation | Reply[Interpretation] | Unreadable:
        """The words, their figures, and a chart."""
        source, ran = state.came_from, state.ran
        if state.plain or ran is None or not isinstance(source, Executing) or not self._may_see(source):
            return await self._templates.interpret(state, lesson)
        parts = (
            ("question", question_of(source).text),
            ("reading", intent_of(source).reading),
            ("filters that apply", "\n".join(source.query.filters)),
            ("result", _rows(ran.table, self._mind.sharing.result_rows)),
            ("remarks", "\n".join((*state.remarks, *ran.notes))),
            ("lesson", lesson_text(lesson)),
        )
        prompt = self._mind.prompt(parts, {"question": question_of(source).text})
        reply = await self._mind.agent.ask(prompt, Words)
        if isinstance(reply, Unreadable):
            return reply
        drawn = chart(source.query.columns, ran.table, not overlaps(source.query))
        said = Interpretation(reply.proposal.text, (), drawn)
        return Reply(said, reply.usage, {**reply.details, "prompt_text": prompt.user})

    def _may_see(self, source: Executing) -> bool:
        hidden = [c.member for c in source.query.columns if self._privacy.hides(c.member)]
        return self._mind.sharing.result_rows > 0 and not hidden


def _rows(table: Table, most: int) -> str:
    names = [column.name for column in table.columns]
    shown = [as_json(dict(zip(names, row, strict=True))) for row in table.rows[:most]]
    left = len(table.rows) - len(shown)
    return "\n".join((*shown, f"({left} more rows are not shown)" if left else "")).strip()
