"""The gates of ask: pure functions that refuse a reading, a spec, a result or an answer, each with its defect."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from backedge.ask.answers import given_by, refuse_questions
from backedge.ask.chart_check import chart_fits
from backedge.ask.delegated import figures_of_automation
from backedge.ask.figures import Figure, Prose, figures_resolve
from backedge.ask.grounding.words import tokenise
from backedge.ask.inquiries import holds_sql, names_something, unvouched
from backedge.ask.intent import Ambiguous, Inquiry, Intent, NotUnderstood, Questions
from backedge.ask.numbers.read import read_figures
from backedge.ask.numbers.sheet_of import sheet_of
from backedge.ask.parting import MOST_PARTS, lost_in_parts
from backedge.ask.proposals import (
    Automation,
    Beyond,
    Chosen,
    Compilation,
    Interpretation,
    Investigated,
    Saying,
    Several,
    Written,
)
from backedge.ask.rules import RULES, Result, judge
from backedge.ask.states import AwaitingAnswer, Clarifying, Executing, Interpreting, Question, Solving, Specifying
from backedge.kernel.defect import Defect
from backedge.kernel.stage import Gate
from backedge.query.ports import Ran, Rejected
from backedge.query.table import Table

Outcome = Ran | Rejected | Investigated


def every_word_is_read(state: Clarifying, reading: object) -> Defect | None:
    """The tokens of an intent cover the words of the question: none is ignored. A person's SQL has no reading."""
    if not isinstance(reading, Intent) or reading.by == "model" or state.question.sql:
        return None
    read = Counter(word for token in reading.tokens if not token.kept for word in _words(token.text))
    asked = Counter(_words(state.question.text))
    missing = tuple((asked - read).keys())
    if not missing:
        return None
    words = ", ".join(missing[:5])
    return Defect("word_ignored", f"the reading leaves out: {words}", where="tokens", hint="read every word, or ask")


def is_grounded(state: Clarifying, reading: object) -> Defect | None:
    """A model's reading names only what the catalog has; otherwise the first defect, with the messages of all."""
    if not isinstance(reading, Intent | Automation) or not reading.defects:
        return None
    return _together(reading.defects)


def is_of_the_catalog(state: Clarifying, reading: object) -> Defect | None:
    """A model's words about the catalog claim nothing that it was not shown, and hold no query."""
    if not isinstance(reading, Inquiry | NotUnderstood) or reading.facts is None:
        return None
    text = reading.text if isinstance(reading, Inquiry) else reading.reason
    if holds_sql(text):
        return Defect("sql_in_answer", "an answer about the catalog has no SQL", where="answer", hint="say it in words")
    if claimed := unvouched(text, reading.facts):
        message = f"nothing in the catalog excerpt says {', '.join(claimed)}"
        return Defect("not_in_catalog", message, where="answer", hint="of the data itself nothing is known here")
    if isinstance(reading, Inquiry) and not names_something(reading.facts):
        message = "an answer about the catalog names something of it, in backticks, as it stands there"
        return Defect("names_nothing", message, where="answer")
    return None


def _together(defects: tuple[Defect, ...]) -> Defect:
    near = tuple(dict.fromkeys(name for defect in defects for name in defect.near))
    hints = "; ".join(dict.fromkeys(defect.hint for defect in defects if defect.hint))
    return replace(defects[0], message="; ".join(defect.message for defect in defects), near=near, hint=hints)


def _words(text: str) -> list[str]:
    found = []
    for word in tokenise(text):
        if word.kind == "quoted":
            found += _words(word.text)
        elif word.kind != "mark":
            found.append(word.folded)
    return found


def has_choices(state: Clarifying | Specifying, asked: object) -> Defect | None:
    """What a person is asked can be answered: two to four options of a choice, suggestions of the question's kind."""
    if not isinstance(asked, Ambiguous | Questions):
        return None
    defects = refuse_questions(AwaitingAnswer(state, asked))
    return _together(defects) if defects else None


def answers_every_question(state: AwaitingAnswer, said: Saying) -> Defect | None:
    """Every open slot has an answer of its kind; otherwise nothing is taken, and each slot has its reason."""
    _, defects = given_by(state, said)
    return _together(defects) if defects else None


def compiles(state: Specifying, proposal: object) -> Defect | None:
    """A spec compiles; otherwise the first of its defects, with all of their messages."""
    if not isinstance(proposal, Compilation) or not proposal.defects:
        return None
    return replace(_together(proposal.defects), retryable=proposal.by == "model")


def agrees_with_rules(state: Specifying, proposal: object) -> Defect | None:
    """A model's spec has what rules read of the question with certainty, as they read it, and nothing beside it."""
    if not isinstance(proposal, Compilation) or not proposal.against:
        return None
    return _together(proposal.against)


def outline_holds(state: Specifying, proposal: object) -> Defect | None:
    """An outline of SQL names columns that are there, and joins its tables."""
    if not isinstance(proposal, Beyond) or not proposal.defects:
        return None
    return _together(proposal.defects)


