"""Contents by their hash: kept whole or not at all, told when changed, claimed by one of many processes."""

from __future__ import annotations

import asyncio
import hashlib
import os
import stat
import subprocess
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

import pytest

from backedge.adapters.sources.contents import FolderContents
from backedge.kernel.defect import Permanent

T = TypeVar("T")

CLAIM = """
import asyncio, sys
from pathlib import Path
from backedge.adapters.sources.contents import FolderContents
contents = FolderContents(Path(sys.argv[1]))
sys.stdin.readline()
for number in range(40):
    print(asyncio.run(contents.claim(f"{number:064x}", sys.argv[2])))
"""
CRASH = """
import asyncio, os, sys
from pathlib import Path
from backedge.adapters.sources.contents import FolderContents
real = os.fsync
os.fsync = lambda descriptor: os._exit(9)
asyncio.run(FolderContents(Path(sys.argv[1])).put(b"content"))
"""


def run(work: Awaitable[T]) -> T:
    async def awaited() -> T:
        return await work

    return asyncio.run(awaited())


def path_of(folder: Path, name: str) -> Path:
    return folder / name[:2] / name


def test_a_content_is_kept_by_its_hash(tmp_path: Path) -> None:
    contents = FolderContents(tmp_path / "contents")
    for content in (b"", b"Mice grow.", bytes(range(256)) * 1000):
        name = run(contents.put(content))
        assert name == hashlib.sha256(content).hexdigest()
        before = path_of(tmp_path / "contents", name).stat().st_ino
        assert run(contents.put(content)) == name
        assert path_of(tmp_path / "contents", name).stat().st_ino == before  # the same again changes nothing
        assert run(FolderContents(tmp_path / "contents").get(name)) == content


def test_the_folder_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "project" / "contents"
    name = run(FolderContents(folder).put(b"Mice grow."))
    assert (folder / ".gitignore").read_text() == "*\n"
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / name[:2], path_of(folder, name))]
    assert modes == [0o700, 0o700, 0o600]


def test_a_content_that_was_changed_or_is_gone_is_told(tmp_path: Path) -> None:
    contents = FolderContents(tmp_path)
    name = run(contents.put(b"Mice grow by 12 %."))
    path_of(tmp_path, name).write_bytes(b"Mice grow by 21 %.")
    with pytest.raises(Permanent, match="was changed") as caught:
        run(contents.get(name))
    assert caught.value.mend
    run(contents.put(b"Mice grow by 12 %."))
    assert run(contents.get(name)) == b"Mice grow by 12 %."
    path_of(tmp_path, name).unlink()
    with pytest.raises(Permanent, match="is gone") as caught:
        run(contents.get(name))
    assert caught.value.mend


@pytest.mark.parametrize(
    "name", ["", "../../etc/passwd", "a" * 63, "A" * 64, "g" * 64, "a" * 64 + "\n", "/" + "a" * 63]
)
def test_what_is_no_hash_reaches_no_file(tmp_path: Path, name: str) -> None:
    contents = FolderContents(tmp_path / "contents")
    for work in (contents.get(name), contents.claim(name, "t"), contents.release(name, "t")):
        with pytest.raises(Permanent, match="SHA-256"):
            run(work)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(Permanent, match="cannot be written") as caught:
        run(FolderContents(tmp_path / "file" / "contents").put(b"Mice"))
    assert "writable" in caught.value.mend


@pytest.mark.slow
def test_a_crash_while_writing_leaves_no_content(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, "-c", CRASH, str(tmp_path)], check=False)
    assert ended.returncode == 9
    name = hashlib.sha256(b"content").hexdigest()
    assert not path_of(tmp_path, name).exists()
    assert run(FolderContents(tmp_path).put(b"content")) == name
    assert run(FolderContents(tmp_path).get(name)) == b"content"


def test_the_first_claim_counts_until_its_holder_gives_it_back(tmp_path: Path) -> None:
    contents, name = FolderContents(tmp_path), "a" * 64
    assert run(contents.claim(name, "first")) == "first"
    assert run(contents.claim(name, "second")) == "first"
    assert run(FolderContents(tmp_path).claim(name, "third")) == "first"  # as long as the folder is there
    run(contents.release(name, "second"))
    assert run(contents.claim(name, "second")) == "first"
    run(contents.release(name, "first"))
    assert run(contents.claim(name, "second")) == "second"
    run(contents.release(name, "first"))  # late, and no longer its own
    assert run(contents.claim(name, "first")) == "second"


def test_one_of_several_processes_gets_each_claim(tmp_path: Path) -> None:
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CLAIM, str(tmp_path), token],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for token in ("one", "two", "three")
    ]
    for child in children:
        assert child.stdin
        child.stdin.write("\n")
        child.stdin.flush()
    said = [child.communicate()[0].split() for child in children]
    assert said[0] == said[1] == said[2]
    assert len(said[0]) == 40
    assert os.listdir(tmp_path / "00")
