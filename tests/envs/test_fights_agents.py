"""Agent files that were written for `fights` play here, as they are."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

AGENTS = Path(__file__).parent / "agents"


def run(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", "hanpan.envs.fights", "run", *map(str, words)], cwd=folder, capture_output=True, text=True, check=False, timeout=1800
    )


@pytest.mark.slow
def test_two_agent_files_play_as_they_are(tmp_path):
    runner, other, out = AGENTS / "running_agent.py", AGENTS / "random_agent.py", tmp_path / "games.jsonl"
    done = run(tmp_path, runner, other, "--games", 2, "--seed", 5, "--out", out)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"game 1: {runner} – {other}: {runner} wins after ")
    assert lines[1].startswith(f"game 2: {other} – {runner}: {runner} wins after ")  # they begin by turns
    assert lines[2] == f"{runner} 2 – 0 {other}"
    games = [json.loads(line) for line in out.read_text().splitlines()]
    assert [game["winner"] for game in games] == [0, 1]
    for game in games:
        assert [step["agent_id"] for step in game["log"]] == [None, *[ply % 2 for ply in range(game["plies"])]]
        assert [step["state"]["done"] for step in game["log"]] == [False] * game["plies"] + [True]
    assert run(tmp_path, runner, other, "--games", 2, "--seed", 5).stdout == done.stdout  # the same seed, the same games


@pytest.mark.slow
def test_a_game_may_be_cut_short_and_shown(tmp_path):
    done = run(tmp_path, AGENTS / "running_agent.py", AGENTS / "running_agent.py", "--max-plies", 3, "--show")
    assert "unfinished after 3 plies" in done.stdout
    assert done.stdout.count("┌───┬") == 4


@pytest.mark.slow
def test_an_output_that_is_full_is_told(tmp_path):
    words = [sys.executable, "-m", "hanpan.envs.fights", "run", *[str(AGENTS / "running_agent.py")] * 2, "--max-plies", "3", "--show"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(words, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=1800)
    assert (done.returncode, done.stderr) == (1, "standard output: No space left on device\n")


@pytest.mark.slow
def test_the_same_games_as_on_the_original(tmp_path):
    """The two files on the real package, in a process that knows nothing of ours, give the same games."""
    pytest.importorskip("fights.envs.puoribor")
    program = f"""
import sys, json
sys.path.insert(0, {str(AGENTS)!r})
from fights.envs.puoribor import PuoriborEnv
from random_agent import RandomAgent
from running_agent import RunningAgent
env, agents = PuoriborEnv(), [RandomAgent(0, seed=14), RunningAgent(1)]
state, log = env.initialize_state(), []
while not state.done:
    action = agents[len(log) % 2](state)
    state = env.step(state, len(log) % 2, action)
    log.append([int(part) for part in action])
print(json.dumps(log), "hanpan" in sys.modules)
"""
    told, ours = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=1800).stdout.rsplit(maxsplit=1)
    assert ours == "False"
    out = tmp_path / "games.jsonl"
    assert run(tmp_path, AGENTS / "random_agent.py", AGENTS / "running_agent.py", "--seed", 7, "--out", out).returncode == 0
    assert [step["action"] for step in json.loads(out.read_text())["log"][1:]] == json.loads(told)


@pytest.mark.slow
def test_one_line_is_enough_for_a_file_that_is_started_itself(tmp_path):
    text = (AGENTS / "random_agent.py").read_text()
    short = text.replace("from fights.base import BaseAgent\nfrom fights.envs import puoribor\n", "from hanpan.envs.fights import BaseAgent, puoribor\n")
    above = text.replace("import numpy as np\n", "import hanpan.envs.fights.instead\nimport numpy as np\n")
    for changed in (short, above):
        assert changed != text
        (tmp_path / "agent.py").write_text(changed + "\n\nprint(RandomAgent(0)(puoribor.PuoriborEnv().initialize_state()), puoribor.__name__)\n")
        done = subprocess.run([sys.executable, "agent.py"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=1800)
        assert done.stdout.endswith("] hanpan.games.puoribor.fights\n"), done.stderr


OUR = "('puoribor', 3)"
AGENT = """
from fights.base import BaseAgent

