"""What each verb of the store does, without a driver: a transaction yields statements and is sent their results."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator
from typing import NamedTuple, NoReturn, TypeVar

from backedge.adapters.stores import statements as sql
from backedge.adapters.stores.statements import Row, Values
from backedge.kernel.defect import Permanent
from backedge.kernel.journal import Ref, Stored
from backedge.kernel.ports import Beginning, Change, Conflict, Head, Taken, UnknownRun
from backedge.kernel.run import Status
from backedge.kernel.stage import Record

SHORTEST_BEGINNING = 4


class Ask(NamedTuple):
    """One statement to run, once for each of `rows`."""

    text: str
    rows: tuple[Values, ...]


class Got(NamedTuple):
    """How many rows a statement changed, all its runs together, and what it found."""

    changed: int
    rows: list[Row]


T = TypeVar("T")
Steps = Generator[Ask, Got, T]
Transaction = Callable[[], Steps[T]]
"""Called again where it must be run again: its values are made before, its steps start anew."""


def begin(new: Beginning) -> Transaction[None]:
    """Write a run and its first entry. Raises `Taken` where the id exists."""
    if not new.head.id.isprintable():
        raise Permanent(f"a run cannot have the id {new.head.id!r}", mend="choose an id of printable characters")
    run = sql.run_row(new.head)
    entry = sql.entry_row(new.head.id, new.started)

    def steps() -> Steps[None]:
        added = yield Ask(sql.ADD_RUN, (run,))
        if added.changed != 1:
            raise Taken(new.head.id)
        yield Ask(sql.ADD_ENTRY, (entry,))

    return steps


def take(run_id: str, at: int | None) -> Transaction[str]:
    """Give the run a new holder's token; with `at` only while its next entry's place is that, else raise `Taken`."""
    token = secrets.token_hex(8)

    def steps() -> Steps[str]:
        taken = yield Ask(sql.TAKE if at is None else sql.TAKE_AT, ({"run_id": run_id, "token": token, "at": at},))
        if taken.changed != 1:
            yield from _must_be(run_id)
            raise Taken(run_id)
        return token

    return steps


def append(change: Change) -> Transaction[None]:
    """Write a change where token and seq still match, else raise `Taken`.

    A record that exists with an equal body stays its first writer's; with another body the change is refused as a
    `Conflict`. It is `Permanent`ly refused where a child's id exists. Of replies accepted for one key the first stays.
    """
    move = _move(change)
    entries = tuple(sql.entry_row(change.run_id, stored) for stored in change.entries)
    last = change.seq + len(change.entries) - 1
    # One order for all: two processes that write the same records must not wait for each other in a circle.
    records = sorted((sql.record_row(record, change.run_id, last) for record in change.records), key=_names)

    def steps() -> Steps[None]:
        moved = yield Ask(sql.MOVE, (move,))
        if moved.changed != 1:
            yield from _must_be(change.run_id)
            raise Taken(change.run_id)
        yield Ask(sql.ADD_ENTRY, entries)
        if records:
            yield from _add_records(tuple(records))
        if change.children:
            yield from _add_children(change)
        if change.accepted:
            key, seq = change.accepted
            yield Ask(sql.ADD_ACCEPTED, ({"key": key, "run_id": change.run_id, "seq": seq},))

    return steps


def _move(change: Change) -> Values:
    head = change.head
    return {
        "run_id": change.run_id,
        "token": change.token,
        "seq": change.seq,
        "next": head.seq,
        "state": head.state,
        "status": head.status,
        "wake_at": sql.moment(head.wake_at) if head.wake_at else None,
        "updated": sql.moment(head.updated),
    }


def _names(record: Values) -> tuple[str, str]:
    return str(record["kind"]), str(record["key"])


def _add_records(records: tuple[Values, ...]) -> Steps[None]:
    added = yield Ask(sql.ADD_RECORD, records)
    if added.changed == len(records):
        return
    for record in records:
        found = yield Ask(sql.RECORD, (record,))
        ((body, run_id),) = found.rows
        if not sql.same_body(body, str(record["body"])):
            kind, key = _names(record)
            raise Conflict(f"the {kind} {key} was already written by run {run_id}, with another body")


def _add_children(change: Change) -> Steps[None]:
    runs = tuple(sql.run_row(child.head) for child in change.children)
    added = yield Ask(sql.ADD_RUN, runs)
    if added.changed != len(runs):
        ids = ", ".join(child.head.id for child in change.children)
        raise Permanent(f"run {change.run_id} cannot start its children: some of {ids} exist already")
    yield Ask(sql.ADD_ENTRY, tuple(sql.entry_row(child.head.id, child.started) for child in change.children))


def read(run_id: str, after: int) -> Transaction[tuple[Stored, ...]]:
    """The run's entries behind `after`."""

    def steps() -> Steps[tuple[Stored, ...]]:
        found = yield Ask(sql.ENTRIES, ({"run_id": run_id, "after": after},))
        if not found.rows:
            yield from _must_be(run_id)
        return tuple(sql.stored_of(row) for row in found.rows)

    return steps


