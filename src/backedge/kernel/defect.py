"""What can go wrong: defects that gates find in a proposal, and the three failures of the outside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from backedge.kernel.budget import Usage


@dataclass(frozen=True)
class Defect:
    """Why a gate refused a proposal, written for the next attempt and for a reviewer.

    `kind` classifies it, `where` names the part of the proposal, `message` is one sentence, `hint` the next step.
    A defect that is not `retryable` takes the stage's back-edge at once.
    """

    kind: str
    message: str
    where: str = ""
    hint: str = ""
    near: tuple[str, ...] = field(default=())
    retryable: bool = True


class Failure(Exception):
    """The outside failed. Adapters raise one of its three kinds and nothing else.

    `usage` is what the attempt used all the same, where that is known; `details` say what was called.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self.usage: Usage | None = None
        self.details: dict[str, Any] = {}


class Transient(Failure):
    """May pass if tried again: a lost connection, a time-out, an overloaded server.

    `retry_after` is in seconds, or None where the server did not say.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RateLimited(Failure):
    """Too many requests. `retry_after` is in seconds, or None where the server did not say."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Permanent(Failure):
    """Trying again is useless. Where an operator can `mend` it (a key, a file, a setting), the run can go on after."""

    def __init__(self, message: str, *, mend: str = "") -> None:
        super().__init__(message)
        self.mend = mend
