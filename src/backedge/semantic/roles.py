"""Role-playing joins: a view seen through a foreign key that has a role is a view of its own, named by the role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from backedge.semantic.model import Entity, Model, View
from backedge.semantic.spec import AnyOf, Condition, Filter, Order, Spec


def with_roles(model: Model) -> Model:
    """The model with a view for every role; the model itself where no entity has one.

    A role that `role_problems` names gets no view, so its key joins nothing.
    """
    if not any(entity.role for view in model.views for entity in view.entities):
        return model
    seen = {name: _through(target, entity) for name, (target, entity) in _roles(model).items()}
    return replace(model, views=(*(_renamed(view) for view in model.views), *map(_renamed, seen.values())))


def role_problems(model: Model) -> Iterator[tuple[Entity, str]]:
    """Every role that cannot be served, with the reason."""
    first: dict[str, str] = {}
    for _, entity in _declared(model):
        targets = _targets(model, entity)
        if entity.type == "primary":
            yield entity, f"`role: {entity.role}` stands on a primary entity: only a foreign key has a role"
        elif model.view(entity.role) is not None:
            yield entity, f"`role: {entity.role}` is the name of a view: choose another"
        elif len(targets) != 1:
            found = " and ".join(view.name for view in targets) or "no view"
            yield entity, f"`role: {entity.role}` needs one view with a primary `{entity.name}`, and {found} has it"
        elif first.setdefault(entity.role, targets[0].name) != targets[0].name:
            yield entity, f"`role: {entity.role}` stands for view {first[entity.role]} already: choose another name"


def plain_paths(model: Model, spec: Spec) -> Spec:
    """The spec with every path `view.role.member` written `role.member`."""

    def plain(path: str) -> str:
        owner, _, rest = path.partition(".")
        view, role = model.view(owner), model.view(rest.partition(".")[0])
        played = view is not None and role is not None and role.role_of and "." in rest
        return rest if played and view and any(e.name == role.name for e in view.entities if role) else path

    def condition(given: Condition) -> Condition:
        if isinstance(given, Filter):
            return replace(given, member=plain(given.member))
        kind = AnyOf if isinstance(given, AnyOf) else type(given)
        return kind(tuple(condition(part) for part in given.of))

    if not any(view.role_of for view in model.views):
        return spec
    return replace(
        spec,
        measures=tuple(plain(path) for path in spec.measures),
        by=tuple(replace(by, member=plain(by.member)) for by in spec.by),
        where=tuple(condition(given) for given in spec.where),
        segments=tuple(plain(path) for path in spec.segments),
        order=tuple(Order(plain(order.by), order.desc) for order in spec.order),
    )


def _declared(model: Model) -> Iterator[tuple[View, Entity]]:
    yield from ((view, entity) for view in model.views for entity in view.entities if entity.role)


def _targets(model: Model, entity: Entity) -> tuple[View, ...]:
    return tuple(
        view
        for view in model.views
        if not view.role_of and any(e.name == entity.name and e.type == "primary" for e in view.entities)
    )


def _roles(model: Model) -> dict[str, tuple[View, Entity]]:
    wrong = {(entity.role, entity.at, entity.keys) for entity, _ in role_problems(model)}
    found: dict[str, tuple[View, Entity]] = {}
    for _, entity in _declared(model):
        if (entity.role, entity.at, entity.keys) not in wrong:
            found.setdefault(entity.role, (_targets(model, entity)[0], entity))
    return found


def _through(target: View, entity: Entity) -> View:
    """The target under the role's name, with what else it joins by, but not its own roles: they would never end."""
    own = tuple(replace(e, name=entity.role) for e in target.entities if e.type == "primary" and e.name == entity.name)
    onward = tuple(e for e in target.entities if e.type == "foreign" and not e.role)
    return replace(target, name=entity.role, entities=(*own, *onward), role_of=target.name)


def _renamed(view: View) -> View:
    entities = tuple(replace(e, name=e.role, role="") if e.role else e for e in view.entities)
    return replace(view, entities=entities)
