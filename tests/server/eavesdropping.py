"""Everything that is sent to each viewer of a game, byte for byte; and games that must look the same to one of them."""

import random
import re
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
from clients import CheckedLobby, CheckedRoom, Guest
from local import LocalServer

import hanpan
from hanpan.client import Invalid
from hanpan.server.rooms.chance import Chance

VIEWERS = (0, 1, 2, 3, None)


# --- listening ---


class Eavesdropping:
    """A connection that writes down every frame it receives."""

    heard_by: dict  # channel → frames
    channel = ""  # another name than that of the namespace

    def session(self):
        frames = self.heard_by.setdefault(self.channel or self._namespace, [])

        class RawSocket(aiohttp.ClientWebSocketResponse):
            async def receive(self, timeout=None):
                message = await super().receive(timeout)
                frames.append(message.data)
                return message

        return aiohttp.ClientSession(ws_response_class=RawSocket)


class Viewer(Eavesdropping, Guest):
    """Someone all of whose channels are written down: four sockets, and what they ask over HTTP."""

    def __init__(self, url):
        super().__init__(url)
        self.heard_by = {"http": []}
        self._web = None

        class EavesdroppingRoom(Eavesdropping, CheckedRoom):
            heard_by = self.heard_by

        class EavesdroppingLobby(Eavesdropping, CheckedLobby):
            heard_by = self.heard_by

        class BriefRoom(EavesdroppingRoom):
            channel = "brief"

        self.room_class, self.lobby_class, self._brief_class = EavesdroppingRoom, EavesdroppingLobby, BriefRoom

    async def second_window(self, id):
        """The same room once more, told briefly."""
        room = self._brief_class(self.url, id, self.token, None, True)
        room._auth["brief"] = True
        await room.open()
        return room

    async def ask(self, path):
        """What is answered over HTTP is written down too."""
        if self._web is None:
            self._web = aiohttp.ClientSession(headers={"Authorization": f"Bearer {self.token}"})
        async with self._web.get(self.url + path) as answer:
            self.heard_by["http"].append(f"GET {path}: {answer.status} {await answer.text()}")

    async def close(self):
        if self._web is not None:
            await self._web.close()
        await super().close()

    def take(self, names):
        """What was heard so far, by channel, without ids and times; and begin anew."""
        taken = {channel: normal(frames, names) for channel, frames in self.heard_by.items()}
        for frames in self.heard_by.values():
            frames.clear()
        return taken


# --- comparing ---

_TIMES = re.compile(r'"(at|now|start|started_at|ended_at|deadline|updated_at|since)": ?(?:\d+|\[[\d,]*\])')


def normal(frames, names):
    """The frames without what differs between any two games: ids and times. Frames of the transport itself carry nothing."""
    kept = []
    for frame in frames:
        text = frame if isinstance(frame, str) else repr(frame)
        if text in ("2", "3", "None") or text.startswith(("0{", "40")):
            continue
        for id, name in names.items():
            text = text.replace(id, name)
        kept.append(_TIMES.sub(r'"\1":0', re.sub(r"^(43/lobby,)[0-9]+", r"\1", text)))
    return kept


def until_the_end(taken):
    """What was told before the game was over and everything became open."""
    cut = {}
    for channel in ("/room", "brief"):
        frames = taken[channel]
        cut[channel] = frames[: next(number for number, frame in enumerate(frames) if '"over":true' in frame)]
    return taken | cut


# --- playing what is written ---


class Script(Chance):
    """Chance as the games that are compared need it."""

    def __init__(self):
        self.deals = []

    def draw(self, state):
        return self.deals.pop(0)


async def play_script(server, viewers, script, options):
    """Play a whole game as it is written, with refused tries and questions in between; each viewer's frames."""
    server.chance.deals = [text for seat, text in script if seat is None]
    first = await viewers[0].new_room("goita", options=options, settings={"rated": False, "pause": 300})  # nobody but the script ends a round
    rooms = [first, *[await viewer.enter(first.id, scenes=True) for viewer in viewers[1:]]]
    windows = [await viewer.second_window(first.id) for viewer in viewers]
    for seat in range(4):
        await rooms[seat].call("sit on", seat=seat)
    for seat in range(4):
        await rooms[seat].call("set ready")
    for room in (*rooms, *windows):
        await room.hears("clock info")
    game = first.board["game_id"]
    for ply, (seat, text) in enumerate(script):
        if first.board.get("paused") and first.ply == ply:  # a round has ended: everyone looks at it, and says ready in turn
            for viewer in viewers:
                await viewer.ask(f"/api/records/{game}/scenes")
            for ready in rooms[:4]:
                await ready.call("set ready")
            for room in rooms:
                await room.until(lambda room=room, ply=ply: room.ply > ply)
        if seat is not None:
            if ply % 8 == 2:
                await try_nonsense(rooms, seat, ply)
            if ply % 23 == 6:
                for viewer in viewers:
                    await questions(viewer, first.id, game)
            await rooms[seat].play(text, ply)
            for room in rooms:
                await room.until(lambda room=room, ply=ply: room.ply > ply)
    for room in (*rooms, *windows):
        await room.hears("game over")
        await room.hears("room updated", lambda info: not info["playing"])
    assert all(window.events("ply") for window in windows), "nobody was told briefly"
    for window in windows:
        await window.close()
    for left in (4, 3, 2, 1, 0):
        so_far = len(viewers[0].lobby.told)
        await rooms[left].close()
        await viewers[0].lobby.hears("room updated", lambda line, left=left: line["people"] == left, since=so_far)
    for viewer in viewers:
        await viewer.lobby.hears("room removed", lambda gone: gone["id"] == first.id)
    names = {first.id: "ROOM", game: "GAME"}
    return [viewer.take(names) for viewer in viewers]


