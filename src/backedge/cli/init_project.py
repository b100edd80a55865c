"""Drafts a project for `backedge init`: measures the data, writes the files, checks them, and tries a few questions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from backedge.assemble import connect
from backedge.cli.init_measure import Measured, measure
from backedge.cli.init_questions import working_questions
from backedge.config.database import DATA_SUFFIXES, Database, implied_databases
from backedge.config.draft_file import draft_files, is_draft
from backedge.config.folder import kind_of, list_folder
from backedge.config.problem import ConfigError
from backedge.config.validate import check_project
from backedge.query.ports import Connector
from backedge.semantic.draft import Draft, draft_views
from backedge.semantic.naming import member_name

DATABASE = "local"
_NO_FOLDER_NAME = "project"


class CannotDraft(Exception):
    """Nothing was written; the message says why and what to do."""


@dataclass(frozen=True)
class Drafted:
    """What was found and written. `left` are earlier drafts that are not drafted any more."""

    measured: Measured
    drafts: tuple[Draft, ...]
    data: Path
    written: tuple[str, ...]
    left: tuple[str, ...]
    questions: tuple[str, ...]


async def draft_project(folder: Path, data: Path | None, *, force: bool) -> Drafted:
    """Draft a project. Raises `CannotDraft`, and `ConfigError` or a `Failure` where the data cannot be opened."""
    source = _source(folder, data)
    earlier = _refuse_other_files(folder, force)
    connector = _connector(folder, source)
    try:
        return await _drafted(connector, folder, source, earlier)
    finally:
        await connector.close()


async def _drafted(connector: Connector, folder: Path, source: Path, earlier: frozenset[str]) -> Drafted:
    measured = await measure(connector)
    if not measured.tables:
        reasons = "".join(f"\n  {table}: {why}" for table, why in measured.skipped)
        raise CannotDraft(f"no table of {source} can be drafted: mend the data or name other data{reasons}")
    drafts = draft_views(measured.tables, measured.keys, measured.references, DATABASE)
    files = _files(folder, source, drafts)
    _write(folder, files, earlier)
    report = check_project(folder)
    if not report.ok:
        raise ConfigError(problem for problem in report.problems if problem.severity == "error")
    written = tuple(path for path, _ in files)
    left = tuple(sorted(earlier.difference(written)))
    questions = await working_questions(folder, connector, drafts)
    return Drafted(measured, drafts, source, written, left, questions)


def _files(folder: Path, source: Path, drafts: Sequence[Draft]) -> tuple[tuple[str, str], ...]:
    name = member_name(folder.resolve().name) or _NO_FOLDER_NAME
    data = _written(folder, source)
    return draft_files(drafts, name=name, database=DATABASE, data=data, is_folder=source.is_dir())


def _source(folder: Path, data: Path | None) -> Path:
    """The data that is meant: a folder of files, or one file."""
    if folder.exists() and not folder.is_dir():
        raise CannotDraft(f"{folder} is a file, and the project is a folder: backedge init FOLDER --data {folder}")
    if data is None:
        found = implied_databases(folder, ()) if folder.is_dir() else ()
        if not found or found[0].path is None:
            raise CannotDraft(f"no CSV, TSV, Parquet or DuckDB file in {folder}: name the data with --data PATH")
        return _only_database(found[0].path)
    if not data.exists():
        raise CannotDraft(f"there is no {data}: name a folder of CSV, TSV or Parquet files, or one file, with --data")
    return _only_database(data.resolve())


def _only_database(source: Path) -> Path:
    """A folder that holds one DuckDB file and no other data stands for that file."""
    if not source.is_dir():
        return source
    files = [path for path in source.iterdir() if path.suffix.lower() in DATA_SUFFIXES and path.is_file()]
    return files[0] if len(files) == 1 and files[0].suffix.lower() == ".duckdb" else source


def _refuse_other_files(folder: Path, force: bool) -> frozenset[str]:
    """The earlier drafts of the folder, which `force` writes again; what else declares a project is never touched."""
    if not folder.is_dir():
        return frozenset()
    own = [
        path for path in list_folder(folder).files if kind_of(path) in ("view", "topic", "agent") or _is_config(path)
    ]
    foreign = [path for path in own if not is_draft(folder / path)]
    if foreign:
        more = f" and {len(foreign) - 5} more" if len(foreign) > 5 else ""
        raise CannotDraft(
            f"{folder} is a project already: {', '.join(foreign[:5])}{more} would stand beside the drafts; nothing was"
            f" written. Draft into a new folder: backedge init NEW --data PATH"
        )
    if own and not force:
        raise CannotDraft(
            f"{folder} holds earlier drafts: {', '.join(own)}; nothing was written. --force writes them again, and what"
            f" was changed in them by hand is lost"
        )
    return frozenset(own)


def _is_config(path: str) -> bool:
    return path in ("config.yml", "config.yaml")


def _connector(folder: Path, source: Path) -> Connector:
    if "${" in str(source):
        raise CannotDraft(f"{source} holds `${{`, which the configuration reads as a variable: rename it")
    folder.mkdir(parents=True, exist_ok=True)
    connector = connect(Database(DATABASE, "duckdb", source), folder)
    assert connector is not None, "a DuckDB database with a path has a connector"
    return connector


def _written(folder: Path, source: Path) -> str:
    """The path of the data as the configuration says it: relative inside the project, else absolute."""
    root = folder.resolve()
    if not source.is_relative_to(root):
        return str(source)
    inside = source.relative_to(root).as_posix()
    return f"{inside}/" if source.is_dir() and inside != "." else inside


def _write(folder: Path, files: Sequence[tuple[str, str]], earlier: frozenset[str]) -> None:
    """Write all of them, or none where something stands in the place of one."""
    there = [path for path, _ in files if path not in earlier and os.path.lexists(folder / path)]
    if there:
        raise CannotDraft(f"{', '.join(there)} exists in {folder}, and is no draft; nothing was written. Move it away")
    for path, text in files:
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CannotDraft(f"{target} cannot be written: {error.strerror}; name a folder that can be") from error
