"""The house rules that no linter knows: sizes, names, opening sentences, purity, a plain kernel, docs in step."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from backedge.assemble import WORKFLOWS, workflow_named
from backedge.cli.app import main
from backedge.kernel.workflow import Workflow

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src" / "backedge"
FILES = sorted(path for path in SRC.rglob("*.py") if path.name != "__init__.py")
KERNEL = sorted((SRC / "kernel").glob("*.py"))
BANNED_NAMES = {"utils", "helpers", "common", "misc", "manager", "base"}
IMPURE = {"asyncio", "time", "random", "os", "threading", "subprocess", "socket", "secrets"}
PURE_NAMES = {"gates.py", "states.py", "records.py"}
PURE_ASK = {
    "figures.py",
    "prose.py",
    "charts.py",
    "chart_check.py",
    "picture.py",
    "intent.py",
    "catalog.py",
    "grounding",
}
PURE_ASK |= {"numbers", "parting.py", "evaluate.py", "expected.py", "sameness.py", "extent.py", "partial.py"}
PURE_KERNEL = {"decide.py", "workflow.py", "stage.py", "budget.py", "defect.py", "codec.py", "journal.py"}
DOMAIN_WORDS = r"sql|query|queries|questions?|databases?|connectors?|measures?|dimensions?|charts?|evidence|citations?"


def place(path: Path) -> str:
    return str(path.relative_to(ROOT))


def pure(path: Path) -> bool:
    floor, *rest = path.relative_to(SRC).parts
    listed = {"semantic": True, "ask": rest[:1] and rest[0] in PURE_ASK, "kernel": rest[:1] and rest[0] in PURE_KERNEL}
    return bool(listed.get(floor)) or path.name in PURE_NAMES


@cache
def tree(path: Path) -> ast.Module:
    """A file, parsed once, and not before a test asks for it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All of a file, walked once."""
    return tuple(ast.walk(tree(path)))


def imported(path: Path) -> Iterator[str]:
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Every function with its length in lines, its docstring not counted."""
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            has_doc = ast.get_docstring(node) is not None
            doc = (node.body[0].end_lineno or 0) - node.body[0].lineno + 1 if has_doc else 0
            yield f"{place(path)}:{node.lineno} {node.name}", (node.end_lineno or 0) - node.lineno + 1 - doc


def test_there_is_something_to_check() -> None:
    lengths = [length for path in FILES for _, length in functions(path)]
    assert (len(FILES) > 40, len(lengths) > 200, len(KERNEL) > 5, sum(map(pure, FILES)) > 15) == (True,) * 4


def test_a_file_has_at_most_400_lines() -> None:
    assert [place(p) for p in FILES if len(p.read_text(encoding="utf-8").splitlines()) > 400] == []


def test_a_file_opens_with_a_sentence_that_says_what_it_is_for() -> None:
    first_lines = {place(p): (ast.get_docstring(tree(p)) or "").split("\n\n")[0] for p in FILES}
    assert [name for name, line in first_lines.items() if not re.fullmatch(r"[A-Z`].{15,}[.:?]", line, re.DOTALL)] == []


def test_a_function_has_at_most_40_lines() -> None:
    assert [name for path in FILES for name, length in functions(path) if length > 40] == []


def test_the_kernel_has_at_most_1500_lines_that_are_not_blank() -> None:
    assert sum(bool(line.strip()) for p in KERNEL for line in p.read_text(encoding="utf-8").splitlines()) <= 1500


def test_no_file_or_folder_is_a_junk_drawer() -> None:
    parts = {part.removesuffix(".py").strip("_") for p in FILES for part in p.relative_to(SRC).parts}
    assert parts & BANNED_NAMES == set()


def test_init_files_are_empty() -> None:
    inits = [p for p in SRC.rglob("__init__.py") if p.parent != SRC and p.read_text(encoding="utf-8").strip()]
    root = ast.parse((SRC / "__init__.py").read_text(encoding="utf-8"))
    kinds = [type(node) for node in root.body]  # `backedge.open` is public, and loaded when it is first used
    assert (inits, kinds, ast.get_docstring(root) is not None) == ([], [ast.Expr, ast.FunctionDef], True)


