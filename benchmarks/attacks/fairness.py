"""Attacks on a game, on a rating or on those who play: winning without playing, taking another's name, coming back after a ban."""

import asyncio
from contextlib import suppress

from clients import guests, sit_down

from attacks.field import Field, scenario
from attacks.takeover import SECRET, appointed, browsing, log_in, must
from hanpan.client import Invalid


@scenario("fairness", beside=False, seconds=60, patience=2.0)
async def stolen_seat(field: Field) -> str:
    """Fifty milliseconds after a window was closed, the opponent's second guest sits down and resigns for its owner."""
    codes = set()
    async with guests(field.url, 3) as people:
        rooms = await sit_down(people[:2], "tictactoe", settings={"rated": True})
        second = await people[2].enter(rooms[0].id)
        await rooms[0].drop()
        await second.sees(0, connected=False)
        for _ in range(100):
            for request in ("sit on", "resign"):
                try:
                    await second.call(request, seat=0)
                    must(False, f"someone else could {request}")
                except Invalid as refused:
                    codes.add(refused.code)
            await asyncio.sleep(0.05)
        await rooms[0].open()
        await rooms[1].sees(0, connected=True)
        must(not rooms[1].board["over"], "the game is over")
    return f"refused: {', '.join(sorted(codes))}"


@scenario("fairness", beside=False, seconds=90, unlimited_local=True)
async def rating_farm(field: Field) -> str:
    """Two guests, forty resignations without a move, and a look at the board of the best."""
    async with guests(field.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        for _ in range(40):
            so_far = len(rooms[0].told)
            await rooms[1].call("resign")
            over = await rooms[0].hears("game over", since=so_far)
            must(not over["ratings"], "a resignation without a move moved ratings")
            begun = len(rooms[0].told)
            for room in rooms:
                await room.call("rematch")
            await rooms[0].hears("board info", lambda board: not board["over"], since=begun)
        best = await people[0].http("GET", "/api/leaderboards/tictactoe")
        must(not {person.id for person in people} & {line["id"] for line in best}, "a guest is on the board of the best")
    return "forty games moved nothing"


@scenario("fairness", beside=False, seconds=60, token_secret=SECRET)
async def names_and_invitations(field: Field) -> str:
    """A guest takes an operator's name with other letters, and computer players'; a hundred invitations; renaming without end."""
    enemy = field.enemy
    async with browsing(field, 2) as (boss, guest):
        await log_in(boss, "Ann Bell")
        await guest.post("/api/guest")
        for name in ("Ann Bell", "ann bell", "Аnn Bell", "Ann Be11", "AnnBell", "Ａｎｎ Bell", "bot 3", "bоt 3"):
            status, _ = await guest.ask("PATCH", "/api/me", json={"name": name})
            must(status >= 400, f"a guest is called {name!r}")
            must(status != 429, "it could not be tried")
        renamed = [(await guest.ask("PATCH", "/api/me", json={"name": f"Advert {number}"}))[0] for number in range(40)]
        must(renamed.count(200) <= 15, f"{renamed.count(200)} other names in a moment")
        invited = boss.token and (await boss.me())["person"]["id"]
        listener = await enemy.lobby(enemy.address(), boss.token)
        address = enemy.address()
        line, _ = await enemy.room(address, await enemy.guest(address))
        for _ in range(100):
            await line.emit("/room", "send invitation", {"to": invited})
        await line.call("/room", "req info", {})
        await asyncio.sleep(1)
        must(listener.heard["recieved invitation"] <= 20, f"{listener.heard['recieved invitation']} invitations in a moment")
    return f"no name taken, {renamed.count(200)} of 40 names, {listener.heard['recieved invitation']} of 100 invitations"


@scenario("fairness", beside=False, seconds=60, token_secret=SECRET)
async def banned_comes_back(field: Field) -> str:
    """A banned guest asks again from the same address, with a new cookie; and the bot of someone who is banned plays on."""
    enemy, address = field.enemy, field.enemy.address()
    token = await enemy.guest(address)
    line = await enemy.lobby(address, token)
    mine = line.last["account"]["person"]["id"]
    async with browsing(field, 1) as (operator,):
        await appointed(field, (await log_in(operator, "operator"))["person"]["id"])
        status, told = await operator.ask("POST", f"/api/operator/people/{mine}/ban", json={"minutes": 60, "reason": "a trial", "addresses": True})
        must(status == 200, f"the operator could not ban: {status} {told}")
    with suppress(ConnectionError, TimeoutError):
        await line.until(lambda: line.reading.done() or line.heard["banned"], 10)
    must(line.reading.done() or bool(line.heard["banned"]), "a banned guest stays connected")
    status, _ = await enemy.ask("POST", "/api/guest", address)
    must(status >= 400, "a banned guest is someone new at the same address")
    status, _ = await enemy.ask("POST", "/api/guest", enemy.address())
    must(status == 200, "someone else can't come in")
    return "refused at the same address, others come in"
