"""Games of rooms with a password stay out of public lists."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add a column that may be empty."""
    op.add_column("game", sa.Column("private", sa.Boolean()))
