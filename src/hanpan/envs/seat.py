"""A room on a server as an environment: a learning machine takes a seat, among people, under the same masks and clocks."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np

from hanpan.core.extras import needed
from hanpan.core.reading import label, number_in, quoted, real
from hanpan.envs import observations
from hanpan.game import State, game

with needed("hanpan.envs.room", "hanpan[envs]"):
    import gymnasium
    from gymnasium import spaces

    from hanpan.client import Client, Invalid, Lost, Room

T = TypeVar("T")
_OF_A_NEW_ROOM = ("game", "options", "settings")
LATE = ("stale-ply", "game-over", "not-your-turn", "time-up")  # refusals that mean: the clock, or the end of the game, was faster


class Seat(gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """One seat of a table. `reset` sits down, says ready and waits for one's turn; `step` plays and waits for the next one.

    An observation is {"observation": planes, "action_mask": mask} as in hanpan.envs.aec; infos hold the view as text ("position"), the legal actions as texts,
    the seat, the scores, the clock as the server told it, and whether the last action came too late ("late": then the clock has played for us).
    """

    def __init__(self, url: str, token: str | None, room: str | None, seat: int | None, password: str | None, patience: float, fields: dict[str, Any]) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"url: {quoted(url)} is not an address like http://127.0.0.1:8000")
        room = room or parts.path.rstrip("/").rpartition("/")[2] or None
        wait = real(patience)
        if wait is None or not 0 <= wait < math.inf:
            raise ValueError(f"patience: {quoted(patience)} is not a number of seconds from 0 up")
        if (room is None) == ("game" not in fields):
            raise ValueError("room: give the id (or the link) of a room, or the name of a game to open a new room")
        if unknown := [name for name in fields if room is not None or name not in _OF_A_NEW_ROOM]:
            raise ValueError(f"{label(unknown[0])}: " + ("a room that is there takes no such field" if room is not None else "a new room has no such field"))
        self._patience, self._room_id, self._password, self._fields, self._wanted_seat = wait, room, password, fields, seat
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="hanpan-seat", daemon=True)
        self._thread.start()
        self._client = Client(f"{parts.scheme}://{parts.netloc}", token)
        self._game_id: str | None = None
        try:
            self._line: Room = self._wait(self._enter())
        except BaseException:
            self.close()
            raise
        info = self._line.last["info"]
        self.game = game(info["game"], **info["options"])
        self.room, self.seat = str(info["id"]), -1
        seen = spaces.Box(0, 255, observations.shape(self.game), np.uint8)
        self.observation_space = spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (observations.actions(self.game),), np.int8)})
        self.action_space = spaces.Discrete(observations.actions(self.game))
        self._view: State | None = None

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        if not self._thread.is_alive():
            work.close()
            raise ValueError("room: this seat has been closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _enter(self) -> Room:
        await self._client.open()
        if self._room_id is not None:
            return await self._client.enter(self._room_id, self._password)
        return await self._client.new_room(**self._fields, password=self._password)

    @property
    def token(self) -> str:
        """The token of who sits here: the same one comes back with it."""
        return self._client.token

    # --- the environment ---

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Sit down if one does not sit yet, be ready, and wait for one's first turn; a game that ends before it is passed over. Chance is the server's: a
        seed changes nothing."""
        super().reset(seed=seed)
        return self._wait(self._begin())

    async def _begin(self) -> tuple[Any, dict[str, Any]]:
        await self._into_next_game()
        while await self._line.my_turn(self._patience) is None:
            await self._into_next_game()
        return self._seen(), self._info(False)

    async def _into_next_game(self) -> None:
        line = self._line
        while True:
            try:
                if self.seat < 0:
                    self.seat = await self._sit()
                if not line.last["info"]["playing"] or line.board.get("over", True):
                    await line.call("set ready")
                break
            except Lost:  # it may have been granted: look again
                await line.back(self._patience)
                with suppress(Lost):
                    await line.call("req info")
        await line.until(lambda: bool(line.board) and not line.board["over"] and line.board["game_id"] != self._game_id, self._patience)
        self._game_id = line.board["game_id"]

    async def _sit(self) -> int:
        line = self._line
        await line.until(lambda: "player info" in line.last, self._patience)
        chairs = line.last["player info"]["seats"]
        mine = [number for number, chair in enumerate(chairs) if (chair["person"] or {}).get("id") == self._client.id]
        if mine:
            return mine[0]
        free = [number for number, chair in enumerate(chairs) if chair["person"] is None and chair.get("bot") is None]
        for wanted in free if self._wanted_seat is None else [self._wanted_seat]:
            try:
                await line.call("sit on", seat=wanted)
                return wanted
            except Invalid as refused:
                if refused.code != "seat-taken" or self._wanted_seat is not None:
                    raise
                continue  # somebody else was faster: as no seat was asked for, the next one will do
        raise ValueError("seat: none is free in this room")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play, and wait until it is one's turn again or the game has ended. ValueError if the action is not legal."""
        if self._view is None:
            raise ValueError("step: it is not this seat's turn; reset first")
        number = number_in(action, 0, observations.actions(self.game) - 1)
        number = None if number is None else int(observations.seen_action(self.game.name)(self._view.record[0], self.seat, number))
        text = next((text for text, legal in self._view.actions.items() if legal == number), None)
        if text is None:
            raise ValueError(f"action: {quoted(action)} is not legal here")
        return self._wait(self._play(text))

    async def _play(self, text: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        line, late = self._line, False
        mine = line.mine()
        ply = line.ply if mine is None else int(mine["ply"])
        try:
            await line.play(text, ply, self._patience)
        except Invalid as refused:
            if refused.code not in LATE:
                raise
            late = True
        await line.until(lambda: line.ply > ply or bool(line.board.get("over")), self._patience)
        await line.my_turn(self._patience)
        if not line.board["over"]:
            return self._seen(), 0.0, False, False, self._info(late)
        await line.until(lambda: line.last.get("game over", {}).get("game_id") == self._game_id, self._patience)
        self._view = None
        over = line.last["game over"]
        reward = observations.rewards(over["winner"], self.game.seats)[self.seat]
        return self._blank(), reward, True, False, self._info(late) | {"reason": over["reason"], "winner": over["winner"]}

    def _seen(self) -> Any:
        mine = self._line.mine()
        assert mine is not None, "it is our turn"
        self._view = self.game.parse(mine["position"], self.seat)
        seen = self._blank()
        seen["observation"] = observations.observation(self._view, self.seat)
        for number in self._view.actions.values():
            seen["action_mask"][observations.seen_action(self.game.name)(self._view.record[0], self.seat, number)] = 1
        return seen

    def _blank(self) -> Any:
        """What is seen when there is nothing more to decide."""
        return {"observation": np.zeros(observations.shape(self.game), np.uint8), "action_mask": np.zeros(observations.actions(self.game), np.int8)}

    def _info(self, late: bool) -> dict[str, Any]:
        board = self._line.board
        legal = self._view.legal() if self._view is not None else []
        told = {"seat": self.seat, "ply": board["ply"], "scores": board["scores"], "legal": legal, "late": late, "clock": self._line.last.get("clock info")}
        return told | {"position": str(self._view) if self._view is not None else board["position"]}

    def close(self) -> None:
        """Leave the room and the server."""
        if self._thread.is_alive():
            self._wait(self._client.__aexit__(None, None, None))
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


def room(url: str, token: str | None = None, **fields: Any) -> Seat:
    """A seat in a room of a server.

    `url` may be the room's own link, or `room` its id; with a `game` (and options={…}, settings={…}) a new room is opened. `seat` (the first free one if left
    out) and the room's `password` can be given too; `patience` is how many seconds the others may take at most.
    """
    room, seat, password, patience = (fields.pop(key, usual) for key, usual in (("room", None), ("seat", None), ("password", None), ("patience", 3600.0)))
    return Seat(url, token, room, seat, password, patience, fields)
