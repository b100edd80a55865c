"""What `backedge review` does and prints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import click

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.investigating import Investigations
from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.review_views import queue_data, review_data
from backedge.assembling.reviewing import Reviews, reviews_of
from backedge.cli.judgement_page import decide_judgement, show_judgement
from backedge.cli.lines import one_line, plain
from backedge.cli.record_page import print_record
from backedge.cli.session import project_flag
from backedge.evidence.agreeing import by_pair, kappa
from backedge.evidence.decisions import DecisionKind
from backedge.evidence.reviewed import CHANGEABLE
from backedge.evidence.verify.states import InReview
from backedge.kernel.defect import Permanent
from backedge.kernel.run import Run
from backedge.query.exact_json import dumps

STATEMENT = 100
WHY = 200


@dataclass(frozen=True)
class Said:
    """A decision as it was typed."""

    key: str
    kind: str
    because: str
    seen: int | None
    changes: tuple[str, ...]
    by: str


async def list_queue(folder: Path, limit: int, as_json: bool) -> None:
    """Print what waits for a person."""
    app = open_evidence(folder)
    try:
        data, double = await queue_data(app, limit), reviews_of(app).double
    finally:
        await app.close()
    if as_json:
        click.echo(dumps(data, 2))
        return
    lines, more = data["waiting"], data["more"]
    for line in lines:
        decided = f"  ({line['decided']} of 2 decided)" if double else ""
        click.echo(f"{line['key']}  {line['kind']:<7}  {one_line(line['statement'], STATEMENT)}{decided}")
        click.echo(f"    {one_line(line['why'], WHY)}")
    if not lines:
        click.echo("nothing waits for a person")
    if more:
        click.echo(f"… more than {limit}; see --limit")


async def show_record(folder: Path, key: str, by: str, as_json: bool) -> None:
    """Print a record, or a judgement, as a reviewer sees it."""
    app = open_evidence(folder)
    try:
        if (judged := await _judgement(app, key)) is not None:
            await show_judgement(app, judged, folder, as_json)
            return
        data = await review_data(app, key, by)
    finally:
        await app.close()
    if as_json:
        click.echo(dumps(data, 2))
        return
    print_record(data)
    _print_attempts(data)
    waiting = (
        f"it waits: {data['why']}"
        if data["run"]
        else f"it does not wait; to decide it again, as it is {data['standing']}"
    )
    click.echo(f"\n{plain(waiting)}")
    decide = f"backedge review decide {data['key']} accept|fix|reject|skip"
    click.echo(f"to decide: {decide} --seen {data['standing_number']} --as NAME{project_flag(folder)}")


def _print_attempts(data: dict[str, Any]) -> None:
    if data["attempts"]:
        click.echo(f"\nattempts of run {data['run']}:")
    for attempt in data["attempts"]:
        by = f" by {attempt['by']}" if attempt.get("by") else ""
        why = "; ".join(defect["message"] for defect in attempt.get("defects", ())) or attempt.get("message", "")
        outcome = f"{attempt['outcome']}{by}{': ' if why else ''}{why}"
        click.echo(plain(f"  {attempt['stage']}, attempt {attempt['attempt']}: {outcome}"))


async def decide_record(folder: Path, said: Said, as_json: bool) -> None:
    """Offer a decision, and print how the record or the judgement stands then."""
    app = open_evidence(folder)
    try:
        if (judged := await _judgement(app, said.key)) is not None:
            await _decide_judgement(app, judged, said, as_json)
            return
        reviews = reviews_of(app)
        key = (await reviews.reviewed(said.key)).record.key
        run = await _decided(reviews, said)
        record = run.state.record
        standing = await app.library.standing(record.key)
        judgement = await app.library.judgement(record.version)
    finally:
        await app.close()
    told = {
        "run": run.id,
        "key": record.key,
        "standing": standing.status if standing else "proposed",
        "waits": isinstance(run.state, InReview),
        "replaces": key if record.key != key else None,
        "why": run.state.why if isinstance(run.state, InReview) else "",
        "paused": _paused(run),
        "source_eligible": judgement is not None and judgement.eligible,
    }
    if as_json:
        click.echo(dumps(told, 2))
        return
    click.echo(f"{told['key']}: {told['standing']}" + (f"; it replaces {key}" if told["replaces"] else ""))
    if told["paused"]:
        click.echo(f"it is not verified yet: {told['paused']}; then: backedge sources retry{project_flag(folder)}")
    elif told["waits"] and told["replaces"]:
        click.echo(plain(f"it waits for a decision of its own: {told['why']}"))
    elif told["waits"]:
        click.echo("it still waits" if said.kind == "skip" else "it still waits: another reviewer must decide too")
    if told["standing"] == "accepted" and not told["source_eligible"]:
        click.echo(f"its source may not be used now: see backedge sources show {record.source}{project_flag(folder)}")


def _paused(run: Run) -> str:
    """Why a mended record could not be verified now, and what to do."""
    if run.stopped is None:
        return ""
    return f"{run.stopped.reason}: {run.stopped.mend}" if run.stopped.mend else run.stopped.reason


async def _judgement(app: EvidenceApp, key: str) -> Run | None:
    """The judgement that waits under a key, which is `INVESTIGATION/QUESTION`; None where the key is of a record."""
    if "/" not in key:
        return None
    found = await Investigations(app).waiting_inquiry(key)
    if found is None:
        raise Permanent(f"no judgement waits as {key!r}", mend="`backedge review list` lists what waits")
    return found


async def _decide_judgement(app: EvidenceApp, judgement: Run, said: Said, as_json: bool) -> None:
    if said.changes or said.seen is not None:
        raise Permanent("a judgement has no fields and no standing", mend="leave --set and --seen out")
    investigations = Investigations(app)
    await decide_judgement(investigations, judgement, said.kind, by=said.by, reason=said.because, as_json=as_json)


async def _decided(reviews: Reviews, said: Said) -> Run:
    changes: dict[str, str] = {}
    for text in said.changes:
        name, equals, value = text.partition("=")
        if not equals or name.strip() not in CHANGEABLE:
            raise Permanent(
                f"{text!r} changes no field", mend=f"write FIELD=VALUE, with one of {', '.join(CHANGEABLE)}"
            )
        changes[name.strip()] = value
    if changes and said.kind != "fix":
        raise Permanent("only a fix changes fields", mend="decide `fix`, or leave --set out")
    kind = cast("DecisionKind", said.kind)
    return await reviews.decide(said.key, kind, by=said.by, reason=said.because, seen=said.seen, changes=changes)


async def print_agreement(folder: Path, as_json: bool) -> None:
    """Print, for each pair of reviewers, on how many records both decided, how many alike, and Cohen's kappa."""
    app = open_evidence(folder)
    try:
        found = await reviews_of(app).agreement()
    finally:
        await app.close()
    alike = sum(each.alike for each in found)
    pairs = [
        {
            "reviewers": list(names),
            "records": len(both),
            "alike": sum(one == other for one, other in both),
            "kappa": kappa(both),
        }
        for names, both in by_pair(found).items()
    ]
    if as_json:
        click.echo(dumps({"records": len(found), "alike": alike, "pairs": pairs}, 2))
        return
    for pair in pairs:
        told = "not defined" if pair["kappa"] is None else f"{pair['kappa']:.2f}"
        names = " and ".join(cast("list[str]", pair["reviewers"]))
        click.echo(f"{names}: {pair['alike']} of {pair['records']} alike, kappa {told}")
    if found:
        click.echo(f"all: {alike} of {len(found)} alike")
    else:
        click.echo("no two reviewers decided on the same record without seeing each other (review: {double: true})")
