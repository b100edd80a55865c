"""The files of a project folder: what is searched, what each name means, and which of them a glob takes."""

from __future__ import annotations

import os
import posixpath
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from backedge.config.problem import ConfigError, Problem

FileKind = Literal["view", "topic", "motif", "query", "agent", "automation", "sql", "note", "test", "later", "other"]
MAX_FILES = 20_000
MAX_BYTES = 4_000_000
_SKIPPED = frozenset({"node_modules"})
_KINDS: dict[str, FileKind] = {
    ".view.yml": "view",
    ".topic.yml": "topic",
    ".agentic.yml": "agent",
    ".sql": "sql",
    ".md": "note",
    ".agent.yml": "later",
    ".app.yml": "later",
    ".procedure.yml": "automation",
    ".workflow.yml": "automation",
    ".automation.yml": "automation",
    ".motif.yml": "motif",
    ".query.yml": "query",
    ".agent.test.yml": "later",
    ".aw.test.yml": "later",
    ".test.yml": "test",
    ".aw.yml": "later",
}


@dataclass(frozen=True)
class Folder:
    """A project folder. `files` are what was found, relative with `/`, sorted; `problems` what was not searched."""

    root: Path
    files: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


def kind_of(path: str) -> FileKind:
    """What a file is by its name; `later` are Oxygen's files that are not supported yet."""
    suffix = suffix_of(path)
    return _KINDS[suffix] if suffix else "other"


def suffix_of(path: str) -> str:
    """The end of a name that says what the file is, such as `.view.yml`; "" where it says nothing."""
    name = path.lower()
    name = f"{name[:-5]}.yml" if name.endswith(".yaml") else name
    return next((suffix for suffix in _KINDS if name.endswith(suffix)), "")


def list_folder(folder: Path) -> Folder:
    """Every file of a project folder, but those of hidden folders (`.db` is searched) and of `node_modules`.

    Links to folders, and links that leave the project, are not followed.
    Raises ConfigError where the folder does not exist, is a file, cannot be read, or is far too large for a project.
    """
    root = _existing(folder)
    found: list[Problem] = []
    files: list[str] = []
    for here, folders, names in os.walk(root, onerror=lambda error: found.append(_unreadable(root, error))):
        at = Path(here)
        folders[:] = sorted(name for name in folders if _is_searched(name))
        for name in folders:
            if (at / name).is_symlink():
                message = "is a symbolic link to a folder and is not followed: put the files here"
                found.append(Problem(_relative(root, at / name), 0, message, "note"))
        for name in names:
            path = at / name
            if not _is_text(name):
                shown = _relative(root, path).encode(errors="backslashreplace").decode()
                found.append(Problem(shown, 0, "has a name that is not UTF-8 and is not read: rename it", "warning"))
            elif path.is_symlink() and not _is_inside(root, path):
                message = "is a symbolic link that leaves the project folder (or loops) and is not read"
                found.append(Problem(_relative(root, path), 0, message, "warning"))
            else:
                files.append(_relative(root, path))
        if len(files) > MAX_FILES:
            message = f"holds more than {MAX_FILES:,} files: name the project folder itself with `--project`"
            raise ConfigError((Problem(str(folder), 0, message),))
    return Folder(root, tuple(sorted(files)), tuple(found))


def read_text(root: Path, path: str, found: list[Problem]) -> tuple[bytes, str] | None:
    """The bytes and the text of a file, or None with the reason in `found`."""
    try:
        state = (root / path).stat()
        if not stat.S_ISREG(state.st_mode):
            kind = "a folder" if stat.S_ISDIR(state.st_mode) else "no regular file"
            found.append(Problem(path, 0, f"is {kind}: a file is wanted here"))
            return None
        if state.st_size > MAX_BYTES:
            size = f"{state.st_size / 1e6:.1f} MB; at most {MAX_BYTES / 1e6:.0f} MB are read"
            found.append(Problem(path, 0, f"is too large ({size}): split it"))
            return None
        body = (root / path).read_bytes()
    except OSError as error:
        found.append(Problem(path, 0, f"cannot be read: {error.strerror or error}"))
        return None
    try:
        return body, body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-8 (byte 0x{body[error.start]:02x}): save it as UTF-8"
        found.append(Problem(path, line, message))
        return None


def is_verified_sql(folder: Folder, path: str) -> bool:
    """Whether a file is SQL that seems to have an `oxy:` header. Any other script in a folder is left alone, unread."""
    full = folder.root / path
    if kind_of(path) != "sql" or not full.is_file():
        return False
    try:
        with full.open("rb") as file:
            return b"oxy:" in file.read(4096)
    except OSError:
        return True


def resolve_glob(folder: str, glob: str) -> str | None:
    """`glob`, written in a file of `folder`, relative to the project; None where it leaves the project."""
    joined = posixpath.normpath(posixpath.join(folder, glob))
    return None if joined.startswith(("/", "../")) or joined == ".." else joined


def match_glob(glob: str, files: tuple[str, ...]) -> tuple[str, ...]:
    """The files that a glob takes. `**` is any number of folders, `*` and `?` stay inside one name."""
    pattern = re.compile(_pattern(glob))
    return tuple(path for path in files if pattern.fullmatch(path))


def _pattern(glob: str) -> str:
    *folders, last = glob.split("/")
    start = "".join("(?:[^/]+/)*" if part == "**" else f"{_segment(part)}/" for part in folders)
    return start + (".*" if last == "**" else _segment(last))


def _segment(part: str) -> str:
    wild = {"*": "[^/]*", "?": "[^/]"}
    return "".join(wild.get(letter, re.escape(letter)) for letter in re.sub(r"\*+", "*", part))


def _existing(folder: Path) -> Path:
    try:
        root = folder.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "symbolic links loop"
        raise ConfigError((Problem(str(folder), 0, f"cannot be opened as a project folder: {reason}"),)) from error
    if not root.is_dir():
        message = "is a file: name the folder that holds it"
        raise ConfigError((Problem(str(folder), 0, message),))
    if not os.access(root, os.R_OK | os.X_OK):
        raise ConfigError((Problem(str(folder), 0, "cannot be read: permission denied"),))
    return root


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_searched(name: str) -> bool:
    return name == ".db" or not (name.startswith(".") or name in _SKIPPED or not _is_text(name))


def _is_inside(root: Path, path: Path) -> bool:
    try:
        return path.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):
        return False


def _relative(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()


def _unreadable(root: Path, error: OSError) -> Problem:
    path = _relative(root, Path(error.filename)) if error.filename else "."
    return Problem(path, 0, f"cannot be searched: {error.strerror}", "warning")
