"""Matches: fair pairs, honest intervals, and games that are kept."""

import json
import math
import random
import re
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

import hanpan
from hanpan.bots import pairs
from hanpan.bots.elo import Sprt, elo, expected, interval, log_likelihood_ratio
from hanpan.bots.ladder import climb, head, read_levels
from hanpan.bots.match import play_match
from hanpan.bots.match_log import MatchLog
from hanpan.bots.pairs import Plan, Players, opening, share, usual_openings
from hanpan.bots.players import make_player
from hanpan.bots.tally import Played, Tally
from hanpan.bots.workers import all_cores
from hanpan.result import sides
from hanpan.rulebook import rulebook

TOY = Plan("tictactoe", {"misere": False}, ("random", "random"), openings=2)


class Watcher:
    """A player that plays the first legal action and notes what it was given."""

    given = []

    def __init__(self, last=False):
        self.seed, self.last = None, last

    def choose(self, state, seconds=None):
        Watcher.given.append((state.viewer, state.seat, seconds, self.seed))
        return state.legal()[-1 if self.last else 0]


class Cheat:
    def choose(self, state, seconds=None):
        return "z9"


class Crash:
    """A player that comes to grief at its second turn, or, from its second game on, before the first."""

    made = 0

    def __init__(self, how):
        Crash.made += 1
        if how == "begin" and Crash.made > 5:  # one is tried out, and two sit at each end of the table
            raise OSError("no more of us")
        self.how, self.turns = how, 0

    def choose(self, state, seconds=None):
        self.turns += 1
        if self.turns == 2 and self.how == "value":
            raise ValueError("no idea")
        if self.turns == 2 and self.how == "exit":
            raise SystemExit(3)
        return state.legal()[0]


WATCHER = f"python:{__name__}:Watcher"


# --- pairs ---


def test_a_pair_is_one_opening_with_seats_exchanged():
    games = play_match(TOY, 20).games()
    assert [(played.pair, played.side) for played in games] == [(pair, side) for pair in range(10) for side in (0, 1)]
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first.actions[:2] == second.actions[:2]
    assert len({played.actions[:2] for played in games}) > 5


def test_an_odd_number_of_games_is_rounded_up_to_whole_pairs():
    assert play_match(TOY, 3).report()["games"] == 4


def test_the_first_player_sits_where_its_side_is():
    Watcher.given.clear()
    plan = replace(TOY, players=(f"{WATCHER}:last=true", WATCHER), openings=0)
    first, second = play_match(plan, 2).games()
    assert first.actions[:2] == ("c3", "a1")
    assert second.actions[:2] == ("a1", "c3")


def test_players_are_given_only_their_own_view_and_a_seed_of_their_own():
    Watcher.given.clear()
    play_match(replace(TOY, players=(WATCHER, WATCHER), seconds=0.5), 2)
    assert Watcher.given[1:]
    for viewer, seat, _, _ in Watcher.given:
        assert viewer == seat is not None
    in_games = [given for given in Watcher.given if given[3] is not None and given[2] == 0.5]
    assert len({seed for *_, seed in in_games}) == 4  # two games, two seats


def test_both_games_of_a_pair_have_the_same_luck():
    plan = Plan("goita", hanpan.game("goita").options, ("random", "random"), openings=0)
    for first, second in zip(*[iter(play_match(plan, 6).games())] * 2, strict=True):
        deals = [[action for action in played.actions if action.startswith("deal")] for played in (first, second)]
        assert min(len(dealt) for dealt in deals) > 1
        assert all(one == other for one, other in zip(*deals, strict=False))


def test_with_three_sides_the_first_player_has_each_once():
    game = hanpan.game("wallgo", players=3, size=3, pieces=3)
    plan = Plan("wallgo", game.options, ("random", "random"), openings=1)
    tally = play_match(plan, 4)
    assert [(played.pair, played.side) for played in tally.games()] == [(pair, side) for pair in (0, 1) for side in (0, 1, 2)]
    assert tally.report()["pairs"] == 2


