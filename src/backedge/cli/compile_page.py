"""What `backedge compile` prints: the SQL with its values, columns and notes, or every reason why there is none."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from backedge.cli.exact_json import dumps
from backedge.config.project import load_project
from backedge.kernel.defect import Defect
from backedge.semantic.compile import compile_spec
from backedge.semantic.explain import explain
from backedge.semantic.model import Model
from backedge.semantic.request import spec_from_json
from backedge.semantic.spec import Compiled, Spec

Page = tuple[str, bool]


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


def compile_page(
    folder: Path, agent: str | None, data: object, *, as_json: bool, explained: bool, dialect: str
) -> Page:
    """The text to print, and whether the spec was refused."""
    model = load_project(folder, agent).catalog.model
    spec = spec_from_json(data)
    if not isinstance(spec, Spec):
        return _refused(spec, as_json)
    if explained:
        return explain(model, spec, dialect), False
    return _compiled(model, spec, as_json, dialect)


def _compiled(model: Model, spec: Spec, as_json: bool, dialect: str) -> Page:
    compiled = compile_spec(model, spec, dialect)
    if not isinstance(compiled, Compiled):
        return _refused(compiled, as_json)
    columns = [asdict(column) for column in compiled.columns]
    if as_json:
        shown = {
            "sql": compiled.sql,
            "params": list(compiled.params),
            "columns": columns,
            "notes": list(compiled.notes),
        }
        return dumps(shown, 2), False
    lines = [compiled.sql]
    lines += [f"-- ${n} = {value!r}" for n, value in enumerate(compiled.params, 1)]
    lines += [f"-- {note}" for note in compiled.notes]
    return "\n".join(lines), False


def _refused(defects: tuple[Defect, ...], as_json: bool) -> Page:
    if as_json:
        return dumps({"defects": [asdict(defect) for defect in defects]}, 2), True
    lines = []
    for defect in defects:
        near = f" (nearest: {', '.join(defect.near)})" if defect.near else ""
        hint = f"\n  {defect.hint}" if defect.hint else ""
        lines.append(f"{defect.kind}: {defect.message}{near}{hint}")
    return "\n".join(lines), True
