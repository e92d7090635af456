"""What is old goes, in small steps, and only that; games are in a file before they are gone."""

import gzip
import json
import time

from storing import a_game, action, begun, newcomer, opened

from hanpan.server.storage import sweep
from hanpan.server.storage.models import Ban, Finish, Said, Session, Trace
from hanpan.server.storage.sweep import Ages, Sweep

DAY = 24 * 3600 * 1000
NOW = 20_000 * DAY


def lines(folder):
    return [json.loads(line) for file in sorted(folder.iterdir()) for line in gzip.open(file, "rt", encoding="utf-8")]


async def test_old_games_move_into_a_file(url, tmp_path):
    async with opened(url) as store:
        ann, bob = [(await newcomer(store, name, "account")).id for name in ("Ann", "Bob")]
        for number in range(60):
            days = 40 if number < 55 else 10
            await begun(store, f"g{number:02}", people=[ann, bob], rated=True, plies=2)
            end = Finish(NOW - days * DAY, {"winner": [0], "reason": "resigned", "scores": []}, {ann: ("toy", 1.0), bob: ("toy", -1.0)}, (f"{number}",))
            assert await store.append(f"g{number:02}", 2, None, end)
        await begun(store, "running", people=[ann, bob], plies=1)
        ratings = await store.ratings([ann, bob], "toy")
        folder = tmp_path / "archive"
        assert await Sweep(store, folder, Ages(), lambda: NOW, 0).run() == {}
        assert not folder.exists()
        before = store.commits
        assert await Sweep(store, folder, Ages(games=30), lambda: NOW, 0).run() == {"games": 55}
        assert store.commits - before >= 3  # in steps
        assert sorted(row.id for row in await store.finished_games(limit=100)) == [f"g{number}" for number in range(55, 60)]
        assert (await store.game("running")).actions == [action(0)]
        kept = lines(folder)
        assert [line["id"] for line in kept] == [f"g{number:02}" for number in range(55)]
        assert kept[3]["record"]["actions"] == ["a0", "a1"]
        assert [seat["name"] for seat in kept[3]["seats"]] == ["Ann", "Bob"]
        assert sorted(who for who, _, _ in kept[3]["ratings"]) == sorted([ann, bob])
        assert [(folder.stat().st_mode & 0o777), *(file.stat().st_mode & 0o777 for file in folder.iterdir())] == [0o700, 0o600]
        assert await store.ratings([ann, bob], "toy") == ratings
        assert len(await store.history(ann, "toy")) == 5
        assert await Sweep(store, folder, Ages(games=30), lambda: NOW, 0).run() == {"games": 0}


async def test_the_last_game_of_a_room_that_is_there_stays(url, tmp_path):
    async with opened(url) as store:
        await store.save_room("room", {"table": "g"})
        await store.add_game(a_game("g"))
        assert await store.append("g", 0, None, Finish(1, {"winner": [], "reason": "resigned", "scores": []}))
        swept = Sweep(store, tmp_path / "archive", Ages(games=1), lambda: NOW, 0)
        assert await swept.run() == {"games": 0}
        await store.remove_room("room")
        assert await swept.run() == {"games": 1}


async def test_traces_and_the_log_have_an_age(url, tmp_path, monkeypatch):
    monkeypatch.setattr(sweep, "_STEP", 3)
    async with opened(url) as store:
        ann = (await newcomer(store, "Ann", "account")).id
        for number in range(10):
            await store.barring.saw(Trace(ann, f"203.0.113.{number}", "b", NOW - (400 if number < 7 else 5) * DAY))
        for id, until in (("over", NOW - 100 * DAY), ("not yet", NOW + DAY), ("no end", None)):
            await store.barring.add(Ban(id, "address", "203.0.113.0/24", until, "spam", NOW - 200 * DAY, ann, None, None))
        await store.moderation.log(ann, "mute", ann, "", {})  # in our own time, long after NOW
        await store.moderation.report(ann, ann, "open", None, None)
        gone = await Sweep(store, tmp_path, Ages(log=50, traces=365), lambda: NOW, 0).run()
        assert gone == {"acts": 0, "reports": 0, "proposals": 0, "bans": 1, "traces": 7}
        assert len(await store.barring.traces(ann)) == 3
        assert {ban.id for ban in await store.barring.bans()} == {"not yet", "no end"}
        later = await Sweep(store, tmp_path, Ages(log=50), lambda: 2**43, 0).run()
        assert (later["acts"], later["reports"]) == (1, 0)  # nobody has dealt with that report
        assert len(await store.moderation.reports(still_open=True)) == 1


