"""The check of a whole project: every known file is read and every problem of all of them is reported together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from backedge.ask.catalog import Catalog, Verified
from backedge.automations.tasks import Automation
from backedge.config.agent_file import Agent
from backedge.config.cataloging import broken_views, check_databases
from backedge.config.choice import agent_files, choose_agent
from backedge.config.config_file import CONFIG_FILE
from backedge.config.database import DATA_SUFFIXES
from backedge.config.evidence_file import EVIDENCE_FILE, evidence_problems
from backedge.config.folder import Folder, kind_of, list_folder, suffix_of
from backedge.config.problem import ConfigError, Problem
from backedge.config.project import content_of, context_files, is_own_file, select_files, view_project
from backedge.config.reading import FileRead, Reader
from backedge.config.topic_file import WrittenTopic
from backedge.config.topics import resolve_topic
from backedge.semantic.model import Model, View

_SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True)
class Report:
    """What was checked, and all that was found: `problems` are sorted by severity, file and line."""

    root: Path
    problems: tuple[Problem, ...]
    views: int = 0
    topics: int = 0
    measures: int = 0
    dimensions: int = 0
    verified: int = 0
    agents: int = 0
    databases: int = 0
    automations: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing stands in the way of loading the project."""
        return not any(problem.severity == "error" for problem in self.problems)


def check_project(folder: Path, agent: str | None = None) -> Report:
    """Read every file of a project that is known and check them against each other, through each of its agents.

    With `agent` (a name or a path) only that one is checked. Never raises for what is in the folder.
    """
    try:
        reader = Reader(list_folder(folder))
    except ConfigError as error:
        return Report(folder, error.problems)
    found: list[Problem] = list(evidence_problems(reader.folder.root, content_of(reader.config())))
    chosen = _agents(reader, agent, found)
    selected: set[str] = set()
    for path in () if only_evidence(reader.folder) else chosen:
        found.extend(view_project(reader, path).problems)
        agent_read = reader.read(path) if path else None
        selected.update(select_files(reader.folder, agent_read, []))
        if agent_read:
            found.extend(_unread(agent_read.path, context_files(reader.folder, agent_read, [])))
    own = [
        path
        for path in reader.folder.files
        if kind_of(path) in ("agent", "test", "automation") or is_own_file(reader.folder, path)
    ]
    reads = [reader.read(path) for path in own]
    config = reader.config()
    found.extend(problem for read in (*reads, *((config,) if config else ())) for problem in read.problems)
    found.extend(_strays(reader, reads, selected))
    found.extend(_later(reader.folder))
    found.extend(_references(reader))
    return _report(reader, reads, found)


def only_evidence(folder: Folder) -> bool:
    """Whether the folder is for the evidence workflows alone: nothing in it is there to answer questions from."""
    others = any(kind_of(path) == "agent" or is_own_file(folder, path) for path in folder.files)
    return EVIDENCE_FILE in folder.files and not others


def _agents(reader: Reader, asked: str | None, found: list[Problem]) -> tuple[str | None, ...]:
    files = agent_files(reader.folder)
    try:
        chosen = choose_agent(reader.folder, content_of(reader.config()), asked)
    except ConfigError as error:
        # Several agents without a default are a question for `ask`, not a mistake in the files.
        if asked is not None or len(files) < 2 or error.problems[0].file == CONFIG_FILE:
            found.extend(error.problems)
        return files or (None,)
    return (chosen,) if asked is not None else files or (None,)


def _unread(agent: str, taken: Iterable[str]) -> Iterator[Problem]:
    for path in taken:
        if kind_of(path) == "other" and not path.endswith(DATA_SUFFIXES):
            name = PurePosixPath(path).name
            yield Problem(
                path, 0, f"`{name}` is of a kind that agents do not read; {agent} has it in `context`", "note"
            )


def _strays(reader: Reader, reads: list[FileRead], selected: set[str]) -> list[Problem]:
    """Files that no agent has in its context, against all views of the folder and all databases."""
    views = {read.content.name: read.content for read in reversed(reads) if isinstance(read.content, View)}
    strays = [read.content for read in reads if read.path not in selected]
    found: list[Problem] = []
    for content in strays:
        if isinstance(content, WrittenTopic):
            resolve_topic(content, views, broken_views(reads), found)
    config = content_of(reader.config())
    if config:
        model = Model(tuple(content for content in strays if isinstance(content, View)))
        verified = tuple(content for content in strays if isinstance(content, Verified))
        names = tuple(database.name for database in config.databases)
        found.extend(check_databases(Catalog(model, verified), names, CONFIG_FILE))
    return found


def _later(folder: Folder) -> Iterator[Problem]:
    for path in folder.files:
        if kind_of(path) == "later":
            yield Problem(path, 0, f"`{suffix_of(path)}` files are not supported yet: it is not read", "note")


def _references(reader: Reader) -> Iterator[Problem]:
    """Files and models that `config.yml` refers to for features which are not used yet: worth a warning, not more."""
    config = reader.config()
    declared = content_of(config)
    if config is None or declared is None or config.tree is None:
        return
    default = declared.default_agent
    if kind_of(default) == "later" and str(PurePosixPath(default)) not in reader.folder.files:
        message = f"`defaults.agent` names `{default}`, which does not exist"
        yield Problem(CONFIG_FILE, declared.default_agent_line, message, "warning")
    builder = config.tree.get("builder_agent")
    model = builder.get("model") if isinstance(builder, dict) else None
    names = [known.name for known in declared.models]
    if model and model not in names:
        message = f"model `{model}` of `builder_agent` is not declared under `models`"
        yield Problem(CONFIG_FILE, config.line("builder_agent", "model"), message, "warning")
    exposed = config.tree.get("a2a")
    agents = exposed.get("agents") if isinstance(exposed, dict) else None
    for index, agent in enumerate(agents if isinstance(agents, list) else ()):
        if str(PurePosixPath(agent["ref"])) not in reader.folder.files:
            message = f"`a2a` names the agent `{agent['ref']}`, which does not exist"
            yield Problem(CONFIG_FILE, config.line("a2a", "agents", index, "ref"), message, "warning")


def _report(reader: Reader, reads: list[FileRead], found: list[Problem]) -> Report:
    views = [read.content for read in reads if isinstance(read.content, View)]
    topics = sum(isinstance(read.content, WrittenTopic) for read in reads)
    verified = sum(isinstance(read.content, Verified) for read in reads)
    agents = sum(isinstance(read.content, Agent) for read in reads)
    config = content_of(reader.config())
    evidence = EVIDENCE_FILE in reader.folder.files
    if not reads and not evidence and not any(problem.file == "." and problem.severity == "error" for problem in found):
        message = "nothing was checked: no view, topic, verified SQL or agent is here: is this the project folder?"
        found.append(Problem(".", 0, message))
    unique = dict.fromkeys(found)
    order = sorted(unique, key=lambda problem: (_SEVERITIES.index(problem.severity), problem.file, problem.line))
    return Report(
        root=reader.folder.root,
        problems=tuple(order),
        views=len(views),
        topics=topics,
        measures=sum(len(view.measures) for view in views),
        dimensions=sum(len(view.dimensions) for view in views),
        verified=verified,
        agents=agents,
        databases=len(config.databases) if config else 0,
        automations=sum(isinstance(read.content, Automation) for read in reads),
    )
