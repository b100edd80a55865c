"""Investigations: the list, a new one, how one stands, its questions with gaps, and its evidence packages."""

from __future__ import annotations

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from backedge.web.pages.review_forms import REFUSALS, evidence_of, found, refused, seen_other, text_of
from backedge.web.people import Person
from backedge.web.problems import Problem
from backedge.web.rendering import view
from backedge.web.site import Site

PAGE = 50
PATH = "/review/investigations"


def routes(site: Site) -> APIRouter:
    """`/review/investigations` and below, without what people decide there."""
    router = APIRouter()

    @view(router, PATH)
    async def list_(request: Request, limit: int = Query(PAGE, ge=1, le=500), before: str = "") -> Response:
        person = await site.allowed(request, "see")
        listed = await evidence_of(site).investigations(limit, before)
        return site.render(request, "review_investigations.html", listed, person, refused=None, typed="")

    @router.post(PATH, include_in_schema=False)
    async def start(request: Request) -> Response:
        person = await site.allowed(request, "ask")
        evidence, typed = evidence_of(site), text_of(await request.form(), "request")
        try:
            run = await evidence.start(typed, by=person.name)
        except REFUSALS as error:
            problem = refused(request, error)
            listed = await evidence.investigations(PAGE, "")
            return site.render(
                request,
                "review_investigations.html",
                listed,
                person,
                status=problem.status,
                refused=problem,
                typed=typed,
            )
        return seen_other(f"{PATH}/{run}")

    _one(router, site)
    _parts(router, site)
    return router


def _one(router: APIRouter, site: Site) -> None:
    @view(router, f"{PATH}/{{run}}")
    async def show(request: Request, run: str) -> Response:
        return await _standing(site, request, await site.allowed(request, "see"), run)

    @router.post(f"{PATH}/{{run}}/retry", include_in_schema=False)
    async def retry(request: Request, run: str) -> Response:
        person = await site.allowed(request, "review")
        try:
            await evidence_of(site).retry(run, by=person.name)
        except REFUSALS as error:
            return await _standing(site, request, person, run, refused(request, error))
        return seen_other(f"{PATH}/{run}")


def _parts(router: APIRouter, site: Site) -> None:
    @view(router, f"{PATH}/{{run}}/questions")
    async def questions(request: Request, run: str) -> Response:
        person = await site.allowed(request, "see")
        return site.render(request, "review_questions.html", await found(evidence_of(site).questions(run)), person)

    @view(router, f"{PATH}/{{run}}/gaps")
    async def gaps(request: Request, run: str) -> Response:
        person = await site.allowed(request, "see")
        return site.render(request, "review_gaps.html", await found(evidence_of(site).gaps(run)), person)

    @view(router, f"{PATH}/{{run}}/packages")
    async def packages(request: Request, run: str) -> Response:
        person = await site.allowed(request, "see")
        return site.render(request, "review_packages.html", await found(evidence_of(site).packages(run)), person)


async def _standing(site: Site, request: Request, person: Person, run: str, problem: Problem | None = None) -> Response:
    shown = await found(evidence_of(site).investigation(run))
    status = problem.status if problem else 200
    return site.render(request, "review_investigation.html", shown, person, status=status, refused=problem)
