"""What `backedge compile` prints: the SQL with its values, columns and notes, or every reason why there is none."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from backedge.cli.exits import CANNOT_ANSWER, FORBIDDEN, NOT_PERMITTED
from backedge.config.project import load_project
from backedge.kernel.defect import Defect
from backedge.query.exact_json import dumps
from backedge.semantic.compile import compile_spec
from backedge.semantic.explain import explain
from backedge.semantic.saved_queries import from_text, spec_with
from backedge.semantic.spec import Compiled, Spec

Page = tuple[str, int]


def read_spec(source: str) -> object:
    """The JSON object of a file or of stdin; a text says why there is none."""
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        return f"{source} cannot be read: {error}"
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        return f"{source}:{error.lineno}:{error.colno}: this is no JSON ({error.msg})"
    return data if isinstance(data, dict) else f"{source}: a spec is a JSON object, not {type(data).__name__}"


@dataclass(frozen=True)
class PageManner:
    """How a spec is shown, for which database, to whom, and with which values of its parameters."""

    as_json: bool
    explained: bool
    dialect: str
    attributes: Mapping[str, tuple[str, ...]]
    given: Mapping[str, str]


def compile_page(folder: Path, agent: str | None, data: object, manner: PageManner) -> Page:
    """The text to print, and the exit code."""
    model = load_project(folder, agent).catalog.model
    spec = spec_with(data, {name: from_text(text) for name, text in manner.given.items()})
    if not isinstance(spec, Spec):
        return _refused(spec, manner.as_json)
    compiled = compile_spec(model, spec, manner.dialect, attributes=manner.attributes)
    if manner.explained:
        text = explain(model, spec, manner.dialect, attributes=manner.attributes)
        return text, 0 if isinstance(compiled, Compiled) else _code(compiled)
    return _compiled(compiled, manner.as_json) if isinstance(compiled, Compiled) else _refused(compiled, manner.as_json)


def _compiled(compiled: Compiled, as_json: bool) -> Page:
    columns = [asdict(column) for column in compiled.columns]
    if as_json:
        shown = {
            "sql": compiled.sql,
            "params": list(compiled.params),
            "columns": columns,
            "notes": list(compiled.notes),
        }
        return dumps(shown, 2), 0
    lines = [compiled.sql]
    lines += [f"-- ${n} = {value!r}" for n, value in enumerate(compiled.params, 1)]
    lines += [f"-- {note}" for note in compiled.notes]
    return "\n".join(lines), 0


def _refused(defects: tuple[Defect, ...], as_json: bool) -> Page:
    if as_json:
        return dumps({"defects": [asdict(defect) for defect in defects]}, 2), _code(defects)
    lines = []
    for defect in defects:
        told = not defect.near or defect.near[0] in defect.hint
        near = "" if told else f" (nearest: {', '.join(defect.near)})"
        hint = f"\n  {defect.hint}" if defect.hint else ""
        lines.append(f"{defect.kind}: {defect.message}{near}{hint}")
    return "\n".join(lines), _code(defects)


def _code(defects: tuple[Defect, ...]) -> int:
    return NOT_PERMITTED if any(defect.kind in FORBIDDEN for defect in defects) else CANNOT_ANSWER