def test_partners_play_together(monkeypatch):
    book = rulebook("wallgo")
    monkeypatch.setattr(book, "rules", replace(book.rules, SIDES=(0, 1, 0)))
    game = hanpan.game("wallgo", players=3, size=3, pieces=3)
    assert sides(game) == [0, 1, 0]
    Watcher.given.clear()
    with Players(Plan("wallgo", game.options, (f"{WATCHER}:last=true", WATCHER), openings=0)) as players:
        for side in (0, 1):
            played = players.play(0, side)
            states = [game.start()]
            for action in played.actions:
                states.append(states[-1].play(action))
            for state, action in zip(states, played.actions, strict=False):
                if state.seat is not None and len(state.legal()) > 1:
                    assert (action == state.legal()[-1]) == ((0, 1, 0)[state.seat] == side)


def test_winners_share_a_game_and_without_a_winner_all_do():
    class End:
        def __init__(self, winner):
            self.winner = winner

    assert share(End([0, 2]), (0, 1, 0, 1), 0) == 1
    assert share(End([0, 2]), (0, 1, 0, 1), 1) == 0
    assert share(End([0, 2]), (0, 1, 2), 2) == 0.5
    assert share(End([]), (0, 1, 2), 1) == pytest.approx(1 / 3)
    assert share(End(None), (0, 1), 1) == 0.5


def test_an_opening_never_ends_the_game():
    plan = replace(TOY, openings=7)
    for pair in range(50):
        state, actions, _ = opening(plan.table(), plan, pair)
        assert not state.over
        assert len(actions) == 7
    with pytest.raises(ValueError, match="openings: 9 random plies end the game"):
        opening(plan.table(), replace(plan, openings=9), 0)


@pytest.mark.slow
def test_an_even_opening_is_one_that_the_strongest_player_finds_even():
    game = hanpan.game("puoribor")
    plan = Plan("puoribor", game.options, ("random", "random"), even=2000)
    any_, even = [[opening(game, each, pair) for pair in range(12)] for each in (replace(plan, even=None), plan)]
    kept = [one[1] == other[1] for one, other in zip(any_, even, strict=True)]
    assert 0 < sum(kept) < 12, "some will do at once, for others another one is drawn"

    def chances(openings):
        return [next(iter(list(hanpan.bot("puoribor", megabytes=8, nodes=2000).analyse(state, lines=1))[-1].values.values())) for state, *_ in openings]

    assert max(map(abs, chances(even))) <= 0.6 < max(map(abs, chances(any_)))
    assert [actions for _, actions, _ in even] == [opening(game, plan, pair)[1] for pair in range(12)]


@pytest.mark.parametrize(("options", "seats"), [({}, 2), ({"players": 3}, 3)])
def test_where_more_play_even_is_a_lesser_chance_for_each(monkeypatch, options, seats):
    state = hanpan.game("wallgo", **options).start()

    def found_even(chance):
        points = math.log(chance / (1 - chance)) * state.game.book.evaluation.SCALE / 110
        monkeypatch.setattr(pairs, "Bot", lambda *_, **__: SimpleNamespace(analyse=lambda *_, **__: [SimpleNamespace(values={"a1": points})]))
        return pairs._is_even(state, 1)

    assert [found_even(chance) for chance in (1 / seats - 0.1, 1 / seats, 1 / seats + 0.1)] == [False, True, False]


def test_where_no_opening_is_even_it_is_said(monkeypatch):
    monkeypatch.setattr(pairs, "_EVEN", -1.0)
    plan = Plan("kulami", hanpan.game("kulami").options, ("random", "random"), openings=1, even=1)
    with pytest.raises(ValueError, match="even: of 100 openings of 1 random plies none is even"):
        opening(plan.table(), plan, 0)


