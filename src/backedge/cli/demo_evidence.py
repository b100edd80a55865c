"""What `backedge demo evidence` shows: papers become records, a notice takes some away, a request a design."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from backedge.assembling.evidence import EvidenceApp
from backedge.assembling.opening_evidence import open_evidence
from backedge.assembling.reviewing import reviews_of
from backedge.cli.demo_investigation import investigated
from backedge.cli.ingest_page import Report
from backedge.cli.record_page import print_record
from backedge.cli.session import project_flag, who
from backedge.demo.evidence import FIRST, NOTICE, REVIEWER
from backedge.evidence import kinds
from backedge.evidence.record_view import record_data
from backedge.evidence.records import EvidenceRecord
from backedge.evidence.summary import Told, summed
from backedge.kernel.journal import Refused


async def tour(folder: Path) -> bool:
    """Ingest the papers and then the notice, saying what came of each; whether quotations were checked."""
    app = open_evidence(folder)
    try:
        _rule("Two short papers and a table of values. The model's replies are RECORDED: written by hand and kept.")
        told = await _ingested(app, FIRST)
        await _print_refusals(app, told)
        _rule("Every record, and why it stands as it does")
        records = await app.library.all(kinds.RECORD)
        for record in records:
            await _print_line(app, record)
        _rule("One accepted record: its words stand in the paper, to the character")
        await _print_first(app, records, "accepted")
        _rule("A notice arrives: one of the papers is retracted")
        for notice in await _driven(app, (NOTICE,)):
            click.echo(f"{notice.status}: {notice.why}")
        for record in records:
            judgement = await app.library.judgement(record.version)
            if judgement is not None and not judgement.eligible:
                reasons = ", ".join(f"{reason.kind} ({reason.by})" for reason in judgement.reasons)
                click.echo(f"may not be used now: {record.proposal.statement}\n  {reasons}")
        waiting = await _first(app, records, "in_review")
        _rule(f"A request becomes an approved design; what people decide, {REVIEWER} decides here")
        run = await investigated(app, _pause)
    finally:
        await app.close()
    _next(folder, waiting, run.id)
    checked = summed(told).checked > 0 or any(each.status == "duplicate" for each in told)
    return checked and run.status == "ended"


def _pause(does: str) -> None:
    """Say what a person does; somebody who watches at a terminal presses Enter first."""
    click.echo(f"\n» {does}")
    if sys.stdin.isatty() and sys.stdout.isatty():
        click.prompt("  Enter", default="", show_default=False, prompt_suffix=" ")


async def _driven(app: EvidenceApp, papers: Sequence[str]) -> tuple[Told, ...]:
    named = await app.named([f"papers/{paper}" for paper in papers])
    told: list[Told] = []
    await app.drive_all(await app.begin(named.asked, by=who()), told.append)
    return tuple(told)


async def _ingested(app: EvidenceApp, papers: Sequence[str]) -> tuple[Told, ...]:
    told = await _driven(app, papers)
    report = Report(quiet=True)
    for each in told:
        report.add(each)
    report.print()
    return told


async def _print_refusals(app: EvidenceApp, told: Sequence[Told]) -> None:
    for source in told:
        for part in source.parts:
            for stored in await app.store.read(part.id):
                if isinstance(stored.entry, Refused):
                    for defect in stored.entry.defects:
                        click.echo(f"refused and sent back ({defect.kind}): {defect.message}")


async def _print_line(app: EvidenceApp, record: EvidenceRecord) -> None:
    standing = await app.library.standing(record.key)
    status = standing.status if standing else "proposed"
    click.echo(f"{status:<11}  {record.proposal.kind:<7}  {record.proposal.statement}")
    if standing is not None and standing.status != "accepted":
        click.echo(f"             {standing.reason}")


async def _first(app: EvidenceApp, records: Sequence[EvidenceRecord], status: str) -> EvidenceRecord | None:
    for record in records:
        standing = await app.library.standing(record.key)
        if standing is not None and standing.status == status:
            return record
    return None


async def _print_first(app: EvidenceApp, records: Sequence[EvidenceRecord], status: str) -> None:
    record = await _first(app, records, status)
    if record is not None:
        data: dict[str, Any] = await record_data(app.library, app.contents, await reviews_of(app).reviewed(record.key))
        print_record(data)


def _rule(text: str) -> None:
    click.echo(f"\n── {text}\n")


def _next(folder: Path, waiting: EvidenceRecord | None, run: str) -> None:
    where = project_flag(folder)
    _rule("Try next")
    if waiting is not None:
        click.echo(f"  backedge review show {waiting.key}{where}")
        click.echo(f'  backedge review decide {waiting.key} reject --because "the paper says may" --as rita{where}')
    click.echo(f"  backedge trace D1/evidence_basis/1 --run {run}{where}")
    click.echo(f"  backedge export --investigation {run} --format ro-crate --out crate{where}")
    click.echo(f'  backedge search "fasting glucose in mice"{where}')
    click.echo(f"  backedge sources list{where}")
    click.echo(f"  backedge records list{where}")
    click.echo("With papers of your own: name a model in evidence.yml, then backedge ingest FOLDER.")
