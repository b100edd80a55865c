"""Loads one CSV or TSV file into a DuckDB table whose column types fit every value, or says why it cannot."""

from __future__ import annotations

import codecs
import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

import duckdb

from backedge.adapters.connectors.duckdb_types import Typed, typed_columns

_DELIMITERS = ",;\t|"
_CHUNK = 1 << 20
_LONGEST_LINE = 1 << 24
_VALUE = re.compile(r"[+-]?[\d.,]*\d[\d.,]*%?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|true|false", re.IGNORECASE)


class NotLoadable(Exception):
    """A file that is no table; the message names the line and the reason."""


@dataclass(frozen=True)
class Loaded:
    """A table made of a file: its row count, and what a reader must know of how it was read."""

    rows: int
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Shape:
    """How a text is cut into cells: the delimiter, lines before the table, column names, whether a header gave them."""

    delimiter: str
    skip: int
    names: tuple[str, ...]
    header: bool
    notes: tuple[str, ...]


def load_csv(connection: duckdb.DuckDBPyConnection, path: Path, scratch: Path) -> Loaded:
    """Create the table named as the file; `scratch` is a re-encoded copy. Raises NotLoadable, OSError, duckdb.Error."""
    text, encoding = _as_utf8(path, scratch)
    try:
        shape = _shape(connection, text, path.name)
        source = _source(text, shape)
        typed = typed_columns(connection, source, path.name, shape.names)
        rows = _create(connection, path.name, source, shape, typed)
    except duckdb.InvalidInputException as error:
        raise NotLoadable(_reason(str(error), path.name)) from error
    finally:
        scratch.unlink(missing_ok=True)
    notes = [f"`{path.name}` is not UTF-8; read as {encoding}"] if encoding else []
    notes += [*shape.notes, *(note for column in typed for note in column.notes)]
    if rows == 0:
        notes.append(f"`{path.name}` has no rows")
    return Loaded(rows, tuple(notes))


def _as_utf8(path: Path, scratch: Path) -> tuple[Path, str]:
    """The file itself where it is UTF-8, else a copy that is, and the name of its own encoding."""
    encoding = _encoding(path)
    if not encoding:
        return path, ""
    with open(path, encoding=encoding, newline="") as source, open(scratch, "w", encoding="utf-8", newline="") as copy:
        while chunk := source.read(_CHUNK):
            copy.write(chunk)
    return scratch, {"cp1252": "Windows-1252"}.get(encoding, encoding.upper())


def _encoding(path: Path) -> str:
    """The encoding to convert from, or "" for UTF-8. Raises `NotLoadable` for what is no text."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with open(path, "rb") as file:
        head = file.read(2)
        if head in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
        file.seek(0)
        lines, empty, utf8, legacy = 1, True, True, set[int]()
        while chunk := file.read(_CHUNK):
            nul = chunk.find(b"\0")
            if nul >= 0:
                line = lines + chunk[:nul].count(b"\n")
                raise NotLoadable(f"`{path.name}` line {line} holds a NUL byte; it is not a text file")
            lines, empty = lines + chunk.count(b"\n"), empty and not chunk.strip()
            utf8 = utf8 and _decodes(decoder, chunk)
            legacy |= set(chunk) - _ASCII if not utf8 else set()
    if empty:
        raise NotLoadable(f"`{path.name}` is empty")
    if utf8:
        return ""
    return "latin-1" if legacy & _NOT_IN_CP1252 else "cp1252"


_ASCII = frozenset(range(128))
_NOT_IN_CP1252 = frozenset({0x81, 0x8D, 0x8F, 0x90, 0x9D})


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes) -> bool:
    try:
        decoder.decode(chunk)
    except UnicodeDecodeError:
        return False
    return True


def _shape(connection: duckdb.DuckDBPyConnection, text: Path, name: str) -> _Shape:
    sniffed = _sniff(connection, text, name)
    skip, head = _head(text)
    delimiter = sniffed[0] if sniffed and sniffed[0] in head else _most_frequent(head)
    cells = [cell.strip() for cell in next(csv.reader(io.StringIO(head), delimiter=delimiter))]
    certain = bool(sniffed and sniffed[1] and sniffed[0] == delimiter)
    header = certain or not any(_VALUE.fullmatch(cell) for cell in cells)
    if not header:
        note = f"`{name}` has no header line; its columns are named column0, column1 …"
        return _Shape(delimiter, skip, tuple(f"column{index}" for index in range(len(cells))), False, (note,))
    names, notes = _names(cells, name)
    return _Shape(delimiter, skip, names, True, notes)


def _sniff(connection: duckdb.DuckDBPyConnection, text: Path, name: str) -> tuple[str, bool] | None:
    """The engine's guess at the delimiter and whether there is a header, or None."""
    forced = ", delim = '\t'" if name.lower().endswith(".tsv") else ""
    query = f"select Delimiter, HasHeader from sniff_csv(?{forced})"
    try:
        row = connection.execute(query, [str(text)]).fetchone()
    except duckdb.InvalidInputException:
        return None
    return (str(row[0]), bool(row[1])) if row else None


