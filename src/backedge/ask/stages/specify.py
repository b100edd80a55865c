"""Specifying: the intent becomes a spec that the semantic model compiles, a verified query, or parts."""

from __future__ import annotations

from dataclasses import replace

from backedge.ask import gates
from backedge.ask.answers import awaiting
from backedge.ask.intent import Ambiguous, Questions
from backedge.ask.permission import with_permission
from backedge.ask.ports import AskPorts, Specified, settings_of
from backedge.ask.proposals import Beyond, Chosen, Compilation, Several
from backedge.ask.states import (
    AwaitingAnswer,
    Diagnosing,
    Executing,
    Gathering,
    Path,
    Query,
    Solving,
    Specifying,
)
from backedge.kernel.stage import Child, Lesson, Reply, Settled, Stage, Unreadable
from backedge.semantic.spec import Compiled, Spec

EDITED = "edited"


async def propose(state: Specifying, ports: AskPorts, lesson: Lesson) -> Specified | Reply[Specified] | Unreadable:
    """Make a spec of the intent; SQL that a person gives is taken as it is, held to what they may see."""
    question = state.came_from.question
    if question.sql:
        note = f"SQL edited by {question.sql_by}"
        return with_permission(Chosen(EDITED, question.sql, question.sql_on, notes=(note,)), question, ports)
    return with_permission(await ports.specifier.specify(state, lesson), question, ports)


def settle(state: Specifying, proposal: Specified) -> Settled[Executing | Solving | AwaitingAnswer | Gathering]:
    """What compiled, or is verified, is run as it is; Solving is only for what the model cannot express."""
    match proposal:
        case Compilation(spec, compiled):
            assert compiled is not None
            return Settled(Executing(state, _semantic(spec, compiled, proposal.assumptions)))
        case Chosen(name, sql, database, params, notes):
            path: Path = "edited" if state.came_from.question.sql else "verified"
            return Settled(Executing(state, Query(path, sql, params, database=database, notes=notes, name=name)))
        case Several(questions):
            return _fan_out(state, questions)
        case Beyond(spec, reason, outline):
            return Settled(Solving(state, spec, reason, outline))
        case Ambiguous() | Questions():
            return awaiting(state, proposal)


def _semantic(spec: Spec, compiled: Compiled, assumptions: tuple[str, ...]) -> Query:
    return Query(
        "semantic",
        compiled.sql,
        compiled.params,
        compiled.columns,
        compiled.datasource,
        compiled.filters,
        (*assumptions, *compiled.notes),
        spec=spec,
    )


def _fan_out(state: Specifying, questions: tuple[str, ...]) -> Settled[Gathering]:
    asked = state.came_from.question
    parts = tuple(Child("", replace(asked, text=part, is_part=True), {"asked": part}) for part in questions)
    return Settled(Gathering(state, questions, (None,) * len(questions)), children=parts)


def _asked(state: Specifying) -> object:
    return (state.came_from.question, state.came_from.given, state.intent, state.given)


SPECIFYING: Stage[Specifying, Specified] = Stage(
    Specifying,
    Specified,
    settle,
    propose,
    gates=(
        gates.compiles,
        gates.agrees_with_rules,
        gates.outline_holds,
        gates.is_permitted,
        gates.has_parts,
        gates.has_choices,
    ),
    otherwise=Diagnosing,
    inputs=_asked,
    settings=lambda ports: settings_of(ports.specifier),
    model="specifying",
)
