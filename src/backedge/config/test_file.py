"""`.test.yml`: a set of questions with what is right, as Oxygen writes it, and with gold that needs no judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field

from backedge.ask.evaluate import Case, Expect, QuestionSet
from backedge.ask.sameness import Row
from backedge.config.problem import Problem
from backedge.config.shape import Shape, Text, read_shape
from backedge.config.yaml_file import Block, Items, Scalar
from backedge.query.table import Cell

SUFFIX = ".test.yml"


def _many(value: object) -> object:
    """A single text is a list of one."""
    return value if isinstance(value, list) else [value]


class _Settings(Shape):
    what: ClassVar[str] = "`settings`"
    runs: Annotated[int, Field(ge=1, le=100)] = 1
    concurrency: Annotated[int, Field(ge=1, le=64)] = 5
    judge_model: str = ""


class _Case(Shape):
    what: ClassVar[str] = "a case"
    name: str = ""
    prompt: Text
    expected: str = ""
    tags: Annotated[tuple[str, ...], BeforeValidator(_many)] = ()
    tool: str = ""
    sql: str = ""
    value: object = None
    expect: Expect = "answer"
    answer: Annotated[tuple[Text, ...], BeforeValidator(_many)] = ()
    ordered: bool = False
    tolerance: Annotated[Decimal, Field(ge=0)] = Decimal(0)


class _Test(Shape):
    what: ClassVar[str] = "a test file"
    target: str = ""
    name: str = ""
    settings: _Settings = _Settings()
    cases: Annotated[tuple[_Case, ...], Field(min_length=1)]


def read_test(file: str, tree: Block, found: list[Problem]) -> QuestionSet | None:
    """The questions of a file, or None with every problem in `found`."""
    raw = read_shape(_Test, tree, file, found)
    if raw is None:
        return None
    known = len(found)
    found.extend(_problems(file, raw))
    cases = tuple(case for case in (_case(file, case, tree, n, found) for n, case in enumerate(raw.cases)) if case)
    if any(problem.severity == "error" for problem in found[known:]):
        return None
    target = raw.target or f"{PurePosixPath(file).name.removesuffix(SUFFIX)}.agentic.yml"
    name = raw.name or PurePosixPath(file).name
    settings = raw.settings
    return QuestionSet(file, cases, name, target, bool(raw.target), settings.runs, settings.concurrency)


def _problems(file: str, raw: _Test) -> Iterator[Problem]:
    names = Counter(case.name for case in raw.cases if case.name)
    for case in raw.cases:
        if names[case.name] > 1:
            yield Problem(file, case.line, f"case `{case.name}` stands {names[case.name]} times: name each differently")
        if message := _contradiction(case):
            yield Problem(file, case.line, message)
        if case.tool:
            yield Problem(file, case.line, "`tool` is not checked: give `sql` or `value` for what is right", "warning")
    if raw.settings.judge_model:
        message = "`judge_model` is not used: answers are judged by their values, not by a model"
        yield Problem(file, raw.settings.line, message, "warning")


def _contradiction(case: _Case) -> str:
    golds = [key for key, given in (("sql", case.sql), ("value", case.value is not None)) if given]
    has_gold = bool(golds or case.expected)
    if len(golds) > 1:
        return "a case takes `sql` or `value`, not both"
    if case.expect == "refuse" and (has_gold or case.answer):
        return "`expect: refuse` takes no `sql`, `value`, `expected` or `answer`: nothing is answered"
    if case.expect == "answer" and not has_gold:
        return "a case must say what is right: `sql`, `value` or `expected`, or `expect: ask` or `refuse`"
    if case.answer and not has_gold:
        return "`answer` leads to an answer: say what is right by `sql`, `value` or `expected`"
    if case.expect == "ask" and has_gold and not case.answer:
        return "`expect: ask` with what is right needs `answer`: what is said to the question"
    return ""


def _case(file: str, raw: _Case, tree: Block, number: int, found: list[Problem]) -> Case | None:
    cases = tree["cases"]
    assert isinstance(cases, Items)
    written = cases[number]
    assert isinstance(written, Block)
    try:
        value = _rows(written["value"]) if raw.value is not None else None
    except ValueError as error:
        found.append(Problem(file, written.lines["value"], f"`value` {error}"))
        return None
    return Case(
        name=raw.name or raw.prompt,
        prompt=raw.prompt,
        at=f"{file}:{raw.line}",
        expect=raw.expect,
        sql=raw.sql,
        value=value,
        expected=raw.expected.strip(),
        answers=raw.answer,
        tags=raw.tags,
        ordered=raw.ordered,
        tolerance=raw.tolerance,
    )


def _rows(value: object) -> tuple[Row, ...]:
    """One value is one cell, a list is one column, a list of lists are rows."""
    if not isinstance(value, Items):
        return ((_cell(value),),)
    rows = tuple(tuple(map(_cell, row)) if isinstance(row, Items) else (_cell(row),) for row in value)
    if len({len(row) for row in rows}) > 1:
        raise ValueError("has rows of different lengths: give each row as many values as the answer has columns")
    return rows


def _cell(value: object) -> Cell:
    """A number with a point is a decimal, with the digits that the file gives it."""
    if not isinstance(value, Scalar):
        raise ValueError("must be one value, a list of values, or a list of rows")
    return Decimal(str(value)) if isinstance(value.value, float) else value.value
