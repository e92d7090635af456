"""Goita: what one sees. A table with four people around it: the viewer below with its hand fanned at the near edge, the next seat to the right; in the
middle the attack that must be answered, and how both pairs stand."""

from __future__ import annotations

from hanpan.core.rule import OPEN, Record, plain
from hanpan.core.scene import Board, Counter, Ground, Label, Look, Mark, Piece, Place
from hanpan.core.words import Phrase

from . import koma, rules, table, views
from .history import format_hand
from .koma import DIGITS, SIGNS
from .refusals import split
from .table import CLOSED, ENDED, GOSHI, PLAY

lies_face_down, leads, stops, held = plain(table.lies_face_down), plain(table.leads), plain(koma.stops), plain(koma.held)
lies_open = plain(views.lies_open)

COLOURS = ("vermilion", "indigo", "vermilion", "indigo")  # partners have one colour; each seat its own sign
X, Y = 5.1, 4.95  # the centre of the table
WIDTH, HEIGHT = 2 * X, 10.2
# How far from the centre things lie, for those who sit above and below and for those at the sides.
ATTACKS, BLOCKS, HANDS = (1.9, 2.75), (2.9, 3.75), (3.78, 4.65)
KOMA, SMALL, LARGE = (0.86, 0.98), (0.5, 0.57), (1.14, 1.32)
NEAR, STEP, FAN = 4.42, 1.24, 2  # the viewer's own hand: how far it lies, from koma to koma, degrees from one to the next
PLATES = ((-3.55, 2.6), (3.55, -2.75), (0.0, -4.42), (-3.55, -2.75))  # where the names of the four sides stand


def _below(viewer: int) -> int:
    """The seat that is drawn at the lower edge."""
    return max(viewer, 0)


def _side(seat: int, viewer: int) -> int:
    """Where a seat is drawn: below, right, above, left."""
    return (seat - _below(viewer)) % 4


def _at(side: int, right: float, away: float) -> tuple[float, float]:
    """A point as someone on that side sees it: so far to their right, so far from the centre towards them."""
    x, y = ((right, away), (away, -right), (-right, -away), (-away, right))[side]
    return round(X + x, 3), round(Y + y, 3)


