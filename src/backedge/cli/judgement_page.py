"""What `backedge review` prints and does of judgements that rest on one record alone: whether they stand."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.investigating import Investigations, inquiry_key
from backedge.assembling.review_views import judgement_data
from backedge.cli.lines import plain
from backedge.cli.session import project_flag
from backedge.evidence.inquire.states import AwaitingSufficiency, Inquired
from backedge.kernel.defect import Permanent
from backedge.kernel.run import Run
from backedge.query.exact_json import dumps

STANDS = {"accept": True, "reject": False}


async def show_judgement(app: EvidenceApp, run: Run, folder: Path, as_json: bool) -> None:
    """Print a judgement that waits: the question, the one record, all assessments, the gaps."""
    state: AwaitingSufficiency = run.state
    data = await judgement_data(app, run)
    if as_json:
        click.echo(dumps(data, 2))
        return
    judged = state.sufficiency
    click.echo(f"{inquiry_key(run)}: {plain(state.inquiry.question.text)}")
    click.echo(f"  serves the decision: {plain(state.inquiry.question.decision)}")
    click.echo(f"  {judged.status}: {plain(judged.coverage)}")
    click.echo(f"  it rests on record {judged.only_affirmative} alone: {plain(data['statement'])}")
    for said in state.assessments:
        click.echo(f"  {said.record}  {said.relationship}, {said.applicability}: {plain(said.reason)}")
    for missing in judged.critical_gaps:
        click.echo(f"  missing: {plain(missing)}")
    for assumed in judged.assumptions:
        click.echo(f"  assumed: {plain(assumed)}")
    flag = project_flag(folder)
    click.echo(f"\nthe record: backedge records show {judged.only_affirmative}{flag}")
    click.echo(f"to decide: backedge review decide {inquiry_key(run)} accept|reject --because … --as NAME{flag}")


async def decide_judgement(
    investigations: Investigations, run: Run, kind: str, *, by: str, reason: str, as_json: bool
) -> None:
    """Offer whether a judgement stands, and print what it came to."""
    key = inquiry_key(run)
    if kind not in STANDS:
        raise Permanent(f"a judgement cannot be decided with {kind}", mend="accept it, or reject it")
    done = await investigations.judge(run, STANDS[kind], by=by, reason=reason)
    state: Inquired = done.state
    if as_json:
        told = {"what": "sufficiency", "key": key, "run": run.id, "status": state.sufficiency.status, "waits": False}
        click.echo(dumps(told, 2))
        return
    click.echo(f"{key}: {state.sufficiency.status}")
    if done.parent is not None:
        click.echo(f"next: backedge investigate show {done.parent.run_id}")
