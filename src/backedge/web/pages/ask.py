"""The page that one asks from: a box, questions to begin with, and what there is to ask about."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from backedge.ask.cannot_follow import CannotFollow
from backedge.kernel.ports import UnknownRun
from backedge.web.pages.runs import seen
from backedge.web.people import Person
from backedge.web.problems import Problem, Refusal
from backedge.web.rendering import view
from backedge.web.services import Asked, Asking
from backedge.web.site import Site

LONGEST = 4_000  # characters of a question
REMEMBERED = 1_000  # forms that were sent, so that one that is sent twice asks once


class Sent:
    """Which run a form began. A form is told by the word that its page gave it."""

    def __init__(self) -> None:
        self._runs: OrderedDict[tuple[str, str], str] = OrderedDict()

    def run(self, name: str, once: str) -> str:
        """The run that this form began before; empty where it did not."""
        return self._runs.get((name, once), "") if once else ""

    def began(self, name: str, once: str, run_id: str) -> None:
        """Remember a form."""
        if once:
            self._runs[(name, once)] = run_id
            while len(self._runs) > REMEMBERED:
                self._runs.popitem(last=False)


def asking_of(site: Site) -> Asking:
    """The questions of the project. Raises `Refusal` (404) where it has none."""
    if site.services.asking is None:
        raise Refusal(404, "not_found", "this project has no data to ask about", "add a config.yml with a database")
    return site.services.asking


def routes(site: Site) -> APIRouter:
    """`/ask`."""
    router = APIRouter()
    sent = Sent()

    @view(router, "/ask")
    async def show(request: Request) -> Response:
        person = await site.allowed(request, "see")
        return _page(site, request, person)

    @router.post("/ask", include_in_schema=False)
    async def ask(
        request: Request, text: str = Form(""), agent: str = Form(""), after: str = Form(""), once: str = Form("")
    ) -> Response:
        person = await site.allowed(request, "ask")
        run_id = sent.run(person.name, once)
        if run_id:
            return RedirectResponse(f"/runs/{run_id}", 303)
        refused = _refused(asking_of(site), text, agent)
        if refused is None:
            try:
                if after:
                    await seen(site, person, after)
                run_id = await asking_of(site).ask(Asked(text.strip(), person.name, person.attributes, agent, after))
            except (CannotFollow, UnknownRun) as error:
                status = 403 if isinstance(error, CannotFollow) and error.forbidden else 422
                refused = Problem(status, "cannot_follow", str(error), "ask in full")
        if refused is not None:
            return _page(site, request, person, text, refused)
        sent.began(person.name, once, run_id)
        return RedirectResponse(f"/runs/{run_id}", 303)

    return router


def _refused(asking: Asking, text: str, agent: str) -> Problem | None:
    if not text.strip():
        return Problem(422, "nothing_asked", "nothing is asked", "write a question, or take one of the samples")
    if len(text) > LONGEST:
        return Problem(422, "too_long", f"a question has at most {LONGEST:,} characters", "ask for one thing at a time")
    if agent and agent not in asking.agents:
        return Problem(422, "unknown_agent", f"there is no agent {agent}", f"ask one of {', '.join(asking.agents)}")
    return None


def _page(site: Site, request: Request, person: Person, text: str = "", refused: Problem | None = None) -> Response:
    asking = asking_of(site)
    found: dict[str, Any] = {
        "agents": list(asking.agents),
        "samples": [asdict(sample) for sample in asking.samples],
        "catalog": asking.catalog(),
    }
    status = refused.status if refused else 200
    if refused is not None and "json" in request.headers.get("accept", ""):
        return site.render.problem(request, refused, person)
    text = text or request.query_params.get("text", "")
    return site.render(request, "ask.html", found, person, status=status, text=text, refused=refused)
