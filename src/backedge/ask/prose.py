"""The answer's sentence, by a template per shape of the result: each number and name in it is a figure with cells."""

from __future__ import annotations

from backedge.ask.compute import best, has_value
from backedge.ask.figures import Figure, Prose
from backedge.ask.heading import heading
from backedge.ask.intent import Intent
from backedge.ask.shape import Field, cells_of, in_time_order, shape_of
from backedge.ask.story import Mark, Parts, Story, cell_mark, count_mark, in_clauses, joined, naming, row_count
from backedge.ask.telling import one_row, said_of_row
from backedge.ask.wording import exact_text, is_plural, name_text, plural
from backedge.query.table import Table
from backedge.semantic.spec import OutputColumn

LISTED = 5
NAMED_TIES = 3


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
    story = Story(heading(intent, shape, filters), shape, table, tied)
    body = _close(_body(story))
    rounded = any(isinstance(part, Mark) and part.rounded for part in body)
    return _assemble((*body, *_cut_off(table), *((" Values are rounded.",) if rounded else ())))


def _assemble(parts: Parts) -> Prose:
    text = ""
    figures: list[Figure] = []
    for part in parts:
        written = part if isinstance(part, str) else part.text
        if isinstance(part, Mark):
            figures.append(
                Figure(written, len(text), len(text) + len(written), part.value, part.cells, part.computation)
            )
        text += written if text or isinstance(part, Mark) else written[:1].upper() + written[1:]
    return Prose(text, tuple(figures))


def _close(parts: Parts) -> Parts:
    return (*parts, ".")


def _body(story: Story) -> Parts:
    rows, shape = story.table.rows, story.shape
    if not rows:
        return (f"Nothing was found for {story.head.text}",)
    if not shape.groups and len(rows) == 1 and (told := one_row(story)):
        return told
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


def _one_row(story: Story) -> Parts:
    clauses = [_statement(story, m, story.head.where if len(story.told) == 1 else "") for m in story.told]
    where = f"{'both' if len(clauses) == 2 else 'all'} {story.head.where}"
    return in_clauses([*clauses, *([(where,)] if len(clauses) > 1 and story.head.where else []), *_untold(story)])


def _statement(story: Story, measure: Field, where: str) -> Parts:
    """ "total sales in 2011 come to 5": the verb agrees with the measure's name."""
    many = is_plural(measure.words)
    value = cell_mark(story, 0, measure)
    verb = ("have" if many else "has") if value.value == "null" else "come to" if many else "is"
    return (" ".join(filter(None, (measure.words, where, verb))) + " ", value)


def _loose_rows(story: Story) -> Parts:
    """Rows that nothing names: their number and the first of them."""
    return (row_count(story.table), f" rows of {story.head.text}: the first is", *_values(story, 0))


def _names_only(story: Story) -> Parts:
    rows = range(len(story.table.rows))
    if len(rows) == 1:
        return (f"{story.head.text}: ", *naming(story, 0))
    if len(rows) <= 2 * LISTED:
        return (f"{story.head.text}: ", *joined([naming(story, row) for row in rows]))
    shown = joined([naming(story, row) for row in rows[:LISTED]])
    if len(story.shape.groups) > 1:
        apart = joined([("(", *naming(story, row), ")") for row in rows[:LISTED]])
        return (row_count(story.table), f" combinations of {story.head.text}, among them ", *apart)
    where = f" {story.head.where}" if story.head.where else ""
    return (*_how_many(story, story.shape.groups[0]), f"{where}, among them ", *shown)


def _superlative(story: Story) -> Parts:
    """ "store 20 has the highest total sales in 2011, 5"."""
    measure = story.shape.measures[0]
    word = story.head.direction
    about = " ".join(filter(None, (measure.words, story.head.where)))
    value = cell_mark(story, 0, measure, f"{word} of {measure.name}")
    return in_clauses([(*naming(story, 0), f" has the {word} {about}, ", value), *_more_tie(story)])


def _more_tie(story: Story) -> list[Parts]:
    if story.tied and story.head.within:
        return [(f"in some {plural(story.head.within)} more rows have the same value as the last that is shown",)]
    rows = f"more {plural(story.row_noun)}"
    same = "the same value" if len(story.table.rows) == 1 else "the same value as the last of these"
    return [(f"{rows} have {same}",)] if story.tied else []


def _each_row(story: Story) -> Parts:
    clauses = [(*naming(story, row), *_values(story, row)) for row in range(len(story.table.rows))]
    ties = [_tie_note(story, story.shape.measures[0], story.head.direction or "highest")] if len(clauses) > 1 else []
    return (f"{story.head.text}: ", *in_clauses([*clauses, *filter(None, ties), *_more_tie(story), *_untold(story)]))


