"""Kulami: texts and refusals."""

import json
import re
from importlib.resources import files

import pytest
from kulami_table import APART, BARE, BUILDING, MID, A, B, play, play_out, with_marbles

import hanpan
from hanpan.games.kulami import text
from hanpan.record import GameRecord
from hanpan.replay import check_record


def refused(state, action):
    with pytest.raises(hanpan.IllegalAction) as reason:
        state.play(action)
    return reason.value


# --- refusals ---


REFUSED = [
    ("a", (), "z5", "off-board", "z5 is outside the frame: columns go from a to j, rows from 1 to 10."),
    ("a", (), "c11", "off-board", "c11 is outside the frame: columns go from a to j, rows from 1 to 10."),
    ("a", (), "a1", "no-hole", "No tile lies at a1, so there is no hole."),
    ("a", ("d9",), "d9", "taken", "There is a marble in d9 already."),
    ("a", ("d9",), "e8", "not-in-line", "e8 is neither in the row nor in the column of your opponent's last marble, d9."),
    ("a", ("d9",), "e9", "opponents-tile", "e9 is on the same tile as your opponent's last marble, d9."),
    ("a", ("e6", "e9"), "e5", "own-tile", "e5 is on the same tile as your own last marble, e6."),
    ("a", (), "2x3@d4", "already-built", "The board is complete; now marbles are played."),
    ("a", (), "3x3@d4", "no-such-tile", "There is no 3×3 tile; there are 2×3, 2×2, 1×3 and 1×2, either way round."),
    ("build", BUILDING[:2], "c5", "still-building", "Marbles come when the board is complete; tiles still to be laid: 15."),
    ("build", BUILDING, "2x2@a3", "tile-used-up", "All 2×2 tiles are laid already."),
    ("build", (), "2x3@j9", "off-frame", "2×3@j9 would stick out of the frame."),
    ("build", (), "2x3@k9", "off-board", "k9 is outside the frame: columns go from a to j, rows from 1 to 10."),
    ("build", ("2x2@e5",), "3x2@c4", "overlaps", "3×2@c4 would lie on the tile at e5."),
    ("build", ("2x2@e5",), "2x1@g7", "not-touching", "2×1@g7 would not share an edge with any tile; touching at a corner is not enough."),
    ("a", (), "C5", "unreadable", "“C5” can't be read as an action of this game."),
    ("a", (), "c05", "unreadable", "“c05” can't be read as an action of this game."),
    ("a", (), "٢x3@d4", "unreadable", "“٢x3@d4” can't be read as an action of this game."),
    ("random", (), "c5", "unreadable", "“c5” can't be read as an action of this game."),
    ("random", (), "board abc", "tiles-rows", "“abc” is not ten rows of ten letters or dots joined by /."),
    ("random", (), f"board {A.replace('q', 'r')}", "tiles-rows", f"“{A[:60]}” is not ten rows of ten letters or dots joined by /."),
    ("random", (), f"board {A.replace('a', '.')}", "tiles-letters", "Tile b comes where a is due: tiles are lettered in the order they are met, row by row."),
    ("random", (), f"board {A.replace('aab', 'a.b')[:-1]}b", "tiles-shape", "Tile b is not a whole 2×3, 2×2, 1×3 or 1×2 rectangle."),
    ("random", (), "board aabbccddee/aabbccddee/ff......../ff......../" + BARE[44:], "tiles-many", "There are 6 tiles of size 2×2, but the game has only 5."),
    ("random", (), f"board {A.replace('q', '.')}", "tiles-few", "Only 16 of the 17 tiles lie."),
    ("random", (), f"board {APART}", "tiles-apart", "Tile q does not hang together with tile a: every tile must share an edge with the rest."),
    ("random-square", (), f"board {A}", "tiles-not-square", "The tiles do not fill the 8×8 square in the top left of the frame."),
]  # fmt: skip


@pytest.mark.parametrize(("board", "before", "action", "code", "sentence"), REFUSED, ids=[f"{code}-{number}" for number, (*_, code, _) in enumerate(REFUSED)])
def test_a_refusal_says_why(board, before, action, code, sentence):
    state = play(hanpan.game("kulami", board=board).start(), *before)
    reason = refused(state, action)
    assert (reason.code, reason.message) == (code, sentence)


def test_every_refusal_is_reached_and_said_in_four_languages():
    words = {
        language: json.loads(files("hanpan.games.kulami").joinpath("words", f"{language}.json").read_text("utf-8")) for language in ("en", "ko", "ja", "zh")
    }
    assert {code for *_, code, _ in REFUSED} - {"unreadable"} | {code for _, code in WRONG_CODES} == set(words["en"]["refusals"])

    def shape(value):
        if isinstance(value, dict):
            return {key: shape(inner) for key, inner in value.items()}
        return len(value) if isinstance(value, list) else sorted(re.findall(r"{(\w+)}", value))

    assert all(shape(words[language]) == shape(words["en"]) for language in words)
    for language in words:
        page = files("hanpan.games.kulami").joinpath("words", f"{language}.md").read_text("utf-8")
        assert page.startswith("# ")
        assert "`2x3@d4`" in page


