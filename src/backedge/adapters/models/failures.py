"""Turns what pydantic-ai raises into the three failures: who is to wait, who is to try again, who is to mend what."""

from __future__ import annotations

from typing import Any

from pydantic_ai import exceptions as raised

from backedge.adapters.models.connection import Connection
from backedge.agent.reading import storable
from backedge.kernel.defect import Failure, Permanent, RateLimited, Transient

MOST_SHOWN = 300
PASSING = (408, 409, 425)  # a time-out, a conflict and a too early request, as statuses


def failure_of(error: raised.ModelAPIError, connection: Connection, secret: str) -> Failure:
    """The failure that an error of the wire is. Its message never holds the key, which a server may repeat."""
    said = f"{_who(connection)}: {_said(error, secret)}"
    match error:
        case raised.ModelRateLimitError():
            return RateLimited(f"{said} (too many requests)", error.retry_after)
        case raised.ModelUnavailableError() | raised.ModelServerError():
            return Transient(said, error.retry_after)
        case raised.ModelConnectionError() | raised.ModelRequestTimeout():
            return Transient(said)
        case raised.ModelHTTPError() if error.status_code in PASSING:
            return Transient(said, error.retry_after)
        case raised.ModelHTTPError() | raised.ModelRequestRejectedError() | raised.ModelQuotaExceededError():
            return _permanent(error, connection, said)
        case _:
            return Transient(said)


def _permanent(error: raised.ModelAPIError, connection: Connection, said: str) -> Permanent:
    settings = connection.settings
    match error:
        case raised.ModelAuthenticationError():
            mend = f"check {connection.key_variable or 'the key'}, and that it may use `{settings.model}`"
            return Permanent(f"{_who(connection)} refused the key: {mend}", mend=mend)
        case raised.ModelNotFoundError():
            near = getattr(error, "suggested_model_id", None)
            guess = f" (did you mean `{near}`?)" if near else ""
            url = f", and the URL {settings.base_url}" if settings.base_url else ""
            mend = f"check the model's name{guess}{url}"
            return Permanent(f"{settings.vendor} knows no model `{settings.model}`: {mend}", mend=mend)
        case raised.ModelQuotaExceededError():
            mend = "top up the account or raise its limit"
            return Permanent(f"{said} (the account has nothing left): {mend}", mend=mend)
        case raised.ModelContextWindowExceededError():
            mend = "narrow the agent's `context`, or give the stage a model with a larger window"
            return Permanent(f"{_who(connection)}: the prompt is longer than its window: {mend}", mend=mend)
        case _:
            return Permanent(f"{said}: it will not take this request", mend="change the model or its settings")


def _who(connection: Connection) -> str:
    return f"model `{connection.settings.model}` of {connection.settings.vendor}"


def _said(error: raised.ModelAPIError, secret: str) -> str:
    text = _message(error.body) or ("" if isinstance(error, raised.ModelHTTPError) else error.message)
    safe = storable(" ".join((text.replace(secret, "[key]") if secret else text).split()))[:MOST_SHOWN]
    if not isinstance(error, raised.ModelHTTPError):
        return safe or type(error).__name__
    return f"status {error.status_code}{': ' if safe else ''}{safe}"


def _message(body: Any) -> str:
    """The sentence in an error's body: vendors wrap it once or twice."""
    for _ in range(3):
        if not isinstance(body, dict):
            break
        body = body.get("error") or body.get("message") or body.get("detail") or ""
    return body if isinstance(body, str) else ""
