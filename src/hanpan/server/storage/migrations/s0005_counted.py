"""Games say how much they counted for ratings, and among whom: those who play again and again count less."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add two columns and an index; every game that has moved ratings so far has counted in full."""
    op.add_column("game", sa.Column("among", sa.String(64)))
    op.add_column("game", sa.Column("counted", sa.Double()))
    op.create_index("ix_game_among_ended_at", "game", ["among", "ended_at"])
    op.execute("update game set counted = 1 where id in (select game_id from rating_change)")
