"""What `backedge packages` prints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from backedge.cli.investigate_page import opened
from backedge.cli.lines import plain
from backedge.evidence.inquiry import Package, PackagedRecord
from backedge.evidence.views import PackagesView, packages_view
from backedge.kernel.defect import Permanent
from backedge.query.exact_json import dumps


async def show_packages(folder: Path, run: str, question: str, as_json: bool) -> None:
    """Print the packages of an investigation, or that of one question."""
    async with opened(folder) as (app, investigations):
        view = await packages_view(await investigations.named(run), app.library)
    if question:
        view = _of(view, question)
    if as_json:
        click.echo(dumps(view, 2))
        return
    if view.refused:
        click.echo("these packages were REFUSED: no design may rest on them")
    for package in view.packages:
        _print(package, tuple(why for key, why in view.stale if key == package.key))


def _of(view: PackagesView, question: str) -> PackagesView:
    kept = tuple(package for package in view.packages if package.question.key == question)
    if not kept:
        known = ", ".join(package.question.key for package in view.packages)
        raise Permanent(f"there is no question {question!r}", mend=f"name one of {known}")
    return replace(view, packages=kept)


def _print(package: Package, stale: tuple[str, ...]) -> None:
    click.echo(f"package {package.key} of {package.question.key}: {plain(package.question.text)}")
    for why in package.invalid:
        click.echo(f"  INVALID: {plain(why)}")
    for why in stale:
        click.echo(f"  STALE: {plain(why)}")
    judged = package.sufficiency
    click.echo(f"  {judged.status}: {plain(judged.coverage)}")
    for record in package.records:
        _print_record(record)
    for gap in package.gaps:
        click.echo(f"  gap ({'closed' if gap.closed_by else 'open'}): {plain(gap.why)}")
    if package.trimmed:
        click.echo(f"  trimmed to keep to the budget: {', '.join(package.trimmed)}")
    click.echo()


def _print_record(record: PackagedRecord) -> None:
    click.echo(f"  {record.record}  {record.relationship}, {record.applicability}: {plain(record.statement)}")
    for span in record.spans:
        click.echo(f"      “{plain(span.exact)}” {record.source} [{span.start}, {span.end})")
