"""Names for the parts of a query: readable ones for people, and positional ones that show whether two are equal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backedge.semantic.plan import Plan
from backedge.semantic.resolve import Question


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


def readable(plan: Plan, question: Question, tables: Iterable[str]) -> Names:
    """Names from those of the model; none of them hides one of the `tables` that the query reads."""
    taken = {part for t in tables for part in (t.lower(), t.lower().rsplit(".", 1)[-1])}
    views = [s.view.name for s in plan.sources]
    sources = {v: _free(f"{v}_rows", taken) for v in views}
    nodes = {n.view: _free(f"{n.view}_totals", taken) for n in plan.nodes}
    columns: dict[tuple[str, int], str] = {}
    for source in plan.sources:
        used: set[str] = set()
        columns |= {(source.view.name, i): _free(c.label, used) for i, c in enumerate(source.columns)}
    outputs = output_names(question)
    used = {o.lower() for o in outputs[: len(question.groups)]}
    totals = {(n.view, i): _free(t.label, used) for n in plan.nodes for i, t in enumerate(n.totals)}
    groups = outputs[: len(question.groups)]
    called: set[str] = set()  # names that differ in case alone are one name to a database
    aliases = {v: _free(v, called) for v in views}
    return Names(sources, aliases, columns, nodes, totals, groups, outputs, _free("groups", taken))


def positional(plan: Plan, question: Question) -> Names:
    """Names by position alone: equal queries over the same tables and expressions get equal text."""
    views = [s.view.name for s in plan.sources]
    width = len(question.groups) + len(question.measures)
    return Names(
        sources={v: f"s{i}" for i, v in enumerate(views, 1)},
        aliases={v: f"v{i}" for i, v in enumerate(views, 1)},
        columns={(s.view.name, i): f"c{i + 1}" for s in plan.sources for i in range(len(s.columns))},
        nodes={n.view: f"t{i}" for i, n in enumerate(plan.nodes, 1)},
        totals={(n.view, i): f"m{at}_{i}" for at, n in enumerate(plan.nodes, 1) for i in range(len(n.totals))},
        groups=tuple(f"g{i + 1}" for i in range(len(question.groups))),
        outputs=tuple(f"c{i + 1}" for i in range(width)),
        meeting="t0",
    )


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
