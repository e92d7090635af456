"""The storage: what was put in comes out, a ply is stored once, an end moves ratings once."""

import asyncio
import time

import pytest
from storing import a_game, action, begun, newcomer, texts, with_store

from hanpan.server.storage.models import ActionRow, Finish, GameRow, Person, Rating, RatingChange, Trace
from hanpan.server.storage.store import Store

# --- what is kept ---


def test_a_person_is_found_again_and_can_take_another_name(url):
    async def first(store):
        ann, bob = await asyncio.gather(newcomer(store, "Ann", "guest"), newcomer(store, "ボブ"))
        assert ann.id != bob.id
        assert await store.rename(ann.id, "Anna", "anna")
        assert not await store.rename("nobody", "Nobody", "nobody")
        return ann, bob

    async def later(store):
        assert await store.person(ann.id) == Person(ann.id, "Anna", "guest", ann.created_at, 0)
        assert await store.people([ann.id, bob.id, "nobody"]) == {ann.id: await store.person(ann.id), bob.id: bob}
        assert await store.person("nobody") is None

    ann, bob = with_store(url, first)
    with_store(url, later)


def test_whoever_does_not_hear_a_guest_does_not_hear_the_account_that_it_becomes(url):
    async def work(store):
        guest, account, ann, bob = [(await newcomer(store, name)).id for name in ("Guest", "Account", "Ann", "Bob")]
        blocks = [(ann, guest), (bob, guest), (bob, account), (guest, ann), (account, ann), (guest, bob), (account, guest), (guest, account), (ann, bob)]
        for person, other in blocks:
            await store.moderation.block(person, other)
        await store.accounts.move(guest, account)
        blocked = {person: await store.moderation.blocked_by(person) for person in (ann, bob, account, guest)}
        assert blocked == {ann: {account, bob}, bob: {account}, account: {ann, bob}, guest: set()}

    with_store(url, work)


def test_reports_about_a_guest_and_by_a_guest_are_the_accounts_that_it_becomes(url):
    async def work(store):
        guest, account, ann = [(await newcomer(store, name)).id for name in ("Guest", "Account", "Ann")]
        await store.moderation.report(ann, guest, "about", None, None)
        await store.moderation.report(guest, ann, "by", None, None)
        await store.accounts.move(guest, account)
        told = {row.text: (row.person_id, row.about_id) for row in await store.moderation.reports(True)}
        assert told == {"about": (ann, account), "by": (account, ann)}

    with_store(url, work)


def test_of_who_has_left_it_is_not_kept_where_they_came_from_nor_who_does_not_hear_them(url):
    async def work(store):
        ann, bob = [(await newcomer(store, name)).id for name in ("Ann", "Bob")]
        for person, other in ((ann, bob), (bob, ann)):
            await store.moderation.block(person, other)
            await store.barring.saw(Trace(person, "203.0.113.7", "browser", 5))
        await store.accounts.forget(bob, "gone")
        assert [await store.moderation.blocked_by(person) for person in (ann, bob)] == [set(), set()]
        assert [len(await store.barring.traces(person)) for person in (ann, bob)] == [1, 0]

    with_store(url, work)


def test_a_report_stays_after_someone_has_left_only_while_it_is_open_and_the_others(url):
    async def work(store):
        ann, bob, eve = [(await newcomer(store, name)).id for name in ("Ann", "Bob", "Eve")]
        people = {"about": (ann, bob), "about, done": (ann, bob), "by": (bob, ann), "by, done": (bob, ann), "of others": (eve, ann)}
        ids = {text: await store.moderation.report(by, about, text, "quoted", None) for text, (by, about) in people.items()}

        async def kept():
            return {row.text for still_open in (True, False) for row in await store.moderation.reports(still_open)}

        for text in ("about, done", "by, done", "of others"):
            assert await store.moderation.close_report(ids[text])
        await store.moderation.propose(eve, "rename", bob, "rude", {"name": "Robert"})
        await store.accounts.forget(bob, "gone")
        assert await store.moderation.proposals(0) == []
        assert await kept() == {"about", "by", "of others"}
        assert await store.moderation.close_report(ids["by"])
        assert not await store.moderation.close_report(ids["by"])
        assert await kept() == {"about", "of others"}
        await store.accounts.forget(ann, "gone")
        assert await kept() == set()

    with_store(url, work)


