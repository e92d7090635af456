"""The page is light: a small first load, and ten thousand updates of a board leave nothing behind."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

import hanpan

ROOT = Path(__file__).parent.parent.parent
MOST_BYTES = 150_000


@pytest.mark.slow
def test_the_first_load_is_small(visitor):
    person = visitor()
    person.go("/")
    names = person.page.evaluate("() => performance.getEntriesByType('resource').filter((each) => each.initiatorType !== 'img').map((each) => each.name)")
    assert any(name.endswith(".js") for name in names)
    bodies = [person.page.request.get(name).body() for name in {*names, person.page.url} if "socket.io" not in name and "/api/guest" not in name]
    assert sum(len(gzip.compress(body, 9)) for body in bodies) < MOST_BYTES


def scenes(game, plies):
    """One picture after the other of a game in plain data, all with the same board."""
    state, made = hanpan.game(game).start(seed=3), []
    for number in range(plies):
        made.append(state.scene().json())
        state = state.play(state.legal()[number * 7 % len(state.legal())])
    return made


@pytest.mark.slow
def test_ten_thousand_updates_leave_nothing_behind(browser, tmp_path):
    sys.path.insert(0, str(ROOT / "tools"))
    import node

    bundle = tmp_path / "board.js"
    esbuild = [str(ROOT / "web" / "node_modules" / ".bin" / "esbuild"), "src/board/view.ts", "--bundle", "--format=iife", "--global-name=board"]
    subprocess.run([*esbuild, f"--outfile={bundle}"], cwd=ROOT / "web", env=node.environment(), check=True, capture_output=True)
    page = browser.new_page()
    page.add_script_tag(path=str(bundle))
    tools = page.context.new_cdp_session(page)
    tools.send("HeapProfiler.enable")
    page.evaluate(
        """(scenes) => {
            const still = scenes[0].board;
            window.scenes = scenes.map((scene) => ({ ...scene, board: still }));
            window.view = new board.BoardView({ place: () => "", spoken: (place, pieces, target) => `${place.id} ${pieces.length} ${target}` });
            document.body.append(view.root);
            window.update = async (times) => {
                for (let n = 0; n < times; n++) {
                    const scene = scenes_at(n);
                    view.show(scene);
                    view.aim(new Set(still.places.slice(n % 9, n % 9 + 5).map((place) => place.id)), [], 0);
                    if (n % 500 === 0) await new Promise((done) => setTimeout(done));
                }
                view.settle();
            };
            window.scenes_at = (n) => window.scenes[n % window.scenes.length];
        }""",
        scenes("puoribor", 20),
    )

    def weight():
        for _ in range(3):
            tools.send("HeapProfiler.collectGarbage")
        return page.evaluate("performance.memory.usedJSHeapSize"), page.evaluate("document.querySelectorAll('*').length")

    page.evaluate("update(1000)")
    heap, nodes = weight()
    page.evaluate("update(10000)")
    later, same = weight()
    page.close()
    assert same == nodes
    assert later - heap < 1_000_000, (heap, later)
