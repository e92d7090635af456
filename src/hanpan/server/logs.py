"""Log lines: for people, or as JSON for programs."""

from __future__ import annotations

import json
import logging
import sys
import time

from hanpan.server.settings import Settings

_USUAL = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}


class JsonLines(logging.Formatter):
    """One JSON object a line: when, how bad, who speaks, what; and whatever was given beside it."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        line: dict[str, object] = {"at": at, "level": record.levelname.lower(), "logger": record.name, "text": record.getMessage()}
        line |= {key: value for key, value in vars(record).items() if key not in _USUAL}
        if record.exc_info and record.exc_info[0] is not None:
            line["fault"] = record.exc_info[0].__name__  # not what it says: that may quote what nobody may know
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up(settings: Settings) -> None:
    """Write log lines as the settings say, also those of the libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if settings.log_format == "json" else logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=settings.log_level.upper(), force=True)
    for chatty in ("httpx2", "httpcore2", "aiosqlite", "alembic", "uvicorn", "engineio", "socketio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
