"""Exit codes, and how an error that reaches the command line is told: one sentence, the next step, no traceback."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

ANSWERED = 0
FAILED = 1
USAGE = 2
NEEDS_INPUT = 3
CANNOT_ANSWER = 4
CONFIGURATION = 5
NOT_PERMITTED = 6
THRESHOLD_MISSED = 7
INTERRUPTED = 130

OF_STATUS = {
    "answered": ANSWERED,
    "needs_input": NEEDS_INPUT,
    "cannot_answer": CANNOT_ANSWER,
    "running": FAILED,
    "failed": FAILED,
    "cancelled": FAILED,
}


FORBIDDEN = frozenset({"sql_not_read_only", "sql_not_one_statement", "sql_function", "not_permitted"})


def code_of(found: dict[str, Any]) -> int:
    """The exit code of an answer form: what the guard or a row policy forbids is not permitted, whatever else it is."""
    kinds = {defect["kind"] for attempt in found["attempts"] for defect in attempt.get("defects", ())}
    if found["status"] == "cannot_answer" and kinds & FORBIDDEN:
        return NOT_PERMITTED
    return OF_STATUS[found["status"]]


def fail(message: str, code: int) -> NoReturn:
    """Tell an error on stderr and end with its code."""
    print(f"backedge: {message}", file=sys.stderr)
    raise SystemExit(code)


@contextmanager
def told() -> Iterator[None]:
    """Turns the errors that a user can cause into a message and an exit code. Anything else is a bug and surfaces."""
    from backedge.ask.cannot_follow import CannotFollow
    from backedge.config.problem import ConfigError
    from backedge.kernel.defect import Failure, Permanent
    from backedge.kernel.drive import CannotRetry, NotAsked, OfferRefused
    from backedge.kernel.ports import Taken, UnknownRun

    try:
        yield
    except ConfigError as error:
        fail(str(error), CONFIGURATION)
    except CannotFollow as error:
        fail(str(error), NOT_PERMITTED if error.forbidden else USAGE)
    except UnknownRun as error:
        fail(str(error), USAGE)
    except OfferRefused as error:
        hints = "".join(f"\n  {defect.hint}" for defect in error.defects if defect.hint)
        fail(f"{error}{hints}", NEEDS_INPUT)
    except (NotAsked, CannotRetry) as error:
        fail(str(error), USAGE)
    except Taken as error:
        fail(str(error), FAILED)
    except Permanent as error:
        mend = f"\n  {error.mend}" if error.mend else ""
        fail(f"{error.message}{mend}", CONFIGURATION if error.mend else FAILED)
    except Failure as error:
        fail(error.message, FAILED)
