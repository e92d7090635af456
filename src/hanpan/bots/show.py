"""What matches, ladders and analyses look like in a terminal; thinking that Ctrl-C can end."""

from __future__ import annotations

import json
import math
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from hanpan.bots.alphabeta import BELIEVED, NEAR, SURE, WIN
from hanpan.bots.bot import Analysis, Bot
from hanpan.bots.ladder import Rung
from hanpan.bots.tally import Tally
from hanpan.core.words import Phrase, say
from hanpan.game import State

T = TypeVar("T")
_ROWS = 15  # of an analysis while it deepens


# --- matches ---


@contextmanager
def match_progress(console: Console, title: str, games: int) -> Iterator[Callable[..., None]]:
    """A bar with the score so far and an estimate of the time left; gives the function that moves it: `tell(tally)`."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, speed_estimate_period=600, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=games)
        drawn = -1.0

        def tell(tally: Tally, title: str = title) -> None:
            nonlocal drawn
            done = len(tally.games())
            text = None
            if time.monotonic() - drawn > 0.2 or done == games:
                drawn, text = time.monotonic(), f"{title} {standing(tally)}"
            if done < progress.tasks[0].completed:  # the next match
                progress.reset(task, total=games)
            progress.update(task, completed=done, description=text)

        yield tell


def standing(tally: Tally) -> str:
    """A match in one line."""
    report = tally.report()
    text = "+{wins} ={draws} −{losses}".format(**report)
    if report["score"] is not None:
        text += f"  {_percent(report)}  Elo {_elo(report)}"
    if report["sprt"]:
        text += f"  {_verdict(report)}"
    return text


def show_match(console: Console, players: tuple[str, str], report: dict[str, Any]) -> None:
    """The result of a match."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    table.add_row("match", f"{players[0]} against {players[1]}")
    table.add_row("games", "{games}, of {plies:.0f} plies".format(**report))
    table.add_row("won, drawn, lost", "+{wins} ={draws} −{losses}".format(**report))
    if report["score"] is not None:
        table.add_row("score", f"{_percent(report)}  (95 %)")
        table.add_row("Elo", f"{_elo(report)}  (95 %)")
    if report["sprt"]:
        table.add_row("test", _verdict(report))
    table.add_row("seconds a move", " and ".join(f"{seconds:.3f}" for seconds in report["seconds_per_move"]))
    console.print(table, highlight=False, markup=False)
    for fault in report["faults"][:5]:
        console.print(f"lost without an end on the board (pair {fault['pair'] + 1}): {fault['fault']}", style="yellow", markup=False, highlight=False)
    if len(report["faults"]) > 5:
        console.print(f"… and {len(report['faults']) - 5} more games lost so", style="yellow")


def show_ladder(console: Console, rungs: list[Rung]) -> None:
    """A ladder as a table."""
    table = Table("level", "games", "+ = −", "score (95 %)", "Elo (95 %)", "test", "ms", "", box=None, padding=(0, 1, 0, 0))
    for rung in rungs:
        report = rung.report()
        held = {True: "✓", False: "✗", None: ""}[rung.holds]
        test = {"H1": f"≥ {rung.wanted:.0%}", "H0": "equal", None: "open"}[report["sprt"]["verdict"]]
        score, strength = (_percent(report), _elo(report)) if report["score"] is not None else ("–", "–")
        taken = f"{1000 * report['seconds_per_move'][0]:.0f}"
        counts = "+{wins} ={draws} −{losses}".format(**report)
        table.add_row(f"{rung.upper} over {rung.lower}", str(report["games"]), counts, score, strength, test, taken, held)
    console.print(table, highlight=False)
    if rungs:
        console.print(f"✓: at least {rungs[0].wanted:.0%} against the level below; ms: the upper level's time a move", style="dim", highlight=False)


def _percent(report: dict[str, Any]) -> str:
    low, high = report["score_interval"]
    return f"{100 * report['score']:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def _elo(report: dict[str, Any]) -> str:
    numbers = (report["elo"], *report["elo_interval"])
    ends = (math.inf if report["score"] > 0.5 else -math.inf, -math.inf, math.inf)
    middle, low, high = (f"{end if number is None else number:+.0f}".replace("inf", "∞") for number, end in zip(numbers, ends, strict=True))
    return f"{middle} ({low}…{high})"