def test_chance_may_only_do_what_the_option_can_draw():
    square, random_ = (hanpan.game("kulami", board=board).start() for board in ("random-square", "random"))
    assert random_.play(f"board {A}").seat == 0
    assert str(random_.play(f"board {B}")) == str(square.play(f"board {B}")) == f"{B} {BARE} - - r"
    shifted = "/".join(["..........", *(f".{row[:8]}." for row in B.split("/")[:8]), ".........."])
    assert random_.play(f"board {shifted}").seat == 0
    assert refused(square, f"board {shifted}").code == "tiles-not-square"
    for action in ("board", "", "deal", f"board {A} ", f"board  {A}", f"Board {A}"):
        assert refused(random_, action).code in ("unreadable", "tiles-rows")


# --- hostile positions ---


MARBLES = str(MID).split()[1]


OVER_TEXT = str(list(play_out(hanpan.game("kulami").start(), 1))[-1])


BUILT = str(play(hanpan.game("kulami", board="build").start(), "2x2@e5", "1x3@d3"))


WRONG = [
    ("a", "", "position: 1 fields"),
    ("a", f"{A} {BARE} - -", "position: 4 fields"),
    ("a", f"{A} {BARE} - - r ", "position: 6 fields"),
    ("a", f"{A}  {BARE} - - r", "position: 6 fields"),
    ("a", f"{A[:-1]} {BARE} - - r", "tiles: “...a"),
    ("a", f"{BARE} {BARE} - - r", "tiles: Only 0 of the 17 tiles lie"),
    ("a", f"{A.replace('q', '.')} {BARE} - - r", "tiles: Only 16"),
    ("a", f"{A.replace('qqq', 'q.q')} {BARE} - - r", "tiles: Tile q is not a whole"),
    ("a", f"{A.replace('eefff', 'eeeff')} {BARE} - - r", "tiles: Tile e is not a whole"),
    ("random", f"{A.replace('q', '.')} {BARE} - - r", "tiles: Only 16"),
    ("random", f"{BARE} {BARE} - - b", "to move: 'b', but before the board is drawn it is r"),
    ("random", f"{BARE} {BARE} - - -", "to move: '-', but"),
    ("random", f"{BARE} r{BARE[1:]} - - r", "marbles: a1 has no hole"),
    ("random", f"{BARE} {BARE} a1 - r", "Red's last: there is no such marble at a1"),
    ("build", f"{BARE} {BARE} - - -", "to move: '-' is neither r nor b"),
    ("build", f"{'aa........' + BARE[10:22] + 'bb........' + BARE[32:]} {BARE} - - r", "tiles: Tile b does not hang together"),
    ("build", BUILT.replace(BARE, "/".join([".........."] * 4 + ["....r....."] + [".........."] * 5)), "marbles: the board is still being laid"),
    ("build", BUILT[:-5] + "- e5 b", "Black's last: there is no such marble at e5"),
    ("a", f"{A} {BARE[:-1]} - - r", "marbles: "),
    ("a", f"{A} x{BARE[1:]} - - r", "marbles: "),
    ("a", f"{A} r{BARE[1:]} - - b", "marbles: a1 has no hole"),
    ("a", with_marbles(A, ["d1", "d2"]) + " d1 - b", "marbles: 2 red and 0 black ones can't be"),
    ("a", f"{A} {A.translate(str.maketrans('abcdefghijklmnopq', 'r' * 17))} - - b", "marbles: Red has 64, but there are 28"),
    ("a", f"{A} {MARBLES} e44 b4 r", "Red's last: 'e44' is neither a cell nor -"),
    ("a", f"{A} {MARBLES} e04 b4 r", "Red's last: 'e04' is neither a cell nor -"),
    ("a", f"{A} {MARBLES} b4 b4 r", "Red's last: there is no such marble at b4"),
    ("a", f"{A} {MARBLES} e4 e5 r", "Black's last: there is no such marble at e5"),
    ("a", with_marbles(A, ["d1"], ["e9"]) + " d1 e9 r", "Black's last: e9 is not in line with Red's last marble"),
    ("a", with_marbles(A, ["d1"], ["d2"]) + " d1 d2 r", "Black's last: d2 and Red's last marble are on the same tile"),
    ("a", f"{A} {MARBLES} e4 - r", "Black's last: -, but that side has just moved"),
    ("a", f"{A} {MARBLES} e4 b4 x", "to move: 'x' is none of r, b, -"),
    ("a", f"{A} {MARBLES} e4 b4 -", "to move: -, but the game is not over"),
    ("a", with_marbles(A, ["d1"]) + " d1 - r", "to move: r, but Red has one marble more on the board"),
    ("a", OVER_TEXT[:-1] + ("b" if OVER_TEXT.count("r") > OVER_TEXT.count("b") else "r"), "to move: "),
]  # fmt: skip


