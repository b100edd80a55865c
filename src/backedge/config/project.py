"""A project folder as data: its databases, the chosen agent, and what that agent may answer from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from backedge.ask.catalog import Catalog, Verified
from backedge.automations.tasks import Automation
from backedge.config.agent_file import Agent
from backedge.config.cataloging import build_catalog, check_databases
from backedge.config.choice import choose_agent
from backedge.config.config_file import CONFIG_FILE, LanguageModel, ProjectConfig
from backedge.config.database import SERVED, Database, implied_databases
from backedge.config.embeddings import Embeddings
from backedge.config.folder import Folder, is_verified_sql, kind_of, list_folder, match_glob, resolve_glob
from backedge.config.guarding import with_guards
from backedge.config.problem import ConfigError, Problem, nearest
from backedge.config.reading import FileRead, Reader
from backedge.config.stage_models import model_problems
from backedge.semantic.model import View


@dataclass(frozen=True)
class Project:
    """One project, seen through one agent.

    `databases` are those the agent may read, `default_database` the one for what names none ("" where there is none).
    `agent` is None where the folder has no `.agentic.yml`; then `catalog` holds all views, topics and verified SQL.
    `automations` are all of the folder, `delegable` the files of those that the agent may hand a question to.
    `problems` are warnings. No secret is in it: keys and passwords are names of environment variables.
    """

    root: Path
    databases: tuple[Database, ...]
    default_database: str
    agent: Agent | None
    catalog: Catalog
    models: tuple[LanguageModel, ...] = ()
    timezone: str = ""
    problems: tuple[Problem, ...] = ()
    automations: tuple[Automation, ...] = ()
    delegable: tuple[str, ...] = ()
    embeddings: Embeddings | None = None

    def database(self, name: str) -> Database | None:
        """The database of that name, or None."""
        return next((database for database in self.databases if database.name == name), None)


def load_project(folder: Path, agent: str | None = None) -> Project:
    """Read a project for one agent: `agent` (a name or a path), else the project's own choice.

    Raises ConfigError with every error of the files that the agent needs. Nothing is opened but these files.
    """
    reader = Reader(list_folder(folder))
    config = reader.config()
    try:
        chosen = choose_agent(reader.folder, content_of(config), agent)
    except ConfigError as error:
        # The default agent stands in config.yml: where that is wrong, its own problems are the cause.
        of_config = config.problems if config else ()
        raise ConfigError((*(p for p in of_config if p.severity == "error"), *error.problems)) from error
    project = view_project(reader, chosen)
    errors = [problem for problem in project.problems if problem.severity == "error"]
    if errors:
        raise ConfigError(errors)
    told = (problem for problem in project.problems if kind_of(problem.file) != "automation")  # `validate` says those
    warnings = tuple(problem for problem in told if problem.severity == "warning")
    return replace(project, problems=warnings)


def content_of(config: FileRead | None) -> ProjectConfig | None:
    """What `config.yml` declares; None where there is none, or where it is wrong."""
    return config.content if config and isinstance(config.content, ProjectConfig) else None


def view_project(reader: Reader, agent_file: str | None) -> Project:
    """The project through one agent, whatever is wrong with it: `problems` holds errors, warnings and notes."""
    found: list[Problem] = list(reader.folder.problems)
    config_read = reader.config()
    agent_read = reader.read(agent_file) if agent_file else None
    heads = tuple(read for read in (config_read, agent_read) if read)
    reads = tuple(reader.read(path) for path in select_files(reader.folder, agent_read, found))
    found.extend(problem for read in (*heads, *reads) for problem in read.problems)
    config = content_of(config_read)
    agent = agent_read.content if agent_read and isinstance(agent_read.content, Agent) else None
    known = config.databases if config else () if config_read else _implied(reader.folder.root, agent, reads)
    default = _default_database(config, agent, known)
    built = build_catalog(reads, heads, default, _dialects(known), found)
    catalog = with_guards(built, reader, reads, len(known), found)
    if agent_read and agent:
        found.extend(_agent_checks(agent_read, agent, config_read, config, known))
    allowed = _allowed(agent, known)
    found.extend(_database_problems(catalog, agent, config_read, config, allowed))
    if not reads and not (agent_read and agent is None):
        found.append(_nothing(agent_read, bool(allowed)))
    timezone = (agent.timezone if agent else "") or (config.timezone if config else "")
    models = config.models if config else ()
    automations = _automations(reader, found)
    mine = _delegable(reader.folder, agent_read, automations)
    problems = tuple(found)
    return Project(
        reader.folder.root,
        allowed,
        default,
        agent,
        catalog,
        models,
        timezone,
        problems,
        automations,
        mine,
        config.embeddings if config else None,
    )


def _database_problems(
    catalog: Catalog,
    agent: Agent | None,
    config_read: FileRead | None,
    config: ProjectConfig | None,
    allowed: tuple[Database, ...],
) -> Iterator[Problem]:
    if config:
        of = f"agent `{agent.name}`" if agent and agent.databases else CONFIG_FILE
        yield from check_databases(catalog, tuple(database.name for database in allowed), of)
    if not allowed and not (config_read and config is None):
        yield _no_database(config_read is not None)


def _automations(reader: Reader, found: list[Problem]) -> tuple[Automation, ...]:
    """Every automation of the folder that can be read; one that cannot is a warning, since questions need none."""
    reads = [reader.read(path) for path in reader.folder.files if kind_of(path) == "automation"]
    for problem in (problem for read in reads for problem in read.problems):
        found.append(replace(problem, severity="warning") if problem.severity == "error" else problem)
    known: dict[str, Automation] = {}
    for content in (read.content for read in reads):
        if isinstance(content, Automation) and content.name in known:
            other = known[content.name].file
            message = f"automation name `{content.name}` stands twice (first in {other}): name this one by its file"
            found.append(Problem(content.file, 1, message, "note"))
        elif isinstance(content, Automation):
            known[content.name] = content
    return tuple(read.content for read in reads if isinstance(read.content, Automation))


def _delegable(folder: Folder, agent_read: FileRead | None, automations: tuple[Automation, ...]) -> tuple[str, ...]:
    agent = agent_read.content if agent_read else None
    files = tuple(automation.file for automation in automations)
    if agent_read is None or not isinstance(agent, Agent) or not agent.context:
        return files
    taken = set(context_files(folder, agent_read, []))
    return tuple(file for file in files if file in taken)


def _dialects(known: tuple[Database, ...]) -> dict[str, str]:
    """The SQL of each database that is served: its type has the name of its dialect."""
    return {database.name: database.type for database in known if database.type in SERVED}


def select_files(folder: Folder, agent_read: FileRead | None, found: list[Problem]) -> tuple[str, ...]:
    """The files that the agent's catalog is made of: its context, or all views, topics and SQL of the folder."""
    agent = agent_read.content if agent_read else None
    if agent_read and not isinstance(agent, Agent):
        return ()  # what it would read is not known: the whole folder would add errors that it does not have
    if agent_read is None or not isinstance(agent, Agent) or not agent.context:
        return tuple(path for path in folder.files if is_own_file(folder, path))
    wanted = ("view", "topic", "motif", "query", "sql", "note")
    return tuple(path for path in context_files(folder, agent_read, found) if kind_of(path) in wanted)


