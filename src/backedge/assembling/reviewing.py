"""Review of records: what waits for a person, what is shown of it, and a decision, gated and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from backedge.assembling.cataloguing import record_named
from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import kinds
from backedge.evidence.agreeing import Round, rounds, seen_by
from backedge.evidence.decisions import Decision, DecisionKind
from backedge.evidence.extracting import Elsewhere, Place, place
from backedge.evidence.records import EvidenceRecord
from backedge.evidence.reviewed import Reviewed, Waits
from backedge.evidence.texts import reading_of
from backedge.evidence.validation import sameness, validate
from backedge.evidence.verify.stages.review import AGREED
from backedge.evidence.verify.states import InReview, Reopened
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.ports import Taken
from backedge.kernel.provenance import activities
from backedge.kernel.run import Run


@dataclass(frozen=True)
class Reviewers:
    """Who may decide on records, and whether two must agree."""

    names: tuple[str, ...]
    double: bool = False


def reviews_of(app: EvidenceApp) -> Reviews:
    """The review queue with the reviewers that the project names."""
    names = tuple(reviewer.name for reviewer in app.project.reviewers)
    return Reviews(app, Reviewers(names, app.project.double))


class Reviews:
    """The review queue of one project."""

    def __init__(self, app: EvidenceApp, reviewers: Reviewers) -> None:
        self._app = app
        self._reviewers = reviewers

    @property
    def double(self) -> bool:
        """Whether two must agree, each without seeing what the other decided."""
        return self._reviewers.double

    async def queue(self, most: int) -> tuple[Waits, ...]:
        """What waits for a decision on a record, the oldest first; at most so many."""
        heads = [head async for head in self._app.heads("verify", "waiting")]
        found: list[Waits] = []
        for head in reversed(heads):
            if len(found) == most:
                break
            run = await self._app.driver.load(head.id)
            if isinstance(run.state, InReview) and not _is_untouched(run):
                found.append(Waits(run.id, run.state))
        return tuple(found)

    async def agreement(self) -> tuple[Round, ...]:
        """Every record that two reviewers decided without seeing each other's decision."""
        return rounds(await self._app.library.all(kinds.DECIDED))

    async def reviewed(self, key: str, by: str = "") -> Reviewed:
        """A record as `by` may see it: where two must agree, others' decisions are hidden until two have decided.

        `key` may be the beginning of one. Raises `Permanent` where none or several begin so.
        """
        found = await self._all_of(key)
        return replace(found, decided=seen_by(found.decided, found.standing, by)) if self.double else found

    async def waiting(self, record: EvidenceRecord, by: str) -> Waits | None:
        """The run that waits with a record, with its attempts; where two must agree, without others' decisions."""
        run = await self._waiting(record)
        if run is None:
            return None
        done = activities(await self._app.store.read(run.id))
        hidden = self.double and Waits(run.id, run.state).decided < AGREED
        shown = tuple(each for each in done if each.stage != InReview.__name__ or not hidden or each.by == by)
        return Waits(run.id, run.state, shown)

    async def _all_of(self, key: str) -> Reviewed:
        library = self._app.library
        record = await record_named(library, key)
        verified = await library.all(kinds.VERIFIED, f"{record.key}/")
        return Reviewed(
            record,
            await library.all(kinds.STANDING, f"{record.key}/"),
            verified[-1].verification if verified else None,
            await library.all(kinds.DECIDED, f"{record.key}/"),
        )

    async def decide(
        self,
        key: str,
        kind: DecisionKind,
        *,
        by: str,
        reason: str = "",
        seen: int | None = None,
        changes: Mapping[str, str] | None = None,
    ) -> Run:
        """Offer a decision to the run that waits with the record; one that was decided before is opened again.

        A mended record is validated and verified here, before the decision counts; without a model its run stops.
        `seen` is the standing that was looked at (None: the present one); `changes` are fields of the mended record.
        Raises `OfferRefused` with the gates' reasons, which are kept.
        """
        reviewed = await self._all_of(key)
        waits = await self._waiting(reviewed.record)
        fixed, defects = await self._fixed(reviewed.record, changes) if changes and kind == "fix" else (None, ())
        run_id = waits.id if waits else await self._reopened(reviewed, kind, by, reason)
        decision = Decision(
            kind,
            by,
            reason,
            reviewed.standing if seen is None else seen,
            fixed,
            defects,
            self._reviewers.names,
            self._reviewers.double,
        )
        run = await self._app.driver.offer(run_id, decision, by=by)
        return await self._app.driver.drive(run.id) if run.status == "running" else run

    async def _waiting(self, record: EvidenceRecord) -> Run | None:
        async for head in self._app.heads("verify", "waiting"):
            if head.labels.get("record", "")[:12] != record.key[:12]:  # extracted again, a record has another key
                continue
            run = await self._app.driver.load(head.id)
            if isinstance(run.state, InReview) and run.state.record.key == record.key and not _is_untouched(run):
                return run
        return None

    async def _reopened(self, reviewed: Reviewed, kind: DecisionKind, by: str, reason: str) -> str:
        """A run that waits with a record that is decided already. Raises `Permanent` while it is being checked."""
        status = reviewed.standings[-1].status if reviewed.standings else "proposed"
        if status == "proposed":
            raise Permanent(f"record {reviewed.record.key} is still being checked; `backedge records show` says where")
        if status == "replaced":
            said = f"record {reviewed.record.key} was replaced: {reviewed.standings[-1].reason}"
            raise Permanent(said, mend="decide on the record that replaced it")
        if by not in self._reviewers.names:
            named = ", ".join(self._reviewers.names) or "nobody"
            raise Permanent(f"{by or 'nobody'} is no configured reviewer; {named} is", mend="see evidence.yml")
        if kind == "skip":
            raise Permanent(f"record {reviewed.record.key} is {status}: it does not wait, so there is nothing to skip")
        told = "" if self.double else reason  # the reason would tell the second reviewer what the first decided
        standing, number = reviewed.standing, len(reviewed.decided)
        opened = Reopened(reviewed.record, by, told, standing, reviewed.verification, number)
        return await self._open(opened)

    async def _open(self, opened: Reopened) -> str:
        """One run for each standing of a record: of two who open it at once, the second finds the first's run."""
        key = opened.record.key
        labels = {"record": key, "asked": f"review {key} again"}
        for again in count():
            run_id = hashlib.sha256(f"{key}/{opened.seen}/{again}".encode()).hexdigest()[:12]
            try:
                return await self._app.driver.start(
                    "verify", opened, self._app.context(opened.by), labels=labels, run_id=run_id
                )
            except Taken:
                if not await self._app.library.over(run_id):
                    return run_id
        raise AssertionError("unreachable")

    async def _fixed(
        self, record: EvidenceRecord, changes: Mapping[str, str]
    ) -> tuple[EvidenceRecord, tuple[Defect, ...]]:
        """The record with some fields changed, its quotations placed anew, and what validation finds in it."""
        app = self._app
        version = await app.library.version(record.version)
        text = await app.library.text(record.version)
        reading = await reading_of(text, app.contents)
        proposal = replace(record.proposal, **_fields(record, changes))
        others = Elsewhere(app.library, app.contents, app.view)
        placed = await place((proposal,), Place(version, text, reading, record.part), others, again=record)
        fixed = placed.records[0]
        alike = await app.library.alike(record.version, sameness(fixed))
        return fixed, (*placed.misses, *validate(fixed, reading.text, text.text, reading.sections, alike))


def _is_untouched(run: Run) -> bool:
    """Whether a decided record was opened again, and nothing was decided: it waits for nobody, and stands as it did."""
    return len(run.trail) == 1


def _fields(record: EvidenceRecord, changes: Mapping[str, str]) -> dict[str, Any]:
    """The changed fields; `quotation` replaces the words of the first quotation, `quotation2` those of the second."""
    quotations = list(record.proposal.quotations)
    fields: dict[str, Any] = {}
    for name, value in changes.items():
        if name.startswith("quotation"):
            at = int(name.removeprefix("quotation") or "1") - 1
            if at >= len(quotations):
                raise Permanent(f"the record has {len(quotations)} quotations, and none is number {at + 1}")
            quotations[at] = replace(quotations[at], text=value)
        else:
            fields[name] = value
    return {**fields, "quotations": tuple(quotations)}
