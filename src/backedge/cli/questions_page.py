"""What `backedge questions` and `backedge gaps` print."""

from __future__ import annotations

from pathlib import Path

import click

from backedge.cli.investigate_page import opened
from backedge.cli.lines import one_line, plain
from backedge.evidence.inquiry import CoverageGap, Execution, Sorted
from backedge.evidence.views import QuestionView, gaps_view, questions_view
from backedge.query.exact_json import dumps

LINE = 100


async def show_questions(folder: Path, run: str, as_json: bool) -> None:
    """Print the questions of an investigation."""
    async with opened(folder) as (app, investigations):
        found = await investigations.named(run)
        view = await questions_view(found, await investigations.inquiries(found), app.library)
    if as_json:
        click.echo(dumps(view, 2))
        return
    for question in view.questions:
        _print_question(question)
    for facet, reason in view.uninvestigated:
        click.echo(f"not investigated: {facet}: {plain(reason)}")


def _print_question(view: QuestionView) -> None:
    question, inquiry = view.question, view.inquiry
    click.echo(f"{question.key}  {plain(question.text)}")
    click.echo(f"    facets: {', '.join(question.facets)}; answer: {plain(', '.join(question.answer_fields))}")
    click.echo(f"    serves the decision: {plain(question.decision)}")
    click.echo(f"    inquiry {inquiry.run or '-'}: {inquiry.status}{f': {plain(inquiry.why)}' if inquiry.why else ''}")
    for execution in view.executions:
        click.echo(f"    {_searched(execution)}")
    for sorted_ in view.rounds:
        click.echo(f"    {_sorted(sorted_)}")
    for gap in view.gaps:
        click.echo(f"    {_gap(gap)}")
    if (judged := inquiry.sufficiency) is not None:
        click.echo(f"    {judged.status}: {plain(judged.coverage)}")
        for missing in judged.critical_gaps:
            click.echo(f"      missing: {plain(missing)}")
        for assumed in judged.assumptions:
            click.echo(f"      assumed: {plain(assumed)}")
        if judged.reviewed_by:
            click.echo(f"      reviewed by {judged.reviewed_by}: {plain(judged.review_reason)}")
    click.echo()


def _searched(execution: Execution) -> str:
    query = f" {one_line(execution.query, LINE)!r}" if execution.query else ""
    return f"round {execution.round}, {execution.target}, {execution.arm}: {len(execution.hits)} hits{query}"


def _sorted(found: Sorted) -> str:
    reasons = sorted({reason for excluded in found.excluded for reason in excluded.reasons})
    excluded = f", {len(found.excluded)} versions excluded ({', '.join(reasons)})" if found.excluded else ""
    wanted = f", {len(found.wanted)} to ingest first" if found.wanted else ""
    return f"{len(found.eligible)} hits may be used{excluded}{wanted}"


def _gap(gap: CoverageGap) -> str:
    state = f"closed by round {gap.closed_by}" if gap.closed_by else "open"
    return f"gap ({state}): {one_line(gap.why, LINE)}"


async def show_gaps(folder: Path, run: str, as_json: bool) -> None:
    """Print what an investigation could not cover."""
    async with opened(folder) as (app, investigations):
        view = await gaps_view(await investigations.named(run), app.library)
    if as_json:
        click.echo(dumps(view, 2))
        return
    for gap in view.gaps:
        click.echo(f"{gap.key}: {_gap(gap)}")
    for question, missing in view.critical:
        click.echo(f"{question}: missing for its decision: {plain(missing)}")
    for facet, reason in view.uninvestigated:
        click.echo(f"{facet}: not investigated: {plain(reason)}")
    if not (view.gaps or view.critical or view.uninvestigated):
        click.echo("no gap so far")
