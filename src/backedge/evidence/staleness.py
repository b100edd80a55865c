"""What packages, candidates and designs rest on that has changed since: retracted, superseded, no longer accepted."""

from __future__ import annotations

from collections.abc import Sequence

from backedge.evidence.inquiry import Package, PackagedRecord
from backedge.evidence.library import Library


async def stale(packages: Sequence[Package], library: Library, only: frozenset[str] | None = None) -> tuple[str, ...]:
    """Why the packages are stale, one sentence for each record or version that changed; none where nothing did.

    With `only`, the records that something else, such as a design, cites.
    """
    records = {record.record: record for package in packages for record in package.records}
    found = [
        why for key, record in records.items() if only is None or key in only for why in await _changed(record, library)
    ]
    return tuple(dict.fromkeys(found))


async def _changed(record: PackagedRecord, library: Library) -> list[str]:
    found = []
    standing, judgement = await library.standing(record.record), await library.judgement(record.version)
    if standing is None or standing.status != "accepted":
        found.append(f"record {record.record} is {standing.status if standing else 'unknown'} now")
    if judgement is None or not judgement.eligible:
        reasons = ", ".join(reason.kind for reason in judgement.reasons) if judgement else "not judged"
        found.append(f"source {record.source} (version {record.version[:12]}) may not be used now: {reasons}")
    newest = (await library.versions(record.source))[-1:]
    if newest and newest[0].content != record.version:
        found.append(f"source {record.source} has a newer version, {newest[0].content[:12]}")
    return found
