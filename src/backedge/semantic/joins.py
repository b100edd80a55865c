"""Joins from entities: which views meet on which keys, and the one shortest path between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from backedge.semantic.model import Entity, Model, View
from backedge.semantic.refusal import refused


@dataclass(frozen=True)
class Step:
    """One join on pairs of dimension names; `up` where a row of `parent` has at most one row of `child`."""

    parent: str
    child: str
    entity: str
    keys: tuple[tuple[str, str], ...]
    up: bool


Path = tuple[Step, ...]


def described(path: Path) -> str:
    """A path in words: `orders -> customers (customer_id = id)`."""
    return path[0].parent + "".join(
        f" -> {s.child} ({', '.join(f'{mine} = {theirs}' for mine, theirs in s.keys)})" for s in path
    )


def only_up(path: Path) -> bool:
    """Whether every row at the start meets at most one row at the end."""
    return all(step.up for step in path)


@dataclass(frozen=True)
class Joins:
    """The graph of a model's views."""

    model: Model

    @cached_property
    def edges(self) -> dict[str, tuple[Step, ...]]:
        """The joins that leave each view, in file order; the same keys under two entity names are one join."""
        return {view.name: _steps_from(view, self.model) for view in self.model.views}

    def path(self, start: str, goal: str) -> Path:
        """The shortest path, empty from a view to itself. Refuses where there is none, or two of the same length."""
        found = self._shortest(start, goal)
        if not found:
            raise self._no_join(start, goal)
        if len(found) > 1:
            ways = " and ".join(described(p) for p in found[:2])
            raise refused(
                "ambiguous_join",
                f"{start} and {goal} can be joined in more than one way: {ways}",
                where=f"{start}, {goal}",
                hint="ask by a field of a view that lies on one way only, or remove one of the shared entities",
                near=tuple(dict.fromkeys(s.child for p in found for s in p[:-1])),
            )
        return found[0]

    def longer(self, start: str, goal: str, chosen: Path) -> Path | None:
        """Another way, also with one row at the end for each at the start, whose values may differ; or None."""
        if not chosen or not only_up(chosen):
            return None
        waiting: list[Path] = [(step,) for step in self.edges[start] if step.up]
        while waiting:
            path = waiting.pop(0)
            if path[-1].child == goal and path != chosen:
                return path
            seen = {start, *(s.child for s in path)}
            if len(path) < 4 and path[-1].child != goal:
                waiting += [(*path, s) for s in self.edges[path[-1].child] if s.up and s.child not in seen]
        return None

    def reachable(self, start: str) -> tuple[str, ...]:
        """Every view that `start` can be joined to, nearest first."""
        order = [start]
        for name in order:
            order += [s.child for s in self.edges[name] if s.child not in order]
        return tuple(dict.fromkeys(order[1:]))

    def _shortest(self, start: str, goal: str) -> list[Path]:
        layer: list[Path] = [()]
        seen = {start}
        while layer:
            done = [p for p in layer if (p[-1].child if p else start) == goal]
            if done:
                return done
            grown = [(*p, s) for p in layer for s in self.edges[p[-1].child if p else start] if s.child not in seen]
            seen |= {p[-1].child for p in grown}
            layer = _two_each(grown)
        return []

    def _no_join(self, start: str, goal: str) -> Exception:
        near = self.reachable(start)
        joins = ", ".join(near) or "no other view"
        back = ", ".join(self.reachable(goal)) or "no other view"
        return refused(
            "no_join",
            f"{start} and {goal} share no entity: {start} can be joined to {joins}; {goal} to {back}",
            where=f"{start}, {goal}",
            hint=f"ask {start} by fields of {joins}, or declare an entity that both have",
            near=near,
        )


def _two_each(paths: list[Path]) -> list[Path]:
    """At most two paths to each view: two prove an ambiguity, and more would grow without end."""
    kept: dict[str, list[Path]] = {}
    for path in paths:
        kept.setdefault(path[-1].child, []).append(path)
    return [p for group in kept.values() for p in group[:2]]


def _steps_from(view: View, model: Model) -> tuple[Step, ...]:
    steps: dict[tuple[str, frozenset[tuple[str, str]]], Step] = {}
    for other in model.views:
        if other.name == view.name:
            continue
        for step in (_step(view, mine, other, theirs) for mine in view.entities for theirs in other.entities):
            if step is None:
                continue
            key = (other.name, frozenset(step.keys))
            known = steps.get(key)
            if known is None or (step.up and not known.up):
                steps[key] = step
    return tuple(steps.values())


def _step(view: View, mine: Entity, other: View, theirs: Entity) -> Step | None:
    if mine.name != theirs.name or not mine.keys or len(mine.keys) != len(theirs.keys):
        return None
    if mine.type == "foreign" and theirs.type == "foreign":
        return None
    keys = tuple(zip(mine.keys, theirs.keys, strict=True))
    return Step(view.name, other.name, mine.name, keys, up=theirs.type == "primary")
