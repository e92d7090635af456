"""What is checked of a game: by the tests, by `hanpan check`, and by a server before it opens, of games that are not part of this package.

A finding names a file and a hook of the game's folder, and what is wrong there. `python -m hanpan.checks GAME` is a process that looks for all of them with
plain Python (HANPAN_INTERPRET=1); `ask` starts it. There an endless loop, or whatever else a rule may do, stops nobody else.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import numpy as np

from hanpan.core import words
from hanpan.core.option import Option, Value
from hanpan.core.reading import quoted
from hanpan.core.refusal import IllegalAction
from hanpan.core.rule import CHANCE, OVER, rng
from hanpan.core.scene import Ground, Mark, Place, Scene, Stroke
from hanpan.core.words import LANGUAGES, Phrase
from hanpan.draw.palette import COLOURS
from hanpan.draw.svg import SHAPES
from hanpan.game import Game, State, game
from hanpan.record import GameRecord
from hanpan.rulebook import Rulebook, package, rulebook

SECONDS = 60  # of work for one position, at most
_WAITING = 10  # times as long, where it does not work but wait
SEEDS, PLIES = 3, 200  # games with the plain options (others have one), and how long they are at most
_REFUSED = 5  # actions that are not legal, of which it is asked why
_CLOSER = 10  # every so many plies a position is looked at closely


class Finding(NamedTuple):
    """Something wrong with a game: in which file and hook, and what."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


Findings = Iterator[Finding]

# --- before anything is played ---


def of_words(name: str) -> Findings:
    """All languages are there and say the same things, and what people choose has a name."""
    english = _keys(words.load(package(name), "en"))
    needed = {"name", "tagline", "seats"} | {f"options.{option.name}.name" for option in rulebook(name).options}
    yield from (Finding(f"words/en.json: `{key}`", "is missing") for key in sorted(needed - english))
    for language in LANGUAGES:
        file = f"words/{language}.json"
        if not files(package(name)).joinpath(file).is_file():
            yield Finding(file, "is not there; English is read instead")
        said = _keys(words.load(package(name), language))
        for key in sorted(english ^ said):
            if (above := key.rpartition(".")[0]) in english & said or not above:
                yield Finding(f"{file}: `{key}`", "is missing" if key in english else "is not in words/en.json")


def _keys(told: Any, before: str = "") -> set[str]:
    inside = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    return {f"{before}{key}" for key, _ in inside} | {deep for key, value in inside for deep in _keys(value, f"{before}{key}.")}


def of_options(book: Rulebook) -> Findings:
    """Each has a name of its own, and a default that it can have."""
    for name, number in Counter(option.name for option in book.options).items():
        if number > 1:
            yield Finding("rules.py: `OPTIONS`", f"{name} stands there twice")
    for option in book.options:
        try:
            option.check(option.default)
        except ValueError as wrong:
            yield Finding("rules.py: `OPTIONS`", f"the default of {wrong}")


def of_colours(book: Rulebook) -> Findings:
    """Every seat has one, of the palette."""
    if not isinstance(book.scene.COLOURS, tuple):
        yield Finding("scene.py: `COLOURS`", "is no tuple; a tuple of one has a comma")
    elif len(book.scene.COLOURS) < book.rules.MOST_SEATS:
        yield Finding("scene.py: `COLOURS`", f"{len(book.scene.COLOURS)} for {book.rules.MOST_SEATS} seats")
    for colour in book.scene.COLOURS:
        if colour not in COLOURS and isinstance(book.scene.COLOURS, tuple):
            yield Finding("scene.py: `COLOURS`", f"{quoted(colour)} is not in the palette")


# --- of a position ---


