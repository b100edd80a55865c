"""The catalog excerpt of a prompt: the members that may matter, with what the model's vendor may see of them."""

from __future__ import annotations

from collections.abc import Iterable

from backedge.ask.prompted.search import Entry
from backedge.query.ports import TableInfo

MOST = 40  # entries in one prompt: never the whole of a large catalog


def excerpt(entries: Iterable[Entry], samples: int) -> str:
    """One line for each entry: its kind, path, synonyms, description and at most `samples` of its values."""
    return "\n".join(_line(entry, samples) for entry in entries)


def _line(entry: Entry, samples: int) -> str:
    about = [f"{entry.kind} {entry.path}"]
    if entry.synonyms:
        about.append(f"also called: {', '.join(entry.synonyms)}")
    if entry.description.strip():
        about.append(" ".join(entry.description.split()))
    if samples and entry.samples:
        about.append(f"values such as: {', '.join(entry.samples[:samples])}")
    return " | ".join(about)


def tables_text(tables: Iterable[TableInfo]) -> str:
    """The introspected tables of a database: a line for each, with its columns and their types."""
    return "\n".join(f"table {t.name}: {', '.join(f'{name} {kind}' for name, kind in t.columns)}" for t in tables)
