"""Goita: what one sees. Four fields around the table, the viewer's own below, its hand under it; the next seat sits to the right."""

from __future__ import annotations

from hanpan.rule import Record, plain
from hanpan.scene import Board, Caption, Counter, Ground, Look, Mark, Piece, Place
from hanpan.words import Phrase

from . import koma, rules, table, views
from .history import OPEN, format_hand
from .koma import DIGITS, SIGNS
from .refusals import split
from .table import CLOSED, GOSHI, PLAY

lies_face_down, leads, stops, held = plain(table.lies_face_down), plain(table.leads), plain(koma.stops), plain(koma.held)
lies_open = plain(views.lies_open)

COLOURS = ("vermilion", "indigo", "jade", "ochre")
MIDDLE = 5.7  # centre of the table, in both directions
ATTACKS, BLOCKS, HAND, SPOTS = 2.6, 3.6, 4.95, 6.15  # how far from it the rows of a seat lie; the last one only when everything is open
KOMA = (0.8, 0.92)


def _below(viewer: int) -> int:
    """The seat that is drawn at the lower edge."""
    return max(viewer, 0)


def _at(side: int, right: float, away: float) -> tuple[float, float]:
    """A point as someone on that side sees it: so far to their right, so far from the centre towards them. Sides: below, right, above, left."""
    x, y = ((right, away), (away, -right), (-right, -away), (-away, right))[side]
    return MIDDLE + x, MIDDLE + y


def _field_place(n: int) -> tuple[float, float]:
    """Where the n-th place of a field lies (right, away): pairs from left to right, the attack nearer to the centre than its block."""
    return n // 2 - 1.5, ATTACKS if n % 2 else BLOCKS


def _field_id(seat: int, n: int) -> str:
    return f"field{seat + 1}-{n + 1}"


def board(s: Record, viewer: int) -> Board:
    """The table with its fields, the viewer's hand places and the buttons."""
    size = 2 * MIDDLE
    height = size + (SPOTS - HAND if viewer == OPEN else 0)
    grounds = [Ground("table", size / 2, height / 2, size, height)]
    places, captions = [], []
    for seat in range(4):
        side = (seat - _below(viewer)) % 4
        w, h = (4.1, 2.1) if side % 2 == 0 else (2.1, 4.1)
        grounds.append(Ground("field", *_at(side, 0, (ATTACKS + BLOCKS) / 2), w, h, seat))
        captions.append(Caption(str(seat + 1), *_at(side, -2.5, BLOCKS), 0.4, seat))
        for n in range(8):
            places.append(Place(_field_id(seat, n), "spot", *_at(side, *_field_place(n)), 1, 1, Phrase("places.field", {"seat": seat + 1, "n": n + 1})))
    if viewer >= 0 or viewer == OPEN:
        for n in range(8):
            places.append(Place(f"hand{n}", "spot", *_spot(n, viewer), 1, 1, Phrase("places.hand", {"n": n + 1})))
    for i, button in enumerate(("pass", "proceed", "redeal")):
        places.append(Place(button, "button", MIDDLE, MIDDLE + i - 1, 3, 0.8, Phrase(f"actions.{button}")))
    return Board(size, height, tuple(grounds), tuple(places), tuple(captions))


def _spot(n: int, viewer: int) -> tuple[float, float]:
    return _at(0, n - 3.5, SPOTS if viewer == OPEN else HAND)


def look(s: Record, viewer: int) -> Look:
    """The komas on the table and in the hands, the standing attack, the partner and the points."""
    counters = [Counter(seat, Phrase("counters.points"), str(s.score[seat % 2])) for seat in range(4)]
    counters.append(Counter(None, Phrase("counters.target"), str(s.target)))
    if s.dealer >= 0:
        counters.append(Counter(None, Phrase("counters.dealer"), str(s.dealer + 1)))
    marks = [Mark(_field_id(viewer ^ 2, 0), "partner", viewer ^ 2)] if viewer >= 0 else []
    pieces: list[Piece] = []
    if s.phase in (GOSHI, PLAY, CLOSED):
        counters += [Counter(seat, Phrase("counters.shi"), "5") for seat in range(4) if s.fives >> seat & 1]
        if s.attack:
            marks.append(Mark(_field_id(s.attacker, s.placed[s.attacker] - 1), "attack", int(s.attacker)))
        for seat in range(4):
            pieces += _komas(s, seat, viewer)
    if viewer == OPEN and rules.mover(s) >= 0:  # everyone plays at this table: the hand to play from lies below it once more
        seat = rules.mover(s)
        pieces += [_koma(f"spot{n}", seat, DIGITS.index(letter), _spot(n, viewer), 0) for n, letter in enumerate(format_hand(s.hand[seat]))]
    return Look(tuple(pieces), (), tuple(marks), tuple(counters))


