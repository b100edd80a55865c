"""The checks of `backedge doctor`: each tries the thing itself and says what it found."""

from __future__ import annotations

import platform
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from backedge.assemble import App, assemble, runs_folder
from backedge.config.database import SERVED, Database
from backedge.config.problem import ConfigError
from backedge.config.project import Project, load_project
from backedge.kernel.defect import Failure, Permanent
from backedge.query.ports import Advice, Advises, Connector, Rejected

LIBRARIES = ("duckdb", "sqlglot", "pydantic", "sqlalchemy", "nanoarrow")


_TO_READ = {
    "duckdb": "put CSV or Parquet files into its folder",
    "postgres": "let its role read: GRANT USAGE ON SCHEMA … TO …; GRANT SELECT ON ALL TABLES IN SCHEMA … TO …",
    "sqlite": "name the file that has the tables",
}


@dataclass(frozen=True)
class Check:
    """One thing that was tried. `mend` is the next step where it is not ok."""

    name: str
    ok: bool
    said: str
    mend: str = ""


async def run_checks(folder: Path, agent: str | None) -> list[Check]:
    """Every check, in the order in which they build on each other."""
    checks = machine_checks()
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


def machine_checks() -> list[Check]:
    """What every project needs of this machine."""
    return [_python(), _libraries()]


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
        for check in await check_database(database, app.connectors.get(database.name)):
            yield check


async def check_database(database: Database, connector: Connector | None) -> list[Check]:
    """Whether a database can be read and not be written, and what its role may do beyond reading."""
    name = f"database {database.name}"
    if connector is None:
        mend = f"use one of {', '.join(sorted(SERVED))}"
        return [Check(name, False, f"type {database.type} is not served yet", mend)]
    check = await _try(connector, _TO_READ.get(database.type, "let its role read some"))
    if not check.ok or not isinstance(connector, Advises):
        return [check]
    try:
        advice = await connector.advice()
    except Failure as error:
        return [check, Check(f"{name}: role", False, error.message, "try again")]
    return [check, *(_advised(name, one) for one in advice)]


def _advised(name: str, advice: Advice) -> Check:
    """Something grave must be mended; the rest is said with the statements that would mend it."""
    said = advice.said if advice.is_grave else f"{advice.said}; to take that away: {advice.mend}"
    return Check(f"{name}: role", not advice.is_grave, said, advice.mend)


async def _try(connector: Connector, to_read: str) -> Check:
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
    return Check(name, bool(tables), said, to_read)
