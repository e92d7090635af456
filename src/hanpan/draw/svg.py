"""A scene as an SVG picture."""

from __future__ import annotations

from html import escape
from typing import Protocol

from hanpan.core.scene import Ground, Label, Mark, Piece, Place, Scene, Stroke, Tint
from hanpan.core.words import Phrase
from hanpan.draw.palette import style

UNIT = 100  # one cell in the picture's own units
MARGIN = 0.3
_SERIF = "'Noto Serif CJK JP','Noto Serif JP','Hiragino Mincho ProN','Yu Mincho',serif"
_SANS = "system-ui,'Noto Sans KR','Noto Sans JP','Noto Sans SC','Noto Sans CJK KR',sans-serif"


class Speaker(Protocol):
    """Says a game's phrases."""

    def say(self, phrase: Phrase, language: str = "en") -> str:
        """The phrase in a language."""


def svg(scene: Scene, speaker: Speaker, theme: str = "auto", language: str = "en") -> str:
    """The picture of a scene."""
    board = scene.board
    strip = 0.8 if all(counter.seat is not None for counter in scene.look.counters) else 1.1  # the seats, and a line for the table
    width, height = board.width + 2 * MARGIN, board.height + 2 * MARGIN + strip
    shown = set(scene.targets)
    body = [_ground(ground, scene) for ground in board.grounds]
    body += [_place(place, place.id in shown, speaker, language) for place in board.places]
    places = {place.id: place for place in board.places}
    body += [_tint(tint, places, scene) for tint in scene.look.tints]
    body += [_halo(mark, places) for mark in scene.look.marks if mark.kind == "last"]
    body += [
        _text(caption.text, caption.x, caption.y, caption.size, "ink-2" if caption.seat is None else scene.colours[caption.seat], "middle")
        for caption in board.captions
    ]
    body += [_label(label, scene, speaker, language) for label in scene.look.labels]
    body += [_stroke(stroke, places, scene) for stroke in scene.look.strokes if stroke.kind == "tie"]
    body += [_piece(piece, scene, speaker, language) for piece in scene.look.pieces]
    body += [_stroke(stroke, places, scene) for stroke in scene.look.strokes if stroke.kind == "row"]
    body += [_mark(mark, places) for mark in scene.look.marks if mark.kind != "last"]
    taken = {(piece.x, piece.y) for piece in scene.look.pieces}
    body += [_target(places[target], taken) for target in scene.targets if places[target].kind != "button"]
    body.append(_strip(scene, speaker, language, board.height + MARGIN))
    name = escape(speaker.say(Phrase("name"), language))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="hanpan" role="img" aria-label="{name}" '
        f'viewBox="{_n(-MARGIN)} {_n(-MARGIN)} {_n(width)} {_n(height)}" width="{round(width * 56)}" height="{round(height * 56)}" font-family="{_SANS}">'
        f"<style>{style(theme)}</style>{_DEFS}"
        f'<rect x="{_n(-MARGIN)}" y="{_n(-MARGIN)}" width="{_n(width)}" height="{_n(height)}" fill="var(--paper)"/>' + "".join(body) + "</svg>\n"
    )


_DEFS = (
    "<defs>"
    '<filter id="soft" x="-30%" y="-30%" width="160%" height="160%"><feDropShadow dx="0" dy="3" stdDeviation="3" flood-opacity=".35"/></filter>'
    '<filter id="lift" x="-10%" y="-10%" width="120%" height="120%"><feDropShadow dx="0" dy="5" stdDeviation="7" flood-opacity=".28"/></filter>'
    '<linearGradient id="wood" x1="0" y1="0" x2=".35" y2="1"><stop stop-color="var(--board)"/><stop offset="1" stop-color="var(--board-2)"/></linearGradient>'
    '<linearGradient id="sheen" x1="0" y1="0" x2="0" y2="1"><stop stop-color="#fff" stop-opacity=".28"/><stop offset=".5" stop-color="#fff" stop-opacity="0"/>'
    '<stop offset="1" stop-color="#000" stop-opacity=".22"/></linearGradient>'
    '<linearGradient id="face" x1="0" y1="0" x2=".3" y2="1"><stop stop-color="var(--koma)"/><stop offset="1" stop-color="var(--koma-2)"/></linearGradient>'
    '<radialGradient id="drill" cy=".35"><stop stop-color="#000" stop-opacity=".38"/><stop offset="1" stop-color="#000" stop-opacity=".1"/></radialGradient>'
    '<radialGradient id="glass" cx=".36" cy=".3" r=".75"><stop stop-color="#fff" stop-opacity=".75"/><stop offset=".25" stop-color="#fff" stop-opacity=".2"/>'
    '<stop offset="1" stop-color="#000" stop-opacity=".3"/></radialGradient>'
    '<pattern id="hatch" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="5" height="14" fill="var(--ink-2)" opacity=".3"/></pattern>'
    "</defs>"
)