def test_a_ticket_lasts_by_the_time_that_the_storage_is_given(url, monkeypatch):
    now = [1_000_000]

    async def work(store):
        token = await store.accounts.give_ticket("mail", {"to": "Ann"}, 60)
        monkeypatch.setattr(time, "time_ns", lambda: 10**30)  # the machine's own clock is set
        now[0] += 60_000
        assert await store.accounts.give_ticket("mail", {"to": "Bob"}, 60)  # nor is it swept away
        assert await store.accounts.look_at_ticket("mail", token) == {"to": "Ann"}
        now[0] += 1
        assert await store.accounts.look_at_ticket("mail", token) is None
        assert await store.accounts.use_ticket("mail", token) is None
        assert (await newcomer(store, "Ann")).created_at == now[0]

    with_store(url, work, now=lambda: now[0])


def test_a_room_is_found_as_it_was_last_saved(url):
    async def first(store):
        document = {"seats": ["Ann"], "password": None}
        await asyncio.gather(store.save_room("aaa", document), store.save_room("bbb", {}), store.save_room("gone", {}))
        saving = asyncio.create_task(store.save_room("aaa", document | {"seats": []}))
        again = asyncio.create_task(store.save_room("aaa", document))
        await asyncio.sleep(0)
        document["seats"].append("not saved")
        await asyncio.gather(saving, again)
        await store.remove_room("gone")
        await store.remove_room("never there")

    async def later(store):
        assert {row.id: row.document for row in await store.rooms()} == {"aaa": {"seats": ["Ann"], "password": None}, "bbb": {}}

    with_store(url, first)
    with_store(url, later)


def test_a_game_that_is_not_worth_keeping_goes_with_all_that_belongs_to_it(url):
    async def first(store):
        await begun(store)
        assert await store.append("g", 0, ActionRow("a deal", None, 1, 1))
        nothing = Finish(2, {"winner": [], "reason": "abandoned", "scores": [0, 0], "last": []}, kept=False)
        ends = [asyncio.create_task(store.append("g", 1, None, nothing)) for _ in range(2)]
        assert await asyncio.gather(*ends) == [True, False]
        assert not await store.append("g", 1, None, nothing)
        assert await store.add_game(a_game("g")), "nothing of it is left"

    async def later(store):
        assert (await store.game("g")).actions == []
        assert await store.finished_games() == []

    with_store(url, first)
    with_store(url, later)


def test_a_game_comes_back_whole(url):
    async def first(store):
        await begun(store)
        assert await store.append("g", 0, ActionRow("a deal", None, 2**41, 2**41 + 1))
        assert await store.append("g", 1, ActionRow("手", 1, 7, 8, 9, 10, True))
        assert not await store.add_game(a_game("g", name="another"))

    async def later(store):
        assert await store.game("no such game") is None
        found = await store.game("g")
        assert [found] == await store.running_games()
        return found

    with_store(url, first)
    actions = [ActionRow("a deal", None, 2**41, 2**41 + 1, 0, 0, False), ActionRow("手", 1, 7, 8, 9, 10, True)]
    assert with_store(url, later) == GameRow("g", "room", "toy", {"size": 3}, {"main": 600_000}, [], False, 5, actions=actions)


# --- compare and set ---


def test_an_action_is_stored_only_at_the_ply_where_the_game_stands(url):
    async def work(store):
        await begun(store, plies=2)
        assert not await store.append("g", 1, action(9))
        assert not await store.append("g", 3, action(9))
        assert not await store.append("g", -1, action(9))
        assert not await store.append("no such game", 0, action(9))
        assert await texts(store) == ["a0", "a1"]
        with pytest.raises(ValueError, match="neither"):
            await store.append("g", 2, None)

    with_store(url, work)


