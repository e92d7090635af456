"""The parts of a room without a server: handed a room, they change it and return what has happened; `Commit` stores that and only then tells it."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest
from deals import Deals

from hanpan import result
from hanpan.game import game
from hanpan.result import Result
from hanpan.server.protocol.refusals import Refused
from hanpan.server.protocol.requests import PlaySettings
from hanpan.server.rooms.chat import Chat
from hanpan.server.rooms.commit import Commit
from hanpan.server.rooms.context import Timeouts
from hanpan.server.rooms.finish import Finisher
from hanpan.server.rooms.happened import Acted, Changed, Ended, GoesOn, News, Next, Show, ShowGame, TakenBack
from hanpan.server.rooms.offers import Offers
from hanpan.server.rooms.pause import Pause
from hanpan.server.rooms.presence import Presence
from hanpan.server.rooms.state import RoomState, settled
from hanpan.server.rooms.timers import Calendar, Timers
from hanpan.server.rooms.turns import Turns
from hanpan.server.transport.dispatch import tell_info

TIMEOUTS = Timeouts(patience=60, claim=60, abandoned=60, ready=60)


class Noted(Timers):
    """Of plans, their names are noted, and nothing is done."""

    def __init__(self, names):
        super().__init__("room", Calendar())
        self.names, self.do = names, None

    def task(self, name, seconds, *what):
        self.names.append(name)


class Table:
    """A room in which "ann" and "bob" sit (and others, where there are more seats), with no storage and no sockets."""

    def __init__(self, name="tictactoe", people=("ann", "bob"), options=None, **settings):
        self.time = 1_000_000
        chosen = game(name, **(options or {}))
        known = SimpleNamespace(is_bot=lambda person: False, person_info=lambda person, name=None: {"id": person}, rating_known=lambda person, name: 1300.0)
        self.state = state = RoomState("room", chosen, settled(PlaySettings(**settings), chosen), None, "ann", TIMEOUTS, Calendar(), self.now, known.is_bot)
        self.planned = []
        state.timers = Noted(self.planned)
        self.finisher = Finisher(state, known, TIMEOUTS, self.now)
        self.pause = Pause(state, self.now)
        bots = SimpleNamespace(level_near=lambda rating: 3)
        self.turns = Turns(state, self.pause, bots, Deals(), lambda person: 0, self.now, None, None)
        self.presence = Presence(state, self.finisher, self.turns, known, bots, TIMEOUTS, self.now, list)
        self.offers = Offers(state, self.presence, self.now)
        self.chat = Chat(state, known, None, 0, self.now)
        for seat, person in enumerate(people):
            state.members[person] = 1
            state.seating.sit(person, seat, False)
        self.turns.begun(self.turns.begin(), waiting=False)
        self.turns.begin_turn()

    def now(self):
        return self.time

    def put(self, person, action):
        """An action, as if it had been stored."""
        (acted,) = self.turns.play(person, self.state.match.ply, action, self.now(), None)
        acted.match.put(acted.row, acted.following, acted.clock)
        self.turns.begin_turn()


class Diary:
    """A storage and a way out at once: it writes down what is asked of it, in order, and fails where it is told to."""

    def __init__(self, answers=None):
        self.lines, self.answers = [], answers or {}

    def __getattr__(self, name):
        async def write(*what, **more):
            self.lines.append(name if not what or not isinstance(what[0], str) or name not in ("tell", "tell_room") else f"{name} {what[0]}")
            answer = self.answers.get(name, True)
            if isinstance(answer, Exception):
                raise answer
            return answer

        return write

    def over(self):
        return {}


def committed(table, **answers):
    """What stores and tells for a table, and the diary of it."""
    diary = Diary(answers)
    return Commit(table.state, diary, diary, diary, table.chat, table.finisher, table.turns, table.presence), diary


# --- returned ---


def test_an_offered_draw_is_told_and_an_accepted_one_ends_nothing_before_it_is_stored():
    table = Table()
    assert table.offers.offer_draw("ann", None) == [News("offer draw", {"kind": "draw", "seat": 0, "state": "asked"})]
    with pytest.raises(Refused, match="offer"):
        table.offers.answer_draw("ann", True)
    (ended,) = table.offers.answer_draw("bob", True)
    assert isinstance(ended, Ended)
    assert (ended.result.winner, ended.result.reason) == ([], "agreed")
    assert ended.news == (News("answer draw", {"kind": "draw", "seat": 1, "state": "accepted"}),)
    assert table.state.playing


def test_a_takeback_that_all_agree_to_is_returned_with_what_comes_after_it():
    table = Table(rated=False)
    table.put("ann", "b2")
    assert table.offers.ask_takeback("ann", None) == [News("ask takeback", {"kind": "takeback", "seat": 0, "state": "asked"})]
    back, told, *after = table.offers.answer_takeback("bob", True)
    assert isinstance(back, TakenBack)
    assert (back.ply, told.payload["state"], after) == (0, "accepted", [Show.HISTORY, GoesOn(0)])
    assert (table.state.match.ply, table.state.offers.offer) == (1, ("takeback", 0)), "nothing is taken back before that is stored"


def test_of_three_one_who_has_resigned_need_not_agree_to_a_takeback():
    people = ["ann", "bob", "cid"]
    table = Table("wallgo", people, options={"players": 3, "size": 4, "pieces": 1}, rated=False)
    match = table.state.match
    while (drawn := table.turns.chance(match)) is not None:
        match.put(drawn.row, drawn.following, drawn.clock)
    asker = people[match.seat]
    table.put(asker, match.state.legal()[0])
    resigned, other = [person for person in people if person != asker]
    match.resigned |= {people.index(resigned)}
    assert [fact.payload["state"] for fact in table.offers.ask_takeback(asker, None)] == ["asked"]
    assert [type(fact) for fact in table.offers.answer_takeback(other, True)][:1] == [TakenBack]


def test_what_is_offered_instead_of_something_else_withdraws_it():
    table = Table(rated=False)
    table.put("ann", "b2")
    table.put("bob", "a1")
    table.offers.offer_draw("bob", None)
    gone, asked = table.offers.ask_takeback("ann", None)
    assert gone == News("answer draw", {"kind": "draw", "seat": 1, "state": "withdrawn"})
    assert asked == News("ask takeback", {"kind": "takeback", "seat": 0, "state": "asked"})
    with pytest.raises(Refused, match="offer"):
        table.offers.answer_draw("ann", True)
    gone, asked = table.offers.ask_takeback("bob", None)
    assert (gone.event, gone.payload, asked.payload["seat"]) == ("answer takeback", {"kind": "takeback", "seat": 0, "state": "withdrawn"}, 1)
    gone, asked = table.offers.offer_draw("ann", None)
    assert (gone.event, gone.payload, asked.event) == ("answer takeback", {"kind": "takeback", "seat": 1, "state": "withdrawn"}, "offer draw")
    table.put("ann", "c3")
    assert len(table.offers.offer_draw("ann", None)) == 1, "the same again withdraws nothing"


def test_who_wants_a_rematch_waits_for_the_other():
    table = Table()
    table.state.match.end(table.state.match.lost_by(0, "resigned"))
    assert [fact.payload["state"] for fact in table.offers.ask_rematch("ann")] == ["asked"]
    told, then = table.offers.ask_rematch("bob")
    assert (told.payload["state"], then) == ("accepted", Next.BEGIN)
    assert [chair.person for chair in table.state.seating.chairs] == ["bob", "ann"]


def test_an_action_is_not_in_the_game_before_it_is_stored_and_the_same_again_is_nothing_new():
    table = Table()
    (acted,) = table.turns.play("ann", 0, "b2", table.now(), None)
    assert isinstance(acted, Acted)
    assert (acted.row.text, acted.row.seat, table.state.match.ply) == ("b2", 0, 0)
    table.put("ann", "b2")
    assert table.turns.play("ann", 0, "b2", table.now(), None) == []
    with pytest.raises(Refused) as refused:
        table.turns.play("ann", 0, "a1", table.now(), None)
    assert refused.value.code == "stale-ply"


def test_an_action_that_was_meant_for_an_earlier_game_is_refused():
    table = Table()
    earlier = table.state.match.id
    table.turns.begun(table.turns.begin(), waiting=False)
    with pytest.raises(Refused) as refused:
        table.turns.play("ann", 0, "b2", table.now(), earlier)
    assert refused.value.code == "game-over"
    (acted,) = table.turns.play("ann", 0, "b2", table.now(), table.state.match.id)
    assert acted.row.text == "b2"


def test_an_action_that_comes_too_late_is_refused_after_what_the_clock_has_decided():
    table = Table(time={"kind": "byoyomi", "main_ms": 0, "byoyomi_ms": 5000}, on_timeout="random")
    table.time += 60_000
    forced, refused = table.turns.play("ann", 0, "b2", table.now(), None)
    assert (forced.row.forced, forced.row.seat, refused.code) == (True, 0, "time-up")
    table.state.match.put(forced.row, forced.following, forced.clock)
    with pytest.raises(Refused) as again:  # it was on its way for longer than that
        table.turns.play("ann", 0, "b2", table.now(), None)
    assert again.value.code == "time-up"


def test_a_new_game_changes_nothing_before_it_is_stored():
    table = Table()
    before, seating = table.state.match, table.state.seating.json()
    begun = table.turns.begin()
    assert (table.state.match, table.state.seating.json()) == (before, seating)
    assert [who["first"] for who in begun.row.people] == ["ann", "bob"]
    table.turns.begun(begun, waiting=False)
    assert table.state.match.id == begun.row.id


def test_a_new_game_knows_nothing_of_how_the_last_one_moved_ratings():
    table = Table()
    table.state.moved, table.state.counted = {"ann": {"before": 1300.0, "after": 1310.0}}, 1.0
    table.turns.begun(table.turns.begin(), waiting=False)
    assert (table.state.moved, table.state.counted) == (None, None)


def test_whoever_was_waited_for_long_enough_is_not_waited_for_any_more():
    table = Table(time={"kind": "byoyomi", "main_ms": 60_000, "byoyomi_ms": 0})
    table.turns.wait_for({"ann"})
    table.turns.begin_turn()
    assert (table.state.match.clock.since, table.turns.start_clock()) == (None, [])
    assert table.turns._waited_enough() == [Show.CLOCK]
    assert (table.state.awaited, table.state.match.clock.since) == (frozenset(), table.now())


def test_chance_that_could_not_act_tries_again_only_where_it_stood():
    table = Table("goita", ("ann", "bob", "cid", "dora"))
    assert table.turns._chance_again(0) == [GoesOn(0)]
    assert table.turns._chance_again(1) == []


def test_where_only_computer_players_sit_nobody_has_said_that_they_are_ready():
    """Else those who watch would see nothing of what has ended."""
    table = Table("goita", ("ann", "bob", "cid", "dora"))
    for chair in table.state.seating.chairs:
        chair.ready = True
    assert table.pause.all_ready
    for chair in table.state.seating.chairs:
        chair.give_to_bot(3)
    assert not table.pause.all_ready


def test_whoever_comes_back_has_missed_nothing_so_far():
    table = Table()
    table.state.seating.chairs[0].missed, table.state.seating.chairs[1].missed = 1, 1
    table.presence.come_back("ann")
    assert [chair.missed for chair in table.state.seating.chairs] == [0, 1]


def test_a_substitute_leaves_the_chair_when_the_game_has_ended():
    table = Table()
    del table.state.members["bob"]
    table.presence._substitute(1)
    table.state.match.end(table.state.match.lost_by(0, "resigned"))
    table.finisher.ended()
    assert [(chair.person, chair.bot) for chair in table.state.seating.chairs] == [("ann", None), (None, None)]


def test_in_a_rated_game_nobody_sits_in_while_the_partner_is_away():
    table = Table("goita", ("ann", "bob", "cid", "dora"), time={"kind": "turn", "turn_ms": 30_000})
    table.presence._people.known = {"eve": SimpleNamespace(kind="account")}
    del table.state.members["ann"], table.state.members["cid"]
    table.state.seating.chairs[0].left_at, table.state.seating.chairs[0].missed = 0, 2
    with pytest.raises(Refused) as refused:
        table.presence.take_over("eve", 0)
    assert refused.value.code == "partner-away"
    table.state.members["cid"] = 1
    assert [fact.event for fact in table.presence.take_over("eve", 0)] == ["ask seat"]


def asked_to_let_eve_sit_in():
    """A rated game of four that ann has left: her seat was offered, eve wants it, and cid is asked."""
    table = Table("goita", ("ann", "bob", "cid", "dora"), time={"kind": "turn", "turn_ms": 30_000})
    table.state.rated, table.presence._people.known = True, {"eve": SimpleNamespace(kind="account")}
    del table.state.members["ann"]
    table.state.members["eve"] = 1
    table.state.seating.chairs[0].left_at, table.state.seating.chairs[0].missed = 0, 2
    table.presence.seat_is_free(0)
    table.presence.take_over("eve", 0)
    return table


def states(happened):
    return [fact.payload["state"] for fact in happened if isinstance(fact, News)]


@pytest.mark.parametrize("answer", ["no", "none"])
def test_a_computer_player_keeps_a_seat_if_the_partner_lets_nobody_sit_in(answer):
    table = asked_to_let_eve_sit_in()
    table.planned.clear()
    assert table.presence._keep(0) == [], "the answer may still come"
    assert "keep0" in table.planned, "but nobody waits for it without end"
    if answer == "no":
        assert states(table.presence.answer_seat("cid", 0, False)) == ["declined"]
    else:
        del table.state.members["eve"]  # whom it would have been about
    assert states(table.presence._keep(0)) == ([] if answer == "no" else ["withdrawn"])
    assert table.state.seating.chairs[0].acting == 3
    assert not table.state.offers.asking


def test_nobody_waits_for_the_answer_of_a_partner_who_has_gone():
    table = asked_to_let_eve_sit_in()
    del table.state.members["cid"]
    assert states(table.presence._keep(0)) == ["withdrawn"]
    assert table.state.seating.chairs[0].acting == 3


def test_nobody_is_asked_about_a_seat_whose_own_person_is_back():
    table = asked_to_let_eve_sit_in()
    table.state.members["ann"] = 1
    assert states(table.presence.come_back("ann")) == ["withdrawn"]
    assert not table.state.offers.asking
    with pytest.raises(Refused, match="nothing-offered"):
        table.presence.answer_seat("cid", 0, True)


def test_of_four_one_who_leaves_plays_on_by_the_clock_and_a_substitute_keeps_the_chair():
    table = Table("goita", ("ann", "bob", "cid", "dora"), rated=False)
    del table.state.members["bob"]
    table.state.seating.chairs[1].left_at = table.now()
    assert table.presence._substitute(1) == [Changed(players=True), Show.PLAYERS]
    assert (table.state.seating.chairs[1].person, table.state.seating.chairs[1].acting) == (None, 3)
    table.state.members["bob"] = 1
    assert Changed(players=True) in table.presence.come_back("bob")
    assert table.state.seating.chairs[1].person == "bob"


def test_whoever_sits_down_in_a_running_game_is_shown_all_of_it():
    table = Table(rated=False)
    table.state.seating.chairs[1].give_to_bot(3)
    assert table.presence.take_over("bob", 1) == [Changed(players=True), Show.PLAYERS, ShowGame("bob")]


# --- stored, then told ---


async def test_what_has_happened_is_stored_before_anyone_is_told():
    table = Table()
    table.offers.offer_draw("ann", None)
    commit, diary = committed(table)
    await commit(table.turns.play("ann", 0, "b2", table.now(), None))
    assert diary.lines == ["append", "tell_position"], "whoever offers a draw may act, and the offer stands"
    await commit(table.turns.play("bob", 1, "a1", table.now(), None))
    assert diary.lines[2:] == ["append", "tell answer draw", "tell_position"]
    assert (table.state.match.ply, table.state.offers.offer) == (2, None)


async def test_an_agreed_draw_is_stored_then_told_and_the_room_is_stored_for_the_next_game():
    table = Table(rated=False)
    table.finisher._people.ratings_moved = Diary({"ratings_moved": {}}).ratings_moved
    table.offers.offer_draw("ann", None)
    commit, diary = committed(table)
    await commit(table.offers.answer_draw("bob", True))
    told = ["tell answer draw", "tell_position", "save", "tell_history", "tell game over", "tell_players", "tell_room room updated"]
    assert diary.lines == ["append", *told]
    assert not table.state.playing


async def test_a_game_that_its_rules_do_not_end_ends_at_its_last_action_and_moves_no_rating(monkeypatch):
    monkeypatch.setattr(result, "MOST_ACTIONS", 4)
    table = Table("puoribor")
    table.finisher._people.ratings_moved = Diary({"ratings_moved": {}}).ratings_moved
    commit, diary = committed(table)
    for ply, (person, action) in enumerate([("ann", "e2"), ("bob", "e8"), ("ann", "e1"), ("bob", "e9")]):
        assert table.state.playing
        await commit(table.turns.play(person, ply, action, table.now(), None))
    assert diary.lines.count("append") == 4, "the end is stored with the action that brought it"
    assert (table.state.match.result, table.state.rated, table.state.counted) == (Result([], "length"), True, None)
    with pytest.raises(Refused) as refused:
        table.turns.play("ann", 4, "e2", table.now(), None)
    assert refused.value.code == "game-over"


async def test_what_can_not_be_stored_did_not_happen_and_nobody_is_told():
    table = Table()
    commit, diary = committed(table, append=OSError("the disk is full"), add_game=OSError("the disk is full"))
    for happened in (table.turns.play("ann", 0, "b2", table.now(), None), table.offers.resign("ann", None), [Next.BEGIN]):
        before, seating = table.state.match, table.state.seating.json()
        with pytest.raises(OSError, match="full"):
            await commit(happened)
        assert (table.state.match, table.state.match.ply, table.state.match.result, table.state.seating.json()) == (before, 0, None, seating)
    assert diary.lines == ["append", "append", "add_game"]


async def test_what_was_told_badly_happened_all_the_same():
    table = Table(time={"kind": "byoyomi", "main_ms": 60_000, "byoyomi_ms": 0})
    commit, diary = committed(table, tell_position=OSError("nobody listens"))
    await commit(table.turns.play("ann", 0, "b2", table.now(), None))
    assert (diary.lines, table.state.match.ply) == (["append", "tell_position"], 1)
    assert table.planned == ["time"], "the next turn has begun"


async def test_where_the_storage_stands_elsewhere_the_game_is_taken_from_there():
    table = Table()
    row = table.turns.begin().row
    commit, diary = committed(table, append=False, game=row)
    with pytest.raises(Refused) as refused:
        await commit(table.turns.play("ann", 0, "b2", table.now(), None))
    assert refused.value.code == "stale-ply"
    assert table.state.match.id == row.id
    assert diary.lines == ["append", "game", "tell_game", "tell_game"]
    assert table.state.sat == []


async def test_who_sat_where_is_taken_from_the_storage_where_the_game_has_ended_there():
    table = Table()
    table.finisher._people.ratings_moved = Diary({"ratings_moved": {}}).ratings_moved
    row = replace(table.turns.begin().row, result={"winner": [1], "reason": "resigned", "scores": [0, 0], "last": []})
    commit, _ = committed(table, append=False, game=row, changes_of=[])
    with pytest.raises(Refused):
        await commit(table.turns.play("ann", 0, "b2", table.now(), None))
    assert [who["person"] for who in table.state.sat] == ["ann", "bob"]


async def test_whoever_waited_at_the_door_is_told_nothing_of_a_room_that_has_moved():
    parts, told = Table(), Diary()
    room = SimpleNamespace(state=parts.state, everything_for=lambda person: [("info", {})])
    at = SimpleNamespace(person="ann", asker=SimpleNamespace(person="ann", tell=told.tell), room=room)
    await tell_info(None, at)
    assert told.lines == ["tell info"]
    async with parts.state.lock:
        waiting = asyncio.create_task(tell_info(None, at))
        await asyncio.sleep(0)
        parts.state.closed = True
    with pytest.raises(Refused) as refused:
        await waiting
    assert (refused.value.code, told.lines) == ("room-moves", ["tell info"])
