"""Clocks: what is charged, forgiven, kept and given back."""

import json

import pytest

from hanpan.server.rooms.clock import BYOYOMI_MS, FORGIVEN_MS, INCREMENT_MS, MAIN_MS, QUOTA_MS, REFILL_MS, TURN_MS, Clock, TimeControl, TimeLeft
from hanpan.server.storage.models import ActionRow

NONE = TimeControl()
BYOYOMI = TimeControl("byoyomi", main_ms=60_000, byoyomi_ms=10_000)
BYOYOMI_ONLY = TimeControl("byoyomi", byoyomi_ms=5_000)
MAIN_ONLY = TimeControl("byoyomi", main_ms=60_000)
TURN = TimeControl("turn", turn_ms=30_000)
FISCHER = TimeControl("fischer", main_ms=60_000, increment_ms=3_000)
TIMED = [BYOYOMI, BYOYOMI_ONLY, MAIN_ONLY, TURN, FISCHER]


def begin(control, seats=2, first_seat=0, start_at=1_000_000):
    return Clock.begin(control, seats, start_at, first_seat)


def left(main=0, byoyomi=0, turn=0):
    return TimeLeft(main, byoyomi, turn)


def played(clock, *thoughts, seats=2):
    """The clock after the seats in turn thought so long, and what was recorded: each action, and who was to act then."""
    timed = []
    for thought in thoughts:
        clock, row = clock.act(clock.since + thought, (clock.seat + 1) % seats)
        timed.append((row, clock.seat))
    return clock, timed


# --- time controls ---


def test_the_values_are_those_of_the_settings_page():
    assert [ms // 60_000 for ms in MAIN_MS] == [10, 5, 3, 2, 1]
    assert [ms // 1_000 for ms in BYOYOMI_MS] == [30, 20, 10, 5]
    assert (TURN_MS[0], TURN_MS[-1]) == (5_000, 600_000)
    assert (INCREMENT_MS[0], INCREMENT_MS[-1]) == (1_000, 60_000)


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (None, "time"),
        ([], "time"),
        ({}, "kind"),
        ({"kind": None}, "kind"),
        ({"kind": ["none"]}, "kind"),
        ({"kind": "hourglass"}, "kind"),
        ({"kind": "none", "main_ms": 60_000}, "main_ms"),
        ({"kind": "none", "main_ms": 0}, "main_ms"),
        ({"kind": "byoyomi", "main_ms": 60_000}, "byoyomi_ms"),
        ({"kind": "byoyomi", "main_ms": 60_001, "byoyomi_ms": 0}, "main_ms"),
        ({"kind": "byoyomi", "main_ms": 0, "byoyomi_ms": 0}, "byoyomi_ms"),
        ({"kind": "byoyomi", "main_ms": 0, "byoyomi_ms": 15_000}, "byoyomi_ms"),
        ({"kind": "byoyomi", "main_ms": "60000", "byoyomi_ms": 0}, "main_ms"),
        ({"kind": "byoyomi", "main_ms": 60_000.0, "byoyomi_ms": 0}, "main_ms"),
        ({"kind": "byoyomi", "main_ms": False, "byoyomi_ms": 5_000}, "main_ms"),
        ({"kind": "turn"}, "turn_ms"),
        ({"kind": "turn", "turn_ms": 0}, "turn_ms"),
        ({"kind": "turn", "turn_ms": 4_000}, "turn_ms"),
        ({"kind": "turn", "turn_ms": 5_500}, "turn_ms"),
        ({"kind": "turn", "turn_ms": 601_000}, "turn_ms"),
        ({"kind": "turn", "turn_ms": -5_000}, "turn_ms"),
        ({"kind": "turn", "turn_ms": 30_000, "byoyomi_ms": 5_000}, "byoyomi_ms"),
        ({"kind": "fischer", "main_ms": 0, "increment_ms": 5_000}, "main_ms"),
        ({"kind": "fischer", "main_ms": 60_000, "increment_ms": 0}, "increment_ms"),
        ({"kind": "fischer", "main_ms": 60_000, "increment_ms": 61_000}, "increment_ms"),
        ({"kind": "none", "colour": "red"}, "colour"),
    ],
)
def test_a_wrong_time_control_is_refused_by_the_name_of_its_field(data, field):
    with pytest.raises(ValueError, match=f"^{field}: "):
        TimeControl.from_json(data)


def test_a_time_control_made_in_code_is_checked_too():
    with pytest.raises(ValueError, match=r"^byoyomi_ms: "):
        TimeControl("turn", turn_ms=30_000, byoyomi_ms=5_000)


# --- charging ---


