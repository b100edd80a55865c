"""The catalog excerpt of a prompt: the members that may matter, with what the model's vendor may see of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from backedge.ask.delegable import Delegable
from backedge.ask.prompted.search import Entry
from backedge.query.ports import TableInfo

MOST = 40  # entries in one prompt: never the whole of a large catalog
LONGEST_EXCERPT = 12_000  # characters, of the entries, and of the tables
LONGEST_LINE, LONGEST_TABLE = 500, 4_000
LONGEST_NOTE, LONGEST_NOTES = 6_000, 18_000
SUCH_AS, NAMED = "values such as: ", "the question has words for its values: "
_WORD = re.compile(r"[^\W_]+")


def excerpt(entries: Iterable[Entry], samples: int) -> str:
    """One line for each entry: its kind, path, synonyms, description and at most `samples` of its values.

    What is said of a view stands once, before the first of its members.
    """
    return _bounded(_lines(entries, samples))


def _lines(entries: Iterable[Entry], samples: int) -> Iterator[str]:
    told: set[str] = set()
    for entry in entries:
        if entry.about and entry.view not in told:
            told.add(entry.view)
            yield f"view {entry.view} | {_one_line(entry.about)}"
        yield _line(entry, samples)


def _line(entry: Entry, samples: int) -> str:
    about = [f"{entry.kind} {entry.path}"]
    if samples and entry.values:
        about.append(f"{NAMED}{', '.join(entry.values[:samples])}")
    if entry.synonyms:
        about.append(f"also called: {', '.join(entry.synonyms)}")
    if entry.description.strip():
        about.append(_one_line(entry.description))
    if samples and entry.samples:
        about.append(f"{SUCH_AS}{', '.join(entry.samples[:samples])}")
    return " | ".join(about)


def sampled(shown: str) -> list[str]:
    """The paths of an excerpt whose values are in it: for the journal."""
    lines = [line.split(" | ") for line in shown.splitlines()]
    return [parts[0].rpartition(" ")[2] for parts in lines if any(p.startswith((SUCH_AS, NAMED)) for p in parts[1:])]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _bounded(lines: Iterable[str], longest: int = LONGEST_LINE) -> str:
    """The lines, each cut short where it is long, as far as there is room; what is left out is said."""
    kept: list[str] = []
    room, left = LONGEST_EXCERPT, 0
    for line in lines:
        short = line if len(line) <= longest else f"{line[: longest - 1]}…"
        if len(short) + 1 > room:
            room, left = 0, left + 1
            continue
        kept.append(short)
        room -= len(short) + 1
    return "\n".join((*kept, f"({left} more are not shown)" if left else "")).strip()


def tables_text(tables: Iterable[TableInfo], text: str = "") -> str:
    """The introspected tables of a database: a line for each, with its columns and their types.

    Those that share the most words with `text` go first; what does not fit is left out, and that is said.
    """
    asked = _words(text)
    ranked = sorted(tables, key=lambda table: -_shared(table, asked)) if asked else tables
    lines = (f"table {t.name}: {', '.join(f'{name} {kind}' for name, kind in t.columns)}" for t in ranked)
    return _bounded(lines, LONGEST_TABLE)


def _shared(table: TableInfo, asked: frozenset[str]) -> int:
    """Words that a table has in common with a question; those of its own name count for more than its columns'."""
    columns = frozenset(word for name, _ in table.columns for word in _words(name))
    return 2 * len(asked & _words(table.name)) + len(asked & columns)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in _WORD.findall(text.casefold()) if len(word) > 2)


def automations_text(automations: Iterable[Delegable]) -> str:
    """The automations that a question may be handed to: a line for each, with what it is for and what it takes."""
    return _bounded(map(_automation_line, automations))


def _automation_line(automation: Delegable) -> str:
    about = [f"automation {automation.name}"]
    if automation.description.strip():
        about.append(_one_line(automation.description))
    if automation.include:
        about.append(f"for: {'; '.join(automation.include)}")
    if automation.exclude:
        about.append(f"not for: {'; '.join(automation.exclude)}")
    for taken in automation.takes:
        choices = f", one of {', '.join(taken.choices)}" if taken.choices else ""
        about.append(f"{'needs' if taken.required else 'may have'} {taken.name} ({_one_line(taken.about)}{choices})")
    return " | ".join(about)


def notes_shown(notes: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The notes of a context as far as a prompt has room for them; what is cut says so."""
    shown: list[tuple[str, str]] = []
    room = LONGEST_NOTES
    for name, text in notes:
        most = min(LONGEST_NOTE, room)
        kept = text if len(text) <= most else f"{text[:most]}\n(the rest of this note is not shown)"
        room -= min(len(text), most)
        shown.append((name, kept))
    return tuple(shown)
