"""What a follow-up may keep of a run: its reading in full, if it is answered and of the same asker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backedge.ask.answer import intent_of, query_of, question_of, status_of
from backedge.ask.cannot_follow import CannotFollow
from backedge.ask.intent import Before
from backedge.kernel.run import Run

AFTER, THREAD = "after", "thread"  # labels: the run that this one follows, and the first of them all


def before_of(run: Run, attributes: Mapping[str, str], agent: str) -> Before:
    """What there is to keep of a run, for who asks with `attributes` and `agent`. Raises `CannotFollow`."""
    if run.workflow.name != "ask":
        raise CannotFollow(f"run {run.id} is no question but of workflow {run.workflow.name}; follow a question")
    if dict(attributes) != dict(run.context.attributes):
        said = ", ".join(f"{name}={text}" for name, text in run.context.attributes.items()) or "no attributes"
        raise CannotFollow(f"run {run.id} was asked with {said}; ask again in full with others", forbidden=True)
    if agent != run.labels.get("agent", ""):
        other = run.labels.get("agent") or "no agent"
        raise CannotFollow(f"run {run.id} was asked of {other}; ask the same, or ask in full")
    if status_of(run) != "answered":
        raise CannotFollow(f"run {run.id} is not answered ({status_of(run)}){_what_to_do(run)}")
    return _before(run)


def _what_to_do(run: Run) -> str:
    if status_of(run) == "needs_input":
        return f"; answer it first: backedge answer {run.id} NUMBER"
    return "; ask in full, or follow one that is: backedge runs list"


def _before(run: Run) -> Before:
    intent = intent_of(run.state)
    thread = run.labels.get(THREAD, run.id)
    if intent is None:
        return Before(run.id, thread, question_of(run.state).text, "", None)
    query = query_of(run.state)  # what a model specified stands in its query alone
    specified = replace(query.spec, timezone="") if query and query.spec else None  # the zone is each question's own
    spec = intent.draft or specified
    return Before(run.id, thread, intent.question, intent.reading, spec, intent.dates)
