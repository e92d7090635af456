"""The people of a load: they come in, play, look on, chat, drop out and come back."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

from hanpan.client.connection import PASSING
from hanpan.client.load.figures import Figures
from hanpan.client.load.history import History
from hanpan.client.load.table import Table, Turn
from hanpan.client.load.wire import Answer, Refusal, Wire, be_guest
from hanpan.core.extras import needed

with needed("hanpan load", "hanpan[client]"):
    import aiohttp

_AGAIN = (0.05, 1.0)  # seconds between tries to connect again: at first, and at most
_ONCE_MORE = 0.2  # seconds until something that was refused is tried again
_TIDY = 1.0  # seconds between two looks whether the next game waits for someone


class Person(Wire):
    """Someone in a room. Lost connections come back by themselves, at the next server where there are several."""

    kind = "spectator"  # under which it counts when they see an action
    seat: int | None = None

    def __init__(
        self, label: str, table: Table, room: str, servers: tuple[str, ...], session: aiohttp.ClientSession, figures: Figures, history: History,
        brief: bool = False, first: int = 0,
    ) -> None:  # fmt: skip
        super().__init__("/room")
        self.label, self.table, self.room, self.brief = label, table, room, brief
        self._servers, self._session, self._figures, self._history = servers, session, figures, history
        self._at = first  # the server where they are
        self.id = self._token = ""
        self.n = 0  # the number of the connection
        self._shown = False  # they were told on it how a game stands
        self.here = asyncio.Event()  # they were told everything on it
        self.game, self.ply, self.over = "", -1, False  # what they know
        self.acting: int | None = None  # whose turn it was when they were last told all of it
        self.refused = ""  # why they are not let in any more
        self._away = 0.0
        self._leaving = False
        self._since = 0.0  # they want to be in since then
        self._staying: asyncio.Task[None] | None = None
        self._heard = 0  # bytes that are counted
        self._events = {
            "board info": self._hear_board, "ply": self._hear_ply, "game over": self._hear_over, "chat history": self._hear_everything,
            "invalid action": self._hear_refusal, "recieve msg": self._hear_chat,
        }  # fmt: skip
        if brief or history.kept:
            self._events["game history info"] = self._hear_history
        if history.kept:
            self._events["clock info"] = self._hear_clock

    # --- coming and going ---

    async def come(self) -> None:
        """Be someone, and enter the room; Refusal or OSError says why not."""
        self.id, self._token = await be_guest(self._session, self._servers[self._at % len(self._servers)])
        self._since = time.perf_counter()
        self._staying = asyncio.create_task(self._stay())
        here = asyncio.create_task(self.here.wait())
        await asyncio.wait([here, self._staying], return_when=asyncio.FIRST_COMPLETED)
        here.cancel()
        if not self.here.is_set():
            raise Refusal({"code": self.refused, "text": "not let into the room"})

    async def _stay(self) -> None:
        """Be in the room until one leaves, or is not let in any more."""
        pause, most = _AGAIN
        while not self._leaving and not self.refused:
            try:
                await self._enter()
            except (OSError, aiohttp.ClientError, TimeoutError, Refusal):
                self.cut()
            else:
                pause = _AGAIN[0]
                await self.listen()
            if self.here.is_set():
                self._lost()
            elif not self._leaving:
                await asyncio.sleep(pause)
                pause = min(most, 2 * pause)
            if self._away:
                await asyncio.sleep(self._away)
                self._away, self._since = 0.0, time.perf_counter()
            else:
                self._at += 1

    async def _enter(self) -> None:
        self.n += 1
        self._shown = False
        url = self._servers[self._at % len(self._servers)]
        self._history.add("connect", who=self.label, n=self.n, person=self.id, room=self.room, seat=self.seat, url=url)
        await self.connect(self._session, url, {"token": self._token, "room": self.room, "brief": self.brief})

    def _lost(self) -> None:
        self.here.clear()
        self._since = time.perf_counter()
        self._figures.counts["cut" if self._away else "lost"] += not self._leaving
        self._history.add("lost", who=self.label, n=self.n)

    def drop_out(self, away: float) -> None:
        """Lose the connection, and come back after so many seconds."""
        if self.here.is_set():
            self._away = max(away, 1e-3)
            self.cut()

    async def go(self) -> None:
        """Leave for good."""
        self._leaving = True
        await self.leave()
        if self._staying is not None:
            self._staying.cancel()
            await asyncio.gather(self._staying, return_exceptions=True)

    def check(self) -> None:
        """A fault in this program is not to look like one of the server's."""
        if self._staying is not None and self._staying.done() and not self._staying.cancelled():
            self._staying.result()

    # --- hearing ---

    def hear(self, event: str, text: str) -> None:
        """What matters to them."""
        self._figures.counts["bytes"] += self.bytes - self._heard
        self._heard = self.bytes
        if (told := self._events.get(event)) is not None:
            told(self.payload(text))

    def _hear_everything(self, told: Any) -> None:
        """The last piece of what is told to whoever comes in; and, once more, to whoever is in a room that has moved."""
        if not self.here.is_set():
            self._figures.waits["connect" if self.n == 1 else "reconnect"].add(time.perf_counter() - self._since)
        self._history.add("here", who=self.label, n=self.n)
        self.here.set()

    def _hear_refusal(self, told: Any) -> None:
        if told.get("event") == "connect" and told["code"] not in PASSING:
            self.refused = told["code"]
            self._figures.counts[f"refused {self.refused}"] += 1

    def _hear_chat(self, told: Any) -> None:
        self._figures.counts["heard"] += 1

    def _see(self, game: str, ply: int, over: bool) -> None:
        """A game stands so."""
        before = self.ply if game == self.game else -1
        if before < ply:
            self.table.saw(self.kind, self.label, game, before, ply)
        self.game, self.ply, self.over = game, ply, over

    def _hear_board(self, told: Any) -> None:
        self._see(told["game_id"], told["ply"], told["over"])
        self.acting, self._shown = told["seat"], True
        if self._history.kept:
            recent = [line["action"] for line in told.get("recent", ())]
            more = {"clock": _clock(told["clock"])} if "clock" in told else {}
            self._saw(told=recent, position=told["position"], **more)

    def _hear_ply(self, told: Any) -> None:
        self._see(self.game, told["ply"], False)
        if self._history.kept:
            more = {"clock": {"left": [[*left, *[0] * (4 - len(left))] for left in told["clock"]]}} if "clock" in told else {}
            self._saw(told=told["actions"], sum=told["sum"], **more)

    def _hear_history(self, told: Any) -> None:
        actions = [line["action"] for line in told["actions"]]
        if self._history.kept and told["game_id"] == self.game:
            self._history.add("saw", who=self.label, n=self.n, game=self.game, ply=len(actions), told=actions, over=self.over)

    def _hear_clock(self, told: Any) -> None:
        # Otherwise it is the clock of a ply, or of a game, that they have not been told of yet: they have just come, or the room has moved with them in it.
        if self._shown and told["seat"] == self.acting:
            self._saw(clock=_clock(told))

    def _saw(self, **what: Any) -> None:
        self._history.add("saw", who=self.label, n=self.n, game=self.game, ply=self.ply, over=self.over, **what)

    def _hear_over(self, told: Any) -> None:
        if self._history.kept:
            ratings = {id: [moved["before"], moved["after"]] for id, moved in told["ratings"].items()}
            fields = {name: told[name] for name in ("winner", "scores", "reason")}
            self._history.add("over", who=self.label, n=self.n, game=told["game_id"], ratings=ratings, **fields)

    # --- saying ---

    def say(self, text: str) -> None:
        """Chat."""
        if self.here.is_set():
            self._figures.counts["said"] += 1
            self.send("send msg", {"msg": text}, answered=self._count_refusal)

    def _count_refusal(self, answer: Answer) -> None:
        if not answer.get("ok"):
            self._figures.counts[f"refused {answer.get('code')}"] += 1


