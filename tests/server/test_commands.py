"""The commands of a host, as they are typed: what they say, and what they leave alone."""

import logging
import os
import sqlite3
import stat
import sys
import threading
from socket import socket

import pytest
from commands import hanpan_cli
from storing import newcomer, with_store

from hanpan.cli.hosting import archive, backup, operator, restore, serve, two_factor
from hanpan.cli.learning import export
from hanpan.server.settings import read_settings, shown


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """No setting comes from whoever runs the tests."""
    for name in ("HANPAN_SETTINGS", "HANPAN_DATA", "HANPAN_DATABASE", "HANPAN_REDIS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def data(tmp_path):
    """A data folder in which a server has known one person."""
    with_store(f"sqlite:///{tmp_path}/data/hanpan.db", lambda store: newcomer(store, "Ann"))
    return tmp_path / "data"


def refused(*words):
    """The one sentence of a command that refuses."""
    done = hanpan_cli(*map(str, words))
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stderr.startswith("hanpan: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stdout == ""
    return done.stderr


@pytest.mark.parametrize("line", ["archive games.jsonl", "operator ann", "two-factor ann", "export tictactoe x.npz", "backup copy"])
def test_a_command_makes_no_database_but_names_the_one_that_is_not_there(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "elsewhere"
    assert str(folder / "hanpan.db") in refused(*line.split(), "--data", folder)
    assert not list(tmp_path.iterdir())
    folder.mkdir()
    (folder / "hanpan.db").touch()
    assert str(folder / "hanpan.db") in refused(*line.split(), "--data", folder)
    assert (folder / "hanpan.db").stat().st_size == 0


def test_a_backup_and_its_return_tell_what_it_holds(data, tmp_path):
    kept = hanpan_cli("backup", str(tmp_path / "copy"), "--data", str(data))
    assert kept.stdout == f"kept in {tmp_path / 'copy'}: 1 people, 0 rooms, 0 games, 0 actions\n"
    restored = hanpan_cli("restore", str(tmp_path / "copy"), "--data", str(tmp_path / "new"))
    assert restored.stdout == f"restored from {tmp_path / 'copy'}: 1 people, 0 rooms, 0 games, 0 actions\n"


def test_a_trial_of_a_backup_leaves_the_live_database_alone(data, tmp_path, monkeypatch):
    hanpan_cli("backup", str(tmp_path / "copy"), "--data", str(data))
    monkeypatch.setenv("HANPAN_DATABASE", f"sqlite:///{tmp_path}/live.db")
    assert hanpan_cli("restore", str(tmp_path / "copy"), "--data", str(tmp_path / "trial"), "--replace").returncode == 0
    assert (tmp_path / "trial" / "hanpan.db").exists()
    assert not (tmp_path / "live.db").exists()
    assert stat.S_IMODE((tmp_path / "trial").stat().st_mode) == 0o700
    for command in (serve, operator, two_factor, archive, backup, restore, export):
        shown = hanpan_cli(command.__name__.replace("_", "-"), "--help").stdout
        assert "whatever HANPAN_DATABASE" in " ".join(shown.replace("│", " ").split())


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_an_archive_with_names_is_its_owners_alone(kind, data, tmp_path):
    before = os.umask(0o022)
    try:
        for words in (["open"], ["named", "--names"]):
            hanpan_cli("archive", str(tmp_path / f"{words[0]}.{kind}"), *words[1:], "--data", str(data))
    finally:
        os.umask(before)
    assert [stat.S_IMODE((tmp_path / f"{name}.{kind}").stat().st_mode) for name in ("open", "named")] == [0o644, 0o600]


def test_an_archive_of_a_game_that_there_is_not_is_refused(data, tmp_path):
    assert "'nonsense' is not a game; there are" in refused("archive", tmp_path / "games.jsonl", "--game", "nonsense", "--data", data)
    assert not (tmp_path / "games.jsonl").exists()


def test_what_a_backup_or_its_return_refuses_is_one_sentence(data, tmp_path):
    copy = tmp_path / "copy"
    hanpan_cli("backup", str(copy), "--data", str(data))
    assert "exists already" in refused("backup", copy, "--data", data)
    assert "--replace" in refused("restore", copy, "--data", data)
    assert "nothing" in refused("restore", tmp_path / "nothing", "--data", data)
    assert "pg_dump" in refused("backup", tmp_path / "other", "--database", "postgresql://host/hanpan")
    assert "pg_restore" in refused("restore", copy, "--database", "postgresql://host/hanpan")

    async def meanwhile(store):
        await newcomer(store, "Bob")
        return refused("restore", copy, "--data", data, "--replace")

    assert "stop the server first" in with_store(f"sqlite:///{data}/hanpan.db", meanwhile)


@pytest.fixture
def quiet():
    """A server that is started in this process writes its log as it likes; afterwards all is as it was."""
    root, interval = logging.getLogger(), sys.getswitchinterval()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
    sys.setswitchinterval(interval)


def _newer(file):
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def _torn(file):
    file.write_bytes(file.read_bytes()[: 3 * 4096])


@pytest.mark.parametrize(
    ("variable", "value", "named"),
    [
        ("HANPAN_FILTER", "nowhere:nothing", "filter: 'nowhere:nothing' is not MODULE:FUNCTION"),
        ("HANPAN_FILTER", "math:pi", "filter: 'math:pi' is not a function"),
        ("HANPAN_TOKEN_KEY", "/no/such/key.pem", "token_key: not a public RSA key"),
        ("HANPAN_TOKEN_KEY", "-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----", "token_key: not a public RSA key"),
        ("HANPAN_DATABASE", "postgresql//host/hanpan", "database: "),
        ("HANPAN_DATABASE", "mysql://host/hanpan", "database: 'mysql' is not known here"),
        ("HANPAN_DATABASE", "postgresql://127.0.0.1:1/hanpan", "database: "),
        ("HANPAN_DATABASE", "postgresql://127.0.0.1:1/hanpan?sslmode=require", "database: "),
        ("HANPAN_DATA", "/proc/nowhere", "/proc/nowhere"),
        ("HANPAN_HOST", "nowhere.invalid", "host: nothing can listen at nowhere.invalid, port 8000 ("),
        ("HANPAN_HOST", "192.0.2.1", "host: nothing can listen at 192.0.2.1, port 8000 (Cannot assign"),
    ],
)
def test_a_server_that_cannot_open_says_why_in_one_sentence(variable, value, named, tmp_path, monkeypatch, quiet):
    monkeypatch.setenv("HANPAN_DATA", str(tmp_path))
    monkeypatch.setenv(variable, value)
    assert named in refused("serve")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # what servers of other tests have begun may still look for theirs
def test_a_server_that_can_keep_no_compiled_rules_says_so_before_it_opens(tmp_path, monkeypatch, quiet):
    monkeypatch.setenv("HANPAN_CACHE", "/proc/nowhere")
    assert "HANPAN_CACHE='/proc/nowhere': this folder can't be made" in refused("serve", "--data", tmp_path / "data")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_port_that_is_taken_is_one_sentence(workers, tmp_path, monkeypatch, quiet, request):
    monkeypatch.setenv("HANPAN_DATA", str(tmp_path))
    if workers != "1":
        monkeypatch.setenv("HANPAN_WORKERS", workers)
        monkeypatch.setenv("HANPAN_DATABASE", request.getfixturevalue("postgresql_url"))
        monkeypatch.setenv("HANPAN_REDIS", request.getfixturevalue("redis_url"))
    with socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert f"port: nothing can listen at 127.0.0.1, port {port} (Address already in use)" in refused("serve", "--port", port)
    assert "alive" not in [thread.name for thread in threading.enumerate()]  # nobody tells systemd any more that it lives


@pytest.mark.parametrize(
    ("kept", "named"), [(b"", "has 0 letters, and 32 are needed"), (b"short\n", "has 5 letters"), (b"\xff" * 40, "not a text"), (None, "directory")]
)
def test_a_secret_that_is_none_opens_no_server(kept, named, data, quiet):
    file = data / "secret"
    file.mkdir() if kept is None else file.write_bytes(kept)
    told = refused("serve", "--data", data)
    assert f"secret: {file}" in told
    assert named in told


@pytest.fixture
def _as_a_stranger(tmp_path):
    """What is done meanwhile is done by somebody to whom the data does not belong."""
    if os.geteuid() == 0:
        os.seteuid(65534)
        yield
        os.seteuid(0)
    else:
        rights = stat.S_IMODE(tmp_path.stat().st_mode)
        tmp_path.chmod(0)
        yield
        tmp_path.chmod(rights)


@pytest.mark.parametrize("line", ["archive games.jsonl", "operator ann", "two-factor ann"])
def test_a_command_says_whose_the_data_is_that_it_may_not_use(line, data, request):
    words = *line.split(), "--data", data
    (data / "hanpan.db").chmod(0o600)
    assert "there is no" in refused(*line.split(), "--data", data.parent)  # whatever it needs is loaded now
    request.getfixturevalue("_as_a_stranger")
    assert refused(*words) == f"hanpan: database: {data}/hanpan.db can't be used (Permission denied); whoever the server runs as can\n"


@pytest.mark.parametrize(("spoil", "named"), [(_newer, "9999 is newer"), (_torn, "malformed"), (lambda file: file.write_text("Dear aunt"), "not a database")])
def test_a_server_that_cannot_use_its_database_says_why_in_one_sentence(spoil, named, data, quiet):
    spoil(data / "hanpan.db")
    assert named in refused("serve", "--data", data)


def test_a_database_that_postgresql_does_not_have_is_one_sentence(postgresql, monkeypatch, tmp_path, quiet):
    monkeypatch.setenv("HANPAN_DATA", str(tmp_path))
    monkeypatch.setenv("HANPAN_DATABASE", postgresql.url("nowhere"))
    for command in ("serve", "operator ann"):
        assert 'database: database "nowhere" does not exist' in refused(*command.split())


MALFORMED = [
    "postgresql//hanpan:hunter2@127.0.0.1/hanpan",
    "hanpan:hunter2@127.0.0.1/hanpan",
    "postgresql://hanpan:hunter2:7@127.0.0.1:hunter2/hanpan",
    "postgresql://hanpan:1@hunter2:1@127.0.0.1/hanpan",
    "postgresql://hanpan:x@hunter2@127.0.0.1:1/hanpan",
    "postgresql://hanpan@127.0.0.1:1/hanpan?password=hunter2",
    "postgresql://hanpan@127.0.0.1:1/hanpan?password=x@hunter2",
    "postgresql://hanpan:1?hunter2@127.0.0.1:1/hanpan",
    "postgresql://hanpan:1/hunter2@127.0.0.1:1/hanpan",
    "postgresql://hanpan:hunter2@[127.0.0.1:1/hanpan",
    "postgresql+hunter2",
]


@pytest.mark.parametrize("address", MALFORMED)
def test_no_password_is_printed_however_malformed_its_address(address, tmp_path, monkeypatch, quiet):
    monkeypatch.setenv("HANPAN_DATA", str(tmp_path))
    monkeypatch.setenv("HANPAN_DATABASE", address)
    assert "hunter2" not in shown(read_settings(), "database")
    for command in ("settings", "backup copy", "serve"):
        done = hanpan_cli(*command.split())
        assert "hunter2" not in done.stdout + done.stderr
    monkeypatch.setenv("HANPAN_DATABASE", "postgresql://127.0.0.1:1/hanpan")
    monkeypatch.setenv("HANPAN_REDIS", address.replace("postgresql", "redis"))
    for command in ("settings", "serve", "worker"):
        done = hanpan_cli(*command.split())
        assert "hunter2" not in done.stdout + done.stderr


def test_what_is_no_secret_of_an_address_is_shown(monkeypatch):
    monkeypatch.setenv("HANPAN_DATABASE", "postgresql+asyncpg://hanpan:hunter2@db.example.org:5433/games?ssl=require")
    monkeypatch.setenv("HANPAN_REDIS", "rediss://:hunter2@[::1]:6379/0")
    assert shown(read_settings(), "database") == "postgresql+asyncpg://…@db.example.org:5433/games"
    assert shown(read_settings(), "redis") == "rediss://…@[::1]:6379/0"
    monkeypatch.delenv("HANPAN_REDIS")
    monkeypatch.setenv("HANPAN_DATABASE", "sqlite:////tmp/games@home.db")
    assert shown(read_settings(), "database") == "sqlite:////tmp/games@home.db"


def test_a_folder_with_brackets_in_its_name_is_shown_as_it_is(monkeypatch):
    monkeypatch.setenv("HANPAN_DATA", "/srv/[red]games")
    assert "/srv/[red]games" in hanpan_cli("settings").stdout.replace("\n", "")
