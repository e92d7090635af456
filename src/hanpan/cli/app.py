"""The command line: what plays, matches, analyses, counts, checks, measures and draws; the other commands come from files of their own."""

from __future__ import annotations

import json as writer
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from hanpan.cli.bulk import annotate, puzzles
from hanpan.cli.hosting import archive, backup, bot, operator, restore, serve, settings, two_factor, worker
from hanpan.cli.learning import export, selfplay
from hanpan.cli.loading import load
from hanpan.cli.options import Cores, On, console, make_game, number_in, stderr, whole_in
from hanpan.core.reading import whole
from hanpan.server.storage.models import StorageError

app = typer.Typer(
    name="hanpan",
    help="Hanpan (한판): five modern board games. Play in the terminal, host a server, match computer players, check records, measure.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name: puoribor, kulami, wallgo, reversedrop, goita, or one you installed.")]
Options = Annotated[list[str] | None, typer.Option("-o", "--option", metavar="KEY=VALUE", help="An option of the game, e.g. `-o size=9`. Repeat for more.")]
Seed = Annotated[int, typer.Option(**whole_in(0), help="What chance decides is drawn from this number.")]
Player = Annotated[str, typer.Argument(metavar="BOT", help="A level (8), random, python:MODULE:FACTORY, or a command line.")]
Games = Annotated[int, typer.Option(**whole_in(1, 1_000_000), help="How many games at most; rounded up to whole pairs.")]
Seconds = Annotated[float | None, typer.Option(**number_in(0, 86400), help="Time a move; if left out, each level does its own amount of work.")]
Openings = Annotated[int | None, typer.Option(**whole_in(0, 100, name="PLIES"), help="Random plies at the start of each pair; a few if left out.")]
Even = Annotated[int | None, typer.Option(**whole_in(1), help="Only openings that level 8, with so many nodes, finds even: nobody wins more than 57 %.")]
MatchLogFile = Annotated[Path | None, typer.Option("--keep", metavar="FILE", help="Keep finished games here; the same command continues them.")]
Megabytes = Annotated[int, typer.Option(**whole_in(8, 65536), help="Memory of each computer player.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@app.command()
def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(**whole_in(1, 20, name="DEPTH"), help="How many actions deep.")],
    options: Options = None,
    position: Annotated[str | None, typer.Option(help="A position text to begin at, instead of the start.")] = None,
    seed: Seed = 1,
) -> None:
    """Count the lines of play: how many sequences of that many actions there are, for every depth up to DEPTH.

    Two programs that agree on these numbers agree on the rules. Where they differ, `--position`
    leads down to the position in which they do.

        hanpan perft puoribor 3
        hanpan perft puoribor 4 -o rotation=false
    """
    import numpy as np

    from hanpan import loops
    from hanpan.core.rule import rng

    chosen = make_game(name, options)
    state = chosen.start(seed=seed) if position is None else chosen.parse(position)
    count = loops.perft(name)
    for deep in range(1, depth + 1):
        stack = np.zeros(deep + 1, chosen.book.rules.State)
        stack[0] = state.record[0]
        lists = np.zeros((deep + 1, chosen.book.rules.MOST_LEGAL), np.int32)
        with console.status(f"depth {deep} …"):
            leaves = int(count(stack, lists, np.zeros(deep + 1, np.int64), rng(seed), deep))
        console.print(f"{deep:>3}  {leaves:,}", highlight=False)


