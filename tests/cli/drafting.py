"""Projects that `backedge init` makes, and whether they work: validated, asked, and looked at as a model."""

from __future__ import annotations

import asyncio
import shlex
from dataclasses import dataclass
from pathlib import Path

from backedge.assemble import open_app
from backedge.config.project import load_project
from backedge.config.validate import check_project
from backedge.semantic.model import Model
from tests.cli.projects import Ended, backedge


@dataclass(frozen=True)
class Made:
    """A project as `init` made it."""

    folder: Path
    ended: Ended

    @property
    def model(self) -> Model:
        return load_project(self.folder).catalog.model

    @property
    def joins(self) -> dict[str, set[str]]:
        return {v.name: {e.name for e in v.entities if e.type == "foreign"} for v in self.model.views}

    @property
    def questions(self) -> list[str]:
        """The questions that it offers, as a shell would read its lines."""
        return [shlex.split(line)[-1] for line in self.ended.out.splitlines() if line.startswith("  backedge ask")]


def made(folder: Path, data: Path | None = None, *more: str) -> Made:
    ended = backedge("init", folder, *(("--data", data) if data else ()), *more)
    assert ended.code == 0, ended.err
    return Made(folder, ended)


def works(project: Made) -> None:
    """It is valid without a word, and each of its questions is answered."""
    assert (check_project(project.folder).ok, check_project(project.folder).problems) == (True, ())
    assert asyncio.run(statuses(project)) == dict.fromkeys(project.questions, "answered")


async def statuses(project: Made) -> dict[str, str]:
    app, found = open_app(project.folder), {}
    try:
        for question in project.questions:
            run = await app.driver.drive(await app.ask(question, by="test"))
            found[question] = str((await app.answer(run))["status"])
    finally:
        await app.close()
    return found


def answer(project: Made, question: str) -> list[list[object]]:
    ended = backedge("ask", "--project", project.folder, "--no-input", "--quiet", "--json", question)
    assert ended.code == 0, ended.out
    found: list[list[object]] = ended.json["rows"]
    return found