def test_hidden_luck_needs_no_random_opening():
    assert (usual_openings(hanpan.game("goita")), usual_openings(hanpan.game("kulami"))) == (0, 4)


def test_an_endless_game_ends_without_a_winner():
    played = play_match(replace(TOY, longest=3), 2).games()
    assert [(game.winner, game.plies, game.score) for game in played] == [(None, 3, 0.5)] * 2


@pytest.mark.slow
def test_the_same_plan_is_the_same_match_on_any_number_of_cores():
    plan = replace(TOY, players=("8@100", "2@40"))
    alone, together = play_match(plan, 6, cores=1), play_match(plan, 6, cores=2)
    assert [(g.pair, g.side, g.score, g.actions) for g in alone.games()] == [(g.pair, g.side, g.score, g.actions) for g in together.games()]
    assert all_cores() >= 1


def test_a_better_player_scores_better():
    report = play_match(replace(TOY, players=("8@300", "random")), 20).report()
    assert report["score"] > 0.7
    assert report["wins"] + report["draws"] + report["losses"] == report["games"] == 20


def test_an_illegal_action_loses_the_game():
    report = play_match(replace(TOY, players=(f"python:{__name__}:Cheat", "random")), 4).report()
    assert (report["wins"], report["losses"]) == (0, 4)
    assert "'z9' is not legal in" in report["faults"][0]["fault"]


@pytest.mark.parametrize(("how", "reason"), [("value", "ValueError: no idea"), ("exit", "SystemExit: 3"), ("begin", "OSError: no more of us")])
def test_a_player_in_python_that_crashes_loses_the_game_and_the_match_goes_on(monkeypatch, how, reason):
    monkeypatch.setattr(Crash, "made", 0)
    crash = f"python:{__name__}:Crash:how={how}"
    report = play_match(replace(TOY, players=(crash, "random"), openings=0), 6).report()
    assert report["games"] == 6
    assert report["losses"] >= len(report["faults"]) > 1
    assert all(f"player {crash!r}: {reason}" in fault["fault"] for fault in report["faults"])


def test_a_player_in_python_is_found_in_the_folder_where_one_is(tmp_path, monkeypatch):
    (tmp_path / "mine_alone.py").write_text("class First:\n    def choose(self, state, seconds=None):\n        return state.legal()[0]\n")
    monkeypatch.setattr("sys.path", [entry for entry in sys.path if entry])
    monkeypatch.chdir(tmp_path)
    report = play_match(replace(TOY, players=("python:mine_alone:First", "random")), 2, cores=2).report()
    assert (report["games"], report["faults"]) == (2, [])


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("9", "level: 9 is not in 1…8"),
        ("8@", "write the nodes a move as a number"),
        ("8@x", "write the nodes a move as a number"),
        ("8@0", "nodes: 0 is not a number from 1 up"),
        ("", "is not a player"),
        ("no-such-program", "there is no program 'no-such-program'"),
        ("'unclosed", "can't be read as a command line"),
        ("python:no_such_module:x", "there is no 'x' in the Python module 'no_such_module'"),
        ("python:json:nothing", "there is no 'nothing' in the Python module 'json'"),
        ("python:json", "there is no '' in the Python module 'json'"),
        ("python:broken_from_the_start:x", "there is no 'x' in the Python module 'broken_from_the_start' (ZeroDivisionError: division by zero)"),
        ("python:json:JSONDecoder", "what it makes has no `choose`"),
        ("python:json:JSONDecoder:wrong=1", "wrong"),
        ("python:json:JSONDecoder:wrong", "write 'wrong' as key=value"),
    ],
)
def test_a_wrong_name_of_a_player_is_told(spec, reason, tmp_path, monkeypatch):
    (tmp_path / "broken_from_the_start.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match=re.escape(reason)):
        make_player(spec, "tictactoe")


# --- kept games ---


def test_an_interrupted_match_goes_on_where_it_was(tmp_path):
    path, whole = tmp_path / "games.jsonl", play_match(TOY, 10)

    def interrupt(tally):
        if len(tally.games()) == 3:
            raise KeyboardInterrupt

    broken = play_match(TOY, 10, log=MatchLog(path, TOY.head()), tell=interrupt)
    assert broken.interrupted
    assert len(path.read_text().splitlines()) == 4
    path.write_text(path.read_text() + '{"players": ["rand')  # and the power went off
    went_on = play_match(TOY, 10, log=MatchLog(path, TOY.head()))
    assert [game.actions for game in went_on.games()] == [game.actions for game in whole.games()]
    assert not went_on.interrupted
    assert len(path.read_text().splitlines()) == 11
    assert play_match(TOY, 12, log=MatchLog(path, TOY.head())).report()["games"] == 12


def test_games_of_another_match_are_refused_and_left_alone(tmp_path):
    path = tmp_path / "games.jsonl"
    play_match(TOY, 2, log=MatchLog(path, TOY.head()))
    kept = path.read_text()
    for other, reason in [
        (replace(TOY, seconds=1.0), "seconds is None there and 1.0 here"),
        (replace(TOY, options={"misere": True}), "options is {'misere': False} there and {'misere': True} here"),
        (replace(TOY, players=("random", "3")), "players is .* here"),
    ]:
        with pytest.raises(ValueError, match=reason):
            MatchLog(path, other.head())
    assert path.read_text() == kept


@pytest.mark.parametrize("text", ["a letter", "a letter\n", '{"a": 1}\n', "[]\n", "\xff\n", '{"hanpan": "match", "format": 99}\n'])
def test_a_file_that_is_something_else_is_refused_and_left_alone(tmp_path, text):
    path = tmp_path / "letter.txt"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"letter\.txt"):
        MatchLog(path, TOY.head())
    assert path.read_bytes() == text.encode("latin-1")


