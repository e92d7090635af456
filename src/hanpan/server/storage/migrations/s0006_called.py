"""Names are unique, look-alikes folded: who has which name now. Of those who are called alike, all keep their names; whoever came first has it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from hanpan.server.storage.names import folded

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add a table, and fill it: operators first, then accounts, then bots and guests, each in the order they came."""
    called = op.create_table(
        "called",
        sa.Column("folded", sa.String(200), nullable=False),
        sa.Column("person_id", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("folded", name="pk_called"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_called_person_id"),
    )
    op.create_index("ix_called_person_id", "called", ["person_id"])
    there = sa.text(
        "select id, name from person where kind in ('guest', 'account', 'bot') "
        "order by case when role = 'operator' then 0 when kind = 'account' then 1 else 2 end, created_at, id"
    )
    taken: dict[str, str] = {}
    for id, name in op.get_bind().execute(there):
        if looks := folded(name):
            taken.setdefault(looks, id)
    if taken:
        op.bulk_insert(called, [{"folded": looks, "person_id": id} for looks, id in taken.items()])
