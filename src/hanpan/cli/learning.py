"""The commands for learning machines: export, selfplay."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from hanpan.cli.hosting import Data, Database, settings_from
from hanpan.cli.options import Cores, On, console, make_game, stderr, whole_in

Name = Annotated[str, typer.Argument(metavar="GAME", help="A game's name.")]
Options = Annotated[list[str] | None, typer.Option("-o", "--option", metavar="KEY=VALUE", help="An option of the game, e.g. `-o size=9`. Repeat for more.")]


def export(
    name: Name,
    file: Annotated[Path, typer.Argument(help="The training set to write: a name that ends in .parquet or .npz.")],
    options: Options = None,
    data: Data = None,
    database: Database = None,
) -> None:
    """Write all finished games of a server (of one game and its options) as a training set: a row for every decision.

    A row holds the mover's observation, the mask of legal actions, the action, how the game ended for that seat, and its rating. The server may be running.

        hanpan export kulami games.parquet
    """
    from hanpan.envs.archive import finished_games
    from hanpan.envs.dataset import check_format, columns, decisions, save

    check_format(file)
    chosen = make_game(name, options)
    rows: list[dict[str, Any]] = []
    games = others = 0

    async def gather() -> None:
        nonlocal games, others
        async for finished in finished_games(settings_from(data=data, database=database).database_url, chosen):
            if finished is None:
                others += 1
            else:
                games += 1
                rows.extend(decisions(chosen, finished))

    with stderr.status("reading games …"):
        asyncio.run(gather())
    if not rows:
        raise ValueError(f"{name}: the server has no finished games with these options ({others} with others)")
    save(file, chosen, columns(rows))
    left = f"; {others} games with other options left out" if others else ""
    console.print(f"{file}: {len(rows):,} decisions of {games:,} games{left}", highlight=False, soft_wrap=True)


def selfplay(
    name: Name,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the training set is written, in several files.")],
    games: Annotated[int, typer.Option(**whole_in(1, 100_000_000), help="How many games in all.")] = 1000,
    bot: Annotated[str, typer.Option(metavar="LEVEL", help="Who plays: a level from 1 to 8, or `random`.")] = "3",
    options: Options = None,
    openings: Annotated[int, typer.Option(**whole_in(0, 1000, name="PLIES"), help="Random plies at the start of each game.")] = 4,
    shard: Annotated[int, typer.Option(**whole_in(1, 1_000_000), help="Games a file.")] = 100,
    seed: Annotated[int, typer.Option(**whole_in(0), help="The same seed gives the same games.")] = 1,
    format: Annotated[str, typer.Option(help="parquet or npz.")] = "parquet",
    cores: Cores = 0,
    on: On = None,
) -> None:
    """Make a training set from games that a computer player plays against itself.

    Ctrl-C stops it; the same command goes on where it stopped, and a larger `--games` adds to what is there.

        hanpan selfplay kulami training --games 10000 --bot 4
    """
    from hanpan.envs.selfplay import generate, held

    chosen = make_game(name, options)
    bars: tuple[Any, ...] = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*bars, console=stderr, transient=True) as progress:
            task = progress.add_task(name, total=games)

            def tell(done: int) -> None:
                progress.update(task, completed=done)

            for _ in generate(chosen, folder, bot, games, shard, openings, seed, f".{format.removeprefix('.')}", tell, cores, on):
                pass
    except KeyboardInterrupt:
        stderr.print(f"interrupted; the same command goes on from what is in {folder}")
        raise typer.Exit(130) from None
    console.print(f"{folder}: {held(folder):,} games", highlight=False, soft_wrap=True)
