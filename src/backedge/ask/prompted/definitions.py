"""What the members of views are made of, as SQL, for a model that writes SQL itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backedge.semantic.model import View


def definitions(views: Iterable[View]) -> str:
    """One line for each view and each of its members. Whoever asks sees expressions alone, never values."""
    return "\n".join(line for view in views for line in _lines(view))


def _lines(view: View) -> Iterator[str]:
    reads = f"table {view.table}" if view.table else f"the query ({' '.join(view.sql.split())})"
    yield f"view {view.name} reads {reads}"
    for entity in view.entities:
        yield f"  {entity.type} key {entity.name}: {', '.join(entity.keys)}"
    yield from (f"  dimension {d.name} = {d.expr}" for d in view.dimensions if not d.unsupported)
    for measure in view.measures:
        of = f"({measure.expr})" if measure.expr else ""
        only = f" where {' and '.join(measure.filters)}" if measure.filters else ""
        yield f"  measure {measure.name} = {measure.type}{of}{only}"
    yield from (f"  segment {segment.name} = {segment.expr}" for segment in view.segments)
