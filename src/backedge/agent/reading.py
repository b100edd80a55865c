"""Reads a model's text as the reply that was asked for, or says what is wrong with it for the next attempt."""

from __future__ import annotations

import re
from typing import Literal, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from backedge.kernel.defect import Defect

T = TypeVar("T", bound=BaseModel)

ReplyKind = Literal[
    "reply_empty",
    "reply_not_json",
    "reply_form",
    "reply_cut",
    "reply_refused",
    "tool_loop",
    "call_tokens",
    "context_full",
]

MOST_ERRORS = 8
MOST_SHOWN = 80
_FENCED = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?```\s*\Z", re.DOTALL)


def parsed(text: str, kind: type[T]) -> T | Defect:
    """The reply that a text is, also where it stands in a fenced block; else what keeps it from being one."""
    if not text.strip():
        return defect("reply_empty", "the reply is empty", hint=f"reply with one JSON object: {kind.__name__}")
    if storable(text) != text:
        return defect("reply_not_json", "the reply holds half a character", hint="write whole characters only")
    fenced = _FENCED.match(text)
    try:
        return kind.model_validate_json(fenced[1] if fenced else text)
    except ValidationError as error:
        return of_errors(error.errors(include_url=False, include_context=False), kind)


def storable(text: str) -> str:
    """The text without halves of characters (lone surrogates), which JSON can carry and no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def of_errors(errors: list[ErrorDetails], kind: type[BaseModel]) -> Defect:
    """The defect that pydantic's errors are: every field with what is wrong with it."""
    if errors[0]["type"] == "json_invalid":
        return defect("reply_not_json", f"the reply is not JSON: {errors[0]['msg']}", hint="reply with JSON only")
    said = "; ".join(_said(error) for error in errors[:MOST_ERRORS])
    more = f"; and {len(errors) - MOST_ERRORS} more" if len(errors) > MOST_ERRORS else ""
    where = _place(errors[0])
    return defect(
        "reply_form", f"the reply is no {kind.__name__}: {said}{more}", where=where, hint="keep to the schema"
    )


def defect(kind: ReplyKind, message: str, *, where: str = "", hint: str = "") -> Defect:
    """A defect of a reply that is no proposal."""
    return Defect(kind, message, where=where, hint=hint)


def _said(error: ErrorDetails) -> str:
    given = repr(error["input"])
    shown = f" (given {given[:MOST_SHOWN]})" if error["type"] != "missing" else ""
    return f"`{_place(error)}`: {error['msg']}{shown}"


def _place(error: ErrorDetails) -> str:
    return ".".join(str(part) for part in error["loc"]) or "reply"
