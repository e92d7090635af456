"""Fetches what the tests need beside Python's packages (a browser and its fonts, servers, the real `fights`), where it may: python tools/fetch.py [fast]"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SERVERS = {"postgresql": "postgres", "redis-server": "redis-server", "nginx": "nginx"}  # Debian's packages, and the program of each


def install(*packages: str) -> bool:
    """Install packages of the system, where this may be done without asking anyone."""
    if shutil.which("apt-get") is None:
        return False
    may = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if may and (shutil.which("sudo") is None or subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode != 0):
        return False
    print(f"Installing {', '.join(packages)} …", flush=True)
    quietly = {"check": False, "stdout": subprocess.DEVNULL}
    subprocess.run([*may, "apt-get", "update", "-qq"], **quietly)  # type: ignore[call-overload]
    done = subprocess.run([*may, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-y", "-qq", *packages], **quietly)  # type: ignore[call-overload]
    return bool(done.returncode == 0)


def browser_there() -> bool:
    """Whether there is a browser that the tests can use."""
    return any(shutil.which(name) for name in BROWSERS)


def fetch_browser() -> None:
    """A browser, and letters for all four languages."""
    listed = shutil.which("fc-list")
    letters = sys.platform != "linux" or (listed is not None and subprocess.run([listed, ":lang=ko"], capture_output=True, check=False).stdout)
    if lacking := ([] if browser_there() else ["chromium"]) + ([] if letters else ["fonts-noto-cjk"]):
        install(*lacking)


def lacking_servers() -> list[str]:
    """The packages of servers that are not here."""
    places = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", *map(str, Path("/usr/lib/postgresql").glob("*/bin"))])
    return [package for package, program in SERVERS.items() if shutil.which(program, path=places) is None]


def fights_works() -> bool:
    """Whether the real `fights` can be imported."""
    return subprocess.run([sys.executable, "-c", "import fights.envs.puoribor"], capture_output=True, check=False).returncode == 0


def build_fights() -> bool:
    """From its source: its wheels are for another NumPy, and exist for few machines."""
    pip = [sys.executable, "-W", "ignore:DEPRECATION", "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "uninstall", "-y", "fights"], capture_output=True, check=False)  # a wheel that does not work here
    subprocess.run([*pip, "install", "-c", str(ROOT / "constraints.txt"), "fights"], check=False)
    return fights_works()


def fetch_fights() -> None:
    """The real `fights`, and what it is built with."""
    if not fights_works():
        print("Building fights from its source (a minute or two, once) …", flush=True)
        if not build_fights() and shutil.which("cc") is None and install("build-essential", "python3-dev"):
            build_fights()


def missing(fast: bool) -> list[str]:
    """What could not be had, and which tests are left out for it."""
    lacking = [] if fights_works() else ["the tests that play beside the real fights (tests/envs/test_fights.py): it could not be built here"]
    if fast:  # what needs another program is slow
        return lacking
    if not browser_there():
        lacking.append("all tests with a browser (tests/page): install chromium and fonts-noto-cjk to run them")
    return lacking + [f"the tests with a real {package}: install it to run them" for package in lacking_servers()]


if __name__ == "__main__":
    fetch_fights()
    if sys.argv[1:] != ["fast"]:
        if lacking := lacking_servers():
            install(*lacking)
        fetch_browser()
