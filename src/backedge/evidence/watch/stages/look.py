"""Looking: a saved search is run on each of its targets, and compared with all that it found before."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import kinds
from backedge.evidence.saved_searches import VIEW, Look, Looked
from backedge.evidence.searching import search_view
from backedge.evidence.watch.ports import WatchPorts
from backedge.evidence.watch.states import Looking, Seen
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Lesson, Settled, Stage

MOST = 100  # ids that one look keeps of a target


async def propose(state: Looking, ports: WatchPorts, lesson: Lesson) -> Look:
    """What each target gives now, and what of it no look before gave."""
    before = await ports.library.all(kinds.LOOKED, f"{state.saved.name}/")
    known: dict[str, set[str]] = {}
    for look in before:
        for seen in look.look.found:
            known.setdefault(seen.target, set()).update(seen.ids)
    found = tuple([await _found(state, ports, target) for target in state.saved.targets])
    new = tuple(
        replace(each, ids=tuple(i for i in each.ids if i not in known.get(each.target, set()))) for each in found
    )
    return Look(len(before) + 1, found, new)


async def _found(state: Looking, ports: WatchPorts, target: str) -> Looked:
    if target == VIEW:
        hits = await search_view(ports.view, ports.embedder, state.saved.query, MOST)
        versions = dict.fromkeys(hit.chunk.version for hit in hits.hits)
        sources = dict.fromkeys([(await ports.library.version(version)).source for version in versions])
        snapshot = f"{hits.snapshot.index}:{hits.snapshot.revision}"
        return Looked(target, tuple(sources), None, snapshot)
    adapter = ports.searchable.get(target)
    if adapter is None:
        known = ", ".join((VIEW, *sorted(ports.searchable)))
        raise Permanent(f"{target} cannot be searched; {known} can", mend="save the search anew with other targets")
    said = await adapter.search(state.saved.query, MOST)
    return Looked(target, tuple(hit.identifier for hit in said.hits), said.total, state.day)


def settle(state: Looking, look: Look) -> Settled[Seen]:
    """The look is recorded, so that the next one tells only what is new then."""
    kept = kinds.LookedAt(state.saved, look)
    return Settled(Seen(state.saved, look.number, look.new), records=(kinds.LOOKED.record(kept),))


LOOKING = Stage(state=Looking, proposal=Look, propose=propose, settle=settle)
