"""How fast the rules and the computer players are on this machine."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from hanpan import loops
from hanpan.bots import Bot
from hanpan.bots.workers import all_cores
from hanpan.core.rule import rng
from hanpan.game import Game, game


def measure(name: str, seconds: float = 1.0, options: dict[str, bool | int | str] | None = None) -> dict[str, float]:
    """Plies a second of random play on one core and on all; legal lists, and nodes of the strongest computer player, a second on one core."""
    chosen = game(name, **(options or {}))
    one = plies_per_second(chosen, seconds, 1)
    cores = all_cores()
    return {
        "plies_per_second_one_core": one,
        "plies_per_second_all_cores": plies_per_second(chosen, seconds, cores) if cores > 1 else one,
        "legal_per_second_one_core": legal_per_second(chosen, seconds),
        "bot_nodes_per_second": bot_nodes_per_second(chosen, seconds),
    }


def plies_per_second(chosen: Game, seconds: float, cores: int) -> float:
    """Random play on so many threads (compiled code runs without the interpreter's lock)."""
    play = loops.random_play(chosen.name)
    first = chosen.start().record

    def run(stream: int, until: float) -> int:
        s, out, r = first.copy(), chosen.book.actions_buffer(), rng(1, stream)
        done, step = 0, 100
        while True:  # at least once, however late the thread begins
            began = time.perf_counter()
            play(first, s, out, r, step)
            done += step
            now = time.perf_counter()
            if now >= until:
                return done
            if now - began < seconds / 100:
                step *= 2

    run(0, time.perf_counter() + 0.01)  # compiled or loaded before the clock runs
    began = time.perf_counter()
    with ThreadPoolExecutor(cores) as pool:
        total = sum(pool.map(lambda stream: run(stream, began + seconds), range(cores)))
    return total / (time.perf_counter() - began)


def legal_per_second(chosen: Game, seconds: float) -> float:
    """How often the legal actions of the opening position can be listed."""
    lister = loops.list_legal(chosen.name)
    s, out = chosen.start(seed=1).record, chosen.book.actions_buffer()
    times = 16
    lister(s, out, 1)
    while True:
        began = time.perf_counter()
        lister(s, out, times)
        took = time.perf_counter() - began
        if took > seconds / 4:
            return times / took
        times *= 2


def bot_nodes_per_second(chosen: Game, seconds: float) -> float:
    """How many positions (or simulations) the strongest computer player looks at in the opening position."""
    bot, state = Bot(chosen.name), chosen.start(seed=1)
    bot.choose(state, 0.0)  # compiled or loaded before the clock runs
    began, rate = time.perf_counter(), 0.0
    for step in bot.analyse(state, seconds):
        rate = step.nodes / (time.perf_counter() - began)
    return rate
