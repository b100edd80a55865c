"""Goes over what of a source did not come to an end that stands: parts that failed, and records that were forbidden."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from itertools import count

from backedge.assembling.cataloguing import source_named
from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import kinds
from backedge.evidence.ingest.states import Again
from backedge.evidence.judging import INELIGIBLE, forbids
from backedge.evidence.library import Library
from backedge.evidence.records import EvidenceRecord, Standing
from backedge.evidence.sources import Wanted
from backedge.evidence.verify.states import Anew
from backedge.evidence.versions import Version
from backedge.kernel.defect import Permanent
from backedge.kernel.ports import Head, Taken


async def begin_over(app: EvidenceApp, typed: str, *, by: str) -> tuple[str, ...]:
    """An ingest for each version of a source of which a part could not be extracted; nothing is driven.

    None where the source is not there. What was extracted is not asked for again where the model is the same.
    """
    begun = []
    for version in await _usable(app.library, typed):
        done = await app.library.all(kinds.EXTRACTED, version.content)
        if done and done[-1].failed:
            begun.append(await _extraction(app, version, len(done), by))
    return tuple(begun)


async def begin_anew(app: EvidenceApp, typed: str, *, by: str) -> tuple[str, ...]:
    """A verification of each record of a source that was withheld while the source was forbidden, and is not now."""
    begun = []
    for version in await _usable(app.library, typed):
        for record in await app.library.records_of(version.content):
            standing = await app.library.standing(record.key)
            if standing is not None and standing.status == "quarantined" and INELIGIBLE in standing.defects:
                begun.append(await _verification(app, record, standing, by))
    return tuple(begun)


async def open_records(app: EvidenceApp) -> tuple[Head, ...]:
    """Verifications that no ingest began, as of a record that a reviewer mended, and that can go on."""
    found = [head async for head in app.heads("verify", "running") if head.parent is None]
    async for head in app.heads("verify", "stopped"):
        stopped = (await app.driver.load(head.id)).stopped if head.parent is None else None
        if stopped is not None and stopped.resumable:
            found.append(head)
    return tuple(found)


async def _usable(library: Library, typed: str) -> list[Version]:
    with suppress(Permanent):
        source = await source_named(library, typed)
        return [v for v in await library.versions(source.id) if await forbids(library, v.content) is None]
    return []


async def _extraction(app: EvidenceApp, version: Version, done: int, by: str) -> str:
    adapter, identifier = version.fetched.adapter, version.fetched.identifier
    labels = {"wanted": f"{adapter}:{identifier}", "asked": f"extract {version.source} again"}
    for again in count():
        run_id = _id(version.content, done, again)
        wanted = Wanted(adapter, identifier, run_id, by)
        if await _started(app, "ingest", Again(wanted, version), labels, run_id, by):
            return run_id
    raise AssertionError("unreachable")


async def _verification(app: EvidenceApp, record: EvidenceRecord, standing: Standing, by: str) -> str:
    labels = {"record": record.key, "source": record.source, "asked": f"verify {record.key} now that it may be used"}
    for again in count():
        run_id = _id("anew", record.key, standing.number, again)
        if await _started(app, "verify", Anew(record, standing.number), labels, run_id, by):
            return run_id
    raise AssertionError("unreachable")


def _id(*parts: object) -> str:
    """One id for the same thing: of two who begin it at once, the second finds the first's run."""
    return hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()[:12]


async def _started(
    app: EvidenceApp, workflow: str, given: object, labels: Mapping[str, str], run_id: str, by: str
) -> bool:
    """Whether there is a run of that id now that can go on; False where an earlier one is over."""
    try:
        await app.driver.start(workflow, given, app.context(by), labels=labels, run_id=run_id)
    except Taken:
        stopped = (await app.driver.load(run_id)).stopped
        return not await app.library.over(run_id) or (stopped is not None and stopped.resumable)
    return True