def _verdict(report: dict[str, Any]) -> str:
    test = report["sprt"]
    if test["verdict"]:
        better, score = test["verdict"] == "H1", test["h1"] if test["verdict"] == "H1" else test["h0"]
        return f"{'≥' if better else '≤'} {score:.1%} rather than {test['h0'] if better else test['h1']:.1%}"
    return f"open ({test['llr']:+.2f} of ±{test['bound']:.2f})"


# --- thinking ---


def told(points: float, language: str = "en") -> str:
    """A value for people: points, or in how many plies the game is decided, or seems to be.

    >>> told(3.5), told((WIN - 3) / 100), told(-(WIN - 4) / 100), told((BELIEVED - 9) / 100)
    ('+3.50', 'wins in 3', 'loses in 4', 'should win in 9')
    """
    if abs(points) * 100 <= NEAR:
        return f"{points:+.2f}"
    sure = abs(points) * 100 > SURE
    key = ("wins" if points > 0 else "loses") if sure else "may_win" if points > 0 else "may_lose"
    return say("hanpan", Phrase(f"terminal.{key}", {"n": round((WIN if sure else BELIEVED) - abs(points) * 100)}), language)


def patiently(work: Callable[[], T], stop: Callable[[], None]) -> T:
    """The result of some thinking. It runs in a thread, so that Ctrl-C is heard: the first one asks it to stop, a second one gives up."""
    results: queue.Queue[tuple[T | None, BaseException | None]] = queue.Queue()

    def run() -> None:
        try:
            results.put((work(), None))
        except BaseException as wrong:
            results.put((None, wrong))

    try:
        threading.Thread(target=run, daemon=True).start()
        result, wrong = results.get()
    except KeyboardInterrupt:
        stop()
        result, wrong = results.get()
    if wrong is not None:
        raise wrong
    return result  # type: ignore[return-value]


def analyses(bot: Bot, state: State, seconds: float | None) -> Iterator[Analysis]:
    """Better and better analyses until the time is up; Ctrl-C ends it at once."""
    steps = bot.analyse(state, seconds)
    try:
        while (step := patiently(lambda: next(steps, None), bot.stop)) is not None:
            yield step
    except KeyboardInterrupt:  # between two steps
        pass
    finally:
        bot.stop()


def show_analysis(console: Console, state: State, steps: Iterator[Analysis]) -> None:
    """A table that grows truer; at the end, with every action."""
    last = None
    with suppress(KeyboardInterrupt), Live(console=console, transient=True, auto_refresh=False) as live:
        for last in steps:
            live.update(_analysis(state, last, _ROWS), refresh=True)
    if last is not None:
        console.print(_analysis(state, last, None))


def write_analysis(state: State, steps: Iterator[Analysis]) -> None:
    """One JSON object a step, on standard output."""
    for step in steps:
        values = step.values | {action: None for action in state.legal() if action not in step.values}
        data = {"depth": step.depth, "nodes": step.nodes, "sure": step.sure, "best": next(iter(values)), "values": values, "line": step.line}
        print(json.dumps(data | ({"chances": step.chances} if step.chances else {}), ensure_ascii=False), flush=True)


def _analysis(state: State, step: Analysis, most: int | None) -> Group:
    table = Table("action", "value", box=None, padding=(0, 2, 0, 0))
    for action, value in list(step.values.items())[:most]:
        table.add_row(action, told(value))
    missing = [action for action in state.legal() if action not in step.values]
    if most is None:
        for action in missing:
            table.add_row(action, "–")
    elif len(step.values) > most:
        table.add_row(f"… {len(step.values) - most} more", "")
    depth, end = f"depth {step.depth}, " if step.depth else "", ", decided" if step.sure else ""
    lines = [Text(f"{depth}{step.nodes:,} positions{end}", "dim"), Text("best line: " + " ".join(step.line))]
    if len(step.chances) > 2:
        lines.append(Text("chances to win: " + ", ".join(f"seat {seat} {chance:.0%}" for seat, chance in enumerate(step.chances, 1))))
    return Group(table, *lines)
