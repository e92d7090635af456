"""The commands of a host, as they are typed: what they say, and what they leave alone."""

import pytest
from commands import hanpan_cli
from storing import with_store


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """No setting comes from whoever runs the tests."""
    for name in ("HANPAN_SETTINGS", "HANPAN_DATA", "HANPAN_DATABASE", "HANPAN_REDIS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def data(tmp_path):
    """A data folder in which a server has known one person."""
    with_store(f"sqlite:///{tmp_path}/data/hanpan.db", lambda store: store.add_person("Ann"))
    return tmp_path / "data"


def refused(*words):
    """The one sentence of a command that refuses."""
    done = hanpan_cli(*map(str, words))
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stderr.startswith("hanpan: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stdout == ""
    return done.stderr


def test_what_a_backup_or_its_return_refuses_is_one_sentence(data, tmp_path):
    copy = tmp_path / "copy"
    hanpan_cli("backup", str(copy), "--data", str(data))
    assert "exists already" in refused("backup", copy, "--data", data)
    assert "--replace" in refused("restore", copy, "--data", data)
    assert "nothing" in refused("restore", tmp_path / "nothing", "--data", data)
    assert "pg_dump" in refused("backup", tmp_path / "other", "--database", "postgresql://host/hanpan")
    assert "pg_restore" in refused("restore", copy, "--database", "postgresql://host/hanpan")

    async def meanwhile(store):
        await store.add_person("Bob")
        return refused("restore", copy, "--data", data, "--replace")

    assert "stop the server first" in with_store(f"sqlite:///{data}/hanpan.db", meanwhile)
