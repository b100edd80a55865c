"""The files that pages load: under names that hold the hash of their content, kept by browsers for a year."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Mapping
from importlib.resources import files

from starlette.responses import Response

from backedge.web.problems import not_found

FOLDER = "static"
YEAR = "public, max-age=31536000, immutable"


class StaticNames:
    """What is served under `/static/`: `name.HASH.ext`, so that a changed file has another address."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._by_name = {name: f"/static/{_hashed(name, content)}" for name, content in contents.items()}
        self._contents = {self._by_name[name].removeprefix("/static/"): content for name, content in contents.items()}

    def url(self, name: str) -> str:
        """The address of a file. Raises `KeyError` for one that is not there: a template is wrong."""
        return self._by_name[name]

    def response(self, path: str) -> Response:
        """The file at an address."""
        content = self._contents.get(path)
        if content is None:
            raise not_found(f"there is no file {path}")
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        return Response(content, headers={"Cache-Control": YEAR}, media_type=kind)


def packaged() -> StaticNames:
    """The files of this package: our own and the vendored ones."""
    root = files("backedge.web") / FOLDER
    found = {entry.name: entry.read_bytes() for entry in root.iterdir() if entry.is_file()}
    vendor = root / "vendor"
    found |= {entry.name: entry.read_bytes() for entry in vendor.iterdir() if entry.name.endswith((".js", ".css"))}
    return StaticNames(found)


def _hashed(name: str, content: bytes) -> str:
    stem, _, ending = name.rpartition(".")
    return f"{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{ending}"