def test_every_import_is_absolute_and_real() -> None:
    assert [place(p) for p in FILES for name in imported(p) if name.startswith(".")] == []
    assert [place(p) for p in FILES if "TYPE_CHECKING" in p.read_text(encoding="utf-8")] == []
    assert [place(p) for p in FILES if "from __future__ import annotations" not in p.read_text(encoding="utf-8")] == []


def test_no_handler_catches_everything() -> None:
    handlers = [(p, h) for p in FILES for h in nodes(p) if isinstance(h, ast.ExceptHandler)]
    broad = [f"{place(p)}:{h.lineno}" for p, h in handlers if h.type is None or "Exception" in names_in(h.type)]
    assert (broad, handlers != []) == ([], True)


def names_in(node: ast.expr) -> set[str]:
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name)} & {"Exception", "BaseException"}


def test_pure_files_reach_nothing_outside() -> None:
    def impure(name: str) -> bool:
        return name.split(".")[0] in IMPURE or name.startswith(("backedge.agent", "backedge.adapters"))

    assert [f"{place(p)}: {name}" for p in FILES if pure(p) for name in imported(p) if impure(name)] == []


def workflows() -> list[Workflow]:
    """Every workflow that an application declares."""
    folders = [p.parent for p in SRC.glob("**/workflow.py") if p.parent.name not in ("kernel", "cli")]
    names = [".".join(folder.relative_to(SRC).parts) for folder in folders]
    modules = [import_module(f"backedge.{name}.workflow") for name in names]
    return [value for module in modules for value in vars(module).values() if isinstance(value, Workflow)]


def test_no_workflow_that_can_be_started_is_left_out() -> None:
    known = {name for name in WORKFLOWS if workflow_named(name) is not None}
    assert known - {workflow.name for workflow in workflows()} == set()


def test_the_kernel_knows_no_domain_word() -> None:
    states = [state.__name__ for workflow in workflows() for state in workflow.states]
    word = re.compile(rf"\b(?:(?i:{DOMAIN_WORDS})|{'|'.join(states)})\b")
    lines = [(p, n, line) for p in KERNEL for n, line in enumerate(p.read_text(encoding="utf-8").splitlines(), 1)]
    assert ([f"{place(p)}:{n} {line.strip()}" for p, n, line in lines if word.search(line)], states != []) == ([], True)


def commands(command: click.Command, name: str) -> Iterator[str]:
    """`backedge` and the name of every command below it, groups left out."""
    if not isinstance(command, click.Group):
        yield name
        return
    with click.Context(command) as context:
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            assert found is not None
            yield from commands(found, f"{name} {sub}")


def undocumented(names: list[str]) -> list[str]:
    """Names that no heading and no first cell of a table row in the docs holds in backticks."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md")))
    places = "\n".join(re.findall(r"^(?:#+ |\| ?)[^|\n]*", text, re.MULTILINE))
    return [name for name in names if f"`{name}`" not in places and f"`{name} " not in places]


def test_every_command_has_its_place_in_the_docs() -> None:
    names = list(commands(main, "backedge"))
    assert (undocumented(names), len(names) > 10) == ([], True)


def test_every_state_and_gate_has_its_place_in_the_docs() -> None:
    states = [state.__name__ for workflow in workflows() for state in workflow.states]
    gates = [gate.__name__ for workflow in workflows() for stage in workflow.stages for gate in stage.gates]
    assert (undocumented(states), undocumented(gates), len(states) > 8, len(gates) > 5) == ([], [], True, True)


EVIDENCE = ("ingest", "extract", "verify", "refresh", "restrict", "watch")
PAGES = {"ask": "ask.md", "automation": "automations.md", **dict.fromkeys(EVIDENCE, "evidence-workflows.md")}
PAGES |= dict.fromkeys(("investigate", "inquire"), "investigation.md")


@pytest.mark.parametrize("workflow", PAGES)
def test_the_machine_in_the_docs_is_the_one_in_the_code(workflow: str) -> None:
    shown = CliRunner().invoke(main, ["workflow", "show", workflow])
    text = (ROOT / "docs" / PAGES[workflow]).read_text(encoding="utf-8")
    kept = f"<!-- `backedge workflow show {workflow}`, kept in step by a test -->\n"
    assert (shown.exit_code, text.split(kept)[1].split("<!-- end")[0]) == (0, shown.stdout)
