"""Second factors: secrets of code apps, passkeys, recovery codes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add tables."""
    op.create_table(
        "totp",
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("person_id", name="pk_totp"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_totp_person_id"),
    )
    op.create_table(
        "passkey",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("credential", sa.Text(), nullable=False),
        sa.Column("public_key", sa.Text(), nullable=False),
        sa.Column("counter", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_passkey"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_passkey_person_id"),
    )
    op.create_index("ix_passkey_person_id", "passkey", ["person_id"])
    op.create_table(
        "recovery",
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "digest", name="pk_recovery"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_recovery_person_id"),
    )
