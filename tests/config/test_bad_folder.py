"""Folders and files that cannot be read: one clear problem each, never a traceback, never a hang."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from backedge.config.folder import list_folder, match_glob, resolve_glob
from backedge.config.problem import ConfigError
from backedge.config.project import load_project
from backedge.config.validate import check_project
from tests.config.projects import CONFIG, VIEW, Write


def refused(folder: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load_project(folder)
    assert not check_project(folder).ok
    return str(caught.value)


def test_a_folder_that_does_not_exist(tmp_path: Path) -> None:
    assert "nope: cannot be opened as a project folder: No such file" in refused(tmp_path / "nope")


def test_a_file_instead_of_a_folder(write: Write) -> None:
    assert "is a file: name the folder that holds it" in refused(write({"a.view.yml": VIEW}) / "a.view.yml")


def test_a_folder_that_is_a_looping_link(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    assert "cannot be opened as a project folder" in refused(tmp_path / "a")


def test_links_that_loop_or_leave_are_not_followed(write: Write, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = write({"a.view.yml": VIEW})
    secret = tmp_path_factory.mktemp("outside") / "secret.md"
    secret.write_text("secret")
    (folder / "loop.view.yml").symlink_to(folder / "loop.view.yml")
    (folder / "out.md").symlink_to(secret)
    (folder / "in.view.yml").symlink_to(folder / "a.view.yml")
    (folder / "round").symlink_to(folder)
    listed = list_folder(folder)
    assert listed.files == ("a.view.yml", "data/orders.csv", "in.view.yml")
    assert sorted(problem.file for problem in listed.problems) == ["loop.view.yml", "out.md", "round"]


def test_a_config_that_is_a_folder(write: Write) -> None:
    assert "config.yml: is a folder" in refused(write({"a.view.yml": VIEW, "config.yml/x": ""}))


def test_a_pipe_is_not_waited_for(write: Write) -> None:
    folder = write({"a.view.yml": VIEW})
    os.mkfifo(folder / "b.view.yml")
    os.mkfifo(folder / "c.sql")
    assert "b.view.yml: is no regular file" in refused(folder)


def test_text_that_is_not_utf8(write: Write) -> None:
    folder = write({"a.view.yml": VIEW})
    (folder / "b.view.yml").write_bytes("name: v\ntable: café\n".encode("latin-1"))
    assert "b.view.yml:2: is not UTF-8 (byte 0xe9): save it as UTF-8" in refused(folder)


def test_a_byte_order_mark_is_no_mistake(write: Write) -> None:
    folder = write({})
    (folder / "a.view.yml").write_bytes(b"\xef\xbb\xbf" + VIEW.encode())
    (folder / "q.sql").write_bytes(b"\xef\xbb\xbf/* oxy: {description: d} */ SELECT 1")
    catalog = load_project(folder).catalog
    assert (catalog.model.views[0].name, catalog.verified[0].name) == ("orders", "q")


@pytest.mark.parametrize("size", [2_500_000, 5_000_000])
def test_a_huge_file_is_refused_at_once(write: Write, size: int) -> None:
    folder = write({"a.view.yml": VIEW, "b.view.yml": "name: v\ndescription: " + "x " * (size // 2)})
    assert "b.view.yml: is too large" in refused(folder)


def test_a_folder_that_cannot_be_a_project_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backedge.config.folder.MAX_FILES", 3)
    for number in range(5):
        (tmp_path / f"{number}.txt").touch()
    assert "holds more than 3 files" in refused(tmp_path)


def test_an_empty_agent_file(write: Write) -> None:
    assert "x.agentic.yml: is empty" in refused(write({"config.yml": CONFIG, "a.view.yml": VIEW, "x.agentic.yml": ""}))


@pytest.mark.parametrize(
    ("glob", "taken"),
    [
        ("**/*", ["a.yml", "s/a.yml", "s/t/b.sql", "s/t/日.md"]),
        ("**", ["a.yml", "s/a.yml", "s/t/b.sql", "s/t/日.md"]),
        ("*", ["a.yml"]),
        ("s/**/*", ["s/a.yml", "s/t/b.sql", "s/t/日.md"]),
        ("s/*", ["s/a.yml"]),
        ("**/*.yml", ["a.yml", "s/a.yml"]),
        ("s/**/b.sql", ["s/t/b.sql"]),
        ("s/?/b.*", ["s/t/b.sql"]),
        ("s/t/?.md", ["s/t/日.md"]),
        ("a.y", []),
        ("[a].yml", []),
    ],
)
def test_what_a_glob_takes(glob: str, taken: list[str]) -> None:
    assert list(match_glob(glob, ("a.yml", "s/a.yml", "s/t/b.sql", "s/t/日.md"))) == taken


@pytest.mark.parametrize(
    ("glob", "inside"),
    [("./s/**/*", "x/s/**/*"), ("../s/*", "s/*"), ("../../s", None), ("/etc/*", None), ("../..", None)],
)
def test_a_glob_is_relative_to_its_file_and_stays_in_the_project(glob: str, inside: str | None) -> None:
    assert resolve_glob("x", glob) == inside


def test_a_name_that_is_not_utf8_is_left_out_with_a_warning(write: Write) -> None:
    folder = write({"a.view.yml": VIEW})
    with open(os.fsencode(folder) + b"/caf\xe9.view.yml", "wb") as file:
        file.write(b"name: v")
    assert [str(problem) for problem in load_project(folder).problems] == [
        "caf\\udce9.view.yml: has a name that is not UTF-8 and is not read: rename it"
    ]
