"""Online games are told briefly to a page that has the rules: it makes texts and pictures itself, and shows its own move at once."""

import pytest
from test_survival import moved
from visitors import Visitor, mover_of, soon

pytestmark = pytest.mark.slow
BYTES = 200  # that a ply may take, with the frame around it

# Every number of actions that the board has shown; and a page whose next action is another one on the way.
WATCH = """
window.plies = [];
new MutationObserver(() => {
    const ply = document.querySelector(".board-frame")?.dataset.ply;
    if (ply !== undefined && ply !== window.plies.at(-1)) window.plies.push(ply);
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-ply"] });
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (data) {
    send.call(this, window.garbled ? data.replace(/"action":"[^"]*"/, '"action":"nowhere"') : data);
};
"""


class Follower(Visitor):
    """Someone whose browser has the rules."""

    LOCAL = True

    def __init__(self, browser, server, **context):
        super().__init__(browser, server, **context)
        self.context.add_init_script(WATCH)
        self.asked, self.heard_frames = [], []
        self._page.on("websocket", self._listen)
        self.until_playable("kulami")

    def _listen(self, socket):
        socket.on("framesent", lambda frame: self.asked.append(str(frame)))
        socket.on("framereceived", lambda frame: self.heard_frames.append(str(frame)))

    def wait_for_ply(self, ply):
        """Shown here, and recorded there: one's own move is shown before it is known to all."""
        super().wait_for_ply(ply)
        soon(lambda: len(self.recorded()) >= ply)

    def told(self, event):
        """What has come so far."""
        self.page.evaluate("1")  # frames are seen while the browser is asked something
        return [frame for frame in self.heard_frames if f'["{event}"' in frame]

    def follows(self):
        """Wait until the rules are here, and the server has been told so."""
        soon(lambda: self.page.evaluate("1") == 1 and any('"brief",{"yes":true}' in frame for frame in self.asked))


def play_four(people):
    """Two moves each, told by nothing but small messages."""
    for person in people:
        person.heard_frames.clear()
    for _ in range(4):
        moved(mover_of(people), 0)
    mover_of(people)
    for person in people:
        soon(lambda person=person: len(person.told("ply")), 4)
        assert person.told("board info") == person.told("private board info") == []
        assert max(len(frame.encode()) for frame in person.told("ply")) <= BYTES


def test_a_page_with_the_rules_is_sent_the_moves_alone(visitor, own_server):
    one, other = people = [visitor(Follower, at=own_server) for _ in range(2)]
    one.sit_down_with(other, game="kulami")
    for person in people:
        person.follows()
    play_four(people)

    mover = mover_of(people)
    ply, view = mover.ply(), mover.view()
    pieces = mover.page.locator(".board .pieces > *").count()
    mover.page.evaluate("() => { window.plies = []; window.garbled = true; }")
    mover.point(view.clicks(view.legal()[0])[0])
    mover.page.wait_for_function("(ply) => window.plies.slice(-2).join() === [ply + 1, ply].join()", arg=ply)  # shown at once, and taken back
    mover.page.wait_for_selector(".prompt.bad")  # and said why
    assert mover.page.locator(".board .pieces > *").count() == pieces
    mover.page.evaluate("() => { window.garbled = false; }")

    own_server.kill()
    for person in people:
        person.page.wait_for_selector(".lost-line")
    own_server.start()
    for person in people:
        person.page.wait_for_selector(".board-host:not(.stale)")
    assert mover_of(people) is mover
    play_four(people)
    assert [person.page.locator(".board .pieces > *").count() for person in people] == [pieces + 4] * 2