class Agent(BaseAgent):
    env_id = {env_id}

    def __init__(self, agent_id):
        {made}

    def __call__(self, state):
        return {action}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "bad.py: there is no such file"),
        ("x = ", "bad.py: can't be loaded: SyntaxError"),
        ("import nowhere", "bad.py: can't be loaded: ModuleNotFoundError: No module named 'nowhere' (bad.py, line 1)"),
        ("from fights.envs import chess", "bad.py: can't be loaded: ImportError: cannot import name 'chess'"),
        ("x = 1", "bad.py: there is no agent in it (a class with env_id and __call__)"),
        ("from fights.base import BaseAgent\nclass A(BaseAgent):\n    env_id = ('puoribor', 3)", "bad.py: A has no __call__, __init__"),
        (AGENT.format(env_id="3", made="pass", action="0"), "bad.py: env_id: 3 is not (name, version)"),
        (AGENT.format(env_id="('chess', 1)", made="pass", action="0"), "bad.py: env_id: environment with name 'chess' not found; there are puoribor"),
        (AGENT.format(env_id="('puoribor', 2)", made="pass", action="0"), "is another version; this is ('puoribor', 3)"),
        (AGENT.format(env_id=OUR, made="raise OSError('no model')", action="0"), "bad.py: Agent(0) could not be made: OSError: no model (bad.py, line "),
        (AGENT.format(env_id=OUR, made="pass", action="1 / 0"), "bad.py: ply 1: the agent failed: ZeroDivisionError: division by zero (bad.py, line "),
        (AGENT.format(env_id=OUR, made="pass", action="exit(0)"), "bad.py: ply 1: the agent failed: SystemExit: 0 (bad.py, line "),
        (AGENT.format(env_id=OUR, made="exit()", action="0"), "bad.py: Agent(0) could not be made: SystemExit: None (bad.py, line "),
        (AGENT.format(env_id=OUR, made="pass", action="[0, 4, 9]"), "bad.py: ply 1: [0, 4, 9] is not allowed: out of board"),
        (AGENT.format(env_id=OUR, made="pass", action="'e5'"), "bad.py: ply 1: 'e5' is not allowed: "),
        (AGENT.format(env_id=OUR, made="pass", action="0") + "class Other(Agent):\n    pass\n", "name one: bad.py:Agent, bad.py:Other"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_or_an_agent_is_said(tmp_path, monkeypatch, capsys, text, message):
    import typer

    from hanpan.envs.fights import __main__ as command

    kept = {name: module for name, module in sys.modules.items() if name == "fights" or name.startswith("fights.")}
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "bad.py").write_text(text)
    try:
        with pytest.raises(typer.Exit) as ended:
            command.run("bad.py", "bad.py", 1, 0, 10, None, False)
    finally:  # the other tests know the original
        for name in [name for name in sys.modules if name == "fights" or name.startswith("fights.")]:
            del sys.modules[name]
        sys.modules.pop("hanpan.envs.fights.instead", None)
        sys.modules.update(kept)
    assert ended.value.exit_code == 1
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_a_class_can_be_named(tmp_path):
    text = AGENT.format(env_id=OUR, made="pass", action="0")
    (tmp_path / "two.py").write_text(text + "\nclass Walks(Agent):\n    def __call__(self, state):\n        return [0, 4, 1 if state.board[0, 4, 0] else 0]\n")
    done = run(tmp_path, "two.py:Walks", AGENTS / "running_agent.py", "--max-plies", 2)
    assert "unfinished after 2 plies" in done.stdout, done.stderr
    assert "there is no agent Jumps in it" in run(tmp_path, "two.py:Jumps", "two.py:Walks").stderr


def test_the_base_classes_are_what_agents_expect():
    from hanpan.envs.fights.envs.puoribor import PuoriborEnv as same

    from hanpan.envs.fights import BaseAgent, BaseEnv, BaseState, PuoriborEnv, PuoriborState, base, envs, resolve
    from hanpan.envs.fights.envs import puoribor

    assert puoribor.PuoriborEnv is same is PuoriborEnv
    assert issubclass(PuoriborEnv, BaseEnv)
    assert isinstance(PuoriborEnv().initialize_state(), BaseState)
    assert envs.resolve("puoribor") == resolve("puoribor") == (PuoriborEnv, PuoriborState)
    assert base.BaseAgent is BaseAgent
    with pytest.raises(TypeError, match="abstract"):
        BaseAgent(0)
    with pytest.raises(ValueError, match="environment with name 'go' not found"):
        resolve("go")
