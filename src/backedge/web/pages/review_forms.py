"""What the review pages share: the service, what is not there, forms, and a refusal that is shown in place."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from fastapi import Request
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from backedge.kernel.defect import Permanent
from backedge.kernel.drive import CannotRetry, NotAsked, OfferRefused
from backedge.web.evidence_services import Evidence
from backedge.web.problems import Problem, not_found, problem_of
from backedge.web.rendering import wants_json
from backedge.web.site import Site

T = TypeVar("T")
REFUSALS = (OfferRefused, NotAsked, CannotRetry, Permanent)
"""What a decision is refused with; the page is shown again with the reason, and what was typed."""


def evidence_of(site: Site) -> Evidence:
    """The evidence of the project. Raises `Refusal` (404) where there is none."""
    if site.services.evidence is None:
        raise not_found("this project has no evidence", "name reviewers and models in evidence.yml")
    return site.services.evidence


async def found(asked: Awaitable[T]) -> T:
    """What is looked up by a name. Raises `Refusal` (404) where it is not there, with what is near."""
    try:
        return await asked
    except Permanent as error:
        raise not_found(error.message, error.mend) from error


def refused(request: Request, error: Exception) -> Problem:
    """The problem of a refused decision, to be shown in place; a program gets it as problem+json. Raises `error`."""
    if wants_json(request):
        raise error
    return problem_of(error)


def seen_other(path: str) -> Response:
    """The page that shows what came of a form: reloading it sends nothing again."""
    return RedirectResponse(path, 303)


def text_of(form: FormData, name: str) -> str:
    """A field of a form as it was typed, with the line ends of texts."""
    value = form.get(name, "")
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def number_of(form: FormData, name: str) -> int | None:
    """A whole number of a form; None where there is none."""
    text = text_of(form, name).strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def lines_of(text: str) -> tuple[str, ...]:
    """The lines of a text that say something."""
    return tuple(line.strip() for line in text.split("\n") if line.strip())
