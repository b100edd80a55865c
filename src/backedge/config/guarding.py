"""Row policies of views that an agent may not ask about: they hold for its SQL nonetheless, or nothing may be asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from backedge.ask.catalog import Catalog
from backedge.config.folder import kind_of
from backedge.config.problem import Problem
from backedge.config.reading import FileRead, Reader
from backedge.semantic.model import Model, View
from backedge.semantic.policies import policy_problems


def with_guards(
    catalog: Catalog, reader: Reader, reads: tuple[FileRead, ...], databases: int, found: list[Problem]
) -> Catalog:
    """The catalog with the policies of the folder's other views; what makes a policy unsure goes to `found`."""
    taken = {read.path for read in reads}
    others = [reader.read(path) for path in reader.folder.files if kind_of(path) == "view" and path not in taken]
    found.extend(_unread(others))
    if databases > 1:
        found.extend(_placeless((*reads, *others)))
    guards = tuple(r.content for r in others if isinstance(r.content, View) and r.content.row_policies)
    model = replace(catalog.model, guards=guards) if guards else catalog.model
    found.extend(_wrong(model))
    return replace(catalog, model=model)


def _unread(others: list[FileRead]) -> Iterator[Problem]:
    for read in others:
        if read.content is None and b"row_policies" in read.body:
            message = "its row policies cannot be read, so nothing may be asked: mend the file, or remove it"
            yield Problem(read.path, 0, message)


def _wrong(model: Model) -> Iterator[Problem]:
    for policy, message in policy_problems(model):
        file, _, line = policy.at.rpartition(":")
        yield Problem(file, int(line), message)


def _placeless(reads: tuple[FileRead, ...]) -> Iterator[Problem]:
    for read in reads:
        if isinstance(read.content, View) and read.content.row_policies and not read.content.datasource:
            message = f"view `{read.content.name}` has row policies: write its `datasource`, for there are several"
            yield Problem(read.path, read.line("row_policies"), message)
