"""Training sets: from the games of a server and from self-play, and back into arrays."""

import asyncio
import resource

import numpy as np
import pytest
from storing import newcomer
from typer.testing import CliRunner

import hanpan
from hanpan.cli import app
from hanpan.envs import observations
from hanpan.envs.dataset import FinishedGame, columns, decisions, load, save
from hanpan.envs.selfplay import Players, generate
from hanpan.record import GameRecord
from hanpan.server.storage.models import ActionRow, Finish, GameRow
from hanpan.server.storage.store import Store

GAMES = {"kulami": {}, "puoribor": {"walls": 1}, "reversedrop": {"max_plies": 20}, "wallgo": {"size": 3, "pieces": 1}, "goita": {"target": 20}, "tictactoe": {}}


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
@pytest.mark.parametrize("name", GAMES)
def test_what_is_saved_is_what_was_played(name, suffix, tmp_path):
    game = hanpan.game(name, **GAMES[name])
    finished = Players(game, "random", 0).play(3, seed=1)
    save(tmp_path / f"one{suffix}", game, columns(decisions(game, finished)))
    data = load(tmp_path / f"one{suffix}")
    assert data.game == game
    state, row = game.start(), 0
    seen, masks = data.observations(), data.masks()
    for ply, text in enumerate(finished.record.actions):
        if not state.chance:
            assert (data["ply"][row], data["seat"][row]) == (ply, state.seat)
            assert np.array_equal(seen[row], observations.observation(state))
            side = observations.seen_action(name)
            numbers = {int(side(state.record[0], state.seat, number)): action for action, number in state.actions.items()}
            assert sorted(numbers) == np.flatnonzero(masks[row]).tolist()
            assert numbers[int(data["action"][row])] == text
            assert data["position"][row] == str(state.view(state.seat))
            row += 1
        state = state.play(text)
    assert row == len(data)
    assert [reward > 0 for reward in data["reward"]] == [seat in state.winner for seat in data["seat"]]
    assert data["score"].tolist() == [state.scores[seat] for seat in data["seat"]]
    assert np.isnan(data["rating"]).all()


async def archive(url):
    """A server's database with two finished games (one resigned), one of other options, and one that is still played."""
    store = await Store.open(url)
    people = [await newcomer(store, name) for name in ("Ann", "Ben")]
    seats = [{"person": person.id} for person in people]
    plain, misere = {"misere": False}, {"misere": True}
    played = [(plain, "b2 a1 b1 b3 a2 c2 c1 a3 c3", []), (plain, "b2 a1", [0]), (misere, "b2", [1]), (plain, "a1", None)]
    for number, (options, line, winner) in enumerate(played):
        texts = line.split()
        await store.add_game(GameRow(f"g{number}", "r", "tictactoe", options, {}, seats, True, number))
        for ply, text in enumerate(texts):
            await store.append(f"g{number}", ply, ActionRow(text, ply % 2, ply, ply, forced=ply == 1))
        if winner is not None:
            changes = {person.id: ("tictactoe", 10.0 if seat == 0 else -10.0) for seat, person in enumerate(people)}
            result = {"winner": winner, "reason": "x", "scores": [0, 0], "last": []}
            await store.append(f"g{number}", len(texts), None, Finish(100 + number, result, changes))
    await store.close()


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_a_servers_games_are_exported_with_one_command(tmp_path, suffix):
    url = f"sqlite+aiosqlite:///{tmp_path / 'games.db'}"
    asyncio.run(archive(url))
    file = tmp_path / f"set{suffix}"
    told = CliRunner().invoke(app, ["export", "tictactoe", str(file), "--database", url, "--data", str(tmp_path)])
    assert told.exit_code == 0, told.output
    assert "11 decisions of 2 games; 1 games with other options left out" in told.output.replace("\n", " ")
    data = load(file)
    resigned = data["game"] == "g1"
    assert data["reward"][resigned].tolist() == [1, -1]
    assert data["reward"][~resigned].tolist() == [0] * 9
    assert data["rating"][resigned].tolist() == [1310, 1290]
    assert data["rating"][~resigned].tolist() == [1300, 1300] * 4 + [1300]
    assert data["forced"][resigned].tolist() == [False, True]
    assert data["position"][0]


