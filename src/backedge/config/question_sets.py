"""The question sets of a project: which files are meant, and which agent each of them asks."""

from __future__ import annotations

from pathlib import Path

from backedge.ask.evaluate import QuestionSet
from backedge.config.choice import agent_files
from backedge.config.folder import kind_of, list_folder, read_text
from backedge.config.problem import ConfigError, Problem
from backedge.config.test_file import SUFFIX, read_test
from backedge.config.yaml_file import parse_yaml


def load_question_sets(folder: Path, files: tuple[Path, ...]) -> tuple[QuestionSet, ...]:
    """The named files, or every `.test.yml` of the project. Raises ConfigError with all that is wrong in them."""
    project = list_folder(folder)
    if not files:
        files = tuple(project.root / path for path in project.files if kind_of(path) == "test")
    if not files:
        message = f"the project has no `{SUFFIX}` file: write one, or name it"
        raise ConfigError((Problem(str(folder), 0, message),))
    found: list[Problem] = []
    sets = [_read(project.root, path, found) for path in files]
    errors = [problem for problem in found if problem.severity == "error"]
    if errors:
        raise ConfigError(errors)
    return tuple(questions for questions in sets if questions)


def agent_of(folder: Path, questions: QuestionSet) -> str | None:
    """The agent that a set asks; None for the project's own choice."""
    if questions.named or questions.target in {path.rsplit("/", 1)[-1] for path in agent_files(list_folder(folder))}:
        return questions.target
    return None


def _read(root: Path, path: Path, found: list[Problem]) -> QuestionSet | None:
    full = path.resolve()
    shown = full.relative_to(root).as_posix() if full.is_relative_to(root) else str(path)
    problems: list[Problem] = []
    text = read_text(full.parent, full.name, problems)
    found.extend(Problem(shown, problem.line, problem.message) for problem in problems)
    if text is None:
        return None
    tree = parse_yaml(shown, text[1], found)
    return read_test(shown, tree, found) if tree else None