def test_of_many_who_want_the_same_ply_one_is_first(url):
    async def work(store):
        await begun(store)
        other = await Store.open(url)  # as another process would
        for ply in range(20):
            writes = [(each, ActionRow(f"{n}", 0, 0, 0)) for n, each in enumerate([store, other] * 5)]
            stored = await asyncio.gather(*(each.append("g", ply, write) for each, write in writes))
            assert sum(stored) == 1
            assert (await texts(store))[ply:] == [writes[stored.index(True)][1].text]
        await other.close()

    with_store(url, work)


def test_actions_sent_together_keep_their_order(url):
    async def work(store):
        await begun(store)
        assert all(await asyncio.gather(*(store.append("g", ply, action(ply)) for ply in range(50))))
        assert await texts(store) == [f"a{ply}" for ply in range(50)]

    with_store(url, work)


def test_a_takeback_removes_the_tail_of_a_running_unrated_game(url):
    async def work(store):
        await begun(store, plies=5)
        assert not await store.take_back("g", 5)
        assert not await store.take_back("g", -1)
        assert not await store.take_back("g", 3, ply=4)
        assert await store.take_back("g", 3, ply=5)
        assert await store.append("g", 3, ActionRow("other", 1, 0, 0))
        assert await texts(store) == ["a0", "a1", "a2", "other"]
        await begun(store, "rated", plies=2, rated=True)
        assert not await store.take_back("rated", 1)
        assert await store.append("g", 4, None, Finish(9, {}))
        assert not await store.take_back("g", 1)
        assert not await store.take_back("no such game", 0)

    with_store(url, work)


def test_a_takeback_and_the_room_that_it_leaves_are_kept_both_or_neither(url):
    async def work(store):
        await begun(store, plies=5)
        await store.save_room("room", {"at": 5})
        assert not await store.take_back("g", 3, ply=4, room=("room", {"at": 3}))
        assert (await store.room("room")).document == {"at": 5}
        assert await store.take_back("g", 3, ply=5, room=("room", {"at": 3}))
        assert (await store.room("room")).document == {"at": 3}

    with_store(url, work)


# --- the end, and ratings ---


def test_an_end_is_stored_with_its_action_and_moves_ratings_once(url):
    async def work(store):
        ann, bob = await newcomer(store, "Ann"), await newcomer(store, "Bob")
        await begun(store, plies=3, people=[ann.id, bob.id], rated=True)
        ends = [Finish(77, {"winner": [0]}, {ann.id: ("toy", 12.5), bob.id: ("toy", -12.5)})] * 5
        assert sorted(await asyncio.gather(*(store.append("g", 3, action(3), end) for end in ends))) == [False] * 4 + [True]
        assert not await store.append("g", 3, action(3), ends[0])
        assert not await store.append("g", 4, action(4))
        assert not await store.append("g", 4, None, ends[0])
        found = await store.game("g")
        assert (found.ended_at, found.result, len(found.actions)) == (77, {"winner": [0]}, 4)
        assert await store.running_games() == []
        rated = {ann.id: Rating(ann.id, "toy", 1312.5, 1), bob.id: Rating(bob.id, "toy", 1287.5, 1), "new": Rating("new", "toy", 1300.0, 0)}
        assert await store.ratings([ann.id, bob.id, "new"], "toy") == rated
        assert await store.history(ann.id, "toy") == [RatingChange("g", ann.id, "toy", 1300.0, 1312.5, 77)]
        assert {change.person_id: change.after for change in await store.changes_of("g")} == {ann.id: 1312.5, bob.id: 1287.5}

    with_store(url, work)


