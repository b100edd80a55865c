"""Where the loaded form of files is kept: by a fingerprint of the files, in the first folder that can be written."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

SUFFIXES = (".csv", ".tsv", ".parquet")

# Part of every fingerprint: raise it when the loader makes different tables out of the same files.
_LOADER = "1"


@dataclass(frozen=True)
class Cache:
    """The cache `file` of one state of a data set; `siblings` matches the files of its other states."""

    file: Path
    siblings: str


def data_files(dataset: Path) -> tuple[Path, ...]:
    """The CSV, TSV and Parquet files of a folder, or the one file given; sorted. Raises OSError."""
    if dataset.is_file():
        return (dataset,)
    found = (path for path in dataset.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())
    return tuple(sorted(found))


def fingerprint(files: Iterable[Path]) -> str:
    """A hash of the paths, sizes and modification times of files, of the loader and of the engine. Raises OSError."""
    digest = hashlib.sha256(f"{_LOADER} {version('duckdb')}".encode())
    for path in files:
        stat = path.stat()
        digest.update(f"\n{path.absolute()}\0{stat.st_size}\0{stat.st_mtime_ns}".encode())
    return digest.hexdigest()[:32]


def cache_for(dataset: Path, print_: str, folder: Path) -> Cache:
    """The cache file of a data set in the state of that fingerprint."""
    key = hashlib.sha256(str(dataset.absolute()).encode()).hexdigest()[:12]
    for place in (folder, _user_folder(), Path(tempfile.gettempdir()) / f"backedge-{os.getuid()}"):
        if _can_write(place):
            return Cache(place / f"{key}-{print_}.duckdb", f"{key}-*.duckdb")
    raise PermissionError(f"no folder for the cache can be written: {folder}, {_user_folder()}")


def _user_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "backedge"


def _can_write(folder: Path) -> bool:
    """Whether a file can be made there. Tried, not asked: root is told yes for folders that are immutable."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return folder.stat().st_uid == os.getuid()
    except OSError:
        return False
