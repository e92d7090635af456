"""What the tests of Goita share: positions, recorded games, random walks."""

import hanpan
from hanpan.core.rule import CHANCE, OVER, SPECTATOR, below, rng
from hanpan.games.goita import history, rules, text
from hanpan.games.goita.koma import ALL

GOITA = hanpan.game("goita")


OPTIONS = [
    {},
    {"no_yaku": True},
    {"no_goshi": True},
    {"no_yaku": True, "no_goshi": True, "target": 10},
    {"nanashi_double": True, "target": 1000},
    {"target": 55},
]


KINGS = "11334667,11122235,11123445,11455789"  # seat 4 holds both kings


LONE = "12345678,11123459,11123456,11123457"  # seats 1 and 2 hold one each


def position(hands, dealer, turns="", scores="0-0", **options):
    return hanpan.game("goita", **options).parse(f"{scores} {hands},s{dealer}{turns and ','}{turns} play")


def deal(**hands):
    """A deal with these hands (deal(s1="11111234")); the others get the rest, with the し spread evenly."""
    rest = history.format_hand(ALL - sum(history.read_hand(hand) for hand in hands.values()))
    others = [seat for seat in ("s1", "s2", "s3", "s4") if seat not in hands]
    return ",".join(hands.get(seat) or rest[others.index(seat) :: len(others)] for seat in ("s1", "s2", "s3", "s4"))


def walk(game, plies, seed):
    """The records of random games, wherever a seat is to act."""
    first = game.start().record
    s, out, dice = first.copy(), game.book.actions_buffer(), rng(seed)
    while plies:
        who = rules.mover(s[0])
        if who == OVER:
            s[:] = first
        elif who == CHANCE:
            rules.chance(s[0], dice)
        else:
            yield s.copy()
            rules.apply(s[0], out[below(dice, rules.legal(s[0], out))])
            plies -= 1


def hidden(record, seat):
    record = record.copy()
    rules.hide(record[0], seat)
    return record


VIEWS = [(text.format_position(hidden(record, seat)[0]), None if seat < 0 else seat) for record in walk(GOITA, 120, 81) for seat in (SPECTATOR, 0, 2)]
