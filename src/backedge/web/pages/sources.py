"""Sources with why they may not be used, one source with its versions, a passage of it, and how far ingests are."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from backedge.web.pages.review_forms import evidence_of, found
from backedge.web.rendering import view
from backedge.web.site import Site

PAGE = 100
INGESTS = 30
SourceStatus = Literal["", "eligible", "ineligible", "quarantined", "unjudged"]


def routes(site: Site) -> APIRouter:
    """`/review/sources`, `/review/sources/{source}`, `/review/sources/{version}/text` and `/review/ingests`."""
    router = APIRouter()

    @view(router, "/review/sources")
    async def list_(request: Request, status: SourceStatus = "", limit: int = Query(PAGE, ge=1, le=1000)) -> Response:
        person = await site.allowed(request, "see")
        listed = await evidence_of(site).sources(status, limit)
        return site.render(request, "review_sources.html", listed, person, status_shown=status, limit=limit)

    @view(router, "/review/sources/{source}")
    async def show(request: Request, source: str) -> Response:
        person = await site.allowed(request, "see")
        return site.render(request, "review_source.html", await found(evidence_of(site).source(source)), person)

    @view(router, "/review/sources/{version}/text")
    async def passage(
        request: Request, version: str, start: int = Query(..., ge=0), end: int = Query(..., ge=1)
    ) -> Response:
        person = await site.allowed(request, "see")
        shown = await found(evidence_of(site).passage(version, start, end))
        return site.render(request, "review_passage.html", shown, person)

    @view(router, "/review/ingests")
    async def ingests(request: Request, limit: int = Query(INGESTS, ge=1, le=200)) -> Response:
        person = await site.allowed(request, "see")
        listed = await evidence_of(site).ingests(limit)
        return site.render(request, "review_ingests.html", listed, person)

    return router
