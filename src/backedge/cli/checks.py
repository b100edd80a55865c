"""The checks of `backedge doctor`: each tries the thing itself and says what it found."""

from __future__ import annotations

import platform
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from backedge.assemble import App, assemble, runs_folder
from backedge.config.problem import ConfigError
from backedge.config.project import Project, load_project
from backedge.kernel.defect import Failure, Permanent
from backedge.query.ports import Connector, Rejected

LIBRARIES = ("duckdb", "sqlglot", "pydantic", "sqlalchemy", "nanoarrow")


@dataclass(frozen=True)
class Check:
    """One thing that was tried. `mend` is the next step where it is not ok."""

    name: str
    ok: bool
    said: str
    mend: str = ""


async def run_checks(folder: Path, agent: str | None) -> list[Check]:
    """Every check, in the order in which they build on each other."""
    checks = [_python(), _libraries()]
    try:
        project = load_project(folder, agent)
    except ConfigError as error:
        return [*checks, Check("project", False, str(error), "`backedge validate` lists every problem")]
    checks.append(_project(project))
    try:
        app = assemble(project)
    except Permanent as error:
        return [*checks, Check("runs", False, error.message, error.mend)]
    try:
        await app.store.heads(limit=1)
        checks.append(Check("runs", True, f"kept in {runs_folder(project.root)}"))
        return [*checks, *[check async for check in _databases(project, app)]]
    finally:
        await app.close()


def _python() -> Check:
    ok = sys.version_info >= (3, 11)
    return Check("python", ok, f"{platform.python_version()} on {platform.system()}", "install Python 3.11 or newer")


def _libraries() -> Check:
    try:
        said = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    except PackageNotFoundError as error:
        return Check("libraries", False, f"{error.name} is missing", "install backedge again: pip install backedge")
    return Check("libraries", True, said)


def _project(project: Project) -> Check:
    model, agent = project.catalog.model, project.agent.name if project.agent else "none, all views"
    measures = sum(len(view.measures) for view in model.views)
    verified = len(project.catalog.verified)
    said = f"{len(model.views)} views, {measures} measures, {verified} verified queries (agent: {agent})"
    ok = measures > 0 or bool(project.catalog.verified)
    return Check("project", ok, said, "add `.view.yml` files with measures, or name the folder with --project")


async def _databases(project: Project, app: App) -> AsyncIterator[Check]:
    if not project.databases:
        yield Check(
            "databases", False, "none", "add one under `databases` of config.yml, or a `data/` folder of CSV files"
        )
    for database in project.databases:
        connector = app.connectors.get(database.name)
        if connector is None:
            yield Check(f"database {database.name}", False, f"type {database.type} is not served yet", "use duckdb")
        else:
            yield await _try(connector)


async def _try(connector: Connector) -> Check:
    name = f"database {connector.name}"
    try:
        tables = await connector.catalog()
        result = await connector.run("SELECT 1 AS one")
        refused = await connector.run("CREATE TABLE backedge_probe (a INTEGER)")
    except Failure as error:
        return Check(name, False, error.message, getattr(error, "mend", "") or "try again")
    if isinstance(result, Rejected):
        return Check(name, False, result.message, "see docs/database-safety.md")
    if not isinstance(refused, Rejected):
        return Check(name, False, "it accepted a statement that writes", "report this: reading must be safe")
    notes = sum(len(table.notes) for table in tables)
    said = f"{len(tables)} tables, reads, refuses to write{f', {notes} notes on how files were read' if notes else ''}"
    return Check(name, bool(tables), said, "put CSV or Parquet files into its folder")
