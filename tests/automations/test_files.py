"""Automations read and write below the project's folder only, exactly, and whole files at a time."""

from __future__ import annotations

import asyncio
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from backedge.adapters.automations.folder import ProjectFiles
from backedge.automations.outputs import Output, Part
from backedge.automations.tasks import Cache, Export
from backedge.kernel.defect import Permanent
from backedge.query.table import Column, Table

TABLE = Table(
    columns=(Column(name="at", type="DATE", kind="date"), Column(name="amount", type="DECIMAL", kind="decimal")),
    rows=((date(2025, 1, 2), Decimal("10.50")), (None, None)),
)


def exported(folder: Path, output: Output, format: str) -> str:
    export = Export(f"out/deep/x.{format}", format)  # type: ignore[arg-type]
    asyncio.run(ProjectFiles(folder).export(export, output))
    return (folder / "out" / "deep" / f"x.{format}").read_text()


def test_exports_are_exact(tmp_path: Path) -> None:
    output = Output("words", TABLE, sql="SELECT 1")
    assert exported(tmp_path, output, "csv") == "at,amount\n2025-01-02,10.50\n,\n"
    assert '"amount": "10.50"' in exported(tmp_path, output, "json")
    assert exported(tmp_path, output, "sql") == "SELECT 1\n"
    assert exported(tmp_path, output, "txt") == "words"


def test_a_cache_gives_back_what_it_was_given(tmp_path: Path) -> None:
    files, cache = ProjectFiles(tmp_path), Cache("cache/x.json")
    output = Output("words", TABLE, parts=(Part("inner", Output("y", data={"value": [1, {"a": None}]})),))
    assert asyncio.run(files.cached(cache)) is None
    asyncio.run(files.keep(cache, output))
    assert asyncio.run(files.cached(cache)) == output


def test_a_file_that_somebody_wrote_is_a_cache_of_its_text(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text("SELECT 2")
    assert asyncio.run(ProjectFiles(tmp_path).cached(Cache("q.sql"))) == Output("SELECT 2")


def test_a_damaged_cache_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"format":"backedge.output/1","output":{"text":3}}')
    with pytest.raises(Permanent, match="damaged"):
        asyncio.run(ProjectFiles(tmp_path).cached(Cache("x.json")))


@pytest.mark.parametrize(
    "path", ["../x.csv", "/etc/x.csv", ".backedge/runs.db", "a/../../x", ".git/config", ".", "link/x"]
)
def test_nothing_is_written_outside_of_the_project_s_own_files(tmp_path: Path, path: str) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "link").symlink_to(tmp_path)
    files = ProjectFiles(tmp_path / "project")
    with pytest.raises(Permanent, match="outside"):
        asyncio.run(files.export(Export(path, "txt"), Output("x")))
    with pytest.raises(Permanent, match="outside"):
        asyncio.run(files.text(path))
