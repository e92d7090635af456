"""Under the sockets are libraries whose insides we know. With other versions messages take the libraries' own way, and games go on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from bare import entered, opened
from clients import play_on, sit_down, some

from hanpan.server.transport import versions
from hanpan.server.transport.fast_engineio import FastSocket

CONSTRAINTS = Path(__file__).parents[3] / "constraints.txt"


def test_what_is_known_is_what_the_tests_run_with():
    pinned = dict(re.findall(r"^([\w-]+)==(.+)$", CONSTRAINTS.read_text("utf-8"), re.M))
    for name, ours in versions.KNOWN.items():
        assert f"{pinned[name]}.".startswith(f"{ours}."), f"{name} {pinned[name]}: look through fast_engineio and fast_websockets, then change KNOWN"
    assert versions.unknown() == []


@pytest.fixture
def other_version(monkeypatch):
    """As if Engine.IO were of a version that nobody has looked at."""
    monkeypatch.setitem(versions.KNOWN, "python-engineio", "3.1")


@pytest.mark.slow
async def test_with_another_version_a_game_is_played_the_library_s_own_way(local_server, other_version, meet, caplog):
    server = local_server()
    (told,) = [record.getMessage() for record in caplog.records if record.name == "hanpan.server" and record.levelname == "WARNING"]
    assert re.search(r"own way.*python-engineio \S+ \(known: 3\.1\)", told)
    async with meet(server.url, 2) as people, opened(server.url) as ws:
        rooms = await sit_down(people, "tictactoe")
        assert not any(isinstance(line, FastSocket) for line in server.sockets())
        await rooms[0].call("send msg", msg="Good game!")
        assert (await rooms[1].hears("recieve msg"))["msg"] == "Good game!"
        bare = await entered(ws, people[0], rooms[0].id)
        for number in range(20):
            await bare.send(f'42/room,{number}["why",{{"ply":0,"clicks":["a1"]}}]')
        assert await bare.acks(20) == list(range(20))
        await play_on(rooms)
        assert rooms[0].board == rooms[1].board
        assert rooms[0].board["over"]


async def test_whoever_is_lost_then_comes_back_and_goes_on(local_server, other_version, meet):
    server = local_server()
    async with meet(server.url, 2) as people:
        rooms = await sit_down(people, "tictactoe")
        await rooms[0].play(some(rooms[0].mine()))
        await rooms[1].drop()
        again = await people[1].enter(rooms[0].id)
        await play_on([rooms[0], again])
        assert again.board["over"]


def test_two_servers_of_one_process_go_each_its_own_way(local_server, monkeypatch):
    fast = local_server()
    monkeypatch.setitem(versions.KNOWN, "uvicorn", "0.1")
    slow = local_server()
    assert [server.app._inner.engineio_server.fast for server in (fast, slow)] == [True, False]


UNTOUCHED = """
import sys
from pathlib import Path
from hanpan.server.transport import versions
versions.KNOWN["python-socketio"] = "4.0"
from hanpan.server.app import make_app
from hanpan.server.run import configured
from hanpan.server.settings import Settings
settings = Settings(data=Path(sys.argv[1]))
config = configured(make_app(settings), settings)
print(config.ws, [name for name in sys.modules if name.startswith("hanpan.server.transport.fast_")])
"""


@pytest.mark.slow
def test_what_stands_on_insides_is_not_even_loaded_then(tmp_path):
    done = subprocess.run([sys.executable, "-c", UNTOUCHED, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.stdout == "auto []\n", done.stderr
