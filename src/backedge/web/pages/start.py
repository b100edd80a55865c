"""`/`: where one begins: questions that wait for an answer, what was answered lately, what waits for a reviewer."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from backedge.web.pages.runs import listed
from backedge.web.people import Person
from backedge.web.rendering import view
from backedge.web.site import Site

SHOWN = 5


def routes(site: Site) -> APIRouter:
    """The first page."""
    router = APIRouter()

    @view(router, "/")
    async def show(request: Request) -> Response:
        person = await site.allowed(request, "see")
        evidence = site.services.evidence
        found = {
            "asks": site.services.asking is not None,
            "waiting": await _questions(site, person, "waiting"),
            "ended": await _questions(site, person, "ended"),
            "queue": await evidence.queue(SHOWN) if evidence is not None else None,
        }
        return site.render(request, "start.html", found, person)

    return router


async def _questions(site: Site, person: Person, status: str) -> list[dict[str, Any]]:
    if site.services.asking is None:
        return []
    lines: list[dict[str, Any]] = (await listed(site, person, status, "ask", "", SHOWN))["runs"]
    return lines