def _head(text: Path) -> tuple[int, str]:
    """How many blank or comment lines come first, and the first record after them (several lines if it is quoted)."""
    with open(text, encoding="utf-8-sig", newline="") as file:
        for skip, line in enumerate(file):
            if line.strip() and not line.startswith("#"):
                while line.count('"') % 2 and len(line) < _CHUNK and (more := file.readline(_CHUNK)):
                    line += more
                return skip, line
    raise NotLoadable(f"`{text.name}` holds nothing but comments")


def _most_frequent(head: str) -> str:
    best = max(_DELIMITERS, key=head.count)
    return best if best in head else ","


def _names(cells: list[str], file: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Column names as the header has them; an empty one is named by its place, a second one of a name gets a number."""
    taken: set[str] = set()
    names: list[str] = []
    notes: list[str] = []
    for index, cell in enumerate(cells):
        name, number = cell or f"column{index}", 1
        while name.casefold() in taken:
            name, number = f"{cell}_{number}", number + 1
        if cell and name != cell:
            notes.append(f"`{file}` has two columns `{cell}`; the later one is named `{name}`")
        taken.add(name.casefold())
        names.append(name)
    return tuple(names), tuple(notes)


def _source(text: Path, shape: _Shape) -> str:
    columns = ", ".join(f"'c{index}': 'VARCHAR'" for index in range(len(shape.names)))
    options = (
        f"auto_detect = false, columns = {{{columns}}}, delim = {quoted(shape.delimiter)}, quote = '\"', escape = '\"'",
        f"header = {shape.header}, skip = {shape.skip}, nullstr = '', max_line_size = {_LONGEST_LINE}",
    )
    return f"read_csv({quoted(str(text))}, {', '.join(options)})"


def _reason(message: str, name: str) -> str:
    line = re.search(r"CSV Error on Line: (\d+)", message)
    cells = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", message)
    where = f"`{name}` line {line[1]}" if line else f"`{name}`"
    if cells:
        return f"{where} has {cells[2]} cells where the first line has {cells[1]}"
    if "unterminated quote" in message:
        return f"{where} opens a quote that is never closed"
    return f"{where} cannot be read as CSV: {message.splitlines()[0].removeprefix('Invalid Input Error: ')}"


def _create(
    connection: duckdb.DuckDBPyConnection, table: str, source: str, shape: _Shape, typed: tuple[Typed, ...]
) -> int:
    columns = ", ".join(
        f"{column.expression} as {identifier(name)}" for column, name in zip(typed, shape.names, strict=True)
    )
    connection.execute(f"create table {identifier(table)} as select {columns} from {source}")
    row = connection.execute(f"select count(*) from {identifier(table)}").fetchone()
    return int(row[0]) if row else 0


def quoted(text: str) -> str:
    """A SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A SQL identifier in double quotes."""
    return '"' + name.replace('"', '""') + '"'
