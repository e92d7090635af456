"""Kill a server under play, again and again, and look whether anything was lost. Used by a short test and by a long benchmark."""

import asyncio
import itertools
import json
import random
import sqlite3
import time
from collections import Counter
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field

from clients import Guest
from serving import ServerProcess

from hanpan.client import Invalid, Lost
from hanpan.record import GameRecord

# What is played at the tables, in turn: all kinds of games, with chance, secrets, three and four seats.
KINDS = (
    ("kulami", {}),
    ("goita", {"target": 30}),
    ("wallgo", {"players": 3, "size": 4, "pieces": 1}),
    ("tictactoe", {}),
    ("reversedrop", {"max_plies": 40}),
)
CLOCK = {"kind": "byoyomi", "main_ms": 600_000, "byoyomi_ms": 30_000}


@dataclass
class Journal:
    """What the clients know: every acknowledged action, and when the server was away."""

    acknowledged: list[tuple[str, int, str]] = field(default_factory=list)  # game, ply, action
    outages: list[tuple[int, int]] = field(default_factory=list)  # milliseconds: killed, started again
    refusals: Counter = field(default_factory=Counter)
    stopping: bool = False

    @property
    def done(self):
        return len(self.acknowledged)


async def keep_playing(room, seat, journal, dice):
    """Play at random, game after game, whatever happens to the server; come back by oneself."""
    while True:
        await room.until(lambda: room.connected and (not room.board or room.board["over"] or room.mine() is not None), 600)
        try:
            if room.board and not room.board["over"]:
                await play_one(room, journal, dice)
            elif journal.stopping:
                if room.last["player info"]["seats"][seat]["person"] is not None:
                    await room.call("cancel ready")  # refused if the others have just begun one more game: then it is played, too
                return
            else:
                await another_game(room, seat)
        except (Lost, TimeoutError):
            await asyncio.sleep(0.05)
        except Invalid as refused:
            journal.refusals[refused.code] += 1
            await asyncio.sleep(0.05)


async def play_one(room, journal, dice):
    mine = room.mine()
    if mine is None:
        return
    game, ply, action = room.board["game_id"], mine["ply"], dice.choice(mine["legal"])
    await room.play(action, ply, timeout=600)
    journal.acknowledged.append((game, ply, action))
    await room.until(lambda: not room.connected or room.board["game_id"] != game or room.ply > ply or room.board["over"], 600)


async def another_game(room, seat):
    if room.last["player info"]["seats"][seat]["person"] is None:
        await room.call("sit on", seat=seat)
    await room.call("set ready")
    with suppress(TimeoutError):
        await room.until(lambda: not room.connected or not room.board["over"], 0.5)


async def open_table(url, stack, number):
    """A table of its own people; its rooms, by seat."""
    name, options = KINDS[number % len(KINDS)]
    people = [await stack.enter_async_context(Guest(url))]
    rooms = [await people[0].new_room(name, options=options, settings={"time": CLOCK, "pause": 0})]
    seats = len((await rooms[0].hears("player info"))["seats"])
    for seat in range(1, seats):
        people.append(await stack.enter_async_context(Guest(url)))
        rooms.append(await people[seat].enter(rooms[0].id))
    for seat, room in enumerate(rooms):
        await room.call("sit on", seat=seat)
        await room.call("set ready")
    return rooms