def _field_place(side: int, n: int) -> tuple[float, float]:
    """Where the n-th place of a field lies: pairs from left to right, the attack nearer to the centre than its block."""
    return _at(side, n // 2 - 1.5, (ATTACKS if n % 2 else BLOCKS)[side % 2])


def _hand_place(side: int, n: int) -> tuple[float, float]:
    """Where the n-th koma of a hand stands: fanned large at the near edge, small before the others."""
    if side:
        return _at(side, (n - 3.5) * 0.52, HANDS[side % 2])
    return _at(0, (n - 3.5) * STEP, NEAR + (n - 3.5) ** 2 * 0.012)


def _field_id(seat: int, n: int) -> str:
    return f"field{seat + 1}-{n + 1}"


def _hand_id(seat: int, n: int) -> str:
    return f"hand{seat + 1}-{n + 1}"


def board(s: Record, viewer: int) -> Board:
    """The table with its cloth and fields, the places of the hands that the viewer plays from, and the buttons."""
    grounds = [Ground("table", X, HEIGHT / 2, WIDTH, HEIGHT), Ground("cloth", X, Y - 0.6, WIDTH - 0.3, 8.05)]
    places = []
    for seat in range(4):
        side = _side(seat, viewer)
        w, h = (4.1, 2.1) if side % 2 == 0 else (2.1, 4.1)
        grounds.append(Ground("field", *_at(side, 0, (ATTACKS[side % 2] + BLOCKS[side % 2]) / 2), w, h, seat))
        for n in range(8):
            places.append(
                Place(_field_id(seat, n), "spot", *_field_place(side, n), 1, 1, Phrase("places.field", {"seat": Phrase(f"seats.{seat}"), "n": n + 1}))
            )
    for seat in range(4):
        if viewer in (seat, OPEN):
            w, h = (STEP - 0.04, 1.4) if _side(seat, viewer) == 0 else SMALL
            for n in range(8):
                places.append(Place(_hand_id(seat, n), "hand", *_hand_place(_side(seat, viewer), n), w, h, Phrase("places.hand", {"n": n + 1})))
    places.append(Place("pass", "button", *_at(0, 3.6, 2.75), 2.7, 1.1, Phrase("actions.pass")))
    for n, button in enumerate(("proceed", "redeal")):  # asked before anyone has laid a koma: there is room on the own field
        places.append(Place(button, "button", *_at(0, 0, ATTACKS[0] + n), 3.8, 0.9, Phrase(f"actions.{button}")))
    return Board(WIDTH, HEIGHT, tuple(grounds), tuple(places))


def look(s: Record, viewer: int) -> Look:
    """The komas on the table and in the hands, and what is said about them: names, the standing attack, the points."""
    counters = [Counter(seat, Phrase("counters.points"), str(s.score[seat % 2])) for seat in range(4)]
    counters.append(Counter(None, Phrase("counters.target"), str(s.target)))
    marks, pieces, alike = [], [], []
    if s.phase in (GOSHI, PLAY, CLOSED):
        if s.attack:
            marks.append(Mark(_field_id(s.attacker, s.placed[s.attacker] - 1), "attack", int(s.attacker)))
        for seat in range(4):
            pieces += _komas(s, seat, viewer)
            if viewer in (seat, OPEN):
                alike += _equal_places(s, seat)
        if s.phase == PLAY and s.attack and not leads(s):
            pieces.append(Piece("attack", "koma", X, Y - 0.12, *LARGE, int(s.attacker), SIGNS[s.attack], "", 0, False, None))
    return Look(tuple(pieces), (), tuple(marks), tuple(counters), (*_plates(s, viewer), *_middle(s, viewer)), tuple(alike))


def _plates(s: Record, viewer: int) -> list[Label]:
    """Who sits where: the name in the colour of the pair, and below it what is special about that seat."""
    labels = []
    for seat in range(4):
        x, y = PLATES[_side(seat, viewer)]
        about = [Phrase("table.partner")] if viewer >= 0 and seat == viewer ^ 2 else []
        about += [Phrase("table.dealer")] if s.dealer == seat and s.phase != ENDED else []
        about += [Phrase("table.five")] if s.fives >> seat & 1 else []
        above = _side(seat, viewer) == 2
        labels.append(Label((Phrase(f"seats.{seat}"),), round(X + x - (2.0 if above and about else 0), 3), round(Y + y, 3), 0.36, 2.9, seat))
        if about:
            at = (X + 1.8, Y + y) if above else (X + x, Y + y + 0.36)
            labels.append(Label(tuple(about), round(at[0], 3), round(at[1], 3), 0.26, 4.9 if above else 2.9))
    return labels


def _middle(s: Record, viewer: int) -> list[Label]:
    """Both pairs' points, the viewer's own at the left; and who must do what."""
    labels = []
    for place, first in enumerate((_below(viewer) & 1, 1 - (_below(viewer) & 1))):
        x = X + (1.45 if place else -1.45)
        points = int(s.score[first])
        labels.append(Label((Phrase("table.points", {"n": points}),), round(x, 3), round(Y - 0.1, 3), 0.72 if points < 100 else 0.58, 1.5, first))
        labels += [Label((Phrase(f"seats.{first + 2 * n}"),), round(x, 3), round(Y + (0.5 if n else -0.72), 3), 0.25, 1.5, first) for n in range(2)]
    if s.phase in (GOSHI, PLAY):
        seat = rules.mover(s)
        said = "table.decides" if s.phase == GOSHI else "table.leads" if leads(s) else "table.answers"
        labels.append(Label((Phrase(said, {"seat": Phrase(f"seats.{seat}")}),), X, round(Y + 1.0, 3), 0.3, 4.2, seat))
    return labels


def prompt(s: Record, viewer: int) -> Phrase:
    """What the seat to act is to do: to itself with what its hand allows, to the others with whose turn it is."""
    mover, own = rules.mover(s), viewer in (rules.mover(s), OPEN)
    seat, attack = Phrase(f"seats.{mover}"), Phrase(f"pieces.{DIGITS[s.attack]}")
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
    values = {
        "pair": Phrase("table.pair", {"one": Phrase(f"seats.{won}"), "other": Phrase(f"seats.{won + 2}")}),
        "target": int(s.target),
        "won": int(s.score[won]),
        "lost": int(s.score[1 - won]),
    }
    return Phrase("reasons.target", values)


def _hand(s: Record, seat: int) -> list[tuple[int, str]]:
    """The komas that a seat still holds, each with its place in the hand as it was dealt: a koma stays where it stands until it is played."""
    left = list(enumerate(format_hand(s.dealt[seat])))
    for code, _ in _field(s, seat):
        left.remove(next(one for one in left if one[1] == DIGITS[code]))
    return left


def _equal_places(s: Record, seat: int) -> list[tuple[str, ...]]:
    """The places of equal komas: whichever of them is pointed at, the same is meant."""
    groups: dict[str, list[str]] = {}
    for n, letter in _hand(s, seat):
        groups.setdefault(letter, []).append(_hand_id(seat, n))
    return [tuple(places) for places in groups.values() if len(places) > 1]


def _komas(s: Record, seat: int, viewer: int) -> list[Piece]:
    """The komas of a seat, on its field and in its hand.

    A koma keeps its id from the hand to the field. Where the hand is known the id is its place in the hand as dealt; where it is
    not, the place on the field that it will come to, which tells nothing.
    """
    side = _side(seat, viewer)
    turned = 90 * (-side % 4)
    known = viewer in (seat, OPEN) or lies_open(s, seat)
    left = list(enumerate(format_hand(s.dealt[seat]))) if known else []
    pieces = []
    for n, (code, covered) in enumerate(_field(s, seat)):
        name = n
        if known:
            name, letter = next(one for one in left if one[1] == DIGITS[code])
            left.remove((name, letter))
        pieces.append(_koma(f"koma{seat + 1}-{name + 1}", seat, code, _field_place(side, n), KOMA, turned, covered))
    hand = [(name, DIGITS.index(letter)) for name, letter in left] if known else [(n, 0) for n in range(int(s.placed[seat]), 8)]
    if lies_open(s, seat):  # a hand that has ended the round is laid on its owner's field, for everyone to see
        return [_koma(f"koma{seat + 1}-{name + 1}", seat, code, _field_place(side, n), KOMA, turned) for n, (name, code) in enumerate(hand)]
    for name, code in hand:
        fan = round((name - 3.5) * FAN) if side == 0 else turned
        pieces.append(_koma(f"koma{seat + 1}-{name + 1}", seat, code, _hand_place(side, name), SMALL if side else LARGE, fan, code == 0))
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


def _koma(name: str, seat: int, code: int, at: tuple[float, float], size: tuple[float, float], turned: int, covered: bool = False) -> Piece:
    called = Phrase(f"pieces.{DIGITS[code]}")
    say = Phrase("pieces.covered", {"koma": called}) if covered and code else called
    return Piece(name, "koma", *at, *size, seat, SIGNS[code] if code else "", DIGITS[code], turned, covered, say)


def clicks(s: Record, a: int) -> tuple[str, ...]:
    """A button, or the hand places of the block and then the attack: of equal komas the first, and then the next."""
    names = {rules.PASS: "pass", rules.PROCEED: "proceed", rules.REDEAL: "redeal"}
    if a in names:
        return (names[a],)
    left, path = _hand(s, int(s.turn)), []
    for code in split(a):
        one = next(one for one in left if one[1] == DIGITS[code])
        left.remove(one)
        path.append(_hand_id(int(s.turn), one[0]))
    return tuple(path)


def trail(s: Record, a: int) -> tuple[str, ...]:
    """The places of the field that the pair was laid on."""
    if a in (rules.PASS, rules.PROCEED, rules.REDEAL):
        return ()
    placed = int(s.placed[s.turn])
    return _field_id(s.turn, placed), _field_id(s.turn, placed + 1)