@pytest.mark.parametrize("line", ["nonsense", "{}", '{"players": ["a", "b"], "pair": 0}', "[1]"])
def test_a_damaged_line_is_named(tmp_path, line):
    path = tmp_path / "games.jsonl"
    play_match(TOY, 2, log=MatchLog(path, TOY.head()))
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(ValueError, match=r"games\.jsonl, line 4"):
        MatchLog(path, TOY.head())


def test_a_kept_game_can_be_played_again(tmp_path):
    path = tmp_path / "games.jsonl"
    play_match(TOY, 2, log=MatchLog(path, TOY.head()))
    for line in path.read_text().splitlines()[1:]:
        kept, state = json.loads(line), hanpan.game("tictactoe").start()
        for action in kept["actions"]:
            state = state.play(action)
        assert state.over
        assert state.winner == kept["winner"]


# --- how sure ---


def test_elo_and_score_belong_together():
    for sides_ in (2, 3, 4):
        assert elo(1 / sides_, sides_) == pytest.approx(0)
        for score in (0.05, 0.5, 0.97):
            assert expected(elo(score, sides_), sides_) == pytest.approx(score)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)


def test_an_interval_narrows_with_the_games_and_never_leaves_what_is_possible():
    dice = random.Random(1)
    before = 1.0
    for count in (5, 50, 500):
        scores = [dice.choice((0.0, 0.5, 0.5, 1.0)) for _ in range(count)]
        low, high = interval(scores)
        assert 0 <= low <= sum(scores) / count <= high <= 1
        assert high - low < before
        before = high - low
    assert interval([1.0] * 20)[0] == pytest.approx(math.exp(-1.92 / 20), abs=0.01)
    assert interval([]) == (0.0, 1.0)


@pytest.mark.slow
def test_the_interval_holds_the_truth_nineteen_times_of_twenty():
    dice = random.Random(2)
    held = 0
    for _ in range(200):
        low, high = interval([(dice.random() < 0.6) / 2 + (dice.random() < 0.6) / 2 for _ in range(40)])
        held += low <= 0.6 <= high
    assert 0.9 <= held / 200 <= 0.99


