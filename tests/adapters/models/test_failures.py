"""Which of the three failures each kind of error is, without a wire."""

from __future__ import annotations

import pytest
from pydantic_ai import exceptions as raised

from backedge.adapters.models.connection import Connection
from backedge.adapters.models.failures import failure_of
from backedge.agent.ports import ModelSettings
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient

HERE = Connection(ModelSettings("openai", "gpt-5.2"))


def by_status(status: int) -> raised.ModelHTTPError:
    from pydantic_ai._model_errors import http_status_category

    return raised.ModelHTTPError.for_category(http_status_category(status), status_code=status, model_name="gpt-5.2")


@pytest.mark.parametrize(
    ("statuses", "kind"),
    [
        ((408, 409, 425, 500, 502, 503, 504, 520, 529, 599), Transient),
        ((429,), RateLimited),
        ((400, 401, 402, 403, 404, 405, 413, 422, 451), Permanent),
    ],
)
def test_every_status_is_one_of_the_three(statuses: tuple[int, ...], kind: type[Failure]) -> None:
    found = {status: failure_of(by_status(status), HERE, "") for status in statuses}
    assert {status: type(failure) for status, failure in found.items()} == dict.fromkeys(statuses, kind)
    assert all(failure.mend for failure in found.values() if isinstance(failure, Permanent))


def test_a_long_message_is_cut_and_a_key_in_it_is_not_shown() -> None:
    error = raised.ModelHTTPError(500, "gpt-5.2", {"error": {"message": "key sk-1 " * 200}})
    said = str(failure_of(error, HERE, "sk-1"))
    assert (len(said) < 400, "sk-1" in said, "[key]" in said) == (True, False, True)
