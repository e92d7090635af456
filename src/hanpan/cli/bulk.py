"""The commands that look at many finished games: annotate, puzzles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from hanpan.cli.options import Cores, On, console, stderr, whole_in

Archive = Annotated[Path, typer.Argument(metavar="ARCHIVE", help="Finished games, one a line: what `hanpan archive` writes, or records.")]
To = Annotated[Path, typer.Argument(metavar="FILE", help="The JSONL file to write; the same command goes on where it stopped.")]
Nodes = Annotated[int, typer.Option(**whole_in(1), help="Work a position: the same answers on any machine.")]


def annotate(archive: Archive, file: To, nodes: Nodes = 20_000, cores: Cores = 0, on: On = None) -> None:
    """Say of every action in an archive what it was worth, and what would have been best.

    hanpan annotate games.jsonl annotated.jsonl --nodes 100000 --on ray
    """
    from hanpan.studies import Study

    rows = _studied(Study("annotations", nodes), archive, file, cores, on)
    console.print(f"{file}: {len(rows):,} games, {sum(len(row['annotations']) for row in rows):,} actions", highlight=False, soft_wrap=True)


def puzzles(
    archive: Archive,
    file: To,
    nodes: Nodes = 100_000,
    least: Annotated[int, typer.Option(**whole_in(1, 100), help="In how many plies it is won, at least.")] = 3,
    cores: Cores = 0,
    on: On = None,
) -> None:
    """Find the positions of an archive in which one action wins by force and no other does, as far as a search sees.

    hanpan puzzles games.jsonl puzzles.jsonl
    """
    from hanpan.studies import Study

    rows = _studied(Study("puzzles", nodes, least=least), archive, file, cores, on)
    console.print(f"{file}: {sum(len(row['puzzles']) for row in rows):,} puzzles in {len(rows):,} games", highlight=False, soft_wrap=True)


def _studied(how: Any, archive: Path, file: Path, cores: int, on: str | None) -> list[dict[str, Any]]:
    from hanpan.studies import study

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=stderr, transient=True, disable=not stderr.is_terminal) as progress:
            task = progress.add_task(how.kind, total=None)
            return list(study(how, archive, file, lambda done, total: progress.update(task, completed=done, total=total), cores, on))
    except KeyboardInterrupt:
        stderr.print(f"interrupted; the same command goes on from what is in {file}")
        raise typer.Exit(130) from None
