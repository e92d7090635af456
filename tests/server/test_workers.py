"""Several processes behind one port: what becomes of them."""

import socket
import sys

import pytest
from kept import Kept
from serving import PATIENT, free_port

FIRST = """
import sys
from pathlib import Path
from socket import create_server
from hanpan.server.run import _worker
from hanpan.server.settings import Settings
from hanpan.server.workers import Workers

port = int(sys.argv[2])
Workers(_worker, Settings(data=Path(sys.argv[1]), port=port), create_server(("127.0.0.1", port))).run(lambda: print("come in", flush=True))
"""


@pytest.mark.slow
def test_when_the_first_process_is_killed_the_others_end_as_if_told_to(tmp_path, monkeypatch):
    monkeypatch.setenv("HANPAN_INTERPRET", "1")
    port = free_port()
    first = Kept([sys.executable, "-c", FIRST, str(tmp_path), str(port)], stdout=-1, stderr=-2, text=True)
    told = iter(first.stdout.readline, "")
    assert any(line == "come in\n" for line in told)
    first.kill()
    rest, _ = first.communicate(timeout=PATIENT)  # which ends when nobody is left who could say anything
    assert rest.endswith("closed\n")
    with socket.create_server(("127.0.0.1", port)):
        pass  # the next server can be started