def test_thinking_uses_main_time_first_then_byoyomi():
    clock = begin(BYOYOMI)
    assert clock.remaining(clock.since + 59_999)[0] == left(1, 10_000)
    assert clock.remaining(clock.since + 60_000)[0] == left(0, 10_000)
    assert clock.remaining(clock.since + 64_000) == (left(0, 6_000), left(60_000, 10_000))


def test_byoyomi_is_full_again_when_the_turn_passes_on():
    clock, timed = played(begin(BYOYOMI), 69_999)
    assert timed[0][0].charged == 69_999
    assert clock.remaining(clock.since) == (left(0, 10_000), left(60_000, 10_000))
    clock, _ = played(clock, 1_000, 9_999)
    assert clock.remaining(clock.since) == (left(0, 10_000), left(59_000, 10_000))


def test_a_turn_timer_is_full_at_every_turn():
    clock, _ = played(begin(TURN), 29_000, 5_000)
    assert clock.remaining(clock.since + 4_000) == (left(turn=26_000), left(turn=30_000))


def test_a_seat_that_acts_twice_in_a_row_has_two_turns():
    clock = begin(TURN)
    clock, _ = clock.act(clock.since + 20_000, next_seat=0)
    assert clock.remaining(clock.since)[0] == left(turn=30_000)


def test_a_fischer_increment_is_added_after_the_turn_and_may_exceed_the_main_time():
    clock = begin(FISCHER)
    assert clock.remaining(clock.since)[0] == left(60_000)
    clock, _ = played(clock, 1_000, 10_000)
    assert clock.remaining(clock.since) == (left(62_000), left(53_000))


def test_the_next_clock_starts_when_the_turn_has_been_stored_and_sent():
    clock = begin(BYOYOMI)
    clock, row = clock.act(clock.since + 5_000, 1, started_at=clock.since + 5_040)
    assert row.started_at == clock.since == row.at + 40
    assert clock.remaining(clock.since - 20)[1] == left(60_000, 10_000), "nothing runs before"
    assert clock.remaining(clock.since + 7)[1] == left(59_993, 10_000)
    early, row = clock.act(clock.since - 10, 0)
    assert row.charged == 0
    assert early.main_ms == (55_000, 60_000)


def test_a_start_before_the_action_counts_as_the_action():
    clock, row = begin(BYOYOMI).act(1_005_000, 1, started_at=1_004_000)
    assert clock.since == row.started_at == 1_005_000


def test_without_a_clock_nothing_is_charged_and_nothing_runs_out():
    clock = begin(NONE)
    clock, row = clock.act(clock.since + 10**9, 1, lag_ms=400)
    assert (row.seat, row.charged, row.forgiven) == (0, 0, 0)
    assert clock.deadline() is None
    assert not clock.overdue(10**12)
    assert clock.remaining(10**12) == (left(), left())
    assert clock.quota_ms == (QUOTA_MS, QUOTA_MS)


@pytest.mark.parametrize("control", TIMED)
def test_chance_charges_nobody(control):
    clock = begin(control, seats=4, first_seat=None)
    assert clock.deadline() is None
    dealt, row = clock.act(1_050_000, next_seat=2)
    assert (row.seat, row.charged, dealt.seat) == (None, 0, 2)
    assert dealt.main_ms == clock.main_ms
    assert dealt.since == 1_050_000


def test_nobody_acts_after_the_end():
    clock = begin(BYOYOMI)
    over, _ = clock.act(clock.since + 1_000, None)
    assert over.deadline() is None
    assert over.remaining(10**12) == (left(59_000, 10_000), left(60_000, 10_000))
    assert over.resume(10**12) == over == over.suspend(10**12)


# --- running out ---


@pytest.mark.parametrize(("control", "thought"), [(BYOYOMI, 70_000), (BYOYOMI_ONLY, 5_000), (MAIN_ONLY, 60_000), (TURN, 30_000), (FISCHER, 60_000)])
def test_time_is_up_at_the_deadline_and_not_before(control, thought):
    clock = begin(control)
    assert clock.deadline() == clock.since + thought
    assert not clock.overdue(clock.since + thought - 1)
    assert clock.overdue(clock.since + thought)


@pytest.mark.parametrize("control", TIMED)
def test_a_late_time_out_charges_only_what_the_seat_had(control):
    clock = begin(control)
    after, row = clock.act(clock.deadline() + 4_321, 1, forced=True, lag_ms=300)
    assert (row.charged, row.forgiven, row.forced) == (clock.deadline() - clock.since, 0, True)
    assert after.remaining(after.since)[0] == left(control.increment_ms, control.byoyomi_ms, control.turn_ms)


def test_a_seat_without_any_time_left_is_overdue_as_soon_as_its_turn_begins():
    clock = begin(MAIN_ONLY)
    clock, _ = clock.act(clock.deadline(), 0, forced=True)
    assert clock.deadline() == clock.since
    assert clock.overdue(clock.since)


