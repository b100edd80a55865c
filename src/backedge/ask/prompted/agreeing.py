"""When replies of a stage's model say the same, and the three ports that ask for several of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

from pydantic import JsonValue

from backedge.agent.blocks import as_json
from backedge.ask.grounding.words import in_words
from backedge.ask.intent import Clarified, Inquiry, Intent, NotUnderstood
from backedge.ask.ports import Specified
from backedge.ask.prompted.clarify import PromptedClarifier
from backedge.ask.prompted.sampling import Sampling
from backedge.ask.prompted.solve import PromptedSolver
from backedge.ask.prompted.specify import PromptedSpecifier
from backedge.ask.proposals import Automation, Beyond, Chosen, Compilation, Several, Written
from backedge.ask.states import Clarifying, Solving, Specifying
from backedge.kernel.stage import Lesson, Reply, Unreadable
from backedge.query.sqlsame import canonical_sql
from backedge.semantic.compile import compile_spec
from backedge.semantic.model import Model
from backedge.semantic.policies import Attributes
from backedge.semantic.spec import Compiled, Spec

Reading = Clarified | Automation


@dataclass(frozen=True)
class AgreeingClarifier:
    """Readings agree in their kind and their members."""

    inner: PromptedClarifier
    count: int

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What a reading depends on beside the question."""
        return {**self.inner.settings, "consistency": self.count}

    async def clarify(self, state: Clarifying, lesson: Lesson) -> Reply[Reading] | Unreadable:
        """The reading that more than half of the replies have."""
        sampling = Sampling[Reading](self.count, _same_reading, _told_reading, lambda questions: questions)
        return await sampling.of(lambda: self.inner.clarify(state, lesson), state.given)


def _same_reading(reading: Reading) -> Hashable:
    match reading:
        case Intent():
            return ("data", reading.verified, frozenset(reading.members))
        case Automation():
            return ("automation", reading.name, as_json(reading.variables))
        case Inquiry():
            return ("inquiry",)
        case NotUnderstood():
            return ("unanswerable",)
        case _:
            return ("asks",)


def _told_reading(reading: Reading) -> str:
    match reading:
        case Intent() if not reading.defects:
            needs = ", ".join(sorted(reading.members)) or f"the verified query {reading.verified}"
            return f"{reading.reading} ({needs})"
        case Automation() if not reading.defects:
            return f"the automation {reading.name} with {as_json(reading.variables)}"
        case _:
            return ""


@dataclass(frozen=True)
class AgreeingSpecifier:
    """Requests agree where they compile to the same query, in whatever order they name things."""

    inner: PromptedSpecifier
    count: int
    model: Model

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What a spec depends on beside the intent."""
        return {**self.inner.settings, "consistency": self.count}

    async def specify(self, state: Specifying, lesson: Lesson) -> Reply[Specified] | Unreadable:
        """The request that more than half of the replies make."""
        asker = state.came_from.question.asker
        sampling = Sampling[Specified](
            self.count, lambda said: self._same(said, asker), _told_request, lambda questions: questions
        )
        return await sampling.of(lambda: self.inner.specify(state, lesson), state.given)

    def _same(self, said: Specified, asker: Attributes) -> Hashable:
        match said:
            case Compilation(spec):
                compiled = compile_spec(self.model, _in_order(spec), attributes=asker)
                return ("request", compiled.canonical if isinstance(compiled, Compiled) else repr(_in_order(spec)))
            case Several(questions):
                return ("parts", frozenset(" ".join(text.casefold().split()) for text in questions))
            case Chosen(name):
                return ("verified", name)
            case Beyond():
                return ("beyond",)
            case _:
                return ("asks",)


def _in_order(spec: Spec) -> Spec:
    """The spec in one order of its parts, where their order changes no row: which rows a limit takes may hang on it."""
    spec = replace(spec, where=tuple(sorted(spec.where, key=repr)), segments=tuple(sorted(spec.segments)))
    if spec.limit is not None or spec.motif:
        return spec
    by = tuple(sorted(spec.by, key=lambda by: by.name))
    return replace(spec, measures=tuple(sorted(spec.measures)), by=by)


def _told_request(said: Specified) -> str:
    match said:
        case Compilation(spec, Compiled() as compiled) if not (said.defects or said.against):
            return "; ".join(_clauses(spec, compiled.filters))
        case Several(questions):
            return f"{len(questions)} questions: {' / '.join(questions)}"
        case _:
            return ""


def _clauses(spec: Spec, filters: tuple[str, ...]) -> Iterator[str]:
    measures = ", ".join(_named(path) for path in spec.measures) or "rows"
    by = ", ".join(" per ".join((_named(by.member), *((by.grain,) if by.grain else ()))) for by in spec.by)
    yield f"{measures} by {by}" if by else measures
    yield from filters
    if spec.compare:
        yield f"compared with the {spec.compare.to.replace('_', ' ')}"
    if spec.order or spec.limit is not None:
        order = ", ".join(f"{_named(key.by)}{' descending' if key.desc else ''}" for key in spec.order)
        rows = f"the first {spec.limit}" if spec.limit is not None else "all"
        yield f"{rows} in order of {order}" if order else rows


def _named(path: str) -> str:
    view, _, name = path.partition(".")
    return f"{in_words(name)} of {in_words(view)}"


@dataclass(frozen=True)
class AgreeingSolver:
    """Statements agree where they are the same but for how they are written. Nobody is asked to choose between SQL."""

    inner: PromptedSolver
    count: int
    dialects: dict[str, str]

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What the SQL depends on beside the state."""
        return {**self.inner.settings, "consistency": self.count}

    async def solve(self, state: Solving, lesson: Lesson) -> Reply[Written] | Unreadable:
        """The statement that more than half of the replies hold."""
        sampling = Sampling[Written](self.count, self._same, lambda written: " ".join(written.sql.split()))
        return await sampling.of(lambda: self.inner.solve(state, lesson))

    def _same(self, written: Written) -> Hashable:
        dialect = self.dialects.get(written.database, "duckdb")
        return (written.database, canonical_sql(written.sql, dialect) if written.sql.strip() else "")