def test_selfplay_goes_on_where_it_stopped(tmp_path):
    game = hanpan.game("tictactoe")
    plain = {"who": "random", "shard": 2, "openings": 0, "seed": 7, "suffix": ".npz"}
    whole = [path.name for path in generate(game, tmp_path / "whole", games=5, tell=lambda done: None, **plain)]
    assert whole == ["games-00000000-00000001.npz", "games-00000002-00000003.npz", "games-00000004-00000004.npz"]
    some = generate(game, tmp_path / "some", games=5, tell=lambda done: None, **plain)
    next(some)
    some.close()
    played = []
    assert len(list(generate(game, tmp_path / "some", games=5, tell=played.append, **plain))) == 3
    assert played == [2, 3, 4, 5]
    one, other = load(tmp_path / "whole"), load(tmp_path / "some")
    assert all(np.array_equal(one[key], other[key], equal_nan=key == "rating") for key in one.columns)
    list(generate(game, tmp_path / "some", games=6, tell=lambda done: None, **plain))
    assert len(set(load(tmp_path / "some")["game"])) == 6
    files = sorted(path.name for path in (tmp_path / "some").glob("*.npz"))
    assert files == [*whole[:2], "games-00000004-00000005.npz"], "none of them twice"
    with pytest.raises(ValueError, match=r"belongs to another plan: seed is 7 there and 8 here"):
        list(generate(game, tmp_path / "some", games=5, tell=lambda done: None, **(plain | {"seed": 8})))


def test_selfplay_that_is_interrupted_keeps_every_game_up_to_there(tmp_path, monkeypatch):
    game, plain = hanpan.game("tictactoe"), {"who": "random", "shard": 4, "openings": 0, "seed": 7, "suffix": ".npz"}
    list(generate(game, tmp_path / "whole", games=6, tell=lambda done: None, **plain))

    def until(stop):
        def tell(done):
            played.append(done)
            if done == stop:
                raise KeyboardInterrupt

        return tell

    for stop, before, files in ((3, 0, ["games-00000000-00000002.npz"]), (5, 3, ["games-00000000-00000003.npz", "games-00000004-00000004.npz"])):
        played = []
        with pytest.raises(KeyboardInterrupt):
            list(generate(game, tmp_path / "some", games=6, tell=until(stop), **plain))
        assert (played, sorted(path.name for path in tmp_path.glob("some/games*"))) == ([*range(before, stop + 1)], files)
    played = []
    list(generate(game, tmp_path / "some", games=6, tell=until(None), **plain))
    assert played == [5, 6]
    one, other = load(tmp_path / "whole"), load(tmp_path / "some")
    assert all(np.array_equal(one[key], other[key], equal_nan=key == "rating") for key in one.columns)
    (tmp_path / "some" / "games-00000004-00000005.npz").write_bytes(b"as a fault of the disk had left it")
    (tmp_path / "some" / "games-00000004-00000005.npz").rename(tmp_path / "some" / "games-00000004-00000004.npz")
    list(generate(game, tmp_path / "some", games=6, tell=until(None), **plain))
    assert len(set(load(tmp_path / "some")["game"])) == 6


@pytest.mark.slow
def test_selfplay_that_is_asked_for_fewer_games_takes_none_away(tmp_path):
    words = ["selfplay", "tictactoe", str(tmp_path), "--shard", "4", "--bot", "random", "--cores", "1", "--format", "npz", "--games"]
    assert "7 games" in CliRunner().invoke(app, [*words, "7"]).output
    whole = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / "games-00000004-00000005.npz").write_bytes(b"as a kill had left it")
    for fewer in ("6", "3"):
        assert "7 games" in CliRunner().invoke(app, [*words, fewer]).output
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == whole
    assert len(set(load(tmp_path)["game"])) == 7


def test_a_training_set_that_can_not_be_written_leaves_nothing_half(tmp_path):
    game, before = hanpan.game("tictactoe"), resource.getrlimit(resource.RLIMIT_FSIZE)
    data = columns(decisions(game, Players(game, "random", 0).play(3, seed=1)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))  # as if the disk were full
    try:
        for name in ("set.npz", "set.parquet"):
            with pytest.raises(ValueError, match=f"{name}: can't be written"):
                save(tmp_path / name, game, data)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []


def test_a_longer_file_is_there_before_the_shorter_one_goes(tmp_path):
    game, plain = hanpan.game("tictactoe"), {"who": "random", "shard": 4, "openings": 0, "seed": 1, "suffix": ".npz", "tell": lambda done: None}
    (shorter,) = generate(game, tmp_path, games=3, **plain)
    (tmp_path / "games-00000000-00000003.npz.part").mkdir()  # so that it can't be written
    with pytest.raises(ValueError, match="can't be written"):
        list(generate(game, tmp_path, games=4, **plain))
    assert len(set(load(shorter)["game"])) == 3


