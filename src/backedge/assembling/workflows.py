"""The workflows that runs and their children may have, each bound to its ports when it is first needed."""

from __future__ import annotations

from collections.abc import Callable

from backedge.kernel.drive import Bound

Make = Callable[[str], Bound | None]


class LazyWorkflows(dict[str, Bound]):
    """Workflows by name. What `make` knows no workflow for is a `KeyError`."""

    def __init__(self, ask: Bound, make: Make) -> None:
        super().__init__({ask.workflow.name: ask})
        self._make = make

    def __missing__(self, name: str) -> Bound:
        bound = self._make(name)
        if bound is None:
            raise KeyError(name)
        self[name] = bound
        return bound
