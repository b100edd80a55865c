"""Question sets: what a case wants, what an answer is worth against it, and the report over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal, get_args

from backedge.ask.expected import Judged, judge_text
from backedge.ask.sameness import Row, Wanted, difference
from backedge.ask.wording import exact_text

SCHEMA = "backedge.test/1"
Expect = Literal["answer", "ask", "refuse"]
Outcome = Literal["right", "wrong", "asked", "refused", "failed", "unchecked"]
# A case of several runs is worth its worst one.
WORST_FIRST: tuple[Outcome, ...] = ("wrong", "failed", "unchecked", "refused", "asked", "right")
ROWS_SHOWN = 5
Found = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """One question and what is right: the rows of `sql`, those of `value`, or a text that is judged by its figures.

    `answers` are given, in order, to the clarifying questions that the question meets.
    """

    name: str
    prompt: str
    at: str = ""
    expect: Expect = "answer"
    sql: str = ""
    value: tuple[Row, ...] | None = None
    expected: str = ""
    answers: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    ordered: bool = False
    tolerance: Decimal = Decimal(0)


@dataclass(frozen=True)
class QuestionSet:
    """The cases of one file. `target` is the agent that is asked; where the file does not name it, it may be absent."""

    file: str
    cases: tuple[Case, ...]
    name: str
    target: str
    named: bool = False
    runs: int = 1
    concurrency: int = 5


@dataclass(frozen=True)
class Score:
    """What one run of a case came to, and why; `got` and `wanted` in words."""

    case: Case
    outcome: Outcome
    why: str = ""
    got: str = ""
    wanted: str = ""
    run_id: str = ""
    path: str = ""
    agreed: bool = True

    @property
    def passed(self) -> bool:
        """Whether it came to the end that the case expects."""
        if self.case.expect == "answer" or self.case.answers:
            return self.outcome == "right"
        return self.outcome == {"ask": "asked", "refuse": "refused"}[self.case.expect]

    @property
    def answered(self) -> bool:
        """Whether there was an answer that could be judged."""
        return self.outcome in ("right", "wrong")


def score(case: Case, found: Found, asked: int, wanted: Wanted | None) -> Score:
    """Judge how a run of a case ended; `asked` is how many of its questions were answered, `wanted` the gold's rows."""
    outcome, why = _ended(case, found, asked, wanted)
    got, right = _shown_end(found), _shown_wanted(case, wanted)
    return Score(case, outcome, why, got, right, found["run_id"], found["path"] or "")


def broken(case: Case, why: str) -> Score:
    """A case that was not asked, because what is right cannot be had."""
    return Score(case, "failed", why)


def worst(scores: Sequence[Score]) -> Score:
    """The score of a case that ran several times: its worst run, and whether all came to the same."""
    agreed = len({(score.outcome, score.got) for score in scores}) == 1
    chosen = min(scores, key=lambda score: WORST_FIRST.index(score.outcome))
    return replace(chosen, agreed=agreed)


def report(scores: Sequence[Score]) -> Found:
    """The report as data (`backedge.test/1`), the scores in the order of the cases."""
    checked = [score for score in scores if score.outcome != "unchecked"]
    return {
        "schema": SCHEMA,
        "cases": len(scores),
        "checked": len(checked),
        "passed": sum(score.passed for score in checked),
        **_rates(checked),
        "consistency": _share(sum(score.agreed for score in checked), len(checked)),
        "confusion": {
            expect: {
                outcome: _count(checked, expect, outcome) for outcome in get_args(Outcome) if outcome != "unchecked"
            }
            for expect in get_args(Expect)
        },
        "paths": _by((score.path, score) for score in checked if score.answered),
        "tags": _by((tag, score) for score in checked for tag in score.case.tags),
        "wrong": [_line(score) for score in checked if score.outcome == "wrong"],
        "failed": [_line(score) for score in checked if score.outcome == "failed"],
        "unchecked": [_line(score) for score in scores if score.outcome == "unchecked"],
        "results": [_line(score) for score in scores],
    }


