"""A question's query under a motif: the question as a common table, the motif's columns over it, order and limit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlglot import exp

from backedge.semantic import motif_columns, motif_file
from backedge.semantic.build import build
from backedge.semantic.dialects import Dialect
from backedge.semantic.joins import Joins, only_up
from backedge.semantic.model import Measure, Model
from backedge.semantic.motif_frame import BASE, EARLIER, ROWS, TOTAL, Frame, named
from backedge.semantic.motifs import Use, use
from backedge.semantic.names import Names
from backedge.semantic.plan import Plan
from backedge.semantic.policies import Attributes
from backedge.semantic.refusal import refused
from backedge.semantic.resolve import Question, checks, resolve
from backedge.semantic.spec import OutputColumn, Spec, Value
from backedge.semantic.sub_queries import planned


@dataclass(frozen=True)
class Over:
    """What goes over a question's query. `order` are (place of a column of the question or name of an output, desc)."""

    question: Question
    used: Use
    total: tuple[Question, Plan] | None
    order: tuple[tuple[int | str, bool], ...]
    limit: int | None
    offset: int | None
    dialect: Dialect

    @property
    def outputs(self) -> tuple[OutputColumn, ...]:
        """The motif's columns, as the result has them."""
        paths = [m.path for m in self.question.measures]
        return tuple(
            OutputColumn(name, f"{paths[0 if place is None else place]}.{output}", "measure", "number")
            for name, place, output in self.used.columns
        )

    def query(self, base: exp.Select, names: tuple[str, ...], total: Names | None) -> tuple[exp.Select, list[str]]:
        """The whole query over that of the question, and what a reader must know of its columns."""
        frame = Frame(self.question, self.used, self.dialect, names, total.outputs if total else ())
        found = [(name, self._column(frame, place, output)) for name, place, output in self.used.columns]
        own = [(name, named(name, ROWS)) for name in names]
        query = exp.select(*(exp.alias_(tree, _name(name)) for name, tree in (*own, *found)))
        plain = base.copy()
        plain.set("order", None)
        query = _from(frame, query.with_(_name(BASE), as_=plain, copy=False))
        if self.total and total:
            whole = build(self.total[1], self.total[0], total, self.dialect)
            query = query.with_(_name(TOTAL), as_=whole, copy=False)
            query = query.join(exp.Table(this=_name(TOTAL)), join_type="cross", copy=False)
        return self._cut(query, names), list(dict.fromkeys(frame.notes))

    def _column(self, frame: Frame, place: int | None, output: str) -> exp.Expr:
        motif = self.used.motif
        text = dict(motif.outputs)[output]
        if text:
            return motif_file.column(frame, text, place, f"motif {motif.name}.{output}")
        assert place is not None, output
        return motif_columns.columns(frame, place)[output]

    def _cut(self, query: exp.Select, names: tuple[str, ...]) -> exp.Select:
        asked = {(names[by] if isinstance(by, int) else by): desc for by, desc in self.order}
        groups = names[: len(self.question.groups)]
        keys = [*asked.items(), *((name, False) for name in groups if name not in asked)]
        columns = {e.alias: e.this for e in query.expressions}
        order = [exp.Ordered(this=columns[name].copy(), desc=desc, nulls_first=False) for name, desc in keys]
        query = query.order_by(*order, copy=False) if order else query
        if self.limit is not None or self.offset is not None:
            query = query.limit(2**63 - 1 if self.limit is None else self.limit, copy=False)
        return query.offset(self.offset, copy=False) if self.offset else query


def prepared(model: Model, spec: Spec, dialect: Dialect, attributes: Attributes) -> tuple[Question, Plan, Over | None]:
    """A spec's question and plan, and what its motif puts over them."""
    if spec.motif is None:
        question = resolve(model, spec)
        return question, planned(model, question, dialect, attributes), None
    if spec.compare is not None:
        message = "a motif and a comparison cannot be asked together"
        raise refused("bad_value", message, where="motif", hint="ask for one of them")
    used = use(model, resolve(model, replace(spec, order=())))
    outputs = [name for name, _, _ in used.columns]
    asked = resolve(model, replace(spec, order=tuple(o for o in spec.order if o.by not in outputs)))
    rest = iter(asked.order)
    order = tuple((o.by, o.desc) if o.by in outputs else next(rest) for o in spec.order)
    question = replace(asked, order=(), limit=None, offset=None)
    params: list[Value] = []
    plan = planned(model, question, dialect, attributes, params)
    _refuse_repeats(model, question, plan, used)
    total = _total(model, question, dialect, attributes, params) if used.motif.name in motif_columns.SHARES else None
    plan = replace(plan, params=tuple(params))
    return question, plan, Over(question, used, total, order, spec.limit, spec.offset, dialect)


def _total(
    model: Model, question: Question, dialect: Dialect, attributes: Attributes, params: list[Value]
) -> tuple[Question, Plan]:
    """The question without its groupings. Conditions on measures choose groups, so they do not make the whole less."""
    kept = tuple(c for c in question.clauses if not any(isinstance(k.member, Measure) for k in checks(c)))
    whole = replace(question, groups=(), clauses=kept)
    return whole, planned(model, whole, dialect, attributes, params)


def _refuse_repeats(model: Model, question: Question, plan: Plan, used: Use) -> None:
    """Totals that repeat, or count a row in several periods, cannot be compared with each other or added up."""
    for node in (n for n in plan.nodes if n.totals):
        time = used.time() if used.motif.name == "cumulative" else None
        below = time is not None and not only_up(
            Joins(model, question.spec.through).path(node.view, question.groups[time].view.name, asked=True)
        )
        if below or len(node.held) < len(question.groups):
            raise refused(
                "mixed_levels",
                f"rows of {node.view} are in several groups, so motif {used.motif.name} would count them again",
                where=node.view,
                hint=f"group by fields that one row of {node.view} has one of",
            )


def _from(frame: Frame, query: exp.Select) -> exp.Select:
    if not frame.staged:
        query = query.from_(motif_columns.alias(BASE, ROWS), copy=False)
    else:
        own = [named(name, BASE) for name in frame.names]
        staged = (exp.alias_(tree, _name(name)) for name, tree in frame.staged.items())
        stage = exp.select(*own, *staged).from_(exp.Table(this=_name(BASE)))
        query = query.with_(_name(ROWS), as_=stage, copy=False).from_(exp.Table(this=_name(ROWS)), copy=False)
    if frame.before is not None:
        query = query.join(motif_columns.alias(BASE, EARLIER), on=frame.before, join_type="left", copy=False)
    return query


def _name(name: str) -> exp.Identifier:
    return exp.to_identifier(name, quoted=True)