def test_selfplay_by_a_computer_player_from_the_command_line(tmp_path):
    words = ["selfplay", "tictactoe", str(tmp_path / "set"), "--games", "3", "--bot", "1", "--format", "parquet"]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0, told.output
    assert len(set(load(tmp_path / "set")["game"])) == 3


@pytest.mark.parametrize("name", ["[/a]", "games [old]", ":x:"])
def test_a_folder_may_have_any_name(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, ["selfplay", "tictactoe", name, "--games", "1", "--bot", "random", "--cores", "1", "--format", "npz"])
    assert told.exit_code == 0, told.output
    assert f"{name}: 1 games" in told.output


def test_a_format_may_be_named_like_the_files_are(tmp_path):
    words = ["selfplay", "tictactoe", str(tmp_path / "set"), "--games", "1", "--bot", "random", "--cores", "1"]
    told = CliRunner().invoke(app, [*words, "--format", ".npz"])
    assert told.exit_code == 0, told.output
    assert len(load(tmp_path / "set"))
    with pytest.raises(ValueError, match=r"format: 'csv' is not one of parquet, npz"):
        list(generate(hanpan.game("tictactoe"), tmp_path / "other", "random", 1, 1, 0, 1, ".csv", lambda done: None))
    assert not (tmp_path / "other").exists()


def test_what_is_wrong_is_said(tmp_path):
    (tmp_path / "set.csv").touch()
    with pytest.raises(ValueError, match=r"ends in \.parquet or \.npz"):
        load(tmp_path / "set.csv")
    with pytest.raises(ValueError, match=r"nowhere: there is no such file or folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"there is no such file"):
        load(tmp_path / "set.npz")
    (tmp_path / "bad.npz").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match=r"not a training set"):
        load(tmp_path / "bad.npz")
    with pytest.raises(ValueError, match=r"no training set is in this folder"):
        load(tmp_path.joinpath("empty").mkdir() or tmp_path / "empty")
    with pytest.raises(ValueError, match=r"players are `random` or a level"):
        Players(hanpan.game("kulami"), "9", 0)


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: {"planes": data["planes"][:, :1]}, "planes is uint32"),
        (lambda data: {"level": np.hstack([data["level"]] * 2)}, "level is uint8"),
        (lambda data: {"legal": data["legal"][:, :1].repeat(9, 1)}, "legal is uint32"),
    ],
)
def test_a_file_of_another_shape_is_not_a_training_set_of_its_game(tmp_path, suffix, change, reason):
    game, file = hanpan.game("tictactoe"), tmp_path / f"set{suffix}"
    data = columns(decisions(game, Players(game, "random", 0).play(3, seed=1)))
    save(file, game, data | change(data))
    with pytest.raises(ValueError, match=rf"not a training set of hanpan\.game\('tictactoe', misere=False\) \({reason}"):
        load(file)


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_a_damaged_file_is_not_a_training_set(tmp_path, suffix):
    game, file = hanpan.game("tictactoe"), tmp_path / f"set{suffix}"
    save(file, game, columns(decisions(game, Players(game, "random", 0).play(3, seed=1))))
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 3] ^= 1
    other = bytearray(whole)
    other[whole.find(b"PK\x01\x02") + 10] ^= 64  # how it is packed
    for damaged in (b"", whole[:1], whole[: len(whole) // 2], whole[:-1], *([flipped, other] if suffix == ".npz" else [])):
        file.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"not a training set"):
            load(file)


@pytest.mark.parametrize(
    ("name", "options", "winner", "rewards"),
    [
        ("wallgo", {"players": 3, "size": 3, "pieces": 1}, [1], {0: -0.5, 1: 1.0, 2: -0.5}),
        ("wallgo", {"players": 3, "size": 3, "pieces": 1}, [0, 2], {0: 1.0, 1: -2.0, 2: 1.0}),
        ("kulami", {}, [], {0: 0.0, 1: 0.0}),
        ("goita", {"target": 20}, [1, 3], {0: -1.0, 1: 1.0, 2: -1.0, 3: 1.0}),
    ],
)
def test_winners_have_one_each_and_the_others_lose_as_much_together(name, options, winner, rewards):
    game = hanpan.game(name, **options)
    finished = Players(game, "random", 0).play(3, seed=1)
    finished.winner = winner
    assert {row["seat"]: row["reward"] for row in decisions(game, finished)} == rewards


def test_a_record_that_begins_elsewhere_is_understood():
    game = hanpan.game("tictactoe")
    record = GameRecord("tictactoe", dict(game.options), ("c1",), "xx./oo./... x")
    rows = list(decisions(game, FinishedGame("x", record, [0])))
    assert [(row["action"], row["reward"]) for row in rows] == [(2, 1.0)]
