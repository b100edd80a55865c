"""Frames between a connector and its worker process: two lengths, a JSON header, and a body of Arrow IPC bytes."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import BinaryIO

# The same as query.table.Cell, whose module the worker must not wait for: it imports pydantic (200 ms).
Value = int | Decimal | float | str | bool | date | datetime | time | timedelta | None
Header = dict[str, object]

_LENGTHS = struct.Struct(">IQ")


def encode_frame(header: Header, body: bytes = b"") -> bytes:
    """The bytes of one frame."""
    head = json.dumps(header).encode()
    return _LENGTHS.pack(len(head), len(body)) + head + body


def read_frame(read: Callable[[int], bytes]) -> tuple[Header, bytes] | None:
    """The next frame, by a function that reads exactly so many bytes, or fewer at the end of the stream (then None)."""
    lengths = read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    head, body = read(head_length), read(body_length)
    if len(head) < head_length or len(body) < body_length:
        return None
    header: Header = json.loads(head)
    return header, body


def write_frame(stream: BinaryIO, header: Header, body: bytes = b"") -> None:
    """Write one frame and flush it."""
    stream.write(encode_frame(header, body))
    stream.flush()


def encode_cell(cell: Value) -> list[object]:
    """A bind value as JSON: its kind and its text, so that nothing exact becomes a float."""
    if cell is None or isinstance(cell, bool | str):
        return ["plain", cell]
    if isinstance(cell, timedelta):
        return ["timedelta", cell.days * 86_400_000_000 + cell.seconds * 1_000_000 + cell.microseconds]
    if isinstance(cell, date | time):
        return [type(cell).__name__, cell.isoformat()]
    return [type(cell).__name__, repr(cell) if isinstance(cell, float) else str(cell)]


def decode_cell(encoded: list[object]) -> Value:
    """The bind value that `encode_cell` wrote."""
    kind, value = str(encoded[0]), encoded[1]
    if kind == "plain":
        assert value is None or isinstance(value, bool | str)
        return value
    return _READERS[kind](str(value))


_READERS: dict[str, Callable[[str], Value]] = {
    "int": int,
    "float": float,
    "Decimal": Decimal,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda text: timedelta(microseconds=int(text)),
}
