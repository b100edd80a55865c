"""Topics over a question: which apply, and the default filters that no question may escape."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from backedge.semantic.model import Model, Topic, TopicFilter
from backedge.semantic.operators import condition_of
from backedge.semantic.reach import views_reached
from backedge.semantic.refusal import Refused, did_you_mean, nearest, refused
from backedge.semantic.sources import refuse_unsupported
from backedge.semantic.spec import Condition, Filter, Spec


@dataclass(frozen=True)
class Applied:
    """The default filters that a question must obey, with the topic each is said to come from, and what to note."""

    filters: tuple[tuple[str, Condition], ...] = ()
    notes: tuple[str, ...] = ()


def applicable_topics(model: Model, spec: Spec) -> tuple[Topic, ...]:
    """The topics that hold every view the spec names, in file order."""
    used = _held(model, spec)
    return tuple(t for t in model.topics if used <= set(t.views))


def views_of(spec: Spec) -> frozenset[str]:
    """Names of the views that a spec's paths name."""
    return frozenset(path.split(".", 1)[0] for path in _paths(spec))


def _paths(spec: Spec) -> list[str]:
    return [*spec.measures, *spec.segments, *(by.member for by in spec.by), *_members(spec.where)]


def _held(model: Model, spec: Spec) -> frozenset[str]:
    """The views that a spec reads, as a topic would list them: one in a role is the view that it is."""
    return views_reached(model, _paths(spec))


def applied(model: Model, spec: Spec) -> Applied:
    """The default filters of the spec's topic; without one, those that all topics it fits in agree on."""
    used = _held(model, spec)
    if spec.topic is not None:
        return _named(model, spec.topic, used)
    guarding = [t for t in model.topics if t.default_filters and used & set(t.views)]
    if not guarding:
        return Applied()
    fitting = applicable_topics(model, spec)
    if not fitting:
        raise _ambiguous(guarding, f"{', '.join(sorted(used))} are together in no topic, and filters must not be lost")
    if len({meaning(t) for t in fitting}) > 1:
        raise _ambiguous(fitting, "the question fits in topics with different default filters")
    topic = fitting[0]
    if not topic.default_filters:
        return Applied()
    return Applied(filters(model, topic), (f"the default filters of topic {topic.name} apply",))


def _named(model: Model, name: str, used: frozenset[str]) -> Applied:
    topic = model.topic(name)
    if topic is None:
        near = nearest(name, (t.name for t in model.topics))
        hint = did_you_mean(near) or "leave the topic out"
        raise refused("unknown_topic", f"there is no topic {name}", where="topic", hint=hint, near=near)
    outside = sorted(used - set(topic.views))
    if outside:
        fits = [t.name for t in model.topics if used <= set(t.views)]
        raise refused(
            "outside_topic",
            f"topic {name} does not hold {', '.join(outside)}; it holds {', '.join(topic.views)}",
            where="topic",
            hint=f"ask through {' or '.join(fits)}" if fits else "ask without these views",
            near=fits,
        )
    return Applied(filters(model, topic))


def filters(model: Model, topic: Topic) -> tuple[tuple[str, Condition], ...]:
    """The default filters of a topic, each with the topic's name."""
    refuse_unsupported(f"topic {topic.name}", topic.unsupported, topic.at)
    return tuple((topic.name, _condition(model, topic, f)) for f in topic.default_filters)


def _condition(model: Model, topic: Topic, given: TopicFilter) -> Condition:
    where = f"topic {topic.name} default_filters"
    return condition_of(_path(model, topic, given), given.op, given.values, where)


def _path(model: Model, topic: Topic, given: TopicFilter) -> str:
    if "." in given.field:
        return given.field
    if topic.base_view:
        return f"{topic.base_view}.{given.field}"
    views = [v.name for v in model.views if v.name in topic.views and v.dimension(given.field) is not None]
    if len(views) == 1:
        return f"{views[0]}.{given.field}"
    raise refused(
        "unknown_member",
        f"default filter {given.field} of topic {topic.name} names {'no' if not views else 'more than one'} dimension",
        where=given.at or f"topic {topic.name}",
        hint="write view.dimension",
        near=tuple(f"{v}.{given.field}" for v in views),
        retryable=False,
    )


def meaning(topic: Topic) -> frozenset[tuple[str, ...]]:
    """Default filters as a set that is equal where they say the same; a bare field is of the base view."""

    def field(given: TopicFilter) -> str:
        return given.field if "." in given.field else f"{topic.base_view}.{given.field}"

    return frozenset((field(f), f.op, repr(f.values)) for f in topic.default_filters)


def _members(conditions: Iterable[Condition]) -> list[str]:
    found: list[str] = []
    for condition in conditions:
        found += [condition.member] if isinstance(condition, Filter) else _members(condition.of)
    return found


def _ambiguous(topics: Iterable[Topic], why: str) -> Refused:
    names = [t.name for t in topics]
    hint = f"name the topic: {' or '.join(names)}"
    return refused("ambiguous_topic", why, where="topic", hint=hint, near=names)
