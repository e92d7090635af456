"""The GPU's kernels, run by numba-cuda's simulator (no GPU is needed): the same games as on the processor."""

import os
import subprocess
import sys

import pytest

pytest.importorskip("numba_cuda")
PROGRAM = """
import copy
import sys
import numpy as np
from hanpan.envs import batch, cuda

cuda.THREADS = 4  # in the simulator each is a thread of its own, and there are three games
options = {"wallgo": {"size": 3, "pieces": 1}, "goita": {"target": 10}}
for name in sys.argv[1:]:
    gpu, cpu = (batch(name, n=3, seed=4, device=device, **options.get(name, {})) for device in ("cuda", "cpu"))
    for ply in range(8):
        if ply == 4:
            gpu = copy.deepcopy(gpu)
        assert np.array_equal(gpu.legal_mask().copy_to_host(), cpu.legal_mask())
        assert np.array_equal(gpu.observe().copy_to_host(), cpu.observe())
        actions = cpu.random_actions()
        chosen = gpu.random_actions()
        assert np.array_equal(chosen.copy_to_host(), actions)
        gpu.step(chosen if ply % 2 else actions)
        cpu.step(actions)
        assert gpu.states.copy_to_host().tobytes() == cpu.states.tobytes()
        for what in ("turn", "rewards", "scores", "done", "refused"):
            assert np.array_equal(getattr(gpu, what).copy_to_host(), getattr(cpu, what)), what
    try:
        gpu.step([-1, -1, -1])
    except ValueError as wrong:
        assert "3 of 3 were refused" in str(wrong)
    else:
        raise AssertionError("illegal actions were taken")
    print(name, "equal")
"""


def run(*names):
    simulated = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "HANPAN_INTERPRET": "1"}
    path = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run([sys.executable, "-c", PROGRAM, *names], env=simulated | path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split("\n")[:-1] == [f"{name} equal" for name in names]


@pytest.mark.slow
def test_the_toy_game_steps_in_simulated_kernels():
    run("tictactoe")


@pytest.mark.slow
def test_every_game_steps_in_simulated_kernels():
    run("goita", "kulami", "puoribor", "reversedrop", "wallgo")