def prompt(s: Record, viewer: int) -> Phrase:
    """What the seat to act is to do: to itself with what its hand allows, to the others with whose turn it is."""
    mover, own = rules.mover(s), viewer in (rules.mover(s), OPEN)
    seat, attack = Phrase(f"seats.{mover}"), SIGNS[s.attack]
    if s.phase == GOSHI:
        holder = Phrase(f"seats.{mover ^ 2}")
        return Phrase("prompts.goshi", {"holder": holder}) if own else Phrase("prompts.decides", {"holder": holder, "seat": seat})
    if leads(s):
        return Phrase("prompts.leads", {"seat": seat}) if not own else Phrase("prompts.last" if s.placed[mover] == 6 else "prompts.lead")
    if not own:
        return Phrase("prompts.answers", {"seat": seat, "koma": attack})
    blocks = any(stops(code, int(s.attack)) and held(int(s.hand[mover]), code) for code in range(1, 10))
    return Phrase("prompts.answer" if blocks else "prompts.must", {"koma": attack})


def reason(s: Record, viewer: int) -> Phrase:
    """Which pair has reached the points to win, and how both stand."""
    won = 0 if s.score[0] >= s.target else 1
    values = {"pair": Phrase(f"pairs.{won}"), "target": int(s.target), "won": int(s.score[won]), "lost": int(s.score[1 - won])}
    return Phrase("reasons.target", values)


def _komas(s: Record, seat: int, viewer: int) -> list[Piece]:
    """The komas of a seat, on its field and in its hand.

    A koma keeps its id from the hand to the field. Where the hand is known the id is its place in the hand as dealt; where it is
    not, the place on the field that it will come to, which tells nothing.
    """
    side = (seat - _below(viewer)) % 4
    known = viewer in (seat, OPEN) or lies_open(s, seat)
    left = list(enumerate(format_hand(s.dealt[seat]))) if known else []
    pieces = []
    for n, (code, covered) in enumerate(_field(s, seat)):
        name = n
        if known:
            name, letter = next(one for one in left if one[1] == DIGITS[code])
            left.remove((name, letter))
        pieces.append(_koma(f"koma{seat + 1}-{name + 1}", seat, code, _at(side, *_field_place(n)), 90 * (-side % 4), covered))
    hand = [(name, DIGITS.index(letter)) for name, letter in left] if known else [(n, 0) for n in range(int(s.placed[seat]), 8)]
    for n, (name, code) in enumerate(hand):
        right = n - (3.5 if seat == viewer else (len(hand) - 1) / 2)
        pieces.append(_koma(f"koma{seat + 1}-{name + 1}", seat, code, _at(side, right, HAND), 90 * (-side % 4), code == 0))
    return pieces


def _field(s: Record, seat: int) -> list[tuple[int, bool]]:
    """Code and whether it lies face down, for each koma on a seat's field."""
    found: list[tuple[int, bool]] = []
    turn = attacker = int(s.dealer)
    for pair in s.turns[: s.count].tolist():
        if pair:
            if turn == seat:
                found += [(pair // 10, lies_face_down(turn, attacker, len(found))), (pair % 10, False)]
            attacker = turn
        turn = (turn + 1) % 4
    return found


def _koma(name: str, seat: int, code: int, at: tuple[float, float], turned: int, covered: bool = False) -> Piece:
    called = Phrase(f"pieces.{DIGITS[code]}")
    say = Phrase("pieces.covered", {"koma": called}) if covered and code else called
    return Piece(name, "koma", *at, *KOMA, seat, SIGNS[code] if code else "", DIGITS[code], turned, covered, say)


def clicks(s: Record, a: int) -> tuple[str, ...]:
    """A button, or the hand places of the block and then the attack."""
    names = {rules.PASS: "pass", rules.PROCEED: "proceed", rules.REDEAL: "redeal"}
    if a in names:
        return (names[a],)
    block, attack = split(a)
    hand = format_hand(s.hand[s.turn])
    first = hand.index(DIGITS[block])
    return f"hand{first}", f"hand{first + 1 if block == attack else hand.index(DIGITS[attack])}"


def trail(s: Record, a: int) -> tuple[str, ...]:
    """The places of the field that the pair was laid on."""
    if a in (rules.PASS, rules.PROCEED, rules.REDEAL):
        return ()
    placed = int(s.placed[s.turn])
    return _field_id(s.turn, placed), _field_id(s.turn, placed + 1)
