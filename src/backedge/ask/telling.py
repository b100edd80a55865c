"""How a row of compared periods or of shares is told: the value beside the earlier one, the part beside the whole."""

from __future__ import annotations

from backedge.ask.shape import Field
from backedge.ask.story import Mark, Parts, Story, added_to, cell_mark, in_clauses, joined
from backedge.ask.wording import is_plural


def one_row(story: Story) -> Parts:
    """The sentence of one row without a name: "orders in 2024 come to 9,650, in 2023 to 8,256: a change of …"."""
    told = [_told(story, measure) for measure in story.shape.measures if not measure.added]
    return in_clauses(told) if all(told) else ()


def _told(story: Story, measure: Field) -> Parts:
    beside = _beside(story, 0, measure)
    if not beside:
        return ()
    where = f" {story.head.where}" if story.head.where else ""
    many = is_plural(measure.words)
    if added_to(story.shape, measure, "change"):
        verb = "come to" if many else "is"
        return (f"{measure.words}{where} {verb} ", cell_mark(story, 0, measure), ", ", *beside)
    return (f"{measure.words}{where}, the share {story.head.part}: ", *beside)


def said_of_row(story: Story, row: int) -> Parts:
    """What is said behind a row's name: " with 100, 90 in 2023 (a change of 10, 11.11%)"."""
    bases = [f for f in story.shape.measures if not f.added]
    told = []
    for measure in bases:
        beside = _beside(story, row, measure)
        if not beside:
            return ()
        label = f"{measure.words} " if len(bases) > 1 else ""
        own: Parts = (cell_mark(story, row, measure), " ") if not _part_of(story, measure) else ()
        told.append((label, *own, *beside))
    return (" with ", *joined(told, ", ")) if told else ()


def _beside(story: Story, row: int, measure: Field) -> Parts:
    """What stands beside a measure's value: an earlier one and the change, or its share."""
    earlier, change = (added_to(story.shape, measure, kind) for kind in ("previous", "change"))
    share, part = (added_to(story.shape, measure, kind) for kind in ("percent_of_total", "part"))
    if earlier and change:
        percent = added_to(story.shape, measure, "change_percent")
        return _against(story, row, earlier, change, percent)
    if part:
        percent = added_to(story.shape, measure, "percent")
        known = _percent(story, row, percent, "") if percent else ()
        return (cell_mark(story, row, part), " of ", cell_mark(story, row, measure), " (", *known, ")")
    if share:
        return ("(", *_percent(story, row, share, ""), ")")
    return ()


def _against(story: Story, row: int, earlier: Field, change: Field, percent: Field | None) -> Parts:
    """ "against 90 in 2023 (a change of 10, 11.11%)"; what has no earlier value has no change, which is not 0."""
    before, changed = cell_mark(story, row, earlier), cell_mark(story, row, change)
    said: Parts = ("against ", before, f" {story.head.earlier}")
    if changed.value == "null":
        return said
    grown = _percent(story, row, percent) if percent else ()
    return (*said, " (a change of ", changed, *grown, ")")


def _part_of(story: Story, measure: Field) -> Field | None:
    return added_to(story.shape, measure, "part")


def _percent(story: Story, row: int, field: Field, before: str = ", ") -> Parts:
    """A percentage with its sign; of nothing, or of less, there is none."""
    mark = cell_mark(story, row, field)
    if mark.value == "null":
        return (before, "without a percentage")
    return (before, Mark(f"{mark.text}%", mark.value, mark.cells, mark.computation, mark.rounded))