@app.command()
def replay(files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Records (.json, .txt), archives or traces (.jsonl, .jsonl.gz).")]) -> None:
    """Check records, traces and what `hanpan archive` writes: every position, legal list and result is made again by the rules and compared.

    Ends with exit code 1 at the first difference and names its line and ply.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from hanpan.replay import check_file

    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=stderr, transient=True) as progress:
        for path in files:
            task = progress.add_task(path.name, total=None)

            def tell(done: int, total: int, task: Any = task) -> None:
                progress.update(task, completed=done, total=total)

            games, difference = check_file(path, tell)
            progress.remove_task(task)
            if difference is not None:
                stderr.print(difference, style="red", highlight=False, soft_wrap=True)
                raise typer.Exit(1)
            console.print(f"{path.name}: {games} reproduced", highlight=False)


@app.command()
def check(name: GameName) -> None:
    """Check a game that you write: its folder, its words, and random games with all its options, as plain Python; then whether its rules can be compiled
    and do the same so, and whether a page can have both: what one sees and reads translated, the rules as WebAssembly.

    Every finding names a file, a hook, and what is wrong; exit code 1 if there is one.

        hanpan check tictactoe
    """
    from hanpan.checks import Finding, ask
    from hanpan.core.rule import INTERPRET
    from hanpan.rulebook import check_name, rulebook

    check_name(name)
    found, playable = 0, True
    with stderr.status(f"{name} …") as status:
        for line in ask("hanpan.checks", name):
            if "at" in line:
                status.update(f"{name}: {line['at']} …")
            else:
                found += 1
                finding = Finding(*line["found"])
                playable = playable and finding.where.startswith("words/")  # which may come later
                console.print(str(finding), highlight=False, soft_wrap=True)
    if playable and not INTERPRET:
        from hanpan.checks import guarded
        from hanpan.core.compiled import NotCompiled
        from hanpan.core.wasm.emit import NoWebAssembly
        from hanpan.engine import module, views
        from hanpan.twins import differences

        try:
            rulebook(name)
            with stderr.status(f"{name}: compiled …") as status:
                for finding in guarded(name, differences(name, lambda now: status.update(f"{name}: compiled, {now} …"))):
                    found += 1
                    console.print(str(finding), highlight=False, soft_wrap=True)
            views(name)
            with stderr.status(f"{name}: as WebAssembly …") as status:
                module(name, lambda rule: status.update(f"{name}: as WebAssembly, {rule} …"))
        except NoWebAssembly as wrong:
            stderr.print(f"{name}: whether a page can have its rules was not looked at: {wrong}", highlight=False, soft_wrap=True)
        except (NotCompiled, ValueError, TypeError) as wrong:
            found += 1
            console.print(str(wrong), highlight=False, soft_wrap=True)
    if found:
        raise typer.Exit(1)
    console.print(f"{name}: nothing is wrong", highlight=False)


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="[GAME…]", help="Which games; all of them if none is named.")] = None,
    json: Json = False,
    seconds: Annotated[float, typer.Option(**number_in(0.05, 600), help="How long each figure is measured.")] = 1.0,
) -> None:
    """Measure this machine: random play, where every ply chooses uniformly from the full list of legal actions, and the computer players.

    `legal` is how often a second the legal actions of the opening position are listed; `bot` how many positions (or simulations) a second
    the strongest level looks at, on one core.
    """
    from hanpan.bench import measure
    from hanpan.game import games

    results: dict[str, dict[str, float]] = {}
    for name in names or games():
        with stderr.status(f"{name} …"):
            results[name] = measure(name, seconds)
        if not json:
            row = results[name]
            console.print(
                f"{name:<12} one core {row['plies_per_second_one_core'] / 1e6:7.2f} M plies/s   all cores {row['plies_per_second_all_cores'] / 1e6:7.2f} M"
                f"   legal {row['legal_per_second_one_core'] / 1e6:7.2f} M/s   bot {row['bot_nodes_per_second'] / 1e3:9,.1f} k nodes/s",
                highlight=False,
            )
    if json:
        print(writer.dumps(results))


@app.command()
def svg(
    name: GameName,
    position: Annotated[str | None, typer.Argument(help="A position text; the start if left out.")] = None,
    options: Options = None,
    theme: Annotated[str, typer.Option(help="light, dark or auto.")] = "auto",
    targets: Annotated[bool, typer.Option(help="Show where one can act.")] = False,
    language: Annotated[str, typer.Option(help="en, ko, ja or zh.")] = "en",
    seed: Seed = 1,
) -> None:
    """Draw a position as an SVG picture on standard output.

    hanpan svg kulami > kulami.svg
    """
    chosen = make_game(name, options)
    state = chosen.start(seed=seed) if position is None else chosen.parse(position)
    drawn = state.svg(theme=theme, targets=targets, language=language)
    print(drawn.encode("ascii", "xmlcharrefreplace").decode(), end="")  # the same picture, whatever encoding the output has


@app.command()
def play(
    name: GameName,
    options: Options = None,
    bot: Annotated[
        str, typer.Option(metavar="LEVEL", help="Who you play against: a level from 1 to 8, `random`, or any other player of `hanpan match`.")
    ] = "3",
    seat: Annotated[int, typer.Option(**whole_in(1, 9), help="Where you sit.")] = 1,
    together: Annotated[bool, typer.Option("--together", help="All seats are played by people at this terminal.")] = False,
    seed: Annotated[int | None, typer.Option(**whole_in(0), help="Chance and the other players draw from this number; new each time if left out.")] = None,
    language: Annotated[str, typer.Option(help="en, ko, ja or zh.")] = "en",
    record: Annotated[
        Path | None, typer.Option(help="Keep the game in this file after every action, so that nothing is lost; one that is there goes on.")
    ] = None,
) -> None:
    """Play in the terminal, against the computer.

    Type an action as it is written (`e2`, `e3h`, `b2-c3r`), `?` for all legal actions, `hint`, `undo`, or `quit`.
    Ctrl-C while the computer thinks makes it play at once.

        hanpan play kulami --bot 5
        hanpan play wallgo -o players=3 --seat 2
    """
    from hanpan.cli.terminal import play_in_terminal

    play_in_terminal(make_game(name, options), console, seat - 1, None if together else bot, seed, language, record)


@app.command()
def match(
    name: GameName,
    first: Player,
    second: Player,
    games: Games = 40,
    options: Options = None,
    seconds: Seconds = None,
    nodes: Annotated[int | None, typer.Option(**whole_in(1), help="Work a move for both (levels only), not time: the same games on any machine.")] = None,
    openings: Openings = None,
    even: Even = None,
    sprt: Annotated[
        str | None, typer.Option(metavar="H0,H1", help="Stop when decided between two true scores, e.g. `0.5,0.6`, or Elo differences, `elo:0,70`.")
    ] = None,
    keep: MatchLogFile = None,
    seed: Seed = 1,
    cores: Cores = 0,
    on: On = None,
    megabytes: Megabytes = 64,
    json: Json = False,
) -> None:
    """Play two computer players against each other and say how sure the result is.

    Games come in pairs: the same random opening and the same luck, with seats exchanged (with three sides the first player has each side
    once, the second all others; partners play together). Each player is told only what its own seat may know.

    A player is a level (`8`, or `8@20000` with so many nodes a move), `random`, `python:MODULE:FACTORY[:key=value,…]`, or the command line
    of a program (in quotes) that speaks the protocol of docs/bots.md.

        hanpan match kulami 8 5 --games 100 --seconds 0.2
        hanpan match kulami 8 "python3 my_bot.py" --sprt 0.5,0.6 --keep games.jsonl
    """
    from hanpan.bots.elo import Sprt
    from hanpan.bots.match import play_match
    from hanpan.bots.match_log import MatchLog
    from hanpan.bots.pairs import Plan, usual_openings
    from hanpan.bots.show import match_progress, show_match
    from hanpan.bots.tally import Tally
    from hanpan.result import sides

    table = make_game(name, options)
    pair = tuple(f"{spec}@{nodes}" if nodes and whole(spec.removeprefix("level:")) is not None else spec for spec in (first, second))
    plan = Plan(name, table.options, (pair[0], pair[1]), seconds, usual_openings(table) if openings is None else openings, seed, megabytes, even=even)
    ways = len(set(sides(table)))
    tally = Tally(ways, Sprt.read(sprt, ways) if sprt else None)
    kept = MatchLog(keep, plan.head()) if keep else None
    with match_progress(stderr, f"{pair[0]} – {pair[1]}", games + -games % ways) as tell:
        play_match(plan, games, cores, kept, tally, tell, on)
    report = {**plan.head(), **tally.report()}
    if json:
        print(writer.dumps(report, ensure_ascii=False))
    else:
        show_match(console, plan.players, report)
    _end(tally.interrupted, keep)


@app.command()
def ladder(
    name: GameName,
    games: Games = 100,
    levels: Annotated[str, typer.Option(help="Which levels: `1-8`, `6-8` or `1,4,8`.")] = "1-8",
    options: Options = None,
    seconds: Seconds = None,
    openings: Openings = None,
    even: Even = None,
    keep: MatchLogFile = None,
    seed: Seed = 1,
    cores: Cores = 0,
    on: On = None,
    megabytes: Megabytes = 64,
    json: Json = False,
) -> None:
    """Play every level against the one below it.

    Each match ends as soon as it is decided between 50 % and 60 % (or, with more sides, between what an equal and what one as much
    stronger would score), at the latest after `--games`.

        hanpan ladder kulami --levels 1-4 --keep ladder.jsonl
    """
    from hanpan.bots.ladder import climb, head, read_levels
    from hanpan.bots.match_log import MatchLog
    from hanpan.bots.pairs import Plan, usual_openings
    from hanpan.bots.show import match_progress, show_ladder
    from hanpan.result import sides

    table = make_game(name, options)
    climbed = read_levels(levels)
    plan = Plan(name, table.options, ("", ""), seconds, usual_openings(table) if openings is None else openings, seed, megabytes, even=even)
    kept = MatchLog(keep, head(plan)) if keep else None
    ways = len(set(sides(table)))
    rungs = []
    with match_progress(stderr, "", games + -games % ways) as tell:
        for rung in climb(plan, climbed, games, cores, kept, lambda upper, tally: tell(tally, f"level {upper}"), on):
            rungs.append(rung)
    if json:
        print(writer.dumps({**head(plan), "rungs": [rung.report() for rung in rungs]}, ensure_ascii=False))
    else:
        show_ladder(console, rungs)
    _end(any(rung.tally.interrupted for rung in rungs), keep)


@app.command()
def analyse(
    name: GameName,
    position: Annotated[str | None, typer.Argument(help="A position text; the start if left out.")] = None,
    options: Options = None,
    seconds: Annotated[float, typer.Option(**number_in(0, 86400), help="How long to think; Ctrl-C ends it earlier.")] = 10.0,
    viewer: Annotated[int | None, typer.Option(**whole_in(1, 9, name="SEAT"), help="The position is what this seat may know of it.")] = None,
    megabytes: Megabytes = 256,
    seed: Seed = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object each time it knows better.")] = False,
) -> None:
    """What every legal action is worth to the seat to act, in points, and the best line; better the longer it thinks.

    hanpan analyse kulami --seconds 5
    """
    from hanpan.bots import Bot
    from hanpan.bots.show import analyses, show_analysis, write_analysis

    chosen = make_game(name, options)
    if viewer is not None and viewer > chosen.seats:
        raise ValueError(f"--viewer {viewer}: {name} has {chosen.seats} seats")
    if position is None:
        state = chosen.start(seed=seed)
    else:
        state = chosen.parse(position) if viewer is None else chosen.parse(position, viewer - 1)
    if viewer is not None and state.seat is not None and state.seat != viewer - 1:
        raise ValueError(f"--viewer {viewer}: seat {state.seat + 1} is to act, and only that seat's view can be analysed")
    bot = Bot(name, 8, megabytes=megabytes, seed=seed)
    steps = analyses(bot, state, seconds)
    if json:
        write_analysis(state, steps)
    else:
        show_analysis(console, state, steps)


def _end(interrupted: bool, keep: Path | None) -> None:
    """Say how to go on after Ctrl-C."""
    if interrupted:
        stderr.print("interrupted; " + (f"the same command goes on from {keep}" if keep else "with --keep FILE it could go on from here"))
        raise typer.Exit(130)


for command in (serve, worker, settings, operator, two_factor, bot, archive, backup, restore, load, export, selfplay, annotate, puzzles):
    app.command()(command)


def main() -> None:
    """Run the command line; a wrong input, or data that can't be used, is one clear sentence and exit code 2."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a result is not lost by a letter that this output can't have
    try:
        app()
    except (ValueError, StorageError) as wrong:
        said = str(wrong).encode("utf-8", "backslashreplace").decode()  # an argument may hold bytes that are no text
        stderr.print(f"hanpan: {said}", style="red", highlight=False, soft_wrap=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(1)
    except OSError as wrong:
        stderr.print(f"hanpan: {wrong}", style="red", highlight=False, soft_wrap=True)
        sys.exit(2)
