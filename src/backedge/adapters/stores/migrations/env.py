"""What Alembic runs: the missing migrations, on the connection and in the transaction that `upgrade` opened."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
