"""Frames between the reader and its child process: two lengths, a JSON header, and a body of bytes."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import BinaryIO

Header = dict[str, object]

_LENGTHS = struct.Struct(">IQ")


def frame_start(header: Header, size: int = 0) -> bytes:
    """The bytes of a frame up to its body of `size` bytes. Records in the header are written by their fields."""
    head = json.dumps(header, ensure_ascii=False, default=_fields).encode()
    return _LENGTHS.pack(len(head), size) + head


def read_frame(read: Callable[[int], bytes]) -> tuple[bytes, bytes] | None:
    """Header and body of the next frame, by a function that reads exactly so many bytes, or fewer at the end (None)."""
    lengths = read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    head, body = read(head_length), read(body_length)
    return None if len(head) < head_length or len(body) < body_length else (head, body)


def write_frame(stream: BinaryIO, header: Header, body: bytes = b"") -> None:
    """Write one frame and flush it."""
    stream.write(frame_start(header, len(body)))
    stream.write(body)
    stream.flush()


def _fields(value: object) -> dict[str, object]:
    if not is_dataclass(value):
        raise TypeError(f"{type(value).__name__} has no fields")
    return vars(value)
