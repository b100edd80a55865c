"""Makes the demo that is looked at in a browser: the shop and the papers of the evidence demo in one project."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from backedge.demo.evidence import evidence_files
from backedge.demo.shop import DemoError, put, shop_files

MARK = b"# The Backedge demo shop. With papers, to be looked at in a browser.\n"
ANSWERED = "Monthly net revenue in 2025"
WAITING = "Revenue by country"


def make_served(folder: Path) -> None:
    """Write the project into `folder`, which must be absent, empty, or an earlier one of these. Raises `DemoError`."""
    try:
        _refuse_other_content(folder)
        for name, content in _project_files():
            put(folder / name, content)
    except OSError as error:
        reason = f"{error.strerror or error} ({error.filename})"
        raise DemoError(folder, reason, "Name a folder that can be written.") from error


def _refuse_other_content(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise DemoError(folder, "it is a file", "Name a folder that does not exist yet.")
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    config = folder / "config.yml"
    if not config.is_file() or not config.read_bytes().startswith(MARK):
        raise DemoError(folder, "it holds other files", "Name an empty folder, or one that does not exist yet.")


def _project_files() -> Iterator[tuple[str, bytes]]:
    """Those of both, with one `config.yml` that says what each says."""
    packed = files("backedge.demo")
    both = [(packed / each / "config.yml").read_bytes() for each in ("files", "evidence_files")]
    yield "config.yml", MARK + b"\n".join(both)
    yield from ((name, text.encode()) for name, text in shop_files() if name != "config.yml")
    yield from ((name, content) for name, content in evidence_files() if name != "config.yml")
