"""What is worked out of a model alone is worked out once for each model."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, cast

from backedge.semantic.model import Model

T = TypeVar("T")


def once(work: Callable[[Model], T]) -> Callable[[Model], T]:
    """Keep the result beside the model: to look it up by the model's value would read all of a large model anew."""

    @wraps(work)
    def kept(model: Model) -> T:
        if kept not in model.memo:
            model.memo[kept] = work(model)
        return cast("T", model.memo[kept])

    return kept
