"""What `backedge db` does and prints. No secret is ever read here but the fact that its variable is set."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path

import click

from backedge.assemble import connect, schema_file
from backedge.cli.checks import Check, check_database
from backedge.cli.exits import ANSWERED, CONFIGURATION, USAGE, fail
from backedge.config.database import SERVED, Database
from backedge.config.problem import did_you_mean, nearest
from backedge.config.project import Project, load_project
from backedge.kernel.defect import Failure
from backedge.query.exact_json import dumps
from backedge.query.schema import sync_schema

_REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


async def list_databases(folder: Path, as_json: bool) -> None:
    """Print each database with its type, its place and its state."""
    project = load_project(folder)
    rows = [_listed(project, database) for database in project.databases]
    if as_json:
        click.echo(dumps(rows, 2))
        return
    widths = [max((len(str(row[key])) for row in rows), default=0) for key in ("name", "type", "where")]
    for row in rows:
        shown = "  ".join(f"{row[key]:<{width}}" for key, width in zip(("name", "type", "where"), widths, strict=True))
        click.echo(f"{shown}  {row['state']}{' (default)' if row['default'] else ''}")
    if not rows:
        click.echo("no database: add one under `databases` of config.yml, or a `data/` folder of CSV files")


def _listed(project: Project, database: Database) -> dict[str, object]:
    missing = [name for name in _variables(database) if name not in os.environ]
    state = "not served yet" if database.type not in SERVED else "ready to be tested"
    if missing and database.type in SERVED:
        state = f"{', '.join(missing)} not set"
    default = database.name == project.default_database
    return {
        "name": database.name,
        "type": database.type,
        "where": _where(project, database),
        "state": state,
        "default": default,
    }


def _variables(database: Database) -> list[str]:
    named = [value for key, value in database.settings if key.endswith("_var")]
    return named + [found for _, value in database.settings for found in _REFERENCE.findall(value)]


def _where(project: Project, database: Database) -> str:
    """Its place as the file gives it: variables by their name, never by what they hold, and no password."""
    if database.path is not None:
        inside = database.path.is_relative_to(project.root)
        return str(database.path.relative_to(project.root) if inside else database.path)
    parts = [_setting(database, key) for key in ("host", "port", "database")]
    if database.type == "postgres":
        host, port, name = parts
        return f"{host or 'localhost'}:{port or '5432'}/{name}"
    return "/".join(part for part in parts if part)


def _setting(database: Database, key: str) -> str:
    variable = database.setting(f"{key}_var")
    return f"${{{variable}}}" if variable else database.setting(key)


async def test_databases(folder: Path, names: tuple[str, ...], as_json: bool) -> int:
    """Print what came of connecting to each, and give the exit code."""
    project = load_project(folder)
    checks = [check async for check in _checked(project, _chosen(project, names))]
    if as_json:
        click.echo(dumps([asdict(check) for check in checks], 2))
    for check in () if as_json else checks:
        click.echo(f"{'ok  ' if check.ok else 'MEND'} {check.name}: {check.said}")
        if not check.ok:
            click.echo(f"     {check.mend}")
    return ANSWERED if checks and all(check.ok for check in checks) else CONFIGURATION


async def _checked(project: Project, chosen: tuple[Database, ...]) -> AsyncIterator[Check]:
    for database in chosen:
        connector = connect(database, project.root)
        try:
            for check in await check_database(database, connector):
                yield check
        finally:
            if connector is not None:
                await connector.close()


async def sync_databases(folder: Path, names: tuple[str, ...], as_json: bool) -> int:
    """Keep the schema of each, print what has changed, and give the exit code."""
    project = load_project(folder)
    made = [await _synced(project, database) for database in _chosen(project, names)]
    if as_json:
        click.echo(dumps(made, 2))
    for one in () if as_json else made:
        click.echo(_told(one))
    return ANSWERED if made and all("error" not in one for one in made) else CONFIGURATION


async def _synced(project: Project, database: Database) -> dict[str, object]:
    connector = connect(database, project.root)
    if connector is None:
        return {"database": database.name, "error": f"type {database.type} is not served yet"}
    try:
        synced = await sync_schema(connector, schema_file(project.root, database.name))
    except Failure as error:
        return {"database": database.name, "error": error.message, "mend": getattr(error, "mend", "")}
    finally:
        await connector.close()
    return {"database": database.name, **asdict(synced), "file": str(synced.file)}


def _told(made: dict[str, object]) -> str:
    if "error" in made:
        return f"{made['database']}: {made['error']}" + (f"\n  {made['mend']}" if made.get("mend") else "")
    lines = [f"{made['database']}: {made['tables']} tables, {made['columns']} columns ({made['file']})"]
    changed = made["changes"]
    assert isinstance(changed, tuple)
    if made["is_first"]:
        return lines[0]
    return "\n".join([*lines, *(f"  {said}" for said in changed or ("nothing has changed",))])


def _chosen(project: Project, names: tuple[str, ...]) -> tuple[Database, ...]:
    known = {database.name: database for database in project.databases}
    for name in names:
        if name not in known:
            near = nearest(name, known)
            fail(f"there is no database {name}{did_you_mean(near)}; `backedge db list` shows all", USAGE)
    if not known:
        fail("the project has no database: add one under `databases` of config.yml", CONFIGURATION)
    return tuple(known[name] for name in dict.fromkeys(names)) or project.databases
