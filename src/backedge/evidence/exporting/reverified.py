"""What checking an investigation again came to: of each kind how much was checked, what failed, what could not be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

Checked = Literal[
    "gates",
    "records",
    "contents",
    "texts",
    "spans",
    "request",
    "searches",
    "packages",
    "citations",
    "standings",
]
KINDS: tuple[Checked, ...] = get_args(Checked)
SAYS: dict[Checked, str] = {
    "gates": "accepted proposals, judged anew by every gate of their stage",
    "records": "stored records that are what the journals make",
    "contents": "contents of versions against their hashes",
    "texts": "texts read from versions against their hashes",
    "spans": "spans against the characters that they name",
    "request": "explicit facets against the words of the request",
    "searches": "executions against what they found",
    "packages": "packages against the hash of what is in them",
    "citations": "citations and quoted strings of designs",
    "standings": "records and sources that are as usable now as they were then",
}
FOR_APPROVED: tuple[Checked, ...] = ("gates", "records", "contents", "texts", "spans", "packages", "citations")


@dataclass(frozen=True)
class Problem:
    """Something that is not as it was."""

    kind: Checked
    said: str


@dataclass(frozen=True)
class Counted:
    """How much of one kind was checked and how much of that failed; `not_checkable` is neither."""

    kind: Checked
    checked: int
    failed: int
    not_checkable: int

    @property
    def passed(self) -> int:
        """How much is as it was."""
        return self.checked - self.failed


@dataclass(frozen=True)
class Reverified:
    """All of it. `lacking` are kinds of which an approved investigation has some, and nothing was checked."""

    run: str
    state: str
    runs: int
    counts: tuple[Counted, ...]
    problems: tuple[Problem, ...]
    lacking: tuple[Checked, ...]

    @property
    def checked(self) -> int:
        """How many checks there were."""
        return sum(count.checked for count in self.counts)

    @property
    def holds(self) -> bool:
        """Whether something was checked, of every kind that there must be, and all of it holds."""
        return self.checked > 0 and not self.problems and not self.lacking

    def as_data(self) -> dict[str, Any]:
        """As plain data."""
        counts = {
            count.kind: {
                "checked": count.checked,
                "passed": count.passed,
                "failed": count.failed,
                "not_checkable": count.not_checkable,
            }
            for count in self.counts
        }
        return {
            "run": self.run,
            "state": self.state,
            "runs": self.runs,
            "holds": self.holds,
            "counts": counts,
            "problems": [{"kind": problem.kind, "said": problem.said} for problem in self.problems],
            "lacking": list(self.lacking),
        }


class Tally:
    """The counts of a check in the making."""

    def __init__(self) -> None:
        self.checked: Counter[Checked] = Counter()
        self.failed: Counter[Checked] = Counter()
        self.not_checkable: Counter[Checked] = Counter()
        self.problems: dict[Problem, None] = {}

    def check(self, kind: Checked, *problems: str) -> None:
        """One check, with all that is wrong there."""
        self.checked[kind] += 1
        self.failed[kind] += bool(problems)
        self.problems |= dict.fromkeys(Problem(kind, said) for said in problems)

    def cannot(self, kind: Checked) -> None:
        """Something that nobody can check any more."""
        self.not_checkable[kind] += 1

    def counts(self) -> tuple[Counted, ...]:
        """What it came to, in the order of the kinds."""
        return tuple(Counted(kind, self.checked[kind], self.failed[kind], self.not_checkable[kind]) for kind in KINDS)


def reverified_text(found: Reverified) -> str:
    """The check as lines: counts first, then every problem."""
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Reverified) -> Iterator[str]:
    verdict = "holds" if found.holds else "DOES NOT HOLD"
    yield f"investigation {found.run} ({found.state}, {found.runs} runs): {verdict}"
    for count in found.counts:
        unfit = f", {count.not_checkable} not checkable" if count.not_checkable else ""
        failed = f", {count.failed} FAILED" if count.failed else ""
        yield f"  {count.kind:<10}{count.checked:>6} checked{failed}{unfit}: {SAYS[count.kind]}"
    if not found.checked:
        yield "nothing was checked"
    yield from (f"  nothing was checked of {kind}: {SAYS[kind]}" for kind in found.lacking)
    yield from (f"FAILED {problem.kind}: {problem.said}" for problem in found.problems)
