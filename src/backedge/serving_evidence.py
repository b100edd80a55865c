"""Gives the server a project's evidence: what waits for people, and investigations that go on in the background."""

from __future__ import annotations

from typing import Any

from backedge.assembling.dispatching import Hub
from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.investigating import Investigations
from backedge.assembling.review_views import judgement_data, queue_data, review_data
from backedge.assembling.reviewing import reviews_of
from backedge.assembling.search_views import search_data
from backedge.assembling.source_views import passage_data, source_data, sources_data
from backedge.evidence import inquiry_kinds
from backedge.evidence.designs import ApproachDecision, Approval, Design
from backedge.evidence.exporting.design_diff import DesignDiff, changes_between
from backedge.evidence.exporting.design_view import DesignView, design_view
from backedge.evidence.facets import FacetCommand
from backedge.evidence.verify.states import InReview
from backedge.evidence.views import (
    CandidatesView,
    FacetsView,
    GapsView,
    InvestigationView,
    PackagesView,
    QuestionsView,
    candidates_view,
    facets_view,
    gaps_view,
    packages_view,
    questions_view,
)
from backedge.kernel.defect import Permanent
from backedge.kernel.run import Run
from backedge.serving_runs import ServedRuns
from backedge.web.evidence_services import Said, SearchArm

LOOKS = 20  # how often a run that goes on is looked at before the page is shown
LOOK = 0.1  # seconds at most between two looks: what is done at once is on the page that is shown next
Data = dict[str, Any]


class BackgroundInvestigations(Investigations):
    """Investigations that go on in the background: a decision waits a little, and never for a slow model."""

    def __init__(self, app: EvidenceApp, runs: ServedRuns, hub: Hub) -> None:
        super().__init__(app)
        self._runs = runs
        self._hub = hub

    async def drive(self, run_id: str) -> Run:
        """See that it goes on; as it is after a short while at most."""
        self._runs.dispatcher.wake(run_id)
        run = await self._runs.load(run_id)
        for _ in range(LOOKS):
            if run.status != "running" or self._runs.surfaced(run_id):
                break
            await self._hub.wait(run_id, LOOK)
            run = await self._runs.load(run_id)
        return run


