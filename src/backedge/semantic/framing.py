"""The frames of a question's totals on its line of periods: what each node groups by, is filtered by and sees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from backedge.semantic.frames import Edge, Frame
from backedge.semantic.refusal import refused
from backedge.semantic.resolve import Check, Clause, Question
from backedge.semantic.slots import Slot
from backedge.semantic.sources import Sources, mixed_levels
from backedge.semantic.spec import Comparison
from backedge.semantic.timed import Span, periods
from backedge.semantic.timeline import (
    Timeline,
    moved,
    range_length,
    refuse_unclear,
    refuse_unfit,
    seen,
    time_groups,
    timeline,
)

PERIOD = Slot("period", 0)


@dataclass(frozen=True)
class Framed:
    """What a node of a frame sees: `sees` ties its rows to periods, `moment` is what only the edge of counts."""

    sees: tuple[exp.Expr, ...] = ()
    moment: exp.Expr | None = None
    last: bool = True
    per: tuple[exp.Expr, ...] = ()
    words: tuple[str, ...] = ()


@dataclass
class Framing:
    """Places frames on the question's line of periods, which is found when the first of them needs it."""

    question: Question
    sources: Sources
    lines: list[Timeline] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def line(self, why: str) -> Timeline:
        """The line of periods; refuses a question that has none, saying why it needs one."""
        if not self.lines:
            self.lines.append(timeline(self.question, self.question.clock.calendar, why))
        return self.lines[0]

    def on_line(self, frame: Frame) -> bool:
        """Whether the frame is placed by periods: an earlier value can also be placed by a range of dates alone."""
        return frame.window is not None or (bool(frame.back) and bool(time_groups(self.question)))

    def place(self, path: str, frame: Frame) -> Framed:
        """What a node sees in its frame; refuses what cannot be placed."""
        if frame.words:
            self.notes.append(f"{path} is over other rows than those of its group: {', '.join(frame.words)}")
        moment = self._moment(frame.edge) if frame.edge else None
        per = tuple(self.sources.dimension(self.sources.view(v), d) for v, d in frame.edge.per) if frame.edge else ()
        last = frame.edge is None or frame.edge.last
        if not self.on_line(frame):
            return Framed((), moment, last, per, frame.words)
        line = self.line(f"{path} is over other rows than those of its period")
        refuse_unclear(line, self.question, path)
        refuse_unfit(line, frame, path)
        if frame.back.months and line.grain == "day":
            self.notes.append(f"{path}: a day that the other month does not have is compared with nothing")
        at = self.sources.dimension(line.group.view, line.group.dimension.name, asked=True)
        sees = seen(line, frame, at, PERIOD.sql(), self.sources.dialect)
        return Framed(sees, moment, last, per, frame.words)

    def groups(
        self, path: str, frame: Frame, groups: tuple[exp.Expr, ...], branches: Mapping[str, str]
    ) -> tuple[exp.Expr, ...]:
        """The groupings of a node: on the line, periods take the place of its date, which must be one for each row."""
        if not self.on_line(frame):
            return groups
        line, index = self.line(""), self.line("").index
        if branches[line.group.view.name]:
            raise mixed_levels(path, f"{line.group.by.member} of {line.group.view.name}")
        return (*groups[:index], PERIOD.sql(), *groups[index + 1 :])

    def clauses(self, path: str, frame: Frame, where: list[Clause]) -> tuple[list[Clause], Check | None]:
        """The conditions on a node's rows, and the one among them that the question does not have itself."""
        where = [*where, *self.question.part] if frame.part else where
        if self.on_line(frame):
            used = self.line("").clauses
            return [c for c in where if not any(c is u for u in used)], None
        if not frame.back:
            return where, None
        bounding, instead = moved(self.question, frame.back, path)
        return [*(c for c in where if not any(c is u for u in bounding)), instead], instead

    def views(self, frame: Frame) -> list[str]:
        """The views beside those of the question that a node must reach."""
        edge = frame.edge
        return [] if edge is None else [edge.moment[0], *(view for view, _ in edge.per)]

    def compared(self, compare: Comparison) -> Span:
        """How far back the question compares."""
        if isinstance(compare.n, bool) or not isinstance(compare.n, int) or not 1 <= compare.n <= 10_000:
            raise refused("bad_value", f"compare n is {compare.n!r}", where="compare", hint="a whole number from 1 up")
        if compare.to == "previous_year":
            if compare.grain is not None:
                message = "compare says previous_year and a grain"
                raise refused("bad_value", message, where="compare", hint="leave the grain out")
            return Span(months=12 * compare.n)
        if compare.grain is not None:
            return periods(compare.n, compare.grain)
        if time_groups(self.question):
            return periods(compare.n, self.line("the question compares periods").grain)
        length = range_length(self.question, "the question")
        return Span(length.months * compare.n, length.days * compare.n, length.seconds * compare.n)

    def _moment(self, edge: Edge) -> exp.Expr:
        view, dimension = edge.moment
        at = self.sources.dimension(self.sources.view(view), dimension)
        return exp.Case().when(edge.wanted.sql(), at) if edge.wanted else at
