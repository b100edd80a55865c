"""SQL on its way to a database, held to what the asker may see."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from backedge.ask.ports import AskPorts
from backedge.ask.proposals import Chosen, Written
from backedge.ask.states import Question
from backedge.kernel.stage import Reply, Unreadable
from backedge.semantic.permit import Permitted, permitted_sql

P = TypeVar("P")


def with_permission(found: P | Reply[P] | Unreadable, question: Question, ports: AskPorts) -> P | Reply[P] | Unreadable:
    """A stage's reply, in which SQL that the semantic model did not make reads only what the asker may see."""
    if isinstance(found, Unreadable):
        return found
    if isinstance(found, Reply):
        return replace(found, proposal=_judged(found.proposal, question, ports))
    return _judged(found, question, ports)


def _judged(proposal: P, question: Question, ports: AskPorts) -> P:
    if not isinstance(proposal, Chosen | Written) or proposal.defects or not proposal.sql.strip():
        return proposal
    connector = ports.connectors.get(proposal.database or ports.default)
    found = permitted_sql(
        ports.catalog.model,
        proposal.sql,
        connector.dialect if connector else "duckdb",
        database=proposal.database,
        default=ports.default,
        attributes=question.asker,
    )
    if isinstance(found, Permitted):
        return replace(proposal, sql=found.sql, params=found.params, notes=(*proposal.notes, *found.notes))
    return replace(proposal, sql="", defects=found)
