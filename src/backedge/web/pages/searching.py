"""Search in the sources: by words, by meaning, or both."""

from __future__ import annotations

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from backedge.web.evidence_services import Data, SearchArm
from backedge.web.pages.review_forms import REFUSALS, evidence_of, refused
from backedge.web.problems import Problem
from backedge.web.rendering import view
from backedge.web.site import Site

MOST = 20


def routes(site: Site) -> APIRouter:
    """`/review/search`."""
    router = APIRouter()

    @view(router, "/review/search")
    async def search(
        request: Request, q: str = "", arm: SearchArm = "fused", limit: int = Query(MOST, ge=1, le=200)
    ) -> Response:
        person = await site.allowed(request, "see")
        shown: Data = {"query": q, "arm": arm, "snapshot": "", "arms": [], "hits": []}
        problem: Problem | None = None
        if q.strip():
            try:
                shown = await evidence_of(site).search(q, arm, limit)
            except REFUSALS as error:
                problem = refused(request, error)
        status = problem.status if problem else 200
        return site.render(request, "review_search.html", shown, person, status=status, refused=problem)

    return router
