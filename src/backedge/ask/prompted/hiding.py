"""Members whose values no model may see: what else gives those values away, and what prompts hold back for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from backedge.ask.prompted.privacy import Privacy
from backedge.ask.states import Executing, Solving, Specifying
from backedge.ask.withheld import without_values
from backedge.kernel.defect import Defect
from backedge.semantic.model import Dimension, Measure, Model, Segment, View
from backedge.semantic.spec import All, AnyOf, Condition, Filter, Spec

COUNTS = frozenset({"count", "count_distinct", "count_distinct_approx"})  # these tell nothing of a single value
QUOTES_CELLS = frozenset({"empty", "all_null", "duplicate_groups", "duplicate_rows", "key_not_unique"})
QUOTES_CELLS |= {"unknown_value", "outlier", "stale", "sql_type", "sql_sql"}
WITHHELD = "(withheld)"
_REFERENCE = re.compile(r"\{\{\s*(.*?)\s*\}\}|\$\{\s*(.*?)\s*\}", re.DOTALL)
_OWN_TABLE = re.compile(r"\{\{\s*TABLE\s*\}\}\.?")
_NAME = re.compile(r"[^\W\d]\w*")
_Column = tuple[str, str]  # the text of what is read, and a name in it


@dataclass(frozen=True)
class Hiding:
    """The `members` whose values are hidden, and the `columns` (in lower case) that these are read from.

    `patterns` are the agent's own, for columns that no member stands for.
    """

    members: frozenset[str] = frozenset()
    columns: frozenset[str] = frozenset()
    patterns: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything is hidden."""
        return bool(self.members or self.patterns)

    def hides(self, path: str) -> bool:
        """Whether the values of a member, or of what was added to a measure (`view.member.change`), are hidden."""
        return ".".join(path.split(".")[:2]) in self.members

    def is_read_by(self, sql: str, dialect: str) -> bool:
        """Whether rows of SQL that no spec stands behind may hold hidden values. What cannot be told may."""
        if not self:
            return False
        try:
            tree = sqlglot.parse_one(sql, dialect=dialect)
        except SqlglotError:
            return True
        if next(tree.find_all(exp.Columns, exp.Pivot), None) is not None:
            return True
        if any(not isinstance(star.parent, exp.Count) for star in tree.find_all(exp.Star)):
            return True
        tables = {table.alias_or_name.casefold() for table in tree.find_all(exp.Table, exp.CTE, exp.Subquery)}
        names = {column.name.casefold() for column in tree.find_all(exp.Column)}
        return not names.isdisjoint(tables) or any(map(self._is_column, names))

    def _is_column(self, name: str) -> bool:
        """Whether a column of any table may be a hidden one: a table's name says little of where its data come from."""
        return name in self.columns or any(
            fnmatchcase(name, pattern.rpartition(".")[2].casefold()) for pattern in self.patterns
        )

    def defect(self, defect: Defect, samples: int) -> Defect:
        """A defect as a lesson may tell it: where it could quote hidden values, or none may be shown, without them."""
        if defect.kind not in QUOTES_CELLS:
            return defect
        paths = [path for path in defect.where.split(", ") if "." in path]
        if samples and (not self or (paths and not any(map(self.hides, paths)))):
            return replace(defect, near=defect.near[:samples])
        said = f"{defect.kind.replace('_', ' ')}; what was said of it is withheld, because it may quote values"
        return replace(defect, message=said, near=())

    def spec(self, spec: Spec, typed: str) -> Spec:
        """A spec whose values of hidden members are withheld, but for those that the person typed."""

        def told(condition: Condition) -> Condition:
            if not isinstance(condition, Filter):
                kind = All if isinstance(condition, All) else AnyOf
                return kind(tuple(told(part) for part in condition.of))
            if not self.hides(condition.member):
                return condition
            values = tuple(v if _is_typed(v, typed) else WITHHELD for v in condition.values)
            return replace(condition, values=values)

        return replace(spec, where=tuple(told(condition) for condition in spec.where)) if self else spec

    def text(self, text: str, spec: Spec | None, typed: str) -> str:
        """Words about a spec without its values of hidden members, but for those that the person typed."""
        values = [value for condition in spec.where for value in self._values(condition)] if self and spec else []
        for value in sorted({str(value) for value in values if not _is_typed(value, typed)}, key=len, reverse=True):
            text = text.replace(value, WITHHELD)
        return text

    def note(self, text: str) -> str:
        """A remark about data without the values that it may quote, where anything is hidden."""
        return without_values(text) if self else text

    def catalog(self, model: Model) -> Model:
        """The model without samples of hidden members."""
        if not self:
            return model
        return replace(model, views=tuple(self._unsampled(view) for view in model.views))

    def _unsampled(self, view: View) -> View:
        return replace(
            view,
            dimensions=tuple(
                replace(d, samples=()) if f"{view.name}.{d.name}" in self.members else d for d in view.dimensions
            ),
            measures=tuple(
                replace(m, samples=()) if f"{view.name}.{m.name}" in self.members else m for m in view.measures
            ),
        )

    def _values(self, condition: Condition) -> Iterator[object]:
        if isinstance(condition, Filter):
            yield from condition.values if self.hides(condition.member) else ()
        else:
            for part in condition.of:
                yield from self._values(part)


