"""What a room plans: it is done when it is due, however far off, and nothing of it stays when it is cancelled."""

import asyncio

import pytest

from hanpan.server.rooms.timers import Calendar, Timers


class Leaping(asyncio.SelectorEventLoop):
    """A loop whose time can be moved on."""

    ahead = 0.0

    def time(self):
        return super().time() + self.ahead

    async def leap(self, seconds):
        self.ahead += seconds
        for _ in range(10):  # turns of the loop, after which whatever is due has been done
            await asyncio.sleep(0)


def planned(work):
    """Run a test at a calendar, with the plans of one room and a list of what was done."""

    async def run():
        calendar, done, loop = Calendar(), [], asyncio.get_running_loop()
        loop.ahead = 90 - loop.time() % 60  # in the middle of a minute
        timers = Timers("room", calendar)

        async def do(what):
            done.append((what, timers.quiet))

        await work(loop, calendar, timers, do, done)

    with asyncio.Runner(loop_factory=Leaping) as runner:
        runner.run(run())


@pytest.mark.parametrize("seconds", [30, 61, 150, 86_400])
def test_a_plan_is_done_when_it_is_due_and_not_before(seconds):
    async def work(loop, calendar, timers, do, done):
        timers.task("plan", seconds, do, "it")
        await loop.leap(seconds - 1)
        assert (done, timers.planned("plan")) == ([], True)
        await loop.leap(1)
        assert (done, timers.planned("plan")) == ([("it", True)], False)
        assert not calendar._minutes

    planned(work)


def test_what_is_planned_anew_or_cancelled_is_not_done_and_not_kept():
    async def work(loop, calendar, timers, do, done):
        for seconds in (500, 500, 20, 700, 500):
            timers.task("plan", seconds, do, seconds)
        timers.task("other", 501, do, "other")
        assert sum(map(len, calendar._minutes.values())) == 2
        timers.cancel("other")
        assert sum(map(len, calendar._minutes.values())) == 1
        await loop.leap(800)
        assert done == [(500, True)]
        timers.task("plan", 500, do, "never")
        timers.close()
        await loop.leap(800)
        assert len(done) == 1

    planned(work)


def test_it_is_quiet_while_nothing_is_due_in_the_minute_that_has_begun():
    async def work(loop, calendar, timers, do, done):
        assert timers.quiet
        timers.task("far", 300, do, "far")
        assert timers.quiet
        timers.task("near", 1, do, "near")
        assert not timers.quiet
        await loop.leap(1)
        assert done == [("near", True)]
        await loop.leap(290)
        assert not timers.quiet

    planned(work)
