"""Claims of change: rose, fell, doubled, from one time to another, or by a measure that is itself a change."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from backedge.ask.numbers.amounts import Amount
from backedge.ask.numbers.lines import Label, pattern
from backedge.ask.numbers.reader import Reader
from backedge.ask.numbers.sheet import Bound
from backedge.ask.shape import Field
from backedge.ask.story import added_to

_UP = (
    r"rise|rises|rose|risen|rising|grow|grows|grew|grown|growing|growth|increas(?:e|es|ed|ing)|climb(?:s|ed|ing)?|gain(?:s|ed)?"
    r"|jump(?:s|ed)?|surg(?:e|es|ed)|soar(?:s|ed)?|went up|goes up|recover(?:s|ed)|improv(?:e|es|ed)|picked up"
)
_DOWN = (
    r"fall|falls|fell|fallen|falling|drop(?:s|ped)?|declin(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|shrank|shrinks?|shrunk|slid|slipped"
    r"|plung(?:e|es|ed)|plummet(?:s|ed)?|sank|dipp?(?:s|ed)?|went down|goes down|worsen(?:s|ed)|reduced|los(?:t|es)"
)
_FLAT = r"unchanged|stable|flat|constant|did not change|stayed the same|remained the same"
_DIRECTION = pattern(
    rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN})|(?P<flat>{_FLAT})"
    rf"|(?<!makes )(?<!made )(?<!add )(?<!adds )(?:(?P<plus>up)|(?P<minus>down))(?= (?:by )?<N>))\b"
    rf"|(?P<times><T>)"
)
_STEADY = re.compile(
    r"\b(?:every|each) <?|steadily|consistently|continuously|continually|month after month|without interruption", re.I
)
_CHANGE = re.compile(r"\b(change|difference|delta)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Move:
    """One change: where its words stand, which way it goes, and by what multiple where the word says one."""

    start: int
    end: int
    verb: tuple[int, int]
    way: int
    times: int | None


def judge_changes(reader: Reader) -> None:
    """Check every claim of change in the sentence."""
    for move in _moves(reader):
        measure = reader.measure(move.verb[0])
        if measure is None:
            raise reader.refuse(
                "claim_unproven", move.verb[0], "changes no measure that is named", "name it", move.verb[1]
            )
        changed = measure if _CHANGE.search(measure.words) else added_to(reader.sheet.shape, measure, "change")
        if changed is not None:
            _by_cell(reader, move, measure, changed)
        elif (times := _pairs(reader, move)) and len(times) > 1:
            for one, other in times:
                _directed(reader, move, measure, one, other)
        else:
            _between(reader, move, measure, *_ends(reader, move))
        reader.take(*move.verb)


def _moves(reader: Reader) -> list[_Move]:
    found = []
    for match in _DIRECTION.finditer(reader.line.text):
        if not reader.open(match.start(), match.end()):
            continue
        at = match.start("times")
        if match["times"]:
            multiple = reader.multiple(at)
            if not multiple.change:
                continue
            way = 1 if multiple.amount.value > 1 else -1
        else:
            way = 0 if match["flat"] else 1 if match["up"] or match["plus"] else -1
        found.append((match.span(), way, at if match["times"] else None))
    text, moves, start = reader.line.text, [], 0
    for number, (verb, way, times) in enumerate(found):
        end = found[number + 1][0][0] if number + 1 < len(found) else len(text)
        if number + 1 < len(found):
            cut = [m.start() for m in re.finditer(r",| and | but | while | then ", text[verb[1] : end])]
            end = verb[1] + cut[-1] if cut else end
        moves.append(_Move(start, end, verb, way, times))
        start = end
    return moves


def _labels(reader: Reader, move: _Move, time: bool) -> list[tuple[int, Label]]:
    return [(at, label) for at, label in reader.labels(move.start, move.end) if label.group.time is time]


def _by_cell(reader: Reader, move: _Move, measure: Field, changed: Field) -> None:
    """A column holds the change: its cell has the sign that the words say, and the numbers are of its row."""
    labels = reader.labels(move.start, move.end)
    row = reader.row(labels[0][0] if labels else move.verb[0])
    value = None if row is None else reader.sheet.value(row, changed)
    if row is None or value is None or (value > 0) - (value < 0) != move.way or move.times is not None:
        message = "goes the other way, or is of no row"
        raise reader.refuse("direction_wrong", move.verb[0], message, "say the sign of the change", move.verb[1])
    for at in _numbers(reader, move):
        said = _column(reader, at, measure, changed)
        cell = None if said is None else reader.sheet.value(row, said)
        if said is None or cell is None or not reader.sheet.says(reader.number(at), said, _size(cell, said, measure)):
            raise reader.refuse(
                "number_wrong", at, "is not the change, nor what it starts or ends with", "copy the value"
            )
        reader.prove(at, cell, reader.cells([row], said), exact=reader.exact(row, said))


def _size(cell: Fraction, said: Field, measure: Field) -> Fraction:
    """A change is told by its size, for the verb says its sign; a value it starts or ends with keeps its own."""
    return abs(cell) if said.added in ("change", "change_percent") or _CHANGE.search(measure.words) else cell


def _column(reader: Reader, at: int, measure: Field, changed: Field) -> Field | None:
    """The column of a number in a change: where it ends ("to"), where it starts ("from"), or by how much."""
    if changed is measure:
        return changed
    lead = reader.line.text[max(at - 6, 0) : at]
    if re.search(r"\b(?:to|at) $", lead):
        return measure
    if re.search(r"\bfrom $", lead):
        return added_to(reader.sheet.shape, measure, "previous")
    return added_to(reader.sheet.shape, measure, "change_percent") if reader.number(at).percent else changed


def _numbers(reader: Reader, move: _Move) -> list[int]:
    """The numbers of a change: those behind its word, and one right before it ("a 5% rise")."""
    inside = [at for at, _ in reader.line.each("N") if move.start <= at < move.end and reader.open(at)]
    return [at for at in inside if at > move.verb[0] or at + 2 == move.verb[0]]


def _ends(reader: Reader, move: _Move) -> tuple[int, int]:
    """The rows before and after: those of the two times that are named, of one and the time before it, or the outer."""
    times = _labels(reader, move, time=True)
    cells = list(dict.fromkeys(label.cell for _, label in times))
    others = _others(reader, move)
    rows = _series(reader, others)
    group = next((g for g in reader.sheet.shape.groups if g.time), None)
    if rows is None or group is None or len(cells) > 2:
        raise reader.refuse(
            "claim_unproven",
            move.verb[0],
            "is a change between no two times of the result",
            "name the times",
            move.verb[1],
        )
    by_cell = {reader.sheet.table.rows[row][group.index]: row for row in rows}
    if not cells:
        if not reader.sheet.whole:
            raise reader.refuse(
                "not_all_rows", move.verb[0], "is a change over rows of which some are missing", "name the times"
            )
        return rows[0], rows[-1]
    if any(cell not in by_cell for cell in cells):
        raise reader.refuse("row_unclear", move.verb[0], "is of a time without a row", "name the times")
    last = by_cell[cells[-1]]
    if len(cells) == 1:
        if rows.index(last) == 0 or len(times) > 1:
            raise reader.refuse(
                "claim_unproven", move.verb[0], "has nothing before it in the result", "name both times"
            )
        return rows[rows.index(last) - 1], last
    ends = by_cell[cells[0]], last
    if _later_first(reader, times):
        ends = ends[::-1]
    if rows.index(ends[0]) >= rows.index(ends[1]):
        raise reader.refuse("direction_wrong", move.verb[0], "runs backward in time", "name the earlier time first")
    return ends


def _later_first(reader: Reader, times: list[tuple[int, Label]]) -> bool:
    """ "to June from January", "in February, up 5% from January": the later time is named first."""
    leads = [reader.line.text[max(at - 14, 0) : at].lower() for at, _ in times]
    from_last = leads[-1].endswith((" from ", " since ", "compared with ", "compared to ", "versus "))
    return from_last and not leads[0].endswith(("from ", "between "))


def _others(reader: Reader, move: _Move) -> Bound:
    bound: Bound = dict(reader.carried)
    for at, label in reader.labels(0, move.end):
        if not label.group.time and (at >= move.start or label.group.name not in bound):
            bound[label.group.name] = label.cell
    return bound


def _series(reader: Reader, others: Bound) -> list[int] | None:
    """The rows of one series in the order of time; None where they are several series or no time."""
    group = next((g for g in reader.sheet.shape.groups if g.time), None)
    if group is None:
        return None
    rows = [r for r in reader.sheet.rows(others) if reader.sheet.table.rows[r][group.index] is not None]
    cells = [reader.sheet.table.rows[row][group.index] for row in rows]
    if len(set(cells)) < len(cells) or len(rows) < 2:
        return None
    return sorted(rows, key=lambda row: reader.sheet.table.rows[row][group.index])


@dataclass(frozen=True)
class _Ends:
    """The rows that a change runs between, and their values."""

    before: int
    after: int
    start: Fraction
    end: Fraction


def _between(reader: Reader, move: _Move, measure: Field, before: int, after: int) -> None:
    ends = _directed(reader, move, measure, before, after)
    if _STEADY.search(reader.line.text[move.start : move.end]):
        _steady(reader, move, measure)
    if move.times is not None:
        _multiplied(reader, move.times, measure, ends)
    for at in _numbers(reader, move):
        _said(reader, at, measure, ends)


def _directed(reader: Reader, move: _Move, measure: Field, before: int, after: int) -> _Ends:
    """The two ends, where their values go the way that the words say."""
    start, end = (reader.sheet.value(row, measure) for row in (before, after))
    if start is None or end is None or (end > start) - (end < start) != move.way:
        message = "is not how the values go between these times"
        raise reader.refuse("direction_wrong", move.verb[0], message, "say rose or fell", move.verb[1])
    return _Ends(before, after, start, end)


def _steady(reader: Reader, move: _Move, measure: Field) -> None:
    rows = _series(reader, _others(reader, move)) or []
    values = [reader.sheet.value(row, measure) for row in rows]
    if None in values or not reader.sheet.whole:
        raise reader.refuse("claim_unproven", move.verb[0], "is not known at every time", "name the times")
    known = [value for value in values if value is not None]
    if any((b > a) - (b < a) != move.way for a, b in pairwise(known)):
        raise reader.refuse(
            "direction_wrong", move.verb[0], "does not hold from each time to the next", "name the times", move.verb[1]
        )
    for match in _STEADY.finditer(reader.line.text, move.start, move.end):
        reader.take(match.start(), match.end())


def _multiplied(reader: Reader, at: int, measure: Field, ends: _Ends) -> None:
    if ends.start <= 0 or not reader.multiple(at).amount.fits(ends.end / ends.start):
        raise reader.refuse("number_wrong", at, "is not the multiple between these times", "compute it")
    reader.prove(at, ends.end / ends.start, reader.cells([ends.after, ends.before], measure), "ratio of cells")


def _said(reader: Reader, at: int, measure: Field, ends: _Ends) -> None:
    """A number of a change is where it starts ("from"), where it ends ("to"), or by how much."""
    amount = reader.number(at)
    lead = reader.line.text[max(at - 6, 0) : at]
    if (to := re.search(r"\b(?:to|at) $", lead)) or re.search(r"\bfrom $", lead):
        row, value = (ends.after, ends.end) if to else (ends.before, ends.start)
        if not reader.sheet.says(amount, measure, value):
            message = f"is not the value there, {reader.exact(row, measure)}"
            raise reader.refuse("number_wrong", at, message, "copy the value")
        reader.prove(at, value, reader.cells([row], measure), exact=reader.exact(row, measure))
        return
    change, computation = differing(reader, amount, measure, ends.end, ends.start)
    if change is None or not amount.fits(abs(change)):
        raise reader.refuse("number_wrong", at, "is not the change between these times", "compute it, or leave it out")
    reader.prove(at, change, reader.cells([ends.after, ends.before], measure), computation)


def differing(
    reader: Reader, amount: Amount, measure: Field, one: Fraction, other: Fraction
) -> tuple[Fraction | None, str]:
    """How much more one value is than another, as an amount counts: in its unit, in points, in percent of the other."""
    unit = reader.sheet.unit(measure)
    if amount.points:
        scale = 100 if reader.sheet.fraction(measure) else 1
        return (scale * (one - other) if unit == "%" else None), "difference of cells"
    if amount.percent:
        return (100 * (one - other) / other if other > 0 else None), "percent change of cells"
    if (amount.currency and amount.currency != unit) or unit == "%":
        return None, "difference of cells"
    return one - other, "difference of cells"


def _pairs(reader: Reader, move: _Move) -> list[tuple[int, int]]:
    """ "from April to May and from May to June": the rows of each pair."""
    text = pattern(r"from (?P<one><L>) to (?P<other><L>)")
    found = []
    for match in text.finditer(reader.line.text, move.start, move.end):
        labels = [i for _, i in reader.labels(match.start(), match.end())]
        rows = [reader.sheet.rows({**_others(reader, move), label.group.name: label.cell}) for label in labels]
        if any(len(row) != 1 for row in rows) or not all(label.group.time for label in labels):
            return []
        found.append((rows[0][0], rows[1][0]))
    return found if not _numbers(reader, move) else []
