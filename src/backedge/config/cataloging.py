"""One agent's catalog out of the files that it may read, with the checks between files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from backedge.ask.catalog import Catalog, Verified
from backedge.config.config_file import ProjectConfig
from backedge.config.folder import kind_of
from backedge.config.problem import Problem, nearest
from backedge.config.reading import FileRead
from backedge.config.topic_file import WrittenTopic
from backedge.config.topics import resolve_topic
from backedge.semantic.model import Model, Motif, View
from backedge.semantic.roles import role_problems, with_roles
from backedge.semantic.saved_queries import SavedQuery
from backedge.semantic.timed import USUAL, Calendar


def build_catalog(
    reads: tuple[FileRead, ...],
    hashed: tuple[FileRead, ...],
    database: str,
    dialects: Mapping[str, str],
    found: list[Problem],
) -> Catalog:
    """The catalog of `reads`; problems between files go to `found`.

    Views and verified queries that name no database get `database`; views speak the SQL of theirs, by `dialects`. The
    hash is over `reads` and `hashed`.
    """
    views = tuple(_with_database(read.content, database, dialects) for read in reads if isinstance(read.content, View))
    topics = tuple(read.content for read in reads if isinstance(read.content, WrittenTopic))
    verified = tuple(read.content for read in reads if isinstance(read.content, Verified))
    found.extend(_repeated("view", ((view.name, view.at) for view in views)))
    found.extend(_repeated("topic", ((topic.name, f"{topic.file}:{topic.line}") for topic in topics)))
    found.extend(_repeated("verified query", ((query.name, query.at) for query in verified)))
    motifs = tuple(read.content for read in reads if isinstance(read.content, Motif))
    queries = tuple(read.content for read in reads if isinstance(read.content, SavedQuery))
    found.extend(_repeated("motif", ((motif.name, motif.at) for motif in motifs)))
    found.extend(_repeated("saved query", ((query.name, query.at) for query in queries)))
    found.extend(_roles(Model(views)))
    by_name = {view.name: view for view in reversed(views)}
    resolved = tuple(resolve_topic(topic, by_name, broken_views(reads), found) for topic in topics)
    return Catalog(
        model=with_roles(Model(views, resolved, motifs, calendar=_calendar(hashed))),
        verified=tuple(replace(query, database=query.database or database) for query in verified),
        examples=tuple(_texts(reads, "sql")),
        notes=tuple(_texts(reads, "note")),
        queries=queries,
        hash=_hash((*reads, *hashed)),
    )


def _calendar(heads: tuple[FileRead, ...]) -> Calendar:
    return next((read.content.calendar for read in heads if isinstance(read.content, ProjectConfig)), USUAL)


def _roles(model: Model) -> Iterator[Problem]:
    for entity, message in role_problems(model):
        file, _, line = entity.at.rpartition(":")
        yield Problem(file, int(line), message)


def broken_views(reads: Iterable[FileRead]) -> frozenset[str]:
    """The names of views whose files could not be read."""
    return frozenset(read.declares for read in reads if kind_of(read.path) == "view" and read.content is None)


def check_databases(catalog: Catalog, names: tuple[str, ...], of: str) -> Iterator[Problem]:
    """An error for every view and verified query that names a database which is not among `names`, those of `of`."""
    uses = [(f"view `{view.name}`", view.datasource, view.at) for view in catalog.model.views]
    uses += [(f"verified query `{query.name}`", query.database, query.at) for query in catalog.verified]
    for what, database, at in uses:
        if database and database not in names:
            file, _, line = at.rpartition(":")
            message = f"{what} reads database `{database}`, which is not among the databases of {of}"
            yield Problem(file, int(line), message, near=nearest(database, names))


def _with_database(view: View, database: str, dialects: Mapping[str, str]) -> View:
    fits = not view.datasource and view.dialect in ("", dialects.get(database, "duckdb"))
    own = database if fits else view.datasource
    return replace(view, datasource=own, dialect=dialects.get(own, view.dialect))


def _texts(reads: tuple[FileRead, ...], kind: str) -> Iterator[tuple[str, str]]:
    for read in reads:
        if kind_of(read.path) == kind and isinstance(read.content, tuple):
            yield read.content


def _repeated(kind: str, names: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    first: dict[str, str] = {}
    for name, at in names:
        other = first.setdefault(name, at)
        if other != at:
            file, _, line = at.rpartition(":")
            yield Problem(file, int(line), f"{kind} name `{name}` stands twice (first at {other}): rename one")


def _hash(reads: tuple[FileRead, ...]) -> str:
    digest = hashlib.sha256()
    for read in sorted(reads, key=lambda read: read.path):
        for part in (read.path.encode(), read.body):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()
