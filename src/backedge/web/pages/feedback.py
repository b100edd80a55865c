"""What people say of an answer, links that share it, and examples that a curator makes a verified query of."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Form, Request
from pydantic import JsonValue
from starlette.responses import RedirectResponse, Response

from backedge.ask.catalog import Verified
from backedge.ask.keeping.workflow import Note
from backedge.kernel.defect import Permanent
from backedge.kernel.ports import Head
from backedge.web.answer_view import kinds_of, plain_sql
from backedge.web.pages.answers import answer_data, answer_page, one_kind, page_number
from backedge.web.pages.ask import asking_of
from backedge.web.pages.runs import seen
from backedge.web.people import Person
from backedge.web.problems import Problem, not_found, problem_of
from backedge.web.rendering import exact, view
from backedge.web.site import Site

VERDICTS = ("right", "wrong")
LONGEST = 2_000


def routes(site: Site) -> APIRouter:
    """Feedback and shares below `/runs/{id}`, `/shared`, `/examples`."""
    router = APIRouter()
    _said(site, router)
    _shares(site, router)
    _examples(site, router)
    return router


def _said(site: Site, router: APIRouter) -> None:
    @router.post("/runs/{run_id}/feedback", include_in_schema=False)
    async def say(request: Request, run_id: str, verdict: str = Form(""), because: str = Form("")) -> Response:
        person = await site.allowed(request, "ask")
        head = await seen(site, person, run_id)
        form = await asking_of(site).form(head.id)
        refused = _refused(form["status"], verdict, because)
        if refused is not None:
            return await answer_page(site, request, person, head, refused)
        body: dict[str, JsonValue] = {"run": head.id, "verdict": verdict, "because": because.strip()}
        await asking_of(site).keep(Note("feedback", f"{head.id}/{_stamp()}", body), by=person.name)
        return RedirectResponse(f"/runs/{head.id}#feedback", 303)


def _refused(status: str, verdict: str, because: str) -> Problem | None:
    if status not in ("answered", "cannot_answer"):
        return Problem(409, "not_ended", "there is no answer to judge yet", "wait until it is there")
    if verdict not in VERDICTS:
        return Problem(422, "no_verdict", "say whether the answer is right or wrong", "choose one of them")
    if verdict == "wrong" and not because.strip():
        return Problem(422, "no_reason", "an answer that is wrong needs the reason", "say what is wrong with it")
    if len(because) > LONGEST:
        return Problem(422, "too_long", f"a reason has at most {LONGEST:,} characters", "say it shorter")
    return None


def _stamp() -> str:
    """A key that sorts by time; two at one moment differ."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{secrets.token_hex(4)}"


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _shares(site: Site, router: APIRouter) -> None:
    @router.post("/runs/{run_id}/share", include_in_schema=False)
    async def share(request: Request, run_id: str) -> Response:
        """The link is shown once: only the hash of its token is kept."""
        person = await site.allowed(request, "ask")
        head = await seen(site, person, run_id)
        token = f"{head.id}-{secrets.token_urlsafe(24)}"
        await asking_of(site).keep(Note("share", f"{head.id}/{_hashed(token)}", {"run": head.id}), by=person.name)
        link = f"{request.url.scheme}://{request.url.netloc}/shared/{token}"
        return await answer_page(site, request, person, head, link=link)

    @router.post("/runs/{run_id}/unshare", include_in_schema=False)
    async def unshare(request: Request, run_id: str, key: str = Form("")) -> Response:
        person = await site.allowed(request, "ask")
        head = await seen(site, person, run_id)
        asking = asking_of(site)
        if key not in {record.key for record in await asking.kept("share", f"{head.id}/")}:
            raise not_found("there is no such link", "look at the links of the run again")
        if key not in {record.key for record in await asking.kept("unshare", f"{head.id}/")}:
            await asking.keep(Note("unshare", key, {"run": head.id}), by=person.name)
        return RedirectResponse(f"/runs/{head.id}#share", 303)

    @view(router, "/shared/{token}")
    async def shared(request: Request, token: str) -> Response:
        person = await site.allowed(request, "see")
        head = await _shared_run(site, token)
        found = await answer_data(site, None, head, page_number(request))
        found |= {"shares": [], "feedback": [], "prompts": []}
        kind = request.query_params.get("kind", "")
        more: dict[str, Any] = {"kind": kind, "link": "", "refused": None, "shared": True, "base": f"/shared/{token}"}
        return site.render(request, "answer.html", found, person, **more)

    @router.get("/shared/{token}/chart.json", include_in_schema=False)
    async def chart(request: Request, token: str, kind: str = "") -> Response:
        await site.allowed(request, "see")
        head = await _shared_run(site, token)
        kinds = kinds_of(await site.services.runs.load(head.id), await asking_of(site).form(head.id))
        if not kinds:
            raise not_found("this answer has no chart", "its table is the answer")
        return exact(one_kind(kinds, kind))


