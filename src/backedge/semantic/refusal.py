"""How compiling says no: a refusal carries defects, and findings collect those of many parts into one answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import partial
from typing import TypeVar

from backedge.kernel.defect import Defect

S = TypeVar("S")
T = TypeVar("T")


class Refused(Exception):
    """One part of a question cannot be compiled. It never leaves this package: `compile_spec` returns its defects."""

    def __init__(self, *defects: Defect) -> None:
        super().__init__("; ".join(d.message for d in defects))
        self.defects = defects


class Findings:
    """Collects the defects of independent parts, so that all of them are told at once."""

    def __init__(self) -> None:
        self.defects: list[Defect] = []

    def attempt(self, make: Callable[[], T]) -> T | None:
        """What `make` gives, or None where it refused; its defects are kept once."""
        try:
            return make()
        except Refused as refused:
            self.defects.extend(d for d in refused.defects if d not in self.defects)
            return None

    def each(self, make: Callable[[S], T], items: Iterable[S]) -> tuple[T, ...]:
        """What `make` gives of each item, without those that it refused."""
        found = [self.attempt(partial(make, item)) for item in items]
        return tuple(f for f in found if f is not None)

    def close(self) -> None:
        """Refuse with everything that was found, if anything was."""
        if self.defects:
            raise Refused(*self.defects)


def refused(
    kind: str, message: str, *, where: str = "", hint: str = "", near: Iterable[str] = (), retryable: bool = True
) -> Refused:
    """A refusal with one defect."""
    return Refused(Defect(kind, message, where=where, hint=hint, near=tuple(near), retryable=retryable))


def nearest(word: str, names: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The names most like `word`, best first; a path is also compared by its last part."""
    paths = list(dict.fromkeys(names))
    exact = [p for p in paths if p.rsplit(".", 1)[-1].lower() == word.rsplit(".", 1)[-1].lower()]
    folded = {p.lower(): p for p in paths}
    close = [folded[m] for m in get_close_matches(word.lower(), folded, n=limit, cutoff=0.6)]
    return tuple(dict.fromkeys([*exact, *close]))[:limit]


def did_you_mean(near: tuple[str, ...]) -> str:
    """The hint that offers `near`, or nothing where nothing is near."""
    return f"did you mean {' or '.join(near)}?" if near else ""