def _values(story: Story, row: int) -> Parts:
    if told := said_of_row(story, row):
        return told
    if len(story.told) == 1:
        return (" with ", cell_mark(story, row, story.told[0]))
    return (" (", *joined([(f"{m.words} ", cell_mark(story, row, m)) for m in story.told], ", "), ")")


def _tie_note(story: Story, measure: Field, word: str) -> Parts:
    tied = _extreme_rows(story, measure, word)
    if len(tied) < 2:
        return ()
    return (count_mark(f"tied {word} of {measure.name}", len(tied)), f" {plural(story.row_noun)} tie for {word}")


def _series(story: Story) -> Parts:
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
    return (f"{story.head.text} (", *span, "): ", *in_clauses([*clauses, *_untold(story)]))


def _at(story: Story, row: int, measure: Field) -> Parts:
    return (cell_mark(story, row, measure), " in ", *naming(story, row))


def _bound(story: Story, row: int, time: Field, word: str) -> Mark:
    cell = story.table.rows[row][time.index]
    return Mark(name_text(cell, time.grain), exact_text(cell), ((row, time.name),), f"{word} of {time.name}")


def _extremes(story: Story) -> Parts:
    counted = joined([_how_many(story, g) for g in story.shape.groups])
    clauses: list[Parts] = []
    for m in story.told:
        clauses.extend(_told_extremes(story, m))
    return (f"{story.head.text} (", *counted, "): ", *in_clauses([*clauses, *_more_tie(story), *_untold(story)]))


def _told_extremes(story: Story, measure: Field) -> list[Parts]:
    cells = cells_of(story.table, measure)
    missing = sum(not has_value(cell) for cell in cells)
    if missing == len(cells):
        return [(f"no {story.row_noun} has a value of {measure.words}",)]
    high, low = (_extreme(story, measure, word) for word in ("highest", "lowest"))
    flat = best(cells, "highest") == best(cells, "lowest")
    clauses = [high] if flat else [low, high] if story.head.direction == "lowest" else [high, low]
    if missing:
        noun, verb = plural(story.row_noun, missing), "has" if missing == 1 else "have"
        clauses.append((count_mark(f"missing values of {measure.name}", missing), f" {noun} {verb} no value"))
    return clauses


def _extreme(story: Story, measure: Field, word: str) -> Parts:
    """ "highest is store 20 with 5", or how many tie for it; "of these" where a limit may hide others."""
    label = f" {measure.words}" if len(story.told) > 1 else ""
    rows = _extreme_rows(story, measure, word)
    cut = story.table.truncated or (story.head.limit and story.head.direction != word)
    these = " of these" if cut else ""
    value = cell_mark(
        story, rows[0], measure, f"{word} of {measure.name}", rows[:NAMED_TIES] if len(rows) > 1 else rows
    )
    if len(rows) == 1 and not label:
        return (f"{word}{these} is ", *naming(story, rows[0]), " with ", value)
    if len(rows) == 1:
        return (*naming(story, rows[0]), f" has the {word}{label}{these}, ", value)
    names: Parts = (", ", *joined([naming(story, row) for row in rows]), ",") if len(rows) <= NAMED_TIES else ()
    count = count_mark(f"tied {word} of {measure.name}", len(rows))
    return (count, f" {plural(story.row_noun)} tie for {word}{label}{these}", *names, " with ", value)


def _extreme_rows(story: Story, measure: Field, word: str) -> tuple[int, ...]:
    cells = cells_of(story.table, measure)
    extreme = best(cells, word)
    return tuple(row for row, cell in enumerate(cells) if has_value(cell) and cell == extreme)


def _how_many(story: Story, group: Field) -> Parts:
    """ "45 stores"; rows without a store are no store and are told apart."""
    cells = cells_of(story.table, group)
    count = len({cell for cell in cells if cell is not None})
    rest = f" and rows with no {group.noun}" if None in cells else ""
    distinct = Mark(f"{count:,}", str(count), (), f"distinct values of {group.name}")
    return (distinct, f" {plural(group.noun, count)}{rest}")


def _untold(story: Story) -> list[Parts]:
    measures = story.shape.measures
    if any(m.added for m in measures):  # each row of a few tells what was added, too
        return [("the other columns are in the table",)] if len(story.table.rows) > LISTED else []
    return [("the other measures are in the table",)] if len(story.told) < len(measures) else []


def _cut_off(table: Table) -> Parts:
    if table.truncated is None:
        return ()
    why = "the result has more" if table.truncated == "rows" else "the result is larger than may be read"
    return (" Only the first ", row_count(table), f" {plural('row', len(table.rows))} are here: {why}.")
