"""The command that loads a server with people, and looks whether what they were told can be true."""

from __future__ import annotations

import json as writer
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hanpan.cli.options import console, make_game, number_in, stderr, whole_in
from hanpan.core.extras import needed

if TYPE_CHECKING:
    from hanpan.client.load.check import Verdict
    from hanpan.client.load.history import Event, History
    from hanpan.client.load.plan import Plan
    from hanpan.client.load.run import Load


def load(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[HISTORY…]", help="With --check: histories that were written before.")] = None,
    server: Annotated[list[str] | None, typer.Option(metavar="URL", help="The server's address. Repeat for more: people are spread over them.")] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="What is played.")] = None,
    options: Annotated[list[str] | None, typer.Option("-o", "--option", metavar="KEY=VALUE", help="An option of the game. Repeat for more.")] = None,
    tables: Annotated[int, typer.Option(**whole_in(1, 5000), help="How many tables, each with its own people.")] = 10,
    rate: Annotated[float | None, typer.Option(**number_in(0.001, 100_000), help="Actions a second in all; as many as can be if left out.")] = None,
    planned: Annotated[bool, typer.Option("--open/--closed", help="Plan all actions beforehand, or let people think, then act.")] = False,
    seconds: Annotated[float, typer.Option(**number_in(0.1, 1_000_000), help="How long.")] = 30.0,
    watchers: Annotated[int, typer.Option(**whole_in(0, 1000), help="Spectators at each table.")] = 0,
    chat: Annotated[float, typer.Option(**number_in(0, 100_000), help="Messages a minute in all.")] = 0.0,
    drop_outs: Annotated[float, typer.Option(**number_in(0, 100_000), help="Connections a minute in all that are cut and come back.")] = 0.0,
    brief: Annotated[bool, typer.Option("--brief", help="People are told briefly, as pages are that know the game themselves.")] = False,
    seed: Annotated[int, typer.Option(**whole_in(0), help="Who plays what and when is drawn from this number.")] = 1,
    json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the result here, with the histograms.")] = None,
    history: Annotated[Path | None, typer.Option(metavar="FILE", help="Write here what everybody sent and was told, and check it in the end.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Load nothing: check the HISTORY files.")] = False,
    database: Annotated[str | None, typer.Option(metavar="URL", help="Check against what the server's database has, instead of what the server tells.")] = None,
) -> None:
    """Load a server with people who play, look on, chat and drop out, and say how long they wait. Ctrl-C ends it, and the result so far is shown.

    The closed loop (people think, then act when they see the board) shows what people feel; the open loop plans its actions beforehand and counts each
    wait from the planned moment, so that a slow server can't slow down its own measurement. A server's limits against crowds are lifted for its own
    machine by HANPAN_UNLIMITED_LOCAL=1.

    With --history everything is written down that people sent, were answered and were told. Then, or later with --check, it is decided whether some
    single order of actions explains all of it: nothing lost, doubled, or told before it was stored, clocks and ratings as they must be.

        hanpan load --server http://127.0.0.1:8000 --game kulami --tables 100 --rate 200 --open
        hanpan load --server http://127.0.0.1:8000 --game goita --tables 20 --drop-outs 60 --history h.jsonl
        hanpan load --check h.jsonl --database sqlite:///hanpan.db
    """
    with needed("hanpan load", "hanpan[client]"):
        from hanpan.client.load.history import History
        from hanpan.client.load.plan import Plan

    if check:
        _check_files(files or [], tuple(server or ()), database)
        return
    if files:
        raise ValueError(f"{files[0]}: a history is read with --check, and written with --history")
    if game is None:
        raise ValueError("--game: which one is to be played?")
    chosen = make_game(game, options)
    servers = tuple(url.rstrip("/") for url in server or ())
    plan = Plan(servers, chosen.name, tables, dict(chosen.options), rate, planned, seconds, watchers, chat, drop_outs, brief, seed)
    _run(plan, History(history), history, json, database)


