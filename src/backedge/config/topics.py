"""Topics against the views that exist: their views, and the fields and values of their default filters."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from backedge.config.problem import Problem, nearest
from backedge.config.topic_file import WrittenFilter, WrittenTopic, as_values, day_after, iso_moment
from backedge.semantic.model import Dimension, Topic, TopicFilter, View


def resolve_topic(
    topic: WrittenTopic, views: Mapping[str, View], broken: Collection[str], found: list[Problem]
) -> Topic:
    """The topic over `views`. `broken` are names of views whose files are wrong: they are not reported once more."""
    for index, name in enumerate(topic.views):
        if name not in views and name not in broken:
            mend = "declare it, or add its file to the agent's `context`"
            message = f"view `{name}` of topic `{topic.name}` is not there: {mend}"
            found.append(Problem(topic.file, topic.view_lines[index], message, near=nearest(name, views)))
    filters: list[TopicFilter] = []
    unsupported: list[str] = []
    for written in topic.filters:
        path = _path(topic, written, found)
        view = views.get(path[0]) if path else None
        if path is None or view is None:
            continue
        dimension = _dimension(topic, written, view, path[1], found)
        if dimension is None:
            continue
        resolved = _resolve(topic, written, f"{view.name}.{dimension.name}", dimension)
        if resolved:
            filters.append(resolved)
        else:
            unsupported.append(f"default_filters: {view.name}.{dimension.name}")
            said = " and ".join(f"`{value}`" for value in written.values)
            message = f"{said} is no value that a default filter supports yet: topic `{topic.name}` is refused"
            found.append(Problem(topic.file, written.line, message, "note"))
    return Topic(
        name=topic.name,
        description=topic.description,
        views=topic.views,
        base_view=topic.base_view,
        default_filters=tuple(filters),
        unsupported=tuple(unsupported),
        at=f"{topic.file}:{topic.line}",
        calendar=topic.calendar,
    )


def _path(topic: WrittenTopic, written: WrittenFilter, found: list[Problem]) -> tuple[str, str] | None:
    view, dot, name = written.field.rpartition(".")
    if not dot:
        view = topic.base_view or (topic.views[0] if len(topic.views) == 1 else "")
    if not view:
        message = f"`{name}` may be of any view of topic `{topic.name}`: write `view.{name}`, or set `base_view`"
        found.append(Problem(topic.file, written.line, message))
        return None
    if view not in topic.views:
        message = f"`{written.field}` is of view `{view}`, which is not among the views of topic `{topic.name}`"
        found.append(Problem(topic.file, written.line, message, near=nearest(view, topic.views)))
        return None
    return view, name


def _dimension(
    topic: WrittenTopic, written: WrittenFilter, view: View, name: str, found: list[Problem]
) -> Dimension | None:
    dimension = view.dimension(name)
    if dimension is None:
        kind = "a measure" if view.measure(name) else "no dimension"
        message = f"`{name}` is {kind} of view `{view.name}`: a default filter needs a dimension"
        names = [other.name for other in view.dimensions]
        found.append(Problem(topic.file, written.line, message, near=nearest(name, names)))
    return dimension


def _resolve(topic: WrittenTopic, written: WrittenFilter, path: str, dimension: Dimension) -> TopicFilter | None:
    """None where a value cannot be compared with yet: relative dates, and null inside a list."""
    at = f"{topic.file}:{written.line}"
    is_time = dimension.type in ("date", "datetime") or written.op in ("in_range", "not_in_range")
    if any(value.value is None for value in written.values):
        return None
    if not is_time:
        return TopicFilter(path, written.op, as_values(written.values, text=dimension.type == "string"), at)
    moments = [iso_moment(value) for value in written.values]
    if written.op in ("in_range", "not_in_range") and len(moments) == 2 and moments[1]:
        moments[1] = day_after(moments[1])
    values = tuple(moment for moment in moments if moment)
    return TopicFilter(path, written.op, values, at) if len(values) == len(moments) else None