@pytest.mark.parametrize(("board", "position", "reason"), WRONG, ids=range(len(WRONG)))
def test_an_impossible_position_is_refused_by_the_field_that_is_wrong(board, position, reason):
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        hanpan.game("kulami", board=board).parse(position)


# --- the board code of other programs ---


def board_code(position):
    tiles, marbles, *_ = position.split()
    letters, sizes = {}, {6: iter("bcde"), 4: iter("fghij"), 3: iter("klmn"), 2: iter("opqr")}
    for letter in dict.fromkeys(tiles.replace(".", "").replace("/", "")):
        letters[letter] = next(sizes[tiles.count(letter)])
    pairs = zip(tiles.replace("/", ""), marbles.replace("/", ""), strict=True)
    return "".join(letters.get(tile, "a") + {".": "0", "b": "1", "r": "2"}[marble] for tile, marble in pairs)


def test_a_board_code_is_understood_on_import():
    game = hanpan.game("kulami")
    assert text.import_board_code(board_code(str(game.start()))) == str(game.start())
    for state in play_out(game.start(), 4):
        fields = str(state).split()
        assert text.import_board_code(board_code(str(state)), *fields[2:]) == str(state)
    mixed = board_code(f"{B} {BARE}").translate(str.maketrans("bcdefghij", "edcbjihgf"))
    assert text.import_board_code(mixed, to_move="b") == f"{B} {BARE} - - b"


def test_with_unknown_last_marbles_the_next_marble_may_go_anywhere():
    game = hanpan.game("kulami")
    state = game.parse(text.import_board_code(board_code(str(MID))))
    assert str(state) == f"{A} {MARBLES} - - r"
    assert len(state.legal()) == 60
    state = state.play("d1")
    assert str(state).endswith(" d1 - b")
    assert state.legal() == ["d4", "d5", "d6", "d7", "d8", "d9"]
    for later in play_out(state, 5):
        assert game.parse(str(later)) == later


CODE = board_code(str(MID))


@pytest.mark.parametrize(
    ("code", "beside", "reason"),
    [
        (CODE[:-2], {}, "code: A board code has 200 signs, a letter and a digit for each cell; these are 198."),
        (None, {}, "code: None is not 200 signs"),
        ("s" + CODE[1:], {}, "code: “s0” at a1 is not a letter from a to r and a digit from 0 to 2."),
        ("a3" + CODE[2:], {}, "code: “a3” at a1 is not a letter"),
        ("a2" + CODE[2:], {}, "marbles: a1 has no hole"),
        ("b0" + CODE[2:], {}, "code: In this board code, b is not a tile of 6 holes."),
        (CODE.replace("b", "a"), {}, "code: In this board code, b is not a tile of 6 holes."),
        (CODE, {"to_move": "-"}, "to move: -, but the game is not over"),
        (CODE, {"red_last": "b4"}, "Red's last: there is no such marble at b4"),
    ],
)
def test_a_wrong_board_code_is_refused(code, beside, reason):  # fmt: skip
    with pytest.raises(ValueError, match=f"^{re.escape(reason)}"):
        text.import_board_code(code, **beside)


BOARD_CODE = board_code(f"{A} {BARE}")
WRONG_CODES = [
    (BOARD_CODE[:-1], "code-length"),
    ("s" + BOARD_CODE[1:], "code-signs"),
    (BOARD_CODE.replace("b", "a"), "code-tile"),
    (CODE, "code-marbles"),
]


def test_a_board_code_is_a_board_and_a_position_at_every_door():
    assert hanpan.game("kulami", board=BOARD_CODE).options["board"] == A
    assert hanpan.game("kulami", board="\n".join(A.split("/")) + "\n").options["board"] == A
    game = hanpan.game("kulami")
    assert game.parse(BOARD_CODE) == game.start()
    assert str(game.parse(f"{CODE} - - r")) == f"{A} {MARBLES} - - r"
    for state in play_out(game.start(), 6):
        fields = str(state).split()
        assert game.parse(f"{board_code(str(state))} {' '.join(fields[2:])}") == state
    assert GameRecord.read(f"{CODE}\n").final() == game.parse(CODE)  # as it is pasted where records are read
    assert check_record(BOARD_CODE) is None
    with pytest.raises(ValueError, match=r"^code: “z0” at a1"):
        game.parse("z" + BOARD_CODE[1:])


@pytest.mark.parametrize(("wrong", "code"), WRONG_CODES, ids=[code for _, code in WRONG_CODES])
def test_a_code_that_is_no_board_is_refused_in_words(wrong, code):
    with pytest.raises(ValueError, match=r"^board: ") as refused:
        hanpan.game("kulami", board=wrong)
    assert refused.value.__cause__.__cause__.code == code


def test_what_players_have_laid_is_a_board():
    state = play(hanpan.game("kulami", board="build").start(), *BUILDING)
    assert text.drawn_board(state.record[0]) is None
    state = next(state for state in play_out(state, 9) if " - - r" in str(state) and "q" in str(state).split()[0])
    assert hanpan.game("kulami", board=text.drawn_board(state.record[0])).options["board"] == str(state).split()[0]
