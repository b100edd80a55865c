"""What `backedge candidates` and `backedge decide` do and print."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.assembling.investigating import Investigations
from backedge.cli.investigate_page import opened, print_standing
from backedge.cli.lines import plain
from backedge.cli.session import project_flag
from backedge.evidence.designs import ApproachDecision, Candidates
from backedge.evidence.views import CandidatesView, candidates_view
from backedge.kernel.defect import Permanent
from backedge.query.exact_json import dumps


async def show_candidates(folder: Path, run: str, as_json: bool) -> None:
    """Print the approaches of an investigation."""
    async with opened(folder) as (app, investigations):
        view = await candidates_view(await investigations.named(run), app.library)
    if as_json:
        click.echo(dumps(view, 2))
        return
    for why in view.stale:
        click.echo(f"STALE: {plain(why)}")
    if view.candidates is not None:
        _print(view.candidates)
    elif view.refused is not None:
        _print_refused(view, view.refused, project_flag(folder))
    _print_decision(view, project_flag(folder))


def _print(candidates: Candidates) -> None:
    for approach in candidates.approaches:
        click.echo(f"{approach.key}: {plain(approach.title)}")
        click.echo(f"  {plain(approach.summary)}")
        for assumption in approach.assumptions:
            click.echo(f"  assumption: {plain(assumption.text)} (rests on: {plain(assumption.rests_on)})")
        for rated in approach.ratings:
            records = f" [{', '.join(rated.records)}]" if rated.records else ""
            click.echo(f"  {rated.criterion:<18} {rated.rating:<9} {plain(rated.rationale)}{records}")
        click.echo()
    click.echo(f"compared: {plain(candidates.comparison)}")


def _print_refused(view: CandidatesView, refused: Candidates, flag: str) -> None:
    click.echo("these candidates were REFUSED:")
    for defect in view.defects:
        click.echo(f"  {defect.kind}: {plain(defect.message)}")
    click.echo()
    _print(refused)
    click.echo(f"\nnext: backedge investigate retry {view.run} --as REVIEWER{flag}")


def _print_decision(view: CandidatesView, flag: str) -> None:
    decision = view.decision
    if decision is not None:
        because = f" because {plain(decision.reason)}" if decision.reason else ""
        click.echo(f"\n{decision.by} chose {decision.chosen}{because}")
        for key, reason in decision.rejected:
            click.echo(f"  rejected {key}: {plain(reason)}")
    elif view.candidates is not None:
        click.echo(f"\nnext: backedge decide {view.run} KEY --reject OTHER='reason' --as REVIEWER{flag}")


async def decide_approach(
    folder: Path, run: str, approach: str, rejected: tuple[str, ...], because: str, by: str, as_json: bool
) -> int:
    """Offer a decision, and print how the investigation stands then; the exit code."""
    decision = ApproachDecision(approach, by, _reasons(rejected), because)
    async with opened(folder) as (_, investigations):
        return await _decided(investigations, folder, run, decision, as_json)


async def _decided(
    investigations: Investigations, folder: Path, run: str, decision: ApproachDecision, as_json: bool
) -> int:
    done = await investigations.decide(await investigations.named(run), decision)
    return await print_standing(investigations, done, folder, as_json)


def _reasons(rejected: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for text in rejected:
        key, equals, reason = text.partition("=")
        if not equals or not key.strip():
            raise Permanent(f"{text!r} rejects nothing", mend="write --reject KEY='the reason'")
        if key.strip() in found:
            raise Permanent(f"{key.strip()} is rejected twice", mend="keep one reason")
        found[key.strip()] = reason
    return tuple(found.items())
