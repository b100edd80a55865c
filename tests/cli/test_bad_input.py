"""Whatever is wrong with a project, the command line says what and where, with the right exit code and no traceback."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.projects import VIEW, backedge, make_project


def write(name: str, text: str | bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)

    return change


def remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


VIEW_FILE = "semantics/orders.view.yml"
BROKEN: dict[str, tuple[Callable[[Path], None], int, str]] = {
    "broken YAML": (write(VIEW_FILE, "name: [orders\n"), 5, f"{VIEW_FILE}:"),
    "unknown key": (write(VIEW_FILE, VIEW.replace("synonyms", "synonims", 1)), 5, "did you mean `synonyms`"),
    "no config where it is needed": (write("config.yml", "databases: 7\n"), 5, "config.yml:1"),
    "not UTF-8": (write(VIEW_FILE, b"name: \xff\xfe\n"), 5, VIEW_FILE),
    "unknown database type": (
        write("config.yml", "databases: [{name: local, type: duckbd, dataset: data/}]\n"),
        5,
        "did you mean `duckdb`",
    ),
    "missing data": (remove("data/orders.csv"), 1, "no CSV, TSV or Parquet file"),
    "missing folder": (
        write("config.yml", "databases: [{name: local, type: duckdb, dataset: nowhere/}]\n"),
        5,
        "nowhere",
    ),
    "a CSV that is none": (write("data/orders.csv", bytes(range(256)) * 40), 4, "orders.csv"),
    "an empty CSV": (write("data/orders.csv", ""), 4, "orders.csv"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_project_is_told(tmp_path: Path, name: str) -> None:
    change, code, said = BROKEN[name]
    change(make_project(tmp_path))
    ended = backedge("ask", "--project", tmp_path, "-q", "total amount by region")
    told = " ".join((ended.out + ended.err).split())
    assert (ended.code, said in told) == (code, True), ended
    assert "validate" in ended.err or ended.code != 5 or ":" in ended.err


def test_a_folder_without_anything_is_told(tmp_path: Path) -> None:
    ended = backedge("ask", "--project", tmp_path, "total sales")
    assert ended.code == 5
    assert "--project" in ended.err


@pytest.mark.parametrize("command", [["ask", "total sales"], ["validate"], ["doctor"], ["runs", "list"]])
def test_a_project_that_is_not_there_is_told(tmp_path: Path, command: list[str]) -> None:
    missing = tmp_path / "nope"
    args: list[str | Path] = [*command, missing] if command == ["validate"] else [*command, "--project", missing]
    ended = backedge(*args)
    assert ended.code == 5
    assert "nope" in ended.out + ended.err
    assert not missing.exists()


def test_an_agent_that_is_not_there_is_told(shop: Path) -> None:
    ended = backedge("ask", "--project", shop, "--agent", "nobody", "total amount")
    assert (ended.code, "nobody" in ended.err) == (5, True)


@pytest.mark.parametrize("name", ["select", "order", "group", "from", "table"])
def test_a_view_named_like_a_keyword_is_asked_like_any_other(tmp_path: Path, name: str) -> None:
    make_project(tmp_path)
    text = VIEW.replace("name: orders\n", f"name: {name}\n", 1).replace("total_amount", name)
    (tmp_path / VIEW_FILE).write_text(text, encoding="utf-8")
    found = backedge("compile", "-", "--project", tmp_path, given=f'{{"measures": ["{name}.{name}"]}}')
    assert found.code == 0, found.err


def test_a_broken_file_beside_a_good_one_does_no_harm(tmp_path: Path) -> None:
    shop = make_project(tmp_path)
    (shop / "data/broken.csv").write_bytes(bytes(range(256)) * 40)
    assert backedge("ask", "--project", shop, "-q", "order count").code == 0


def test_runs_of_something_else_are_told(tmp_path: Path) -> None:
    shop = make_project(tmp_path)
    (shop / ".backedge").mkdir()
    (shop / ".backedge/runs.db").write_bytes(b"this is no database, it is a long text" * 400)
    ended = backedge("ask", "--project", shop, "-q", "order count")
    assert ended.code == 5
    assert "runs.db" in ended.err


def test_a_read_only_folder_gets_a_plain_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = make_project(tmp_path / "shop")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    if subprocess.run(["chattr", "+i", shop], check=False, capture_output=True).returncode:
        shop.chmod(0o500)
        if os.geteuid() == 0:
            pytest.skip("this file system knows no immutable folders, and root ignores the mode bits")
    try:
        ended = backedge("ask", "--project", shop, "income", "--json")
        assert ended.code == 3
        assert "read-only" in ended.err
        done = backedge("answer", "--project", shop, ended.json["run_id"], "1", "--json")
        assert (done.code, done.json["status"]) == (0, "answered")
    finally:
        subprocess.run(["chattr", "-i", shop], check=False, capture_output=True)
        shop.chmod(0o700)
    assert not (shop / ".backedge").exists()


@pytest.mark.parametrize("sql", ["DROP TABLE x", "SELECT 1; SELECT 2", "SELECT * FROM read_csv('/etc/passwd')"])
def test_a_verified_query_that_does_more_than_read_is_not_permitted(tmp_path: Path, sql: str) -> None:
    shop = make_project(tmp_path)
    header = "/* oxy:\n  embed: [Clean up]\n*/\n"
    (shop / "queries/clean.sql").write_text(header + sql, encoding="utf-8")
    ended = backedge("ask", "--project", shop, "-q", "clean up", "--json")
    assert (ended.code, ended.json["status"]) == (6, "cannot_answer")
