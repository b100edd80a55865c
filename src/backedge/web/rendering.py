"""One view, rendered twice: as a page for people, and as JSON for programs that ask for it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

from backedge.query.exact_json import dumps
from backedge.web.people import Person
from backedge.web.problems import Problem
from backedge.web.static_files import StaticNames

Endpoint = Callable[..., Awaitable[Response]]


def wants_json(request: Request) -> bool:
    """Whether the caller asks for JSON: by the path (`/runs.json`), or by Accept."""
    if request.url.path.endswith(".json") or request.url.path.startswith("/api/"):
        return True
    accepted = [part.partition(";")[0].strip() for part in request.headers.get("accept", "").split(",")]
    names = [name for name in accepted if name in ("text/html", "application/json", "application/problem+json")]
    return bool(names) and names[0] != "text/html"


def asks_for_part(request: Request) -> bool:
    """Whether htmx asks for a part of a page instead of the whole."""
    return request.headers.get("hx-request") == "true" and request.headers.get("hx-request-type") == "partial"


def view(router: APIRouter, path: str) -> Callable[[Endpoint], Endpoint]:
    """Register a page under its path, and under the path with `.json`."""

    def register(endpoint: Endpoint) -> Endpoint:
        name = "/index.json" if path == "/" else f"{path}.json"
        router.add_api_route(name, endpoint, methods=["GET"], include_in_schema=False)
        router.add_api_route(path, endpoint, methods=["GET"], include_in_schema=False)
        return endpoint

    return register


@dataclass(frozen=True)
class Renderer:
    """Renders views. `shared` is what every template may use, such as the names of things in the navigation."""

    environment: Environment
    shared: dict[str, Any]

    def __call__(
        self, request: Request, template: str, view: object, person: Person | None, *, status: int = 200, **more: Any
    ) -> Response:
        """The view as the caller wants it. `more` is for the page alone, such as why a form was refused."""
        if wants_json(request):
            return exact(view, status)
        text = self.text(template, view=view, person=person, path=request.url.path, request=request, **more)
        return HTMLResponse(text, status, headers={"Vary": "Accept, HX-Request"})

    def text(self, template: str, **more: Any) -> str:
        """A template as text, such as a part of a page for a stream."""
        return self.environment.get_template(template).render(**self.shared, **more)

    def problem(self, request: Request, problem: Problem, person: Person | None) -> Response:
        """An error as the caller wants it."""
        headers = {"Retry-After": str(problem.retry_after)} if problem.retry_after else {}
        if wants_json(request):
            body = json.dumps(problem.as_data(), ensure_ascii=False)
            return Response(body, problem.status, headers, "application/problem+json")
        text = self.text("problem.html", view=problem, person=person, path=request.url.path, request=request)
        return HTMLResponse(text, problem.status, headers)


def exact(view: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A view as JSON whose numbers keep their digits."""
    return Response(dumps(view), status, headers, "application/json")


def renderer(names: StaticNames, shared: dict[str, Any]) -> Renderer:
    """The renderer of this package's templates. Everything in them is escaped; a name that is not given is an error."""
    environment = Environment(
        loader=PackageLoader("backedge.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["static"] = names.url
    environment.globals["version"] = version("backedge")
    environment.filters["exact"] = lambda value: dumps(value)
    return Renderer(environment, shared)
