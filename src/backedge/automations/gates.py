"""The gates of automations: what a task proposes is whole, or names what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from backedge.kernel.defect import Defect


@dataclass(frozen=True)
class Faulty:
    """A task that cannot be done as it is written, and why. Trying again as it is cannot help."""

    defects: tuple[Defect, ...]


def is_sound(_state: object, proposal: object) -> Defect | None:
    """Nothing is wrong with the task; otherwise the first defect, with the messages of all."""
    if not isinstance(proposal, Faulty):
        return None
    first = proposal.defects[0]
    message = "; ".join(defect.message for defect in proposal.defects)
    return Defect(first.kind, message, first.where, first.hint, first.near, retryable=False)
