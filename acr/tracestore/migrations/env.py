"""Runs the steps on the connection that `acr.tracestore.database` hands over."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], version_table="acr_schema")
with context.begin_transaction():
    context.run_migrations()
