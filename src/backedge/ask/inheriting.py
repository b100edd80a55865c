"""What a follow-up that a model reads takes over from the question before, and what it gives up, in words."""

from __future__ import annotations

from collections.abc import Iterator

from backedge.ask.grounding.words import in_words
from backedge.ask.intent import Before
from backedge.ask.probe import filters_of
from backedge.semantic.spec import AnyOf, By, Condition, Spec


def inherited(before: Before | None, spec: Spec) -> tuple[str, ...]:
    """The parts that both questions have, and the conditions that only the one before had."""
    if before is None or before.spec is None:
        return ()
    kept = tuple(_shared(before.spec, spec))
    restricted = {f.member for condition in spec.where for f in filters_of(condition)}
    gone = [c for c in before.spec.where if not restricted.intersection(f.member for f in filters_of(c))]
    said = [f"kept from the question before: {'; '.join(kept)}"] if kept else []
    said += [f"no longer only where {_condition(condition)}" for condition in gone]
    if before.spec.limit is not None and spec.limit != before.spec.limit:
        said.append(f"no longer only the first {before.spec.limit}")
    return tuple(said)


def _shared(before: Spec, spec: Spec) -> Iterator[str]:
    yield from (_name(path) for path in spec.measures if path in before.measures)
    yield from (f"by {_grouping(by)}" for by in spec.by if by in before.by)
    yield from (_condition(condition) for condition in spec.where if condition in before.where)
    yield from (_name(path) for path in spec.segments if path in before.segments)
    if spec.limit is not None and spec.limit == before.limit:
        yield f"the first {spec.limit}, chosen anew"


def _grouping(by: By) -> str:
    return f"{by.grain} of {_name(by.member)}" if by.grain else _name(by.member)


def _condition(condition: Condition) -> str:
    joined = " or " if isinstance(condition, AnyOf) else " and "
    return joined.join(
        " ".join((_name(f.member), f.op.replace("_", " "), ", ".join(map(str, f.values)))).strip()
        for f in filters_of(condition)
    )


def _name(path: str) -> str:
    return in_words(path.partition(".")[2])
