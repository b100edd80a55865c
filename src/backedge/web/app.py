"""The server: one application of pages and API over a project's services."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from backedge.web.guarding import Guard
from backedge.web.identity.ports import Identity
from backedge.web.pages import answers, ask, comparing, feedback, me, review, runs, start
from backedge.web.problems import KNOWN, Problem, Refusal, problem_of
from backedge.web.rendering import renderer
from backedge.web.services import Services
from backedge.web.site import Site
from backedge.web.static_files import packaged

SMALLEST = 500  # bytes that are worth compressing


@dataclass(frozen=True)
class Item:
    """An entry of the navigation."""

    name: str
    path: str


def create_app(
    services: Services,
    identity: Identity,
    *,
    hosts: tuple[str, ...] = (),
    lifespan: Callable[[], AbstractAsyncContextManager[None]] | None = None,
) -> FastAPI:
    """The application. `hosts` are the names under which it may be called; `lifespan` runs while it serves."""

    @asynccontextmanager
    async def living(_app: FastAPI) -> AsyncIterator[None]:
        if lifespan is None:
            yield
            return
        async with lifespan():
            yield

    names = packaged()
    site = Site(services, identity, renderer(names, {"navigation": _navigation(services), "project": services.name}))
    app = FastAPI(title="Backedge", docs_url=None, redoc_url=None, openapi_url="/api/v1/openapi.json", lifespan=living)
    app.add_middleware(GZipMiddleware, minimum_size=SMALLEST)
    app.add_middleware(Guard, hosts=hosts)
    _catch(app, site)

    @app.get("/static/{path:path}", include_in_schema=False)
    async def static(path: str) -> Response:
        return names.response(path)

    for router in _routers(site):
        app.include_router(router)
    return app


def _routers(site: Site) -> tuple[APIRouter, ...]:
    asks = site.services.asking is not None
    shown = {"ask": answers.answer_page} if asks else {}
    found = (start.routes(site), me.routes(site), comparing.routes(site), review.routes(site), runs.routes(site, shown))
    return (*found, ask.routes(site), answers.routes(site), feedback.routes(site)) if asks else found


def _navigation(services: Services) -> tuple[Item, ...]:
    asked = (Item("Ask", "/ask"),) if services.asking is not None else ()
    reviewed = (Item("Review", "/review"),) if services.evidence is not None else ()
    return (*asked, *reviewed, Item("Runs", "/runs"))


def _catch(app: FastAPI, site: Site) -> None:
    """Every error that is known becomes its problem; what a caller sent wrong too. Anything else is a bug: 500."""

    async def known(request: Request, error: Exception) -> Response:
        return await _shown(site, request, problem_of(error))

    for kind in KNOWN:
        app.add_exception_handler(kind, known)

    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        kind = {404: "not_found", 405: "not_allowed", 413: "too_large"}.get(error.status_code, "bad_request")
        return await _shown(site, request, Problem(error.status_code, kind, str(error.detail)))

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        said = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        return await _shown(site, request, Problem(422, "invalid_request", said, "send what the API's document says"))

    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)


async def _shown(site: Site, request: Request, problem: Problem) -> Response:
    try:
        person = await site.person(request)
    except Refusal:
        person = None
    return site.render.problem(request, problem, person)
