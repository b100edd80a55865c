"""The four ports of ask without a model: the grounder reads, the compile specifies, templates put into words."""

from __future__ import annotations

from dataclasses import replace

from pydantic import JsonValue

from backedge.ask.catalog import Catalog
from backedge.ask.charts import chart
from backedge.ask.delegable import Delegable
from backedge.ask.delegated import of_automation
from backedge.ask.delegating import asked_for, named
from backedge.ask.extent import in_zone
from backedge.ask.gates import intent_of
from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.spans import spans_of
from backedge.ask.grounding.values import Values
from backedge.ask.grounding.words import phrase, tokenise
from backedge.ask.intent import Clarified, Given, Intent, NotUnderstood
from backedge.ask.keys import KeyChecks
from backedge.ask.numbers.sheet_of import overlaps
from backedge.ask.parting import parted
from backedge.ask.ports import Specified
from backedge.ask.probe import filters_of, respelt
from backedge.ask.proposals import Automation, Beyond, Chosen, Compilation, Interpretation, Several, Written
from backedge.ask.prose import write
from backedge.ask.refusals import refusal_kind
from backedge.ask.states import Clarifying, Executing, Interpreting, Part, Question, Solving, Specifying
from backedge.ask.value_index import ValueIndex, read_with_values
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.semantic.compile import compile_spec
from backedge.semantic.policies import Attributes, without_policies
from backedge.semantic.spec import Compiled, Spec


class GroundingClarifier:
    """Reads a question by the model's own words; sent back, it looks for another reading, or says why there is none."""

    def __init__(self, catalog: Catalog, values: ValueIndex, automations: tuple[Delegable, ...] = ()) -> None:
        # what words mean does not hang on who asks; what may be seen of it is decided where it is compiled
        self._catalog = replace(catalog, model=without_policies(catalog.model))
        self._values = values
        self._automations = automations

    async def clarify(self, state: Clarifying, lesson: Lesson) -> Reply[Clarified | Automation] | Unreadable:
        """The reading of the question, or what it lacks."""
        details: dict[str, JsonValue] = {"model": self._catalog.hash}
        known = () if lesson.defects else self._automations
        if delegated := asked_for(state, self._catalog, known):
            return Reply(delegated, details=details)
        reading, refused = await self._read(state, lesson)
        if isinstance(reading, NotUnderstood) and (delegated := named(state, known)):
            return Reply(delegated, details=details)
        if refused is None or not isinstance(reading, NotUnderstood):
            return Reply(reading, details=details)
        return Unreadable("", replace(refused, message=f"{refused.message} ({reading.reason})"), details=details)

    async def reading(self, question: Question, given: tuple[Given, ...]) -> Clarified:
        """The reading of a question by itself, whatever was tried before."""
        return (await self._read(Clarifying(question, given), Lesson()))[0]

    async def values_of(self, question: Question, text: str) -> Values:
        """The values that words of a text name, as far as the asker may see them."""
        return (await self._values.look(spans_of(tokenise(text)), question.asker)).values

    async def _read(self, state: Clarifying, lesson: Lesson) -> tuple[Clarified, Defect | None]:
        question, before = state.question, lesson.previous
        catalog = self._catalog
        if isinstance(before, Intent) and before.verified:
            catalog = replace(catalog, verified=tuple(v for v in catalog.verified if v.name != before.verified))

        def read(values: Values) -> Clarified:
            def of(text: str) -> Clarified:
                return ground(text, catalog, values, today=question.today, answers=state.given, before=question.before)

            whole = of(question.text)
            return whole if question.before else parted(question.text, whole, of, state.given)

        reading, refused = await read_with_values(self._values, question, catalog, read)
        if lesson.defects and (reading == before or not isinstance(reading, Intent)):
            reason = "; ".join(dict.fromkeys(defect.message for defect in lesson.defects))
            return NotUnderstood(reason, kind=refusal_kind(lesson.defects)), None
        return reading, refused


class CompilingSpecifier:
    """Compiles the intent's own draft where the keys that it counts on hold, or takes the verified query it names."""

    def __init__(self, catalog: Catalog, keys: KeyChecks) -> None:
        self._catalog = catalog
        self._keys = keys

    async def specify(self, state: Specifying, lesson: Lesson) -> Reply[Specified]:
        """The compiled draft, with its defects where it does not compile."""
        return Reply(await self._specified(state, lesson), details={"model": self._catalog.hash})

    async def _specified(self, state: Specifying, lesson: Lesson) -> Specified:
        intent = state.intent
        if intent.parts:
            return _in_parts(intent, lesson)
        if intent.draft is None:
            verified = self._catalog.query(intent.verified)
            if verified is None:
                return Beyond(None, f"there is no verified query {intent.verified}")
            return Chosen(verified.name, verified.sql, verified.database)
        question = state.came_from.question
        spec = in_zone(_respelt(intent.draft, lesson), self._catalog.model, question.timezone)
        return await self.compiled(spec, question.asker)

    async def compiled(self, spec: Spec, attributes: Attributes) -> Compilation:
        """What the semantic model makes of a spec for an asker, with the keys that it counts on checked."""
        compiled = compile_spec(self._catalog.model, spec, attributes=attributes)
        if not isinstance(compiled, Compiled):
            return Compilation(spec, None, compiled)
        shared = await self._keys.defects(compiled, spec.variables)
        return Compilation(spec, None, shared) if shared else Compilation(spec, compiled)


def _in_parts(intent: Intent, lesson: Lesson) -> Several | Compilation:
    """The parts, once: where every one of them failed, asking them again would give the same."""
    failed = tuple(defect for defect in lesson.defects if defect.kind == "part_failed")
    return Compilation(Spec(), None, failed) if failed else Several(intent.parts)


def _respelt(spec: Spec, lesson: Lesson) -> Spec:
    """The draft with values spelt as the data has them, where only case, space, plural or diacritics differ."""
    held = [name for defect in lesson.defects if defect.kind == "empty" for name in defect.near]
    asked = [v for condition in spec.where for f in filters_of(condition) for v in f.values if isinstance(v, str)]
    return respelt(spec, {value: name for value in asked for name in held if phrase(name) == phrase(value)})


class NoSolver:
    """Writing SQL needs a model; without one the reason is the reply."""

    async def solve(self, state: Solving, lesson: Lesson) -> Written:
        """No SQL, and why."""
        return Written("", reason=f"{state.reason}; writing SQL for it needs a model, and none is configured")


class TemplateInterpreter:
    """Puts rows into words by templates, with the chart that the shape of the rows asks for."""

    async def interpret(self, state: Interpreting, lesson: Lesson) -> Interpretation:
        """The words, their figures and a chart."""
        if state.parts:
            return Interpretation("\n".join(_told(part) for part in state.parts))
        if state.ran is None or not isinstance(state.came_from, Executing):
            return of_automation(state)
        query, table = state.came_from.query, state.ran.table
        prose = write(intent_of(state.came_from), query.columns, table, query.filters, state.ran.tied)
        return Interpretation(prose.text, prose.figures, chart(query.columns, table, not overlaps(query)))


def _told(part: Part) -> str:
    if part.answer is None:
        return f"{part.question}: no answer ({part.reason})"
    return f"{part.question}: {part.answer.get('answer')}"
