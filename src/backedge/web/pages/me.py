"""Who one is here: the name that decisions are kept under, and what it allows."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from backedge.web.identity.local import COOKIE, LocalIdentity
from backedge.web.problems import not_found
from backedge.web.rendering import view
from backedge.web.site import Site

YEAR = 365 * 24 * 3600


def routes(site: Site) -> APIRouter:
    """`/me`."""
    router = APIRouter()

    @view(router, "/me")
    async def show(request: Request) -> Response:
        person = await site.allowed(request, "see")
        found: dict[str, Any] = {
            "name": person.name,
            "roles": list(person.roles),
            "how": person.how,
            "names": list(_names(site)),
        }
        return site.render(request, "me.html", found, person)

    @router.post("/me", include_in_schema=False)
    async def choose(request: Request, name: str = Form(...)) -> Response:
        await site.allowed(request, "see")
        if name not in _names(site):
            raise not_found(
                f"{name!r} is no reviewer of this project", "add the name under `reviewers` in evidence.yml"
            )
        response = RedirectResponse("/me", 303)
        response.set_cookie(
            COOKIE, name, max_age=YEAR, httponly=True, samesite="lax", secure=request.url.scheme == "https"
        )
        return response

    return router


def _names(site: Site) -> tuple[str, ...]:
    return site.identity.names if isinstance(site.identity, LocalIdentity) else ()
