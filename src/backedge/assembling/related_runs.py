"""Finds the runs that an investigation rests on: those it started, and those that made the records it uses."""

from __future__ import annotations

from collections.abc import Iterable

from backedge.assembling.evidence import EvidenceApp
from backedge.evidence import kinds
from backedge.kernel.journal import Moved

JUDGING = ("ingest", "refresh", "restrict")  # workflows whose runs judge versions


async def started_by(app: EvidenceApp, run_ids: Iterable[str]) -> tuple[str, ...]:
    """These runs, and all that they started, and those."""
    found = dict.fromkeys(run_ids)
    queue = list(found)
    while queue:
        for stored in await app.store.read(queue.pop()):
            if isinstance(stored.entry, Moved):
                new = [child for child in stored.entry.children if child not in found]
                found |= dict.fromkeys(new)
                queue += new
    return tuple(found)


async def made_by(app: EvidenceApp, versions: Iterable[str]) -> tuple[str, ...]:
    """The runs that ingested, extracted, verified or judged anything of these versions."""
    wanted = frozenset(versions)
    short = {version[:12] for version in wanted}
    found: dict[str, None] = {}
    async for head in app.heads("verify"):
        if head.labels.get("record", "")[:12] in short:
            found |= dict.fromkeys((head.id, *await _above(app, head.id)))
    for workflow in JUDGING:
        async for head in app.heads(workflow):
            judged = await app.store.records(kinds.JUDGEMENT.name, run_id=head.id)
            if any(record.key.partition("/")[0] in wanted for record in judged):
                found[head.id] = None
    return tuple(found)


async def _above(app: EvidenceApp, run_id: str) -> list[str]:
    found = []
    while (parent := (await app.store.head(run_id)).parent) is not None:
        run_id = parent.run_id
        found.append(run_id)
    return found
