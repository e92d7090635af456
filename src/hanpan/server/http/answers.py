"""What several paths answer with, as FastAPI checks it and shows it."""

from __future__ import annotations

from typing_extensions import TypedDict

from hanpan.server.storage.models import Report


class ReportRow(TypedDict):
    """What someone told the operators about another."""

    id: str
    person_id: str
    about_id: str
    text: str
    message: str | None
    room_id: str | None
    at: int
    closed_at: int | None
    message_id: str | None


def report_line(row: Report) -> ReportRow:
    """A report as plain data."""
    return {
        "id": row.id, "person_id": row.person_id, "about_id": row.about_id, "text": row.text, "message": row.message, "room_id": row.room_id,
        "at": row.at, "closed_at": row.closed_at, "message_id": row.message_id,
    }  # fmt: skip
