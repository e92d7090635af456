"""How the page is built: it knows no game, its arrows point down, and what only one page uses stands in that page's folder."""

import os
import re
from pathlib import Path

import hanpan
from hanpan.result import MOST_ACTIONS

WEB = Path(__file__).parent.parent.parent / "web"
SOURCES = WEB / "src"

# Ground floor first: a file may import from its own folder, and from floors below its own. Every page is a folder in pages/.
FLOORS = [{"words"}, {"lib"}, {"net"}, {"board", "engine"}, {"local"}, {"offline"}, {"ui"}, {"pages"}, {""}]
IMPORT = re.compile(r"""\b(?:from|import)\s*\(?\s*["'](\.[^"']*)["']""")


def test_no_game_is_named_in_the_page():
    names = {name for game in hanpan.games() for name in (game, hanpan.game(game).book.say(hanpan.core.words.Phrase("name")).lower())}
    texts = {path.relative_to(SOURCES): path.read_text("utf-8").lower() for path in SOURCES.rglob("*.*")}
    assert [f"{path}: {name}" for path, text in texts.items() for name in names if name in text] == []


def test_games_end_after_as_many_actions_as_on_servers():
    said = re.search(r"^export const MOST_ACTIONS = (\d+);$", (SOURCES / "local" / "match.ts").read_text("utf-8"), re.MULTILINE)
    assert said is not None
    assert int(said[1]) == MOST_ACTIONS


def imports(sources):
    """Of every file, the files that it imports: paths from the sources' folder, as text."""
    files = {
        path.relative_to(sources).as_posix(): path for path in sources.rglob("*") if path.suffix in (".ts", ".tsx", ".json") and not path.name.endswith(".d.ts")
    }
    found = {}
    for name, path in files.items():
        wanted = [os.path.normpath(Path(name).parent / spec) for spec in IMPORT.findall(path.read_text("utf-8")) if not spec.endswith(".css")]
        found[name] = {next(target + end for end in ("", ".ts", ".tsx", "/index.ts") if target + end in files) for target in wanted}
    return found


def floor(name):
    folder = name.split("/")[0] if "/" in name else ""
    return next(number for number, folders in enumerate(FLOORS) if folder in folders)


def room(name):
    """The folder that a file belongs to; each page has one of its own."""
    parts = name.split("/")[:-1]
    return "/".join(parts[: 2 if parts[:1] == ["pages"] else 1])


def upward(found):
    """Imports from above, or from another room of the same floor."""
    return [
        f"{name} imports {target}"
        for name, targets in sorted(found.items())
        for target in sorted(targets)
        if floor(target) >= floor(name) and room(target) != room(name)
    ]


def reached(found, name):
    """Everything that a file imports, and what that imports, and so on."""
    seen, left = set(), [name]
    while left:
        new = found[left.pop()] - seen
        seen |= new
        left += new
    return seen


def circles(found):
    return sorted(name for name in found if name in reached(found, name))


def misplaced(found):
    """What stands among the things for several pages, but neither several pages nor the frame around all of them use it."""
    users = {name: set() for name in found if room(name) == "ui"}
    for name, targets in found.items():
        if floor(name) > floor("ui/"):
            direct = targets & users.keys()
            for used in direct.union(*(reached(found, part) & users.keys() for part in direct)):
                users[used].add(room(name))
    return sorted(name for name, rooms in users.items() if "" not in rooms and len(rooms) < 2)


def test_arrows_point_down_without_a_circle():
    found = imports(SOURCES)
    assert upward(found) == []
    assert circles(found) == []


def test_what_one_page_uses_stands_in_its_folder():
    assert misplaced(imports(SOURCES)) == []


def test_no_two_files_of_a_folder_have_the_same_name():
    """Some file systems, and every import, take `Face.tsx` and `face.ts` for the same."""
    names = [path.relative_to(SOURCES).with_suffix("").as_posix().lower() for path in SOURCES.rglob("*.ts*")]
    assert sorted(set(names)) == sorted(names)


def test_no_button_loses_the_focus_by_being_disabled():
    """It waits by `aria-disabled`, and a press comes to nothing: lib/focus.ts."""
    buttons = [(path.name, button) for path in SOURCES.rglob("*.tsx") for button in re.findall(r"<button\b.*?(?<!=)>", path.read_text("utf-8"), re.DOTALL)]
    assert len(buttons) > 100
    assert [each for each in buttons if re.search(r"\sdisabled\b", each[1])] == []


def test_lines_are_short():
    """The formatter breaks what it can; texts and comments are left to us."""
    written = [path for folder in ("src", "test") for path in (WEB / folder).rglob("*") if path.suffix in (".ts", ".tsx", ".css")]
    long = [f"{path.relative_to(WEB)}: {line}" for path in (*written, *WEB.glob("*.mjs")) for line in path.read_text("utf-8").splitlines() if len(line) > 160]
    assert long == []


def test_a_wrong_arrow_is_found(tmp_path):
    for name, text in {
        "main.tsx": 'import "./style/main.css";\nimport { A } from "./pages/a/A";\n',
        "net/types.ts": "export type Value = number;\n",
        "net/one.ts": 'import type { Two } from "./two";\nexport type One = Two;\n',
        "net/two.ts": 'import { type One } from "./one";\nexport type Two = One;\n',
        "ui/Part.tsx": 'import type { Value } from "../net/types";\nexport const Part = () => import("../pages/a/A");\n',
        "pages/a/A.tsx": 'import { B } from "../b/B";\nimport { Part } from "../../ui/Part";\nexport const A = [B, Part];\n',
        "pages/b/B.tsx": "export const B = 1;\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = imports(tmp_path)
    assert upward(found) == ["pages/a/A.tsx imports pages/b/B.tsx", "ui/Part.tsx imports pages/a/A.tsx"]
    assert circles(found) == ["net/one.ts", "net/two.ts", "pages/a/A.tsx", "ui/Part.tsx"]
    assert misplaced(found) == ["ui/Part.tsx"]
