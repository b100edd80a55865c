"""Opens files of the user for reading: only real, regular files, no larger than is read, no links on the way."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from backedge.kernel.defect import Failure, Permanent, Transient

_PASSING = frozenset({errno.EAGAIN, errno.EBUSY, errno.EINTR, errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.EMFILE})
_MENDS: dict[int, tuple[str, str]] = {
    errno.ENOENT: ("there is no such file", "check the path; it may have been moved since it was listed"),
    errno.ENOTDIR: ("there is no such file", "check the path; a part of it is a file"),
    errno.EACCES: ("it may not be read", "make it readable for this user"),
    errno.EPERM: ("it may not be read", "make it readable for this user"),
    errno.ELOOP: ("it is a symbolic link", "give the path of the file itself"),
    errno.ENAMETOOLONG: ("its path is too long", "give a shorter path"),
    errno.ENXIO: ("it is a socket or device, no file", "give the path of a file"),
}


@dataclass(frozen=True)
class Identity:
    """Tells whether a file is the same, unchanged."""

    device: int
    inode: int
    size: int
    changed: int


@contextmanager
def opened(path: Path, most: int) -> Iterator[tuple[BinaryIO, Identity]]:
    """The file at a path, for reading. No link is followed, no pipe waited for, nothing larger than `most` opened.

    Raises `Permanent` with what to do, or `Transient`.
    """
    try:
        if os.path.realpath(path.parent) != str(path.parent):
            raise Permanent(f"{path}: a symbolic link stands on the way to it", mend="give the path without links")
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            found = _sound(path, os.fstat(descriptor), most)
        except BaseException:
            os.close(descriptor)
            raise
        with os.fdopen(descriptor, "rb") as file:
            yield file, found
    except OSError as error:
        raise failure_of(path, error) from error


def failure_of(path: Path, error: OSError) -> Failure:
    """What an error of the system means."""
    if error.errno in _PASSING:
        return Transient(f"{path} cannot be read now: {error.strerror}")
    said, mend = _MENDS.get(error.errno or 0, (error.strerror or str(error), "see that the file can be read"))
    return Permanent(f"{path}: {said}", mend=mend)


def content_of(path: Path, most: int) -> bytes:
    """All of a file, at one moment. Raises `Permanent` or `Transient`."""
    with opened(path, most) as (file, before):
        content = file.read(most + 1)
        if len(content) > most:
            raise Permanent(too_large(path, len(content), most), mend="divide it, or compress it if it is XML")
        if identity(os.fstat(file.fileno())) != before:
            raise Transient(f"{path} was changed while it was read")
        return content


def identity(found: os.stat_result) -> Identity:
    """By what a file is known again."""
    return Identity(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def too_large(path: Path, size: int, most: int) -> str:
    """Why a file is not read."""
    return f"{path} is too large (too_large): it has {size:,} bytes or more, {most:,} are read at most"


def _sound(path: Path, found: os.stat_result, most: int) -> Identity:
    if stat.S_ISDIR(found.st_mode):
        raise Permanent(f"{path} is a folder", mend="list the folder, and add the files in it")
    if not stat.S_ISREG(found.st_mode):
        raise Permanent(f"{path} is a pipe, socket or device, no file", mend="give the path of a file")
    if found.st_size > most:
        raise Permanent(too_large(path, found.st_size, most), mend="divide it, or compress it if it is XML")
    return identity(found)
