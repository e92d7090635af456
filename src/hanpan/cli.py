"""The command line: hanpan play | perft | replay | bench | svg."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

app = typer.Typer(
    name="hanpan",
    help="Hanpan (한판): five modern board games. Play in the terminal, check records, measure.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
console = Console()
complaints = Console(stderr=True)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game's name: puoribor, kulami, wallgo, reversedrop, goita, or one you installed.")]
Options = Annotated[list[str] | None, typer.Option("-o", "--option", metavar="KEY=VALUE", help="An option of the game, e.g. `-o size=9`. Repeat for more.")]
Seed = Annotated[int, typer.Option(help="What chance decides is drawn from this number.")]


def make_game(name: str, given: list[str] | None) -> Any:
    """The game with its options from the command line."""
    from hanpan.game import game

    plain = game(name)
    known = {option.name: option for option in plain.book.options}
    chosen = {}
    for text in given or []:
        key, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"-o {text}: write it as key=value")
        if key not in known:
            raise ValueError(f"{key}: {name} has no such option; it has {', '.join(known) or 'none'}")
        chosen[key] = known[key].read(value)
    return game(name, **chosen)


@app.command()
def perft(
    name: GameName,
    depth: Annotated[int, typer.Argument(min=1, max=20, help="How many actions deep.")],
    options: Options = None,
    position: Annotated[str | None, typer.Option(help="A position text to begin at, instead of the start.")] = None,
    seed: Seed = 1,
) -> None:
    """Count the lines of play: how many sequences of that many actions there are, for every depth up to DEPTH.

    Two programs that agree on these numbers agree on the rules.

        hanpan perft puoribor 3
        hanpan perft puoribor 4 -o rotation=false
    """
    import numpy as np

    from hanpan import drive
    from hanpan.rule import rng

    chosen = make_game(name, options)
    state = chosen.start(seed=seed) if position is None else chosen.parse(position)
    count = drive.perft(name)
    for deep in range(1, depth + 1):
        stack = np.zeros(deep + 1, chosen.book.rules.State)
        stack[0] = state.record[0]
        lists = np.zeros((deep + 1, chosen.book.rules.MOST_LEGAL), np.int32)
        with console.status(f"depth {deep} …"):
            leaves = int(count(stack, lists, np.zeros(deep + 1, np.int64), rng(seed), deep))
        console.print(f"{deep:>3}  {leaves:,}", highlight=False)


@app.command()
def replay(files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Records (.json, .txt) or traces (.jsonl, .jsonl.gz).")]) -> None:
    """Check records and traces: every position, legal list and result is made again by the rules and compared.

    Ends with exit code 1 at the first difference and names its line and ply.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from hanpan.replay import check_file

    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=complaints, transient=True) as progress:
        for path in files:
            task = progress.add_task(path.name, total=None)

            def tell(done: int, total: int, task: Any = task) -> None:
                progress.update(task, completed=done, total=total)

            games, difference = check_file(path, tell)
            progress.remove_task(task)
            if difference is not None:
                complaints.print(difference, style="red", markup=False, highlight=False, soft_wrap=True)
                raise typer.Exit(1)
            console.print(f"{path.name}: {games} reproduced", highlight=False)


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="[GAME…]", help="Which games; all of them if none is named.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
    seconds: Annotated[float, typer.Option(min=0.05, max=600, help="How long each figure is measured.")] = 1.0,
) -> None:
    """Measure random play on this machine: every ply chooses uniformly from the full list of legal actions.

    `legal` is how often a second the legal actions of the opening position are listed.
    """
    import json as writer

    from hanpan.bench import measure
    from hanpan.game import games

    results: dict[str, dict[str, float]] = {}
    for name in names or games():
        with complaints.status(f"{name} …"):
            results[name] = measure(name, seconds)
        if not json:
            row = results[name]
            console.print(
                f"{name:<12} one core {row['plies_per_second_one_core'] / 1e6:7.2f} M plies/s   all cores {row['plies_per_second_all_cores'] / 1e6:7.2f} M"
                f"   legal {row['legal_per_second_one_core'] / 1e6:7.2f} M/s",
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
    print(state.svg(theme=theme, targets=targets, language=language), end="")


@app.command()
def play(
    name: GameName,
    options: Options = None,
    seat: Annotated[int, typer.Option(min=1, max=9, help="Where you sit.")] = 1,
    together: Annotated[bool, typer.Option("--together", help="All seats are played by people at this terminal.")] = False,
    seed: Annotated[int | None, typer.Option(help="Chance and the other players draw from this number; a new one each time if left out.")] = None,
    language: Annotated[str, typer.Option(help="en, ko, ja or zh.")] = "en",
    record: Annotated[Path | None, typer.Option(help="Keep the game in this file after every action, so that nothing is lost.")] = None,
) -> None:
    """Play in the terminal, against players who act at random.

    Type an action as it is written (`e2`, `e3h`, `b2-c3r`), `?` for all legal actions, `undo`, or `quit`.

        hanpan play kulami
        hanpan play wallgo -o players=3 --seat 2
    """
    from hanpan.terminal_play import play_in_terminal

    play_in_terminal(make_game(name, options), console, seat - 1, together, seed, language, record)


def main() -> None:
    """Run the command line; a wrong input is one clear sentence and exit code 2."""
    try:
        app()
    except ValueError as wrong:
        complaints.print(f"hanpan: {wrong}", style="red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(1)


if __name__ == "__main__":
    main()
