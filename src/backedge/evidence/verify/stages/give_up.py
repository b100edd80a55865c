"""Giving up: what could not be verified goes to a person; what could not be extracted again is quarantined."""

from __future__ import annotations

from backedge.evidence import kinds
from backedge.evidence.verify.attempts import returned, withheld
from backedge.evidence.verify.ports import VerifyPorts
from backedge.evidence.verify.states import Forbidden, GivingUp, InReview, Reextracting, Reextraction, Spent, Withheld
from backedge.evidence.versions import GivenUp
from backedge.kernel.stage import Lesson, Settled, Stage


async def propose(state: GivingUp, ports: VerifyPorts, lesson: Lesson) -> Spent:
    """Nothing is asked of anybody; the refusal is what is recorded."""
    return Spent(type(state.came_from).__name__, state.refusal.attempts)


def settle(state: GivingUp, spent: Spent) -> Settled[InReview | Withheld]:
    """The stage is recorded as failed, and the record goes where it may go without it.

    Where its version may not be used any more, nothing has failed.
    """
    record, number, defects = state.came_from.record, state.came_from.standing + 1, state.refusal.defects
    before = state.came_from.defects if isinstance(state.came_from, Reextracting) else ()
    failed = kinds.GIVEN_UP.record(GivenUp(spent.stage, record.version, record.part, defects, spent.attempts))
    forbidden = _is_forbidden(state.refusal.proposal)
    if forbidden or before:
        end, written = withheld(record, number, (*before, *defects))
        return Settled(end, records=(written,) if forbidden else (failed, written))
    why = f"it could not be verified: {'; '.join(defect.message for defect in defects)}"
    waits, written = returned(record, number, None, why, defects)
    return Settled(waits, records=(failed, written))


def _is_forbidden(last: object) -> bool:
    return isinstance(last, Forbidden) or (isinstance(last, Reextraction) and last.forbidden is not None)


GIVING_UP = Stage(state=GivingUp, proposal=Spent, propose=propose, settle=settle, outside=False)
