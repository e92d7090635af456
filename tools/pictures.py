"""Makes the pictures of the docs: boards of all games, light and dark, with Chromium.

python tools/pictures.py        # writes docs/pictures/*.png
"""

from __future__ import annotations

import gzip
import itertools
import json
import shutil
import subprocess
import tempfile
from pathlib import Path

import hanpan

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
TRACES = Path(__file__).parent.parent / "tests" / "traces"
SHOWN = {"puoribor": (39, 43, None), "kulami": (0, 26, None), "wallgo": (60, 46, None), "reversedrop": (1, 40, None), "goita": (0, 16, 0)}  # line, ply, viewer


def state(name: str) -> hanpan.State:
    """A position from a real game that shows what the game is like."""
    line, ply, viewer = SHOWN[name]
    with gzip.open(TRACES / f"{name}.jsonl.gz", "rt") as file:
        data = json.loads(next(itertools.islice(file, line, None)))
    reached = hanpan.game(name, **data["options"]).parse(data["start"])
    for played in data["plies"][:ply]:
        reached = reached.play(played["action"])
    return reached if viewer is None else reached.view(viewer)


def shoot(page: Path, picture: Path, width: int, height: int) -> None:
    """A screenshot of a page."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("pictures: chromium is needed (apt-get install chromium fonts-noto-cjk)")
    with tempfile.TemporaryDirectory() as profile:
        quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--hide-scrollbars"]
        subprocess.run(
            [chromium, *quiet, f"--user-data-dir={profile}", f"--window-size={width},{height}", f"--screenshot={picture}", page.as_uri()],
            check=True,
            capture_output=True,
            timeout=120,
        )


def main() -> None:
    """All pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for theme, ground in (("light", "#f7f3ea"), ("dark", "#171a1f")):
        boards = "".join(f'<div style="height:430px;overflow:hidden">{_sized(state(name).svg(theme=theme))}</div>' for name in SHOWN)
        style = f"margin:0;padding:12px;background:{ground};display:flex;gap:12px;flex-wrap:wrap;justify-content:center"
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "boards.html"
            page.write_text(f'<meta charset="utf-8"><body style="{style}">{boards}', "utf-8")
            shoot(page, PICTURES / ("boards.png" if theme == "light" else "boards-dark.png"), 1340, 900)


def _sized(svg: str) -> str:
    """The picture at the height of the row."""
    head, _, rest = svg.partition(' width="')
    return f'{head} height="430" width="' + "auto" + rest[rest.index('"') :].replace(" height=", " data-height=", 1)


if __name__ == "__main__":
    main()
