"""One SQL expression of a model file as a tree: own columns marked, `{{references}}` taken out, surprises refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from backedge.semantic.dialects import Dialect
from backedge.semantic.model import Model, View
from backedge.semantic.refusal import Refused, refused
from backedge.semantic.slots import OWN, Slot, slot_of
from backedge.semantic.tables import is_file

_TEMPLATE = re.compile(r"\{\{\s*(.*?)\s*\}\}|\$\{\s*(.*?)\s*\}", re.DOTALL)
_NAME = re.compile(r"[^\W\d]\w*")
_REF = "__ref_{}__"
_VARIABLE = "__variable_{}__"
_AGGREGATES = (exp.AggFunc, exp.Anonymous, exp.AnonymousAggFunc, exp.WithinGroup, exp.Filter)


@dataclass(frozen=True)
class Reference:
    """`{{view.name}}`, `{{entity.name}}` or `{{name}}` (then `owner` is empty) as the file writes it."""

    owner: str
    name: str

    def __str__(self) -> str:
        return f"{{{{{self.owner}.{self.name}}}}}" if self.owner else f"{{{{{self.name}}}}}"


@dataclass(frozen=True)
class Parsed:
    """An expression: own columns stand under the table `OWN`, references are slots into `refs`. Copy it to edit it."""

    sql: exp.Expr
    refs: tuple[Reference, ...]

    @property
    def own_columns(self) -> bool:
        """Whether it reads columns of its own table directly."""
        return any(True for _ in self.sql.find_all(exp.Column))

    @property
    def aggregates(self) -> bool:
        """Whether it holds a function that is known to aggregate, outside a window."""
        found = self.sql.find_all(exp.AggFunc, exp.WithinGroup)
        return any(node.find_ancestor(exp.Window) is None for node in found)


def parse(model: Model, view: View, text: str, dialect: Dialect, where: str) -> Parsed:
    """Parse `text` of the member `where` in `view`. Refuses what is not one plain expression (`bad_expression`)."""
    key = (view.name, text, dialect.name, where)
    found = model.memo.get(key)
    if not isinstance(found, Parsed):
        found = model.memo[key] = _parsed(model, view, text, dialect, where)
    return found


def _parsed(model: Model, view: View, text: str, dialect: Dialect, where: str) -> Parsed:
    refs: list[Reference] = []
    variables: list[str] = []
    plain = _TEMPLATE.sub(lambda found: _taken_out(found, refs, variables, where), text)
    tree = _expression(plain, dialect, where, text)
    _refuse_queries(tree, where)
    marked = tree.transform(lambda node: _mark(node, model, view, where))
    found = [slot for node in marked.find_all(exp.Placeholder) if (slot := slot_of(node)) is not None]
    places = {slot.index for slot in found if slot.kind == "ref"}
    filled = {slot.view for slot in found if slot.kind == "variable"}
    if len(places) != len(refs) or filled != set(variables):
        raise bad(where, f"a {{{{reference}}}} stands inside quotes or a name in: {text.strip()}")
    return Parsed(marked, tuple(refs))


def bad(where: str, reason: str, hint: str = "") -> Refused:
    """The refusal of an expression that a model file writes."""
    return refused("bad_expression", f"the expression of {where} cannot be used: {reason}", where=where, hint=hint)


def aggregate_roots(tree: exp.Expr) -> tuple[exp.Expr, ...]:
    """The outermost nodes that may aggregate, so that nothing inside them is counted again."""
    return tuple(n for n in tree.find_all(*_AGGREGATES) if not inside_aggregate(n))


def outside_aggregates(tree: exp.Expr) -> tuple[exp.Expr, ...]:
    """Columns and slots that no aggregate encloses. A variable has one value, wherever it stands."""
    found = (n for n in tree.find_all(exp.Column, exp.Placeholder) if not inside_aggregate(n))
    return tuple(n for n in found if (slot := slot_of(n)) is None or slot.kind != "variable")


def inside_aggregate(node: exp.Expr) -> bool:
    """Whether an aggregate encloses the node."""
    return node.find_ancestor(*_AGGREGATES) is not None


def _taken_out(found: re.Match[str], refs: list[Reference], variables: list[str], where: str) -> str:
    inner = found[1] if found[1] is not None else found[2]
    if inner == "TABLE":
        return OWN
    parts = inner.split(".")
    if parts[0] in ("variables", "params") and len(parts) == 2 and _NAME.fullmatch(parts[1]):
        variables.append(parts[1])
        return _VARIABLE.format(parts[1])
    if len(parts) > 2 or not all(_NAME.fullmatch(p) for p in parts):
        raise bad(where, f"{found[0]} is no reference", "write {{dimension}}, {{view.field}} or {{entity.field}}")
    if parts[0] == "TABLE":
        return f"{OWN}.{parts[1]}"
    refs.append(Reference(parts[0] if len(parts) == 2 else "", parts[-1]))
    return _REF.format(len(refs) - 1)


def _expression(plain: str, dialect: Dialect, where: str, text: str) -> exp.Expr:
    if not plain.strip():
        raise bad(where, "it is empty", "add an expr")
    if "{%" in plain or "{{" in plain:
        raise bad(where, f"templates other than {{{{references}}}} are not read: {text.strip()}")
    try:
        select = sqlglot.parse_one(f"SELECT {plain}\n", dialect=dialect.name)
    except SqlglotError:
        select = None
    if isinstance(select, exp.Select) and [k for k, v in select.args.items() if v] == ["expressions"]:
        columns = select.expressions
        if len(columns) == 1 and not isinstance(columns[0], exp.Alias | exp.Star):
            return columns[0].pop()  # type: ignore[no-any-return]  # sqlglot's expressions are untyped
    if _NAME.fullmatch(plain.strip()):  # a column named like a keyword
        return exp.column(exp.to_identifier(plain.strip(), quoted=True))
    raise bad(where, f"it is not one {dialect.name} expression: {text.strip()}", "quote names that are keywords")


def _refuse_queries(tree: exp.Expr, where: str) -> None:
    for kind, name in ((exp.Query, "a sub-query"), (exp.Lambda, "a lambda"), (exp.Parameter, "a parameter")):
        if tree.find(kind) is not None:
            raise bad(where, f"it holds {name}", "put it into the view's own sql")
    if tree.find(exp.Placeholder) is not None:
        raise bad(where, "it holds a placeholder", "write the value itself")


def _mark(node: exp.Expr, model: Model, view: View, where: str) -> exp.Expr:
    if not isinstance(node, exp.Column) or isinstance(node.this, exp.Star):
        return node
    found = re.fullmatch(r"__ref_(\d+)__", node.name)
    if found and not node.table:
        return Slot("ref", int(found[1])).sql()
    variable = re.fullmatch(r"__variable_(\w+)__", node.name)
    if variable and not node.table:
        return Slot("variable", 0, variable[1]).sql()
    own = exp.to_identifier(OWN, quoted=True)
    if not node.table or node.table == OWN or node.table.lower() in _own_names(view):
        return exp.Column(this=node.this.copy(), table=own)
    if node.args.get("db") or model.view(node.table) is not None:
        raise bad(where, f"{node.sql()} is a column of another table", f"write {{{{{node.table}.field}}}}")
    return exp.Column(this=node.this.copy(), table=node.args["table"].copy(), db=own)  # a field of a struct column


def _own_names(view: View) -> set[str]:
    table = view.table.lower()
    stem = table.rsplit(".", 1)[0] if is_file(table) else table.rsplit(".", 1)[-1]
    return {view.name.lower(), view.role_of.lower(), table, stem} - {""}
