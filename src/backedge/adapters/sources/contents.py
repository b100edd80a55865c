"""Keeps contents in a folder, each in a file named by its SHA-256, and who of several processes may record which."""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backedge.kernel.defect import Permanent

_HASH = re.compile(r"[0-9a-f]{64}")
_PRIVATE = 0o700


class FolderContents:
    """Contents in `folder/ab/abcdef…`, for any number of processes of one machine.

    A file is there whole or not at all, also after a power cut. A claim is a file beside the content's.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, content: bytes) -> str:
        """Keep a content; gives its SHA-256 in hex. A kept file that was damaged since is written anew."""
        return await asyncio.to_thread(self._put, content)

    async def get(self, content: str) -> bytes:
        """The content of a hash. Raises `Permanent` where it is gone, or is no longer what it was."""
        return await asyncio.to_thread(self._get, content)

    async def claim(self, content: str, token: str) -> str:
        """The token that claims a content: this one, unless another came before."""
        return await asyncio.to_thread(self._claim, content, token)

    async def release(self, content: str, token: str) -> None:
        """Give a claim back; where another holds it, nothing happens."""
        await asyncio.to_thread(self._release, content, token)

    def _put(self, content: bytes) -> str:
        name = hashlib.sha256(content).hexdigest()
        path = self._path(name)
        with self._writing(path):
            if not (path.exists() and path.read_bytes() == content):
                _replace(path, content)
        return name

    def _get(self, name: str) -> bytes:
        path = self._path(name)
        mend = "add the source again with `backedge ingest`, which writes the file anew, then `backedge sources retry`"
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            raise Permanent(f"the content {name[:12]}… is gone: there is no file {path}", mend=mend) from None
        except OSError as error:
            raise Permanent(f"{path} cannot be read: {error.strerror}", mend="make it readable") from error
        if hashlib.sha256(content).hexdigest() != name:
            raise Permanent(f"{path} was changed since it was kept: it is not what its name says", mend=mend)
        return content

    def _claim(self, name: str, token: str) -> str:
        path = self._path(name).with_suffix(".claim")
        with self._writing(path), _alone(path.parent):
            if path.exists():
                return path.read_text(encoding="utf-8")
            _replace(path, token.encode("utf-8"))
            return token

    def _release(self, name: str, token: str) -> None:
        path = self._path(name).with_suffix(".claim")
        with self._writing(path), _alone(path.parent):
            if path.exists() and path.read_text(encoding="utf-8") == token:
                path.unlink()
                _flush_folder(path.parent)

    def _path(self, name: str) -> Path:
        if not _HASH.fullmatch(name):
            raise Permanent(f"{name[:80]!r} is no SHA-256 in hex, by which contents are kept")
        return self._folder / name[:2] / name

    @contextmanager
    def _writing(self, path: Path) -> Iterator[None]:
        """The folder of a path is there; what keeps it from being written is said."""
        try:
            self._make_folder()
            path.parent.mkdir(mode=_PRIVATE, exist_ok=True)
            yield
        except OSError as error:
            mend = f"make {self._folder} writable, and see that its disk has room"
            raise Permanent(f"{path} cannot be written: {error.strerror}", mend=mend) from error

    def _make_folder(self) -> None:
        """Contents may be under a licence: nobody else reads them, and git does not take them."""
        if not self._folder.is_dir():
            self._folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
            (self._folder / ".gitignore").write_text("*\n", encoding="utf-8")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else is in here, in whatever process; a process that ends lets go."""
    descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole: its name appears when all of it is on the disk."""
    written = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        descriptor = os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        written.replace(path)
    except BaseException:
        written.unlink(missing_ok=True)
        raise
    _flush_folder(path.parent)


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
