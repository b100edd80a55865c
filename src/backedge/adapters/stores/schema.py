"""The tables of the store: one SQLAlchemy schema for SQLite and PostgreSQL, which the migrations must add up to."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, ForeignKeyConstraint, Index, Integer, MetaData, Table, Text

# Texts compare by code point on both databases: ids are searched by their beginning, moments are sorted as ISO 8601.
TEXT = Text().with_variant(Text(collation="C"), "postgresql")

metadata = MetaData()

run = Table(
    "run",
    metadata,
    Column("id", TEXT, primary_key=True),
    Column("workflow", TEXT, nullable=False),
    Column("state", TEXT, nullable=False),
    Column("status", TEXT, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("token", TEXT),
    Column("wake_at", TEXT),
    Column("parent_id", TEXT, ForeignKey("run.id")),
    Column("parent_seq", Integer),
    Column("parent_index", Integer),
    Column("parent_of", Integer),
    Column("labels", TEXT, nullable=False),
    Column("created", TEXT, nullable=False),
    Column("updated", TEXT, nullable=False),
)
Index("run_newest", run.c.created, run.c.id)
Index("run_newest_of_status", run.c.status, run.c.created, run.c.id)
Index("run_newest_of_workflow", run.c.workflow, run.c.created, run.c.id)
Index(
    "run_wake_at", run.c.wake_at, sqlite_where=run.c.wake_at.is_not(None), postgresql_where=run.c.wake_at.is_not(None)
)
Index(
    "run_parent",
    run.c.parent_id,
    sqlite_where=run.c.parent_id.is_not(None),
    postgresql_where=run.c.parent_id.is_not(None),
)

entry = Table(
    "entry",
    metadata,
    Column("run_id", TEXT, ForeignKey("run.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("kind", TEXT, nullable=False),
    Column("body", TEXT, nullable=False),
    Column("at", TEXT, nullable=False),
)

accepted = Table(
    "accepted",
    metadata,
    Column("key", TEXT, primary_key=True),
    Column("run_id", TEXT, nullable=False),
    Column("seq", Integer, nullable=False),
    ForeignKeyConstraint(["run_id", "seq"], ["entry.run_id", "entry.seq"]),
)

record = Table(
    "record",
    metadata,
    Column("kind", TEXT, primary_key=True),
    Column("key", TEXT, primary_key=True),
    Column("run_id", TEXT, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("body", TEXT, nullable=False),
    ForeignKeyConstraint(["run_id", "seq"], ["entry.run_id", "entry.seq"]),
)
Index("record_of_run", record.c.run_id, record.c.kind)
