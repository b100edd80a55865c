"""The approaches of an investigation side by side on the eight criteria, and the choice of one."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from backedge.evidence.designs import CRITERIA, ApproachDecision
from backedge.evidence.views import CandidatesView
from backedge.web.pages.review_forms import REFUSALS, evidence_of, found, refused, seen_other, text_of
from backedge.web.people import Person
from backedge.web.problems import Problem
from backedge.web.rendering import view
from backedge.web.site import Site

PATH = "/review/investigations/{run}/candidates"


def routes(site: Site) -> APIRouter:
    """`/review/investigations/{run}/candidates`."""
    router = APIRouter()

    @view(router, PATH)
    async def show(request: Request, run: str) -> Response:
        person = await site.allowed(request, "see")
        return _page(site, request, person, await found(evidence_of(site).candidates(run)))

    @router.post(PATH, include_in_schema=False)
    async def choose(request: Request, run: str) -> Response:
        person = await site.allowed(request, "review")
        evidence, form = evidence_of(site), await request.form()
        shown = await found(evidence.candidates(run))
        try:
            await evidence.choose(run, _decision(shown, form, person))
        except REFUSALS as error:
            present = await found(evidence.candidates(run))
            return _page(site, request, person, present, refused(request, error), form)
        return seen_other(f"/review/investigations/{run}")

    return router


def _page(
    site: Site,
    request: Request,
    person: Person,
    shown: CandidatesView,
    problem: Problem | None = None,
    form: FormData | None = None,
) -> Response:
    more = {
        "refused": problem,
        "criteria": CRITERIA,
        "typed": {name: text_of(form, name) for name in form} if form else {},
    }
    status = problem.status if problem else 200
    return site.render(request, "review_candidates.html", shown, person, status=status, **more)


def _decision(shown: CandidatesView, form: FormData, person: Person) -> ApproachDecision:
    """The fields of an approach are numbered as it stands on the page: its key may be any text."""
    approaches = shown.candidates.approaches if shown.candidates else ()
    chosen = text_of(form, "chosen")
    reasons = {approach.key: text_of(form, f"reason-{number}") for number, approach in enumerate(approaches)}
    rejected = tuple((key, reason) for key, reason in reasons.items() if key != chosen)
    return ApproachDecision(chosen, person.name, rejected, reasons.get(chosen, ""))