async def try_nonsense(rooms, mover, ply):
    """Every viewer tries something that is refused; what it is follows from what that viewer knows."""
    for seat, room in enumerate(rooms):
        if seat != mover:
            await refused(room, ply, "13")
            continue
        await room.until(lambda room=room: room.mine() is not None)
        legal = room.mine()["legal"]
        for wrong in ("99", "p", "proceed", "deal 1,2,3,4", "12", "88"):
            if wrong not in legal:
                await refused(room, ply, wrong)


async def refused(room, ply, action):
    so_far = len(room.told)
    try:
        await room.play(action, ply)
    except Invalid:
        await room.hears("invalid action", since=so_far)
    else:
        raise AssertionError(f"{action} was not refused")


async def questions(viewer, room, game):
    """Everything that can be asked over HTTP about a running game."""
    for path in (f"/api/records/{game}.json", f"/api/records/{game}.txt", f"/api/records/{game}.svg", f"/api/records/{game}", "/api/rooms", f"/r/{room}"):
        await viewer.ask(path)
    await viewer.ask(f"/api/people/{viewer.id}/games?limit=1")


@asynccontextmanager
async def eavesdroppers(data, options):
    """A server on this loop, whose chance is written down, and its five viewers, none of them new any more."""
    chance = Script()
    async with LocalServer(data, chance=chance).here() as server, AsyncExitStack() as stack:
        server.chance = chance
        viewers = [await stack.enter_async_context(Viewer(server.url)) for _ in VIEWERS]
        for viewer in viewers:
            await viewer.enter_lobby()
        await play_script(server, viewers, random_game(options, 999), options)
        yield server, viewers


@dataclass
class Compared:
    """What came of comparing games."""

    games: int = 0
    exchanged: int = 0  # rounds in which other hands lay where a viewer can't see
    seen: int = 0  # pairs of games whose difference was seen by those who may see it
    frames: int = 0
    bytes: int = 0
    leaks: list[str] = field(default_factory=list)


async def compare(server, viewers, options, number, found):
    """Play one game, and for each viewer the same with the unseen hands exchanged; note whether that viewer was told anything else."""
    script = random_game(options, number)
    first = await play_script(server, viewers, script, options)
    found.games += 1
    for place, viewer in enumerate(VIEWERS):
        other, changed = exchanged(options, script, viewer, number)
        second = await play_script(server, viewers, other, options)
        one, two = until_the_end(first[place]), until_the_end(second[place])
        found.exchanged += changed
        found.frames += sum(map(len, one.values()))
        found.bytes += sum(len(frame) for frames in one.values() for frame in frames)
        found.seen += changed > 0 and any(until_the_end(mine) != until_the_end(yours) for mine, yours in zip(first, second, strict=True))
        if one != two:
            found.leaks.append(f"game {number} looks different to {'a spectator' if viewer is None else f'seat {viewer}'}")


# --- games that look the same to one viewer ---


def random_game(options, seed):
    """A game as it is written: (seat or None for chance, text)."""
    dice, state, script = random.Random(seed), hanpan.game("goita", **options).start(), []
    while not state.over:
        text = state.draw(dice.getrandbits(60)) if state.chance else dice.choice(state.legal())
        script.append((state.seat, text))
        state = state.play(text)
    return script


def rounds(script):
    """The parts of a game: each begins with a deal and has its decisions and turns."""
    parts = []
    for line in script:
        if line[0] is None:
            parts.append([])
        parts[-1].append(line)
    return parts


def exchanged(options, script, viewer, seed):
    """The same game with the unseen hands exchanged: to that viewer it looks the same until it is over. Also, how many rounds could be changed."""
    dice, state, other, changed = random.Random(seed), hanpan.game("goita", **options).start(), [], 0
    for part in rounds(script):
        found = next((world for _ in range(400) if (world := _another_round(state, part, viewer, dice)) is not None), None) if len(part) > 1 else None
        changed += found is not None
        other += found or part
        for _, text in part:
            state = state.play(text)
    return other, changed


def _another_round(before, part, viewer, dice):
    """A round with other hands that this viewer can't tell from the given one; None if this try found none."""
    state, views = before, []
    for _, text in part:
        views.append(state.view(viewer))
        state = state.play(text)
    imagined = str(views[-1].imagine(dice.getrandbits(60))).split(" ")[1].split(",")
    told = iter(imagined[5:])
    hands = "deal " + ",".join(imagined[:4])
    if hands == part[0][1]:
        return None
    found = [(None, hands)]
    for seat, text in part[1:]:
        last = len(found) == len(part) - 1
        found.append((seat, text if last or text in ("proceed", "redeal") else next(told)[1:]))
    state = before
    for (_, text), view in zip(found, views, strict=True):
        if state.view(viewer) != view:
            return None
        try:
            state = state.play(text)
        except hanpan.IllegalAction:
            return None
    return found
