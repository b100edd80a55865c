"""Templates of automations: sandboxed Jinja over variables and earlier outputs; an unknown name is an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from jinja2 import StrictUndefined, TemplateError, Undefined, UndefinedError, meta
from jinja2.nodes import Output as Printed
from jinja2.sandbox import ImmutableSandboxedEnvironment

from backedge.kernel.defect import Defect
from backedge.semantic.refusal import nearest

ERRORS = (TemplateError, TypeError, ValueError, ArithmeticError, LookupError)


class _Strict(StrictUndefined):
    """A name that nothing has: printing it, comparing it and going into it are errors."""


def _printed(value: object) -> object:
    return "" if value is None else value


ENVIRONMENT = ImmutableSandboxedEnvironment(undefined=_Strict, finalize=_printed)


class TemplateProblem(Exception):
    """A template cannot be rendered. `defect` says why, and which names there are."""

    def __init__(self, defect: Defect) -> None:
        super().__init__(defect.message)
        self.defect = defect


def render(template: str, names: Mapping[str, Any]) -> str:
    """The text of a template. Raises `TemplateProblem`."""
    return str(_attempt(template, names, lambda: ENVIRONMENT.from_string(template).render(names)))


def value_of(template: str, names: Mapping[str, Any]) -> Any:
    """The value where the whole template is one `{{ expression }}`, else its text. Raises `TemplateProblem`."""
    expression = single(template)
    return render(template, names) if expression is None else evaluate(expression, names)


def evaluate(expression: str, names: Mapping[str, Any]) -> Any:
    """The value of a Jinja expression. Raises `TemplateProblem`."""

    def work() -> Any:
        value = ENVIRONMENT.compile_expression(expression, undefined_to_none=False)(**names)
        return str(value) if isinstance(value, Undefined) else value  # printing an unknown name is the error

    return _attempt(expression, names, work)


def _attempt(text: str, names: Mapping[str, Any], work: Any) -> Any:
    try:
        return work()
    except ERRORS as error:
        raise TemplateProblem(_defect(text, names, error)) from error


def _defect(text: str, names: Mapping[str, Any], error: Exception) -> Defect:
    known = ", ".join(sorted(names)) or "none"
    said = " ".join(str(error).split())
    if isinstance(error, UndefinedError):
        unknown = [name for name in sorted(needed((text,))) if name not in names]
        near = tuple(dict.fromkeys(n for name in unknown for n in nearest(name, names)))
        return Defect(
            "template_name", f"{said} (there is: {known})", hint="name a variable or an earlier task", near=near
        )
    return Defect("template", f"the template cannot be rendered: {said}", where=text[:80])


@cache
def single(template: str) -> str | None:
    """The expression of a template that is nothing but one, else None."""
    text = template.strip()
    if not (text.startswith("{{") and text.endswith("}}")):
        return None
    try:
        body = ENVIRONMENT.parse(text).body
    except TemplateError:
        return None
    whole = len(body) == 1 and isinstance(body[0], Printed) and len(body[0].nodes) == 1
    return text[2:-2].strip("-+ \n") if whole else None


def needed(templates: Iterable[str]) -> frozenset[str]:
    """The names that templates look up outside of themselves; none of one that cannot be parsed."""
    return frozenset(name for template in templates for name in _needed(template))


@cache
def _needed(template: str) -> frozenset[str]:
    for text in (template, f"{{{{ {template} }}}}"):
        try:
            if names := meta.find_undeclared_variables(ENVIRONMENT.parse(text)):
                return frozenset(names)
        except TemplateError:
            continue
    return frozenset()


def texts_in(value: object) -> Iterator[str]:
    """Every text in JSON-like data: where templates may stand."""
    match value:
        case str():
            yield value
        case Mapping():
            for item in value.values():
                yield from texts_in(item)
        case list() | tuple():
            for item in value:
                yield from texts_in(item)


def filled(value: Any, names: Mapping[str, Any]) -> Any:
    """JSON-like data with every text in it rendered; one that is a single expression becomes its value."""
    match value:
        case str():
            return value_of(value, names) if "{" in value else value
        case Mapping():
            return {key: filled(item, names) for key, item in value.items()}
        case list() | tuple():
            return [filled(item, names) for item in value]
        case _:
            return value