class ServedEvidence:
    """The evidence of a project (`web.evidence_services.Evidence`)."""

    def __init__(self, app: EvidenceApp, runs: ServedRuns, hub: Hub) -> None:
        self._app = app
        self._reviews = reviews_of(app)
        self._investigations = BackgroundInvestigations(app, runs, hub)

    @property
    def double(self) -> bool:
        """See `Evidence`."""
        return self._reviews.double

    async def queue(self, limit: int) -> Data:
        """See `Evidence`."""
        return await queue_data(self._app, limit)

    async def record(self, key: str, by: str) -> Data:
        """See `Evidence`."""
        return await review_data(self._app, key, by)

    async def decide(self, key: str, said: Said) -> Data:
        """See `Evidence`. A mended record is verified here: one call of a model."""
        run = await self._reviews.decide(
            key, said.kind, by=said.by, reason=said.reason, seen=said.seen, changes=said.changes
        )
        record = run.state.record
        standing = await self._app.library.standing(record.key)
        return {
            "key": record.key,
            "standing": standing.status if standing else "proposed",
            "waits": isinstance(run.state, InReview),
            "paused": run.stopped.reason if run.stopped else "",
        }

    async def judgement(self, key: str) -> Data:
        """See `Evidence`."""
        return await judgement_data(self._app, await self._waiting(key))

    async def judge(self, key: str, stands: bool, *, by: str, reason: str) -> None:
        """See `Evidence`."""
        await self._investigations.judge(await self._waiting(key), stands, by=by, reason=reason)

    async def _waiting(self, key: str) -> Run:
        found = await self._investigations.waiting_inquiry(key)
        if found is None:
            raise Permanent(f"no judgement waits as {key!r}", mend="the queue lists what waits")
        return found

    async def ingests(self, limit: int) -> Data:
        """See `Evidence`."""
        lines: list[Data] = []
        async for head in self._app.heads("ingest"):
            if len(lines) == limit:
                return {"ingests": lines, "more": True}
            told = await self._app.told(head.id)
            lines.append(
                {
                    "run": head.id,
                    "asked": head.labels.get("wanted", ""),
                    "status": "running" if told.status == "unfinished" else told.status,
                    "stage": head.state,
                    "why": told.why,
                    "parts": len(told.parts),
                    "records": len(told.records),
                    "updated": head.updated.isoformat(timespec="seconds"),
                }
            )
        return {"ingests": lines, "more": False}

    async def sources(self, status: str, limit: int) -> Data:
        """See `Evidence`."""
        return await sources_data(self._app, status or None, limit)

    async def source(self, named: str) -> Data:
        """See `Evidence`."""
        return await source_data(self._app, named)

    async def passage(self, version: str, start: int, end: int) -> Data:
        """See `Evidence`."""
        return await passage_data(self._app, version, start, end)

    async def search(self, query: str, arm: SearchArm, limit: int) -> Data:
        """See `Evidence`."""
        return await search_data(self._app, query, limit, arm)

    async def investigations(self, limit: int, before: str) -> Data:
        """See `Evidence`."""
        found: list[InvestigationView] = []
        async for head in self._investigations.heads(before or None):
            if len(found) == limit:
                return {"investigations": found, "more": True}
            found.append(await self.investigation(head.id))
        return {"investigations": found, "more": False}

    async def start(self, request: str, *, by: str) -> str:
        """See `Evidence`."""
        run_id = await self._investigations.start(request, by=by)
        await self._investigations.drive(run_id)
        return run_id

    async def investigation(self, run: str) -> InvestigationView:
        """See `Evidence`."""
        return await self._investigations.view(await self._investigations.named(run))

    async def retry(self, run: str, *, by: str) -> None:
        """See `Evidence`."""
        named = await self._investigations.named(run)
        await self._investigations.retry(named, by=by)
        await self._investigations.drive(named.id)

    async def facets(self, run: str) -> FacetsView:
        """See `Evidence`."""
        return await facets_view(await self._investigations.named(run), self._app.library)

    async def command(self, run: str, command: FacetCommand) -> None:
        """See `Evidence`."""
        await self._investigations.command(await self._investigations.named(run), command)

    async def questions(self, run: str) -> QuestionsView:
        """See `Evidence`."""
        named = await self._investigations.named(run)
        return await questions_view(named, await self._investigations.inquiries(named), self._app.library)

    async def gaps(self, run: str) -> GapsView:
        """See `Evidence`."""
        return await gaps_view(await self._investigations.named(run), self._app.library)

    async def packages(self, run: str) -> PackagesView:
        """See `Evidence`."""
        return await packages_view(await self._investigations.named(run), self._app.library)

    async def candidates(self, run: str) -> CandidatesView:
        """See `Evidence`."""
        return await candidates_view(await self._investigations.named(run), self._app.library)

    async def choose(self, run: str, decision: ApproachDecision) -> None:
        """See `Evidence`."""
        await self._investigations.decide(await self._investigations.named(run), decision)

    async def design(self, run: str, version: int | None) -> DesignView:
        """See `Evidence`."""
        key = (await self._investigations.named(run)).id
        return await design_view(key, self._app.library, self._app.contents, version, self._app.project.tables)

    async def changes(self, run: str, old: int, new: int) -> DesignDiff:
        """See `Evidence`."""
        key = (await self._investigations.named(run)).id
        designs = [each.design for each in await self._app.library.all(inquiry_kinds.DESIGN, f"{key}/")]
        return changes_between(_of(designs, old), _of(designs, new), self._app.project.tables)

    async def approve(self, run: str, approval: Approval) -> None:
        """See `Evidence`."""
        await self._investigations.approve(await self._investigations.named(run), approval)


def _of(designs: list[Design], version: int) -> Design:
    found = next((design for design in designs if design.version == version), None)
    if found is None:
        known = ", ".join(str(design.version) for design in designs) or "none"
        raise Permanent(f"there is no version {version}", mend=f"there are versions {known}")
    return found
