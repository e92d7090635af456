"""The first schema: people, rooms, games, their players and actions, ratings and their history."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "person",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("token_version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
    )
    op.create_table(
        "room",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_room"),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("room_id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("people", sa.JSON(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger()),
        sa.Column("result", sa.JSON()),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
    )
    op.create_index("ix_game_ended_at_id", "game", ["ended_at", "id"])
    op.create_index("ix_game_name_ended_at_id", "game", ["name", "ended_at", "id"])
    op.create_table(
        "player",
        sa.Column("game_id", sa.String(64), nullable=False),
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_player"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_player_game_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_player_person_id"),
    )
    op.create_index("ix_player_person_id_started_at_game_id", "player", ["person_id", "started_at", "game_id"])
    op.create_table(
        "action",
        sa.Column("game_id", sa.String(64), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("charged", sa.BigInteger(), nullable=False),
        sa.Column("forgiven", sa.BigInteger(), nullable=False),
        sa.Column("forced", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "ply", name="pk_action"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_action_game_id"),
    )
    op.create_table(
        "rating",
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("value", sa.Double(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "name", name="pk_rating"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_rating_person_id"),
    )
    op.create_index("ix_rating_name_value", "rating", ["name", "value"])
    op.create_table(
        "rating_change",
        sa.Column("game_id", sa.String(64), nullable=False),
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("before", sa.Double(), nullable=False),
        sa.Column("after", sa.Double(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "person_id", name="pk_rating_change"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_rating_change_game_id"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_rating_change_person_id"),
    )
    op.create_index("ix_rating_change_person_id_name_at", "rating_change", ["person_id", "name", "at"])
