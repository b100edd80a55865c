"""The examples of docs/python.md: they are what they say, and the whole machine has at most sixty lines."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import backedge

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
MACHINE = re.findall(r"<!-- example:.*?-->\n```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_machine_runs_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = MACHINE
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letters").mkdir()
    (tmp_path / "letter.py").write_text(code, encoding="utf-8")
    runpy.run_path(str(tmp_path / "letter.py"))
    said = re.findall(r"print\(run.state\)  # (.*)", code)
    assert (capsys.readouterr().out.splitlines()[:1], sum(bool(line.strip()) for line in code.splitlines()) <= 60) == (
        said,
        True,
    )
    assert (tmp_path / "letters" / ".backedge" / "runs.db").exists()


def test_the_first_example_and_the_reply_run(
    project: backedge.Project, shop: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, reply = BLOCKS[:2]
    shop.parent.joinpath("backedge-demo").symlink_to(shop)
    monkeypatch.chdir(shop.parent)
    exec(first, {})
    assert len(capsys.readouterr().out.splitlines()) >= 3
    after = {"project": project}
    exec(reply, after)
    assert after["answer"].status == "answered"  # type: ignore[attr-defined]


def test_every_name_of_the_tables_is_there() -> None:
    named = set(re.findall(r"`(?:project|backedge)\.(\w+)", PAGE))
    assert [n for n in sorted(named) if not hasattr(backedge.Project, n) and not hasattr(backedge, n)] == []
    assert len(named) > 8
