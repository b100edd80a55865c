"""What people see of an investigation: one form of each part, for the command line, the pages and the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.designs import ApproachDecision, Candidates
from backedge.evidence.facets import Facet, FacetChange
from backedge.evidence.inquire.states import AwaitingSufficiency, InquiryFailed
from backedge.evidence.inquiry import CoverageGap, Execution, InvestigationQuestion, Package, Sorted, Sufficiency
from backedge.evidence.investigate.packing import last_of
from backedge.evidence.investigate.states import (
    AwaitingApproval,
    AwaitingDecision,
    AwaitingFacets,
    AwaitingInquiries,
    Packages,
    Packaging,
    Proposing,
    Request,
)
from backedge.evidence.library import Library
from backedge.evidence.staleness import stale
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.run import Run

InvestigationStatus = Literal["running", "waiting", "paused", "failed", "approved"]
WaitsFor = Literal["facet review", "sufficiency review", "decision", "approval", ""]
_WAITS: dict[type, WaitsFor] = {
    AwaitingFacets: "facet review",
    AwaitingDecision: "decision",
    AwaitingApproval: "approval",
}


def request_of(run: Run) -> Request:
    """The request of an investigation, whatever its state."""
    state = run.state.came_from if isinstance(run.state, AwaitingApproval) else run.state
    request: Request = state.request
    return request


def standing_of(run: Run) -> InvestigationStatus:
    """How a run stands, in one word."""
    if isinstance(run.state, InquiryFailed):
        return "failed"
    if run.stopped is not None:
        return "paused" if run.stopped.resumable else "failed"
    if run.status == "ended":
        return "approved"
    return "waiting" if run.status == "waiting" else "running"


def why_of(run: Run) -> str:
    """Why a run does not go on, with what to do; empty where it does."""
    if isinstance(run.state, InquiryFailed):
        return f"given up: {'; '.join(defect.message for defect in run.state.refusal.defects)}"
    if run.stopped is None:
        return ""
    return f"{run.stopped.reason}; {run.stopped.mend}" if run.stopped.mend else run.stopped.reason


@dataclass(frozen=True)
class InquiryView:
    """The inquiry of one question: its run (empty before it is begun), how that stands, what its evidence comes to."""

    question: str
    text: str
    run: str
    status: Literal["not begun", "running", "waiting", "paused", "failed", "inquired"]
    stage: str
    why: str
    sufficiency: Sufficiency | None


@dataclass(frozen=True)
class InvestigationView:
    """An investigation: how it stands, what it waits for, and its inquiries. `run` is also its key."""

    run: str
    request: str
    by: str
    status: InvestigationStatus
    stage: str
    waits_for: WaitsFor
    why: str
    inquiries: tuple[InquiryView, ...]
    stale: tuple[str, ...]


async def investigation_view(run: Run, inquiries: Mapping[str, Run], library: Library) -> InvestigationView:
    """An investigation; `inquiries` are the runs of its questions, by their keys."""
    request = request_of(run)
    kept = await library.one(kinds.QUESTIONS, request.key)
    views = [await _inquiry(request.key, q, inquiries.get(q.key), library) for q in (kept.questions if kept else ())]
    waits: WaitsFor = _WAITS.get(type(run.state), "") if run.status == "waiting" else ""
    if isinstance(run.state, AwaitingInquiries) and any(view.stage == AwaitingSufficiency.__name__ for view in views):
        waits = "sufficiency review"
    packages = await packages_kept(request.key, library)
    return InvestigationView(
        run.id,
        request.text,
        request.by,
        standing_of(run),
        type(run.state).__name__,
        waits,
        why_of(run),
        tuple(views),
        await stale(packages, library),
    )


async def _inquiry(
    investigation: str, question: InvestigationQuestion, run: Run | None, library: Library
) -> InquiryView:
    weighed = await library.one(kinds.SUFFICIENCY, f"{investigation}/{question.key}")
    sufficiency = weighed.sufficiency if weighed else None
    if run is None:
        return InquiryView(question.key, question.text, "", "not begun", "", "", sufficiency)
    standing = standing_of(run)
    status: Literal["running", "waiting", "paused", "failed", "inquired"]
    status = "inquired" if standing == "approved" else standing
    return InquiryView(question.key, question.text, run.id, status, type(run.state).__name__, why_of(run), sufficiency)


@dataclass(frozen=True)
class RoundTripView:
    """A round trip over the facets as they were after `number` changes."""

    number: int
    reconstruction: str
    omissions: tuple[str, ...]
    additions: tuple[str, ...]
    contradictions: tuple[str, ...]


@dataclass(frozen=True)
class FacetsView:
    """The eight facets with their history. `seen` is the number of the last change; `open` while they can change.

    `round_trip` is the last one; it is out of date where its `number` is less than `seen`.
    """

    run: str
    request: str
    seen: int
    open: bool
    facets: tuple[Facet, ...]
    history: tuple[FacetChange, ...]
    round_trip: RoundTripView | None


async def facets_view(run: Run, library: Library) -> FacetsView:
    """The facets as they are now. Raises `Permanent` before there are any."""
    request = request_of(run)
    kept = await library.all(kinds.FACETS_AT, f"{request.key}/")
    if not kept:
        raise _nothing("facets", run)
    told = await library.all(kinds.TOLD, f"{request.key}/")
    last = max(told, key=lambda each: each.number) if told else None
    trip = (
        RoundTripView(
            last.number,
            last.round_trip.reconstruction,
            last.round_trip.omissions,
            last.round_trip.additions,
            last.round_trip.contradictions,
        )
        if last
        else None
    )
    history = tuple(each.change for each in await library.all(kinds.CHANGED, f"{request.key}/"))
    return FacetsView(
        run.id,
        request.text,
        kept[-1].number,
        isinstance(run.state, AwaitingFacets) and run.status == "waiting",
        kept[-1].facets,
        history,
        trip,
    )


@dataclass(frozen=True)
class QuestionView:
    """A question with its inquiry, the searches that were run for it, and what was excluded with the reasons."""

    question: InvestigationQuestion
    inquiry: InquiryView
    executions: tuple[Execution, ...]
    rounds: tuple[Sorted, ...]
    gaps: tuple[CoverageGap, ...]


@dataclass(frozen=True)
class QuestionsView:
    """The questions of an investigation; `uninvestigated` are (facet, reason)."""

    run: str
    questions: tuple[QuestionView, ...]
    uninvestigated: tuple[tuple[str, str], ...]


async def questions_view(run: Run, inquiries: Mapping[str, Run], library: Library) -> QuestionsView:
    """The questions. Raises `Permanent` before there are any."""
    key = request_of(run).key
    kept = await library.one(kinds.QUESTIONS, key)
    if kept is None:
        raise _nothing("questions", run)
    found = []
    for question in kept.questions:
        under = f"{key}/{question.key}/"
        gaps = [gap.gap for gap in await library.all(kinds.GAP, under)]
        found.append(
            QuestionView(
                question,
                await _inquiry(key, question, inquiries.get(question.key), library),
                tuple(ran.execution for ran in await library.all(kinds.EXECUTION, under)),
                tuple(each.sorted for each in await library.all(kinds.SORTED, under)),
                last_of(gaps),
            )
        )
    return QuestionsView(run.id, tuple(found), kept.uninvestigated)


@dataclass(frozen=True)
class GapsView:
    """The coverage gaps of an investigation, and the mandatory facets that nothing investigates, with the reason."""

    run: str
    gaps: tuple[CoverageGap, ...]
    uninvestigated: tuple[tuple[str, str], ...]
    critical: tuple[tuple[str, str], ...]


async def gaps_view(run: Run, library: Library) -> GapsView:
    """The gaps so far; `critical` are (question, what is missing for its decision)."""
    key = request_of(run).key
    kept = await library.one(kinds.QUESTIONS, key)
    gaps = [gap.gap for gap in await library.all(kinds.GAP, f"{key}/")]
    weighed = await library.all(kinds.SUFFICIENCY, f"{key}/")
    critical = tuple((w.inquiry.partition("/")[2], gap) for w in weighed for gap in w.sufficiency.critical_gaps)
    return GapsView(run.id, last_of(gaps), kept.uninvestigated if kept else (), critical)


async def packages_kept(investigation: str, library: Library) -> tuple[Package, ...]:
    """The packages of an investigation, in the order of their questions; none before they are built."""
    found = [each.package for each in await library.all(kinds.PACKAGE, f"{investigation}/")]
    kept = await library.one(kinds.QUESTIONS, investigation)
    order = [question.key for question in kept.questions] if kept else []
    return tuple(sorted(found, key=lambda package: order.index(package.question.key)))


@dataclass(frozen=True)
class PackagesView:
    """The packages, and what they rest on that has changed since, by their keys.

    While none of them holds anything that a design may rest on they are `refused`, each with why it is invalid.
    """

    run: str
    packages: tuple[Package, ...]
    stale: tuple[tuple[str, str], ...]
    refused: bool


async def packages_view(run: Run, library: Library) -> PackagesView:
    """The packages. Raises `Permanent` before there are any."""
    packages = await packages_kept(request_of(run).key, library)
    learned = run.learned.get(Packaging.__name__)
    refused = learned.previous if not packages and learned and isinstance(learned.previous, Packages) else None
    if not packages and refused is None:
        raise _nothing("packages", run)
    shown = refused.packages if refused else packages
    changed = [(package.key, why) for package in shown for why in await stale((package,), library)]
    return PackagesView(run.id, shown, tuple(changed), refused is not None)


@dataclass(frozen=True)
class CandidatesView:
    """The approaches and the decision on them.

    While none was accepted, `refused` is the last that was not, with the `defects` that kept it from being.
    """

    run: str
    candidates: Candidates | None
    decision: ApproachDecision | None
    refused: Candidates | None
    defects: tuple[Defect, ...]
    stale: tuple[str, ...]


async def candidates_view(run: Run, library: Library) -> CandidatesView:
    """The candidates, or the refused ones. Raises `Permanent` before any were proposed."""
    key = request_of(run).key
    kept, chosen = await library.one(kinds.CANDIDATES, key), await library.one(kinds.DECISION, key)
    learned = run.learned.get(Proposing.__name__) if kept is None else None
    refused = learned.previous if learned and isinstance(learned.previous, Candidates) else None
    if kept is None and refused is None:
        raise _nothing("candidates", run)
    return CandidatesView(
        run.id,
        kept.candidates if kept else None,
        chosen.decision if chosen else None,
        refused,
        learned.defects if learned else (),
        await stale(await packages_kept(key, library), library),
    )


def _nothing(what: str, run: Run) -> Permanent:
    why = f": {why_of(run)}" if run.stopped else ""
    said = f"investigation {run.id} has no {what} yet; it is {standing_of(run)} at {type(run.state).__name__}{why}"
    return Permanent(said, mend=f"backedge investigate show {run.id}")


def sufficiency_waits(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Of inquiries those that wait for a person to say whether a judgement on one record stands."""
    return tuple(run for run in runs if run.status == "waiting" and isinstance(run.state, AwaitingSufficiency))
