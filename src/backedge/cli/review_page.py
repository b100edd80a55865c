"""What `backedge review` does and prints."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import click

from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.reviewing import CHANGEABLE, Reviews, reviews_of
from backedge.cli.exact_json import dumps
from backedge.cli.record_page import print_record, record_data
from backedge.evidence import kinds
from backedge.evidence.decisions import DecisionKind
from backedge.evidence.kappa import kappa
from backedge.evidence.verify.states import InReview
from backedge.kernel.defect import Permanent
from backedge.kernel.run import Run

STATEMENT = 100


@dataclass(frozen=True)
class Said:
    """A decision as it was typed."""

    key: str
    kind: str
    because: str
    seen: int | None
    changes: tuple[str, ...]
    by: str


async def list_queue(folder: Path, as_json: bool) -> None:
    """Print what waits for a person."""
    app = open_evidence(folder)
    try:
        lines: list[dict[str, Any]] = []
        for head in await reviews_of(app).queue():
            run = await app.driver.load(head.id)
            if isinstance(run.state, InReview):
                lines.append(_line(run, run.state))
    finally:
        await app.close()
    if as_json:
        click.echo(dumps(lines, 2))
        return
    for line in lines:
        click.echo(f"{line['key']}  {line['kind']:<7}  {line['statement'][:STATEMENT]}\n    {line['why']}")
    if not lines:
        click.echo("nothing waits for a person")


def _line(run: Run, state: InReview) -> dict[str, Any]:
    return {
        "key": state.record.key,
        "run": run.id,
        "kind": state.record.proposal.kind,
        "statement": state.record.proposal.statement,
        "source": state.record.source,
        "why": state.why,
        "standing": state.standing,
        "decisions": len([decision for decision in state.decisions if decision.kind != "skip"]),
    }


async def show_record(folder: Path, key: str, by: str, as_json: bool) -> None:
    """Print a record as a reviewer sees it."""
    app = open_evidence(folder)
    try:
        reviews = reviews_of(app)
        reviewed = await reviews.reviewed(key)
        data = await record_data(app, reviewed)
        if reviews.blind and data["standing"] == "in_review":
            data["decisions"] = [decision for decision in data["decisions"] if decision["by"] == by]
    finally:
        await app.close()
    if as_json:
        click.echo(dumps(data, 2))
        return
    print_record(data)
    click.echo(
        f"\nto decide: backedge review decide {data['key']} accept|fix|reject|skip --seen {data['standing_number']}"
    )


async def decide_record(folder: Path, said: Said, as_json: bool) -> None:
    """Offer a decision, and print how the record stands then."""
    app = open_evidence(folder)
    try:
        reviews = reviews_of(app)
        run = await _decided(reviews, said)
        keys = {run.state.record.key}
        standings = [standing for key in keys if (standing := await app.library.standing(key)) is not None]
    finally:
        await app.close()
    waits = isinstance(run.state, InReview)
    status = "in_review" if waits else standings[-1].status
    if as_json:
        click.echo(dumps({"run": run.id, "key": run.state.record.key, "standing": status, "waits": waits}, 2))
        return
    click.echo(f"{run.state.record.key}: {status}")
    if waits and said.kind != "skip":
        click.echo("another reviewer must decide too")


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
        decided = await app.library.all(kinds.DECIDED)
    finally:
        await app.close()
    said: dict[str, dict[str, str]] = defaultdict(dict)
    for each in decided:
        if each.decision.kind != "skip":
            said[each.record].setdefault(each.decision.by, each.decision.kind)
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for by in said.values():
        deciders = sorted(by)
        for at, one in enumerate(deciders):
            for other in deciders[at + 1 :]:
                pairs[one, other].append((by[one], by[other]))
    rows = [(names, both, kappa(both)) for names, both in sorted(pairs.items())]
    if as_json:
        told = [
            {"reviewers": list(names), "records": len(both), "alike": sum(a == b for a, b in both), "kappa": found}
            for names, both, found in rows
        ]
        click.echo(dumps(told, 2))
        return
    for names, both, found in rows:
        alike = sum(one == other for one, other in both)
        told_kappa = "not defined" if found is None else f"{found:.2f}"
        click.echo(f"{' and '.join(names)}: {alike} of {len(both)} alike, kappa {told_kappa}")
    if not rows:
        click.echo("no two reviewers decided on the same record")