def is_own_file(folder: Folder, path: str) -> bool:
    """Whether a file declares something by itself: SQL without a header and Markdown mean nothing without a context."""
    return kind_of(path) in ("view", "topic", "motif", "query") or is_verified_sql(folder, path)


def context_files(folder: Folder, agent_read: FileRead, found: list[Problem]) -> tuple[str, ...]:
    """Every file that the agent's context globs take. One that takes nothing is a warning, one that leaves an error."""
    agent = agent_read.content
    here = agent_read.path.rpartition("/")[0]
    taken: set[str] = set()
    for index, glob in enumerate(agent.context if isinstance(agent, Agent) else ()):
        line = agent_read.line("context", index)
        inside = resolve_glob(here, glob)
        if inside is None:
            found.append(Problem(agent_read.path, line, f"`{glob}` leaves the project folder: move the files into it"))
            continue
        matched = match_glob(inside, folder.files)
        if not matched:
            is_folder = (folder.root / inside).is_dir()
            hint = f": write `{glob.rstrip('/')}/**/*` for all of the folder" if is_folder else ""
            found.append(Problem(agent_read.path, line, f"`{glob}` in `context` matches no file{hint}", "warning"))
        taken.update(matched)
    return tuple(sorted(taken))


def _implied(root: Path, agent: Agent | None, reads: tuple[FileRead, ...]) -> tuple[Database, ...]:
    names = list(agent.databases) if agent else []
    for read in reads:
        content = read.content
        if isinstance(content, View) and content.dialect in ("", "duckdb"):
            names.append(content.datasource)
        elif isinstance(content, Verified):
            names.append(content.database)
    return implied_databases(root, tuple(dict.fromkeys(name for name in names if name)))


def _default_database(config: ProjectConfig | None, agent: Agent | None, known: tuple[Database, ...]) -> str:
    if agent and agent.databases:
        return agent.databases[0]
    if config and config.default_database:
        return config.default_database
    return known[0].name if known else ""


def _allowed(agent: Agent | None, known: tuple[Database, ...]) -> tuple[Database, ...]:
    if agent is None or not agent.databases:
        return known
    by_name = {database.name: database for database in known}
    return tuple(by_name[name] for name in dict.fromkeys(agent.databases) if name in by_name)


def _agent_checks(
    read: FileRead,
    agent: Agent,
    config_read: FileRead | None,
    config: ProjectConfig | None,
    known: tuple[Database, ...],
) -> Iterator[Problem]:
    names = tuple(database.name for database in known)
    for index, name in enumerate(agent.databases if config else ()):
        if name not in names:
            message = f"database `{name}` of agent `{agent.name}` is not declared in {CONFIG_FILE}"
            yield Problem(read.path, read.line("databases", index), message, near=nearest(name, names))
    if config or config_read is None:
        yield from model_problems(read, agent, config.models if config else ())


def _nothing(agent_read: FileRead | None, has_data: bool) -> Problem:
    where = agent_read.path if agent_read else "."
    message = "has nothing to answer from: add `.view.yml`, `.topic.yml` or verified `.sql` files"
    if agent_read or has_data:
        return Problem(where, 0, message, "warning")
    return Problem(where, 0, f"{message}, or name the project's folder with `--project`")


def _no_database(has_config: bool) -> Problem:
    if has_config:
        return Problem(CONFIG_FILE, 0, "declares no database that can be read: add one under `databases`", "warning")
    message = f"no database: write {CONFIG_FILE} with `databases`, or put CSV or Parquet files into `.db/` or `data/`"
    return Problem(".", 0, message, "warning")
