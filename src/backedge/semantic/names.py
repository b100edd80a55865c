"""Names for the parts of a query: readable ones for people, and positional ones that show whether two are equal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from backedge.semantic.plan import Node, Plan
from backedge.semantic.resolve import Question, compared

# control characters: no name or text of a model file can hold them
_MARKED = re.compile('(["`])(\ue000[^\ue001]*\ue001)\\1')


@dataclass(frozen=True)
class Names:
    """What each part is called. `sources` and `nodes` are tables, `aliases` what a view is called inside a query."""

    sources: dict[str, str]
    aliases: dict[str, str]
    columns: dict[tuple[str, int], str]
    nodes: dict[str, str]
    totals: dict[tuple[str, int], str]
    groups: tuple[str, ...]
    outputs: tuple[str, ...]
    meeting: str
    kept: str
    periods: str
    span: str


def readable(plan: Plan, question: Question, tables: Iterable[str]) -> Names:
    """Names from those of the model; none of them hides one of the `tables` that the query reads."""
    taken = {part for t in tables for part in (t.lower(), t.lower().rsplit(".", 1)[-1])}
    views = [s.view.name for s in plan.sources]
    sources = {v: _free(f"{v.replace('.', '_')}_rows", taken) for v in views}
    nodes = {n.name: _free(f"{_short(n)}{'_totals' if n.totals else ''}", taken) for n in plan.nodes}
    columns: dict[tuple[str, int], str] = {}
    for source in plan.sources:
        used: set[str] = set()
        columns |= {(source.view.name, i): _free(c.label, used) for i, c in enumerate(source.columns)}
    outputs = output_names(question)
    used = {o.lower() for o in outputs[: len(question.groups)]}
    totals = {(n.name, i): _free(t.label, used) for n in plan.nodes for i, t in enumerate(n.totals)}
    groups = outputs[: len(question.groups)]
    called: set[str] = set()  # names that differ in case alone are one name to a database
    aliases = {v: _free(v, called) for v in views}
    extra = (_free(name, taken) for name in ("groups", "kept", "periods", "span"))
    return Names(sources, aliases, columns, nodes, totals, groups, outputs, *extra)


class Spelling:
    """Builds with marks for names, so that one text serves twice: as it is, equal queries have equal text; spelled, it
    has names for people."""

    def __init__(self, tables: Iterable[str]) -> None:
        self._tables = tuple(tables)
        self._names: dict[str, str] = {}

    def marked(self, plan: Plan, question: Question) -> Names:
        """Names that stand for those of a person, by their position."""
        marks = _positional(plan, question, f"q{len(self._names)}")
        self._names |= zip(_every(marks), _every(readable(plan, question, self._tables)), strict=True)
        return marks

    def spelled(self, text: str) -> str:
        """The text with names for people in place of their marks."""

        def spell(found: re.Match[str]) -> str:
            name, quote = self._names.get(found[2]), found[1]
            return found[0] if name is None else quote + name.replace(quote, quote * 2) + quote

        return _MARKED.sub(spell, text)


def _every(names: Names) -> Iterator[str]:
    for part in (names.sources, names.aliases, names.columns, names.nodes, names.totals):
        yield from part.values()
    yield from (*names.groups, *names.outputs, names.meeting, names.kept, names.periods, names.span)


def _positional(plan: Plan, question: Question, query: str) -> Names:
    """Names by position alone: equal queries over the same tables and expressions get equal text."""

    def mark(name: str) -> str:
        return f"\ue000{query}{name}\ue001"

    views = [s.view.name for s in plan.sources]
    width = len(output_names(question))
    return Names(
        sources={v: mark(f"s{i}") for i, v in enumerate(views)},
        aliases={v: mark(f"v{i}") for i, v in enumerate(views)},
        columns={
            (s.view.name, i): mark(f"c{at}_{i}") for at, s in enumerate(plan.sources) for i in range(len(s.columns))
        },
        nodes={n.name: mark(f"n{i}") for i, n in enumerate(plan.nodes)},
        totals={(n.name, i): mark(f"m{at}_{i}") for at, n in enumerate(plan.nodes) for i in range(len(n.totals))},
        groups=tuple(mark(f"g{i}") for i in range(len(question.groups))),
        outputs=tuple(mark(f"o{i}") for i in range(width)),
        meeting=mark("meeting"),
        kept=mark("kept"),
        periods=mark("periods"),
        span=mark("span"),
    )


def _short(node: Node) -> str:
    """A node's name in one word, no longer than a database tells names apart."""
    return node.name.replace(" ", "_").replace(".", "_")[:40].rstrip("_") if node.name != node.view else node.view


def output_names(question: Question) -> tuple[str, ...]:
    """Names of the result's columns: the member's own, with its view's where two share it, and with its grain."""
    pairs = [
        (
            g.view.name,
            f"{g.dimension.name}_{g.by.grain}" if g.by.grain else g.dimension.name,
        )
        for g in question.groups
    ]
    pairs += [(m.view.name, m.measure.name) for m in question.measures]
    pairs += [(m.view.name, f"{m.measure.name}_{part}") for m, part in compared(question)]
    short = [name.lower() for _, name in pairs]
    taken: set[str] = set()
    return tuple(_free(name if short.count(name.lower()) == 1 else f"{view}__{name}", taken) for view, name in pairs)


def _free(name: str, taken: set[str]) -> str:
    number, candidate = 1, name
    while candidate.lower() in taken:
        number += 1
        candidate = f"{name}_{number}"
    taken.add(candidate.lower())
    return candidate
