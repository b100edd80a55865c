"""Review of records: what waits for a person, what is shown of it, and a decision, gated and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from backedge.assembling.cataloguing import record_named
from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import kinds
from backedge.evidence.decisions import Decision, DecisionKind
from backedge.evidence.extracting import Elsewhere, Place, place
from backedge.evidence.records import EvidenceRecord, Standing, Verification
from backedge.evidence.texts import reading_of
from backedge.evidence.validation import validate
from backedge.evidence.verify.states import InReview, Reopened
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.ports import Head
from backedge.kernel.run import Run


@dataclass(frozen=True)
class Reviewers:
    """Who may decide on records, and whether two must agree."""

    names: tuple[str, ...]
    double: bool = False


@dataclass(frozen=True)
class Reviewed:
    """A record with all that a reviewer is shown of it: its standings, the last verification, and the decisions."""

    record: EvidenceRecord
    standings: tuple[Standing, ...]
    verification: Verification | None
    decided: tuple[kinds.Decided, ...]

    @property
    def standing(self) -> int:
        """The number of the standing that counts; 0 before any check."""
        return self.standings[-1].number if self.standings else 0


def reviews_of(app: EvidenceApp) -> Reviews:
    """The review queue with the reviewers that the project names."""
    names = tuple(reviewer.name for reviewer in app.project.reviewers)
    return Reviews(app, Reviewers(names, app.project.double))


CHANGEABLE = (
    "statement",
    "species",
    "population",
    "treatment",
    "comparator",
    "endpoint",
    "direction",
    "effect",
    "units",
    "n",
    "quotation",
    "quotation2",
    "quotation3",
    "quotation4",
)
"""What a fix may change; `quotation` are the words of the first quotation, `quotation2` those of the second."""


class Reviews:
    """The review queue of one project."""

    def __init__(self, app: EvidenceApp, reviewers: Reviewers) -> None:
        self._app = app
        self._reviewers = reviewers

    @property
    def blind(self) -> bool:
        """Whether two must agree, each without seeing what the other decided."""
        return self._reviewers.double

    async def queue(self) -> tuple[Head, ...]:
        """The runs that wait for a decision on a record, the oldest first."""
        found = [head async for head in self._app.heads("verify", "waiting")]
        return tuple(reversed(found))

    async def reviewed(self, key: str) -> Reviewed:
        """A record by its key or the beginning of one. Raises `Permanent` where none or several begin so."""
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

        `seen` is the standing that was looked at (None: the present one); `changes` are fields of the mended record.
        Raises `OfferRefused` with the gates' reasons, which are kept.
        """
        reviewed = await self.reviewed(key)
        run_id = await self._waiting(reviewed) or await self._reopened(reviewed, by, reason, seen)
        fixed, defects = await self._fixed(reviewed.record, changes or {}) if kind == "fix" else (None, ())
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
        return await self._app.driver.offer(run_id, decision, by=by)

    async def _waiting(self, reviewed: Reviewed) -> str | None:
        async for head in self._app.heads("verify", "waiting"):
            if head.labels.get("record", "")[:12] != reviewed.record.key[:12]:
                continue
            run = await self._app.driver.load(head.id)
            if isinstance(run.state, InReview) and run.state.record.key == reviewed.record.key:
                return run.id
        return None

    async def _reopened(self, reviewed: Reviewed, by: str, reason: str, seen: int | None) -> str:
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
        at = reviewed.standing if seen is None else seen
        opened = Reopened(reviewed.record, by, reason, at, reviewed.verification, len(reviewed.decided))
        labels = {"record": reviewed.record.key, "asked": f"review {reviewed.record.key} again"}
        return await self._app.driver.start("verify", opened, self._app.context(by), labels=labels)

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
        return fixed, (*placed.misses, *validate(fixed, reading.text, text.text, reading.sections))


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
