"""The numbers gate: a sentence is read back against its rows, and gives its figures or the first thing wrong."""

from __future__ import annotations

import re

from backedge.ask.figures import Figure
from backedge.ask.numbers.changes import judge_changes
from backedge.ask.numbers.claims import judge_causes, judge_words
from backedge.ask.numbers.comparing import judge_comparisons
from backedge.ask.numbers.counts import judge_counts
from backedge.ask.numbers.lines import Label, Line, Odd, lines_of
from backedge.ask.numbers.ranks import judge_ranks
from backedge.ask.numbers.reader import Proof, Reader, Refused
from backedge.ask.numbers.sheet import Bound, Sheet
from backedge.ask.numbers.values import judge_values
from backedge.ask.wording import exact_text
from backedge.kernel.defect import Defect

_PRONOUN = re.compile(r"\s*(?:it|its|they|their|this|that)\b", re.IGNORECASE)


def read_figures(text: str, sheet: Sheet) -> tuple[Figure, ...] | Defect:
    """The figures of `text`, each bound to its cells, or a defect that names what the rows do not bear out.

    Nothing has to be declared: a number counts where its own clause names the row and the measure that hold it, or the
    computation that gives it. What cannot be read with certainty is refused.
    """
    lines = lines_of(text, sheet)
    if isinstance(lines, Odd):
        what = text[lines.start : lines.end].strip()
        return Defect(
            "number_unread", f"{what!r} {lines.why}.", where=f"{lines.start}:{lines.end}", hint="write it plainly"
        )
    found: list[Figure] = []
    before: Line | None = None
    for line in lines:
        reader = Reader(sheet, line, _carried(line, before))
        try:
            _judge(reader)
        except Refused as refused:
            return _defect(text, refused)
        found += _figures(text, reader)
        before = line
    return tuple(sorted(found, key=lambda figure: figure.start))


def _judge(reader: Reader) -> None:
    """Counts and ranks own words such as "most" and "no" before a comparison may look at them."""
    for judge in (judge_causes, judge_changes, judge_counts, judge_ranks, judge_comparisons, judge_values, judge_words):
        judge(reader)


def _carried(line: Line, before: Line | None) -> Bound:
    """The row that a pronoun at the start of a sentence stands for: the one that the sentence before it names."""
    if before is None or not _PRONOUN.match(line.text):
        return {}
    labels = [item for _, item in before.each("L") if isinstance(item, Label)]
    names = {label.group.name for label in labels}
    once = {name: {label.cell for label in labels if label.group.name == name} for name in names}
    return {name: next(iter(cells)) for name, cells in once.items()} if all(len(c) == 1 for c in once.values()) else {}


def _figures(text: str, reader: Reader) -> list[Figure]:
    proven = [_figure(text, proof) for proof in reader.proofs]
    named = [
        Figure(
            text[i.start : i.end],
            i.start,
            i.end,
            exact_text(i.cell),
            tuple((r, i.group.name) for r in reader.sheet.rows({i.group.name: i.cell})),
        )
        for _, i in reader.line.each("L")
        if isinstance(i, Label)
    ]
    return proven + named


def _figure(text: str, proof: Proof) -> Figure:
    start, end = proof.span
    return Figure(text[start:end], start, end, proof.value, proof.cells, proof.computation)


def _defect(text: str, refused: Refused) -> Defect:
    start, end = refused.span
    what = text[start:end].strip()
    said = refused.message if repr(what) in refused.message else f"{what!r} {refused.message}"
    return Defect(refused.kind, f"{said[:1].upper()}{said[1:]}.", where=f"{start}:{end}", hint=refused.hint)
