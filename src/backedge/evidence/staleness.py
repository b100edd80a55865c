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
    found = await no_longer_stands(record.record, record.source, record.version, library)
    current = await library.current(record.source)
    if current is not None and current.content != record.version:
        found.append(f"source {record.source} has a newer version, {current.content[:12]}")
    return found


async def no_longer_stands(key: str, source: str, version: str, library: Library) -> list[str]:
    """Why a record may not be used any more; empty where it may. That its source has a newer version is no reason."""
    found = []
    standing, judgement = await library.standing(key), await library.judgement(version)
    if standing is None or standing.status != "accepted":
        found.append(f"record {key} is {standing.status if standing else 'unknown'} now")
    if judgement is None or not judgement.eligible:
        reasons = ", ".join(reason.kind for reason in judgement.reasons) if judgement else "not judged"
        found.append(f"source {source} (version {version[:12]}) may not be used now: {reasons}")
    return found
