"""`import backedge` offers its names to people and to type checkers, and loads nothing before one is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import backedge
from backedge.python.names import PUBLIC

STUB = Path(__file__).parents[2] / "src" / "backedge" / "__init__.pyi"


def test_the_stub_names_what_there_is() -> None:
    told: dict[str, str] = {}
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            told |= {name.asname or name.name: f"{node.module}:{name.name}" for name in node.names}
    listed = ast.literal_eval(STUB.read_text(encoding="utf-8").partition("__all__ = ")[2])
    assert (told, sorted(listed)) == (PUBLIC, sorted(PUBLIC))


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_there(name: str) -> None:
    assert getattr(backedge, name).__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'backedge' has no attribute 'opne'"):
        getattr(backedge, "opne")  # noqa: B009


def test_importing_it_loads_nothing() -> None:
    code = "import sys, backedge; print([name for name in sys.modules if name.startswith('backedge.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


USER = """
import backedge
from typing import assert_type

project = backedge.open("shop", by="ada", attributes={"region": ["EU"]})
assert_type(project, backedge.Project)
answer = project.ask("x", after=project.answer("y"))
assert_type(answer, backedge.Answer)
assert_type(answer.needs_input, bool)
assert_type(answer.sql, str | None)
answer.reply(1)
"""


@pytest.mark.slow
def test_the_types_hold_for_users(tmp_path: Path) -> None:
    file = tmp_path / "user.py"
    file.write_text(USER, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert ["[arg-type]" in line for line in errors] == [True], done.stdout
