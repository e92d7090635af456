"""The commands of someone who hosts a server: serve, backup, restore."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path
from rich.console import Console

console = Console()

Data = Annotated[
    Path | None, typer.Option("--data", envvar="HANPAN_DATA", metavar="DIR", help="Where the server keeps its data; your own data folder if left out.")
]
Database = Annotated[str | None, typer.Option("--database", envvar="HANPAN_DATABASE", metavar="URL", help="An SQLAlchemy address, instead of SQLite in DIR.")]


def serve(
    host: Annotated[str, typer.Option(envvar="HANPAN_HOST", help="The address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(envvar="HANPAN_PORT", min=1, max=65535, help="The port to listen on.")] = 8000,
    data: Data = None,
    database: Database = None,
    thinkers: Annotated[int, typer.Option(envvar="HANPAN_THINKERS", min=1, max=64, help="Computer players that think at the same time.")] = 1,
) -> None:
    """Host games: one process, an embedded database, nothing else to set up. Stop it with Ctrl-C; nothing is lost.

    hanpan serve --port 8000
    """
    from hanpan.server.app import Settings
    from hanpan.server.app import serve as run

    folder = _folder(data)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host
    console.print(f"Hanpan is at [bold]http://{shown}:{port}[/bold]  (data in {folder}; Ctrl-C stops it)", highlight=False, soft_wrap=True)
    run(Settings(folder, database, host, port, thinkers))


def backup(file: Annotated[Path, typer.Argument(help="The file to write.")], data: Data = None, database: Database = None) -> None:
    """Copy the whole database into a file, while the server runs or not."""
    from hanpan.server.storage.backup import backup as copy

    copy(_url(data, database), file)
    console.print(f"kept in {file}", highlight=False)


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `hanpan backup` wrote.")],
    data: Data = None,
    database: Database = None,
    replace: Annotated[bool, typer.Option("--replace", help="Even if there is data already: it is lost.")] = False,
) -> None:
    """Bring a backup back. The server must not be running."""
    from hanpan.server.storage.backup import restore as bring

    bring(file, _url(data, database), replace)
    console.print(f"restored from {file}", highlight=False)


def _folder(data: Path | None) -> Path:
    folder = data or user_data_path("hanpan")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise ValueError(f"--data {folder}: this folder can't be made ({wrong.strerror})") from None
    return folder


def _url(data: Path | None, database: str | None) -> str:
    from hanpan.server.app import Settings

    return Settings(_folder(data), database).url
