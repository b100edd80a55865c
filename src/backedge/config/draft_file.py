"""Writes drafted views, their topic, agent and configuration as files: commented YAML that a person goes on with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from backedge.semantic.draft import Draft, base_view
from backedge.semantic.model import Dimension, Entity, Measure

MARKER = "# Drafted by `backedge init`. Go on from here; without this line, `--force` leaves the file alone."
"""The first line of every draft: only a file that has it may be written again."""

_BARE = re.compile(r"[a-z_][a-z0-9_]*")
_WIDTH = 110
_BROKEN_AT = re.compile(r"\s+")


def draft_files(
    drafts: Sequence[Draft], *, name: str, database: str, data: str, is_folder: bool
) -> tuple[tuple[str, str], ...]:
    """Every file of the drafted project as (path, text). `data` is where the data is, as the configuration says it."""
    agent = f"{name}.agentic.yml"
    views = tuple((view_path(draft), view_text(draft)) for draft in drafts)
    return (
        ("config.yml", _config(database, data, agent, is_folder=is_folder)),
        (agent, _agent(database)),
        (f"semantics/{name}.topic.yml", _topic(name, drafts)),
        *views,
    )


def view_path(draft: Draft) -> str:
    """Where a view is written."""
    return f"semantics/{draft.view.name}.view.yml"


def is_draft(path: Path) -> bool:
    """Whether a file is one of ours, still marked as a draft."""
    with path.open("rb") as file:
        return file.readline().rstrip() == MARKER.encode()


def _config(database: str, data: str, agent: str, *, is_folder: bool) -> str:
    return _lines(
        MARKER,
        "defaults:",
        f"  database: {_value(database)}",
        f"  agent: {_value(agent)}",
        "",
        "databases:",
        f"  - name: {_value(database)}",
        "    type: duckdb",
        f"    {'dataset' if is_folder else 'path'}: {_value(data)}",
    )


def _agent(database: str) -> str:
    return _lines(
        MARKER,
        "# Which database the agent reads, and which files it answers from.",
        "databases:",
        f"  - {_value(database)}",
        "context:",
        "  - ./semantics/**/*",
        "  # - ./queries/*.sql (verified queries, once there are some)",
    )


def _topic(name: str, drafts: Sequence[Draft]) -> str:
    return _lines(
        MARKER,
        "# `default_filters` here would apply to every question.",
        f"name: {_value(name)}",
        f"base_view: {_value(base_view(drafts))}",
        "views:",
        *(f"  - {_value(draft.view.name)}" for draft in drafts),
    )


def view_text(draft: Draft) -> str:
    """The file of one view."""
    view, table = draft.view, draft.table
    return _lines(
        MARKER,
        *_comment(f"{table.rows:,} rows were read from {table.name}.", ""),
        *(line for note in table.notes for line in _comment(note, "")),
        f"name: {_value(view.name)}",
        f"description: {_value(view.description)}",
        f"datasource: {_value(view.datasource)}",
        f"table: {_value(view.table)}",
        *_section("entities", _entities(draft), has_any=bool(view.entities)),
        *_section("dimensions", _dimensions(draft), has_any=bool(view.dimensions)),
        *_section("measures", _measures(draft), has_any=bool(view.measures)),
        *_left_out(draft),
    )


def _lines(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def _section(name: str, lines: Iterator[str], *, has_any: bool) -> Iterator[str]:
    found = list(lines)
    if found:
        yield ""
        yield f"{name}:" if has_any else f"# {name}:"
        yield from found


def _entities(draft: Draft) -> Iterator[str]:
    for entity in draft.view.entities:
        if entity.type == "primary":
            yield from _comment("Checked on all rows: never empty, never twice.", "  ")
        else:
            yield from _comment("Checked on all rows: every value is a key of the other view.", "  ")
        yield from _entity(entity)
    for entity, why in draft.maybe_entities:
        yield from _comment(f"Not declared, because {why}. To join on it all the same:", "  ")
        yield from _out(_entity(entity))


def _entity(entity: Entity) -> Iterator[str]:
    yield f"  - name: {_value(entity.name)}"
    yield f"    type: {entity.type}"
    if len(entity.keys) == 1:
        yield f"    key: {_value(entity.keys[0])}"
    else:
        yield f"    keys: {_list(entity.keys)}"
    if entity.role:
        yield f"    role: {_value(entity.role)}"


def _dimensions(draft: Draft) -> Iterator[str]:
    for dimension in draft.view.dimensions:
        yield from _comment(draft.comments.get(dimension.name, ""), "  ")
        yield from _dimension(dimension)


def _dimension(dimension: Dimension) -> Iterator[str]:
    yield f"  - name: {_value(dimension.name)}"
    yield f"    type: {dimension.type}"
    yield f"    description: {_value(dimension.description)}"
    yield f"    expr: {_value(dimension.expr)}"
    if dimension.primary_key:
        yield "    primary_key: true"
    if dimension.synonyms:
        yield f"    synonyms: {_list(dimension.synonyms)}"
    if dimension.samples:
        yield f"    samples: {_list(dimension.samples)}"


def _measures(draft: Draft) -> Iterator[str]:
    for measure in draft.view.measures:
        yield from _measure(measure)
    for measure, why in draft.maybe_measures:
        yield from _comment(f"Not declared, because {why}. If it does:", "  ")
        yield from _out(_measure(measure))


def _measure(measure: Measure) -> Iterator[str]:
    yield f"  - name: {_value(measure.name)}"
    yield f"    type: {measure.type}"
    yield f"    description: {_value(measure.description)}"
    if measure.expr:
        yield f"    expr: {_value(measure.expr)}"
    if measure.synonyms:
        yield f"    synonyms: {_list(measure.synonyms)}"


def _left_out(draft: Draft) -> Iterator[str]:
    if draft.left_out:
        yield ""
        yield "# Columns that were left out:"
    for column, why in draft.left_out:
        yield from _comment(f"{column}: {why}", "")


def _out(lines: Iterator[str]) -> Iterator[str]:
    """The lines commented out, so that taking the `# ` away declares them."""
    yield from (f"  # {line[2:]}" for line in lines)


def _comment(text: str, indent: str) -> Iterator[str]:
    """A text as a comment of one line: whatever a file was called, or held, it cannot end the comment."""
    plain = _BROKEN_AT.sub(" ", "".join(letter if letter.isprintable() else " " for letter in text)).strip()
    if plain:
        yield f"{indent}# {plain[: _WIDTH * 3]}"


def _value(text: str) -> str:
    """A scalar: bare where it is a plain name that YAML reads as itself, else in double quotes."""
    if _BARE.fullmatch(text) and yaml.safe_load(text) == text:
        return text
    return _quoted(text)


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    return yaml.safe_dump(text, default_style='"', allow_unicode=True, width=float("inf")).strip()
