"""Accounts, operators and bots: logins, tickets, blocks, reports and the log of operators' acts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add tables, and columns that may be empty."""
    op.add_column("person", sa.Column("owner_id", sa.String(64)))
    op.add_column("person", sa.Column("role", sa.String(16)))
    op.add_column("person", sa.Column("muted_until", sa.BigInteger()))
    op.add_column("person", sa.Column("banned_until", sa.BigInteger()))
    op.create_index("ix_person_owner_id", "person", ["owner_id"])
    op.create_table(
        "login",
        sa.Column("provider", sa.String(16), nullable=False),
        sa.Column("subject", sa.String(320), nullable=False),
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("email", sa.Text()),
        sa.Column("secret", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("provider", "subject", name="pk_login"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_login_person_id"),
    )
    op.create_index("ix_login_person_id", "login", ["person_id"])
    op.create_table(
        "ticket",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_ticket"),
    )
    op.create_index("ix_ticket_expires_at", "ticket", ["expires_at"])
    op.create_table(
        "block",
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("blocked_id", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "blocked_id", name="pk_block"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_block_person_id"),
        sa.ForeignKeyConstraint(["blocked_id"], ["person.id"], name="fk_block_blocked_id"),
    )
    op.create_table(
        "report",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("about_id", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("message", sa.Text()),
        sa.Column("room_id", sa.String(64)),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_report"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_report_person_id"),
        sa.ForeignKeyConstraint(["about_id"], ["person.id"], name="fk_report_about_id"),
    )
    op.create_index("ix_report_closed_at_at", "report", ["closed_at", "at"])
    op.create_table(
        "act",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("operator_id", sa.String(64), nullable=False),
        sa.Column("verb", sa.String(16), nullable=False),
        sa.Column("target", sa.String(64), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_act"),
        sa.ForeignKeyConstraint(["operator_id"], ["person.id"], name="fk_act_operator_id"),
    )
    op.create_index("ix_act_at", "act", ["at"])
