"""The first tables: runs, their journals, accepted replies and domain records."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Make the tables, parents before what refers to them."""
    _run()
    op.create_table(
        "entry",
        sa.Column("run_id", TEXT, sa.ForeignKey("run.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("body", TEXT, nullable=False),
        sa.Column("at", TEXT, nullable=False),
    )
    op.create_table(
        "accepted",
        sa.Column("key", TEXT, primary_key=True),
        sa.Column("run_id", TEXT, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["run_id", "seq"], ["entry.run_id", "entry.seq"]),
    )
    op.create_table(
        "record",
        sa.Column("kind", TEXT, primary_key=True),
        sa.Column("key", TEXT, primary_key=True),
        sa.Column("run_id", TEXT, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("body", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["run_id", "seq"], ["entry.run_id", "entry.seq"]),
    )
    op.create_index("record_of_run", "record", ["run_id", "kind"])


def _run() -> None:
    op.create_table(
        "run",
        sa.Column("id", TEXT, primary_key=True),
        sa.Column("workflow", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("status", TEXT, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("token", TEXT),
        sa.Column("wake_at", TEXT),
        sa.Column("parent_id", TEXT, sa.ForeignKey("run.id")),
        sa.Column("parent_seq", sa.Integer),
        sa.Column("parent_index", sa.Integer),
        sa.Column("parent_of", sa.Integer),
        sa.Column("labels", TEXT, nullable=False),
        sa.Column("created", TEXT, nullable=False),
        sa.Column("updated", TEXT, nullable=False),
    )
    op.create_index("run_newest", "run", ["created", "id"])
    op.create_index("run_newest_of_status", "run", ["status", "created", "id"])
    op.create_index("run_newest_of_workflow", "run", ["workflow", "created", "id"])
    for name, column in (("run_wake_at", "wake_at"), ("run_parent", "parent_id")):
        given = sa.text(f"{column} IS NOT NULL")
        op.create_index(name, "run", [column], sqlite_where=given, postgresql_where=given)
