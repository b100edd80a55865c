"""A request as JSON, in the keys that airlayer and Oxygen's automations use, as a spec; strict about every key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import get_args

from backedge.kernel.defect import Defect
from backedge.semantic.grains import GRAINS, grain_named
from backedge.semantic.operators import condition_of, date_range
from backedge.semantic.refusal import (
    Findings,
    Refused,
    T,
    did_you_mean,
    nearest,
    refused,
)
from backedge.semantic.spec import All, AnyOf, By, Comparison, Condition, Filter, Order, Policy, Spec, Value

_ALIASES = {"timeDimensions": "time_dimensions", "orders": "order", "dateRange": "date_range", "operator": "op"}
_ALIASES |= {"member": "field", "dimension": "field", "id": "field", "motifParams": "motif_params"}
_KEYS = (
    *("dimensions", "measures", "filters", "segments", "time_dimensions", "order", "limit", "offset", "topic"),
    *("ungrouped", "through", "grain", "motif", "motif_params", "variables"),
    *("timezone", "week_start", "fiscal_year_start", "compare", "part", "per"),
)
_NOT_YET = ()
_DEEPEST = 32


def spec_from_json(data: object) -> Spec | tuple[Defect, ...]:
    """The spec that parsed JSON asks for, or every reason why it is none.

    Kinds of defects: bad_request (a wrong shape), unknown_key, unknown_operator, unknown_grain, bad_value,
    not_supported. Relative dates are not read; the last day of a `date_range` is included, and stored half-open.
    """
    try:
        return _spec(data)
    except Refused as refusal:
        return refusal.defects


def _spec(data: object) -> Spec:
    given = _keys(data, "request", _KEYS, _NOT_YET)
    findings = Findings()

    def read(key: str, make: Callable[[object], T]) -> tuple[T, ...]:
        return findings.each(make, findings.attempt(partial(_list, given.get(key), key)) or ())

    by = read("dimensions", _dimension)
    times = read("time_dimensions", _time_dimension)
    spec = Spec(
        measures=read("measures", partial(_text, where="measures")),
        by=(*by, *(b for b, _ in times if b is not None)),
        where=(*read("filters", partial(_condition, depth=0)), *(f for _, f in times if f is not None)),
        segments=read("segments", partial(_text, where="segments")),
        order=read("order", _order),
        limit=findings.attempt(partial(_whole, given.get("limit"), "limit")),
        offset=findings.attempt(partial(_whole, given.get("offset"), "offset")),
        topic=findings.attempt(partial(_topic, given.get("topic"))),
        through=read("through", partial(_text, where="through")),
    )
    shaped = findings.attempt(partial(_shaped, spec, given))
    findings.close()
    return shaped or spec


def _shaped(spec: Spec, given: Mapping[str, object]) -> Spec:
    """The spec with what is said of the shape of its answer, and with the values of its variables."""
    listing, grain, motif = given.get("ungrouped", False), given.get("grain", "associate"), given.get("motif")
    policy = next((p for p in get_args(Policy) if p == grain), None)
    if policy is None:
        raise refused("bad_value", f"grain is {_short(grain)}", where="grain", hint=f"one of {get_args(Policy)}")
    if not isinstance(listing, bool):
        raise refused("bad_value", f"ungrouped is {_short(listing)}", where="ungrouped", hint="give true or false")
    return replace(
        spec,
        grain=policy,
        listing=listing,
        motif=None if motif is None else _text(motif, "motif"),
        motif_params=_named_values(given, "motif_params"),
        variables=_named_values(given, "variables"),
        timezone=_text_or_none(given, "timezone"),
        week_start=_text_or_none(given, "week_start"),
        fiscal_year_start=_month(given.get("fiscal_year_start")),
        compare=_comparison(given.get("compare")),
        part=tuple(_condition(item, 0) for item in _list(given.get("part"), "part")),
        per=tuple(_text(item, "per") for item in _list(given.get("per"), "per")),
    )


def _text_or_none(given: Mapping[str, object], key: str) -> str:
    return "" if given.get(key) is None else _text(given[key], key)


def _month(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return "" if value is None else _text(value, "fiscal_year_start")


def _comparison(item: object) -> Comparison | None:
    if item is None:
        return None
    given = _keys(item, "compare", ("to", "n", "grain"), ())
    to = given.get("to", "previous_period")
    if to != "previous_period" and to != "previous_year":
        hint = "previous_period or previous_year"
        raise refused("bad_value", f"compare to is {_short(to)}", where="compare", hint=hint)
    number = _whole(given.get("n", 1), "compare n")
    grain = given.get("grain")
    return Comparison(to, 1 if number is None else number, None if grain is None else grain_named(grain, "compare"))


def _named_values(given: Mapping[str, object], key: str) -> tuple[tuple[str, Value], ...]:
    found = given.get(key, {})
    if not isinstance(found, dict):
        raise refused("bad_request", f"{key} wants an object, not {_short(found)}", where=key, hint='{"name": value}')
    return tuple((str(name), _value(value, key)) for name, value in found.items())


def _dimension(item: object) -> By:
    path = _text(item, "dimensions")
    member, _, last = path.rpartition(".")
    grain = next((g for g in GRAINS if g == last), None)
    return By(member, grain) if grain is not None and "." in member else By(path)


def _time_dimension(item: object) -> tuple[By | None, Filter | None]:
    given = _keys(item, "time_dimensions", ("field", "granularity", "date_range", "fill"), ("compare_date_range",))
    member = _text(given.get("field"), "time_dimensions")
    grain, dates = given.get("granularity"), given.get("date_range")
    if grain is None and dates is None:
        hint = "add a granularity to group by, or a date_range to filter by"
        raise refused("bad_request", f"time dimension {member} asks for nothing", where="time_dimensions", hint=hint)
    fill = given.get("fill", False)
    if not isinstance(fill, bool) or (fill and grain is None):
        message = f"fill of {member} is {_short(fill)}"
        raise refused("bad_request", message, where="time_dimensions", hint="true or false, beside a granularity")
    by = None if grain is None else By(member, grain_named(grain, member), fill)
    if dates is None:
        return by, None
    values = [_value(v, member) for v in (dates if isinstance(dates, list) else [dates])]
    return by, Filter(member, "in_range", date_range(values, member))


def _condition(item: object, depth: int) -> Condition:
    if depth > _DEEPEST:
        raise refused("bad_request", f"filters are nested deeper than {_DEEPEST}", where="filters", hint="flatten them")
    given = _keys(item, "filters", ("field", "op", "values", "value", "and", "or"), ())
    group = next((k for k in ("and", "or") if k in given), None)
    if group is None:
        return _filter(given)
    if len(given) > 1:
        message = f"a filter group has {group} alone, not also {', '.join(sorted(set(given) - {group}))}"
        raise refused("bad_request", message, where="filters", hint='nest groups: {"and": [{"or": [...]}, ...]}')
    of = tuple(_condition(part, depth + 1) for part in _list(given[group], group))
    if not of:
        raise refused("bad_request", f"the filter group {group} is empty", where="filters", hint="leave it out")
    return All(of) if group == "and" else AnyOf(of)


def _filter(given: Mapping[str, object]) -> Filter:
    member = _text(given.get("field"), "filters")
    if "value" in given and "values" in given:
        raise refused("bad_request", f"filter on {member} has both value and values", where=member, hint="keep one")
    raw = given.get("values", given.get("value"))
    values = raw if isinstance(raw, list) else [] if raw is None and "value" not in given else [raw]
    return condition_of(
        member, _text(given.get("op"), f"filter on {member}"), [_value(v, member) for v in values], member
    )


def _order(item: object) -> Order:
    given = _keys(item, "order", ("field", "desc", "direction"), ())
    by = _text(given.get("field"), "order")
    desc, direction = given.get("desc", False), given.get("direction")
    if direction is not None:
        if direction not in ("asc", "desc") or "desc" in given:
            raise refused(
                "bad_request", f"order by {by} has direction {direction!r}", where="order", hint="asc or desc"
            )
        desc = direction == "desc"
    if not isinstance(desc, bool):
        raise refused("bad_request", f"desc of order by {by} is {desc!r}", where="order", hint="give true or false")
    return Order(by, desc)


def _keys(item: object, where: str, known: tuple[str, ...], later: tuple[str, ...]) -> dict[str, object]:
    """The item's entries under one spelling each; unknown keys are refused all at once."""
    if not isinstance(item, dict):
        raise refused(
            "bad_request", f"{where} wants an object, not {_short(item)}", where=where, hint="see the request"
        )
    findings = Findings()
    given: dict[str, object] = {}
    for key, value in item.items():
        name = _ALIASES.get(key, key) if key not in known else key
        findings.attempt(partial(_check_key, str(key), str(name), where, known, later, given))
        given[str(name)] = value
    findings.close()
    return {k: v for k, v in given.items() if v is not None or k == "value"}