async def kill_again_and_again(data, tables, kills, seed, longest=1.0, progress=lambda kills, journal: None):
    """The whole experiment; what the clients know at its end. The server's data stays, for `lost`."""
    dice, journal = random.Random(seed), Journal()
    server = ServerProcess(data, patience=600.0).start()  # where leaving is resigning, nobody has left who is slow to come back
    try:
        async with AsyncExitStack() as stack:
            opened = [await open_table(server.url, stack, number) for number in range(tables)]
            players = [asyncio.create_task(keep_playing(room, seat, journal, dice)) for rooms in opened for seat, room in enumerate(rooms)]
            for number in range(kills):
                progress(number, journal)
                before = journal.done
                await until(lambda before=before: journal.done > before + tables, players)
                await asyncio.sleep(dice.random() * longest)
                server.kill()
                killed = time.time_ns() // 1_000_000
                await asyncio.sleep(dice.random() * longest)
                journal.outages.append((killed, time.time_ns() // 1_000_000))
                await asyncio.to_thread(server.start)
            before = journal.done
            await until(lambda: journal.done > before + tables, players)
            journal.stopping = True
            await asyncio.gather(*players)
    finally:
        server.stop()
    assert "Error" not in server.log.read_text(), server.log.read_text()
    return journal


async def until(condition, players):
    """Wait for the players to get somewhere; if one of them fails, so does this."""
    while not condition():
        done, _ = await asyncio.wait(players, timeout=0.02, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()


def lost(data, journal):
    """Everything that is not as it must be, in words; and how much was looked at."""
    with sqlite3.connect(data / "hanpan.db") as db:
        games = {id: (name, options, rated, ended) for id, name, options, rated, ended in db.execute("select id, name, options, rated, ended_at from game")}
        actions = {}
        for id, ply, text, at, started, charged in db.execute("select game_id, ply, text, at, started_at, charged from action order by game_id, ply"):
            actions.setdefault(id, []).append((ply, text, at, started, charged))
        steps = list(db.execute("select person_id, name, game_id, before, after from rating_change order by at, game_id"))
        ratings = {(person, name): (value, count) for person, name, value, count in db.execute("select person_id, name, value, games from rating")}
        people = Counter(id for (id,) in db.execute("select game_id from player"))
    wrong = []
    for game, ply, action in journal.acknowledged:
        found = [text for at, text, *_ in actions.get(game, ()) if at == ply]
        if found != [action]:
            wrong.append(f"game {game}, ply {ply}: {action!r} was acknowledged, but there is {found}")
    for (game, ply), times in Counter((game, ply) for game, ply, _ in journal.acknowledged).items():
        if times > 1:
            wrong.append(f"game {game}, ply {ply}: acknowledged {times} times")
    for id, (name, options, _, ended) in games.items():
        wrong += _bad_record(id, name, options, ended, actions.get(id, []))
        wrong += _charged_for_outages(id, actions.get(id, []), journal.outages)
    wrong += _bad_ratings(games, people, steps, ratings)
    return wrong, {"games": len(games), "actions": sum(map(len, actions.values())), "acknowledged": journal.done, "rating changes": len(steps)}


def _bad_record(id, name, options, ended, actions):
    if [ply for ply, *_ in actions] != list(range(len(actions))):
        yield f"game {id}: plies are missing or double"
        return
    try:
        last = GameRecord(name, json.loads(options), tuple(text for _, text, *_ in actions)).final()
    except ValueError as impossible:
        yield f"game {id}: {impossible}"
        return
    if not last.over or ended is None:
        yield f"game {id} ({name}): did not go on to its end"


def _charged_for_outages(id, actions, outages):
    """A turn that an outage fell into is charged at most from when the server was started again."""
    for (_, _, _, began, _), (ply, _, at, _, charged) in itertools.pairwise(actions):
        for killed, started in outages:
            if began <= killed and started <= at and charged > at - started:
                yield f"game {id}, ply {ply}: {charged} ms were charged, {at - started} ms after an outage"


def _bad_ratings(games, people, steps, ratings):
    """Each rated game moved each of its people's ratings once, and the ratings are where the steps lead."""
    moved = Counter(game for _, _, game, _, _ in steps)
    for id, (name, _, rated, _) in games.items():
        if moved[id] != (people[id] if rated else 0):
            yield f"game {id} ({name}): moved {moved[id]} ratings of {people[id]} people"
    at = {}
    for person, name, game, before, after in steps:
        value, count = at.get((person, name), (1300.0, 0))
        if before != value:
            yield f"game {game}: the rating of {person} was {before}, not {value}"
        at[person, name] = (after, count + 1)
    if at != ratings:
        yield "the ratings are not where their steps lead"
