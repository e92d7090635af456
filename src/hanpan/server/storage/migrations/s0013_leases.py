"""Several processes share the rooms: which processes there are, and which room is whose."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add tables."""
    op.create_table(
        "node",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("alive_until", sa.BigInteger(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_node"),
    )
    op.create_table(
        "lease",
        sa.Column("room_id", sa.String(64), nullable=False),
        sa.Column("owner", sa.String(64)),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("room_id", name="pk_lease"),
    )
    op.create_index("ix_lease_owner", "lease", ["owner"])