def _check_key(
    key: str, name: str, where: str, known: tuple[str, ...], later: tuple[str, ...], given: Mapping[str, object]
) -> None:
    if name in given:
        raise refused("bad_request", f"{where} says {key} twice", where=where, hint="keep one spelling")
    if name in later:
        message = f"{key} in {where} is not served yet"
        raise refused("not_supported", message, where=key, hint="leave it out", retryable=False)
    if name not in known:
        near = nearest(key, (*known, *(a for a, n in _ALIASES.items() if n in known)))
        hint = did_you_mean(near) or f"keys: {', '.join(known)}"
        raise refused("unknown_key", f"{where} has no key {key}", where=key, hint=hint, near=near)


def _list(value: object, where: str) -> list[object]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise refused("bad_request", f"{where} wants a list, not {_short(value)}", where=where, hint="write [ ... ]")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise refused("bad_request", f"{where} wants a name, not {_short(value)}", where=where, hint="write text")
    return value


def _topic(value: object) -> str | None:
    return None if value is None else _text(value, "topic")


def _whole(value: object, where: str) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        message = f"{where} wants a whole number, not {_short(value)}"
        raise refused("bad_value", message, where=where, hint="give a whole number from 0 up")
    return value


def _value(value: object, where: str) -> Value:
    if value is None or isinstance(value, str | bool | int | float | Decimal):
        return value
    message = f"{where} has the value {_short(value)}"
    raise refused("bad_value", message, where=where, hint="give text, numbers, true, false or null")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
