"""A scene in letters, for terminals: four columns and two lines a cell."""

from __future__ import annotations

import math
import unicodedata

from hanpan.core.extras import needed
from hanpan.core.scene import Place, Scene
from hanpan.core.words import Phrase
from hanpan.draw.palette import COLOURS
from hanpan.draw.svg import Speaker

with needed("a drawing for terminals", "rich"):
    from rich.text import Text

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LIGHT = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
_OWNED = "₁₂₃₄"


def drawing(scene: Scene, speaker: Speaker, language: str = "en") -> str:
    """The scene as plain lines of text."""
    return "\n".join(line.rstrip() for line in coloured(scene, speaker, language).plain.split("\n"))


def coloured(scene: Scene, speaker: Speaker, language: str = "en") -> Text:
    """The scene for a terminal with colours."""
    canvas = _Canvas(scene.board.width, scene.board.height)
    targets, taken = set(scene.targets), {(piece.x, piece.y) for piece in scene.look.pieces}
    owned = {place: tint.seat for tint in scene.look.tints if not tint.closed for place in tint.places}
    for ground in scene.board.grounds:
        if ground.kind in ("board", "tile", "field"):
            canvas.box(ground.x, ground.y, ground.w, ground.h)
    for caption in scene.board.captions:
        canvas.write(caption.x, caption.y, caption.text, "dim")
    for place in scene.board.places:
        if (place.x, place.y) not in taken:
            canvas.write(place.x, place.y, *_place_sign(place, place.id in targets, owned, scene))
    for piece in scene.look.pieces:
        if piece.kind in ("wall", "half"):
            canvas.bar(piece.x, piece.y, piece.w, piece.h, broken=piece.kind == "half")
        else:
            sign = piece.text or piece.sign or ("▢" if piece.face_down else "?")
            canvas.write(piece.x, piece.y, sign, "" if piece.seat is None else _seat_style(scene, piece.seat))
    for mark in scene.look.marks:
        place = next(p for p in scene.board.places if p.id == mark.place)
        if mark.kind in ("last", "ring", "attack") and place.kind in ("cell", "hole", "spot"):
            canvas.around(place.x, place.y)
    return canvas.text().append("\n").append(_strip(scene, speaker, language))


def _place_sign(place: Place, target: bool, owned: dict[str, int | None], scene: Scene) -> tuple[str, str]:
    if place.kind in ("slot", "handle", "button"):
        return "", ""
    if target:
        return "•", "bold cyan"
    owner = owned.get(place.id)
    if owner is not None:
        return _OWNED[owner], _seat_style(scene, owner)
    return {"cell": "·", "hole": "○", "spot": "·", "hand": " "}[place.kind], "dim"


def _seat_style(scene: Scene, seat: int) -> str:
    colour = scene.colours[seat]
    return "bold" if colour in ("black", "white") else f"bold {COLOURS[colour][1]}"


def _strip(scene: Scene, speaker: Speaker, language: str) -> Text:
    text = Text()
    for seat in range(len(scene.colours)):
        counters = "  ".join(f"{speaker.say(c.say, language)} {c.value}" for c in scene.look.counters if c.seat == seat)
        text.append("▸ " if scene.turn == seat else "  ")
        text.append(f"{seat + 1} {speaker.say(Phrase(f'seats.{seat}'), language)}", _seat_style(scene, seat))
        text.append(f"  {counters}\n" if counters else "\n")
    shared = "  ".join(f"{speaker.say(c.say, language)} {c.value}" for c in scene.look.counters if c.seat is None)
    if shared:
        text.append(f"  {shared}\n", "dim")
    text.right_crop(1)
    return text


class _Canvas:
    """A grid of letters with styles."""

    def __init__(self, width: float, height: float) -> None:
        self.columns, self.lines = round(width * 4) + 3, round(height * 2) + 2
        self._letters = [[" "] * self.columns for _ in range(self.lines)]
        self._styles = [[""] * self.columns for _ in range(self.lines)]
        self._joints = [[0] * self.columns for _ in range(self.lines)]

    def write(self, x: float, y: float, text: str, style: str = "") -> None:
        """Write around a point; a wide letter takes two columns."""
        column, line = round(x * 4) - len(text) // 2, round(y * 2)
        for letter in text:
            self._put(column, line, letter, style)
            column += 1
            if unicodedata.east_asian_width(letter) in "WF":
                self._put(column, line, "", "")
                column += 1

    def around(self, x: float, y: float) -> None:
        """Brackets around what stands at a point."""
        column, line = round(x * 4), round(y * 2)
        wide = 0 <= column + 1 < self.columns and self._letters[line][column + 1] == ""
        for at, letter in ((column - 1, "("), (column + (2 if wide else 1), ")")):
            if 0 <= at < self.columns and self._letters[line][at] == " " and not self._joints[line][at]:
                self._put(at, line, letter, "dim")

    def _put(self, column: int, line: int, letter: str, style: str) -> None:
        if 0 <= column < self.columns and 0 <= line < self.lines:
            self._letters[line][column], self._styles[line][column] = letter, style

    def box(self, x: float, y: float, w: float, h: float) -> None:
        """A thin frame; frames that touch are joined."""
        left, right, top, bottom = round((x - w / 2) * 4), round((x + w / 2) * 4), round((y - h / 2) * 2), round((y + h / 2) * 2)
        for column in range(left, right):
            for line in (top, bottom):
                self._join(column, line, _RIGHT)
                self._join(column + 1, line, _LEFT)
        for line in range(top, bottom):
            for column in (left, right):
                self._join(column, line, _DOWN)
                self._join(column, line + 1, _UP)

    def _join(self, column: int, line: int, side: int) -> None:
        if 0 <= column < self.columns and 0 <= line < self.lines:
            self._joints[line][column] |= side

    def bar(self, x: float, y: float, w: float, h: float, broken: bool) -> None:
        """A wall."""
        if w >= h:
            for column in range(round((x - w / 2) * 4) + 1, round((x + w / 2) * 4)):
                self._put(column, round(y * 2), "╍" if broken else "━", "bold")
        else:
            for line in range(math.ceil((y - h / 2) * 2 + 0.01), math.floor((y + h / 2) * 2 - 0.01) + 1):
                self._put(round(x * 4), line, "╏" if broken else "┃", "bold")

    def text(self) -> Text:
        """Everything, line by line."""
        result = Text()
        for line in range(self.lines):
            for column in range(self.columns):
                letter, joint = self._letters[line][column], self._joints[line][column]
                if letter == " " and joint:
                    result.append(_LIGHT[joint], "dim")
                elif letter:
                    result.append(letter, self._styles[line][column])
            if line < self.lines - 1:
                result.append("\n")
        return result
