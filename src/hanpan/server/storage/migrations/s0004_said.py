"""What is said in rooms is kept, and reports quote it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add a table, and a column that may be empty."""
    op.create_table(
        "said",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("room_id", sa.String(64), nullable=False),
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("spectator", sa.Boolean(), nullable=False),
        sa.Column("game_id", sa.String(64)),
        sa.PrimaryKeyConstraint("id", name="pk_said"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_said_person_id"),
    )
    op.create_index("ix_said_room_id_at", "said", ["room_id", "at"])
    op.create_index("ix_said_person_id", "said", ["person_id"])
    op.create_index("ix_said_at", "said", ["at"])
    op.add_column("report", sa.Column("message_id", sa.String(64)))
