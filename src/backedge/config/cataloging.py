"""One agent's catalog out of the files that it may read, with the checks between files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace

from backedge.ask.catalog import Catalog, Verified
from backedge.config.folder import kind_of
from backedge.config.problem import Problem, nearest
from backedge.config.reading import FileRead
from backedge.config.topic_file import WrittenTopic
from backedge.config.topics import resolve_topic
from backedge.semantic.model import Model, View


def build_catalog(
    reads: tuple[FileRead, ...], hashed: tuple[FileRead, ...], database: str, found: list[Problem]
) -> Catalog:
    """The catalog of `reads`; problems between files go to `found`.

    Views and verified queries that name no database get `database`. The hash is over `reads` and `hashed`.
    """
    views = tuple(_with_database(read.content, database) for read in reads if isinstance(read.content, View))
    topics = tuple(read.content for read in reads if isinstance(read.content, WrittenTopic))
    verified = tuple(read.content for read in reads if isinstance(read.content, Verified))
    found.extend(_repeated("view", ((view.name, view.at) for view in views)))
    found.extend(_repeated("topic", ((topic.name, f"{topic.file}:{topic.line}") for topic in topics)))
    found.extend(_repeated("verified query", ((query.name, query.at) for query in verified)))
    by_name = {view.name: view for view in reversed(views)}
    return Catalog(
        model=Model(views, tuple(resolve_topic(topic, by_name, broken_views(reads), found) for topic in topics)),
        verified=tuple(replace(query, database=query.database or database) for query in verified),
        examples=tuple(_texts(reads, "sql")),
        notes=tuple(_texts(reads, "note")),
        hash=_hash((*reads, *hashed)),
    )


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


def _with_database(view: View, database: str) -> View:
    fits = view.dialect in ("", "duckdb")
    return replace(view, datasource=database) if fits and not view.datasource else view


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
