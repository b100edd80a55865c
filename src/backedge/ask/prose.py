"""The answer's sentence, by a template per shape of the result: each number and name in it is a figure with cells."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backedge.ask.compute import best, has_value
from backedge.ask.figures import Figure, Prose
from backedge.ask.heading import Heading, heading
from backedge.ask.intent import Intent
from backedge.ask.shape import Field, Shape, cells_of, in_time_order, said, shape_of
from backedge.ask.wording import count_text, exact_text, is_plural, name_text, plural
from backedge.query.table import Table
from backedge.semantic.spec import OutputColumn

LISTED = 5
NAMED_TIES = 3
TOLD_MEASURES = 3


@dataclass(frozen=True)
class _Mark:
    """A figure before its place in the text is known."""

    text: str
    value: str
    cells: tuple[tuple[int, str], ...] = ()
    computation: str = ""
    rounded: bool = False


Part = str | _Mark
Parts = tuple[Part, ...]


@dataclass(frozen=True)
class _Story:
    head: Heading
    shape: Shape
    table: Table
    tied: bool = False

    @property
    def row_noun(self) -> str:
        """What one row is: a store, or a group where several columns or none name it."""
        return self.shape.groups[0].noun if len(self.shape.groups) == 1 else "group"

    @property
    def told(self) -> tuple[Field, ...]:
        """The measures that get words; the others are in the table."""
        return self.shape.measures[:TOLD_MEASURES]


def write(
    intent: Intent,
    columns: tuple[OutputColumn, ...],
    table: Table,
    filters: tuple[str, ...] = (),
    tied: bool = False,
) -> Prose:
    """The answer in words. `columns` and `filters` are those of `Compiled`, or empty for SQL that was not compiled.

    `tied` says that rows which the question's own limit cut off have the same value as the last one.

    Decimals and whole numbers are written exactly, doubles to two places (and "rounded" is said); NULL is "no value".
    """
    shape = shape_of(columns, table)
    story = _Story(heading(intent, shape, filters), shape, table, tied)
    body = _close(_body(story))
    rounded = any(isinstance(part, _Mark) and part.rounded for part in body)
    return _assemble((*body, *_cut_off(table), *((" Values are rounded.",) if rounded else ())))


def _assemble(parts: Parts) -> Prose:
    text = ""
    figures: list[Figure] = []
    for part in parts:
        written = part if isinstance(part, str) else part.text
        if isinstance(part, _Mark):
            figures.append(
                Figure(written, len(text), len(text) + len(written), part.value, part.cells, part.computation)
            )
        text += written if text or isinstance(part, _Mark) else written[:1].upper() + written[1:]
    return Prose(text, tuple(figures))


def _close(parts: Parts) -> Parts:
    return (*parts, ".")


def _body(story: _Story) -> Parts:
    rows, shape = story.table.rows, story.shape
    if not rows:
        return (f"Nothing was found for {story.head.text}",)
    if not shape.groups:
        return _one_row(story) if len(rows) == 1 else _loose_rows(story)
    if not shape.measures:
        return _names_only(story)
    if story.head.limit in ("top 1", "bottom 1") and len(rows) == len(shape.measures) == 1:
        return _superlative(story)
    if len(rows) <= LISTED:
        return _each_row(story)
    if len(shape.groups) == 1 and in_time_order(story.table, shape.groups[0]) and not story.head.direction:
        return _series(story)
    return _extremes(story)


def _one_row(story: _Story) -> Parts:
    clauses = [_statement(story, m, story.head.where if len(story.told) == 1 else "") for m in story.told]
    where = f"{'both' if len(clauses) == 2 else 'all'} {story.head.where}"
    return _clauses([*clauses, *([(where,)] if len(clauses) > 1 and story.head.where else []), *_untold(story)])


def _statement(story: _Story, measure: Field, where: str) -> Parts:
    """ "total sales in 2011 come to 5": the verb agrees with the measure's name."""
    many = is_plural(measure.words)
    value = _value(story, 0, measure)
    verb = ("have" if many else "has") if value.value == "null" else "come to" if many else "is"
    return (" ".join(filter(None, (measure.words, where, verb))) + " ", value)


def _loose_rows(story: _Story) -> Parts:
    """Rows that nothing names: their number and the first of them."""
    return (_rows(story.table), f" rows of {story.head.text}: the first is", *_values(story, 0))


