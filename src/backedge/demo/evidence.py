"""Makes the evidence demo: two short papers, a retraction notice, a table of values, and kept replies of a model."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from backedge.demo.shop import DemoError, put

MARK = b"# The Backedge evidence demo."
FIRST = ("velorin-mice.xml", "velorin-kidney.xml", "weights.csv")
NOTICE = "velorin-kidney-retraction.xml"
PAPERS = (*FIRST, NOTICE)
QUERY = "fasting glucose in mice"
REVIEWER = "rita"
REQUEST = (
    "Does velorin lower fasting glucose in mice with diet-induced obesity, and does it change their body weight? "
    "We decide whether to run a dose-finding study in male C57BL/6 mice next spring, with no more than 60 animals."
)
ENDPOINTS = ("fasting glucose", "body weight")
STANDS = "it is randomised, and the decision is only whether to look at doses"
REJECTED = "nobody measured how long an effect of velorin lasts"
APPROVES = "it asks for no more than the evidence bears"


def make_evidence(folder: Path) -> None:
    """Write the demo into `folder`, which must be absent, empty, or an earlier demo; other files in it stay.

    Raises `DemoError`.
    """
    try:
        _refuse_other_content(folder)
        for name, content in evidence_files():
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


def evidence_files() -> Iterator[tuple[str, bytes]]:
    """The paths of the project's files, and their bytes."""
    yield from _files(files("backedge.demo") / "evidence_files", "")


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files(entry, f"{prefix}{entry.name}/")
        else:
            yield f"{prefix}{entry.name}", entry.read_bytes()
