"""Which rows a total is over, seen from a period: a window around it, an earlier one, or only its last moment."""

from __future__ import annotations

from dataclasses import dataclass, replace

from backedge.semantic.expressions import bad
from backedge.semantic.model import Measure, View
from backedge.semantic.refusal import did_you_mean, nearest
from backedge.semantic.slots import Slot
from backedge.semantic.timed import NOW, Reach, Span, Window


@dataclass(frozen=True)
class Edge:
    """Only rows at the last (or first) moment of a dimension count; moments of rows that are not `wanted` do not."""

    moment: tuple[str, str]
    last: bool
    per: tuple[tuple[str, str], ...]
    wanted: Slot | None

    @property
    def words(self) -> str:
        """The edge as a person says it."""
        which = f"{'last' if self.last else 'first'} {'.'.join(self.moment)}"
        each = ", ".join(".".join(p) for p in self.per)
        wanted = f" where {self.wanted.index}" if self.wanted else ""
        return f"{which}{f' of each {each}' if each else ''}{wanted}"


@dataclass(frozen=True)
class Frame:
    """The rows of a total: of a window around its period, `back` a span, at an edge of them, of the `part` alone."""

    back: Span = NOW
    window: Window | None = None
    edge: Edge | None = None
    part: bool = False

    @property
    def timed(self) -> bool:
        """Whether its rows lie elsewhere in time than the period that shows them."""
        return bool(self.back) or self.window is not None

    def name(self, view: str) -> str:
        """What a node of `view` in this frame is called: different for every frame."""
        return " ".join([view, *self.words, *(["part"] if self.part else [])])

    @property
    def words(self) -> tuple[str, ...]:
        """What the frame sees as a person says it, part by part."""
        window = (window_words(self.window),) if self.window else ()
        back = (_back_words(self.back),) if self.back else ()
        return (*window, *back, *((self.edge.words,) if self.edge else ()))

    def at(self, view: View, measure: Measure) -> Frame:
        """This frame with what the measure says of windows and shifts of its own."""
        path = f"{view.name}.{measure.name}"
        found = self
        if measure.window is not None:
            if self.window is not None:
                raise bad(path, "it is a window over a measure that has a window", "take one of the windows away")
            found = replace(found, window=measure.window)
        if measure.shift is not None:
            found = found.earlier(measure.shift.by, path)
        return found

    def earlier(self, span: Span, path: str) -> Frame:
        """This frame a span further back."""
        both = Span(self.back.months + span.months, self.back.days + span.days, self.back.seconds + span.seconds)
        if sum(n != 0 for n, _ in both.parts) > 1:
            reason = f"it is {self.back.words} and {span.words} earlier, and months have no fixed number of days"
            raise bad(path, reason, "shift by one unit")
        return replace(self, back=both)


def edge_of(view: View, measure: Measure, wanted: Slot | None) -> Edge | None:
    """The edge that a semi-additive measure counts at; refuses dimensions that are not there."""
    rule = measure.non_additive
    if rule is None:
        return None
    path = f"{view.name}.{measure.name}"
    for name in (rule.dimension, *rule.per):
        if view.dimension(name) is None:
            near = nearest(name, (d.name for d in view.dimensions))
            raise bad(path, f"non_additive names {name}, which is no dimension of {view.name}", did_you_mean(near))
    moment = view.dimension(rule.dimension)
    if moment is None or moment.type not in ("date", "datetime"):
        raise bad(path, f"non_additive dimension {rule.dimension} is no date", "name a date or datetime dimension")
    per = tuple((view.name, name) for name in rule.per)
    return Edge((view.name, rule.dimension), rule.take == "last", per, wanted)


def window_words(window: Window) -> str:
    """A window as a person says it."""
    if window.to_date:
        return f"{window.to_date} to date"
    sides = ((window.trailing, f"up to its {window.offset}"), (window.leading, f"from its {window.offset} on"))
    return " and ".join(f"{_reach_words(r)} {side}" for r, side in sides if r != 0) or "nothing"


def _reach_words(reach: Reach) -> str:
    if isinstance(reach, Span):
        return reach.words
    return "everything" if reach == "unbounded" else f"{reach} periods"


def _back_words(span: Span) -> str:
    return f"{span.words} {'earlier' if min(n for n, _ in span.parts) >= 0 else 'later'}"
