"""How far two reviewers agree beyond chance: Cohen's kappa."""

from __future__ import annotations

from collections.abc import Sequence


def kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of two reviewers' decisions on the same records; None where it is not defined.

    It is not defined without records, nor where both always say the same one thing: chance explains that wholly.
    """
    if not pairs:
        return None
    labels = {label for pair in pairs for label in pair}
    agreed = sum(one == other for one, other in pairs) / len(pairs)
    chance = (
        sum(sum(one == label for one, _ in pairs) * sum(other == label for _, other in pairs) for label in labels)
        / len(pairs) ** 2
    )
    return None if chance == 1 else (agreed - chance) / (1 - chance)
