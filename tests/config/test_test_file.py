"""`.test.yml`: Oxygen's keys load, every case says what is right, and a mistake is named with its line."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from backedge.ask.evaluate import QuestionSet
from backedge.config.problem import ConfigError, Problem
from backedge.config.question_sets import agent_of, load_question_sets
from backedge.config.test_file import read_test
from backedge.config.validate import check_project
from backedge.config.yaml_file import parse_yaml
from tests.config.projects import CONFIG, VIEW

CASE = "cases:\n  - prompt: How many?\n"


def read(text: str, file: str = "q/sales.test.yml") -> tuple[QuestionSet | None, list[str]]:
    found: list[Problem] = []
    tree = parse_yaml(file, text, found)
    questions = read_test(file, tree, found) if tree else None
    return questions, [str(problem) for problem in found]


def test_a_file_of_oxygen_loads_and_says_what_is_not_used() -> None:
    questions, said = read(
        "target: sales.agentic.yml\nname: Sales\nsettings: {runs: 3, concurrency: 5, judge_model: gpt}\n"
        "cases:\n  - {name: one, prompt: How many?, expected: There are 7., tags: [smoke], tool: execute_sql}\n"
    )
    assert questions is not None
    case = questions.cases[0]
    assert (questions.target, questions.named, questions.runs, questions.concurrency) == (
        "sales.agentic.yml",
        True,
        3,
        5,
    )
    assert (case.name, case.expected, case.tags, case.expect, case.at) == (
        "one", "There are 7.", ("smoke",), "answer", "q/sales.test.yml:5",
    )  # fmt: skip
    assert len(said) == 2
    assert "`tool` is not checked" in said[0]
    assert "`judge_model` is not used" in said[1]


def test_the_target_is_inferred_from_the_file_and_the_name_from_the_prompt() -> None:
    questions, _ = read(f"{CASE}    sql: SELECT 7\n")
    assert questions is not None
    assert (questions.target, questions.named, questions.name) == ("sales.agentic.yml", False, "sales.test.yml")
    assert questions.cases[0].name == "How many?"


@pytest.mark.parametrize(
    ("written", "rows"),
    [
        ("7", ((7,),)),
        ("7.50", ((Decimal("7.50"),),)),
        ('"7"', (("7",),)),
        ("true", ((True,),)),
        ("[a, b]", (("a",), ("b",))),
        ("[[a, 1], [b, null]]", (("a", 1), ("b", None))),
        ("[]", ()),
        ("2025-01-01", (("2025-01-01",),)),
    ],
)
def test_a_value_is_a_cell_a_column_or_rows(written: str, rows: tuple[tuple[object, ...], ...]) -> None:
    questions, said = read(f"{CASE}    value: {written}\n")
    assert questions is not None, said
    assert questions.cases[0].value == rows
    assert [type(cell) for row in questions.cases[0].value or () for cell in row] == [type(c) for r in rows for c in r]


@pytest.mark.parametrize(
    ("rest", "line", "message"),
    [
        ("", 2, "must say what is right"),
        ("    sql: SELECT 1\n    value: 1\n", 2, "`sql` or `value`, not both"),
        ("    expect: refuse\n    sql: SELECT 1\n", 2, "`expect: refuse` takes no"),
        ("    expect: refuse\n    answer: net\n", 2, "`expect: refuse` takes no"),
        ("    expect: ask\n    sql: SELECT 1\n", 2, "needs `answer`"),
        ("    expect: ask\n    answer: net\n", 2, "say what is right"),
        ("    expect: refused\n", 3, "did you mean `refuse`?"),
        ("    sql: SELECT 1\n    gold: 1\n", 4, "unknown key `gold` in a case"),
        ("    value: [[1, 2], [3]]\n", 3, "rows of different lengths"),
        ("    value: {a: 1}\n", 3, "must be one value"),
        ("    sql: SELECT 1\n    tolerance: -1\n", 4, "`tolerance`"),
        ("    sql: SELECT 1\n  - prompt: ''\n    sql: SELECT 1\n", 4, "must not be empty"),
        ("    name: a\n    sql: SELECT 1\n  - {name: a, prompt: x, value: 1}\n", 2, "stands 2 times"),
    ],
)
def test_a_mistake_is_named_with_its_line(rest: str, line: int, message: str) -> None:
    questions, said = read(CASE + rest)
    assert questions is None
    assert f"q/sales.test.yml:{line}" in said[0]
    assert message in said[0]


@pytest.mark.parametrize("text", ["cases: []\n", "name: x\n", "settings: {runs: 0}\n" + CASE + "    value: 1\n"])
def test_a_file_without_questions_or_runs_is_refused(text: str) -> None:
    assert read(text)[0] is None


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in {
        "config.yml": CONFIG,
        "orders.view.yml": VIEW,
        "sales.agentic.yml": "databases: [local]\ncontext: ['*.view.yml']\n",
        "q/sales.test.yml": f"{CASE}    value: 7\n",
        "q/other.test.yml": f"{CASE}    value: 7\n",
        "data/orders.csv": "id\n1\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_all_sets_of_a_project_are_found_and_their_agent_is_the_one_of_their_name(project: Path) -> None:
    sets = load_question_sets(project, ())
    assert [questions.file for questions in sets] == ["q/other.test.yml", "q/sales.test.yml"]
    assert [agent_of(project, questions) for questions in sets] == [None, "sales.agentic.yml"]


def test_all_problems_of_all_files_are_told_at_once(project: Path) -> None:
    for name in ("sales", "other"):
        (project / "q" / f"{name}.test.yml").write_text(CASE)
    with pytest.raises(ConfigError) as refused:
        load_question_sets(project, ())
    assert [problem.file for problem in refused.value.problems] == ["q/other.test.yml", "q/sales.test.yml"]
    assert sum(problem.severity == "error" for problem in check_project(project).problems) == 2


def test_a_project_without_sets_and_a_file_that_is_not_there_are_told(project: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        load_question_sets(project, (project / "none.test.yml",))
    for path in (project / "q").iterdir():
        path.unlink()
    with pytest.raises(ConfigError, match=r"has no `\.test\.yml` file"):
        load_question_sets(project, ())
