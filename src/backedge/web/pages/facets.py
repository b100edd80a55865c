"""The facets of a request: where each comes from, how important it is, its history, and what a reviewer changes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import cast, get_args

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from backedge.evidence.facets import FACET_NAMES, FACETS, CommandKind, FacetCommand, Importance
from backedge.evidence.views import FacetsView
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

KINDS: tuple[CommandKind, ...] = get_args(CommandKind)
IMPORTANCE: tuple[Importance, ...] = get_args(Importance)
PATH = "/review/investigations/{run}/facets"


def routes(site: Site) -> APIRouter:
    """`/review/investigations/{run}/facets`."""
    router = APIRouter()

    @view(router, PATH)
    async def show(request: Request, run: str) -> Response:
        person = await site.allowed(request, "see")
        return await _page(site, request, person, run)

    @router.post(PATH, include_in_schema=False)
    async def change(request: Request, run: str) -> Response:
        person = await site.allowed(request, "review")
        form = await request.form()
        command = _command(form, person)
        try:
            await evidence_of(site).command(run, command)
        except REFUSALS as error:
            return await _page(site, request, person, run, refused(request, error), form)
        if command.kind == "confirm":
            return seen_other(f"/review/investigations/{run}")
        return seen_other(f"/review/investigations/{run}/facets#{command.facet or 'round-trip'}")

    return router


async def _page(
    site: Site,
    request: Request,
    person: Person,
    run: str,
    problem: Problem | None = None,
    form: FormData | None = None,
) -> Response:
    shown = await found(evidence_of(site).facets(run))
    more = {
        "refused": problem,
        "refused_at": text_of(form, "facet") if form else "",
        "typed": {name: text_of(form, name) for name in form} if form else {},
        "stretches": stretches(shown),
        "asks": {row.name: row.asks for row in FACETS},
        "importances": IMPORTANCE,
    }
    return site.render(request, "review_facets.html", shown, person, status=problem.status if problem else 200, **more)


def stretches(shown: FacetsView) -> list[tuple[str, tuple[str, ...]]]:
    """The request in stretches, each with the facets that are read from it."""
    spans = [(s.start, s.end, facet.name) for facet in shown.facets for value in facet.values for s in value.spans]
    return _cut(shown.request, spans)


def _cut(text: str, spans: Iterable[tuple[int, int, str]]) -> list[tuple[str, tuple[str, ...]]]:
    known = list(spans)
    edges = sorted({0, len(text), *(edge for start, end, _ in known for edge in (start, end) if edge <= len(text))})
    return [
        (text[low:high], tuple(dict.fromkeys(name for start, end, name in known if start <= low and high <= end)))
        for low, high in itertools.pairwise(edges)
    ]


def _command(form: FormData, person: Person) -> FacetCommand:
    kind, facet = text_of(form, "kind"), text_of(form, "facet")
    importance: Importance | None = None
    text = text_of(form, "text").strip()
    texts = lines_of(text) if kind == "split" else (text,) if text else ()
    if kind == "importance":
        kind, importance, texts = "edit", cast("Importance", text_of(form, "importance")), ()
        if importance not in IMPORTANCE:
            raise Refusal(422, "invalid_request", f"{importance!r} is no importance", f"one of {', '.join(IMPORTANCE)}")
    if kind not in KINDS or (facet and facet not in FACET_NAMES):
        raise Refusal(422, "invalid_request", f"{kind!r} of {facet!r} is no change of facets", "use the page's forms")
    seen = number_of(form, "seen")
    if seen is None:
        raise Refusal(422, "invalid_request", "`seen` is missing", "send the number of the last change that was seen")
    return FacetCommand(
        kind,
        person.name,
        seen,
        facet or None,
        number_of(form, "value") or 1,
        texts,
        importance,
        text_of(form, "reason"),
    )
