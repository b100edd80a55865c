"""Specifying with a model: it writes a request over exact paths, which the semantic model compiles or refuses."""

from __future__ import annotations

from dataclasses import asdict, replace

from pydantic import JsonValue

from backedge.agent.blocks import as_json
from backedge.ask.agreement import Agreement
from backedge.ask.extent import in_zone
from backedge.ask.grounded import CompilingSpecifier
from backedge.ask.inheriting import inherited
from backedge.ask.ports import Specified
from backedge.ask.prompted.asking import asked
from backedge.ask.prompted.certain import Certain, CertainReader
from backedge.ask.prompted.earlier import told_before
from backedge.ask.prompted.hiding import typed_for
from backedge.ask.prompted.mind import Mind
from backedge.ask.prompted.outlines import objections, outline
from backedge.ask.prompted.replies import Specification
from backedge.ask.prompted.search import Entry
from backedge.ask.prompted.shown import excerpt, tables_text
from backedge.ask.prompted.spelling import Speller
from backedge.ask.prompted.surroundings import Surroundings
from backedge.ask.prompted.told import told
from backedge.ask.proposals import Beyond, Compilation, Several
from backedge.ask.states import Question, Specifying
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.query.ports import TableInfo
from backedge.semantic.request import spec_from_json
from backedge.semantic.spec import Spec

NO_VIEWS = Defect(
    "no_views",
    "there are no views, so no request can be compiled",
    "kind",
    "choose beyond, with the columns and joins that are needed",
)


class PromptedSpecifier:
    """Compiles what rules read; what a model read, or what was sent back, a model specifies."""

    def __init__(self, mind: Mind, rules: CompilingSpecifier, around: Surroundings, default: str) -> None:
        self._mind = mind
        self._rules = rules
        self._around = around
        self._default = default
        self._certain = CertainReader(around)

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What a spec depends on beside the intent."""
        return {**self._mind.settings, "catalog": self._around.catalog.hash}

    async def specify(self, state: Specifying, lesson: Lesson) -> Reply[Specified] | Unreadable:
        """The compiled request, or what else the model says; what it names wrong comes back with the nearest names."""
        intent = state.intent
        if intent.verified or (intent.by == "words" and not lesson.defects and not state.given):
            return await self._rules.specify(state, lesson)
        read = await self._certain.of(state)
        tables = await self._around.tables()
        parts = self._parts(state, lesson, tables, await self._entries(state), read)
        reply = await self._mind.agent.ask(self._mind.prompt(parts, {"intent": intent.reading}), Specification)
        if isinstance(reply, Unreadable):
            return reply
        specified = await self._specified(state, reply.proposal, tables, read)
        return Reply(specified, reply.usage, reply.details)

    def _parts(
        self,
        state: Specifying,
        lesson: Lesson,
        tables: tuple[TableInfo, ...],
        entries: tuple[Entry, ...],
        read: Certain,
    ) -> tuple[tuple[str, str], ...]:
        question, intent = state.came_from.question, state.intent
        given = (*state.came_from.given, *state.given)
        hiding, typed = self._mind.hiding, typed_for(state)
        draft = as_json(asdict(hiding.spec(intent.draft, typed))) if intent.draft else ""
        before = lesson.previous
        previous = as_json(asdict(hiding.spec(before.spec, typed))) if isinstance(before, Compilation) else ""
        return (
            ("question", question.text),
            ("question before", told_before(question, hiding)),
            ("intent", hiding.text(intent.reading, intent.draft, typed)),
            ("today", f"{question.today} ({question.timezone})"),
            ("answers of the person", "\n".join(f"{answer.slot}: {answer.value}" for answer in given)),
            ("what the rules read", told(read.question, self._mind.sharing.samples, hiding.hides)),
            ("draft of the rules", draft),
            ("catalog", excerpt(entries, self._mind.sharing.samples)),
            ("tables", tables_text(tables, f"{question.text} {intent.reading} {' '.join(intent.members)}")),
            ("lesson", self._mind.lesson(lesson, previous)),
        )

    async def _entries(self, state: Specifying) -> tuple[Entry, ...]:
        question = state.came_from.question
        words = " ".join((question.text, state.intent.reading, *state.intent.members))
        return await self._around.found(question, words.replace(".", " "))

    async def _specified(
        self, state: Specifying, said: Specification, tables: tuple[TableInfo, ...], read: Certain
    ) -> Specified:
        match said.kind:
            case "parts":
                return Several(said.parts)
            case "beyond":
                reason = said.reason or "the semantic model has no construct for it"
                defects = objections(said.columns, said.joins, tables) if tables else ()
                return Beyond(None, reason, outline(said.columns, said.joins), defects)
            case "ask" if said.questions:
                return asked(said.questions)
            case _ if tables:
                return Compilation(Spec(), None, (NO_VIEWS,), by="model")
            case _:
                return await self._compiled(state, said, read)

    async def _compiled(self, state: Specifying, said: Specification, read: Certain) -> Compilation:
        question = state.came_from.question
        spec = spec_from_json(_request(said))
        if not isinstance(spec, Spec):
            return Compilation(Spec(), None, tuple(map(_badly_put, spec)), by="model", assumptions=said.assumptions)
        spec = in_zone(spec, self._around.catalog.model, question.timezone)
        compiled = await self._rules.compiled(spec, question.asker)
        kept = question.before.spec.where if question.before and question.before.spec else ()
        agreement = Agreement(spec, read.question, self._certain.model, read.answers, kept)
        if compiled.defects:
            return replace(compiled, by="model", against=agreement.defects(), assumptions=said.assumptions)
        spelt = await self._speller(question).of(spec)
        if spelt.spec != spec:
            compiled = await self._rules.compiled(spelt.spec, question.asker)
            agreement = replace(agreement, spec=spelt.spec)
        return replace(
            compiled,
            by="model",
            defects=(*compiled.defects, *spelt.defects),
            against=agreement.defects(),
            assumptions=(
                *said.assumptions,
                *spelt.assumptions,
                *agreement.assumptions(),
                *inherited(question.before, spelt.spec),
            ),
        )

    def _speller(self, question: Question) -> Speller:
        around = self._around
        shown, hides = self._mind.sharing.samples, self._mind.hiding.hides
        return Speller(around.catalog.model, around.connectors, self._default, question.asker, shown, hides)


def _badly_put(defect: Defect) -> Defect:
    """What a request says in a way that is not served can be said in another: it is not beyond the model."""
    return replace(defect, kind="bad_request") if defect.kind == "not_supported" else defect


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
