"""Eligibility: the ranked hits are held to the judgement of their versions; nothing eligible opens a coverage gap."""

from __future__ import annotations

from dataclasses import replace

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.inquire.ports import InquirePorts
from backedge.evidence.inquire.states import AwaitingIngests, Resolving, Sorting, Supplementing
from backedge.evidence.inquiry import CoverageGap, Excluded, Execution, Ranked, Sorted
from backedge.evidence.sources import Wanted
from backedge.kernel.stage import Child, Lesson, Settled, Stage

INGEST = "ingest"


async def propose(state: Sorting, ports: InquirePorts, lesson: Lesson) -> Sorted:
    """The fused hits of the last round, with the judgement that counts for each version now."""
    eligible: list[Ranked] = []
    excluded: dict[str, Excluded] = {}
    executions = state.executed[-1].executions
    for hit in _fused(executions).hits:
        assert hit.chunk is not None
        version = hit.chunk.version
        judgement = await ports.library.judgement(version)
        if judgement is not None and judgement.eligible:
            eligible.append(hit)
        elif version not in excluded:
            source = (await ports.library.version(version)).source
            reasons = tuple(r.kind for r in judgement.reasons) if judgement else ("not_judged",)
            excluded[version] = Excluded(version, source, hit.rank, reasons)
    wanted = () if state.ingested else _wanted(executions)
    most = ports.ingested_at_most
    return Sorted(tuple(eligible), tuple(excluded.values()), wanted[:most], len(wanted[most:]))


def _fused(executions: tuple[Execution, ...]) -> Execution:
    return next(execution for execution in executions if execution.arm == "fused")


def _wanted(executions: tuple[Execution, ...]) -> tuple[str, ...]:
    """The hits of registries that are not stored yet: the best of each, then the second of each, and so on."""
    lists = [
        [f"{execution.target}:{hit.external}" for hit in execution.hits if hit.external and not hit.source]
        for execution in executions
    ]
    turns = [names[turn] for turn in range(max(map(len, lists), default=0)) for names in lists if turn < len(names)]
    return tuple(dict.fromkeys(turns))


def settle(state: Sorting, found: Sorted) -> Settled[AwaitingIngests | Resolving | Supplementing]:
    """What registries named is ingested first; then what may be used is resolved, or a gap is opened."""
    inquiry = state.inquiry
    sorted_ = kinds.SORTED.record(kinds.SortedRound(inquiry.key, state.round, state.ingested, found))
    if found.wanted:
        children = tuple(_ingest(state, name, number) for number, name in enumerate(found.wanted))
        waiting = AwaitingIngests(inquiry, state.plan, state.round, state.gap, state.executed, len(children))
        return Settled(waiting, records=(sorted_,), children=children)
    if found.eligible:
        closed = _closed(state)
        records = (sorted_, *(kinds.GAP.record(kinds.Gap(inquiry.key, gap)) for gap in closed))
        return Settled(Resolving(inquiry, found, closed), records=records)
    gap = state.gap or CoverageGap(f"{inquiry.key}/gap", inquiry.question.text, _why(found), state.round)
    opened = () if state.gap else (kinds.GAP.record(kinds.Gap(inquiry.key, gap)),)
    then = Supplementing(inquiry, state.plan, state.round, gap, state.executed)
    return Settled(then, records=(sorted_, *opened))


def _ingest(state: Sorting, name: str, number: int) -> Child:
    adapter, _, identifier = name.partition(":")
    token = f"{state.inquiry.key}/{state.round}/{number}"
    return Child(
        INGEST, Wanted(adapter, identifier, token, state.inquiry.by), {"wanted": name, "asked": f"ingest {name}"}
    )


def _closed(state: Sorting) -> tuple[CoverageGap, ...]:
    if state.gap is None:
        return ()
    return (replace(state.gap, closed_by=state.round),)


def _why(found: Sorted) -> str:
    if not found.excluded:
        return "nothing was found"
    reasons = sorted({reason for excluded in found.excluded for reason in excluded.reasons})
    return f"nothing that was found may be used: {', '.join(reasons)}"


SORTING = Stage(state=Sorting, proposal=Sorted, propose=propose, settle=settle)
