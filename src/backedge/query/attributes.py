"""Attributes of the person who asks, as the context of a run keeps them: one text each, values parted by commas."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping


def values_in(text: str) -> tuple[str, ...]:
    """The values of one attribute: `EU,US`, or `"Doe, Ann",Bob` where one holds a comma. Raises `ValueError`."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise ValueError(f"{text!r} is no list of values: {error}") from error
    return tuple(dict.fromkeys(value for row in rows for value in row if value))


def text_of(values: Iterable[str]) -> str:
    """The one text of the values, equal for equal sets of them."""
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\r\n").writerow(sorted(set(values)))
    return written.getvalue().removesuffix("\r\n")


def read_attributes(context: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The attributes that a context keeps."""
    return {name: values_in(text) for name, text in context.items()}


def kept(attributes: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """The attributes as a context keeps them: by name, so that equal ones are written equally."""
    return {name: text_of(attributes[name]) for name in sorted(attributes)}
