"""Where people came from, and from where nobody may come in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add two tables."""
    op.create_table(
        "trace",
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("browser", sa.String(16), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "address", "browser", name="pk_trace"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_trace_person_id"),
    )
    op.create_index("ix_trace_seen_at", "trace", ["seen_at"])
    op.create_table(
        "ban",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("value", sa.String(64), nullable=False),
        sa.Column("until", sa.BigInteger()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("operator_id", sa.String(64), nullable=False),
        sa.Column("person_id", sa.String(64)),
        sa.Column("lifted_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_ban"),
        sa.ForeignKeyConstraint(["operator_id"], ["person.id"], name="fk_ban_operator_id"),
    )
    op.create_index("ix_ban_at", "ban", ["at"])
