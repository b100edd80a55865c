"""Reads tables of measurements, CSV, TSV and Parquet, as rows of names and texts; nothing in them is converted."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from collections.abc import Iterable, Iterator

from backedge.adapters.reading.decoding import decoded
from backedge.evidence.reading import Issue, Reading, Row, Unparsed

READER = "rows/1"

LARGEST_PARQUET = 1_000_000
"""Bytes. Its bytes are written to a file for DuckDB, and a reading child may write no more than this."""
MOST_CELLS = 2_000_000
_DELIMITERS = ",;\t|"
_SNIFFED = 50  # lines by which the delimiter is told
_PARQUET = b"PAR1"
_PLACE = re.compile(r"(?:[Ff]ile )?'?[^\s']*\.parquet'?")  # of the file on disk, whose name is another each time


def read(content: bytes, name: str) -> Reading | Unparsed:
    """The rows of a content. The first line that is not empty and no comment (`#`) names the columns.

    `text` is the file as it was decoded; of a Parquet file it is its rows as CSV, and NULL is an empty text.
    """
    if content.startswith(_PARQUET):
        return _read_parquet(content)
    found = decoded(content)
    text = found.text.replace("\x00", "\ufffd")
    issues = [found.issue] if found.issue else []
    if nuls := found.text.count("\x00"):
        issues.append(Issue("nul_replaced", "NUL characters were replaced.", found.text.index("\x00"), nuls))
    delimiter = "\t" if name.lower().endswith((".tsv", ".tab")) else _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return _reading(text, ((reader.line_num, line) for line in reader), issues)
    except csv.Error as error:
        return Unparsed(
            "corrupt", f"Line {reader.line_num} cannot be read: {error}. Mend it, and add the file again.", READER
        )


def _delimiter(text: str) -> str:
    """The sign that parts the cells: that by which most lines have as many cells as the first."""
    lines = [line for line in text.splitlines()[:_SNIFFED] if line.strip() and not line.startswith("#")]

    def fit(sign: str) -> tuple[bool, int, int]:
        try:
            sizes = [len(cells) for cells in csv.reader(lines, delimiter=sign)]
        except csv.Error:
            return (False, 0, 0)
        first = sizes[0] if sizes else 0
        return (first > 1, sizes.count(first), first)

    return max(_DELIMITERS, key=fit)


def _reading(text: str, lines: Iterable[tuple[int, list[str]]], issues: list[Issue]) -> Reading | Unparsed:
    names: list[str] = []
    rows: list[Row] = []
    long: list[int] = []
    cells = 0
    for number, line in lines:
        if not any(cell.strip() for cell in line) or (not names and line[0].startswith("#")):
            continue
        if not names:
            names = [cell.strip().lstrip("\ufeff") or f"column {at}" for at, cell in enumerate(line, 1)]
            continue
        if len(line) > len(names):
            long.append(number)
        cells += len(line)
        if cells > MOST_CELLS:
            return Unparsed(
                "too_large", f"It has more than {MOST_CELLS:,} cells. Divide it, and add the parts.", READER
            )
        named = [*names, *(f"column {at}" for at in range(len(names) + 1, len(line) + 1))]
        padded = [*line, *[""] * (len(named) - len(line))]
        rows.append(Row(len(rows) + 1, tuple(zip(named, (cell.strip() for cell in padded), strict=True))))
    if long:
        message = f"Line {long[0]} has more cells than there are columns."
        issues = [*issues, Issue("damaged", message, count=len(long))]
    return _checked(text, names, rows, issues)


def _checked(text: str, names: list[str], rows: list[Row], issues: list[Issue]) -> Reading | Unparsed:
    if names and all(_is_number(name) for name in names):
        message = "Its first line has numbers, no names of columns. Write the names and units above, as `weight (g)`."
        return Unparsed("unknown_format", message, READER)
    if not rows:
        return Unparsed("no_text", "It has no rows below the names of its columns.", READER)
    return Reading(text, (), READER, rows=tuple(rows), issues=tuple(issues))


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _read_parquet(content: bytes) -> Reading | Unparsed:
    import duckdb

    if len(content) > LARGEST_PARQUET:
        message = f"It is a Parquet file of more than {LARGEST_PARQUET:,} bytes. Write it as CSV, and add that."
        return Unparsed("too_large", message, READER)
    try:
        lines = list(_parquet_lines(content))
    except duckdb.OutOfMemoryException as error:
        raise MemoryError from error
    except duckdb.Error as error:
        said = _PLACE.sub("it", str(error).splitlines()[0])
        return Unparsed("corrupt", f"The Parquet file cannot be read: {said}", READER)
    if sum(map(len, lines)) > MOST_CELLS:
        return Unparsed("too_large", f"It has more than {MOST_CELLS:,} cells. Divide it, and add the parts.", READER)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(lines)
    return _reading(text.getvalue(), enumerate(lines, 1), [])


def _parquet_lines(content: bytes) -> Iterator[list[str]]:
    """The names of its columns, then its rows, at most one row more than there may be, all as text."""
    import duckdb

    with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
        file.write(content)
        file.flush()
        with duckdb.connect(config={"threads": 1, "memory_limit": "512MB", "temp_directory": ""}) as connection:
            connection.execute(f"set allowed_paths = ['{file.name}']")
            connection.execute("set enable_external_access = false")
            connection.execute("set timezone = 'UTC'")
            connection.execute("set lock_configuration = true")
            found = connection.execute(
                "select columns(*)::varchar from read_parquet($1) limit $2", [file.name, MOST_CELLS + 1]
            )
            yield [column[0] for column in found.description or ()]
            while batch := found.fetchmany(1_000):
                yield from ([cell or "" for cell in row] for row in batch)
