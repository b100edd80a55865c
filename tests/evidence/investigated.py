"""A whole investigation with scripted models, in memory: two sources, two records, two versions of a design."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from backedge.assembling.evidence import EvidenceApp
from backedge.config.evidence_file import EvidenceProject
from backedge.evidence import kinds
from backedge.evidence.designs import (
    CRITERIA,
    SECTIONS,
    Approach,
    ApproachDecision,
    Approval,
    Assumption,
    Candidates,
    Citation,
    Design,
    DesignSection,
    Rated,
)
from backedge.evidence.facets import FACET_NAMES, FACETS, Facet, FacetCommand, RoundTrip
from backedge.evidence.inquire.ports import AssessedByModel, Held, InquirePorts
from backedge.evidence.inquire.states import SufficiencyDecision
from backedge.evidence.inquire.workflow import INQUIRE
from backedge.evidence.inquiry import (
    VIEW,
    Assessment,
    CoverageGap,
    DerivedQuestions,
    InvestigationQuestion,
    Package,
    SearchPlan,
    SearchQuery,
    Sufficiency,
)
from backedge.evidence.investigate.ports import InvestigatePorts, SaidFacet, SaidFacets, SaidValue
from backedge.evidence.investigate.states import Approve, Decide, Request
from backedge.evidence.investigate.workflow import INVESTIGATE
from backedge.evidence.ports import Extraction, Shown
from backedge.kernel.drive import Bound, Driver
from backedge.kernel.ports import Change, Head
from backedge.kernel.run import Run, Status
from backedge.kernel.stage import Lesson, Record, Reply
from tests.evidence.outside import NAUSEA, PAIN, article, delivery, doi, quoting
from tests.evidence.shelf import TODAY, Shelf, go
from tests.kernel.memory import MemoryStore

REQUEST = "Does ketorolac cause nausea in rats?"
KEY = "inv1"
REVIEWERS = ("rita",)
TITLES = {"a": "Ketorolac and <b>nausea</b>", "b": "Ketorolac and pain"}


def both(sections: Sequence[Shown], lesson: Lesson) -> Extraction:
    """Replies with a finding for each of the two sentences that is shown."""
    found = []
    if any(NAUSEA in section.text for section in sections):
        found.append(quoting(sections, NAUSEA))
    if any(PAIN in section.text for section in sections):
        told = {"endpoint": "pain", "direction": "decrease", "effect": "2.1 vs 4.0, p < 0.001"}
        said = "In rats, pain at 24 h was lower with ketorolac than with placebo (2.1 vs 4.0, p < 0.001)."
        found.append(quoting(sections, PAIN, statement=said, **told))
    return Extraction(tuple(found), "" if found else "nothing is said of it")


@dataclass
class Scripted:
    """Fulfils `RequestAgent`, `Planner`, `Assessor` and `DesignAgent`."""

    settings: JsonValue = "scripted"
    lessons: list[Lesson] = field(default_factory=list)

    async def facets(self, request: str, lesson: Lesson) -> Reply[SaidFacets]:
        said = [
            SaidFacet(row.name, row.importance, (SaidValue("open", "default", reason="the policy"),)) for row in FACETS
        ]
        said[3] = replace(said[3], values=(SaidValue("ketorolac", "explicit", "ketorolac"),))
        return Reply(SaidFacets(tuple(said)))

    async def round_trip(self, request: str, facets: tuple[Facet, ...], lesson: Lesson) -> Reply[RoundTrip]:
        return Reply(RoundTrip("Nausea of rats under ketorolac.", (), (), ()))

    async def questions(self, facets: tuple[Facet, ...], lesson: Lesson) -> Reply[DerivedQuestions]:
        named = tuple(name for name in FACET_NAMES if name != "condition")
        question = InvestigationQuestion("q1", "Does ketorolac cause nausea?", named, ("size",), "whether to use it")
        return Reply(DerivedQuestions((question,), (("condition", "none is stated"),)))

    async def plan(
        self, question: InvestigationQuestion, targets: tuple[str, ...], lesson: Lesson
    ) -> Reply[SearchPlan]:
        queries = (SearchQuery("ketorolac nausea pain", "lexical"), SearchQuery("ketorolac harms", "semantic"))
        return Reply(SearchPlan(queries, (VIEW,), (), "both arms were read"))

    async def assess(
        self, question: InvestigationQuestion, held: tuple[Held, ...], lesson: Lesson
    ) -> Reply[AssessedByModel]:
        said = (
            Assessment(
                each.record.key,
                each.record.source,
                "contradicts" if each.record.proposal.endpoint == "pain" else "supports",
                "unknown",
                "indirect",
                "unknown",
                "it is about that",
            )
            for each in held
        )
        return Reply(AssessedByModel(tuple(said)))

    async def weigh(
        self,
        question: InvestigationQuestion,
        assessments: tuple[Assessment, ...],
        held: tuple[Held, ...],
        gaps: tuple[CoverageGap, ...],
        lesson: Lesson,
    ) -> Reply[Sufficiency]:
        return Reply(Sufficiency("partial", ("doses are alike",), ("one dose",), "one dose in rats"))

    async def candidates(
        self, facets: tuple[Facet, ...], packages: tuple[Package, ...], lesson: Lesson
    ) -> Reply[Candidates]:
        keys = tuple(record.record for package in packages for record in package.records)
        rated = tuple(Rated(row.name, "weak", "one dose alone was tried", keys[:1]) for row in CRITERIA)
        assumes = (Assumption("rats show nausea", "practice"),)
        approaches = tuple(Approach(k, f"Approach {k}", f"Does {k}.", assumes, rated, keys) for k in ("a", "b"))
        return Reply(Candidates(approaches, "They differ in cost."))

    async def design(
        self,
        facets: tuple[Facet, ...],
        packages: tuple[Package, ...],
        candidates: Candidates,
        decision: ApproachDecision,
        version: int,
        lesson: Lesson,
    ) -> Reply[Design]:
        self.lessons.append(lesson)
        held = {record.spans[0].exact: record.record for package in packages for record in package.records}
        return Reply(design(version, held))


def design(version: int, held: dict[str, str]) -> Design:
    """A version that cites the two records, by the words of their spans, in two of its sections."""
    sections = {row.name: DesignSection(row.name, f"Nothing is decided on {row.name}.", ()) for row in SECTIONS}
    told = f"One study says \u201c{NAUSEA}\u201d"
    text = f"Two studies bear on it. {told} Pain was lower."
    cited = (Citation(told, (held[NAUSEA],)), Citation("Pain was lower.", (held[PAIN],)))
    sections["evidence_basis"] = DesignSection("evidence_basis", text, cited)
    if version > 1:
        both_ = Citation("Rats of both sexes.\n\nGroups are compared.", (held[PAIN], held[NAUSEA]))
        sections["sample_size"] = DesignSection("sample_size", "Rats of both sexes.\n\nGroups are compared.", (both_,))
    facets = tuple((row.name, f"met by section {row.name}") for row in FACETS if row.importance == "mandatory")
    return Design(version, tuple(sections.values()), facets)


class Kept(MemoryStore):
    """A store that knows which run wrote a record first, and lists runs as the stores on disk do."""

    def __init__(self) -> None:
        super().__init__()
        self.makers: dict[tuple[str, str], str] = {}

    async def append(self, change: Change) -> None:
        await super().append(change)
        for record in change.records:
            self.makers.setdefault((record.kind, record.key), change.run_id)

    async def heads(
        self, *, status: Status | None = None, workflow: str | None = None, limit: int = 50, before: str | None = None
    ) -> tuple[Head, ...]:
        newest = [*reversed(self.rows.values())]
        after = next((at for at, head in enumerate(newest, 1) if head.id == before), 0)
        fits = [h for h in newest[after:] if status in (None, h.status) and workflow in (None, h.workflow)]
        return tuple(fits[:limit])

    async def records(self, kind: str, run_id: str | None = None, under: str = "") -> tuple[Record, ...]:
        found = await super().records(kind, None, under)
        return tuple(each for each in found if run_id in (None, self.makers.get((kind, each.key))))


@dataclass
class Investigated(Shelf):
    """A shelf on which investigations run too."""

    store: Any = field(default_factory=Kept)
    scripted: Any = field(default_factory=Scripted)

    @property
    def driver(self) -> Driver:
        """A driver as another process would have it."""
        driver = super().driver
        library, contents, said = self.library, self.contents, self.scripted
        moment: Callable[[], str] = lambda: "2026-12-01T00:00:00+00:00"  # noqa: E731
        inquire = InquirePorts(library, contents, self.view, self.embedder, {}, said, said, moment)
        driver._workflows = {
            **driver._workflows,
            "investigate": Bound(INVESTIGATE, InvestigatePorts(library, contents, said, said)),
            "inquire": Bound(INQUIRE, inquire),
        }
        return driver

    @property
    def app(self) -> EvidenceApp:
        """What checks and exports take; nothing of it but store, library and contents is used."""
        nothing: Any = None
        return EvidenceApp(
            EvidenceProject(Path()),
            self.store,
            self.driver,
            self.library,
            self.contents,
            nothing,
            None,
            nothing,
            nothing,
            (),
            (),
        )

    def investigate(self, key: str = KEY) -> Run:
        """Begin an investigation and drive it to the review of its facets."""
        request = Request(key, REQUEST, "ann")
        labels = {"asked": REQUEST}
        return self.drive(go(self.driver.start("investigate", request, TODAY, labels=labels, run_id=key)))

    def say(self, value: Any, by: str = "rita", key: str = KEY) -> Run:
        """Offer something to an investigation, and drive on."""
        go(self.driver.offer(key, value, by=by))
        return self.drive(key)

    def decide_on(self, version: int, approved: bool) -> Run:
        """Approve a version, or ask for changes."""
        changes = () if approved else ("say how many rats",)
        why = "it is sound" if approved else "the number of rats is missing"
        return self.say(Approve(Approval(version, approved, "rita", why, changes), REVIEWERS))


def fill(shelf: Investigated) -> Investigated:
    """Ingest both sources, and begin an investigation whose facets wait for a reviewer."""
    shelf.agent.replies = [both]
    for name, sentence in (("a", NAUSEA), ("b", PAIN)):
        title = TITLES[name]
        shelf.ingest(name, delivery(article(f"Study {name}", sentence), title=title, identifiers=doi(name)))
    shelf.investigate()
    return shelf


def decide(shelf: Investigated) -> Investigated:
    """Confirm the facets, let one record stand, and choose an approach: a first version waits for approval."""
    for number, row in enumerate(row for row in FACETS if row.importance == "mandatory"):
        shelf.say(FacetCommand("confirm_facet", "rita", number, facet=row.name, reviewers=REVIEWERS))
    shelf.say(FacetCommand("confirm", "rita", 5, reviewers=REVIEWERS))
    (inquiry,) = go(shelf.store.heads(workflow="inquire"))
    shelf.say(SufficiencyDecision(True, "rita", "it is large", REVIEWERS), key=inquiry.id)
    shelf.drive(KEY)
    shelf.say(Decide(ApproachDecision("a", "rita", (("b", "it costs more"),), "it is quick"), REVIEWERS))
    return shelf


def finish(shelf: Investigated) -> Investigated:
    """From the review of the facets to the approval of the second version."""
    decide(shelf)
    shelf.decide_on(1, approved=False)
    shelf.decide_on(2, approved=True)
    return shelf


def begun() -> Investigated:
    """An investigation whose facets wait for a reviewer."""
    return fill(Investigated())


def proposed() -> Investigated:
    """A first version of a design, which waits for approval."""
    return decide(begun())


@cache
def _approved() -> Investigated:
    return finish(begun())


def approved() -> Investigated:
    """Version 1 sent back, version 2 approved: a copy that may be changed."""
    made = _approved()
    fresh = Investigated(contents=copy.deepcopy(made.contents), view=copy.deepcopy(made.view), numbers=count(11))
    fresh.store = copy.deepcopy(made.store)
    return fresh


def record_of(shelf: Investigated, words: str) -> str:
    """The key of the record that rests on these words."""
    return next(r.key for r in shelf.all(kinds.RECORD) if r.spans[0][0].exact == words)
