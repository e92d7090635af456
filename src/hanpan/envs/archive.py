"""The finished games of a server, for training sets."""

from __future__ import annotations

from collections.abc import AsyncIterator

from hanpan.core.extras import needed
from hanpan.envs.dataset import FinishedGame
from hanpan.game import Game
from hanpan.record import GameRecord

with needed("hanpan export", "hanpan[server]"):
    from hanpan.server.storage.store import Store

_PAGE = 200


async def finished_games(url: str, of: Game) -> AsyncIterator[FinishedGame | None]:
    """All finished games of this game with these options, newest first; None for one with other options."""
    store = await Store.open(url, upgrade=False)
    try:
        before = None
        while page := await store.finished_games(of.name, _PAGE, before):
            before = page[-1].id
            for row in page:
                whole = await store.game(row.id) if row.options == of.options else None
                if whole is None or whole.result is None:
                    yield None
                    continue
                ratings = {change.person_id: change.before for change in await store.changes_of(row.id)}
                sat = {seat: who.get("first") or who.get("person") for seat, who in enumerate(whole.people)}
                forced = frozenset(ply for ply, action in enumerate(whole.actions) if action.forced)
                record = GameRecord(whole.name, whole.options, tuple(action.text for action in whole.actions), None, forced)
                rated = {seat: ratings[person] for seat, person in sat.items() if person in ratings}
                yield FinishedGame(whole.id, record, list(whole.result["winner"] or []), rated)
    finally:
        await store.close()