def head(run_id: str) -> Transaction[Head]:
    """The run's row; four characters that only its id begins with are enough."""

    def steps() -> Steps[Head]:
        if run_id.isprintable():
            found = yield Ask(sql.HEAD, ({"run_id": run_id},))
            if not found.rows and len(run_id) >= SHORTEST_BEGINNING:
                found = yield Ask(sql.ALIKE, (sql.alike(run_id),))
            if len(found.rows) == 1:
                return sql.head_of(found.rows[0])
            if found.rows:
                raise UnknownRun(run_id, tuple(row[0] for row in found.rows))
        return (yield from _unknown(run_id))

    return steps


def heads(status: Status | None, workflow: str | None, limit: int, before: str | None) -> Transaction[tuple[Head, ...]]:
    """A page of runs, newest first."""

    def steps() -> Steps[tuple[Head, ...]]:
        values: dict[str, str | int | None] = {"status": status, "workflow": workflow, "size": limit}
        if before is not None:
            last = yield from head(before)()
            values |= {"created": sql.moment(last.created), "id": last.id}
        text = sql.heads(status=status is not None, workflow=workflow is not None, before=before is not None)
        found = yield Ask(text, (values,))
        return tuple(sql.head_of(row) for row in found.rows)

    return steps


def accepted(key: str) -> Transaction[Ref | None]:
    """The entry whose reply was first accepted for the key."""

    def steps() -> Steps[Ref | None]:
        found = yield Ask(sql.ACCEPTED, ({"key": key},))
        return Ref(*found.rows[0]) if found.rows else None

    return steps


def records(kind: str, run_id: str | None, under: str) -> Transaction[tuple[Record, ...]]:
    """Records of a kind, all or those that one run was the first to write, in the order of their keys."""

    def steps() -> Steps[tuple[Record, ...]]:
        text = sql.RECORDS if run_id is None else sql.RECORDS_OF_RUN
        if under:
            text += sql.UNDER
        found = yield Ask(text, ({**sql.under(kind, under), "run_id": run_id},))
        if not found.rows and run_id is not None:
            yield from _must_be(run_id)
        return tuple(sorted((sql.record_of(row) for row in found.rows), key=lambda record: record.key))

    return steps


def _must_be(run_id: str) -> Steps[None]:
    found = yield Ask(sql.IS_RUN, ({"run_id": run_id},))
    if not found.rows:
        yield from _unknown(run_id)


def _unknown(run_id: str) -> Steps[NoReturn]:
    near: list[Row] = []
    if run_id and run_id.isprintable():
        near = (yield Ask(sql.ALIKE, (sql.alike(run_id[:SHORTEST_BEGINNING]),))).rows
    raise UnknownRun(run_id, tuple(row[0] for row in near))
