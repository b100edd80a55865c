"""`just lock` writes versions into their own block of pyproject.toml and touches nothing else."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tools.lock import written

TEXT = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")


def test_only_the_constraints_change() -> None:
    before = tomllib.loads(TEXT)
    after = tomllib.loads(written(TEXT, ["a==1", "b[c]==2 ; python_version < '3.13'"]))
    assert after["tool"]["uv"].pop("constraint-dependencies") == ["a==1", "b[c]==2 ; python_version < '3.13'"]
    assert before["tool"]["uv"].pop("constraint-dependencies")
    assert before == after


def test_writing_twice_is_writing_once() -> None:
    once = written(TEXT, ["a[x]==1"])
    assert written(once, ["a[x]==1"]) == once
    assert written(written(once, []), ["a[x]==1"]) == once


def test_a_file_without_the_block_is_refused() -> None:
    with pytest.raises(SystemExit, match="must have one"):
        written("[tool.uv]\n", [])


def test_every_version_is_exact_and_names_no_host() -> None:
    pinned = tomllib.loads(TEXT)["tool"]["uv"]["constraint-dependencies"]
    assert len(pinned) > 20
    assert all("==" in line and "://" not in line and "@" not in line for line in pinned)
