"""The SQL of the store, once for SQLite and PostgreSQL, and the rows that it writes and reads.

It is text and no expressions: importing SQLAlchemy takes longer than most commands of the command line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from backedge.kernel.journal import Parent, Stored, entry_from_json, entry_to_json
from backedge.kernel.ports import Head
from backedge.kernel.stage import Record

Values = Mapping[str, str | int | None]
Row = tuple[Any, ...]

ADD_RUN = """
INSERT INTO run (id, workflow, state, status, seq, wake_at, parent_id, parent_seq, parent_index, parent_of, labels,
                 created, updated)
VALUES (:id, :workflow, :state, :status, :seq, :wake_at, :parent_id, :parent_seq, :parent_index, :parent_of, :labels,
        :created, :updated)
ON CONFLICT (id) DO NOTHING"""
ADD_ENTRY = "INSERT INTO entry (run_id, seq, kind, body, at) VALUES (:run_id, :seq, :kind, :body, :at)"
ADD_RECORD = """
INSERT INTO record (kind, key, run_id, seq, body) VALUES (:kind, :key, :run_id, :seq, :body)
ON CONFLICT (kind, key) DO NOTHING"""
ADD_ACCEPTED = """
INSERT INTO accepted (key, run_id, seq) VALUES (:key, :run_id, :seq)
ON CONFLICT (key) DO NOTHING"""
TAKE = "UPDATE run SET token = :token WHERE id = :run_id"
TAKE_AT = TAKE + " AND seq = :at"
MOVE = """
UPDATE run SET state = :state, status = :status, seq = :next, wake_at = :wake_at, updated = :updated
WHERE id = :run_id AND token = :token AND seq = :seq"""
IS_RUN = "SELECT 1 FROM run WHERE id = :run_id"
ENTRIES = "SELECT seq, body, at FROM entry WHERE run_id = :run_id AND seq > :after ORDER BY seq"
ACCEPTED = "SELECT run_id, seq FROM accepted WHERE key = :key"
RECORD = "SELECT body, run_id FROM record WHERE kind = :kind AND key = :key"
RECORDS = "SELECT kind, key, body FROM record WHERE kind = :kind"
RECORDS_OF_RUN = RECORDS + " AND run_id = :run_id"
UNDER = " AND key >= :key AND key < :end"

_HEAD = """
SELECT id, workflow, state, status, seq, created, updated, wake_at, parent_id, parent_seq, parent_index, parent_of,
       labels
FROM run"""
HEAD = _HEAD + " WHERE id = :run_id"
# Ids that begin alike, children's left out: a child's is its parent's with a dot and a number behind it.
ALIKE = _HEAD + " WHERE id >= :low AND id < :high AND id NOT LIKE :of_child ESCAPE '!' ORDER BY id LIMIT 5"


def heads(*, status: bool, workflow: bool, before: bool) -> str:
    """A page of runs, newest first; each argument says whether the page is limited by it."""
    asked = (
        (status, "status = :status"),
        (workflow, "workflow = :workflow"),
        (before, "(created, id) < (:created, :id)"),
    )
    limits = " AND ".join(limit for given, limit in asked if given)
    return f"{_HEAD}{' WHERE ' + limits if limits else ''} ORDER BY created DESC, id DESC LIMIT :size"


def alike(beginning: str) -> Values:
    """The values of `ALIKE`."""
    # Wildcards in the beginning need no care: with them too the pattern asks for one dot more than the beginning has.
    return {"low": beginning, "high": beginning + "\U0010ffff", "of_child": beginning.replace("!", "!!") + "%.%"}


def moment(at: datetime) -> str:
    """A moment as text that sorts: UTC, always with microseconds."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def run_row(head: Head) -> Values:
    """The values of `ADD_RUN`."""
    parent = head.parent
    from_parent = (parent.run_id, parent.seq, parent.index, parent.of) if parent else (None,) * 4
    return {
        "id": head.id,
        "workflow": head.workflow,
        "state": head.state,
        "status": head.status,
        "seq": head.seq,
        "wake_at": moment(head.wake_at) if head.wake_at else None,
        **dict(zip(("parent_id", "parent_seq", "parent_index", "parent_of"), from_parent, strict=True)),
        "labels": json.dumps(dict(head.labels)),
        "created": moment(head.created),
        "updated": moment(head.updated),
    }


def head_of(row: Row) -> Head:
    """The head that a row of `HEAD`, `ALIKE` or `heads` holds."""
    run_id, workflow, state, status, seq, created, updated, wake_at, parent_id, parent_seq, index, of, labels = row
    return Head(
        run_id,
        workflow,
        state,
        status,
        seq,
        datetime.fromisoformat(created),
        datetime.fromisoformat(updated),
        datetime.fromisoformat(wake_at) if wake_at else None,
        Parent(parent_id, parent_seq, index, of) if parent_id else None,
        json.loads(labels),
    )


def entry_row(run_id: str, stored: Stored) -> Values:
    """The values of `ADD_ENTRY`."""
    entry = stored.entry
    body = entry_to_json(entry)
    return {"run_id": run_id, "seq": stored.seq, "kind": entry.kind, "body": body, "at": moment(stored.at)}


def stored_of(row: Row) -> Stored:
    """The entry that a row of `ENTRIES` holds."""
    seq, body, at = row
    return Stored(seq, datetime.fromisoformat(at), entry_from_json(body))


def record_row(record: Record, run_id: str, seq: int) -> Values:
    """The values of `ADD_RECORD`."""
    names = record_names(record.kind, record.key)
    return {**names, "run_id": run_id, "seq": seq, "body": json.dumps(record.body)}


def record_names(kind: str, key: str) -> Values:
    """Kind and key as they are stored: escaped as in JSON, since PostgreSQL refuses NUL in a text."""
    return {"kind": json.dumps(kind)[1:-1], "key": json.dumps(key)[1:-1]}


def under(kind: str, beginning: str) -> Values:
    """The values of `RECORDS` with `UNDER`: stored keys are ASCII, so none that begins alike reaches the end."""
    names = record_names(kind, beginning)
    return {**names, "end": f"{names['key']}\x80"}


def record_of(row: Row) -> Record:
    """The record that a row of `RECORDS` holds."""
    kind, key, body = row
    return Record(json.loads(f'"{kind}"'), json.loads(f'"{key}"'), json.loads(body))


def same_body(one: str, other: str) -> bool:
    """Whether two stored bodies are equal, the order of their keys aside."""
    return one == other or _canonical(one) == _canonical(other)


def _canonical(body: str) -> str:
    return json.dumps(json.loads(body), sort_keys=True)
