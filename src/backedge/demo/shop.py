"""Makes the demo shop: a small project with its data, its semantic model, one verified query and a page about it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from backedge.demo.shop_data import shop_tables

MARK = "# The Backedge demo shop."


class DemoError(Exception):
    """The demo cannot be written to `folder`; the message says why and what to do next."""

    def __init__(self, folder: Path, reason: str, next_step: str) -> None:
        super().__init__(f"cannot make the demo in {folder}: {reason}. {next_step}")
        self.folder = folder
        self.reason = reason
        self.next_step = next_step


def make_shop(folder: Path) -> None:
    """Write the demo project into `folder`, which must be absent, empty, or an earlier demo.

    An earlier demo is put back as it was; files in it that are not the demo's own stay. A file whose bytes are right
    already is left alone, so that what was cached from it stays good. Raises `DemoError`.
    """
    try:
        _refuse_other_content(folder)
        for name, text in shop_files():
            put(folder / name, text.encode())
    except OSError as error:
        reason = f"{error.strerror or error} ({error.filename})"
        raise DemoError(folder, reason, "Name a folder that can be written.") from error


def is_demo(folder: Path) -> bool:
    """Whether a folder is a demo shop."""
    config = folder / "config.yml"
    return config.is_file() and config.read_bytes().startswith(MARK.encode())


def _refuse_other_content(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise DemoError(folder, "it is a file", "Name a folder that does not exist yet.")
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if not is_demo(folder):
        raise DemoError(folder, "it holds other files", "Name an empty folder, or one that does not exist yet.")
    if (folder / "evidence.yml").exists():
        raise DemoError(folder, "it is the demo with papers", "Name another folder, or add --serve.")


def shop_files() -> Iterator[tuple[str, str]]:
    """The paths of the project's files, and their texts."""
    yield from _packed(files("backedge.demo") / "files", "")
    for name, text in shop_tables().items():
        yield f"data/{name}", text


def _packed(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _packed(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_text(encoding="utf-8")


def put(path: Path, content: bytes) -> None:
    """Write a file, unless it is so already."""
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