def of_turn(state: State) -> Findings:
    """Somebody is to act, and can: with actions that have a number and a text each."""
    book, seats = state.game.book, state.game.seats
    who, winners = book.mover(state.record), book.outcome(state.record, book.scores_buffer())
    broken = [book.rules.tie_break(state.record[0], seat) for seat in range(seats)]
    for hook, value in (("mover", who), ("outcome", winners), *(("tie_break", value) for value in broken)):
        if not isinstance(value, int | np.integer):
            yield Finding(f"rules.py: `{hook}`", f"gives {quoted(value)}, which is no whole number, at {state}")
            return
    if int(winners) >> seats and who == OVER:
        yield Finding("rules.py: `outcome`", f"names winners beyond the seats 0…{seats - 1}, at {state}")
    if who not in (CHANCE, OVER) and not 0 <= who < seats:
        yield Finding("rules.py: `mover`", f"{who} is none of the seats 0…{seats - 1}, nor CHANCE, nor OVER, at {state}")
    if not 0 <= who < seats:
        return
    actions, most = book.listed(state.record), book.rules.action_space(state.record[0]) - 1
    if not actions:
        yield Finding("rules.py: `legal`", f"nothing is legal, and seat {who} is to act, at {state}")
    for action, number in Counter(actions).items():
        if not 0 <= action <= most:
            yield Finding("rules.py: `legal`", f"{action} is not in 0…{most} (`ACTIONS`), at {state}")
            return
        if number > 1:
            yield Finding("rules.py: `legal`", f"{action} stands there {number} times, at {state}")
    called = Counter(book.text.format_action(state.record[0], action) for action in set(actions))
    for text, number in called.items():
        if number > 1:
            yield Finding("text.py: `format_action`", f"{number} legal actions are called {quoted(text)}, at {state}")


def of_texts(state: State) -> Findings:
    """What is written of a position and its actions is read as just that, whoever sees it; and nothing that only looks has changed it."""
    chosen, before = state.game, state.record.tobytes()
    for seen in (state, *_views(state)):
        try:
            if chosen.parse(str(seen), seen.viewer_number if seen is state else seen.viewer) != seen:
                yield Finding("text.py: `parse_position`", f"{quoted(str(seen))} is read as another position")
        except ValueError as wrong:
            yield Finding("text.py: `parse_position`", f"refuses {quoted(str(seen))}, which `format_position` has written: {wrong}")
    for text, action in state.actions.items():
        read = chosen.book.text.parse_action(state.record[0], text)
        if read != action:
            yield Finding("text.py: `parse_action`", f"{quoted(text)} is read as {read}, and is {action}, at {state}")
    yield from _of_refusals(state)
    if state.seat is not None:
        forced = int(chosen.book.rules.forced(state.record[0], rng(1)))
        if forced not in state.actions.values():
            yield Finding("rules.py: `forced`", f"{forced} is not legal, at {state}")
    if state.record.tobytes() != before:
        yield Finding("text.py", f"something that only looks has changed the position {state}")


