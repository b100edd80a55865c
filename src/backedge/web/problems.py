"""Errors as a caller meets them: one sentence, what to do next, a status; as a page, or as problem+json (RFC 9457)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from backedge.kernel.defect import Defect, Failure, Permanent, RateLimited
from backedge.kernel.drive import CannotRetry, NotAsked, OfferRefused
from backedge.kernel.ports import Taken, UnknownRun

STALE = frozenset({"stale_decision", "stale_command"})


@dataclass(frozen=True)
class Problem:
    """What went wrong. `kind` is a word for programs, `next_step` for people; `defects` are what gates refused."""

    status: int
    kind: str
    detail: str
    next_step: str = ""
    defects: tuple[Defect, ...] = ()
    retry_after: int | None = None

    def as_data(self) -> dict[str, Any]:
        """As problem+json."""
        found: dict[str, Any] = {
            "type": f"urn:backedge:problem:{self.kind}",
            "title": self.kind.replace("_", " "),
            "status": self.status,
            "detail": self.detail,
        }
        if self.next_step:
            found["next_step"] = self.next_step
        if self.defects:
            found["defects"] = [
                {"kind": d.kind, "where": d.where, "message": d.message, "hint": d.hint, "near": list(d.near)}
                for d in self.defects
            ]
        return found


class Refusal(Exception):
    """Raised by a page or a route: becomes its problem."""

    def __init__(self, status: int, kind: str, detail: str, next_step: str = "", retry_after: int | None = None):
        super().__init__(detail)
        self.problem = Problem(status, kind, detail, next_step, retry_after=retry_after)


def not_found(what: str, next_step: str = "") -> Refusal:
    """There is nothing of that name."""
    return Refusal(404, "not_found", what, next_step)


def not_permitted(detail: str, next_step: str = "ask an administrator for the role") -> Refusal:
    """Somebody is known, and may not."""
    return Refusal(403, "not_permitted", detail, next_step)


def _offer_refused(error: OfferRefused) -> Problem:
    stale = any(defect.kind in STALE for defect in error.defects)
    hints = "; ".join(defect.hint for defect in error.defects if defect.hint)
    return Problem(
        409 if stale else 422, "stale_version" if stale else "refused", str(error), hints, tuple(error.defects)
    )


_OF: dict[type[Exception], Callable[[Any], Problem]] = {
    OfferRefused: _offer_refused,
    UnknownRun: lambda error: Problem(404, "not_found", str(error), "see the list of runs"),
    NotAsked: lambda error: Problem(409, "not_asked", str(error), "look at the run again"),
    CannotRetry: lambda error: Problem(409, "cannot_retry", str(error)),
    Taken: lambda error: Problem(409, "taken", str(error), "another process drives this run; look at it again"),
    RateLimited: lambda error: Problem(
        503, "rate_limited", error.message, "try again later", retry_after=max(1, int(error.retry_after or 1))
    ),
    Permanent: lambda error: Problem(422, "cannot_be_done", error.message, error.mend),
    Failure: lambda error: Problem(503, "unavailable", error.message, "try again later", retry_after=5),
    Refusal: lambda error: error.problem,
}
KNOWN: tuple[type[Exception], ...] = tuple(_OF)


def problem_of(error: Exception) -> Problem:
    """The problem of an error that is one of `KNOWN`."""
    for kind, made in _OF.items():
        if isinstance(error, kind):
            return made(error)
    raise error
