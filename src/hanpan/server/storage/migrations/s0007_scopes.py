"""Bots' tokens have scopes; those given so far may do everything."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add a column that may be empty."""
    op.add_column("person", sa.Column("scopes", sa.Text()))
