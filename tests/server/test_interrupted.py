"""A test run that is interrupted leaves no process behind: no server, and nothing that the server has started."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from serving import PATIENT

FOLDER = Path(__file__).parent
WAITS = """
import sys, time
from pathlib import Path
from serving import ServerProcess
from kept import Kept

def test_that_waits(tmp_path):
    server = ServerProcess(tmp_path).start()
    code = "import subprocess; child = subprocess.Popen(['sleep', '600']); print(child.pid, flush=True); child.wait()"
    nested = Kept([sys.executable, "-c", code], stdout=-1, text=True)
    child = int(nested.stdout.readline())
    Path("{told}").write_text(f"{{server.process.pid}} {{nested.pid}} {{child}}")
    time.sleep(600)
"""


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"  # one that nobody has waited for has ended, too


@pytest.mark.slow
@pytest.mark.parametrize(("number", "workers"), [(signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGKILL, 0), (signal.SIGTERM, 1)])
def test_whatever_ends_a_run_ends_its_processes(tmp_path, number, workers):
    told = tmp_path / "told"
    (tmp_path / "test_it.py").write_text(WAITS.format(told=told))
    (tmp_path / "conftest.py").write_text(Path(FOLDER.parent / "conftest.py").read_text())
    paths = os.pathsep.join([str(FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-n", str(workers), "--rootdir", str(tmp_path), "-c", os.devnull, "test_it.py"]
    with subprocess.Popen(command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": paths}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        until = time.monotonic() + PATIENT
        while not told.exists() or len(told.read_text().split()) < 3:
            assert run.poll() is None, run.stdout.read()
            assert time.monotonic() < until
            time.sleep(0.05)
        pids = [int(pid) for pid in told.read_text().split()]
        assert all(alive(pid) for pid in pids)
        run.send_signal(number)
        run.communicate(timeout=PATIENT)
    until = time.monotonic() + PATIENT
    while any(alive(pid) for pid in pids):
        assert time.monotonic() < until, [pid for pid in pids if alive(pid)]
        time.sleep(0.05)


def test_a_process_that_has_ended_is_forgotten(tmp_path):
    from kept import Kept

    with Kept([sys.executable, "-c", "print('here')"], stdout=subprocess.PIPE, text=True) as process:
        assert process.communicate()[0] == "here\n"
    assert process.returncode == 0
