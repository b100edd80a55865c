"""Questions to begin with: made of a draft's names, and kept only if they are read, compile and find rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from backedge.ask.catalog import Catalog
from backedge.ask.grounding.ground import ground
from backedge.ask.grounding.values import Values
from backedge.ask.intent import Clarified, Intent
from backedge.ask.states import Question
from backedge.ask.value_index import ValueIndex, read_with_values
from backedge.assemble import passing_index
from backedge.config.project import load_project
from backedge.query.ports import Connector, Ran
from backedge.semantic.compile import compile_spec
from backedge.semantic.draft import Draft, groupable, things
from backedge.semantic.model import Measure, View
from backedge.semantic.naming import entity_words
from backedge.semantic.spec import Compiled

WANTED = 3
_MOST_TRIED = 12
_ANY_DAY = date(2000, 1, 1)  # no question here says anything of today
_KINDS = ("sum", "average", "count", "count_distinct")


async def working_questions(folder: Path, connector: Connector, drafts: Sequence[Draft]) -> tuple[str, ...]:
    """Up to three questions that work, each of another kind where that can be."""
    catalog = load_project(folder).catalog
    index = passing_index(catalog, connector)
    ranked = sorted(drafts, key=lambda draft: -draft.table.rows)
    found: list[str] = []
    for shape in (_counts(ranked), _groups(ranked), _times(ranked), _tops(ranked), _plain(ranked)):
        for tried, question in enumerate(shape):
            if len(found) == WANTED or tried == _MOST_TRIED:
                break
            if question not in found and await _works(question, catalog, index, connector):
                found.append(question)
                break
    return tuple(found)


async def _works(question: str, catalog: Catalog, index: ValueIndex, connector: Connector) -> bool:
    def reading(values: Values) -> Clarified:
        return ground(question, catalog, values, today=_ANY_DAY)

    read, _ = await read_with_values(index, Question(question, _ANY_DAY), catalog, reading)
    if not isinstance(read, Intent) or read.draft is None:
        return False
    compiled = compile_spec(catalog.model, read.draft)
    if not isinstance(compiled, Compiled):
        return False
    result = await connector.run(compiled.sql, compiled.params)
    return isinstance(result, Ran) and any(cell is not None for row in result.table.rows for cell in row[-1:])


def _counts(drafts: Sequence[Draft]) -> Iterator[str]:
    yield from (f"how many {things(draft)} are there?" for draft in drafts if things(draft))


def _groups(drafts: Sequence[Draft]) -> Iterator[str]:
    for draft in drafts:
        for measure in _measures(draft.view):
            for other in _joined(draft, drafts):
                for dimension in groupable(other):
                    yield f"{_said(measure.name)} by {_said(dimension)}"
                    yield f"{_said(measure.name)} by {' '.join(entity_words(other.table.name))} {_said(dimension)}"


def _times(drafts: Sequence[Draft]) -> Iterator[str]:
    for draft in drafts:
        if any(dimension.type in ("date", "datetime") for dimension in draft.view.dimensions):
            yield from (f"{_said(measure.name)} by month" for measure in _measures(draft.view))


def _tops(drafts: Sequence[Draft]) -> Iterator[str]:
    for draft in drafts:
        for measure in _measures(draft.view):
            for other in _joined(draft, drafts):
                yield from (f"top 3 {_said(dimension)} by {_said(measure.name)}" for dimension in groupable(other))


def _plain(drafts: Sequence[Draft]) -> Iterator[str]:
    yield from (_said(measure.name) for draft in drafts for measure in _measures(draft.view))


def _measures(view: View) -> list[Measure]:
    return sorted(view.measures, key=lambda measure: _KINDS.index(measure.type))


def _joined(draft: Draft, drafts: Sequence[Draft]) -> list[Draft]:
    """The draft and those that it refers to."""
    referred = {entity.name for entity in draft.view.entities if entity.type == "foreign"}
    return [draft, *(other for other in drafts if other.view.primary and other.view.primary.name in referred)]


def _said(name: str) -> str:
    return name.replace("_", " ")
