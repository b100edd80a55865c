"""Joins from entities: which views meet on which keys, and the one shortest path between two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from backedge.semantic.model import Entity, Model, View
from backedge.semantic.refusal import Refused, did_you_mean, nearest, refused


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
    """The graph of a model's views. `through` names views or entities that choose between ways."""

    model: Model
    through: tuple[str, ...] = ()

    @cached_property
    def edges(self) -> dict[str, tuple[Step, ...]]:
        """The joins that leave each view, in file order; the same keys under two entity names are one join."""
        found = self.model.memo.get("joins")
        if found is None:
            found = self.model.memo["joins"] = {v.name: _steps_from(v, self.model) for v in self.model.views}
        return cast(dict[str, tuple[Step, ...]], found)

    def path(self, start: str, goal: str, asked: bool = False) -> Path:
        """The shortest path, empty from a view to itself. Refuses where there is none, or two of the same length.

        `through` chooses between several. Where the question itself `asked` for the join, and not an expression of the
        model, it also chooses a longer way than the only shortest one.
        """
        found = self._shortest(start, goal)
        if start != goal and self.through and (asked or len(found) != 1):
            found = self._through(start, goal, found) or found
        self._refuse_roles(start, goal, found)
        if not found:
            raise self._no_join(start, goal)
        if len(found) > 1:
            raise _ambiguous(start, goal, found)
        return found[0]

    def check_through(self, taken: Iterator[Step]) -> None:
        """Refuse a `through` that names nothing, or that none of the joins `taken` goes through."""
        used = {name for step in taken for name in (step.parent, step.child, step.entity)}
        names = list(dict.fromkeys([*self.edges, *(s.entity for steps in self.edges.values() for s in steps)]))
        for hint in self.through:
            if hint not in names:
                near = nearest(hint, names)
                message = f"through names {hint}, which is no view and no entity"
                raise refused("unknown_member", message, where="through", hint=did_you_mean(near), near=near)
            if hint not in used:
                message = f"no join of the question goes through {hint}"
                raise refused("ambiguous_join", message, where="through", hint="leave it out, or name another view")

    def _through(self, start: str, goal: str, shortest: list[Path]) -> list[Path]:
        """The shortest of the ways that go through most of the named views and entities."""
        ways = dict.fromkeys(way for hint in self.through for way in self._via(start, goal, hint))
        direct = [w for w in ways if len(shortest) != 1 or w in shortest or only_up(w) or not any(s.up for s in w)]
        best = max((self._named(w) for w in direct), default=0)
        named = [w for w in direct if self._named(w) == best]
        return [w for w in named if len(w) == min(map(len, named))]

    def _via(self, start: str, goal: str, hint: str) -> Iterator[Path]:
        steps = [s for leaving in self.edges.values() for s in leaving if hint in (s.child, s.entity)]
        for step in steps:
            for before in self._shortest(start, step.parent):
                for after in self._shortest(step.child, goal):
                    way = (*before, step, *after)
                    if len({start, *(s.child for s in way)}) == len(way) + 1:
                        yield way

    def chose(self, way: Path) -> bool:
        """Whether `through` names something on the way."""
        return self._named(way) > 0

    def _named(self, way: Path) -> int:
        return len({name for s in way for name in (s.child, s.entity)} & set(self.through))

    def _refuse_roles(self, start: str, goal: str, found: list[Path]) -> None:
        """A view that another one sees in roles is not joined to it by some longer way round."""
        length = len(found[0]) if found else len(self.edges) + 1
        by_goal = self._roles_of(goal, lambda role: self._shortest(start, role), length)
        by_start = self._roles_of(start, lambda role: self._shortest(role, goal), length)
        roles = by_goal or by_start
        if start != goal and roles:
            raise refused(
                "ambiguous_join",
                f"{start} and {goal} meet only in a role: {' or '.join(roles)}",
                where=f"{start}, {goal}",
                hint=f"ask for the fields of {' or '.join(roles)} instead of those of {goal if by_goal else start}",
                near=roles,
            )

    def _roles_of(self, view: str, ways: Callable[[str], list[Path]], length: int) -> tuple[str, ...]:
        roles = [v.name for v in self.model.views if v.role_of == view]
        return tuple(role for role in roles if any(0 < len(way) < length for way in ways(role)))

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


def _ambiguous(start: str, goal: str, found: list[Path]) -> Refused:
    ways = " and ".join(described(p) for p in found[:2])
    names = [[n for s in p for n in (s.child, s.entity)] for p in found[:2]]
    tell = [next((n for n in mine if n not in other), "") for mine, other in (names, names[::-1])]
    choose = f"choose with through: {' or '.join(f'[{n}]' for n in tell if n)}, or " if any(tell) else ""
    return refused(
        "ambiguous_join",
        f"{start} and {goal} can be joined in more than one way: {ways}",
        where=f"{start}, {goal}",
        hint=f"{choose}ask by a field of a view that lies on one way only, or give the foreign entities roles",
        near=tuple(dict.fromkeys(s.child for p in found for s in p[:-1])),
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