def _names_only(story: _Story) -> Parts:
    rows = range(len(story.table.rows))
    if len(rows) == 1:
        return (f"{story.head.text}: ", *_name(story, 0))
    if len(rows) <= 2 * LISTED:
        return (f"{story.head.text}: ", *_joined([_name(story, row) for row in rows]))
    shown = _joined([_name(story, row) for row in rows[:LISTED]])
    if len(story.shape.groups) > 1:
        apart = _joined([("(", *_name(story, row), ")") for row in rows[:LISTED]])
        return (_rows(story.table), f" combinations of {story.head.text}, among them ", *apart)
    where = f" {story.head.where}" if story.head.where else ""
    return (*_how_many(story, story.shape.groups[0]), f"{where}, among them ", *shown)


def _superlative(story: _Story) -> Parts:
    """ "store 20 has the highest total sales in 2011, 5"."""
    measure = story.shape.measures[0]
    word = story.head.direction
    about = " ".join(filter(None, (measure.words, story.head.where)))
    value = _value(story, 0, measure, f"{word} of {measure.name}")
    return _clauses([(*_name(story, 0), f" has the {word} {about}, ", value), *_more_tie(story)])


def _more_tie(story: _Story) -> list[Parts]:
    rows = f"more {plural(story.row_noun)}"
    same = "the same value" if len(story.table.rows) == 1 else "the same value as the last of these"
    return [(f"{rows} have {same}",)] if story.tied else []


def _each_row(story: _Story) -> Parts:
    clauses = [(*_name(story, row), *_values(story, row)) for row in range(len(story.table.rows))]
    ties = [_tie_note(story, story.shape.measures[0], story.head.direction or "highest")] if len(clauses) > 1 else []
    return (f"{story.head.text}: ", *_clauses([*clauses, *filter(None, ties), *_more_tie(story), *_untold(story)]))


def _values(story: _Story, row: int) -> Parts:
    if len(story.told) == 1:
        return (" with ", _value(story, row, story.told[0]))
    return (" (", *_joined([(f"{m.words} ", _value(story, row, m)) for m in story.told], ", "), ")")


def _tie_note(story: _Story, measure: Field, word: str) -> Parts:
    tied = _extreme_rows(story, measure, word)
    if len(tied) < 2:
        return ()
    return (_count(f"tied {word} of {measure.name}", len(tied)), f" {plural(story.row_noun)} tie for {word}")


def _series(story: _Story) -> Parts:
    time, table = story.shape.groups[0], story.table
    known = [row for row, cell in enumerate(cells_of(table, time)) if cell is not None]
    first, last = known[0], known[-1]
    span = (
        *_how_many(story, time), " from ", _bound(story, first, time, "lowest"),
        " to ", _bound(story, last, time, "highest"),
    )  # fmt: skip
    clauses: list[Parts] = []
    for m in story.told:
        label = f"{m.words} " if len(story.told) > 1 else ""
        clauses.append((f"{label}{'start' if label and is_plural(m.words) else 'starts'} at ", *_at(story, first, m)))
        clauses.append((f"{'end' if label and is_plural(m.words) else 'ends'} at ", *_at(story, last, m)))
        clauses.extend(_told_extremes(story, m))
    return (f"{story.head.text} (", *span, "): ", *_clauses([*clauses, *_untold(story)]))


def _at(story: _Story, row: int, measure: Field) -> Parts:
    return (_value(story, row, measure), " in ", *_name(story, row))


def _bound(story: _Story, row: int, time: Field, word: str) -> _Mark:
    cell = story.table.rows[row][time.index]
    return _Mark(name_text(cell, time.grain), exact_text(cell), ((row, time.name),), f"{word} of {time.name}")


def _extremes(story: _Story) -> Parts:
    counted = _joined([_how_many(story, g) for g in story.shape.groups])
    clauses: list[Parts] = []
    for m in story.told:
        clauses.extend(_told_extremes(story, m))
    return (f"{story.head.text} (", *counted, "): ", *_clauses([*clauses, *_more_tie(story), *_untold(story)]))


