"""Clocks: what holds for every control, every game and every ledger."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hanpan.server.rooms.clock import BYOYOMI_MS, FORGIVEN_MS, INCREMENT_MS, MAIN_MS, QUOTA_MS, TURN_MS, Clock, TimeControl, TimeLeft

NONE = TimeControl()

unhurried = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine is no failure

controls = st.one_of(
    st.just(NONE),
    st.builds(TimeControl, st.just("turn"), turn_ms=st.sampled_from(TURN_MS)),
    st.builds(TimeControl, st.just("fischer"), main_ms=st.sampled_from(MAIN_MS), increment_ms=st.sampled_from(INCREMENT_MS)),
    st.tuples(st.sampled_from((*MAIN_MS, 0)), st.sampled_from((*BYOYOMI_MS, 0)))
    .filter(any)
    .map(lambda times: TimeControl("byoyomi", main_ms=times[0], byoyomi_ms=times[1])),
)
steps = st.fixed_dictionaries(
    {
        "wait": st.integers(-50, 150_000) | st.integers(0, 600),
        "next": st.integers(-1, 3),
        "sent": st.integers(0, 300),
        "lag": st.integers(0, 900),
        "forced": st.booleans(),
        "outage": st.none() | st.tuples(st.integers(0, 5_000), st.integers(0, 10**6)),
    }
)
games = st.tuples(controls, st.integers(1, 4), st.integers(0, 2**40), st.integers(-1, 3), st.lists(steps, max_size=12))


def seat_of(number, seats):
    return None if number < 0 else number % seats


def history(game):
    """All clocks of a random game with the actions between them, and who was to act then; each pause is played on the clock but is no action."""
    control, seats, start_at, first, moves = game
    clock, now = Clock.begin(control, seats, start_at, seat_of(first, seats)), start_at
    clocks, timed = [clock], []
    for move in moves:
        if move["outage"]:
            thought, pause = move["outage"]
            clock, now = clock.suspend(now + thought).resume(now + thought + pause), now + thought + pause
        at = max(0, now + move["wait"])
        clock, row = clock.act(at, seat_of(move["next"], seats), started_at=at + move["sent"], lag_ms=move["lag"], forced=move["forced"])
        now = at + move["sent"]
        clocks.append(clock)
        timed.append((row, clock.seat))
    return clocks, timed


@unhurried
@given(controls)
def test_every_time_control_survives_as_data(control):
    assert TimeControl.from_json(json.loads(json.dumps(control.json()))) == control


@unhurried
@given(games)
def test_a_ledger_rebuilds_exactly_the_same_clock_at_every_action(game):
    control, seats, start_at, first, _ = game
    clocks, kept = history(game)
    for ply, clock in enumerate(clocks):
        assert Clock.replay(control, seats, start_at, kept[:ply], first_seat=seat_of(first, seats)) == clock
        assert Clock.from_json(json.loads(json.dumps(clock.json()))).then(kept[ply:]) == clocks[-1]


@pytest.mark.slow
@unhurried
@given(games, st.integers(0, 300_000))
def test_a_clock_stays_within_its_bounds(game, later):
    control = game[0]
    clocks, timed = history(game)
    for clock in clocks:
        assert all(0 <= quota <= QUOTA_MS for quota in clock.quota_ms)
        now = (clock.since or 0) + later
        for seat, has in enumerate(clock.remaining(now)):
            assert 0 <= has.main_ms <= clock.main_ms[seat]
            assert 0 <= has.byoyomi_ms <= control.byoyomi_ms
            assert 0 <= has.turn_ms <= control.turn_ms
            if seat != clock.seat:
                assert has == TimeLeft(clock.main_ms[seat], control.byoyomi_ms, control.turn_ms)
    for before, (row, _) in zip(clocks, timed, strict=False):
        assert 0 <= row.forgiven <= FORGIVEN_MS
        assert 0 <= row.charged <= (0 if row.seat is None else before.main_ms[row.seat] + control.byoyomi_ms + control.turn_ms)


@unhurried
@given(games, st.integers(0, 900), st.integers(0, 100_000))
def test_the_deadline_is_the_first_moment_that_is_overdue_and_shows_nothing_left(game, lag, early):
    clock = history(game)[0][-1]
    deadline = clock.deadline(lag)
    assert (deadline is None) == (game[0] == NONE or clock.seat is None)
    if deadline is None:
        return
    assert clock.overdue(deadline, lag)
    assert not clock.overdue(deadline - 1, lag)
    assert clock.remaining(deadline)[clock.seat] == TimeLeft(0, 0, 0)
    assert (clock.remaining(clock.deadline() - 1)[clock.seat] == TimeLeft(0, 0, 0)) == (clock.deadline() == clock.since)
    at = deadline - 1 - early
    _, row = clock.act(at, None, lag_ms=lag)
    assert row.charged + row.forgiven == max(0, at - clock.since), "in time: all of it is charged or forgiven"


@unhurried
@given(games, st.integers(0, 2**40))
def test_only_differences_of_times_matter(game, later):
    control, seats, start_at, first, moves = game
    moves = [{**move, "wait": max(0, move["wait"])} for move in moves]
    clock, timed = (values[-1:] for values in history((control, seats, start_at, first, moves)))
    moved, shifted = (values[-1:] for values in history((control, seats, start_at + later, first, moves)))
    assert moved == [value._replace(since=None if value.since is None else value.since + later) for value in clock]
    assert shifted == [(row._replace(at=row.at + later, started_at=row.started_at + later), seat) for row, seat in timed]


@unhurried
@given(controls, st.lists(st.tuples(st.integers(0, 90_000), st.integers(0, 2)), max_size=20))
def test_counting_second_by_second_gives_the_same(control, turns):
    """A clock that ticks, as one would write it with a timer, for turns that begin at once and have no lag."""
    seats, seat, now = 3, 0, 500
    main = [control.main_ms] * seats
    clock = Clock.begin(control, seats, now, seat)
    for thought, following in turns:
        byoyomi, turn = control.byoyomi_ms, control.turn_ms
        for tick in [1_000] * (thought // 1_000) + [thought % 1_000]:
            from_main = min(tick, main[seat])
            main[seat] -= from_main
            byoyomi, turn = byoyomi - (tick - from_main), turn - tick
        now += thought
        lost = control.kind != "none" and main[seat] == 0 and byoyomi <= 0 and turn <= 0
        assert clock.overdue(now) == lost
        assert clock.remaining(now)[seat] == TimeLeft(main[seat], max(0, byoyomi), max(0, turn))
        main[seat] += control.increment_ms
        clock, _ = clock.act(now, following, forced=lost)
        assert clock.main_ms == tuple(main)
        seat = following


@pytest.mark.slow
@unhurried
@given(games, st.data())
def test_a_takeback_gives_the_asker_nothing_and_the_others_no_less_than_then(game, data):
    clocks, _ = history(game)
    earlier, asker = data.draw(st.sampled_from(clocks)), data.draw(st.integers(0, game[1] - 1))
    at = (clocks[-1].since or 0) + data.draw(st.integers(0, 90_000))
    back = clocks[-1].take_back(earlier, asker, at, at + 20)
    assert back.main_ms[asker] <= clocks[-1].remaining(at)[asker].main_ms
    assert back.main_ms[asker] <= earlier.main_ms[asker]
    assert [back.main_ms[seat] for seat in range(game[1]) if seat != asker] == [earlier.main_ms[seat] for seat in range(game[1]) if seat != asker]
    assert (back.seat, back.since) == (earlier.seat, None if earlier.seat is None else at + 20)


@pytest.mark.slow
@unhurried
@given(
    st.dictionaries(
        st.sampled_from(["kind", "main_ms", "byoyomi_ms", "turn_ms", "increment_ms", "more"]),
        st.sampled_from(["none", "byoyomi", "turn", "fischer", 60_000, 5_000, 0]) | st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    )
)
def test_any_other_object_is_a_time_control_or_refused_in_words(data):
    try:
        control = TimeControl.from_json(data)
    except ValueError as reason:
        assert str(reason).split(":")[0] in {*data, "kind", "main_ms", "byoyomi_ms", "turn_ms", "increment_ms"}
    else:
        assert control.json() == data
