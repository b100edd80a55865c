"""Specifying with a model: it writes a request over exact paths, which the semantic model compiles or refuses."""

from __future__ import annotations

from dataclasses import asdict, replace

from pydantic import JsonValue

from backedge.ask.grounded import CompilingSpecifier
from backedge.ask.ports import Specified
from backedge.ask.prompted.asking import asked
from backedge.ask.prompted.blocks import as_json
from backedge.ask.prompted.surroundings import Surroundings
from backedge.ask.prompted.hiding import typed_for
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.replies import Specification
from backedge.ask.prompted.search import Entry
from backedge.ask.prompted.shown import excerpt, tables_text
from backedge.ask.proposals import Beyond, Compilation, Several
from backedge.ask.states import Specifying
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.query.ports import TableInfo
from backedge.semantic.request import spec_from_json
from backedge.semantic.spec import Spec


class PromptedSpecifier:
    """Compiles what rules read; what a model read, or what was sent back, a model specifies."""

    def __init__(self, mind: Mind, rules: CompilingSpecifier, around: Surroundings) -> None:
        self._mind = mind
        self._rules = rules
        self._around = around

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What a spec depends on beside the intent."""
        return {**self._mind.settings, "catalog": self._around.catalog.hash}

    async def specify(self, state: Specifying, lesson: Lesson) -> Reply[Specified] | Unreadable:
        """The compiled request, or what else the model says; what it names wrong comes back with the nearest names."""
        intent = state.intent
        if intent.verified or (intent.by == "words" and not lesson.defects and not state.given):
            return await self._rules.specify(state, lesson)
        tables = await self._around.tables()
        entries = await self._entries(state)
        prompt = self._mind.prompt(self._parts(state, lesson, tables, entries), {"intent": intent.reading})
        reply = await self._mind.agent.ask(prompt, Specification)
        if isinstance(reply, Unreadable):
            return reply
        specified = await self._specified(state, reply.proposal)
        return Reply(specified, reply.usage, reply.details)

    def _parts(
        self, state: Specifying, lesson: Lesson, tables: tuple[TableInfo, ...], entries: tuple[Entry, ...]
    ) -> tuple[tuple[str, str], ...]:
        question, intent = state.came_from.question, state.intent
        answers = "\n".join(f"{given.slot}: {given.value}" for given in (*state.came_from.given, *state.given))
        hiding, typed = self._mind.hiding, typed_for(state)
        draft = as_json(asdict(hiding.spec(intent.draft, typed))) if intent.draft else ""
        return (
            ("question", question.text),
            ("intent", hiding.text(intent.reading, intent.draft, typed)),
            ("today", f"{question.today} ({question.timezone})"),
            ("answers of the person", answers),
            ("draft of the rules", draft),
            ("catalog", excerpt(entries, self._mind.sharing.samples)),
            ("tables", tables_text(tables)),
            ("lesson", self._mind.lesson(lesson)),
        )

    async def _entries(self, state: Specifying) -> tuple[Entry, ...]:
        question = state.came_from.question
        words = " ".join((question.text, state.intent.reading, *state.intent.members))
        return await self._around.found(question, words.replace(".", " "))

    async def _specified(self, state: Specifying, said: Specification) -> Specified:
        match said.kind:
            case "parts":
                return Several(said.parts)
            case "beyond":
                return Beyond(None, said.reason or "the semantic model has no construct for it", _outline(said))
            case "ask" if said.questions:
                return asked(said.questions)
            case _:
                return await self._compiled(state, said)

    async def _compiled(self, state: Specifying, said: Specification) -> Compilation:
        spec = spec_from_json(_request(said))
        if not isinstance(spec, Spec):
            return Compilation(Spec(), None, spec, by="model", assumptions=said.assumptions)
        compiled = await self._rules.compiled(spec, state.came_from.question.asker)
        return replace(compiled, by="model", assumptions=said.assumptions)


def _request(said: Specification) -> dict[str, object]:
    """The reply as a request of the semantic model."""
    keys = {"measures", "dimensions", "segments", "limit", "ungrouped"}
    request: dict[str, object] = {k: v for k, v in said.model_dump(mode="json").items() if k in keys}
    request["filters"] = [f.model_dump(mode="json") for f in said.filters]
    request["order"] = [o.model_dump(mode="json") for o in said.order]
    request["time_dimensions"] = [t.model_dump(mode="json", exclude_none=True) for t in said.time_dimensions]
    if said.compare:
        request["compare"] = {"to": said.compare}
    return request


def _outline(said: Specification) -> str:
    lines = [f"column {column}" for column in said.columns] + [f"join {join}" for join in said.joins]
    return "\n".join(lines)
