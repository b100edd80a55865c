"""The rows of a question as a motif sees them: their columns, their series, and the periods of the calendar."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from backedge.semantic import dialects
from backedge.semantic.dialects import Dialect
from backedge.semantic.motifs import Use
from backedge.semantic.resolve import Question
from backedge.semantic.timed import Span

BASE, ROWS, EARLIER, TOTAL = "__base", "__rows", "__earlier", "__total"


@dataclass
class Frame:
    """A question's rows: `names` are their columns, groupings first, and `totals` those of the row of totals.

    Filled while columns are made: `staged` are columns that others are computed over, `before` the join with an earlier
    period, `notes` what a reader must know.
    """

    question: Question
    used: Use
    dialect: Dialect
    names: tuple[str, ...]
    totals: tuple[str, ...]
    staged: dict[str, exp.Expr] = field(default_factory=dict)
    before: exp.Expr | None = None
    notes: list[str] = field(default_factory=list)

    def column(self, place: int, table: str = ROWS) -> exp.Column:
        """A grouping of the rows."""
        return named(self.names[place], table)

    def measure(self, place: int, table: str = ROWS) -> exp.Column:
        """A measure of the rows."""
        return self.column(len(self.question.groups) + place, table)

    def total(self, place: int) -> exp.Column:
        """A measure over all rows."""
        return named(self.totals[place], TOTAL)

    @property
    def time(self) -> int:
        """The place of the grouping that the motif goes along."""
        place = self.used.time()
        assert place is not None, self.used.motif.name
        return place

    @property
    def others(self) -> list[int]:
        """The places of all other groupings: each of their combinations is a series of its own."""
        return [i for i in range(len(self.question.groups)) if i != self.used.time()]

    @property
    def grain(self) -> str:
        """The period that one row is of."""
        return self.question.groups[self.time].by.grain or "day"

    def same_series(self, table: str, rows: str = ROWS) -> list[exp.Expr]:
        """The conditions that a row of another table is of the same series."""
        pairs = ((self.column(i, rows), self.column(i, table)) for i in self.others)
        return [exp.NullSafeEQ(this=a, expression=b) for a, b in pairs]

    def shifted(self, column: exp.Expr, span: Span) -> exp.Expr:
        """A period so much later."""
        type_ = self.question.groups[self.time].dimension.type
        return dialects.typed(self.dialect, dialects.plus(self.dialect, column, span), type_)

    def sql(self, template: str, **given: exp.Expr) -> exp.Expr:
        """The template's tree with what is `given` in place of the columns of those names."""
        return dialects.fitted(self.dialect, template, **given)

    def over(self, template: str, *, series: bool = False, running: bool = False, **given: exp.Expr) -> exp.Expr:
        """An aggregate over all rows, or over those of the row's series, up to its period where it is `running`."""
        window = self.sql(f"{template} OVER ()", **given)
        assert isinstance(window, exp.Window)
        if series and self.others:
            window.set("partition_by", [self.column(i) for i in self.others])
        if running:
            window.set("order", exp.Order(expressions=[exp.Ordered(this=self.column(self.time), nulls_first=False)]))
            until_now = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
            window.set("spec", until_now)
        return window


def named(name: str, table: str) -> exp.Column:
    """A column of a table, both quoted."""
    return exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(table, quoted=True))
