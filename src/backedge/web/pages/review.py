"""`/review`: what waits, and the pages below it."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from backedge.web.pages import candidates, designs, facets, investigations, queue, searching, sources
from backedge.web.pages.review_forms import evidence_of
from backedge.web.rendering import view
from backedge.web.site import Site

SHOWN = 5


def routes(site: Site) -> APIRouter:
    """`/review` and below."""
    router = APIRouter()

    @view(router, "/review")
    async def show(request: Request) -> Response:
        person = await site.allowed(request, "see")
        evidence = evidence_of(site)
        found = {
            "queue": await evidence.queue(SHOWN),
            "investigations": await evidence.investigations(SHOWN, ""),
            "ingests": await evidence.ingests(SHOWN),
        }
        return site.render(request, "review.html", found, person)

    for pages in (queue, facets, candidates, designs, sources, searching, investigations):
        router.include_router(pages.routes(site))
    return router