def _told_extremes(story: _Story, measure: Field) -> list[Parts]:
    cells = cells_of(story.table, measure)
    missing = sum(not has_value(cell) for cell in cells)
    if missing == len(cells):
        return [(f"no {story.row_noun} has a value of {measure.words}",)]
    high, low = (_extreme(story, measure, word) for word in ("highest", "lowest"))
    flat = best(cells, "highest") == best(cells, "lowest")
    clauses = [high] if flat else [low, high] if story.head.direction == "lowest" else [high, low]
    if missing:
        noun, verb = plural(story.row_noun, missing), "has" if missing == 1 else "have"
        clauses.append((_count(f"missing values of {measure.name}", missing), f" {noun} {verb} no value"))
    return clauses


def _extreme(story: _Story, measure: Field, word: str) -> Parts:
    """ "highest is store 20 with 5", or how many tie for it; "of these" where a limit may hide others."""
    label = f" {measure.words}" if len(story.told) > 1 else ""
    rows = _extreme_rows(story, measure, word)
    cut = story.table.truncated or (story.head.limit and story.head.direction != word)
    these = " of these" if cut else ""
    value = _value(story, rows[0], measure, f"{word} of {measure.name}", rows[:NAMED_TIES] if len(rows) > 1 else rows)
    if len(rows) == 1 and not label:
        return (f"{word}{these} is ", *_name(story, rows[0]), " with ", value)
    if len(rows) == 1:
        return (*_name(story, rows[0]), f" has the {word}{label}{these}, ", value)
    names: Parts = (", ", *_joined([_name(story, row) for row in rows]), ",") if len(rows) <= NAMED_TIES else ()
    count = _count(f"tied {word} of {measure.name}", len(rows))
    return (count, f" {plural(story.row_noun)} tie for {word}{label}{these}", *names, " with ", value)


def _extreme_rows(story: _Story, measure: Field, word: str) -> tuple[int, ...]:
    cells = cells_of(story.table, measure)
    extreme = best(cells, word)
    return tuple(row for row, cell in enumerate(cells) if has_value(cell) and cell == extreme)


def _how_many(story: _Story, group: Field) -> Parts:
    """ "45 stores"; rows without a store are no store and are told apart."""
    cells = cells_of(story.table, group)
    count = len({cell for cell in cells if cell is not None})
    rest = f" and rows with no {group.noun}" if None in cells else ""
    distinct = _Mark(f"{count:,}", str(count), (), f"distinct values of {group.name}")
    return (distinct, f" {plural(group.noun, count)}{rest}")


def _untold(story: _Story) -> list[Parts]:
    return [("the other measures are in the table",)] if len(story.told) < len(story.shape.measures) else []


def _cut_off(table: Table) -> Parts:
    if table.truncated is None:
        return ()
    why = "the result has more" if table.truncated == "rows" else "the result is larger than may be read"
    return (" Only the first ", _rows(table), f" {plural('row', len(table.rows))} are here: {why}.")


def _name(story: _Story, row: int) -> Parts:
    """What a row is called: "store 20", "Acme", "March 2011", "Acme, store 20"."""
    return _joined([_group_name(story, row, g) for g in story.shape.groups], ", ")


def _group_name(story: _Story, row: int, group: Field) -> Parts:
    cell = story.table.rows[row][group.index]
    mark = _Mark(name_text(cell, group.grain), exact_text(cell), ((row, group.name),))
    dated = group.time and (group.kind != "integer" or group.noun == "year")
    bare = cell is not None and cell != "" and (dated or group.kind == "text")
    return (mark,) if bare else (f"{group.noun} ", mark)


def _value(story: _Story, row: int, measure: Field, computation: str = "", rows: tuple[int, ...] = ()) -> _Mark:
    cell = story.table.rows[row][measure.index]
    text, rounded = said(cell, measure)
    return _Mark(text, exact_text(cell), tuple((r, measure.name) for r in rows or (row,)), computation, rounded)


def _count(computation: str, count: int) -> _Mark:
    return _Mark(count_text(count), str(count), (), computation)


def _rows(table: Table) -> _Mark:
    return _Mark(f"{len(table.rows):,}", str(len(table.rows)), (), "count of rows")


def _joined(items: Iterable[Parts], last: str = " and ") -> Parts:
    parts: Parts = ()
    every = list(items)
    for place, item in enumerate(every):
        parts += ((", " if place < len(every) - 1 else last,) if place else ()) + item
    return parts


def _clauses(clauses: Iterable[Parts]) -> Parts:
    parts: Parts = ()
    for place, clause in enumerate(clauses):
        parts += (("; ",) if place else ()) + clause
    return parts