def used_up(clock, seat, now):
    """Whether a seat that had main time has nothing but byo-yomi left."""
    end = clock.main_ends(seat)
    return end is not None and end <= now


def test_only_byoyomi_is_left_when_main_time_is_used_up():
    clock = begin(BYOYOMI)
    assert not used_up(clock, 0, clock.since + 59_999)
    assert used_up(clock, 0, clock.since + 60_000)
    assert not used_up(clock, 1, clock.since + 60_000)
    clock, _ = played(clock, 65_000)
    assert used_up(clock, 0, clock.since), "and stays so"
    clock = begin(BYOYOMI)
    assert clock.suspend(clock.since + 59_999).main_ends(0) is None, "a clock that stands still does not come there"
    assert used_up(clock.suspend(clock.since + 60_000), 0, 0)


@pytest.mark.parametrize("control", [NONE, BYOYOMI_ONLY, MAIN_ONLY, TURN, FISCHER])
def test_main_time_that_never_was_or_is_not_followed_by_byoyomi_is_not_used_up(control):
    assert not used_up(begin(control), 0, 10**12)


# --- lag ---


def test_lag_is_forgiven_up_to_half_a_second_an_action():
    clock = begin(BYOYOMI)
    _, row = clock.act(clock.since + 3_000, 1, lag_ms=180)
    assert (row.charged, row.forgiven) == (2_820, 180)
    after, row = clock.act(clock.since + 3_000, 1, lag_ms=9_000)
    assert (row.charged, row.forgiven) == (2_500, FORGIVEN_MS)
    assert after.remaining(after.since)[0] == left(57_500, 10_000)


def test_no_more_lag_is_forgiven_than_was_thought_and_none_that_is_negative():
    clock = begin(BYOYOMI)
    _, row = clock.act(clock.since + 120, 1, lag_ms=400)
    assert (row.charged, row.forgiven) == (0, 120)
    _, row = clock.act(clock.since + 120, 1, lag_ms=-400)
    assert (row.charged, row.forgiven) == (120, 0)


def test_the_quota_is_used_up_by_much_lag_and_refills_slowly():
    clock, forgiven = begin(TURN, seats=1), []
    for _ in range(9):
        clock, row = clock.act(clock.since + 1_000, 0, lag_ms=1_000)
        forgiven.append(row.forgiven)
    assert forgiven == [500, 500, 500, 500, 500, 500, 200, 200, 200]
    for _ in range(8):
        clock, _ = clock.act(clock.since + 1_000, 0)
    assert clock.quota_ms == (8 * REFILL_MS + REFILL_MS,)
    clock, _ = clock.act(clock.since + 1_000, 0)
    clock, _ = clock.act(clock.since + 1_000, 0)
    assert clock.quota_ms == (QUOTA_MS,), "and is never more than at the start"


def test_an_ordinary_round_trip_is_always_forgiven_in_full():
    clock = begin(TURN, seats=1)
    for _ in range(200):
        clock, row = clock.act(clock.since + 2_000, 0, lag_ms=REFILL_MS)
        assert row.forgiven == REFILL_MS


def test_lag_saves_an_action_that_was_sent_in_time():
    clock = begin(BYOYOMI)
    assert clock.deadline(lag_ms=300) == clock.deadline() + 300
    assert clock.deadline(lag_ms=9_000) == clock.deadline() + FORGIVEN_MS
    assert clock.overdue(clock.deadline() + 299)
    assert not clock.overdue(clock.deadline() + 299, lag_ms=300)
    assert clock.overdue(clock.deadline() + 300, lag_ms=300)
    _, row = clock.act(clock.deadline() + 299, 1, lag_ms=300)
    assert (row.charged, row.forgiven) == (69_999, 300)


# --- faults of ours ---


def test_an_outage_is_not_charged():
    clock = begin(BYOYOMI)
    stopped = clock.suspend(clock.since + 5_000)
    assert stopped.deadline() is None
    assert not stopped.overdue(10**12)
    assert stopped.remaining(10**12)[0] == left(55_000, 10_000)
    again = stopped.resume(5_000_000)
    assert again.deadline() == 5_065_000
    _, row = again.act(5_002_000, 1)
    assert row.charged == 7_000


def test_after_a_crash_the_turn_goes_on_with_what_it_had_at_the_last_stored_moment():
    clock, timed = played(begin(BYOYOMI), 8_000, 2_000)
    rebuilt = Clock.replay(BYOYOMI, 2, 1_000_000, timed, first_seat=0)
    again = rebuilt.suspend(timed[-1][0].at).resume(9_000_000)
    assert again == clock._replace(since=9_000_000)


