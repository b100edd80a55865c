"""Figures: the numbers and names of a sentence, each bound to its cells, and the gate that computes them again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from backedge.ask.compute import Unresolvable, resolve
from backedge.ask.heading import heading
from backedge.ask.intent import Intent
from backedge.ask.readback import reads_as
from backedge.ask.shape import Shape, shape_of
from backedge.ask.wording import SMALL
from backedge.kernel.defect import Defect
from backedge.query.table import Table
from backedge.semantic.spec import OutputColumn

_STOP = re.compile(r"[;:](?=\s)|\.(?=\s|\Z)")
_NUMBER_WORD = re.compile(
    rf"\b({'|'.join(SMALL)}|ten|eleven|twelve|dozens?|hundreds?|thousands?|millions?|billions?|half|twice|doubled?|tripled?)\b",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(r"\b(highest|lowest)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Figure:
    """A number or a name in a sentence: `text` as written at `start`:`end` (half-open, code points), `value` exact.

    `cells` are (row from 0, column name). `computation` is "" for a plain cell (of several, all hold the value), else
    "count of rows", or over all rows of a column C one of "distinct values of C", "missing values of C", "sum of C",
    "share of C" (percent), "highest of C", "lowest of C", "tied highest of C", "tied lowest of C".
    Where prose was read also, over its cells: "sum", "mean", "share", "count", "difference", "ratio", "percent" or
    "percent change of cells" (the first cell against the second), and "threshold", a limit that they meet.
    """

    text: str
    start: int
    end: int
    value: str
    cells: tuple[tuple[int, str], ...] = ()
    computation: str = ""


@dataclass(frozen=True)
class Prose:
    """An answer in words and its figures, in the order of the text."""

    text: str
    figures: tuple[Figure, ...] = ()


def figures_resolve(
    prose: Prose, intent: Intent, columns: tuple[OutputColumn, ...], table: Table, filters: tuple[str, ...] = ()
) -> Defect | None:
    """The first thing in a sentence that the rows do not bear out, or None. The arguments are those of `write`.

    Every number must lie in a figure (or repeat the question's own wording), every figure must recompute to its value
    and read as it, a name and a value in one clause must share a row, and "highest" or "lowest" needs that computation.
    """
    shape = shape_of(columns, table)
    phrases = heading(intent, shape, filters).phrases
    return (
        _misplaced(prose)
        or next((d for f in prose.figures if (d := _unresolved(f, prose, shape, table))), None)
        or _uncovered(prose, phrases)
        or next((d for clause in _clauses(prose, phrases) if (d := _disagreeing(clause, shape))), None)
    )


@dataclass(frozen=True)
class _Clause:
    text: str
    figures: tuple[Figure, ...]


def _misplaced(prose: Prose) -> Defect | None:
    reached = 0
    for figure in prose.figures:
        if not reached <= figure.start < figure.end or prose.text[figure.start : figure.end] != figure.text:
            return _defect("figure_span", figure, "is not at its place in the text", "give offsets in code points")
        reached = figure.end
    return None


def _unresolved(figure: Figure, prose: Prose, shape: Shape, table: Table) -> Defect | None:
    found = resolve(figure.computation, figure.cells, shape, table)
    if isinstance(found, Unresolvable):
        return _defect("figure_cell", figure, found.reason, "cite rows and columns of the result")
    if found.exact != figure.value:
        return _defect("figure_value", figure, f"is {found.exact} in the result, not {figure.value}", "copy the value")
    reading = reads_as(figure.text, found.value, found.field)
    if reading == "other":
        return _defect("figure_text", figure, f"does not read as {found.exact}", "write the value of its cell")
    if reading == "rounded" and not re.search(r"\brounded\b", prose.text):
        return _defect(
            "figure_text", figure, f"rounds {found.exact} and does not say so", "say that values are rounded"
        )
    return None


def _uncovered(prose: Prose, phrases: tuple[str, ...]) -> Defect | None:
    rest = _without(prose, phrases)
    stray = next((i for i, c in enumerate(rest) if c.isnumeric()), None)
    word = _NUMBER_WORD.search(rest) if stray is None else None
    if stray is None and word is None:
        return None
    start = stray if stray is not None else word.start() if word else 0
    shown = (re.match(r"\S+", prose.text[start:]) or [""])[0]
    message = f"The number {shown!r} is neither a figure of the result nor the question's own words."
    return Defect("number_without_figure", message, where=shown, hint="cite its cell or leave it out")


def _disagreeing(clause: _Clause, shape: Shape) -> Defect | None:
    groups = {g.name for g in shape.groups}
    names = [f for f in clause.figures if not f.computation and f.cells and f.cells[0][1] in groups]
    values = [f for f in clause.figures if f.cells and f.cells[0][1] not in groups]
    for value in values:
        rows = {row for row, _ in value.cells}
        stray = next((n for n in names if not rows & {row for row, _ in n.cells}), None)
        if stray:
            return _defect(
                "figure_row", value, f"is not of the row that {stray.text!r} names", "pair names with values"
            )
    for claim in _SUPERLATIVE.findall(clause.text):
        if not any(f.computation.partition(" of ")[0].endswith(claim.lower()) for f in clause.figures):
            message = f"A clause says {claim!r} without a figure that proves it."
            return Defect("superlative_without_figure", message, where=claim, hint=f"cite the {claim} of its column")
    return None


def _clauses(prose: Prose, phrases: tuple[str, ...]) -> tuple[_Clause, ...]:
    """The parts between stops; a stop inside a name from the data or the question's own words divides nothing."""
    rest = _without(prose, phrases)
    ends = [*(m.end() for m in _STOP.finditer(rest)), len(rest)]
    starts = [0, *ends[:-1]]
    return tuple(
        _Clause(rest[start:end], tuple(f for f in prose.figures if start <= f.start < end))
        for start, end in zip(starts, ends, strict=True)
    )


def _without(prose: Prose, phrases: tuple[str, ...]) -> str:
    """The text with its figures and the question's own wordings blanked out, of the same length."""
    text = list(prose.text)
    for figure in prose.figures:
        text[figure.start : figure.end] = "\0" * len(figure.text)
    rest = "".join(text)
    for phrase in sorted(set(phrases), key=len, reverse=True):
        alone = rf"(?<!\w){re.escape(phrase)}(?![\w%])"
        rest = re.sub(alone, lambda m: "\0" * len(m[0]), rest, flags=re.IGNORECASE)
    return rest


def _defect(kind: str, figure: Figure, message: str, hint: str) -> Defect:
    return Defect(kind, f"The figure {figure.text!r} {message}.", where=f"{figure.start}:{figure.end}", hint=hint)
