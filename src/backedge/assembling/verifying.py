"""Checks an investigation again: journals by their gates, records, hashes, spans, packages, citations, standings."""

from __future__ import annotations

import hashlib
from collections.abc import Coroutine, Iterable
from typing import TypeVar

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.evidence_workflows import evidence_workflow
from backedge.assembling.refolding import Refolded, refolded
from backedge.assembling.related_runs import made_by
from backedge.evidence import inquiry_kinds, kinds
from backedge.evidence.exporting.cited import Citations, Cited, intact
from backedge.evidence.exporting.reverified import FOR_APPROVED, Checked, Reverified, Tally
from backedge.evidence.inquiry import Execution, ExternalSnapshot, Package
from backedge.evidence.investigate.checking import problems_of
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.investigate.states import Approved, Request
from backedge.evidence.investigate.workflow import INVESTIGATE
from backedge.evidence.kinds import Kind
from backedge.evidence.packages import package_key
from backedge.evidence.quoted import quoted_strings
from backedge.evidence.views import packages_kept, request_of
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import ChildEnd, Record

T = TypeVar("T")
OF_RECORDS: tuple[Kind[object], ...] = (kinds.RECORD, kinds.STANDING, kinds.VALIDATED, kinds.VERIFIED, kinds.DECIDED)  # type: ignore[assignment]
OF_VERSIONS: tuple[Kind[object], ...] = (kinds.VERSION, kinds.TEXT, kinds.JUDGEMENT)  # type: ignore[assignment]
OF_INVESTIGATIONS: tuple[Kind[object], ...] = tuple(
    found for found in vars(inquiry_kinds).values() if isinstance(found, Kind)
)


async def verified_again(run_id: str, app: EvidenceApp) -> Reverified:
    """Check an investigation and all that it rests on, finished or not; nothing is written.

    Raises `Permanent` where the run is no investigation, `UnknownRun` where there is none.
    """
    head = await app.store.head(run_id)
    if head.workflow != INVESTIGATE.name:
        said = f"run {head.id} is no investigation, it is of the workflow {head.workflow}"
        raise Permanent(said, mend="backedge investigate list")
    return await _Check(app, head.id).all()