def test_the_sequential_test_is_seldom_wrong():
    dice = random.Random(3)

    def verdict(truth):
        test = Sprt(0.5, 0.7)
        while test.verdict is None:
            test.add((dice.random() < truth) / 2 + (dice.random() < truth) / 2)
        return test.verdict

    assert sum(verdict(0.5) == "H1" for _ in range(60)) <= 6
    assert sum(verdict(0.7) == "H0" for _ in range(60)) <= 6


def test_the_sequential_test_is_the_same_for_both_players():
    scores = [1.0, 0.5, 0.0, 1.0, 1.0, 0.5]
    ratio = log_likelihood_ratio(scores, 0.4, 0.6)
    assert log_likelihood_ratio([1 - score for score in scores], 0.4, 0.6) == pytest.approx(-ratio)
    assert log_likelihood_ratio([], 0.4, 0.6) == 0
    assert log_likelihood_ratio([0.5] * 20, 0.5, 0.6) == pytest.approx(20 * math.log(0.8), abs=0.05)


def test_a_test_hears_pairs_in_their_order():
    tally = Tally(2, Sprt(0.5, 0.9))
    for pair in range(1, 30):
        for side in (0, 1):
            tally.add(Played(pair, side, 1.0, [side], 9, (0.0, 0.0), ()))
    assert not tally.decided  # pair 0 is still being played
    for side in (0, 1):
        tally.add(Played(0, side, 0.0, [1 - side], 9, (0.0, 0.0), ()))
    assert tally.decided


def test_a_decided_match_ends_early():
    plan = replace(TOY, players=("8@300", f"{WATCHER}"))
    tally = play_match(plan, 1000, tally=Tally(2, Sprt(0.1, 0.6)))
    assert tally.report()["sprt"]["verdict"] == "H1"
    assert len(tally.games()) < 100


@pytest.mark.parametrize("text", ["0.5", "a,b", "0.6,0.5", "0,0.5", "0.5,1", "elo:50", "elo:1e9,2e9", "points:0,1", "nan,nan"])
def test_a_nonsensical_test_is_refused(text):
    with pytest.raises(ValueError, match="sprt: "):
        Sprt.read(text)


def test_a_test_can_be_given_in_elo():
    assert Sprt.read("elo:0,100").better == pytest.approx(0.64, abs=0.001)
    assert Sprt.read("elo:0,100", sides=3).worse == pytest.approx(1 / 3)
    assert Sprt.read("score:0.5,0.6").better == 0.6


# --- the ladder ---


def test_a_ladder_is_climbed_and_continued(tmp_path):
    plan = replace(TOY, players=("", ""))
    path = tmp_path / "ladder.jsonl"
    rungs = list(climb(plan, [1, 2, 3], 4, log=MatchLog(path, head(plan))))
    assert [(rung.upper, rung.lower) for rung in rungs] == [(2, 1), (3, 2)]
    assert rungs[0].report()["wanted"] == 0.6
    kept = path.read_text()
    again = list(climb(plan, [1, 2, 3], 4, log=MatchLog(path, head(plan))))
    assert path.read_text() == kept
    assert [rung.report() for rung in again] == [rung.report() for rung in rungs]


def test_an_interrupted_ladder_ends():
    def interrupt(upper, tally):
        if tally.games():
            raise KeyboardInterrupt

    (rung,) = climb(TOY, [1, 2, 3], 4, tell=interrupt)
    assert rung.tally.interrupted


def test_levels_of_a_ladder():
    assert read_levels("1-8") == list(range(1, 9))
    assert read_levels("2,5") == [2, 5]
    for text in ("", "3", "8-1", "0-3", "1-99", "1,1", "a-b", "5,2", "1-", "1--3"):
        with pytest.raises(ValueError, match="levels: "):
            read_levels(text)
