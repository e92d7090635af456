"""A game in the terminal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from rich.columns import Columns
from rich.console import Console
from rich.prompt import Prompt

from hanpan.bots import Bot
from hanpan.bots.players import Player, make_player
from hanpan.bots.program import Fault
from hanpan.bots.show import patiently, told
from hanpan.core.level import LONGEST
from hanpan.core.refusal import IllegalAction
from hanpan.core.words import Phrase, say
from hanpan.draw.terminal import coloured
from hanpan.game import Game, State
from hanpan.record import GameRecord


class _Voice:
    """What a terminal says, in one language."""

    def __init__(self, console: Console, language: str) -> None:
        self.console, self.language = console, language

    def words(self, key: str, **values: object) -> str:
        return say("hanpan", Phrase(f"terminal.{key}", values), self.language)

    def say(self, key: str, style: str | None = None, **values: object) -> None:
        self.console.print(self.words(key, **values), style=style, highlight=False, markup=False, soft_wrap=True)


def play_in_terminal(game: Game, console: Console, seat: int, opponent: str | None, seed: int | None, language: str, keep: Path | None) -> None:
    """Play to the end, or until `quit`. opponent: who plays the other seats (see `make_player`); None: people at this terminal."""
    if seat >= game.seats:
        raise ValueError(f"--seat {seat + 1}: {game.name} has {game.seats} seats")
    dice = random.Random(seed)
    table = _GameSoFar(game, keep)
    others = _Others(game, seat, opponent, dice)
    hints = Bot(game.name, 8, seed=dice.getrandbits(32))
    voice = _Voice(console, language)
    voice.say("help", "dim")
    if table.record.actions:
        voice.say("goes_on", "dim", file=keep, n=len(table.record.actions))
    with _kept(voice, keep), closing(others):
        while not table.state.over:
            state = table.state
            if state.chance:
                drawn = state.draw(dice.getrandbits(32))
                voice.say("chance", "dim", what=state.told_chance(drawn))
                table.play(drawn)
            elif state.seat in others.players:
                action = others.choose(state, voice)
                voice.say("plays", seat=(state.seat or 0) + 1, action=state.told(action, seat))
                table.play(action)
            elif not _ask(table, voice, hints):
                return
    _show(table.state, voice)
    winners, scores = [str(winner + 1) for winner in table.state.winner or []], "–".join(str(score) for score in table.state.scores)
    voice.say("won" if winners else "draw", "bold", seats=voice.words("and").join(winners), scores=scores)


class _Others:
    """The computer players: one for each seat, so that none hears what another knows."""

    def __init__(self, game: Game, seat: int, spec: str | None, dice: random.Random) -> None:
        self.players: dict[int, Player] = {}
        for other in range(game.seats) if spec is not None else ():
            if other != seat:
                self.players[other] = make_player(spec or "", game.name)
                self.players[other].begin(dice.getrandbits(32))

    def choose(self, state: State, voice: _Voice) -> str:
        """What the seat to act plays; Ctrl-C makes it play at once."""
        assert state.seat is not None
        player, seen = self.players[state.seat], state.view(state.seat)
        try:
            with voice.console.status(voice.words("thinks", seat=state.seat + 1)):
                action = patiently(lambda: player.choose(seen), player.stop)
        except Fault as fault:
            raise ValueError(str(fault)) from None
        if action not in seen.legal():
            raise ValueError(f"seat {state.seat + 1} answered {action[:60]!r}, which is not legal")
        return action

    def close(self) -> None:
        for player in self.players.values():
            player.close()


class _GameSoFar:
    """The game so far, with a way back. Where it is kept there may be one already, which goes on."""

    def __init__(self, game: Game, keep: Path | None) -> None:
        self._keep = keep
        self.record = self._found(game) or GameRecord.begin(game)
        self.states = list(self.record.states())
        self._save()

    def _found(self, game: Game) -> GameRecord | None:
        """The game in the file, unless that is new; ValueError if it is none that can go on here."""
        if self._keep is None or not self._keep.is_file():
            return None
        try:
            found = GameRecord.read(self._keep.read_text("utf-8")) if self._keep.stat().st_size else None
            ended = found is not None and found.outcome() is not None
        except OSError as wrong:
            raise ValueError(f"--record {self._keep}: can't be read ({wrong.strerror})") from None
        except ValueError as wrong:
            raise ValueError(f"--record {self._keep}: something else is there already ({wrong})") from None
        if found is not None and (ended or found.game() != game):
            raise ValueError(f"--record {self._keep}: another game is there already{', which has ended' if ended else ''}")
        return found

    @property
    def state(self) -> State:
        return self.states[-1]

    def play(self, action: str) -> None:
        self.states.append(self.state.play(action))
        self.record = self.record.add(action)
        self._save()

    def back_to(self, number: int) -> None:
        """Forget all but the first so many positions."""
        del self.states[number:]
        self.record = replace(self.record, actions=self.record.actions[: number - 1])
        self._save()

    def _save(self) -> None:
        if self._keep is None:
            return
        text, file = self.record.to_json() + "\n", self._keep.resolve()
        part = file.with_name(f"{file.name}.part")  # what is there is kept until all of it can be written
        try:
            if file.exists() and not file.is_file():  # a pipe, or /dev/stdout
                file.write_text(text, "utf-8")
            else:
                part.write_text(text, "utf-8")
                part.replace(file)
        except OSError as wrong:
            with suppress(OSError):
                part.unlink()
            raise ValueError(f"--record {self._keep}: can't be written ({wrong.strerror})") from None


def _ask(table: _GameSoFar, voice: _Voice, hints: Bot) -> bool:
    """Let the person at the terminal act; False when they leave."""
    state, seat = table.state, table.state.seat
    assert seat is not None
    seen = state.view(seat)
    _show(seen, voice)
    while True:
        try:
            word = Prompt.ask(voice.words("seat", seat=seat + 1), console=voice.console).strip()
        except EOFError:
            return False
        if word == "quit":
            return False
        if word == "?":
            voice.console.print(Columns(seen.legal(), padding=(0, 2)), highlight=False)
        elif word == "hint":
            _hint(seen, voice, hints)
        elif word == "undo":
            earlier = [number for number, past in enumerate(table.states[:-1], 1) if past.seat == seat]
            if earlier:
                table.back_to(earlier[-1])
                return True
            voice.say("nothing")
        elif word:
            try:
                table.play(word)
                return True
            except IllegalAction as refused:
                voice.console.print(state.game.book.say(refused.phrase, voice.language), style="yellow", markup=False)


def _hint(seen: State, voice: _Voice, hints: Bot) -> None:
    """What the strongest level would play, and why. It knows no more than the person who asks."""
    with voice.console.status(voice.words("thinking")):
        *_, best = patiently(lambda: list(hints.analyse(seen, LONGEST, lines=1)), hints.stop)
    action, value = next(iter(best.values.items()))
    line = " ".join(best.line[1:7])
    voice.say("hint_line" if line else "hint", action=action, value=told(value, voice.language), line=line)


def _show(state: State, voice: _Voice) -> None:
    voice.console.print()
    voice.console.print(coloured(state.scene(targets=True), state.game.book, voice.language))
    if state.seat is not None and len(state.legal()) <= 12:
        voice.say("legal", "dim", actions="  ".join(state.legal()))


@contextmanager
def _kept(voice: _Voice, keep: Path | None) -> Iterator[None]:
    """Ctrl-C ends the game quietly and says where it is kept."""
    try:
        yield
    except KeyboardInterrupt:
        voice.console.print()
        voice.say("kept" if keep else "left", file=keep)
