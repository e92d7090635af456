"""The first minute on a new machine: a server with an empty cache of machine code, from its start to the front page, to the first move, to everything compiled.

    python benchmarks/first_minute.py [--game kulami] [--browser]

A game against the computer is opened as soon as the front page is whole. With --browser the front page is measured in Chromium, too (see benchmarks/page.py).
"""

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from hanpan.client import Client
from hanpan.game import games

sys.path.append(str(Path(__file__).parent.parent / "tools"))

from ports import free_port

MOST = 600  # seconds


class Watch:
    """Says when things happened, from the start of the server and from the moment its address was printed."""

    def __init__(self):
        self.began, self.address = time.monotonic(), None

    def tell(self, what):
        now = time.monotonic()
        self.address = self.address or now
        print(f"{now - self.began:7.1f} s  {now - self.address:7.1f} s  {what}", flush=True)


def fetched(url):
    with urllib.request.urlopen(url, timeout=MOST) as answer:
        return answer.read()


def front_page(url):
    """Everything that the front page shows, one request after the other: slower than a browser asks for it."""
    page = fetched(url).decode()
    for part in page.split('"')[1::2]:
        if part.startswith("/page/"):
            fetched(url + part)
    fetched(f"{url}/api/words/en")
    fetched(f"{url}/api/stills")
    for name in json.loads(fetched(f"{url}/api/games")):
        fetched(f"{url}/api/games/{name}/demo")


def in_browser(url, watch):
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        began = time.monotonic()
        page.goto(url)
        page.locator("main svg").first.wait_for(timeout=MOST * 1000)
        expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=MOST * 1000)
        watch.tell(f"the front page is whole in Chromium, {time.monotonic() - began:.1f} s after it was asked for")
        browser.close()


async def first_move(url, game, watch):
    async with Client(url) as person:
        room = await person.new_room(game)
        await room.call("sit on", seat=0)
        for seat in range(1, len(room.last["player info"]["seats"])):
            await room.call("seat bot", seat=seat, level=4)
        await room.call("set ready")
        mine = await room.my_turn(MOST)
        watch.tell(f"the first move of {game} is possible")
        await room.play(mine["legal"][0], mine["ply"])
        watch.tell("it is played")
        mine = await room.my_turn(MOST)
        watch.tell("the computer has answered")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", choices=games(), default="kulami", help="the game that is opened first")
    parser.add_argument("--browser", action="store_true", help="measure the front page in Chromium, too")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache, port = Path(folder) / "cache", free_port()
        url, watch = f"http://127.0.0.1:{port}", Watch()
        print("from start  from address")
        command = [sys.executable, "-m", "hanpan.cli", "serve", "--port", str(port), "--data", f"{folder}/data"]
        server = subprocess.Popen(command, env={**os.environ, "HANPAN_CACHE": str(cache)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        said, compiled = [], threading.Event()

        def listen():
            for line in server.stderr:
                said.append(line)
                if "compiled in" in line:
                    compiled.set()

        threading.Thread(target=listen, daemon=True).start()
        try:
            if "Hanpan is at" not in server.stdout.readline():
                sys.exit("".join(said))
            watch.tell("the address is printed")
            if wanted.browser:
                in_browser(url, watch)
            front_page(url)
            watch.tell("the front page is whole")
            asyncio.run(first_move(url, wanted.game, watch))
            slowest = 0.0
            while not compiled.wait(0.2):
                asked = time.monotonic()
                fetched(f"{url}/healthz")
                slowest = max(slowest, time.monotonic() - asked)
            watch.tell(f"everything is compiled: {len(list(cache.glob('*.nbc')))} functions; meanwhile the slowest answer took {slowest * 1000:.0f} ms")
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