def _of_refusals(state: State) -> Findings:
    """Some actions that are not legal but can be written and read are refused in words."""
    text, s = state.game.book.text, state.record[0]
    others = sorted({*range(state.game.book.rules.action_space(s))} - {*state.actions.values()}) if state.seat is not None else []
    for action in others[:: len(others) // _REFUSED + 1]:
        try:
            if text.parse_action(s, text.format_action(s, action)) != action:
                continue
        except Exception:  # what is far from legal need not have a text
            continue
        refused = text.refusal(s, action)
        if not isinstance(refused, IllegalAction):
            yield Finding("text.py: `refusal`", f"gives {quoted(refused)}, which is no `IllegalAction`, at {state}")
        else:
            yield from _said(state.game.book, refused.phrase, "text.py: `refusal`")


def of_clicks(state: State) -> Findings:
    """Pointing at places of the board leads to each action, and to one only."""
    places = {place.id for place in state.scene().board.places}
    paths: dict[tuple[str, ...], str] = {}
    for text in state.legal():
        path = state.clicks(text)
        for unknown in [place for place in path if place not in places]:
            yield Finding("scene.py: `clicks`", f"{quoted(unknown)} for {quoted(text)} is no place of the board, at {state}")
        if not path or path in paths:
            yield Finding("scene.py: `clicks`", f"{quoted(text)} and {quoted(paths.get(path, 'nothing'))} are pointed at alike, at {state}")
        paths[path] = text
    for path, text in paths.items():
        if any(path[:n] in paths for n in range(1, len(path))):
            yield Finding("scene.py: `clicks`", f"pointing at {quoted(text)} begins with another action, at {state}")


def of_chance(state: State, seed: int) -> Findings:
    """What chance draws follows from the seed, and its text plays it."""
    if not state.chance:
        return
    book, drawn, again, told = state.game.book, state.record, state.record, state.record
    book.rules.chance(drawn[0], rng(seed))
    book.rules.chance(again[0], rng(seed))
    if drawn.tobytes() != again.tobytes():
        yield Finding("rules.py: `chance`", f"draws otherwise from the same `rng`, at {state}")
        return
    text = book.text.draw_chance(told[0], rng(seed))
    if told.tobytes() != drawn.tobytes():
        yield Finding("text.py: `draw_chance`", f"draws otherwise than `rules.chance`, at {state}")
    elif state.play(text).record.tobytes() != drawn.tobytes():
        yield Finding("text.py: `parse_chance`", f"{quoted(text)} plays something else than what was drawn, at {state}")
    for seat in (*range(state.game.seats), None):
        if state.view(seat).play(text) != state.play(text).view(seat):
            yield Finding("text.py: `parse_chance`", f"{quoted(text)} played in the view of {_viewer(seat)} is not what they see of it, at {state}")


def of_pictures(state: State) -> Findings:
    """Every viewer gets a picture, in all languages, of things that are told apart."""
    for seen in (state, *_views(state)):
        scene = seen.scene(targets=True)
        found = list(_of_scene(scene))
        yield from found
        if found:  # then it can't be drawn
            return
        for language in LANGUAGES if seen is state else LANGUAGES[:1]:
            seen.svg(targets=True, language=language)
            seen.ascii(targets=True, language=language)
        for hook, phrase in (("prompt", scene.prompt), ("reason", scene.reason)):
            if phrase is not None:
                yield from _said(state.game.book, phrase, f"scene.py: `{hook}`")
        yield from _heard_apart(state.game.book, scene)


def _heard_apart(book: Rulebook, scene: Scene) -> Findings:
    """Whoever listens hears a place and then what stands there: a piece has words, and does not only say its place again."""
    places = {(place.x, place.y): place.say for place in scene.board.places}
    standing = {(places[piece.x, piece.y], piece.say) for piece in scene.look.pieces if (piece.x, piece.y) in places}
    for place, piece in standing:
        if piece is None:
            yield Finding("scene.py: `look`", f"what stands on {quoted(book.say(place))} says nothing")
            continue
        for language in LANGUAGES:
            if book.say(place, language) in (said := book.say(piece, language)):
                yield Finding(f"words/{language}.json: `{piece.key}`", f"says its place again: {quoted(said)}")


def _of_scene(scene: Scene) -> Findings:
    for hook, ids in (("board", [place.id for place in scene.board.places]), ("look", [piece.id for piece in scene.look.pieces])):
        for id, number in Counter(ids).items():
            if number > 1:
                yield Finding(f"scene.py: `{hook}`", f"{number} things are called {quoted(id)}")
    board, look = scene.board, scene.look
    drawn: tuple[tuple[str, str, Iterable[Any], Iterable[str]], ...] = (
        ("board", "ground", board.grounds, Ground.KINDS), ("board", "place", board.places, Place.KINDS), ("look", "piece", look.pieces, SHAPES),
        ("look", "mark", look.marks, Mark.KINDS), ("look", "stroke", look.strokes, Stroke.KINDS),
    )  # fmt: skip
    for hook, what, things, kinds in drawn:
        for kind in sorted({thing.kind for thing in things}.difference(kinds)):
            yield Finding(f"scene.py: `{hook}`", f"{quoted(kind)} is no kind of {what}; there are {', '.join(kinds)}")
    places = {place.id for place in scene.board.places}
    named = [place for tint in scene.look.tints for place in tint.places] + [mark.place for mark in scene.look.marks]
    for unknown in sorted({place for place in named if place not in places}):
        yield Finding("scene.py: `look`", f"{quoted(unknown)} is no place of the board")


def of_views(state: State) -> Findings:
    """What a viewer sees hides the same when it is hidden again, and what it imagines looks the same to it."""
    for seen in _views(state):
        if seen.view(seen.viewer) != seen:
            yield Finding("rules.py: `hide`", f"hides more the second time from {_viewer(seen.viewer)}, at {state}")
        if (seen.seat, seen.chance, seen.over, seen.winner, seen.scores) != (state.seat, state.chance, state.over, state.winner, state.scores):
            yield Finding("rules.py: `hide`", f"who acts or how it stands is another for {_viewer(seen.viewer)}, at {state}")
        guess = seen.imagine(9)
        if guess.view(seen.viewer) != seen or guess.seat != state.seat:
            yield Finding("rules.py: `imagine`", f"makes a position that {_viewer(seen.viewer)} would see otherwise, at {state}")


def closely(state: State) -> Findings:
    """Everything that can be asked of one position."""
    for check in (of_turn, of_texts, of_clicks, of_pictures, of_views):
        found = list(check(state))
        yield from found
        if found:  # the rest would only say the same in other words
            return


def _views(state: State) -> list[State]:
    return [state.view(seat) for seat in (*range(state.game.seats), None)]


def _viewer(seat: int | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


def _said(book: Rulebook, phrase: Phrase, where: str) -> Findings:
    for language in LANGUAGES:
        try:
            book.say(phrase, language)
        except KeyError as missing:
            yield Finding(where, f"{missing.args[0]}")


# --- all together ---


def first_look(name: str) -> Findings:
    """What keeps a game from being opened: its folder, its options, its words, and its first positions."""
    book = rulebook(name)
    for language in LANGUAGES:
        words.load(book.package, language)
    found = [*of_options(book), *of_colours(book)]
    yield from found
    if not found:
        first = game(name).start()
        starts = [first, game(name).start(seed=1)] if first.chance else [first]
        told: set[Finding] = set()  # both may have the same fault, and one picture several times
        for finding in (one for state in starts for one in closely(state)):
            if finding not in told:
                yield finding
            told.add(finding)


def everything(name: str, tell: Callable[[str], None]) -> Findings:
    """First that, then games at random with all options, each position looked at; `tell` is told what is looked at now."""
    tell("its folder")
    found = list(first_look(name))
    yield from found
    yield from of_words(name)
    if not found:
        told = set()
        for finding in _everywhere(name, tell):
            if finding.where not in told:  # once is enough
                yield finding
            told.add(finding.where)


def _everywhere(name: str, tell: Callable[[str], None]) -> Findings:
    demo = files(package(name)).joinpath("demo.txt")
    if demo.is_file():
        yield from guarded(name, _replayed(demo.read_text("utf-8")))
    for options in variants(rulebook(name).options):
        try:
            chosen = game(name, **options)
        except ValueError:  # options that do not go together
            continue
        said = ", ".join(f"{key}={value}" for key, value in options.items()) or "plain options"
        for seed in range(1 if options else SEEDS):
            yield from guarded(name, _played(chosen, seed, lambda ply, said=said: tell(f"{said}, ply {ply}")))  # type: ignore[misc]


def variants(options: tuple[Option, ...]) -> Iterator[dict[str, Value]]:
    """The plain options; then each other value of each, the ends of those that are numbers."""
    yield {}
    for option in options:
        others: tuple[Value, ...] = option.choices or ((not option.default,) if isinstance(option.default, bool) else (option.low, option.high))
        yield from ({option.name: value} for value in others if value != option.default)


def _replayed(demo: str) -> Findings:
    try:
        for _ in GameRecord.from_text(demo).states():
            pass
    except ValueError as wrong:
        yield Finding("demo.txt", str(wrong))


def _played(chosen: Game, seed: int, tell: Callable[[int], None]) -> Findings:
    """A game at random; it ends with the first position that something is wrong with."""
    dice, state = random.Random(seed), chosen.start()
    for ply in range(PLIES):
        tell(ply)
        found = [*(closely(state) if ply % _CLOSER == 0 or state.over else of_turn(state)), *of_chance(state, ply)]
        yield from found
        if found or state.over:
            return
        state = state.play(state.draw(dice.getrandbits(32)) if state.chance else dice.choice(state.legal()))


def guarded(name: str, findings: Findings) -> Findings:
    """The same, where an error that a game's folder brings about is a finding, too."""
    try:
        yield from findings
    except Exception as fault:
        yield blamed(package(name), fault)


def blamed(package: str, fault: Exception) -> Finding:
    """The last place in a game's folder on the way to an error."""
    if isinstance(fault, SyntaxError):
        return Finding(f"{Path(fault.filename or '').name}:{fault.lineno}", f"{fault.msg}")
    said = f"{fault.args[0]}" if isinstance(fault, KeyError) and fault.args else str(fault)
    ways = [(_inside(package, way.filename), way) for way in traceback.extract_tb(fault.__traceback__)]
    for file, way in reversed(ways):
        if file is not None:
            return Finding(f"{file}:{way.lineno}: `{way.name}`", f"{type(fault).__name__}: {said}")
    return Finding(package, said.removeprefix(f"{package}: ") or type(fault).__name__)


def _inside(package: str, path: str) -> str | None:
    """The name of a file in a game's folder; None for any other."""
    folder = Path(str(files(package)))
    return str(Path(path).relative_to(folder)) if Path(path).is_relative_to(folder) else None


# --- in a process apart ---

_WAY = re.compile(r'File "([^"]+)", line (\d+) in (\S+)')


def ask(module: str, name: str, seconds: float = SECONDS) -> Iterator[dict[str, Any]]:
    """What a process tells that looks at a game (`answering` there), with a finding in the end if it worked for so long in silence, or ended otherwise."""
    paths = os.pathsep.join(path for path in sys.path if path)
    more = {"PYTHONPATH": paths, "HANPAN_INTERPRET": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryFile("w+") as said:
        command = [sys.executable, "-P", "-m", module, name, str(seconds)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True, env={**os.environ, **more})
        with process:
            try:
                assert process.stdout is not None
                yield from map(json.loads, process.stdout)
                status = process.wait()
            finally:
                process.kill()
        if status != 0:
            said.seek(0)
            yield {"found": _ended(name, said.read(), seconds)}


def _ended(name: str, said: str, seconds: float) -> Finding:
    """What a process has said before it ended too soon."""
    if "Timeout (" not in said:
        return Finding(package(name), said.strip().rpartition("\n")[2] or "the process has ended")
    ways = [(_inside(package(name), path), line, function) for path, line, function in _WAY.findall(said.partition("Timeout (")[2])]
    place = next((f"{file}:{line}: `{function}`" for file, line, function in ways if file is not None), package(name))
    return Finding(place, f"takes more than {seconds:g} s of work")


def answering(look: Callable[[str, Callable[[str, object], None]], None]) -> None:
    """Be such a process: `look` gets the game's name, and a function for what there is to tell."""
    name, seconds = sys.argv[1], float(sys.argv[2])
    sink, sys.stdout = sys.stdout, sys.stderr  # whatever a game prints is no answer

    def tell(kind: str, what: object) -> None:
        _limit(seconds)
        _write(sink, {kind: what})

    def listen() -> None:
        sys.stdin.read()
        os._exit(1)  # whoever asked has gone

    _limit(seconds)
    threading.Thread(target=listen, daemon=True).start()
    look(name, tell)
    sink.flush()
    os._exit(0)  # whatever threads a game may have started


def _limit(seconds: float) -> None:
    """From now on this process may work for so many seconds: a machine that has much else to do is no fault of a game's. Nor may it wait for long."""
    faulthandler.dump_traceback_later(_WAITING * seconds, exit=True)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _too_long(*_: object) -> None:
    sys.stderr.write("Timeout (of work)\n")
    sys.stderr.flush()
    faulthandler.dump_traceback(all_threads=False)
    os._exit(1)


def _write(sink: TextIO, line: dict[str, object]) -> None:
    sink.write(json.dumps(line) + "\n")
    sink.flush()


def _look(name: str, tell: Callable[[str, object], None]) -> None:
    for finding in guarded(name, everything(name, lambda what: tell("at", what))):
        tell("found", finding)


if __name__ == "__main__":
    answering(_look)
