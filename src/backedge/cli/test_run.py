"""Runs question sets: each case as a fresh run of the project, its gold through the same connector, then the score."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from backedge.ask.answer import Found
from backedge.ask.evaluate import Case, QuestionSet, Score, broken, score, worst
from backedge.ask.sameness import Wanted
from backedge.assemble import App, open_app
from backedge.cli.session import who
from backedge.config.question_sets import agent_of, load_question_sets
from backedge.kernel.defect import Failure
from backedge.kernel.drive import OfferRefused
from backedge.query.ports import Connector, Rejected
from backedge.query.ranking import ranking

Attributes = Mapping[str, tuple[str, ...]]


async def run_sets(
    folder: Path, files: tuple[Path, ...], tags: tuple[str, ...], names: tuple[str, ...], attributes: Attributes
) -> list[Score]:
    """Every chosen case of every set, in the order of the files, asked with these attributes. Raises `ConfigError`."""
    sets = [_chosen(questions, tags, names) for questions in load_question_sets(folder, files)]
    return [score for questions in sets if questions.cases for score in await _run_set(folder, questions, attributes)]


def _chosen(questions: QuestionSet, tags: tuple[str, ...], names: tuple[str, ...]) -> QuestionSet:
    def wanted(case: Case) -> bool:
        return (not tags or bool(set(tags) & set(case.tags))) and (not names or case.name in names)

    return replace(questions, cases=tuple(case for case in questions.cases if wanted(case)))


async def _run_set(folder: Path, questions: QuestionSet, attributes: Attributes) -> list[Score]:
    app = open_app(folder, agent_of(folder, questions))
    slots = asyncio.Semaphore(questions.concurrency)

    async def one(case: Case) -> Score:
        async with slots:
            return await _run_case(app, case, questions.runs, attributes)

    try:
        return await asyncio.gather(*(one(case) for case in questions.cases))
    finally:
        await app.close()


async def _run_case(app: App, case: Case, runs: int, attributes: Attributes) -> Score:
    wanted = await _wanted(app, case)
    if isinstance(wanted, str):
        return broken(case, wanted)
    scores = []
    for _ in range(runs):
        found, answered = await _ask(app, case, attributes)
        scores.append(score(case, found, answered, wanted))
    return worst(scores)


async def _ask(app: App, case: Case, attributes: Attributes) -> tuple[Found, int]:
    """How a run of the case ended, and how many of its questions were answered."""
    labels = {"test": case.name[:200], **({"agent": app.project.agent.file} if app.project.agent else {})}
    run_id = await app.ask(case.prompt, by=who(), labels=labels, attributes=attributes)
    run, answered = await app.driver.drive(run_id), 0
    for value in case.answers:
        if run.status != "waiting":
            break
        try:
            await app.say(run_id, (value,), by=who(), asked=run.asked)
        except OfferRefused:
            break
        run, answered = await app.driver.drive(run_id), answered + 1
    return await app.answer(run), answered


async def _wanted(app: App, case: Case) -> Wanted | str | None:
    """The rows that are right, None where the case has none, or the reason why they cannot be had."""
    if case.value is not None:
        return Wanted(case.value, case.ordered, None, None, case.tolerance)
    if not case.sql:
        return None
    connector = app.connectors.get(app.project.default_database)
    if connector is None:
        return f"database `{app.project.default_database}` cannot be read"
    try:
        return await _gold(connector, case)
    except Failure as failure:
        return f"the gold does not run: {failure.message}"


async def _gold(connector: Connector, case: Case) -> Wanted | str:
    """A gold that sorts and cuts ranks: it runs without the cut, so that ties at the cut are known."""
    sorts = ranking(case.sql, connector.dialect)
    ran = await connector.run(sorts.sql if sorts else case.sql)
    if isinstance(ran, Rejected):
        return f"the gold does not run: {ran.message}"
    if ran.table.truncated:
        return f"the gold has too many rows ({ran.table.truncated}): ask for less"
    ranks = case.ordered or (sorts is not None and sorts.limit is not None)
    keys, limit = (sorts.keys, sorts.limit) if sorts else (None, None)
    return Wanted(ran.table.rows, ranks, keys, limit, case.tolerance)
