"""Several processes use one view: adds take turns, readers see whole versions, and a killed one leaves nothing half."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.adapters.search.views import View

ADDS = """
import sys
from pathlib import Path
import pytest

from tests.adapters.search.views import View
view = View(Path(sys.argv[1]))
name, count, size = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for n in range(count):
    view.add(f"{name}{n}", *(f"mouse {name} {n} {k}" for k in range(size)))
    print(n, flush=True)
"""
ROOT = Path(__file__).parent.parent.parent.parent


def adding(path: Path, name: str, count: int, size: int) -> subprocess.Popen[bytes]:
    told = [sys.executable, "-c", ADDS, str(path), name, str(count), str(size)]
    return subprocess.Popen(told, cwd=ROOT, stdout=subprocess.PIPE)


def whole(path: Path) -> tuple[int, int]:
    """How many revisions and chunks there are, once every count of the file agrees."""
    with closing(sqlite3.connect(path)) as file:
        revisions, chunks, told = file.execute("SELECT max(revision), max(chunks), max(words) FROM added").fetchone()
        held, told_too = file.execute("SELECT count(*), coalesce(sum(words), 0) FROM chunk").fetchone()
        (numbers,) = file.execute("SELECT coalesce(sum(length(numbers)), 0) FROM vectors").fetchone()
        (indexed,) = file.execute("SELECT count(*) FROM word_docsize").fetchone()
        assert (chunks, told, numbers, indexed) == (held, told_too, held * 8 * 4, held)
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        file.execute("INSERT INTO word(word) VALUES ('integrity-check')")
        return revisions, chunks


def test_two_processes_add_at_once_while_a_third_searches(tmp_path: Path) -> None:
    path = tmp_path / "view.db"
    both = [adding(path, name, 15, 3) for name in "ab"]
    view, seen = View(path), []
    while any(process.poll() is None for process in both):
        found = view.words("mouse", 999)
        assert len(found.hits) == 3 * found.snapshot.revision
        assert len(view.meaning("mouse", 999, found.snapshot).hits) == len(found.hits)
        seen.append(found)
    for process in both:
        process.communicate()
    assert ([process.returncode for process in both], whole(path)) == ([0, 0], (30, 90))
    again = [view.words("mouse", 999, found.snapshot) for found in (seen[0], seen[len(seen) // 2], seen[-1])]
    assert again == [seen[0], seen[len(seen) // 2], seen[-1]]


def test_one_version_added_by_many_at_once_is_there_once(tmp_path: Path) -> None:
    view = View(tmp_path / "view.db")
    others = [View(tmp_path / "view.db") for _ in range(4)]
    threads = [threading.Thread(target=other.add, args=("v", "mouse", "rat")) for other in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (whole(tmp_path / "view.db"), len(view.words("mouse").hits)) == ((1, 2), 1)


@pytest.mark.chaos
def test_a_process_that_is_killed_leaves_whole_versions_alone(tmp_path: Path) -> None:
    path = tmp_path / "view.db"
    counts = set()
    for attempt in range(4):
        process = adding(path, f"k{attempt}x", 1_000, 40)
        assert process.stdout is not None
        for _ in range(2 + attempt):
            process.stdout.readline()
        time.sleep(0.003 * attempt)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        revisions, chunks = whole(path)
        assert chunks == 40 * revisions
        counts.add(revisions)
    assert len(counts) == 4
    view = View(path)
    view.add("after", "mouse after")
    assert len(view.words("mouse", 100_000).hits) == max(counts) * 40 + 1
