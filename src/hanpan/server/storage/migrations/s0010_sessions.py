"""Sessions are kept, so that they can be listed and ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add a table."""
    op.create_table(
        "session",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("proved_at", sa.BigInteger()),
        sa.Column("place", sa.String(64), nullable=False),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_session"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_session_person_id"),
    )
    op.create_index("ix_session_person_id", "session", ["person_id"])
    op.create_index("ix_session_ends_at", "session", ["ends_at"])
