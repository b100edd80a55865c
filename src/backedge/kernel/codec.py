"""States and proposals as JSON with declared type names, and back; what a journal holds already is its seq."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel, JsonValue, TypeAdapter

_LEAVES: dict[str, type] = {t.__name__: t for t in (Decimal, datetime, date, time, timedelta)}


class CodecError(Exception):
    """A value cannot be written, or a stored one cannot be read. `path` says where in it."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path or 'value'}: {message}")
        self.path = path


_adapters: dict[type, TypeAdapter[Any]] = {}


def adapter(kind: type) -> TypeAdapter[Any]:
    """The pydantic adapter of a type, built once."""
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


_fields: dict[type, tuple[str, ...]] = {}


def fields_of(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's or pydantic model's fields, in order."""
    if kind not in _fields:
        if issubclass(kind, BaseModel):
            _fields[kind] = tuple(kind.model_fields)
        else:
            _fields[kind] = tuple(field.name for field in dataclasses.fields(kind))  # type: ignore[arg-type]
    return _fields[kind]


def is_record(kind: object) -> bool:
    """Whether a type is a dataclass or a pydantic model."""
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or issubclass(kind, BaseModel))


class Codec:
    """Writes and reads the types that a workflow declares, found by walking the hints of its states and proposals."""

    def __init__(self, roots: Iterable[object], formerly: Mapping[str, type]) -> None:
        self.types: dict[str, type] = {}
        for kind in _declared(roots):
            if self.types.setdefault(kind.__name__, kind) is not kind:
                raise CodecError(
                    kind.__name__, f"{kind.__module__} and {self.types[kind.__name__].__module__} both declare it"
                )
        for name, kind in formerly.items():
            if name in self.types:
                raise CodecError(name, "is still a declared type, so it cannot be the former name of another")
            self.types[name] = kind

    def write(self, value: object, known: Mapping[int, int] | None = None) -> JsonValue:
        """A value as JSON. `known` maps `id(object)` to the seq of the entry that holds it already."""
        return self._plain(value, known or {}, "")

    def read(self, data: JsonValue, at: Callable[[int], object]) -> Any:
        """The value that `write` wrote. `at` gives the value that an earlier entry holds."""
        return self._read(data, at, "")

    def _name(self, kind: type) -> str:
        if self.types.get(kind.__name__) is not kind:
            raise CodecError(kind.__name__, "is not a type that the workflow's states and proposals declare")
        return kind.__name__

    def _plain(self, value: Any, known: Mapping[int, int], path: str) -> JsonValue:
        if value is None or (isinstance(value, bool | int | str) and not isinstance(value, Enum)):
            return value
        if isinstance(value, float):
            return value if value - value == 0 else {"$": "float", "value": repr(value)}
        if isinstance(value, tuple | frozenset):
            return [self._plain(item, known, f"{path}[{i}]") for i, item in enumerate(value)]
        if isinstance(value, dict):
            return {"$json": value}
        kind = type(value)
        if _LEAVES.get(kind.__name__) is kind:
            return {"$": kind.__name__, "value": adapter(kind).dump_python(value, mode="json")}
        if id(value) in known:
            return {"$entry": known[id(value)]}
        if isinstance(value, Enum) or (isinstance(value, BaseModel) and path):
            return {"$": self._name(kind), "value": adapter(kind).dump_python(value, mode="json")}
        if is_record(kind):
            parts = {n: self._plain(getattr(value, n), known, f"{path}.{n}") for n in fields_of(kind)}
            return {"$": self._name(kind), **parts}
        raise CodecError(path, f"a {kind.__name__} cannot be written; use tuples, dataclasses and plain values")

    def _read(self, data: JsonValue, at: Callable[[int], object], path: str) -> Any:
        if isinstance(data, list):
            return tuple(self._read(item, at, f"{path}[{i}]") for i, item in enumerate(data))
        if not isinstance(data, dict):
            return data
        if "$json" in data:
            return data["$json"]
        if "$entry" in data:
            return at(int(str(data["$entry"])))
        name = str(data.get("$"))
        if name == "float":
            return float(str(data["value"]))
        kind = _LEAVES.get(name) or self.types.get(name)
        if kind is None:
            raise CodecError(
                path, f"unknown type {name}; if it was renamed, add its old name to the workflow's `formerly`"
            )
        if "value" in data and "value" not in (fields_of(kind) if is_record(kind) else ()):
            return adapter(kind).validate_python(data["value"])
        return self._build(kind, {k: self._read(v, at, f"{path}.{k}") for k, v in data.items() if k != "$"}, path)

    def _build(self, kind: type, parts: dict[str, Any], path: str) -> Any:
        if issubclass(kind, BaseModel):
            return kind.model_validate(parts)
        try:
            return kind(**parts)
        except TypeError as error:
            raise CodecError(path, f"{kind.__name__} cannot be read from {sorted(parts)}: {error}") from error


def _declared(roots: Iterable[object]) -> Iterator[type]:
    seen: set[object] = set()
    queue = list(roots)
    while queue:
        kind = queue.pop()
        if kind in seen or isinstance(kind, TypeVar | list):
            continue
        seen.add(kind)
        if get_origin(kind) is not None or isinstance(kind, types.UnionType):
            queue.extend(arg for arg in get_args(kind)[: 1 if get_origin(kind) is Annotated else None])
        elif isinstance(kind, type) and (is_record(kind) or issubclass(kind, Enum)):
            yield kind
            if is_record(kind) and not issubclass(kind, BaseModel):
                queue.extend(get_type_hints(kind).values())