def typed_for(state: Executing | Solving | Specifying) -> str:
    """What the person typed on the way to a state: the question and the answers."""
    while not isinstance(state, Specifying):
        state = state.came_from
    given = (*state.came_from.given, *state.given)
    return " ".join((state.came_from.question.text, *(answer.value for answer in given)))


def hiding_of(model: Model, privacy: Privacy) -> Hiding:
    """What an agent hides: what its file and its views say, and every member that is made of that."""
    hidden = {path for path, view, member in _members(model) if _is_named(path, view, member, privacy)}
    columns: set[_Column] = set()
    before = -1
    while before != len(hidden) + len(columns):
        before = len(hidden) + len(columns)
        for path, view, member in _members(model):
            if path in hidden and isinstance(member, Dimension):
                columns |= {(_source(view), name) for name in _columns(member.expr)}
        for view in model.views if columns else ():
            columns |= {(_source(view), name) for name in _renamed(view, {name for _, name in columns})}
        hidden |= {path for path, view, member in _members(model) if _gives_away(view, member, hidden, columns)}
    names = {name for _, name in columns}
    before_names = {name for view in model.views for name in _behind(view, names)}
    return Hiding(frozenset(hidden), frozenset(names | before_names), privacy.hidden)


def _members(model: Model) -> Iterator[tuple[str, View, Dimension | Measure]]:
    for view, member in model.members():
        if not isinstance(member, Segment):
            yield f"{view.name}.{member.name}", view, member


def _is_named(path: str, view: View, member: Dimension | Measure, privacy: Privacy) -> bool:
    sensitive = isinstance(member, Dimension) and member.sensitive
    return sensitive or privacy.hides(path) or privacy.hides(f"{view.role_of or view.name}.{member.name}")


def _source(view: View) -> str:
    """What a view reads: two views of one table have its columns in common."""
    return (view.table or view.sql).casefold()


def _gives_away(view: View, member: Dimension | Measure, hidden: set[str], columns: set[_Column]) -> bool:
    """Whether values of a member are made of hidden ones. Counts of them tell no value."""
    if isinstance(member, Measure) and member.type in COUNTS:
        return False
    parts = [member.expr]
    if isinstance(member, Measure):
        parts += [f"{{{{{name}}}}}" for name in (member.numerator, member.denominator) if name]
    elif member.sub_query:
        parts = [f"{{{{{member.expr}}}}}"]
    named = {path for part in parts for path in _referenced(part, view)}
    read = {(_source(view), column) for part in parts for column in _columns(part)}
    return not named.isdisjoint(hidden) or not read.isdisjoint(columns)


def _referenced(text: str, view: View) -> Iterator[str]:
    for match in _REFERENCE.finditer(text):
        name = (match[1] or match[2] or "").strip()
        yield name if "." in name else f"{view.name}.{name}"


def _columns(text: str) -> set[str]:
    """The columns that an expression reads, in lower case; where it cannot be parsed, every word of it."""
    plain = _REFERENCE.sub(" NULL ", _OWN_TABLE.sub("", text)).strip()
    if not plain:
        return set()
    try:
        return {column.name.casefold() for column in sqlglot.parse_one(plain).find_all(exp.Column)}
    except SqlglotError:
        return {word.casefold() for word in _NAME.findall(plain)}


def _renamed(view: View, columns: set[str]) -> set[str]:
    """What a view's own query calls what it makes of hidden columns."""
    aliases = _aliases(view)
    if aliases is None:
        return columns
    made = {name for name, read in aliases if not read.isdisjoint(columns)}
    return made | (columns & {word.casefold() for word in _NAME.findall(view.sql)})


def _behind(view: View, columns: set[str]) -> set[str]:
    """The columns that a view's own query makes hidden ones of."""
    return {name for alias, read in _aliases(view) or () if alias in columns for name in read}


def _aliases(view: View) -> list[tuple[str, set[str]]] | None:
    """Each name that a view's query gives with the columns that it is made of; None where that cannot be told."""
    try:
        tree = sqlglot.parse_one(view.sql) if view.sql.strip() else None
    except SqlglotError:
        return None
    if tree is None:
        return []
    if any(not isinstance(star.parent, exp.Count) for star in tree.find_all(exp.Star)):
        return None
    found = tree.find_all(exp.Alias)
    return [(a.alias.casefold(), {c.name.casefold() for c in a.find_all(exp.Column)}) for a in found]


def _is_typed(value: object, typed: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(str(value).casefold())}(?!\w)", typed.casefold()) is not None
