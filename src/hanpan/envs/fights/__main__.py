"""python -m hanpan.envs.fights run A.py B.py: games between two agent files that were written for `fights`."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from hanpan.envs.fights.match import MOST_PLIES, play, read_agent

app = typer.Typer(add_completion=False, help="Agents written for the package `fights`, on Hanpan's rules.")


@app.callback()
def _commands() -> None:
    """Keeps `run` a word of its own."""


@app.command()
def run(
    a: Annotated[str, typer.Argument(metavar="A.py", help="An agent file; A.py:CLASS if there are several agents in it.")],
    b: Annotated[str, typer.Argument(metavar="B.py", help="Another one, or the same.")],
    games: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many; the two begin by turns.")] = 1,
    seed: Annotated[int, typer.Option(min=0, max=(1 << 31) - 1, help="Agents that take a seed get one that follows from it.")] = 0,
    plies: Annotated[int, typer.Option("--max-plies", min=1, max=1_000_000, help="A game that is longer has no winner.")] = MOST_PLIES,
    out: Annotated[Path | None, typer.Option(metavar="FILE.jsonl", help="Write every game down, one a line, with the log that the original keeps.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the board after every step.")] = False,
) -> None:
    """Play two agent files against each other. The files may be as they are: `fights` means hanpan.envs.fights there."""
    try:
        files = read_agent(a), read_agent(b)
        wins, unfinished = [0, 0], 0
        with nullcontext() if out is None else out.open("w", encoding="utf-8") as kept:
            for number in range(games):
                one, other = number % 2, 1 - number % 2
                game = play(files[one], files[other], seed + number, plies, lambda state: print(state) if show else None)
                winner = None if game.winner is None else (one, other)[game.winner]
                wins[0], wins[1], unfinished = wins[0] + (winner == 0), wins[1] + (winner == 1), unfinished + (winner is None)
                print(
                    f"game {number + 1}: {files[one]} – {files[other]}: {'unfinished' if winner is None else f'{files[winner]} wins'} after {game.plies} plies"
                )
                if kept is not None:
                    kept.write(json.dumps({"agents": game.agents, "winner": game.winner, "plies": game.plies, "log": game.log}) + "\n")
                    kept.flush()  # what is finished stays, whatever happens
    except BrokenPipeError:  # whoever listened has heard enough
        raise
    except OSError as wrong:
        _end(f"{wrong.filename or 'standard output'}: {wrong.strerror}")
    except ValueError as wrong:
        _end(str(wrong))
    if games > 1:
        print(f"{files[0]} {wins[0]} – {wins[1]} {files[1]}" + (f", {unfinished} unfinished" if unfinished else ""))


def _end(message: str) -> None:
    print(message, file=sys.stderr)
    raise typer.Exit(1)


if __name__ == "__main__":
    app(prog_name="python -m hanpan.envs.fights")