def _n(value: float) -> str:
    """A length in the picture's units, without needless digits."""
    return f"{value * UNIT:.2f}".rstrip("0").rstrip(".")


def _rect(x: float, y: float, w: float, h: float, radius: float, rest: str) -> str:
    """A rectangle around its centre."""
    return f'<rect x="{_n(x - w / 2)}" y="{_n(y - h / 2)}" width="{_n(w)}" height="{_n(h)}" rx="{_n(radius)}" {rest}/>'


def _circle(x: float, y: float, r: float, rest: str) -> str:
    return f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" {rest}/>'


def _text(text: str, x: float, y: float, size: float, colour: str, anchor: str = "middle", rest: str = "") -> str:
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" fill="var(--{colour})" text-anchor="{anchor}" '
        f'dominant-baseline="central" {rest}>{escape(text)}</text>'
    )


def _ground(ground: Ground, scene: Scene) -> str:
    x, y, w, h = ground.x, ground.y, ground.w, ground.h
    colour = "line" if ground.seat is None else scene.colours[ground.seat]
    if ground.kind == "table":
        return _rect(x, y, w, h, 0.2, 'fill="var(--card)" stroke="var(--line)" stroke-width="2"')
    if ground.kind == "cloth":
        return _rect(x, y, w, h, 0.3, 'fill="var(--cloth)" stroke="var(--cloth-2)" stroke-width="4"')
    if ground.kind == "board":
        return _rect(x, y, w + 0.16, h + 0.16, 0.1, 'fill="url(#wood)" stroke="var(--grid)" stroke-width="3" filter="url(#lift)"')
    if ground.kind == "tile":
        body = _rect(x, y, w - 0.05, h - 0.05, 0.1, f'fill="var(--tile-{ground.tone % 4})" stroke="var(--seam)" stroke-width="3" filter="url(#soft)"')
        return body + _rect(x, y, w - 0.05, h - 0.05, 0.1, 'fill="url(#sheen)" opacity=".55"')
    if ground.kind == "field":
        return _rect(x, y, w, h, 0.12, f'fill="url(#wood)" stroke="var(--{colour})" stroke-width="5"')
    return _rect(x, y, w, h, 0.08, f'fill="var(--{colour})" opacity=".3"')


def _place(place: Place, target: bool, speaker: Speaker, language: str) -> str:
    x, y, w, h = place.x, place.y, place.w, place.h
    if place.kind == "cell":
        return _rect(x, y, w, h, 0.06 if w < 1 else 0.0, 'fill="var(--cell)" stroke="var(--grid)" stroke-width="1.6"')
    if place.kind == "hole":
        return _circle(x, y, w * 0.36, 'fill="var(--hole)"') + _circle(x, y, w * 0.36, 'fill="url(#drill)"')
    if place.kind == "spot":
        return _rect(x, y, w, h, 0.08, 'fill="none" stroke="var(--grid)" stroke-width="1.5" stroke-dasharray="6 6" opacity=".8"')
    if place.kind == "button" and target:
        label = speaker.say(place.say, language)
        return _rect(x, y, w, h, 0.12, 'fill="var(--card)" stroke="var(--accent)" stroke-width="2.5"') + _text(label, x, y, min(0.32, h * 0.5), "accent")
    return ""


