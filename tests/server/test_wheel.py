"""A wheel built from a clone and installed elsewhere serves the page."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest
from kept import Kept
from serving import PATIENT, free_port

ROOT = Path(__file__).parent.parent.parent


def pip(*arguments):
    quietly = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    done = subprocess.run([sys.executable, "-m", "pip", *arguments[:1], *quietly, *arguments[1:]], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr


def fetched(address):
    with urllib.request.urlopen(address, timeout=PATIENT) as answer:
        return answer.read().decode()


@pytest.mark.slow
def test_a_wheel_from_a_clone_serves_the_page_wherever_it_is_installed(tmp_path):
    assert find_spec("hatchling"), "hanpan[test] brings it: ./test installs that"
    wheels, there, data = tmp_path / "wheels", tmp_path / "there", tmp_path / "data"
    pip("wheel", "--no-build-isolation", "--wheel-dir", str(wheels), str(ROOT))
    pip("install", "--target", str(there), *map(str, wheels.glob("hanpan-*.whl")))
    port = free_port()
    environment = {**os.environ, "PYTHONPATH": str(there), "HANPAN_DATA": str(data), "HANPAN_INTERPRET": "1"}
    where = [sys.executable, "-c", "import hanpan; print(hanpan.__file__)"]
    assert subprocess.run(where, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.startswith(str(there))
    with Kept([sys.executable, str(there / "bin" / "hanpan"), "serve", "--port", str(port)], env=environment, cwd=tmp_path) as server:
        try:
            address, until = f"http://127.0.0.1:{port}", time.monotonic() + PATIENT
            while True:
                assert server.poll() is None
                try:
                    page = fetched(f"{address}/")
                    break
                except (urllib.error.URLError, OSError):
                    assert time.monotonic() < until
                    time.sleep(0.1)
            script = re.search(r'<script[^>]*src="([^"]+)"', page)[1]
            assert fetched(address + script) == (there / "hanpan" / "server" / script.lstrip("/")).read_text("utf-8")
            chunks = re.findall(r'"\./([\w-]+\.js)"', fetched(address + script))  # what it imports in turn
            assert chunks
            assert all(fetched(f"{address}/page/{chunk}") for chunk in chunks)
            assert len(json.loads(fetched(f"{address}/api/games"))) >= 5
        finally:
            server.terminate()
