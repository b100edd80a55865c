"""The short form of a reading: one line for a person, and the part that each word played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backedge.ask.grounding.readings import Reading
from backedge.ask.grounding.restrictions import name_of
from backedge.ask.grounding.slots import Choice, Parse
from backedge.ask.intent import Token
from backedge.semantic.spec import Spec

_MOTIFS = {
    "percent_of_total": "in percent of the total",
    "cumulative": "running total",
    "moving_average": "moving average over {} periods",
}


def reading_text(parse: Parse, reading: Reading) -> str:
    """ "total_sales by store_id; top 5; week_date in 2011"."""
    spec = reading.spec
    groups = ", ".join(f"{name_of(by.member)}.{by.grain}" if by.grain else name_of(by.member) for by in spec.by)
    measures = ", ".join(map(name_of, spec.measures))
    head = f"{measures} by {groups}" if measures and groups else measures or f"list of {groups}"
    filters = [c.says for c in reading.choices if c.where or c.segments or not (c.measures or c.by)]
    return "; ".join(part for part in (head, *_beyond(spec), _order(parse, reading), *filters) if part)


def _beyond(spec: Spec) -> Iterator[str]:
    """What is asked beyond totals, but for the part of a share, which its own words say."""
    if spec.motif:
        window = dict(spec.motif_params).get("window")
        yield _MOTIFS.get(spec.motif, spec.motif).format(window + 1 if isinstance(window, int) else "")
    if spec.compare:
        number, grain = spec.compare.n, spec.compare.grain or "period"
        yield f"beside the {grain} before" if number == 1 else f"beside {number} {grain}s before"
    if any(by.fill for by in spec.by):
        yield "every period has a row"


def _order(parse: Parse, reading: Reading) -> str:
    spec = reading.spec
    if not spec.order:
        return f"first {spec.limit}" if spec.limit else ""
    order = spec.order[0]
    by = "" if spec.measures[:1] == (order.by,) and spec.limit else f"{name_of(order.by)} "
    if spec.limit:
        each = f" in each {' and '.join(name_of(path) for path in spec.per)}" if spec.per else ""
        return f"{'top' if order.desc else 'bottom'} {spec.limit}{each}" + (f" by {by.strip()}" if by else "")
    return f"ordered by {by}{'descending' if order.desc else 'ascending'}".replace("  ", " ")


def tokens(question: str, parse: Parse, choices: Sequence[Choice]) -> tuple[Token, ...]:
    """Every chunk of the question in order, with its part and what it was read as."""
    marks = sorted(parse.marks, key=lambda mark: mark.chunk.start)
    return tuple(
        Token(
            question[mark.chunk.start : mark.chunk.end],
            mark.role,
            mark.means if mark.slot is None else _means(choices[mark.slot]),
        )
        for mark in marks
    )


def _means(choice: Choice) -> str:
    if choice.where:
        return choice.says
    return ", ".join([*choice.measures, *(by.name for by in choice.by), *choice.segments]) or choice.says


def assumptions(parse: Parse, reading: Reading, corrections: Sequence[str]) -> tuple[str, ...]:
    """What was decided for the reader: corrections, readings that are not the member's own name, resolved dates."""
    notes = [*corrections, *(choice.note for choice in reading.choices), *parse.notes]
    return tuple(dict.fromkeys(note for note in notes if note))


def dates(parse: Parse, reading: Reading) -> tuple[str, ...]:
    """The dates of the periods, where the question names them or another date could have been meant."""
    found: dict[str, None] = {}
    for slot, choice in zip(parse.slots, reading.choices, strict=True):
        path = choice.value.partition(" ")[0]
        if slot.role == "time" and choice.where and (not choice.day or len({name_of(c.day) for c in slot.choices}) > 1):
            found[path] = None
    return tuple(found)
