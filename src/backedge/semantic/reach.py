"""The views that members read: their own, and those that their expressions name, such as `{{view.member}}`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from backedge.semantic.model import Measure, Model, View

_NAMED = re.compile(r"(?:\{\{|\$\{)\s*(?:(\w+)\.)?(\w+)\s*\}")


def views_reached(model: Model, paths: Iterable[str]) -> frozenset[str]:
    """Names of all views that the members at `paths` read, however many expressions away."""
    seen: set[str] = set()
    queue = list(paths)
    while queue:
        path = queue.pop()
        if path not in seen:
            seen.add(path)
            queue += _named_by(model, path)
    return frozenset(view.role_of or view.name for path in seen if (view := model.view(path.partition(".")[0])))


def _named_by(model: Model, path: str) -> Iterator[str]:
    name, _, member = path.partition(".")
    view = model.view(name)
    if view is None:
        return
    for text in _texts(view, member):
        for called, field in _NAMED.findall(text):
            owners = _called(model, called) if called else (view,)
            yield from (f"{owner.name}.{field}" for owner in owners)


def _texts(view: View, member: str) -> Iterator[str]:
    for found in (view.dimension(member), view.measure(member), view.segment(member)):
        if found is not None:
            yield found.expr
        if isinstance(found, Measure):
            yield from found.filters


def _called(model: Model, name: str) -> tuple[View, ...]:
    """The view of that name, else the views whose rows are that entity."""
    view = model.view(name)
    return (view,) if view else tuple(v for v in model.views if v.primary and v.primary.name == name)