def _tint(tint: Tint, places: dict[str, Place], scene: Scene) -> str:
    fill = 'fill="url(#hatch)"' if tint.seat is None else f'fill="var(--{scene.colours[tint.seat]})" opacity=".26"'
    if tint.closed:
        return _outline([places[p] for p in tint.places], "ink" if tint.seat is None else scene.colours[tint.seat])
    return "".join(_rect(places[p].x, places[p].y, *_size(places[p]), 0, fill) for p in tint.places)


def _size(place: Place) -> tuple[float, float]:
    """How much of the board a place takes up: a hole stands for its whole cell."""
    return (1, 1) if place.kind == "hole" else (place.w, place.h)


def _outline(cells: list[Place], colour: str) -> str:
    """The rim of cells that hang together: their sides that no other of them shares."""
    inside = {(cell.x, cell.y) for cell in cells}
    sides = [
        f"M{_n(x + dx / 2 - abs(dy) / 2)} {_n(y + dy / 2 - abs(dx) / 2)}{'v' if dx else 'h'}{UNIT}"
        for x, y in sorted(inside)
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))
        if (x + dx, y + dy) not in inside
    ]
    dashed = f'fill="none" stroke="var(--{colour})" stroke-width="7" stroke-linecap="round"'
    return f'<path d="{"".join(sides)}" {dashed}/>'


def _stroke(stroke: Stroke, places: dict[str, Place], scene: Scene) -> str:
    """What counts together: ties between pieces, or a line over those that stand in a row."""
    start, to = places[stroke.start], places[stroke.to]
    line = f'd="M{_n(start.x)} {_n(start.y)}L{_n(to.x)} {_n(to.y)}" stroke-linecap="round"'
    below, above = ("#000", "#fff") if stroke.kind == "row" else ("#fff", f"var(--{scene.colours[stroke.seat]})")
    wide, thin = (15, 8) if stroke.kind == "row" else (34, 22)
    return f'<path {line} stroke="{below}" stroke-width="{wide}" stroke-opacity=".6"/><path {line} stroke="{above}" stroke-width="{thin}"/>'


def fitting(text: str, size: float, width: float) -> str:
    """As much of a text as fits into a width; letters of the East are as wide as they are high."""
    left = width / size
    for n, letter in enumerate(text):
        left -= 1.0 if ord(letter) > 0x2E80 else 0.62
        if left < 0:
            return text[: max(1, n - 1)].rstrip() + "…"
    return text


def _label(label: Label, scene: Scene, speaker: Speaker, language: str) -> str:
    said = fitting(" · ".join(speaker.say(phrase, language) for phrase in label.say), label.size, label.w)
    bold = "" if label.seat is None else 'font-weight="700"'
    return _text(said, label.x, label.y, label.size, "ink-2" if label.seat is None else scene.colours[label.seat], rest=bold)


def _halo(mark: Mark, places: dict[str, Place]) -> str:
    place = places[mark.place]
    grow = 0.14 if place.kind in ("slot", "handle") else 0.0
    return _rect(place.x, place.y, place.w + grow, place.h + grow, 0.1, 'fill="var(--accent)" opacity=".3"')


def _mark(mark: Mark, places: dict[str, Place]) -> str:
    place = places[mark.place]
    if mark.kind == "ring":
        return _circle(place.x, place.y, place.w * 0.42, 'fill="none" stroke="#fff" stroke-width="6"')
    if mark.kind == "attack":
        return _rect(place.x, place.y, place.w + 0.1, place.h + 0.1, 0.12, 'fill="none" stroke="var(--accent)" stroke-width="6"')
    return _rect(place.x, place.y, place.w, place.h, 0.12, 'fill="none" stroke="var(--accent)" stroke-width="4" stroke-dasharray="10 7"')


