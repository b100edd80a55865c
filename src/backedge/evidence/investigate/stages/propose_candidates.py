"""Candidates: at least two approaches, compared; assumptions are labelled, and no chance of success is stated."""

from __future__ import annotations

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.candidate_rules import chance_of_success, quotes, unlabelled, unrated, unsupported
from backedge.evidence.designs import Candidates
from backedge.evidence.investigate.packing import told_of
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.investigate.states import AwaitingDecision, Proposing
from backedge.kernel.defect import Defect, Permanent
from backedge.kernel.stage import Lesson, Reply, Settled, Stage, Unreadable

FEWEST = 2


async def propose(state: Proposing, ports: InvestigatePorts, lesson: Lesson) -> Reply[Candidates] | Unreadable:
    """The approaches, from the packages."""
    if ports.designs is None:
        raise Permanent("candidates need a model for the role `design`", mend=ports.mends["design"])
    packages = await told_of(state.request.key, state.packages, ports.library)
    return await ports.designs.candidates(state.facets, packages, lesson)


def two_approaches(_state: Proposing, candidates: Candidates) -> Defect | None:
    """At least two, with keys of their own."""
    keys = {approach.key for approach in candidates.approaches if approach.key.strip()}
    if len(keys) >= FEWEST and len(keys) == len(candidates.approaches):
        return None
    said = f"{len(candidates.approaches)} approaches with {len(keys)} keys; at least {FEWEST} are needed"
    return Defect("too_few_approaches", said, "approaches", "propose approaches that differ, each with a key")


def assumptions_are_labelled(_state: Proposing, candidates: Candidates) -> Defect | None:
    """What is taken for granted stands among the assumptions, and says what it rests on."""
    return unlabelled(candidates)


def every_criterion_is_rated(_state: Proposing, candidates: Candidates) -> Defect | None:
    """Each approach on each of the eight criteria, with a rationale."""
    return unrated(candidates)


def records_are_packaged(state: Proposing, candidates: Candidates) -> Defect | None:
    """Records that are named are in the packages."""
    return unsupported(candidates, state.records)


def candidates_quote_nothing(_state: Proposing, candidates: Candidates) -> Defect | None:
    """A quotation stands in the design, where it is held to the record that its sentence cites."""
    return quotes(candidates)


def no_chance_of_success(_state: Proposing, candidates: Candidates) -> Defect | None:
    """A probability of success in any wording is refused, and the run pauses."""
    return chance_of_success(candidates)


def settle(state: Proposing, candidates: Candidates) -> Settled[AwaitingDecision]:
    """A reviewer chooses."""
    record = kinds.CANDIDATES.record(kinds.Proposed(state.request.key, candidates))
    waiting = AwaitingDecision(state.request, state.facets, state.packages, candidates)
    return Settled(waiting, records=(record,))


def inputs(state: Proposing) -> object:
    """What the candidates depend on: packages are named by the hash of their content."""
    return (state.facets, state.packages)


PROPOSING = Stage(
    state=Proposing,
    proposal=Candidates,
    propose=propose,
    settle=settle,
    gates=(
        no_chance_of_success,
        two_approaches,
        assumptions_are_labelled,
        every_criterion_is_rated,
        records_are_packaged,
        candidates_quote_nothing,
    ),
    reuse=True,
    inputs=inputs,
    settings=lambda ports: ports.designs.settings if ports.designs else None,
    model="design",
    varies=True,
)
