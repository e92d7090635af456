"""The commands of someone who hosts a server: serve, worker, settings, operator, two-factor, bot, archive, backup, restore."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from hanpan.cli.options import console, number_in, whole_in
from hanpan.core.extras import needed
from hanpan.core.reading import quoted

if TYPE_CHECKING:
    from hanpan.server.settings import Settings

marked = Console()  # for what is bold or dim

File = Annotated[Path | None, typer.Option("--settings", metavar="FILE", help="A TOML file with settings; `hanpan settings` explains them.")]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        help="Where the server keeps its data; your own data folder if left out. The database is the one in DIR then, whatever HANPAN_DATABASE says.",
    ),
]
Database = Annotated[str | None, typer.Option("--database", metavar="URL", help="An SQLAlchemy address, instead of SQLite in DIR.")]


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on; 127.0.0.1 if left out, 0.0.0.0 lets other machines in.")] = None,
    port: Annotated[int | None, typer.Option(**whole_in(1, 65535), help="The port to listen on; 8000 if left out.")] = None,
    data: Data = None,
    database: Database = None,
    redis: Annotated[str | None, typer.Option(metavar="URL", help="Redis's address; with PostgreSQL, many processes are one server then.")] = None,
    workers: Annotated[int | None, typer.Option(**whole_in(1, 64), help="Processes on this machine; more than one need PostgreSQL and Redis.")] = None,
    thinkers: Annotated[int | None, typer.Option(**whole_in(1, 64), help="Computer players that think at the same time.")] = None,
    file: File = None,
) -> None:
    """Host games: one process, an embedded database, nothing else to set up. Stop it with Ctrl-C; nothing is lost.

    Every other setting comes from HANPAN_… variables or a file: see `hanpan settings`.

    hanpan serve --port 8000
    """
    with needed("hanpan serve", "hanpan[server]"):
        from hanpan.server.network import others_open
        from hanpan.server.run import serve as run

    settings = settings_from(file, host=host, port=port, data=data, database=database, redis=redis, workers=workers, thinkers=thinkers)
    if settings.redis is not None:
        with needed("many processes", "hanpan[cluster]"):
            import_module("redis.asyncio")
    told = f"Hanpan is at [bold]{settings.public}[/bold]  (data in {escape(str(settings.data))}; Ctrl-C stops it)"
    if settings.url is not None:
        told += f"\nIt listens at {settings.own} for whatever passes that address on, and answers to no other name."
    elif (address := others_open(settings)) is not None:
        told += f"\nFor others in this network: [bold]{address}[/bold]"
    elif settings.host == "127.0.0.1":
        told += "\nOnly this machine can open it; --host 0.0.0.0 lets others in."
    run(settings, lambda: marked.print(told, highlight=False, soft_wrap=True))


def worker(
    redis: Annotated[str | None, typer.Option(metavar="URL", help="The Redis of the server.")] = None,
    database: Database = None,
    thinkers: Annotated[int | None, typer.Option(**whole_in(1, 64), help="Computer players that think at the same time.")] = None,
    file: File = None,
) -> None:
    """Think for a server of many processes, on this machine too: its computer players are a queue that this takes from. Ctrl-C stops it; nothing is lost.

    The database's address must be the one that the server was started with (it tells its queue from others'); nothing is read or written there.

    hanpan worker --redis redis://… --database postgresql+asyncpg://… --thinkers 8
    """
    with needed("hanpan worker", "hanpan[cluster]"):
        from hanpan.server.worker import work

    chosen = settings_from(file, redis=redis, database=database, thinkers=thinkers)
    work(chosen, lambda: console.print(f"{chosen.thinkers} thinking for the server; Ctrl-C stops it", highlight=False))


def settings(file: File = None) -> None:
    """All settings of a server: their variable, what they are now and what says so (the environment or a file; nothing: the usual), and what they mean."""
    with needed("hanpan settings", "hanpan[server]"):
        from hanpan.server.settings import PREFIX, Settings, gather, read_settings, shown, unknown_variables

    chosen, (_, came_from) = read_settings(file), gather(file)
    table = Table(Column("variable", no_wrap=True), "now", "means", box=None, pad_edge=False, header_style="bold")
    for name, field in Settings.model_fields.items():
        variable, source = PREFIX + name.upper(), came_from.get(name)
        said = "" if source is None else f" [dim]({'environment' if source == variable else escape(source)})[/dim]"
        table.add_row(variable, escape(shown(chosen, name)) + said, field.description)
    console.print("Each can be set by its variable, or in a TOML file (--settings FILE) by its name in small letters without HANPAN_.", highlight=False)
    marked.print(table, highlight=False)
    for variable in unknown_variables():
        console.print(f"{variable} is set in the environment, and is no setting", style="yellow", highlight=False, soft_wrap=True)


def bot(
    server: Annotated[str, typer.Option(metavar="URL", help="The server's address.")],
    token: Annotated[str, typer.Option(envvar="HANPAN_BOT_TOKEN", metavar="TOKEN", help="The token of a bot account there.")],
    game: Annotated[str, typer.Option(metavar="GAME", help="The game that it plays.")],
    level: Annotated[int, typer.Option(**whole_in(1, 8), help="How well it plays.")] = 4,
    room: Annotated[str | None, typer.Option(metavar="ID", help="A room to go to at once, by its id or its link; it goes wherever it is invited, too.")] = None,
    seconds: Annotated[float | None, typer.Option(**number_in(0, 3600), help="Time a move; the level's own amount of work if left out.")] = None,
) -> None:
    """Run a computer player that plays on a server far away, with the token of a bot account. Ctrl-C stops it.

    hanpan bot --server https://games.example.org --token bot_… --game kulami --level 5
    """
    import asyncio
    from contextlib import suppress

    from hanpan.client.remote_bot import play_far_away

    with suppress(KeyboardInterrupt):
        asyncio.run(play_far_away(server, token, game, level, room, seconds))


def operator(
    id: Annotated[str, typer.Argument(help="A person's id: the page shows it, and GET /api/me tells it.")],
    remove: Annotated[bool, typer.Option("--remove", help="Not an operator any more.")] = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Make someone an operator, who may mute, ban, rename and close rooms; the server may be running."""
    import asyncio

    with needed("hanpan operator", "hanpan[server]"):
        from hanpan.server.storage.store import Store

    url = settings_from(data=data, database=database).database_url

    async def change() -> bool:
        store = await Store.open(url, upgrade=False)
        try:
            return await store.accounts.change(id, role=None if remove else "operator")
        finally:
            await store.close()

    if not asyncio.run(change()):
        raise ValueError(f"operator: there is no person {quoted(id)}")
    console.print(f"{id} is {'no operator any more' if remove else 'an operator now'}", highlight=False)
    if not remove:
        console.print("Operators need two-factor login: under *My account* the page leads them to it, if they have not set it up.", highlight=False)


