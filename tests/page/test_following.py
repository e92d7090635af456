"""A page that is told briefly makes of it what is told in full: boards, pictures, legal actions and clocks, for every viewer."""

import json
import random

import pytest
from typescript import bundle, run
from variants import VARIANTS

import hanpan
from hanpan import engine
from hanpan.core.rule import rng
from hanpan.server.rooms import views
from hanpan.server.rooms.clock import TimeControl
from hanpan.server.rooms.match import Match

pytestmark = pytest.mark.slow
PLIES = 40  # of each variant
START = 1_700_000_000_000  # when every game began
CLOCK = TimeControl("byoyomi", main_ms=600_000, byoyomi_ms=30_000)
NAMES = sorted({name for name, _ in VARIANTS})


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    return bundle("local/following.ts", tmp_path_factory.mktemp("following"))


def told(match, mine, since, now):
    """What someone is told in full; what programs read beside it, no page needs."""
    board = views.board(match, since) | {"clock": views.clock(match, 0 if match.control.kind == "none" else now)}
    if not (match.secret and mine):
        board["scene"] = match.scene(None).json()
    own = [seat for seat in mine if match.secret or seat == match.seat]
    return [["board info", board], *(["private board info", views.private(match, seat, True) | {"info": {}}] for seat in own)]


def briefly(match, mine, since, now):
    """The same, briefly; None where that is not enough."""
    if since is None or match.result is not None or match.closing(None) or (match.secret and match.ply - since > 1):
        return None
    return views.ply(match, mine[0] if mine else None, since, now)


def play_on(match, chosen, dice, now):
    """One action, and what chance decides then; which ply it was."""
    since = match.ply
    while since == match.ply or match.state.chance:
        text = match.state.draw_and_play(dice)[0] if match.state.chance else chosen.choice(match.state.legal())
        following = match.state.play(text)
        row, clock = match.timed(text, now, now, following, forced=chosen.random() < 0.1 and not match.state.chance)
        match.put(row, following, clock)
    if match.state.over:
        match.end(match.ending(match.state))
    return since


def a_game(name, options, seed):
    """The steps of one game, for someone who looks on, for everyone who sits there, and for one who has all seats."""
    game = hanpan.game(name, **options)
    control = CLOCK if seed % 2 else TimeControl("none")
    match, chosen, dice = Match("g", game, control, START), random.Random(seed), rng(seed)
    viewers = [[], *([seat] for seat in range(game.seats))] + ([] if match.secret else [list(range(game.seats))])
    steps, since, now = [[] for _ in viewers], None, START
    while len(steps[0]) < PLIES and match.result is None:
        if not (since is None and match.state.chance):
            for mine, made in zip(viewers, steps, strict=True):
                step = {"brief": briefly(match, mine, since, now), "full": told(match, mine, since, now)}
                if step["brief"] is None:
                    step["actions"] = match.told(mine[0] if mine else None)
                made.append(step)
        now += chosen.randrange(1, 5000)
        since = play_on(match, chosen, dice, now)
        if not steps[0]:
            since = None
    return [{"options": options, "start": START, "mine": mine, "steps": made} for mine, made in zip(viewers, steps, strict=True)]


@pytest.mark.parametrize("name", NAMES)
def test_the_page_makes_of_it_what_is_told_in_full(name, program, tmp_path):
    module, translated = tmp_path / "module.wasm", tmp_path / "views.mjs"
    module.write_bytes(engine.module(name))
    translated.write_text(engine.views(name), encoding="utf-8")
    variants = [options for variant, options in VARIANTS if variant == name]
    games = json.loads(json.dumps([each for seed, options in enumerate(variants) for each in a_game(name, options, seed)]))
    assert sum(step["brief"] is not None for each in games for step in each["steps"]) > 10
    facts = json.loads(json.dumps(engine.facts(name)))
    found = run(program, {"module": str(module), "facts": facts, "views": str(translated), "games": games})
    assert found["wrong"] == []
    assert (found["ahead"] > 5) is not facts["hides"]