def test_two_outages_in_one_turn_are_both_not_charged():
    clock = begin(TURN).suspend(1_001_000).resume(2_000_000).suspend(2_002_000).resume(3_000_000)
    assert clock.remaining(3_003_000)[0] == left(turn=24_000)


def test_an_action_that_comes_while_the_clock_stands_still_is_charged_until_then():
    clock, row = begin(TURN).suspend(1_001_000).act(1_900_000, 1)
    assert row.charged == 1_000
    assert clock.since == 1_900_000


def test_suspending_or_resuming_twice_is_the_same_as_once():
    stopped = begin(TURN).suspend(1_001_000)
    assert stopped.suspend(1_500_000) == stopped
    running = stopped.resume(2_000_000)
    assert running.resume(2_500_000) == running


# --- takeback ---


def test_the_asker_of_a_takeback_gets_no_time_back_and_the_others_have_what_they_had():
    clock, timed = played(begin(BYOYOMI), 10_000, 5_000, 20_000, 7_000)
    earlier = Clock.replay(BYOYOMI, 2, 1_000_000, timed[:2], first_seat=0)
    at = clock.since + 3_000  # seat 0 is to act, and asks for its last action back
    back = clock.take_back(earlier, asker=0, at=at, started_at=at + 50)
    assert back.remaining(at) == (left(60_000 - 10_000 - 20_000 - 3_000, 10_000), left(55_000, 10_000))
    assert (back.seat, back.since) == (0, at + 50)


def test_the_turn_in_which_a_takeback_is_granted_is_not_charged_to_the_one_who_grants_it():
    clock, timed = played(begin(FISCHER), 10_000, 5_000, 1_000)
    earlier = Clock.replay(FISCHER, 2, 1_000_000, timed[:2], first_seat=0)
    back = clock.take_back(earlier, asker=0, at=clock.since + 30_000, started_at=clock.since + 30_000)
    assert back.main_ms == (53_000, 58_000), "nor does the asker keep the increment of what was taken back"


def test_lag_that_was_forgiven_to_the_asker_of_a_takeback_stays_used():
    start = begin(TURN)
    clock, _ = start.act(start.since + 1_000, 1, lag_ms=500)
    clock, _ = clock.act(clock.since + 1_000, 0, lag_ms=400)
    assert clock.take_back(start, asker=0, at=clock.since, started_at=clock.since).quota_ms == (QUOTA_MS - 500 + REFILL_MS, QUOTA_MS)


def test_a_clock_after_a_takeback_is_kept_as_data_and_goes_on_with_later_actions():
    clock, timed = played(begin(BYOYOMI), 10_000, 5_000)
    back = clock.take_back(Clock.begin(BYOYOMI, 2, 1_000_000, 0), 0, clock.since, clock.since)
    later, timed = played(back, 1_000, 2_000)
    assert Clock.from_json(json.loads(json.dumps(back.json()))).then(timed) == later


# --- ledgers and data from outside ---


def test_a_ledger_that_charges_the_wrong_seat_is_refused():
    with pytest.raises(ValueError, match=r"^seat: 1 was charged"):
        begin(BYOYOMI).then([(ActionRow("", 1, 1_001_000, 1_001_000, 1_000), 0)])


@pytest.mark.parametrize("seat", [2, -1])
def test_a_seat_that_is_not_there_is_refused(seat):
    with pytest.raises(ValueError, match=r"^seat: "):
        begin(BYOYOMI).act(1_001_000, seat)
    with pytest.raises(ValueError, match=r"^seat: "):
        begin(BYOYOMI, first_seat=seat)


def test_a_game_has_at_least_one_seat():
    with pytest.raises(ValueError, match=r"^seats: "):
        Clock.begin(BYOYOMI, 0, 0, None)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"control": {"kind": "x"}}, "kind"),
        ({"main_ms": []}, "main_ms"),
        ({"main_ms": [1, "2"]}, "main_ms"),
        ({"quota_ms": [1]}, "quota_ms"),
        ({"quota_ms": 2_000}, "quota_ms"),
        ({"seat": 2}, "seat"),
        ({"seat": None}, "since"),
        ({"since": "now"}, "since"),
        ({"used_ms": -1}, "used_ms"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_wrong_clock_is_refused_by_the_name_of_its_field(change, field):
    with pytest.raises(ValueError, match=f"^{field}: "):
        Clock.from_json(begin(BYOYOMI).json() | change)


@pytest.mark.parametrize("kind", [TimeControl, Clock])
@pytest.mark.parametrize("data", [None, 3, "x", [], [["kind", "none"]]])
def test_what_is_not_an_object_is_refused(kind, data):
    with pytest.raises(ValueError, match="not an object"):
        kind.from_json(data)
