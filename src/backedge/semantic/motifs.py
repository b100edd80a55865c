"""Motifs: which there are, what each is given by a question, and the columns that each adds to its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from backedge.semantic.model import Model, Motif, MotifParam
from backedge.semantic.names import output_names
from backedge.semantic.refusal import Refused, did_you_mean, nearest, refused
from backedge.semantic.resolve import Asked, Group, Question
from backedge.semantic.spec import Value

_MEASURE = MotifParam("measure", "measure")
_TIME = MotifParam("time", "dimension", temporal=True)
_PREVIOUS = ("previous_value", "growth_rate")
SHIFTED = {"yoy": "year", "qoq": "quarter", "mom": "month", "wow": "week", "dod": "day"}
OUTPUTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(SHIFTED, _PREVIOUS),
    "anomaly": ("mean_value", "stddev_value", "z_score", "is_anomaly"),
    "contribution": ("total", "share"),
    "trend": ("row_n", "slope", "intercept", "trend_value"),
    "moving_average": ("moving_avg",),
    "rank": ("rank",),
    "percent_of_total": ("percent_of_total",),
    "cumulative": ("cumulative_value",),
}
_TIMED = (*SHIFTED, "trend", "moving_average", "cumulative")
_NUMBERS = {
    "anomaly": MotifParam("threshold", "number", default=2),
    "moving_average": MotifParam("window", "number", default=6),
}


@dataclass(frozen=True)
class Use:
    """A motif over a question: `columns` are (output name, measure or None, motif output) in order.

    `measures`, `dimensions` and `values` are what its parameters stand for; a parameter that takes each measure of the
    question in turn is in none of them.
    """

    motif: Motif
    columns: tuple[tuple[str, int | None, str], ...]
    measures: dict[str, int]
    dimensions: dict[str, int]
    values: dict[str, Value]
    each: str = ""

    def time(self) -> int | None:
        """The place of the grouping that the motif goes along, or None."""
        named = (p.name for p in self.motif.params if p.temporal)
        return next((self.dimensions[name] for name in named), None)


def built_in(name: str) -> Motif | None:
    """The motif of that name that needs no file, or None."""
    if name not in OUTPUTS:
        return None
    params = (_MEASURE, *((_TIME,) if name in _TIMED else ()), *((_NUMBERS[name],) if name in _NUMBERS else ()))
    return Motif(name, params, tuple((output, "") for output in OUTPUTS[name]))


def use(model: Model, question: Question) -> Use:
    """The motif that a question asks for, with everything it is given. Refuses what does not fit."""
    asked = question.spec.motif or ""
    motif = next((m for m in model.motifs if m.name == asked), None) or built_in(asked)
    if motif is None:
        known = (*OUTPUTS, *(m.name for m in model.motifs))
        near = nearest(asked, known)
        hint = did_you_mean(near) or f"motifs: {', '.join(known)}"
        raise refused("unknown_motif", f"there is no motif {asked}", where="motif", hint=hint, near=near)
    if not question.measures:
        raise refused("missing_parameter", f"motif {asked} needs a measure", where="motif", hint="ask for a measure")
    given = dict(question.spec.motif_params)
    _refuse_unknown(motif, given)
    needed = [p.name for p in motif.params if p.type == "measure"]
    each = needed[0] if len(needed) == 1 and needed[0] not in given else ""
    measures = {n: _measure(motif, n, given.get(n), question.measures) for n in needed if n != each}
    dimensions = {p.name: _dimension(motif, p, given.get(p.name), question) for p in motif.params if _groups(p)}
    values = {p.name: _value(motif, p, given) for p in motif.params if p.type in ("number", "string")}
    return Use(motif, _columns(motif, question, measures, each), measures, dimensions, values, each)


def _columns(
    motif: Motif, question: Question, measures: dict[str, int], each: str
) -> tuple[tuple[str, int | None, str], ...]:
    names = output_names(question)
    taken = {name.lower() for name in names}
    width = len(question.groups)
    single = next(iter(measures.values()), None) if len(measures) == 1 else None
    over: list[int | None] = [*range(len(question.measures))] if each else [single]
    found: list[tuple[str, int | None, str]] = []
    for place in over:
        for output, _ in motif.outputs:
            many = len(question.measures) > 1 and place is not None
            name = f"{names[width + (place or 0)]}__{output}" if many else output
            while name.lower() in taken:
                name = f"{name}_{motif.name}"
            taken.add(name.lower())
            found.append((name, place, output))
    return tuple(found)


def _groups(param: MotifParam) -> bool:
    return param.type == "dimension"


def _refuse_unknown(motif: Motif, given: dict[str, Value]) -> None:
    names = [p.name for p in motif.params]
    for name in given:
        if name not in names:
            near = nearest(name, names)
            hint = did_you_mean(near) or f"parameters: {', '.join(names)}"
            message = f"motif {motif.name} has no parameter {name}"
            raise refused("unknown_parameter", message, where=f"motif_params.{name}", hint=hint, near=near)


def _measure(motif: Motif, name: str, given: Value, measures: tuple[Asked, ...]) -> int:
    paths = [m.path for m in measures]
    found = [i for i, m in enumerate(measures) if given in (m.path, m.measure.name)]
    if len(found) != 1:
        raise _not_given(motif, name, given, "measure", paths)
    return found[0]


def _dimension(motif: Motif, param: MotifParam, given: Value, question: Question) -> int:
    fits = [i for i, g in enumerate(question.groups) if not param.temporal or _is_time(g)]
    names = [question.groups[i].by.name for i in fits]
    if given is not None:
        fits = [i for i in fits if given in (question.groups[i].by.name, question.groups[i].by.member)]
    if len(fits) != 1:
        kind: Literal["time dimension", "dimension"] = "time dimension" if param.temporal else "dimension"
        raise _not_given(motif, param.name, given, kind, names)
    return fits[0]


def _is_time(group: Group) -> bool:
    return group.dimension.type in ("date", "datetime")


def _not_given(motif: Motif, name: str, given: Value, kind: str, names: list[str]) -> Refused:
    said = f"{given!r} is no" if given is not None else "the question must say which" if names else "it needs a"
    message = f"motif {motif.name}: {said} {kind} of the question ({name})"
    hint = f'"motif_params": {{"{name}": "{names[0]}"}}' if names else f"group by a {kind}"
    kind_of = "bad_value" if given is not None else "missing_parameter"
    return refused(kind_of, message, where=f"motif_params.{name}", hint=hint, near=names)


def _value(motif: Motif, param: MotifParam, given: dict[str, Value]) -> Value:
    value = given.get(param.name, param.default)
    if value is None:
        message = f"motif {motif.name} needs a value for {param.name}"
        raise refused("missing_parameter", message, where=f"motif_params.{param.name}", hint="give it in motif_params")
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number != (param.type == "number"):
        message = f"motif {motif.name}: {param.name} is {value!r}, no {param.type}"
        raise refused("bad_value", message, where=f"motif_params.{param.name}", hint=f"give a {param.type}")
    return value