def _target(place: Place, taken: set[tuple[float, float]]) -> str:
    if place.kind == "slot":
        return _rect(place.x, place.y, place.w, place.h, 0.05, 'fill="var(--accent)" opacity=".16"')
    if place.kind in ("spot", "hand"):
        return _rect(place.x, place.y, place.w, place.h, 0.1, 'fill="none" stroke="var(--accent)" stroke-width="4"')
    if (place.x, place.y) in taken:
        return _circle(place.x, place.y, 0.45, 'fill="none" stroke="var(--accent)" stroke-width="5" opacity=".8"')
    return _circle(place.x, place.y, 0.13, 'fill="var(--accent)" opacity=".75"')


# --- pieces ---


def _piece(piece: Piece, scene: Scene, speaker: Speaker, language: str) -> str:
    colour = "lacquer" if piece.seat is None else scene.colours[piece.seat]
    drawn = SHAPES[piece.kind](piece, colour)
    if piece.kind in ("pawn", "stone") or (piece.kind == "wall" and piece.seat is not None):
        drawn += _sign(piece, piece.seat or 0)
    title = f"<title>{escape(speaker.say(piece.say, language))}</title>" if piece.say else ""
    turn = f' transform="rotate({piece.turned} {_n(piece.x)} {_n(piece.y)})"' if piece.turned else ""
    return f"<g{turn}>{title}{drawn}</g>"


def _sign(piece: Piece, seat: int) -> str:
    """The seat's second sign, so that nobody needs the colour: a ring, a bar, a triangle, a square."""
    x, y, r = piece.x, piece.y - (0.1 if piece.kind == "pawn" else 0), min(piece.w, piece.h) * (0.28 if piece.kind == "wall" else 0.16)
    white = 'fill="#fff" opacity=".95"'
    if seat == 0:
        return _circle(x, y, r, f'fill="none" stroke="#fff" stroke-width="{_n(r * 0.55)}"')
    if seat == 1:
        return _rect(x, y, r * 2.4, r * 0.8, 0.03, white)
    if seat == 2:
        return f'<path d="M{_n(x)} {_n(y - r * 1.2)}L{_n(x + r * 1.2)} {_n(y + r)}H{_n(x - r * 1.2)}Z" {white}/>'
    return _rect(x, y, r * 1.8, r * 1.8, 0.02, white)


def _edge(colour: str) -> str:
    """What a piece stands out by, whatever it stands on."""
    return "lacquer-2" if colour == "lacquer" else f"{colour}-edge" if colour in ("black", "white") else "edge"


def _pawn(piece: Piece, colour: str) -> str:
    x, y, w = piece.x, piece.y, piece.w
    head, base = w * 0.27, w * 0.4
    body = f"M{_n(x - base)} {_n(y + base)}C{_n(x - base)} {_n(y + base * 0.2)} {_n(x - head * 0.7)} {_n(y + base * 0.3)} "
    body += f"{_n(x - head * 0.6)} {_n(y - base * 0.1)}"
    body += f"H{_n(x + head * 0.6)}C{_n(x + head * 0.7)} {_n(y + base * 0.3)} {_n(x + base)} {_n(y + base * 0.2)} {_n(x + base)} {_n(y + base)}Z"
    fill = f'fill="var(--{colour})" stroke="var(--{_edge(colour)})" stroke-width="2"'
    shapes = f'<path d="{body}" {fill}/>' + _circle(x, y - base * 0.42, head * 1.12, fill)
    return f'<g filter="url(#soft)">{shapes}</g>' + _circle(x, y - base * 0.42, head * 1.12, 'fill="url(#glass)" opacity=".45"')


def _round(piece: Piece, colour: str) -> str:
    r = piece.w / 2
    body = _circle(piece.x, piece.y, r, f'fill="var(--{colour})" stroke="var(--{_edge(colour)})" stroke-width="2.5" filter="url(#soft)"')
    return body + _circle(piece.x, piece.y, r, 'fill="url(#glass)" opacity=".5"')