def two_factor(
    id: Annotated[str, typer.Argument(help="A person's id: the page shows it, and GET /api/me tells it.")],
    remove: Annotated[bool, typer.Option("--remove", help="Remove all of them, for someone who has lost them; they are logged out everywhere.")] = False,
    data: Data = None,
    database: Database = None,
    file: File = None,
) -> None:
    """Show which second factors someone has, or remove them all; the server may be running.

    Whoever asks for --remove should have shown you who they are: it is the way around the second factor. Their password or other login stays.
    """
    import asyncio

    with needed("hanpan two-factor", "hanpan[server]"):
        from hanpan.server.people.mail import Mail
        from hanpan.server.storage.store import Store

    chosen = settings_from(file, data=data, database=database)

    async def change() -> str:
        store, mail = await Store.open(chosen.database_url, upgrade=False), Mail(chosen)
        try:
            person, held = await store.person(id), await store.factors.held(id)
            if person is None:
                raise ValueError(f"two-factor: there is no person {quoted(id)}")
            if not remove:
                keys = ", ".join(quoted(key.name) for key in held.passkeys) or "none"
                return f"{id}: authenticator app: {'yes' if held.totp else 'no'}; passkeys: {keys}; recovery codes: {held.recovery}"
            await store.factors.remove_all(id)
            await store.sessions.end_all(id)
            if chosen.smtp is not None:
                for address in {login.email for login in await store.accounts.logins_of(id) if login.email}:
                    mail.tell_owner(address, "second-reset", person.name, "en")
                await mail.close()
            return f"{id} logs in without a second factor from now on, and is logged out everywhere; what is open there closes within ten seconds"
        finally:
            await store.close()

    console.print(asyncio.run(change()), highlight=False)


def archive(
    file: Annotated[Path, typer.Argument(help="The file to write: FILE.jsonl or FILE.parquet.")],
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Only this game.")] = None,
    names: Annotated[bool, typer.Option("--names", help="Also who played, in a file of its owner; left out otherwise, so that it can be given away.")] = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Write all finished games into one file, one game a line (JSONL) or a row (Parquet), while the server runs or not."""
    import asyncio

    from hanpan.rulebook import check_name

    with needed("hanpan archive", "hanpan[server]"):
        from hanpan.server.storage.archive import write_archive
        from hanpan.server.storage.store import Store

    kind = file.suffix.lstrip(".")
    if kind not in ("jsonl", "parquet"):
        raise ValueError(f"archive: {file} ends neither in .jsonl nor in .parquet")
    if game is not None:
        check_name(game)
    url = settings_from(data=data, database=database).database_url

    async def write() -> int:
        store = await Store.open(url, upgrade=False)
        try:
            return await write_archive(store, file, kind, game, names)
        finally:
            await store.close()

    console.print(f"{asyncio.run(write())} games in {file}", highlight=False)


def backup(file: Annotated[Path, typer.Argument(help="The file to write.")], data: Data = None, database: Database = None) -> None:
    """Copy the whole database into a file, while the server runs or not."""
    with needed("hanpan backup", "hanpan[server]"):
        from hanpan.server.storage.backup import backup as copy

    contents = copy(settings_from(data=data, database=database).database_url, file)
    _say(f"kept in {file}: {contents}")


def restore(
    file: Annotated[Path, typer.Argument(help="A file that `hanpan backup` wrote.")],
    data: Data = None,
    database: Database = None,
    replace: Annotated[bool, typer.Option("--replace", help="Even if there is data already: it is lost, or kept aside where it can't be read.")] = False,
) -> None:
    """Bring a backup back. The server must not be running."""
    with needed("hanpan restore", "hanpan[server]"):
        from hanpan.server.storage.backup import restore as bring

    contents = bring(file, settings_from(data=data, database=database).database_url, replace, _say)
    _say(f"restored from {file}: {contents}")


def _say(sentence: str) -> None:
    """Print a sentence as it is, paths in it too."""
    console.print(sentence, highlight=False, soft_wrap=True)


def settings_from(file: Path | None = None, **given: Any) -> Settings:
    """The settings, with those from the command line before all others."""
    with needed("a server's data", "hanpan[server]"):
        from hanpan.server.settings import read_settings

    return read_settings(file, **given)