class _Check:
    """One check in the making."""

    def __init__(self, app: EvidenceApp, investigation: str) -> None:
        self._app = app
        self._library = app.library
        self._key = investigation
        self._tally = Tally()
        self._runs: dict[str, Refolded] = {}

    async def all(self) -> Reverified:
        """Every check, from the journals down to the characters."""
        await self._tree([self._key])
        own = self._runs[self._key]
        packages = tuple(each.package for each in self._made(inquiry_kinds.PACKAGE))
        used = self._used(packages)
        versions = await self._versions(used, packages)
        await self._tree(await made_by(self._app, versions))
        self._gates()
        await self._records(used, versions)
        await self._whole("contents", self._hashes(versions))
        await self._whole("spans", self._spans(used, packages))
        self._request(own)
        await self._whole("searches", self._searches())
        await self._whole("packages", self._packages())
        await self._whole("citations", self._citations(packages))
        state = type(own.run.state).__name__ if own.run else "unreadable"
        counts = self._tally.counts()
        lacking = tuple(c.kind for c in counts if c.kind in FOR_APPROVED and not c.checked)
        ended = own.run is not None and isinstance(own.run.state, Approved)
        problems = tuple(self._tally.problems)
        return Reverified(self._key, state, len(self._runs), counts, problems, lacking if ended else ())

    async def _whole(self, kind: Checked, check: Coroutine[None, None, None]) -> None:
        """A check, or that what it reads is no longer what any version of this program wrote."""
        try:
            await check
        except (Permanent, ValueError) as unread:
            self._tally.check(kind, f"what is stored cannot be read: {_first_line(unread)}")

    def _made(self, kind: Kind[T]) -> tuple[T, ...]:
        """The records of a kind that the journals of the investigation make."""
        return tuple(kind.value(r) for each in self._runs.values() for r in each.records if r.kind == kind.name)

    # ------------------------------------------------------------ which runs

    async def _tree(self, run_ids: Iterable[str]) -> None:
        """Fold runs with all that they started."""
        queue = [run_id for run_id in run_ids if run_id not in self._runs]
        while queue:
            run_id = queue.pop()
            head = await self._app.store.head(run_id)
            workflow = evidence_workflow(head.workflow)
            if workflow is None:
                self._tally.check("gates", f"run {run_id} is of a workflow {head.workflow}, which there is not")
                continue
            try:
                entries = await self._app.store.read(run_id)
            except (Permanent, ValueError) as unread:
                self._tally.check("gates", f"run {run_id}: its journal cannot be read: {_first_line(unread)}")
                entries = ()
            found = refolded(workflow, head, entries)
            self._runs[run_id] = found
            queue += [child for child in found.children if child not in self._runs]

    def _used(self, packages: tuple[Package, ...]) -> tuple[str, ...]:
        """The keys of all records that were assessed or packaged, or are cited."""
        assessed = (each.assessment.record for each in self._made(inquiry_kinds.ASSESSMENT))
        packaged = (record.record for package in packages for record in package.records)
        designs = (each.design for each in self._made(inquiry_kinds.DESIGN))
        cited = (key for d in designs for s in d.sections for c in s.citations for key in c.records)
        return tuple(dict.fromkeys((*assessed, *packaged, *cited)))

    async def _versions(self, used: tuple[str, ...], packages: tuple[Package, ...]) -> tuple[str, ...]:
        """The contents of the versions of these records, and of those whose hits were eligible."""
        found = [record.version for package in packages for record in package.records]
        for key in used:
            stored = await self._stored(kinds.RECORD.name, key)
            found += [str(record.body.get("version")) for record in stored.values()]
        for each in self._made(inquiry_kinds.SORTED):
            found += [hit.chunk.version for hit in each.sorted.eligible if hit.chunk is not None]
        return tuple(dict.fromkeys(found))

    # ---------------------------------------------------- journals, records

    def _gates(self) -> None:
        for each in self._runs.values():
            if each.wrong:
                self._tally.check("gates", f"run {each.run_id} ({each.workflow}): {each.wrong}")
            for seq, wrong in each.moves:
                said = (f"run {each.run_id} ({each.workflow}), entry {seq}: {wrong}",) if wrong else ()
                self._tally.check("gates", *said)
            for stage, proposal in each.accepted:
                if isinstance(proposal, ChildEnd):
                    self._tally.check("gates", *self._child(each.run_id, stage, proposal))

    def _child(self, run_id: str, stage: str, told: ChildEnd) -> tuple[str, ...]:
        """Whether a child ended as its parent was told."""
        child = self._runs.get(told.run_id)
        run = child.run if child else None
        ended = run.workflow.outcome(run.state) if run is not None and run.status == "ended" else None
        if run is not None and told.outcome in (None, ended):
            return ()
        return (f"run {run_id}, {stage}: its child {told.run_id} did not end as it was told",)

    async def _records(self, used: tuple[str, ...], versions: tuple[str, ...]) -> None:
        """Each record that a move makes is stored as it was made, and none is stored that no move makes."""
        made = {(record.kind, record.key): record for each in self._runs.values() for record in each.records}
        stored: dict[tuple[str, str], Record] = {}
        for kind in OF_INVESTIGATIONS:
            stored |= await self._stored(kind.name, self._key)
        for kind in OF_RECORDS:
            for key in used:
                stored |= await self._stored(kind.name, key)
        for kind in OF_VERSIONS:
            for version in versions:
                stored |= await self._stored(kind.name, version)
        for (name, key), record in made.items():
            if (name, key) not in stored:
                stored |= await self._stored(name, key)
            now = stored.get((name, key))
            wrong = "is gone" if now is None else "is not what its run made" if now.body != record.body else ""
            self._tally.check("records", *((f"{name} {key} {wrong}",) if wrong else ()))
        for name, key in stored:
            if (name, key) not in made:
                self._tally.check("records", f"{name} {key} was made by none of the runs that were checked")

    async def _stored(self, kind: str, key: str) -> dict[tuple[str, str], Record]:
        """The records of a kind with this key, or below it."""
        found = await self._app.store.records(kind, under=key)
        return {
            (kind, each.key): each for each in found if each.key == key or each.key.startswith((f"{key}/", f"{key}-"))
        }

    # --------------------------------------------------- hashes, characters

    async def _hashes(self, versions: tuple[str, ...]) -> None:
        for version in versions:
            self._tally.check("contents", *await intact(version, self._app.contents))
            kept = await self._library.one(kinds.TEXT, version)
            if kept is None:
                self._tally.check("texts", f"version {version[:12]} has no text")
            else:
                self._tally.check("texts", *await intact(kept.text, self._app.contents))

    async def _spans(self, used: tuple[str, ...], packages: tuple[Package, ...]) -> None:
        """Each span of each record, and how record and source stand now."""
        reader = Citations(self._library, self._app.contents, packages)
        packaged = {record.record for package in packages for record in package.records}
        for key in used:
            cited = await reader.of(key)
            self._span(cited)
            if key in packaged:
                self._tally.check("standings", *cited.stale)

    def _span(self, cited: Cited) -> None:
        if cited.problems:
            self._tally.check("spans", *(f"record {cited.key}: {problem}" for problem in cited.problems))
        for span in cited.spans:
            said = (
                (f"record {cited.key}, {span.section} {span.start}:{span.end}: {span.problem}",) if span.problem else ()
            )
            self._tally.check("spans", *said)

    def _request(self, own: Refolded) -> None:
        """The spans of explicit facets, in the request as the journal has it."""
        if own.run is None:
            return
        request: Request = request_of(own.run)
        for record in own.records:
            if record.kind != inquiry_kinds.FACETS_AT.name:
                continue
            at = inquiry_kinds.FACETS_AT.value(record)
            for span in (span for facet in at.facets for value in facet.values for span in value.spans):
                stands = request.text[span.start : span.end] == span.exact
                said = f"facets {at.number}: {span.exact!r} does not stand at {span.start}:{span.end} of the request"
                self._tally.check("request", *(() if stands else (said,)))

    # ----------------------------------------------------------- what it says

    async def _searches(self) -> None:
        """External snapshots by the hash of what they gave; the view as it was then is kept nowhere."""
        for ran in await self._library.all(inquiry_kinds.EXECUTION, f"{self._key}/"):
            execution: Execution = ran.execution
            if not isinstance(execution.snapshot, ExternalSnapshot):
                self._tally.cannot("searches")
                continue
            ids = hashlib.sha256("\n".join(hit.external for hit in execution.hits).encode()).hexdigest()
            said = f"execution {ran.inquiry}/{ran.number}: its hits are not those of its snapshot"
            self._tally.check("searches", *(() if ids == execution.snapshot.ids else (said,)))

    async def _packages(self) -> None:
        for package in await packages_kept(self._key, self._library):
            said = f"package {package.key} is not what its hash says"
            self._tally.check("packages", *(() if package_key(package) == package.key else (said,)))

    async def _citations(self, packages: tuple[Package, ...]) -> None:
        """The newest version by the checks of its stage; one check for each cited record and each quoted string."""
        kept = await self._library.all(inquiry_kinds.DESIGN, f"{self._key}/")
        if not kept:
            return
        design = kept[-1].design
        ports = InvestigatePorts(self._library, self._app.contents, None, None)
        sections = design.sections
        number = sum(len(citation.records) for section in sections for citation in section.citations)
        number += sum(len(quoted_strings(section.text)) for section in sections)
        problems = await problems_of(design, packages, ports)
        for problem in problems:
            self._tally.check("citations", problem)
        for _ in range(number - len(problems)):
            self._tally.check("citations")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
