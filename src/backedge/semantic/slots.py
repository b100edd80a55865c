"""Named gaps in SQL trees: what a plan refers to before the builder gives it a name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from sqlglot import exp

OWN = "__own__"
Kind = Literal["ref", "variable", "column", "total", "group", "value", "period"]


@dataclass(frozen=True)
class Slot:
    """A gap: the `index`-th reference, source column, aggregate, grouping or bind value; of `view` where it has one.

    A variable is named by `view`. The period has no number: there is one.
    """

    kind: Kind
    index: int
    view: str = ""

    def sql(self) -> exp.Expr:
        """The gap as a tree node. Views come last in its text because their names may hold any character."""
        return exp.Placeholder(this=f"{self.kind}:{self.index}:{self.view}")


def slot_of(node: exp.Expr) -> Slot | None:
    """The slot that a tree node stands for, or None."""
    if not isinstance(node, exp.Placeholder):
        return None
    kind, index, view = node.name.split(":", 2)
    return Slot(kind, int(index), view)  # type: ignore[arg-type]  # only Slot.sql writes placeholders


def slots_in(tree: exp.Expr) -> tuple[Slot, ...]:
    """Every slot of a tree, in the order of its text, each once."""
    found = (slot_of(node) for node in tree.dfs())
    return tuple(dict.fromkeys(s for s in found if s is not None))


def fill(tree: exp.Expr, give: Callable[[Slot], exp.Expr]) -> exp.Expr:
    """A copy of `tree` with every slot replaced by what `give` says."""
    whole = slot_of(tree)
    if whole is not None:  # most trees are one slot, and copying one costs more than making it
        return give(whole)

    def replace(node: exp.Expr) -> exp.Expr:
        slot = slot_of(node)
        return node if slot is None else give(slot)

    return tree.transform(replace)