def is_permitted(state: Specifying | Solving, proposal: object) -> Defect | None:
    """SQL that the semantic model did not make reads only what the asker may see."""
    if not isinstance(proposal, Chosen | Written):
        return None
    return next((defect for defect in proposal.defects if defect.kind == "not_permitted"), None)


def is_sound(state: Solving, written: Written) -> Defect | None:
    """SQL that passed its trial (guard, planner, preview, joins) and lost no value, number or day of the question."""
    found = tuple(defect for defect in written.defects if defect.kind != "not_permitted")
    return _together(found) if found else None


def has_parts(state: Specifying, proposal: object) -> Defect | None:
    """A question in parts has two to six, different from the whole; nothing is lost, and a part is not split again."""
    if not isinstance(proposal, Several):
        return None
    question = state.came_from.question
    if question.is_part and not state.intent.parts:
        return Defect("not_parts", "this is a part of a question already: it is not split again", "parts")
    if lost := lost_in_parts(question.text, proposal.questions):
        return Defect("part_lost", f"no part has {', '.join(lost)}", "parts", "let each part keep its own words")
    parts = {part.strip().casefold() for part in proposal.questions}
    whole = question.text.strip().casefold()
    if len(parts) == len(proposal.questions) and 2 <= len(parts) <= MOST_PARTS and whole not in parts:
        return None
    said = f"a question in parts needs two to {MOST_PARTS} different parts, none of them the whole"
    return Defect("not_parts", said, "parts")


def has_sql(state: Solving, written: Written) -> Defect | None:
    """There is SQL; where there is none, the reason is the defect."""
    if written.sql.strip() or written.defects:
        return None
    return Defect("no_sql", written.reason or "no SQL was written", retryable=False)


def ran(state: Executing, result: Outcome) -> Defect | None:
    """The guard and the database took the query."""
    if not isinstance(result, Rejected):
        return None
    return Defect(f"sql_{result.kind}", result.message, where="sql", near=result.near, retryable=False)


def nothing_empties_it(state: Executing, result: Outcome) -> Defect | None:
    """No filter alone makes the result empty or zero; where one does, the defect names it and what the data holds."""
    if not isinstance(result, Investigated) or not result.findings:
        return None
    message = "; ".join(finding.message for finding in result.findings)
    near = tuple(name for finding in result.findings for name in finding.near)
    members = ", ".join(dict.fromkeys(finding.member for finding in result.findings if finding.member))
    return Defect("empty", message, where=members or "filters", near=near, retryable=False)


def _rule_gate(name: str) -> Gate:
    def gate(state: Executing, result: Outcome) -> Defect | None:
        if isinstance(result, Rejected) or nothing_empties_it(state, result):
            return None
        return judge(name, judged(state, table_of(result)), question_of(state).rules)

    gate.__name__ = name
    gate.__doc__ = RULES[name].check.__doc__
    return gate


RESULT_GATES: tuple[Gate, ...] = (
    ran,
    nothing_empties_it,
    *(_rule_gate(name) for name, rule in RULES.items() if rule.refuses),
)


def table_of(result: Ran | Investigated) -> Table:
    """The rows of a result."""
    return result.ran.table if isinstance(result, Investigated) else result.table


def judged(state: Executing, table: Table) -> Result:
    """What the rules need to know of a result."""
    query = state.query
    return Result(table, query.columns, query.filters, query.path == "semantic", question_of(state).today)


def question_of(state: Executing) -> Question:
    """The question that a query was made for."""
    before = state.came_from
    return (before.came_from if isinstance(before, Solving) else before).came_from.question


def figures_hold(state: Interpreting, said: Interpretation) -> Defect | None:
    """Every number of the text is a cell of the result, or a computation over cells, and so is what is said of it."""
    found = figures_of(state, said)
    return found if isinstance(found, Defect) else None


def figures_of(state: Interpreting, said: Interpretation) -> tuple[Figure, ...] | Defect:
    """The figures of an answer: those that its template declares, or those that its words are read to have."""
    source = state.came_from
    if state.ran is None or not isinstance(source, Executing):
        return figures_of_automation(state, said)
    query, table, intent = source.query, state.ran.table, intent_of(source)
    if not said.figures:
        return read_figures(said.text, sheet_of(question_of(source).text, intent, query, table, state.remarks))
    prose = Prose(said.text, said.figures)
    return figures_resolve(prose, intent, query.columns, table, query.filters) or said.figures


def chart_holds(state: Interpreting, said: Interpretation) -> Defect | None:
    """The chart's fields are the result's columns."""
    if said.chart is None or state.ran is None:
        return None
    return chart_fits(said.chart, state.ran.table)


def says_something(state: Interpreting, said: Interpretation) -> Defect | None:
    """There are words."""
    return None if said.text.strip() else Defect("no_words", "the answer has no words", where="text")


def intent_of(state: Executing) -> Intent:
    """The intent that a query was made for."""
    before = state.came_from
    return before.came_from.intent if isinstance(before, Solving) else before.intent
