"""What the tests of Reverse Drop share: positions, recorded games, random walks."""

import pytest

import hanpan

PACKAGE = "hanpan.games.reversedrop"


EMPTY = "/".join(["." * 10] * 10)


CELLS = [f"{column}{row}" for row in range(1, 11) for column in "abcdefghij"]


def rows(black="", white=""):
    """Ten rows with pieces on the named cells."""
    signs = ["."] * 100
    for sign, names in (("b", black), ("w", white)):
        for name in names.split():
            signs[CELLS.index(name)] = sign
    return "/".join("".join(signs[i : i + 10]) for i in range(0, 100, 10))


def position(black, white, side="b", plies=0, **options):
    return hanpan.game("reversedrop", **options).parse(f"{rows(black, white)} {side} {plies}")


def signs(state):
    """What lies on the cells, by name."""
    return dict(zip(CELLS, str(state).partition(" ")[0].replace("/", ""), strict=True))


def refused(state, text):
    with pytest.raises(hanpan.IllegalAction) as wrong:
        state.play(text)
    return wrong.value.code, wrong.value.message


AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0))


def beside(name):
    x, y = "abcdefghij".index(name[0]), int(name[1:]) - 1
    return [f"{'abcdefghij'[x + dx]}{y + dy + 1}" if 0 <= x + dx < 10 and 0 <= y + dy < 10 else None for dx, dy in AROUND]


def moves_by_the_page(board, own):
    """Every action text with the board after it."""
    enemy = "w" if own == "b" else "b"
    found = {}
    for origin in CELLS:
        if board[origin] != own:
            continue
        for landing in beside(origin):
            if landing is None or board[landing] != ".":
                continue
            sides = [side for side in beside(landing) if side != origin]
            kinds = sorted("#" if side is None else {".": "E", own: "O", enemy: "X"}[board[side]] for side in sides)
            moved = {**board, origin: ".", landing: own}
            text = f"{origin}-{landing}"
            free = [side for side in sides if side and board[side] == "."]
            enemies = [side for side in sides if side and board[side] == enemy]
            if kinds == ["E", "E", "E"]:
                found.update({f"{text}+{new}": {**moved, new: own} for new in free})
            elif kinds == ["E", "E", "X"]:
                found.update({f"{text}+{new}": {**moved, new: own, enemies[0]: own} for new in free})
            elif kinds == ["X", "X", "X"]:
                found[text] = {**moved, landing: enemy}
            else:
                found[text] = moved
    return found


OPEN = position("e5 g7", "e7 c1 g5")


BY_HAND = hanpan.game("reversedrop", setup="manual").start().play("c3")


WAITING = hanpan.game("reversedrop", black=2, white=1).start()