class Spectator(Person):
    """Someone who looks on."""


class Player(Person):
    """Someone with a seat, who plays at random, one game after another."""

    kind = "opponent"

    def __init__(self, seat: int, *more: Any, **named: Any) -> None:
        super().__init__(*more, **named)
        self.seat: int = seat
        self._dice = random.Random(f"{self.table.dice.random()} {seat}")
        self._legal: tuple[Turn, list[str]] = (("", -1), [])
        self._request: tuple[Turn, str] | None = None  # an action that was sent and is not answered yet
        self._seated = self._ready = self._asking = self._begun = False
        self._tidying: asyncio.TimerHandle | None = None
        self.playing = False  # whether they want another game when one has ended
        self._events |= {"private board info": self._hear_own, "player info": self._hear_players, "info": self._hear_room, "room updated": self._hear_room}

    # --- to the table ---

    def begin(self) -> None:
        """Sit down and be ready, again and again."""
        self.playing = True
        self._settle()
        self._tidying = asyncio.get_running_loop().call_later(_TIDY, self.begin)

    def end(self) -> None:
        """No more games; and nothing more in this one."""
        self.playing = False
        if self._tidying is not None:
            self._tidying.cancel()

    def _settle(self) -> None:
        """Between games: sit down if one does not sit, be ready if one is not."""
        if self.playing and self.here.is_set() and not self._begun and not self._asking:
            if not self._seated:
                self._ask("sit on", {"seat": self.seat})
            elif not self._ready:
                self._ask("set ready", {})

    def _ask(self, event: str, payload: dict[str, Any]) -> None:
        self._asking = True
        self.send(event, payload, answered=self._asked)

    def _asked(self, answer: Answer) -> None:
        self._asking = False
        self._count_refusal(answer)
        if answer.get("ok"):
            self._settle()

    def _hear_room(self, told: Any) -> None:
        self._begun = told["playing"]
        self._settle()

    def _hear_players(self, told: Any) -> None:
        mine = told["seats"][self.seat]
        self._seated = (mine["person"] or {}).get("id") == self.id
        self._ready = mine["ready"]
        self._settle()

    def _hear_over(self, told: Any) -> None:
        super()._hear_over(told)
        self._figures.counts["games"] += self.seat == 0 and self._begun
        self._begun = False
        self._settle()

    def _lost(self) -> None:
        super()._lost()
        self._asking = False

    # --- acting ---

    def _hear_everything(self, told: Any) -> None:
        """Whoever comes back asks again what was not answered: the same request counts once."""
        super()._hear_everything(told)
        if self._request is not None:
            turn, action = self._request
            if turn[0] == self.game:
                self._send(turn, action)
            else:
                self._request = None
        self._settle()

    def _hear_own(self, told: Any) -> None:
        if told["seat"] == self.seat == self.acting and told["ply"] == self.ply and told["legal"] and not self.over:
            self._turn(told["legal"])

    def _hear_history(self, told: Any) -> None:
        super()._hear_history(told)
        if self.brief and not self.over:
            self.table.begin(told["game_id"], [line["action"] for line in told["actions"]])

    def _hear_ply(self, told: Any) -> None:
        super()._hear_ply(told)
        if self.brief:
            state = self.table.follow(self.game, told["ply"], told["actions"])
            if state is None:
                self.cut()  # whoever comes back is told everything
            elif state.seat == self.seat:
                self._turn(state.legal())

    def _turn(self, legal: list[str]) -> None:
        """It is their turn."""
        self._legal = (self.game, self.ply), legal
        self._try()

    def _try(self) -> None:
        turn, _ = self._legal
        if self._request is None and turn == (self.game, self.ply) and not self.over:
            self.table.act(turn, self.label, self._act)

    def _act(self) -> bool:
        """Now."""
        turn, legal = self._legal
        if not self.up or turn != (self.game, self.ply) or self.over:
            return False
        self._request = turn, self._dice.choice(legal)
        self._send(*self._request)
        return True

    def _send(self, turn: Turn, action: str) -> None:
        game, ply = turn
        self._history.add("sent", who=self.label, n=self.n, game=game, ply=ply, action=action)
        self.send("play", {"game_id": game, "ply": ply, "action": action}, answered=lambda answer: self._answered(turn, action, answer))

    def _answered(self, turn: Turn, action: str, answer: Answer) -> None:
        game, ply = turn
        self._request = None
        if answer.get("ok"):
            self._figures.counts["accepted"] += 1
            self.table.acknowledged(turn)
            self._history.add("answer", who=self.label, n=self.n, game=game, ply=ply, action=action, ok=True)
            self._try()  # where the same seat acts again, they were told so before the answer
        else:
            self._count_refusal(answer)
            self._history.add("answer", who=self.label, n=self.n, game=game, ply=ply, action=action, ok=False, code=answer.get("code"))
            self.table.again(turn)
            asyncio.get_running_loop().call_later(_ONCE_MORE, self._try)

    @property
    def unanswered(self) -> bool:
        """Whether they wait for an answer to an action."""
        return self._request is not None


def _clock(told: Any) -> dict[str, Any]:
    return {"now": told["now"], "left": [[seat, left["main"], left["byoyomi"], left["turn"]] for seat, left in enumerate(told["remaining"])]}
