"""What is made for pages is kept in the cache folder: whole, and anew where it was damaged or could not be written."""

import json
import resource
from contextlib import contextmanager

import pytest

from hanpan import engine
from hanpan.core import compiled
from hanpan.core.wasm import link

pytestmark = pytest.mark.slow


@contextmanager
def a_full_disk():
    """No file gets longer than a few bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(engine, "mark", lambda what, names: tmp_path / what)
    return tmp_path


def test_what_was_damaged_is_made_again(folder):
    built = engine.build_all(["tictactoe"])
    assert engine.known(["tictactoe"]) == built
    whole = {name: (folder / name).read_bytes() for name in built["tictactoe"].values()}
    for name, content in whole.items():
        for damaged in (b"", content[:-1], content[:100] + bytes(20) + content[120:], None):
            (folder / name).unlink() if damaged is None else (folder / name).write_bytes(damaged)
            assert engine.known(["tictactoe"]) is None
            assert engine.module("tictactoe") == whole[built["tictactoe"]["engine"]]
            assert engine.build_all(["tictactoe"]) == built
            assert (folder / name).read_bytes() == content
    for index in ("", "[]", "nonsense"):
        (folder / "engines").write_text(index)
        assert engine.known(["tictactoe"]) is None


def test_a_full_disk_is_named_leaves_nothing_and_is_forgotten_when_there_is_room(folder, capsys):
    with a_full_disk():
        made = engine.module("tictactoe")
        assert link.note(made)
        assert "can't be written there" in engine.build_all(["tictactoe"])["tictactoe"]["wrong"]
    assert [path.name for path in folder.iterdir() if path.suffix != ".lock"] == []
    assert set(engine.build_all(["tictactoe"])["tictactoe"]) == {"engine", "facts", "views"}
    assert [set(next(iter(json.loads(line).values()))) for line in capsys.readouterr().out.splitlines()] == [{"wrong"}, {"engine", "facts", "views"}]


def test_nothing_is_left_of_a_file_that_could_not_be_written(tmp_path, monkeypatch):
    with a_full_disk():
        compiled.keep(tmp_path / "entry.nbc", bytes(1000))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "entry.nbc").mkdir()
    compiled.keep(tmp_path / "entry.nbc", bytes(1000))  # there it can't be
    assert [path.name for path in tmp_path.iterdir()] == ["entry.nbc"]

    def interrupted(old, new):
        raise KeyboardInterrupt

    monkeypatch.setattr(compiled.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compiled.keep(tmp_path / "other.nbc", bytes(1000))
    assert [path.name for path in tmp_path.iterdir()] == ["entry.nbc"]


def test_what_was_built_while_a_source_changed_is_not_taken_for_what_the_sources_say(folder, monkeypatch):
    now = ["before"]
    monkeypatch.setattr(engine, "mark", lambda what, names: folder / f"{what}-{now[0]}")
    build = engine.build

    def meanwhile(name):
        now[0] = "after"
        return build(name)

    monkeypatch.setattr(engine, "build", meanwhile)
    built = engine.build_all(["tictactoe"])
    assert set(built["tictactoe"]) == {"engine", "facts", "views"}
    for sources in ("before", "after"):
        now[0] = sources
        assert engine.known(["tictactoe"]) is None
    assert engine.build_all(["tictactoe"]) == built
    assert engine.known(["tictactoe"]) == built


def test_a_piece_of_a_module_is_refused():
    made = engine.module("tictactoe")
    for length in range(0, len(made) - 60, 97):
        with pytest.raises(link.Unlinkable, match=r"no module that Hanpan has made|no WebAssembly, or only a piece of it"):
            link.note(made[:length])
