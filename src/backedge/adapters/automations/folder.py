"""The files of a project that automations read and write: SQL, caches and exports, none outside of the folder."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from backedge.automations.exports import file_text
from backedge.automations.outputs import Output
from backedge.automations.tasks import Cache, Export
from backedge.kernel.defect import Permanent

MOST_BYTES = 4_000_000
_KEPT: TypeAdapter[Output] = TypeAdapter(Output)
_FORMAT = "backedge.output/1"


class ProjectFiles:
    """Files below one folder. Hidden folders (`.backedge`, `.git`) and links that lead out of it are refused."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    async def text(self, path: str) -> str | None:
        """The text of a file, or None where there is none."""
        return await asyncio.to_thread(self._text, path)

    async def cached(self, cache: Cache) -> Output | None:
        """The output that the cache holds, or None. A file that was not written as a cache is taken as its text."""
        text = await self.text(cache.path)
        if text is None:
            return None
        if not text.startswith(f'{{"format":"{_FORMAT}"'):
            return Output(text)
        try:
            return _Kept.validate_json(text)
        except ValidationError as error:
            raise Permanent(f"the cache {cache.path} is damaged", mend=f"remove {cache.path}") from error

    async def keep(self, cache: Cache, output: Output) -> None:
        """Write the cache."""
        await asyncio.to_thread(self._write, cache.path, _Kept.dump_json(output))

    async def export(self, export: Export, output: Output) -> str:
        """Write the file and give its path."""
        await asyncio.to_thread(self._write, export.path, file_text(output, export.format))
        return export.path

    def _text(self, path: str) -> str | None:
        file = self._inside(path)
        if not file.is_file():
            return None
        if file.stat().st_size > MOST_BYTES:
            raise Permanent(f"{path} is larger than {MOST_BYTES:,} bytes", mend="make it smaller")
        try:
            return file.read_text("utf-8-sig")
        except UnicodeDecodeError as error:
            raise Permanent(f"{path} is not UTF-8", mend="save it as UTF-8") from error

    def _write(self, path: str, text: str) -> None:
        file = self._inside(path)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False, newline="") as new:
                new.write(text)
            os.replace(new.name, file)
        except OSError as error:
            raise Permanent(
                f"{path} cannot be written: {error.strerror}", mend="mend the folder's permissions"
            ) from error

    def _inside(self, path: str) -> Path:
        file = (self._root / path).resolve()
        parts = file.relative_to(self._root).parts if file.is_relative_to(self._root) else ()
        if not parts or any(part.startswith(".") for part in parts):
            raise Permanent(
                f"{path} is outside of the project's own files", mend="name a file below the project's folder"
            )
        return file


class _Kept:
    """A cache file: its format, and the output."""

    @staticmethod
    def dump_json(output: Output) -> str:
        """The text of the file."""
        return f'{{"format":"{_FORMAT}","output":{_KEPT.dump_json(output).decode()}}}'

    @staticmethod
    def validate_json(text: str) -> Output:
        """The output in the text of the file."""
        return _KEPT.validate_json(text[len(f'{{"format":"{_FORMAT}","output":') : -1])
