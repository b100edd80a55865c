"""The keys that a query counts on to tell rows apart, and the query that finds a key which several rows share."""

from __future__ import annotations

from dataclasses import replace

from backedge.kernel.defect import Defect
from backedge.semantic.model import Measure, Model
from backedge.semantic.plan import Plan, hops_of
from backedge.semantic.policies import without_policies
from backedge.semantic.spec import By, Filter, Key, Order, Spec, Value

_SHARED = "rows sharing a key"


def keys_of(plan: Plan) -> tuple[Key, ...]:
    """Every key that the values of a plan depend on: that of the one side of each join, and of rows behind a bridge."""
    views = {source.view.name: source.view for source in plan.sources}
    names = {name: view.role_of or name for name, view in views.items()}
    found = [key for source in plan.sources for key in source.keys]
    for hop in hops_of(plan.sources, plan.nodes):
        one, side = (hop.child, 1) if hop.step.up else (hop.parent, 0)
        if one in names and not _nested(plan, one):
            found.append(Key(names[one], tuple(pair[side] for pair in hop.step.keys)))
    for node in plan.nodes:
        primary = views[node.view].primary
        if node.key and primary is not None:
            found.append(Key(names[node.view], primary.keys, gaps=True))
    return tuple(dict.fromkeys(found))


def key_check(model: Model, key: Key, variables: tuple[tuple[str, Value], ...] = ()) -> tuple[Model, Spec]:
    """What to compile to find a key that several rows share: no row of it means that there is none.

    Neither topics nor row policies narrow the check: what is unique in all rows is unique in some.
    """
    every = without_policies(model)
    shared = Measure(_SHARED, "count")
    views = tuple(replace(v, measures=(*v.measures, shared)) if v.name == key.view else v for v in every.views)
    measure, paths = f"{key.view}.{_SHARED}", [f"{key.view}.{column}" for column in key.columns]
    known = () if key.gaps else tuple(Filter(path, "set") for path in paths)
    spec = Spec(
        measures=(measure,),
        by=tuple(By(path) for path in paths),
        where=(Filter(measure, "gt", (1,)), *known),
        order=(Order(measure, desc=True),),
        limit=1,
        variables=variables,
    )
    return replace(every, views=views, topics=()), spec


def not_unique(model: Model, key: Key, example: tuple[object, ...], rows: object) -> Defect:
    """The defect of a query that counts on a key which `rows` rows share. What a policy may hide is not shown."""
    columns = ", ".join(key.columns)
    hides = any(v.row_policies for v in (*model.views, *model.guards))  # any view may read what another one's hide
    shown = ", ".join("nothing" if value is None else str(value) for value in example)
    said = "" if hides else f": {rows} rows have {columns} = {shown}"
    return Defect(
        "key_not_unique",
        f"the answer depends on {columns} telling the rows of {key.view} apart, and it does not{said}",
        where=key.view,
        hint=f"mend the data of {key.view}, or declare the key that its rows really have",
        retryable=False,
    )


def _nested(plan: Plan, name: str) -> bool:
    return any(source.view.name == name and source.inner for source in plan.sources)