def missed(found: Found, min_precision: float, min_coverage: float) -> list[str]:
    """The thresholds that a report misses, in words. That nothing was checked misses every threshold."""
    if not found["checked"]:
        return ["no case was checked"]
    gaps = []
    rates = (("precision", min_precision), ("coverage", min_coverage))
    for name, least in rates:
        rate = found[name]
        if rate is not None and rate < least:
            gaps.append(f"{name} is {rate:.2%}, at least {least:.2%} is wanted")
    if found["precision"] is None and found["coverage"] is not None and min_precision:
        gaps.append("nothing was answered: there is no precision")
    return gaps


def _ended(case: Case, found: Found, asked: int, wanted: Wanted | None) -> tuple[Outcome, str]:
    match found["status"]:
        case "needs_input":
            return "asked", " ".join(question["prompt"] for question in found["questions"])
        case "cannot_answer":
            return "refused", found["answer"]
        case "answered":
            return _judged(case, found, asked, wanted)
    return "failed", found["answer"] or found["status"]


def _judged(case: Case, found: Found, asked: int, wanted: Wanted | None) -> tuple[Outcome, str]:
    if case.expect == "refuse":
        return "wrong", "it was answered, and nothing here can answer it"
    if case.expect == "ask" and not asked:
        return "wrong", "it was answered without asking which reading is meant"
    if wanted is not None:
        if found["truncated"]:
            return "unchecked", f"the answer was cut ({found['truncated']}): ask for less"
        why = difference(wanted, [tuple(row) for row in found["rows"]])
        return ("wrong", why) if why else ("right", "")
    judged: Judged = judge_text(case.expected, case.prompt, found, case.tolerance)
    return judged.verdict, judged.why


def _rates(scores: Sequence[Score]) -> Found:
    right = sum(score.outcome == "right" for score in scores)
    answered = sum(score.answered for score in scores)
    answerable = [score for score in scores if score.case.expect == "answer"]
    return {
        "answered": answered,
        "right": right,
        "precision": _share(right, answered),
        "coverage": _share(sum(score.answered for score in answerable), len(answerable)),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _count(scores: Sequence[Score], expect: str, outcome: str) -> int:
    return sum(score.case.expect == expect and score.outcome == outcome for score in scores)


def _by(pairs: Iterable[tuple[str, Score]]) -> Found:
    groups: dict[str, list[Score]] = {}
    for name, score in pairs:
        groups.setdefault(name or "none", []).append(score)
    return {
        name: {"cases": len(scores), **_rates(scores), "outcomes": dict(Counter(s.outcome for s in scores))}
        for name, scores in sorted(groups.items())
    }


def _line(score: Score) -> Found:
    case = score.case
    return {
        "name": case.name,
        "at": case.at,
        "question": case.prompt,
        "expect": case.expect,
        "outcome": score.outcome,
        "passed": score.passed,
        "why": score.why,
        "got": score.got,
        "wanted": score.wanted,
        "run_id": score.run_id,
        "path": score.path,
        "tags": list(case.tags),
        "agreed": score.agreed,
    }


def _shown_end(found: Found) -> str:
    if found["status"] == "answered" and found["rows"]:
        return _shown_rows(found["rows"], len(found["rows"]))
    return str(found["answer"] or found["status"])


def _shown_wanted(case: Case, wanted: Wanted | None) -> str:
    if wanted is not None:
        return _shown_rows(wanted.rows, wanted.count)
    return case.expected or {"answer": "", "ask": "a question back", "refuse": "a refusal"}[case.expect]


def _shown_rows(rows: Sequence[Sequence[Any]], count: int) -> str:
    shown = [", ".join(exact_text(cell) for cell in row) for row in rows[: min(count, ROWS_SHOWN)]]
    more = [f"… {count} rows"] if count > ROWS_SHOWN else []
    return " | ".join([*shown, *more]) or "no rows"