def _marble(piece: Piece, colour: str) -> str:
    body = _round(piece, colour) + _circle(piece.x, piece.y, piece.w / 2, 'fill="url(#glass)"')
    if piece.seat == 0:  # the second sign of the two marbles: the first seat's has a bright core
        body += _circle(piece.x, piece.y, piece.w * 0.13, f'fill="var(--{colour}-2)"')
    return body


def _stone(piece: Piece, colour: str) -> str:
    return _round(piece, colour)


def _bar(piece: Piece, colour: str) -> str:
    body = _rect(piece.x, piece.y, piece.w, piece.h, 0.03, f'fill="var(--{colour})" stroke="var(--{_edge(colour)})" stroke-width="1.5" filter="url(#soft)"')
    return body + _rect(piece.x, piece.y, piece.w, piece.h, 0.03, 'fill="url(#sheen)"')


def _half(piece: Piece, colour: str) -> str:
    """A cut wall: both ends broken."""
    long, thick = max(piece.w, piece.h) / 2, min(piece.w, piece.h) / 2
    tooth = thick * 0.9
    corners = [(-long, -thick), (long, -thick), (long - tooth, -thick / 3), (long, thick / 3), (long - tooth, thick)]
    corners += [(-long + tooth, thick), (-long, thick / 3), (-long + tooth, -thick / 3)]
    turned = [(x, y) if piece.w >= piece.h else (y, x) for x, y in corners]
    path = "M" + "L".join(f"{_n(piece.x + x)} {_n(piece.y + y)}" for x, y in turned) + "Z"
    return f'<path d="{path}" fill="var(--{colour})" stroke="var(--{_edge(colour)})" stroke-width="1.5" filter="url(#soft)"/>'


def _koma(piece: Piece, colour: str) -> str:
    x, y, w, h = piece.x, piece.y, piece.w, piece.h
    top, shoulder, foot = y - h / 2, y - h * 0.3, y + h / 2
    path = f"M{_n(x)} {_n(top)}L{_n(x + w * 0.36)} {_n(shoulder)}L{_n(x + w * 0.48)} {_n(foot)}H{_n(x - w * 0.48)}L{_n(x - w * 0.36)} {_n(shoulder)}Z"
    fill = "var(--koma-back)" if piece.face_down and not piece.text else "url(#face)"
    body = f'<path d="{path}" fill="{fill}" stroke="var(--koma-edge)" stroke-width="2.5" stroke-linejoin="round" filter="url(#soft)"/>'
    if piece.text:
        faint = ' opacity=".5"' if piece.face_down else ""
        body += _text(piece.text, x, y + h * 0.1, h * 0.46, "koma-ink", rest=f'font-family="{_SERIF}" font-weight="700"{faint}')
    return body


SHAPES = {"pawn": _pawn, "stone": _stone, "disc": _round, "marble": _marble, "wall": _bar, "half": _half, "koma": _koma}


def _strip(scene: Scene, speaker: Speaker, language: str, y: float) -> str:
    """Below the board: each seat's colour, name and counters; a triangle before the seat to act."""
    seats = len(scene.colours)
    wide = scene.board.width / seats
    drawn = []
    for seat in range(seats):
        x = seat * wide
        name = speaker.say(Phrase(f"seats.{seat}"), language)
        chip = Piece("", "stone", x + 0.24, y + 0.22, 0.34, 0.34, seat)
        drawn.append(_round(chip, scene.colours[seat]) + ("" if scene.colours[seat] in ("black", "white") else _sign(chip, seat)))
        drawn.append(_text(("▸ " if scene.turn == seat else "") + name, x + 0.5, y + 0.22, 0.28, "ink", "start", 'font-weight="600"'))
        counters = [f"{speaker.say(c.say, language)} {c.value}" for c in scene.look.counters if c.seat == seat]
        drawn.append(_text(" · ".join(counters), x + 0.07, y + 0.6, 0.24, "ink-2", "start"))
    shared = " · ".join(f"{speaker.say(c.say, language)} {c.value}" for c in scene.look.counters if c.seat is None)
    if shared:
        drawn.append(_text(shared, 0.07, y + 0.92, 0.24, "ink-2", "start"))
    return "".join(drawn)
