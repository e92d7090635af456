"""Servers of tests get ports that nobody takes from them."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from local import LocalServer
from serving import free_port

ASK = "import sys; sys.path.append(sys.argv[1]); from ports import free_port; print(*[free_port() for _ in range(300)]); sys.stdout.flush(); sys.stdin.read()"


def test_nobody_gets_a_port_that_another_process_has_claimed():
    command = [sys.executable, "-c", ASK, str(Path(__file__).parents[2] / "tools")]
    asking = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    ports = [int(port) for process in asking for port in process.stdout.readline().split()]
    for process in asking:
        process.communicate()
    assert len(ports) == len(set(ports)) == 900


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_server_that_cannot_listen_says_so_at_once(tmp_path):
    with socket.socket() as other:
        port = free_port()
        other.bind(("127.0.0.1", port))
        other.listen()
        with pytest.raises(AssertionError, match="ended before it listened"):
            LocalServer(tmp_path, port=port).start()
