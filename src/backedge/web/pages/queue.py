"""The review queue: what waits for a person, each record beside the passages that it cites, and a decision on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from backedge.evidence.decisions import DecisionKind
from backedge.evidence.record_view import FIELDS
from backedge.web.evidence_services import Data, Evidence, Said
from backedge.web.pages.review_forms import (
    REFUSALS,
    evidence_of,
    found,
    number_of,
    refused,
    seen_other,
    text_of,
)
from backedge.web.people import Person
from backedge.web.problems import Problem, Refusal
from backedge.web.rendering import view
from backedge.web.site import Site

PAGE = 50
KINDS: tuple[DecisionKind, ...] = get_args(DecisionKind)


def routes(site: Site) -> APIRouter:
    """`/review/queue`, `/review/records/{key}` and `/review/judgements/{investigation}/{question}`."""
    router = APIRouter()

    @view(router, "/review/queue")
    async def list_(request: Request, limit: int = Query(PAGE, ge=1, le=500), done: str = "") -> Response:
        person = await site.allowed(request, "see")
        evidence = evidence_of(site)
        listed = await evidence.queue(limit)
        return site.render(
            request, "review_queue.html", listed, person, double=evidence.double, done=done, path_of=path_of
        )

    @view(router, "/review/records/{key}")
    async def show(request: Request, key: str, done: str = "") -> Response:
        person = await site.allowed(request, "see")
        return await _record(site, request, person, key, done=done)

    @router.post("/review/records/{key}", include_in_schema=False)
    async def decide(request: Request, key: str) -> Response:
        person = await site.allowed(request, "review")
        evidence, form = evidence_of(site), await request.form()
        following = await _following(evidence, key)
        try:
            done = await evidence.decide(key, await _said(evidence, key, form, person))
        except REFUSALS as error:
            return await _record(site, request, person, key, refused(request, error), form)
        if done["paused"] or (done["waits"] and done["key"] != key):
            return seen_other(f"/review/records/{done['key']}?done={quote(done['standing'])}")
        said = quote(f"{done['key']} is {done['standing']}{' and still waits' if done['waits'] else ''}")
        return seen_other(f"{following}?done={said}")

    _judgements(router, site)
    return router


def _judgements(router: APIRouter, site: Site) -> None:
    @view(router, "/review/judgements/{investigation}/{question}")
    async def judgement(request: Request, investigation: str, question: str) -> Response:
        person = await site.allowed(request, "see")
        shown = await found(evidence_of(site).judgement(f"{investigation}/{question}"))
        return site.render(request, "review_judgement.html", shown, person, refused=None, reason="")

    @router.post("/review/judgements/{investigation}/{question}", include_in_schema=False)
    async def judge(request: Request, investigation: str, question: str) -> Response:
        person = await site.allowed(request, "review")
        evidence, form, key = evidence_of(site), await request.form(), f"{investigation}/{question}"
        shown = await _still(evidence, key)
        reason, kind = text_of(form, "reason"), _kind(form)
        following = await _following(evidence, key)
        try:
            await evidence.judge(key, kind == "accept", by=person.name, reason=reason)
        except REFUSALS as error:
            problem = refused(request, error)
            return site.render(
                request, "review_judgement.html", shown, person, status=problem.status, refused=problem, reason=reason
            )
        said = quote(f"the judgement on {question} {'stands' if kind == 'accept' else 'does not stand'}")
        return seen_other(f"{following}?done={said}")


def path_of(line: Mapping[str, Any]) -> str:
    """The page of a line of the queue."""
    kept = quote(line["key"], safe="/")
    return f"/review/judgements/{kept}" if line["what"] == "sufficiency" else f"/review/records/{kept}"


async def _still(evidence: Evidence, key: str) -> Data:
    """A judgement that waits. Raises `Refusal` (409) where it was decided meanwhile."""
    try:
        return await evidence.judgement(key)
    except REFUSALS as error:
        raise Refusal(
            409, "not_asked", f"the judgement {key} does not wait any more", "go back to the queue"
        ) from error


async def _following(evidence: Evidence, key: str) -> str:
    """The page of what waits behind `key`, or first; the queue where nothing else waits."""
    waiting = (await evidence.queue(500))["waiting"]
    at = next((number for number, line in enumerate(waiting) if line["key"] == key), -1)
    others = [*waiting[at + 1 :], *waiting[: max(at, 0)]]
    return path_of(others[0]) if others else "/review/queue"


async def _record(
    site: Site,
    request: Request,
    person: Person,
    key: str,
    problem: Problem | None = None,
    form: FormData | None = None,
    done: str = "",
) -> Response:
    evidence = evidence_of(site)
    record = await found(evidence.record(key, person.name))
    shown = _fields(record)
    more = {
        "refused": problem,
        "typed": {name: text_of(form, name) for name in form} if form else {},
        "fields": shown,
        "following": await _following(evidence, record["key"]),
        "double": evidence.double,
        "done": done,
    }
    status = problem.status if problem else 200
    return site.render(request, "review_record.html", record, person, status=status, **more)


def _fields(record: Data) -> dict[str, str]:
    """What a fix may change, as it is now."""
    quotations = {
        f"quotation{number if number > 1 else ''}": quotation["said"]
        for number, quotation in enumerate(record["quotations"], 1)
    }
    return {"statement": record["statement"], **{name: record["fields"][name] for name in FIELDS}, **quotations}


async def _said(evidence: Evidence, key: str, form: FormData, person: Person) -> Said:
    kind = _kind(form)
    changes: dict[str, str] = {}
    if kind == "fix":
        shown = _fields(await evidence.record(key, person.name))
        typed = {name: text_of(form, name) for name in shown if name in form}
        changes = {name: text for name, text in typed.items() if text != shown[name].replace("\r\n", "\n")}
    return Said(kind, person.name, text_of(form, "reason"), number_of(form, "seen"), changes)


def _kind(form: FormData) -> DecisionKind:
    kind = text_of(form, "kind")
    if kind not in KINDS:
        raise Refusal(422, "invalid_request", f"{kind!r} is no decision", f"decide one of {', '.join(KINDS)}")
    return kind
