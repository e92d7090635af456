"""People are found by their names: a newcomer's is one that nobody has."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add an index."""
    op.create_index("ix_person_name", "person", ["name"])
