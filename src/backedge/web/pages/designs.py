"""The design of an investigation: a proposal until a version is approved, with its history and what changed."""

from __future__ import annotations

from fastapi import APIRouter, Query, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from backedge.evidence.designs import Approval
from backedge.web.pages.review_forms import (
    REFUSALS,
    evidence_of,
    found,
    lines_of,
    number_of,
    refused,
    seen_other,
    text_of,
)
from backedge.web.people import Person
from backedge.web.problems import Problem, Refusal
from backedge.web.rendering import view
from backedge.web.site import Site

PATH = "/review/investigations/{run}/design"


def routes(site: Site) -> APIRouter:
    """`/review/investigations/{run}/design` and what changed between two versions of it."""
    router = APIRouter()

    @view(router, PATH)
    async def show(request: Request, run: str, version: int | None = Query(None, ge=1)) -> Response:
        person = await site.allowed(request, "see")
        return await _page(site, request, person, run, version)

    @view(router, f"{PATH}/changes")
    async def changes(request: Request, run: str, old: int = Query(..., ge=1), new: int = Query(..., ge=1)) -> Response:
        person = await site.allowed(request, "see")
        shown = await found(evidence_of(site).changes(run, old, new))
        return site.render(request, "review_design_changes.html", shown, person, run=run)

    @router.post(PATH, include_in_schema=False)
    async def decide(request: Request, run: str) -> Response:
        person = await site.allowed(request, "approve")
        form = await request.form()
        approval = _approval(form, person)
        try:
            await evidence_of(site).approve(run, approval)
        except REFUSALS as error:
            return await _page(site, request, person, run, None, refused(request, error), form)
        if approval.approved:
            return seen_other(f"/review/investigations/{run}/design?version={approval.version}")
        return seen_other(f"/review/investigations/{run}")

    return router


async def _page(
    site: Site,
    request: Request,
    person: Person,
    run: str,
    version: int | None,
    problem: Problem | None = None,
    form: FormData | None = None,
) -> Response:
    shown = await found(evidence_of(site).design(run, version))
    more = {
        "refused": problem,
        "typed": {name: text_of(form, name) for name in form} if form else {},
        "cited": {reference.number: reference.cited for reference in shown.references},
    }
    return site.render(request, "review_design.html", shown, person, status=problem.status if problem else 200, **more)


def _approval(form: FormData, person: Person) -> Approval:
    version, kind = number_of(form, "version"), text_of(form, "kind")
    if version is None or kind not in ("approve", "request_changes"):
        raise Refusal(
            422, "invalid_request", "a version, and what is decided on it, are missing", "use the page's form"
        )
    changes = lines_of(text_of(form, "changes")) if kind == "request_changes" else ()
    return Approval(version, kind == "approve", person.name, text_of(form, "rationale"), changes)