async def test_one_of_several_processes_sweeps_each_day(url, tmp_path):
    async with opened(url) as one, opened(url) as two:
        now = [2**42]
        sweeps = [Sweep(store, tmp_path, Ages(), lambda: now[0], 0) for store in (one, two)]
        assert [await each.nightly() for each in sweeps] == [{}, None]
        now[0] += DAY
        assert [await each.nightly() for each in reversed(sweeps)] == [{}, None]


async def test_guests_who_did_nothing_have_an_age_and_all_others_stay(url, tmp_path, monkeypatch):
    monkeypatch.setattr(sweep, "_STEP", 3)
    async with opened(url) as store:
        now = time.time_ns() // 1_000_000 + 200 * DAY  # everyone here was made 200 days ago

        async def guest(name, seen_days=200, kind="guest"):
            one = await store.add_person(name, name, kind)
            seen_at = now - seen_days * DAY
            await store.sessions.add(Session(name, one.id, seen_at, seen_at, now + DAY, None, "?", "?"))
            await store.barring.saw(Trace(one.id, "203.0.113.7", name, seen_at))
            return one.id

        idle = [await guest(f"idle{number}") for number in range(8)]
        stay = {name: await guest(name) for name in ("played", "rated", "said", "blocks", "blocked", "reports", "reported", "operated", "banned", "muted")}
        stay |= {name: await guest(name) for name in ("invited", "sat", "masters", "proposed", "barred")}
        stay |= {"back": await guest("back", 5), "account": await guest("account", kind="account"), "owner": await guest("owner")}
        stay["bot"] = (await newcomer(store, "bot", "bot", stay["owner"])).id
        stay["traced"] = await guest("traced")
        await store.barring.saw(Trace(stay["traced"], "203.0.113.8", "b", now - DAY))
        await begun(store, "g", people=[stay["played"], stay["rated"]], rated=True)
        await store.chat.add(Said("s", "room", stay["said"], "hello", now, False), 0)
        await store.moderation.block(stay["blocks"], stay["blocked"])
        await store.moderation.report(stay["reports"], stay["reported"], "rude", None, None)
        await store.moderation.log(stay["account"], "mute", stay["operated"], "", {})
        await store.moderation.propose(stay["account"], "mute", stay["proposed"], "", {})
        await store.accounts.change(stay["banned"], banned_until=now + DAY)
        await store.accounts.change(stay["muted"], muted_until=now + DAY)
        await store.barring.add(Ban("ban", "address", "203.0.113.0/24", None, "spam", now, stay["account"], stay["barred"], None))
        await store.save_room("room", {"master": stay["masters"], "invited": [stay["invited"]], "chairs": [{"person": None, "first": stay["sat"], "held": []}]})
        assert await Sweep(store, tmp_path, Ages(), lambda: now, 0).run() == {}
        assert await Sweep(store, tmp_path, Ages(guests=201), lambda: now, 0).run() == {"guests": 0}
        assert await Sweep(store, tmp_path, Ages(guests=90), lambda: now, 0).run() == {"guests": len(idle)}
        assert set(await store.people([*idle, *stay.values()])) == set(stay.values())
        assert await store.sessions.get("idle0") is None
        assert await store.barring.traces(idle[0]) == []
        assert await store.add_person("idle0", "idle0") is not None  # the name is free again
        assert {(await store.sessions.get(name)).person_id for name in stay if name != "bot"} == {id for name, id in stay.items() if name != "bot"}


async def test_a_connection_that_stays_open_keeps_its_guest(url, tmp_path):
    async with opened(url) as store:
        now = time.time_ns() // 1_000_000
        guests = [(await newcomer(store, name)).id for name in ("Here", "Gone")]
        for id in guests:
            await store.sessions.add(Session(f"session of {id}", id, now, now, now + 400 * DAY, None, "?", "?"))
        now += 100 * DAY
        await store.sessions.saw([f"session of {guests[0]}", "a bot's token"], now)
        here = await store.sessions.get(f"session of {guests[0]}")
        assert (here.seen_at, here.ends_at) == (now, now + 400 * DAY)
        await store.sessions.saw([here.id], now + DAY // 2)  # noticed once a day
        assert await store.sessions.get(here.id) == here
        assert await Sweep(store, tmp_path, Ages(guests=90), lambda: now, 0).run() == {"guests": 1}
        assert set(await store.people(guests)) == {guests[0]}
