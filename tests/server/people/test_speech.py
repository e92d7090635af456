"""Whom someone does not want to hear stays known, whoever asks for it at the same time; and who may not speak."""

import asyncio
from types import SimpleNamespace

import pytest

from hanpan.server.people.speech import Speech
from hanpan.server.protocol.refusals import Refused


class SlowStore:
    """What is kept of blocks; what was read is given out only when `answer` is called."""

    def __init__(self, *blocked):
        self.blocked, self._reads = set(blocked), []

    async def blocked_by(self, person):
        read, answered = set(self.blocked), asyncio.Event()
        self._reads.append(answered)
        await answered.wait()
        return read

    async def block(self, person, other):
        self.blocked.add(other)

    async def unblock(self, person, other):
        self.blocked.discard(other)

    async def answer(self, newest=False):
        """One who reads gets an answer, and goes on with it as far as can be."""
        self._reads.pop(-1 if newest else 0).set()
        for _ in range(10):
            await asyncio.sleep(0)


class Nobody:
    def subscribe(self, observer):
        pass


def speech(stored):
    return Speech(stored, Nobody(), None, None, None)


async def asked_at_once(stored, change):
    """Someone is asked about, and changes whom to hear before the answer is there; what is known then."""
    known = speech(stored)
    asking = asyncio.create_task(known.know("ann"))
    await asyncio.sleep(0)
    changing = asyncio.create_task(change(known))
    await asyncio.sleep(0)
    await stored.answer(newest=True)
    await changing
    await stored.answer()
    await asking
    return known


async def test_who_is_blocked_while_someone_else_asks_stays_blocked():
    known = await asked_at_once(SlowStore("bob"), lambda known: known.block("ann", "eve"))
    assert await known.know("ann") == {"bob", "eve"}
    assert (known.wants("ann", "eve"), known.deaf_to("eve")) == (False, ["ann"])


async def test_who_is_heard_again_while_someone_else_asks_is_heard():
    known = await asked_at_once(SlowStore("bob"), lambda known: known.unblock("ann", "bob"))
    assert await known.know("ann") == set()
    assert (known.wants("ann", "bob"), known.deaf_to("bob")) == (True, [])


async def test_what_was_read_before_it_changed_is_read_again():
    stored = SlowStore()
    known = speech(stored)
    asking = asyncio.create_task(known.know("ann"))
    await asyncio.sleep(0)
    stored.blocked.add("bob")  # a guest's, who becomes this account
    await known.person_moved("guest", "ann")
    await stored.answer()
    await stored.answer()
    assert await asking == {"bob"}
    assert known.deaf_to("bob") == ["ann"]


async def test_whoever_does_not_hear_a_guest_does_not_hear_the_account_that_it_becomes():
    stored = SlowStore()
    known = speech(stored)
    asking = asyncio.create_task(known.know("ann"))
    await asyncio.sleep(0)
    await stored.answer()
    await asking
    await known.block("ann", "guest")
    await known.person_moved("guest", "bob")
    assert (known.wants("ann", "bob"), known.deaf_to("bob"), known.deaf_to("guest")) == (False, ["ann"], [])
    assert await known.know("ann") == {"bob"}


async def test_the_bot_of_someone_who_may_not_speak_may_not_speak_either():
    ann, bot = SimpleNamespace(owner_id=None, muted_until=None), SimpleNamespace(owner_id="ann", muted_until=None)
    known = {"ann": ann, "bot": bot}

    async def person(id):
        return known[id]

    people = SimpleNamespace(subscribe=lambda observer: None, person=person)
    limits = SimpleNamespace(messages=SimpleNamespace(check=lambda person: None))
    spoken = Speech(None, people, limits, None, lambda: 1_000_000)
    await spoken.may_speak("bot")
    ann.muted_until = 1_060_000
    with pytest.raises(Refused) as refused:
        await spoken.may_speak("bot")
    assert refused.value.code == "muted"