async def _shared_run(site: Site, token: str) -> Head:
    """The run that a link shows. Raises `Refusal` (404) where it never did, or does no longer."""
    run_id, _, secret = token.partition("-")
    key = f"{run_id}/{_hashed(token)}"
    asking = asking_of(site)
    given = secret and any(record.key == key for record in await asking.kept("share", key))
    if not given or any(record.key == key for record in await asking.kept("unshare", key)):
        raise not_found("this link shows nothing", "ask for another; it may have been taken back")
    return await site.services.runs.head(run_id)


def _examples(site: Site, router: APIRouter) -> None:
    @view(router, "/examples")
    async def show(request: Request) -> Response:
        return await _page(site, request, await site.allowed(request, "review"))

    @router.post("/examples", include_in_schema=False)
    async def decide(
        request: Request,
        key: str = Form(""),
        decision: str = Form(""),
        name: str = Form(""),
        description: str = Form(""),
    ) -> Response:
        person = await site.allowed(request, "review")
        candidate = next((each for each in await _candidates(site) if each["key"] == key), None)
        if candidate is None or decision not in ("approve", "decline"):
            refused = Problem(409, "not_open", "this example is not open any more", "look at the list again")
            return await _page(site, request, person, refused)
        try:
            file = await _approved(site, candidate, name.strip(), description) if decision == "approve" else ""
            body: dict[str, JsonValue] = {"decision": decision, "file": file, "run": candidate["run"]}
            await asking_of(site).keep(Note("example", key, body), by=person.name)
        except Permanent as error:
            return await _page(site, request, person, problem_of(error))
        return RedirectResponse("/examples", 303)


async def _approved(site: Site, candidate: dict[str, Any], name: str, description: str) -> str:
    query = Verified(
        name,
        candidate["sql"],
        candidate["database"],
        " ".join(description.split()) or candidate["asked"],
        (candidate["asked"],),
    )
    return asking_of(site).write_example(query)


async def _page(site: Site, request: Request, person: Person, refused: Problem | None = None) -> Response:
    decided = [{"key": record.key, **record.body} for record in await asking_of(site).kept("example")]
    found = {"candidates": await _candidates(site), "decided": decided}
    status = refused.status if refused else 200
    return site.render(request, "examples.html", found, person, status=status, refused=refused)


async def _candidates(site: Site) -> list[dict[str, Any]]:
    """Answers that somebody called right and that nobody decided on, with their SQL.

    SQL that was held to the rows that one person may see is no example: it would hold their attributes.
    """
    asking = asking_of(site)
    decided = {record.key for record in await asking.kept("example")}
    found = []
    for record in await asking.kept("feedback"):
        if record.body["verdict"] != "right" or record.key in decided:
            continue
        form = await asking.form(str(record.body["run"]))
        if form["sql"] and not form["asked_as"]:
            database = form["database"] or ""
            found.append(
                {
                    "key": record.key,
                    "run": record.body["run"],
                    "asked": form["asked"],
                    "because": record.body["because"],
                    "by": record.body["by"],
                    "day": record.body["day"],
                    "database": database,
                    "sql": plain_sql(form, asking.dialect(database)),
                }
            )
    return found
