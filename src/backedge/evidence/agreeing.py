"""Double review: what a reviewer may see of others' decisions, and how far two agree beyond chance (Cohen's kappa)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from backedge.evidence.kinds import Decided

TWO = 2


@dataclass(frozen=True)
class Round:
    """What the first two reviewers decided on a record, neither seeing the other: (name, kind of decision) each."""

    record: str
    first: tuple[str, str]
    second: tuple[str, str]

    @property
    def alike(self) -> bool:
        """Whether both decided the same kind of thing."""
        return self.first[1] == self.second[1]


def seen_by(decided: Sequence[Decided], standing: int, by: str) -> tuple[Decided, ...]:
    """Of a record's decisions those that `by` may see where two must agree.

    `standing` is the number of the present one. While fewer than two have decided on it, others' are hidden; who
    settles a conflict sees both, and what was decided on earlier standings is no secret.
    """
    present = [each for each in decided if each.decision.seen == standing]
    if len([each for each in present if each.decision.kind != "skip"]) >= TWO:
        return tuple(decided)
    return tuple(each for each in decided if each.decision.seen != standing or each.decision.by == by)


def rounds(decided: Iterable[Decided]) -> tuple[Round, ...]:
    """The decisions that are independent: the first two on one standing where two must agree, skips left out.

    A third sees both, and a decision that is changed later is made by somebody who knows the first.
    """
    made: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
    for each in decided:
        if each.decision.double and each.decision.kind != "skip":
            made[each.record, each.decision.seen].append((each.decision.by, each.decision.kind))
    return tuple(Round(record, said[0], said[1]) for (record, _), said in made.items() if len(said) >= TWO)


def by_pair(found: Iterable[Round]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """For each two reviewers, their decisions on the records that both decided first; names in alphabetical order."""
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for each in found:
        (one, said), (other, answered) = sorted((each.first, each.second))
        pairs[one, other].append((said, answered))
    return dict(sorted(pairs.items()))


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of two reviewers' decisions on the same records; None where it is not defined.

    It is not defined without records, nor where both always say the same one thing: chance explains that wholly.
    """
    if not pairs:
        return None
    labels = {label for pair in pairs for label in pair}
    agreed = sum(one == other for one, other in pairs) / len(pairs)
    expected = (
        sum(sum(one == label for one, _ in pairs) * sum(other == label for _, other in pairs) for label in labels)
        / len(pairs) ** 2
    )
    return None if expected == 1 else (agreed - expected) / (1 - expected)
