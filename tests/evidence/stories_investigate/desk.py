"""A desk: investigations whose models and searches a test scripts call by call, on a shelf in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from backedge.evidence import kinds
from backedge.evidence.designs import ApproachDecision, Approval, Candidates, Design
from backedge.evidence.facets import FACETS, Facet, FacetCommand, RoundTrip
from backedge.evidence.inquire.ports import AssessedByModel, Held, InquirePorts
from backedge.evidence.inquire.states import SufficiencyDecision
from backedge.evidence.inquire.workflow import INQUIRE
from backedge.evidence.inquiry import (
    Assessment,
    CoverageGap,
    DerivedQuestions,
    InvestigationQuestion,
    Package,
    SearchPlan,
    SearchQuery,
    Sufficiency,
)
from backedge.evidence.investigate.ports import InvestigatePorts, SaidFacets
from backedge.evidence.investigate.states import Approve, Decide
from backedge.evidence.investigate.workflow import INVESTIGATE
from backedge.evidence.records import Standing
from backedge.kernel.defect import Defect
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.journal import Refused
from backedge.kernel.run import Run
from backedge.kernel.stage import Lesson, Record, Reply, Unreadable
from tests.evidence.investigated import KEY, REVIEWERS, TITLES, Investigated, Scripted, both, design, record_of
from tests.evidence.outside import NAUSEA, PAIN, article, delivery, doi

GARBAGE = Unreadable("{", Defect("unreadable", "no JSON"))
MANDATORY = tuple(row.name for row in FACETS if row.importance == "mandatory")
BOTH = {"a": NAUSEA, "b": PAIN}  # sources, and the sentence that each has a verified record of

Says = Callable[[Any], Any] | Exception | Unreadable


def keep(made: Any) -> Any:
    """The reply that fits, as it is."""
    return made


class Fitting(Scripted):
    """Replies that fit what is told, whichever of the two records that holds."""

    async def design(
        self,
        facets: tuple[Facet, ...],
        packages: tuple[Package, ...],
        candidates: Candidates,
        decision: ApproachDecision,
        version: int,
        lesson: Lesson,
    ) -> Reply[Design]:
        held = {record.spans[0].exact: record.record for package in packages for record in package.records}
        one = next(iter(held.values()))
        return Reply(design(version, {words: held.get(words, one) for words in (NAUSEA, PAIN)}))


@dataclass
class Spoken:
    """Fulfils the four agents. `says[STAGE]` are in order what becomes of the reply that fits, the last for ever."""

    says: Any = field(default_factory=dict)
    lessons: dict[str, list[Lesson]] = field(default_factory=dict)
    told: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    settings: Any = "scripted"
    fits: Any = field(default_factory=Fitting)

    async def _say(self, stage: str, *told: Any, lesson: Lesson) -> Any:
        self.lessons.setdefault(stage, []).append(lesson)
        self.told.setdefault(stage, []).append(told)
        script = self.says.get(stage, [keep])
        said = script[min(len(self.told[stage]), len(script)) - 1]
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Unreadable):
            return said
        reply = await getattr(self.fits, stage)(*told, lesson)
        return Reply(said(reply.proposal))

    async def facets(self, request: str, lesson: Lesson) -> Reply[SaidFacets] | Unreadable:
        return await self._say("facets", request, lesson=lesson)  # type: ignore[no-any-return]

    async def round_trip(
        self, request: str, facets: tuple[Facet, ...], lesson: Lesson
    ) -> Reply[RoundTrip] | Unreadable:
        return await self._say("round_trip", request, facets, lesson=lesson)  # type: ignore[no-any-return]

    async def questions(self, facets: tuple[Facet, ...], lesson: Lesson) -> Reply[DerivedQuestions] | Unreadable:
        return await self._say("questions", facets, lesson=lesson)  # type: ignore[no-any-return]

    async def plan(
        self, question: InvestigationQuestion, targets: tuple[str, ...], lesson: Lesson
    ) -> Reply[SearchPlan] | Unreadable:
        return await self._say("plan", question, targets, lesson=lesson)  # type: ignore[no-any-return]

    async def assess(
        self, question: InvestigationQuestion, held: tuple[Held, ...], lesson: Lesson
    ) -> Reply[AssessedByModel] | Unreadable:
        return await self._say("assess", question, held, lesson=lesson)  # type: ignore[no-any-return]

    async def weigh(
        self,
        question: InvestigationQuestion,
        assessments: tuple[Assessment, ...],
        held: tuple[Held, ...],
        gaps: tuple[CoverageGap, ...],
        lesson: Lesson,
    ) -> Reply[Sufficiency] | Unreadable:
        return await self._say("weigh", question, assessments, held, gaps, lesson=lesson)  # type: ignore[no-any-return]

    async def candidates(
        self, facets: tuple[Facet, ...], packages: tuple[Package, ...], lesson: Lesson
    ) -> Reply[Candidates] | Unreadable:
        return await self._say("candidates", facets, packages, lesson=lesson)  # type: ignore[no-any-return]

    async def design(
        self,
        facets: tuple[Facet, ...],
        packages: tuple[Package, ...],
        candidates: Candidates,
        decision: ApproachDecision,
        version: int,
        lesson: Lesson,
    ) -> Reply[Design] | Unreadable:
        told = (facets, packages, candidates, decision, version)
        return await self._say("design", *told, lesson=lesson)  # type: ignore[no-any-return]


@dataclass
class Desk(Investigated):
    """A shelf on which investigations run, with all that one reaches outside scripted."""

    scripted: Any = field(default_factory=Spoken)
    searchable: Mapping[str, Any] = field(default_factory=dict)
    ingested_at_most: int = 5
    records_per_question: int = 24
    weights: Mapping[Any, float] = field(default_factory=lambda: {"lexical": 1.0, "semantic": 1.0})
    package_tokens: int = 4_000

    @property
    def driver(self) -> Driver:
        """A driver as another process would have it."""
        driver, said = super().driver, self.scripted
        inquire = InquirePorts(
            self.library,
            self.contents,
            self.view,
            self.embedder,
            self.searchable,
            said,
            said,
            lambda: "2026-12-01T00:00:00+00:00",
            ingested_at_most=self.ingested_at_most,
            records_per_question=self.records_per_question,
            weights=self.weights,
        )
        investigate = InvestigatePorts(self.library, self.contents, said, said, package_tokens=self.package_tokens)
        driver._workflows = {
            **driver._workflows,
            "investigate": Bound(INVESTIGATE, investigate),
            "inquire": Bound(INQUIRE, inquire),
        }
        return driver

    def command(self, kind: Any, key: str = KEY, **given: Any) -> Run:
        """A command on the facets as they are now."""
        told = {"by": "rita", "seen": self.load(key).state.changes, "reviewers": REVIEWERS} | given
        return self.say(FacetCommand(kind, **told), told["by"], key)

    def confirm(self, key: str = KEY) -> Run:
        """Every mandatory facet confirmed, then all of them."""
        for name in MANDATORY:
            self.command("confirm_facet", key, facet=name)
        return self.command("confirm", key)

    def inquiries(self, key: str = KEY) -> list[Run]:
        """The runs of its questions."""
        return [child for child in self.children(key) if child.workflow.name == "inquire"]

    def stand(self, stands: bool = True, key: str = KEY, **given: Any) -> Run:
        """Every judgement that waits decided; the investigation after that."""
        told = {"by": "rita", "reason": "it is large", "reviewers": REVIEWERS} | given
        for inquiry in self.inquiries(key):
            if inquiry.status == "waiting":
                self.say(SufficiencyDecision(stands, **told), told["by"], inquiry.id)
        return self.drive(key)

    def choose(self, key: str = KEY, **given: Any) -> Run:
        """Approach a, or what is given."""
        told = {"chosen": "a", "by": "rita", "rejected": (("b", "it costs more"),), "reason": "quick"} | given
        stale = told.pop("stale", ())
        return self.say(Decide(ApproachDecision(**told), REVIEWERS, stale), told["by"], key)

    def approve(self, key: str = KEY, stale: tuple[str, ...] = (), **given: Any) -> Run:
        """The version that waits is approved, or what is given."""
        version = self.load(key).state.design.version
        told = {"version": version, "approved": True, "by": "rita", "rationale": "it is sound"} | given
        return self.say(Approve(Approval(**told), REVIEWERS, stale), told["by"], key)

    def refusals(self, run_id: str = KEY) -> list[tuple[str, str]]:
        """What was refused in a run: the stage, and the kind of the first defect, or the failure."""
        entries = [stored.entry for stored in self.journal(run_id) if isinstance(stored.entry, Refused)]
        return [(each.stage, each.defects[0].kind if each.defects else each.failure) for each in entries]


def desk(sources: Mapping[str, str] | None = None, **given: Any) -> Desk:
    """A desk with an article ingested for each source; nothing is investigated yet."""
    made = Desk(**given)
    made.agent.replies = [both]
    for name, sentence in (BOTH if sources is None else sources).items():
        brought = delivery(article(f"Study {name}", sentence), title=TITLES.get(name, name), identifiers=doi(name))
        made.ingest(name, brought)
    return made


def again(made: Desk, **given: Any) -> Desk:
    """The same project in another process, with other scripts; `made` stays as it is."""
    fresh = Desk(**given)
    fresh.store.rows, fresh.store.kept = dict(made.store.rows), dict(made.store.kept)
    fresh.store.journals = {run_id: list(entries) for run_id, entries in made.store.journals.items()}
    fresh.store.written = dict(made.store.written)
    fresh.contents.kept, fresh.contents.claims = dict(made.contents.kept), dict(made.contents.claims)
    fresh.view.chunks, fresh.view.revision = dict(made.view.chunks), made.view.revision
    fresh.agent.replies = [both]
    return fresh


@cache
def _reviewing(sources: tuple[tuple[str, str], ...]) -> Desk:
    made = desk(dict(sources))
    made.investigate()
    return made


@cache
def _settled(sources: tuple[tuple[str, str], ...]) -> Desk:
    made = again(_reviewing(sources))
    for name in MANDATORY:
        made.command("confirm_facet", facet=name)
    return made


@cache
def _deciding() -> Desk:
    made = confirmed()
    made.stand()
    return made


@cache
def _approving() -> Desk:
    made = again(_deciding())
    made.choose()
    return made


def _scripted(given: dict[str, Any]) -> dict[str, Any]:
    says = given.pop("says", {})
    return {"scripted": Spoken(says), **given}


def reviewing(**given: Any) -> Desk:
    """A desk with an investigation at the review of its facets; `says` scripts its models from there on."""
    sources = given.pop("sources", BOTH)
    return again(_reviewing(tuple(sources.items())), **_scripted(given))


def confirmed(before: Callable[[Desk], Any] = keep, **given: Any) -> Desk:
    """One whose facets are confirmed, driven on from there; `before` changes it before that."""
    sources = given.pop("sources", BOTH)
    made = again(_settled(tuple(sources.items())), **_scripted(given))
    before(made)
    made.command("confirm")
    return made


def deciding(**given: Any) -> Desk:
    """One that waits for a decision on its candidates."""
    return again(_deciding(), **_scripted(given))


def approving(**given: Any) -> Desk:
    """One whose first version of a design waits for approval."""
    return again(_approving(), **_scripted(given))


def trail(made: Desk, run_id: str = KEY) -> list[str]:
    """The states of a run, one that follows itself named once."""
    states = made.load(run_id).trail
    return [state for at, state in enumerate(states) if at == 0 or states[at - 1] != state]


def planning(*expansions: SearchQuery, words: str = "ketorolac nausea pain", **fields: Any) -> Callable[[Any], Any]:
    """Becomes a plan that looks for these words, then for the expansions."""
    queries = (SearchQuery(words, "lexical"), SearchQuery(words, "semantic"))
    return lambda plan: replace(plan, queries=queries, expansions=expansions, **fields)


def asking(count: int) -> Callable[[Any], Any]:
    """Becomes so many questions that are whole."""

    def asked(derived: DerivedQuestions) -> DerivedQuestions:
        (first,) = derived.questions
        made = tuple(replace(first, key=f"q{n}", text=f"{first.text} ({n})") for n in range(1, count + 1))
        return replace(derived, questions=made)

    return asked


def restricting(*names: str) -> Callable[[Desk], None]:
    """Makes sources unfit for use."""

    def restrict(made: Desk) -> None:
        for version in made.all(kinds.VERSION):
            if version.fetched.identifier in names:
                made.restrict(version.source, "withdrawn")

    return restrict


def rejecting(words: str) -> Callable[[Desk], None]:
    """Makes the record that rests on these words a rejected one."""

    def reject(made: Desk) -> None:
        key = record_of(made, words)
        number = made.all(kinds.STANDING, f"{key}/")[-1].number
        write(made, kinds.STANDING.record(Standing(key, number + 1, "rejected", "reviewer:rita", "wrong")))

    return reject


def write(made: Desk, record: Record) -> None:
    """Put a record into the store."""
    made.store.written[record.kind, record.key] = record


def statuses(made: Desk) -> Counter[tuple[str, str]]:
    """How the runs stand: workflow and status."""
    return Counter((head.workflow, head.status) for head in made.store.rows.values())