def test_a_game_can_end_without_an_action(url):
    async def work(store):
        await begun(store, plies=2)
        assert not await store.append("g", 1, None, Finish(9, {"by": "resignation"}))
        assert await store.append("g", 2, None, Finish(9, {"by": "resignation"}))
        found = await store.game("g")
        assert (found.ended_at, found.result, len(found.actions)) == (9, {"by": "resignation"}, 2)

    with_store(url, work)


def test_games_that_end_at_once_all_count(url):
    async def work(store):
        ann, *others = [await newcomer(store, name, "account") for name in ("Ann", "Bob", "Cy", "Di")]
        for number, other in enumerate(others):
            await begun(store, f"g{number}", people=[ann.id, other.id], rated=True)
        ends = [Finish(number, {}, {ann.id: ("toy", 10.0), other.id: ("toy", -10.0)}) for number, other in enumerate(others)]
        before = store.commits
        assert all(await asyncio.gather(*(store.append(f"g{number}", 0, action(0), end) for number, end in enumerate(ends))))
        assert store.commits == before + 1
        assert [(step.before, step.after) for step in await store.history(ann.id, "toy")] == [(1300, 1310), (1310, 1320), (1320, 1330)]
        await begun(store, "chess", name="other")
        assert await store.append("chess", 0, None, Finish(5, {}, {ann.id: ("other", -1.0)}))
        assert [(who.name, now.value, now.games) for who, now in await store.leaderboard("toy", limit=2)] == [
            ("Ann", 1330, 3),
            (min(others, key=lambda o: o.id).name, 1290, 1),
        ]
        assert [(who.name, now.value) for who, now in await store.leaderboard("other")] == [("Ann", 1299)]

    with_store(url, work)


def test_who_reads_sees_an_end_and_its_last_action_or_neither(url):
    async def work(store):
        await begun(store, plies=3)
        writing = asyncio.create_task(store.append("g", 3, action(3), Finish(9, {})))
        seen = set()
        while not writing.done():
            found = await store.game("g")
            seen.add((found.ended_at is not None, len(found.actions)))
        assert await writing
        assert len((await store.game("g")).actions) == 4
        assert seen <= {(False, 3), (True, 4)}

    with_store(url, work)


# --- the archive ---


def test_a_persons_games_are_listed_newest_first_page_by_page(url):
    async def work(store):
        ann, bob, cy = [await newcomer(store, name) for name in ("Ann", "Bob", "Cy")]
        for number in range(7):
            await begun(store, f"g{number}", people=[ann.id, ann.id if number == 3 else bob.id], started_at=number // 3)
        await begun(store, "without", people=[bob.id, None])
        listed = [row.id for row in await store.games_of(ann.id)]
        assert listed == ["g6", "g5", "g4", "g3", "g2", "g1", "g0"]
        pages, last = [], None
        while page := await store.games_of(ann.id, limit=2, before=last):
            pages += [row.id for row in page]
            last = pages[-1]
        assert pages == listed
        assert await store.games_of(ann.id, before="no such game") == []
        people = [{"person": ann.id}, {"person": cy.id}]
        assert await store.set_people("g2", people)
        assert not await store.set_people("no such game", people)
        assert [row.people for row in await store.games_of(cy.id)] == [people]
        assert "g2" in [row.id for row in await store.games_of(bob.id)]

    with_store(url, work)


def test_the_archive_lists_finished_games_newest_end_first(url):
    async def work(store):
        for number in range(6):
            await begun(store, f"g{number}", plies=1, name="toy" if number % 2 else "other")
            if number < 5:
                assert await store.append(f"g{number}", 1, None, Finish(10 - number // 2, {"winner": []}))
        assert [row.id for row in await store.finished_games()] == ["g1", "g0", "g3", "g2", "g4"]
        assert [row.id for row in await store.finished_games(limit=2, before="g0")] == ["g3", "g2"]
        assert [(row.id, row.ended_at, row.result, row.actions) for row in await store.finished_games("toy", 1)] == [("g1", 10, {"winner": []}, [])]
        assert [row.id for row in await store.finished_games("toy", before="g1")] == ["g3"]

    with_store(url, work)
