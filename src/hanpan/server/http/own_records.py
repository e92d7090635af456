"""Games that were played elsewhere (in a browser alone, in a program), kept among one's own."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated

from fastapi import APIRouter, Query, Request

from hanpan.server.http.records import replayed, uploaded
from hanpan.server.http.services import services_of
from hanpan.server.http.session import me
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import PlaySettings, Whole
from hanpan.server.rooms import showing
from hanpan.server.storage.models import ActionRow, Ending, GameRow, Sitter

router = APIRouter()
NOWHERE = "-"  # the room in which it was played
_COMPUTER = re.compile("computer, level ([1-8])")


@router.post("/api/records/mine", summary="Keep a finished game that was played elsewhere: its record, JSON or text, in the body")
async def keep_record(request: Request, seat: Annotated[list[Whole], Query(min_length=1, max_length=9)]) -> dict[str, str]:
    """Needs an account. `seat` (from 0, several times if need be): where one sat oneself; computer players on all others. It does not count, and is found by
    oneself and by whoever is given its link. The same record is kept once, however often it comes."""
    mine = await me(request)
    if mine.kind != "account":
        raise Refused("account-only")
    text = await uploaded(request)
    record, seats, ended, scores = await replayed(request, showing.played_through, text)
    if ended is None:
        raise Refused("record-unfinished")
    if record.start is not None:
        raise Refused("record-start")
    found = {number: _COMPUTER.fullmatch(name) for number, name in record.people.items()}
    people: list[Sitter] = []
    for number in range(record.game().seats):
        level = found.get(number)
        if number in seat:
            people.append({"person": mine.id, "bot": None, "first": mine.id})
        elif level is not None:
            people.append({"person": None, "bot": int(level[1]), "first": None})
        else:
            raise Refused("record-seats")
    now = services_of(request).now()
    id = hashlib.sha256(repr((mine.id, sorted(set(seat)), record.name, record.options, record.actions, ended)).encode()).hexdigest()[:16]
    actions = [ActionRow(action, who, now, now, forced=ply in record.forced) for ply, (action, who) in enumerate(zip(record.actions, seats, strict=True))]
    settings = PlaySettings(time={"kind": "none"}, rated=False).model_dump()
    result: Ending = {"winner": ended.winner, "reason": ended.reason, "scores": scores, "last": list(ended.last)}
    row = GameRow(id, NOWHERE, record.name, record.options, settings, people, False, now, now, result, private=True, actions=actions)
    await services_of(request).store.add_game(row)  # false: it is there already
    return {"id": id}
