"""The table of traces."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "acr_traces",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
        sa.Column("uid", sa.Text, nullable=False, unique=True),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("decision", sa.Text, nullable=False),
        sa.Column("operator", sa.Text),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("brief", sa.Text, nullable=False),
        sa.Column("text", sa.Text),
        if_not_exists=True,
    )
    op.create_index("acr_traces_id", "acr_traces", ["id"], if_not_exists=True)
    op.create_index("acr_traces_time", "acr_traces", ["time"], if_not_exists=True)
