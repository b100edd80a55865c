"""Building packages: one for each question; spans resolve, contradictions are in, only what may be used is."""

from __future__ import annotations

from backedge.evidence import inquiry_kinds as kinds
from backedge.evidence.investigate.packing import packed
from backedge.evidence.investigate.ports import InvestigatePorts
from backedge.evidence.investigate.states import Packages, Packaging, Proposing
from backedge.evidence.packages import nothing_verified
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: Packaging, ports: InvestigatePorts, lesson: Lesson) -> Packages:
    """The packages, each with why it is invalid, if it is."""
    return Packages(tuple([await packed(state.request.key, question, ports) for question in state.questions]))


def something_is_verified(_state: Packaging, made: Packages) -> Defect | None:
    """No approach is proposed on nothing: at least one valid package holds a record."""
    return nothing_verified(made.packages)


def settle(state: Packaging, made: Packages) -> Settled[Proposing]:
    """They are recorded by the hash of what is in them; only records of valid ones may be named from here on."""
    key = state.request.key
    records = tuple(kinds.PACKAGE.record(kinds.Packaged(key, package)) for package in made.packages)
    names = tuple(f"{package.question.key}/{package.key}" for package in made.packages)
    valid = [package for package in made.packages if not package.invalid]
    held = tuple(dict.fromkeys(record.record for package in valid for record in package.records))
    return Settled(Proposing(state.request, state.facets, names, held), records=records)


PACKAGING = Stage(
    state=Packaging, proposal=Packages, propose=propose, settle=settle, gates=(something_is_verified,), varies=True
)
