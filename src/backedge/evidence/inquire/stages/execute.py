"""Executing: every query on every target, each with the snapshot that was searched, and one fused execution."""

from __future__ import annotations

import hashlib

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.chunks import Found, Snapshot
from backedge.evidence.fusion import fused
from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.inquire.rounds import queries_of
from backedge.evidence.inquire.states import Executed, Executing, Sorting
from backedge.evidence.inquiry import VIEW, Execution, ExternalSnapshot, Ranked, SearchQuery
from backedge.kernel.defect import Permanent
from backedge.kernel.stage import Lesson, Settled, Stage

DEEP = 50  # hits that one execution keeps


async def propose(state: Executing, ports: InquirePorts, lesson: Lesson) -> Executed:
    """The executions of the round, each arm with its weight, and the fused one. Registries know words only."""
    queries = queries_of(state.plan, state.round)
    snapshot = await ports.view.snapshot()
    executions: list[Execution] = []
    founds: list[Found] = []
    for query in queries:
        if VIEW in state.plan.targets:
            found = await _in_view(query, ports, snapshot)
            founds.append(found)
            hits = tuple(Ranked(hit.rank, hit.score, hit.chunk) for hit in found.hits)
            weight = ports.weights.get(query.arm, 0.0)
            executions.append(Execution(state.round, VIEW, query.arm, query.text, found.snapshot, hits, weight))
        if not state.ingested and query.arm == "lexical":
            outside = [target for target in state.plan.targets if target != VIEW]
            executions += [await _outside(state.round, target, query, ports) for target in outside]
    executions.append(_together(state.round, founds, ports))
    return Executed(tuple(executions))


async def _in_view(query: SearchQuery, ports: InquirePorts, snapshot: Snapshot) -> Found:
    if query.arm == "lexical":
        return await ports.view.lexical(query.text, DEEP, snapshot)
    if ports.embedder is None:
        raise Permanent("a semantic query needs an embedder", mend="pip install 'backedge[embed]'")
    (vector,) = await ports.embedder.embed([query.text])
    return await ports.view.semantic(query.text, vector, DEEP, snapshot)


async def _outside(number: int, target: str, query: SearchQuery, ports: InquirePorts) -> Execution:
    adapter = ports.searchable.get(target)
    if adapter is None:
        known = ", ".join((VIEW, *sorted(ports.searchable)))
        mend = f"add {target} to the sources in evidence.yml, then `backedge investigate retry`"
        raise Permanent(f"the plan searches {target}, which cannot be searched now; {known} can", mend=mend)
    said = await adapter.search(query.text, DEEP)
    ids = hashlib.sha256("\n".join(hit.identifier for hit in said.hits).encode()).hexdigest()
    seen = ExternalSnapshot(query.text, ports.moment(), said.total, ids)
    hits = []
    for rank, hit in enumerate(said.hits, 1):
        stored = await ports.library.sources_named(hit.metadata.identifiers)
        source = stored[0] if stored else ""
        hits.append(Ranked(rank, 1.0 / rank, None, hit.identifier, hit.metadata.title, source))
    return Execution(number, target, query.arm, query.text, seen, tuple(hits))


def _together(number: int, founds: list[Found], ports: InquirePorts) -> Execution:
    """The fused execution: what all queries on the library find, ranked together."""
    if not founds:
        return Execution(number, VIEW, "fused", "", None, ())
    best: Found = fused(tuple(founds), DEEP, ports.weights)
    hits = tuple(Ranked(hit.rank, hit.score, hit.chunk) for hit in best.hits)
    return Execution(number, VIEW, "fused", best.query, best.snapshot, hits)


def settle(state: Executing, executed: Executed) -> Settled[Sorting]:
    """Each execution is recorded; what was found is held to its eligibility."""
    at = sum(len(before.executions) for before in state.before)
    records = tuple(
        kinds.EXECUTION.record(kinds.Ran(state.inquiry.key, at + number, state.gap.key if state.gap else "", execution))
        for number, execution in enumerate(executed.executions, 1)
    )
    before = (*state.before, executed)
    sorting = Sorting(state.inquiry, state.plan, state.round, state.gap, before, state.ingested)
    return Settled(sorting, records=records)


EXECUTING = Stage(state=Executing, proposal=Executed, propose=propose, settle=settle)
