"""The one exception of the Python face: what went wrong, a word for programs, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from backedge.ask.cannot_follow import CannotFollow
from backedge.config.problem import ConfigError
from backedge.kernel.defect import Defect
from backedge.web.problems import KNOWN, problem_of


class BackedgeError(Exception):
    """An error that a caller can cause, or mend. A bug surfaces as its own exception.

    `kind` is a word for programs (`configuration`, `refused`, `not_found`, `needs_input` …), `next_step` says what to
    do, `defects` are what a gate refused, `run_id` is the run that it is about.
    """

    def __init__(
        self, detail: str, *, kind: str, next_step: str = "", defects: tuple[Defect, ...] = (), run_id: str = ""
    ) -> None:
        super().__init__(f"{detail}\n  {next_step}" if next_step else detail)
        self.detail = detail
        self.kind = kind
        self.next_step = next_step
        self.defects = defects
        self.run_id = run_id


@contextmanager
def told(run_id: str = "") -> Iterator[None]:
    """Turns every known error into a `BackedgeError`; anything else is a bug and surfaces."""
    try:
        yield
    except ConfigError as error:
        step = "mend the files of the project; `backedge validate` checks all of them"
        raise BackedgeError(str(error), kind="configuration", next_step=step) from error
    except CannotFollow as error:
        step = "ask it with everything in it, or follow another answer"
        raise BackedgeError(str(error), kind="cannot_follow", next_step=step) from error
    except KNOWN as error:
        found = problem_of(error)
        raise BackedgeError(
            found.detail, kind=found.kind, next_step=found.next_step, defects=found.defects, run_id=run_id
        ) from error
