"""What is wrong with a project's files: problems with their place, and the error that carries all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
_NEAR_ENOUGH = 60.0
_AS_NEAR = 15.0


@dataclass(frozen=True)
class Problem:
    """One thing to mend or to know. `file` is relative to the project; `line` and `column` count from 1, 0 is unknown.

    An `error` stops the project from loading, a `warning` does not, a `note` is only for `validate`. `near` are the
    nearest names that do exist.
    """

    file: str
    line: int
    message: str
    severity: Severity = "error"
    column: int = 0
    near: tuple[str, ...] = ()

    @property
    def at(self) -> str:
        """`file`, `file:line` or `file:line:column`, as far as known."""
        place = [self.file, *(str(number) for number in (self.line, self.column) if number)]
        return ":".join(place)

    def __str__(self) -> str:
        return f"{self.at}: {self.message}{did_you_mean(self.near)}"


class ConfigError(Exception):
    """A project cannot be loaded. `problems` holds every error that was found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        lines = [f"The project cannot be loaded ({count} problem{'' if count == 1 else 's'}):"]
        lines += [f"  {problem}" for problem in self.problems]
        if any(problem.line for problem in self.problems):
            lines.append("Mend the files; `backedge validate` checks all of them.")
        super().__init__("\n".join(lines))


def nearest(word: str, names: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The names most like `word`, best first, without those clearly less like it; empty where none is near."""
    from rapidfuzz import fuzz, process  # only a project with a mistake pays for the import

    found = process.extract(
        word,
        sorted(set(names)),
        scorer=fuzz.ratio,
        processor=str.casefold,
        limit=limit,
        score_cutoff=_NEAR_ENOUGH,
    )
    return tuple(name for name, score, _ in found if score > found[0][1] - _AS_NEAR)


def did_you_mean(near: tuple[str, ...]) -> str:
    """` (did you mean …?)`, or nothing where no name is near."""
    return f" (did you mean {' or '.join(f'`{name}`' for name in near)}?)" if near else ""