def _run(plan: Plan, history: History, written: Path | None, json: Path | None, database: str | None) -> None:
    from importlib import import_module
    from importlib.util import find_spec

    from hanpan.client.load.show import figures, show_verdict

    if json is not None and not json.absolute().parent.is_dir():
        raise ValueError(f"--json {json}: there is no such folder")
    run = import_module("uvloop" if find_spec("uvloop") else "asyncio").run  # the former costs less, where it is installed
    load, verdict, interrupted = run(_load(plan, history, written, database))
    console.print(figures(load))
    if verdict is not None:
        show_verdict(console, str(written), verdict)
    if json is not None:
        told = {**load.result(), "interrupted": interrupted, **({} if verdict is None else {"verdict": verdict.json()})}
        json.write_text(writer.dumps(told, indent=1) + "\n")
    if verdict is not None and not verdict.holds:
        raise typer.Exit(1)
    if interrupted:
        raise typer.Exit(130)


async def _load(plan: Plan, history: History, written: Path | None, database: str | None) -> tuple[Load, Verdict | None, bool]:
    """The whole load; with a history, its verdict."""
    import asyncio
    import signal

    from hanpan.client.load.check import check
    from hanpan.client.load.history import read_history
    from hanpan.client.load.run import Load
    from hanpan.client.load.show import watched

    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def interrupt() -> None:
        stop.set()
        loop.remove_signal_handler(signal.SIGINT)  # the second time ends everything at once

    loop.add_signal_handler(signal.SIGINT, interrupt)
    load = Load(plan, history)
    with watched(stderr, load) as tell:
        async with load:
            await load.open(tell, stop)
            await load.play(stop, tell)
        if written is None:
            return load, None, stop.is_set()
        history.flush()
        truth = await _truth(list(read_history(written)), plan.servers, database, lambda done, of: tell("asking what there is now", done, of))
        for event in truth:
            history.put(event)
        history.close()
        return load, check(read_history(written)), stop.is_set()


def _check_files(files: list[Path], servers: tuple[str, ...], database: str | None) -> None:
    import asyncio

    from hanpan.client.load.check import check
    from hanpan.client.load.history import read_history
    from hanpan.client.load.show import show_verdict

    if not files:
        raise ValueError("--check: which histories? `hanpan load --check FILE…`")
    good = True
    for path in files:
        events = list(read_history(path))
        truth = asyncio.run(_truth(events, servers, database, lambda done, of: None)) if servers or database else None
        try:
            verdict = check(events, truth)
        except ValueError as wrong:
            raise ValueError(f"{path}: {wrong}") from None
        show_verdict(console, str(path), verdict)
        good = good and verdict.holds
    if not good:
        raise typer.Exit(1)


async def _truth(events: list[Event], servers: tuple[str, ...], database: str | None, tell: Any) -> list[Event]:
    """What there is in the end of all that a history speaks of."""
    from hanpan.client.load.truth import NoTruth, fetch, spoken_of

    games, people = spoken_of(events)
    if database is not None:
        return await stored(database, games, people)
    try:
        return await fetch(servers, games, people, tell)
    except NoTruth as wrong:
        raise ValueError(f"the server does not say what it has now ({wrong}); --check with --server or --database decides it later") from None


async def stored(database: str, games: Collection[str], people: Collection[tuple[str, str]]) -> list[Event]:
    """The same as `truth.fetch`, from the database itself: also how the ratings stand, and games with secrets that still run."""
    with needed("--database", "hanpan[server]"):
        from hanpan.server.storage.store import Store

    store = await Store.open(database, upgrade=False)
    found: list[Event] = []
    try:
        for id in sorted(games):
            row = await store.game(id)
            if row is None:
                found.append({"e": "game", "id": id})
                continue
            ledger = [{"seat": a.seat, "at": a.at - row.started_at, "charged": a.charged, "forgiven": a.forgiven, "forced": a.forced} for a in row.actions]
            began = [who.get("first") or who.get("person") for who in row.people]
            found.append({
                "e": "game", "id": id, "game": row.name, "options": row.options, "time": row.settings["time"], "rated": row.rated, "counted": row.counted,
                "people": began, "result": row.result, "ended": row.ended_at is not None, "actions": [a.text for a in row.actions], "ledger": ledger,
                "hidden": False,
            })  # fmt: skip
        for person, name in sorted(people):
            steps = [{"game_id": step.game_id, "before": step.before, "after": step.after} for step in await store.history(person, name)]
            rating = (await store.ratings([person], name))[person]
            found.append({"e": "rating", "person": person, "game": name, "steps": steps, "value": rating.value, "games": rating.games})
    finally:
        await store.close()
    return found
