"""Investigations of one project: started, driven, decided on by people, and gone on with."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from dataclasses import replace

from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.deciding import not_a_reviewer
from backedge.evidence.designs import ApproachDecision, Approval
from backedge.evidence.facets import FacetCommand
from backedge.evidence.inquire.states import AwaitingSufficiency, SufficiencyDecision
from backedge.evidence.investigate.states import Approve, Decide, Proposing, Request
from backedge.evidence.investigate.workflow import INVESTIGATE
from backedge.evidence.kinds import RECORD
from backedge.evidence.prompted.inquiry_showing import LONGEST_REQUEST
from backedge.evidence.staleness import no_longer_stands, stale
from backedge.evidence.views import InvestigationView, investigation_view, packages_kept, request_of, sufficiency_waits
from backedge.kernel.defect import Permanent
from backedge.kernel.drive import CannotRetry, OfferRefused
from backedge.kernel.journal import Moved
from backedge.kernel.ports import Head
from backedge.kernel.run import Run

CHANCE = "chance_of_success"
ASKED = 200  # characters of a request that a list of runs shows


class Investigations:
    """The investigations of one project. Reviewers and approvers are those of its `evidence.yml`."""

    def __init__(self, app: EvidenceApp) -> None:
        self._app = app
        self._reviewers = tuple(reviewer.name for reviewer in app.project.reviewers)
        self._approvers = app.project.approvers or self._reviewers

    async def start(self, text: str, *, by: str) -> str:
        """A run for a request; nothing is driven yet. Raises `Permanent` where the request is empty, or too long."""
        if not text.strip():
            raise Permanent("the request is empty", mend="say what is to be found out, and which decision it serves")
        if len(text) > LONGEST_REQUEST:
            said = f"the request has {len(text)} characters, and {LONGEST_REQUEST} are read"
            raise Permanent(said, mend="say it shorter; papers are given to `backedge ingest`")
        run_id = secrets.token_hex(6)
        labels = {"asked": " ".join(text.split())[:ASKED]}
        request = Request(run_id, text, by)
        return await self._app.driver.start(
            INVESTIGATE.name,
            request,
            self._app.context(by),
            limits=self._app.project.budgets.limits,
            labels=labels,
            run_id=run_id,
        )

    async def heads(self, before: str | None = None) -> AsyncIterator[Head]:
        """The investigations, newest first; of those begun before a run."""
        async for head in self._app.heads(INVESTIGATE.name, before=before):
            yield head

    async def unfinished(self) -> tuple[Run, ...]:
        """The investigations of which something paused or was cut short, the oldest first."""
        found = []
        async for head in self.heads():
            if head.status == "ended":
                continue
            run = await self.named(head.id)
            if any(_goes_on(each) for each in await self._tree(run)):
                found.append(run)
        return tuple(reversed(found))

    async def named(self, run: str) -> Run:
        """The investigation that an id, or the beginning of one, names. Raises `Permanent` where it is none."""
        found = await self._app.driver.load(run)
        if found.workflow.name != INVESTIGATE.name:
            raise Permanent(
                f"run {found.id} is no investigation, it is of the workflow {found.workflow.name}",
                mend="backedge investigate list",
            )
        return found

    async def inquiries(self, run: Run) -> dict[str, Run]:
        """The runs of its questions, by the keys of the questions."""
        children: list[str] = []
        for stored in await self._app.store.read(run.id):
            if isinstance(stored.entry, Moved):
                children += stored.entry.children
        loaded = [await self._app.driver.load(child) for child in children]
        return {child.labels["question"]: child for child in loaded}

    async def view(self, run: Run) -> InvestigationView:
        """How an investigation stands."""
        return await investigation_view(run, await self.inquiries(run), self._app.library)

    async def drive(self, run_id: str) -> Run:
        """Go on until it waits for a person, is over, or paused. A search view that was removed is made anew first."""
        await self._app.whole_view()
        return await self._app.driver.drive(run_id)

    async def retry(self, run: Run, *, by: str) -> None:
        """Open fresh budgets, as evidence.yml has them now, for it and for what it started, where those paused.

        Nothing is driven. Raises `CannotRetry` where nothing of it can go on, and `OfferRefused` where it paused for
        what a reviewer has to see first, and `by` is none.
        """
        refused = not_a_reviewer(by, self._reviewers) if _paused_for_a_chance(run) else None
        if refused is not None:
            raise OfferRefused(run, (refused,))
        left = [each for each in await self._tree(run) if _goes_on(each)]
        if not left:
            raise CannotRetry(f"investigation {run.id} has nothing that paused: see backedge investigate show {run.id}")
        for each in left:
            await self._app.driver.retry(each.id, by=by, limits=self._app.project.budgets.limits)

    async def _tree(self, run: Run) -> list[Run]:
        found = [run]
        for each in found:
            for stored in await self._app.store.read(each.id):
                if isinstance(stored.entry, Moved):
                    found += [await self._app.driver.load(child) for child in stored.entry.children]
        return found

    async def command(self, run: Run, command: FacetCommand) -> Run:
        """Offer a change of the facets, a new round trip or their confirmation, and go on.

        Raises `OfferRefused` with the gates' reasons, which are kept, or `NotAsked` where no facets are reviewed now.
        """
        said = replace(command, reviewers=self._reviewers)
        await self._app.driver.offer(run.id, said, by=command.by)
        return await self.drive(run.id)

    async def decide(self, run: Run, decision: ApproachDecision) -> Run:
        """Offer the choice of an approach, and go on. Raises `OfferRefused` or `NotAsked`."""
        changed = await stale(await packages_kept(request_of(run).key, self._app.library), self._app.library)
        await self._app.driver.offer(run.id, Decide(decision, self._reviewers, changed), by=decision.by)
        return await self.drive(run.id)

    async def approve(self, run: Run, approval: Approval) -> Run:
        """Offer an approval, or changes, and go on. Raises `OfferRefused` or `NotAsked`."""
        changed = await self.stale_of(run, approval.version)
        await self._app.driver.offer(run.id, Approve(approval, self._approvers, changed), by=approval.by)
        return await self.drive(run.id)

    async def stale_of(self, run: Run, version: int) -> tuple[str, ...]:
        """What a version of its design cites that may not be used any more; a newer version is no reason."""
        key = request_of(run).key
        kept = await self._app.library.all(kinds.DESIGN, f"{key}/")
        design = next((each.design for each in kept if each.design.version == version), None)
        if design is None:
            return ()
        cited = frozenset(key for section in design.sections for c in section.citations for key in c.records)
        held = {
            record.record: record for each in await packages_kept(key, self._app.library) for record in each.records
        }
        found = [
            why
            for record in (held[name] for name in sorted(cited) if name in held)
            for why in await no_longer_stands(record.record, record.source, record.version, self._app.library)
        ]
        return tuple(dict.fromkeys(found))

    async def waiting_inquiries(self) -> tuple[Run, ...]:
        """The inquiries that wait for a person to say whether a judgement on one record stands, the oldest first."""
        heads = [head async for head in self._app.heads("inquire", "waiting")]
        return sufficiency_waits([await self._app.driver.load(head.id) for head in reversed(heads)])

    async def waiting_inquiry(self, key: str) -> Run | None:
        """The waiting inquiry whose key (`INVESTIGATION/QUESTION`) or run this is."""
        return next((run for run in await self.waiting_inquiries() if key in (run.id, inquiry_key(run))), None)

    async def judge(self, run: Run, stands: bool, *, by: str, reason: str) -> Run:
        """Offer a decision on a judgement that one record carries; then its investigation goes on."""
        changed = await self._changed_of(run)
        said = SufficiencyDecision(stands, by, reason, self._reviewers, changed)
        await self._app.driver.offer(run.id, said, by=by)
        done = await self.drive(run.id)
        if run.parent is not None:
            await self.drive(run.parent.run_id)
        return done

    async def _changed_of(self, run: Run) -> tuple[str, ...]:
        """Why the one record that an inquiry waits with may not be used any more."""
        key = run.state.sufficiency.only_affirmative if isinstance(run.state, AwaitingSufficiency) else ""
        if not key or (record := await self._app.library.one(RECORD, key)) is None:
            return ()
        return tuple(await no_longer_stands(key, record.source, record.version, self._app.library))


def _paused_for_a_chance(run: Run) -> bool:
    """Whether its candidates stated a chance of success, which a reviewer has to see."""
    learned = run.learned.get(Proposing.__name__)
    return run.stopped is not None and learned is not None and any(d.kind == CHANCE for d in learned.defects)


def _goes_on(run: Run) -> bool:
    """Whether it paused, or was cut short."""
    return run.stopped.resumable if run.stopped is not None else run.status == "running"


def inquiry_key(run: Run) -> str:
    """The key of an inquiry that waits: `INVESTIGATION/QUESTION`."""
    state = run.state
    assert isinstance(state, AwaitingSufficiency)
    return state.inquiry.key
