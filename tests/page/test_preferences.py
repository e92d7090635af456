"""What one can choose about the page: being told of one's turn, how loud it is, what boards are made of."""

import pytest
from test_accessible import violations
from visitors import mover_of, soon

PRETENDED = """
window.told = [];
window.asked = 0;
window.Notification = class { constructor(title, more) { told.push([title, more.body, null]); } close() { told.push("closed"); } };
ServiceWorkerRegistration.prototype.showNotification = async (title, more) => { told.push([title, more.body, more.data]); };
ServiceWorkerRegistration.prototype.getNotifications = async () => [new class { close() { told.push("closed"); } }];
Notification.permission = 'default';
Notification.requestPermission = async () => { asked++; return (Notification.permission = 'granted'); };
window.away = false;
Object.defineProperty(document, 'hidden', { get: () => away });
"""


def moved(person):
    """Play the first thing that is possible, when it is one's turn."""
    assert mover_of([person]) is person
    view = person.view()
    person.play(view.legal()[0], view)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["allow", "block"])
def test_one_is_told_of_ones_turn_only_when_one_wants_to_be_and_does_not_look(visitor, workers):
    one, other = visitor(service_workers=workers), visitor()
    one.context.add_init_script(PRETENDED)
    one.go("/")
    ask = one.page.get_by_role("button", name="Yes, tell me")
    one.start("tictactoe", "Against the computer")
    moved(one)
    one.page.wait_for_selector(".seat.mine.acting")
    soon(ask.count, 0)  # a computer player answers at once
    room = one.new_room("tictactoe")
    for seat, person in enumerate((one, other)):
        person.go(room)
        person.page.get_by_role("button", name="Sit down and play", exact=True).click()
        person.page.wait_for_selector(f'.seat.mine[data-seat="{seat}"]')
    one.page.wait_for_selector(".seat.mine.acting")
    assert ask.count() == 0  # not before one has moved
    moved(one)
    ask.click()
    one.page.wait_for_function("() => asked === 1")
    soon(ask.count, 0)
    name = other.page.inner_text(".head .mine .who")
    moved(other)
    one.page.wait_for_selector(".seat.mine.acting")
    assert one.page.evaluate("told") == []  # one looks
    moved(one)
    if workers == "allow":
        one.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    one.page.evaluate("away = true")
    moved(other)
    one.page.wait_for_function("() => told.length === 1")
    assert one.page.evaluate("told[0]") == ["Your turn", f"Tic-tac-toe · {name}", one.page.url if workers == "allow" else None]
    one.page.evaluate("away = false; document.dispatchEvent(new Event('visibilitychange'))")
    one.page.wait_for_function("() => told[1] === 'closed'")


CLICK = """async (address) => {
  const event = new Event("notificationclick");
  const led = new Promise((done) => {
    event.notification = { data: address, close: () => {} };
    event.waitUntil = (work) => done(work);
  });
  const focused = [], matchAll = clients.matchAll;
  clients.matchAll = async (which) => (await matchAll.call(clients, which)).map(({ url }) => ({ url, focus: async () => void focused.push(url) }));
  clients.openWindow = async (url) => void focused.push(`new ${url}`);
  dispatchEvent(event);
  await led;
  return focused;
}"""


@pytest.mark.slow
def test_a_click_on_a_notice_leads_to_the_page_that_it_tells_of(visitor):
    person = visitor(service_workers="allow")
    person.go("/lobby")
    person.page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    other = person.context.new_page()
    other.goto(person.page.url.replace("/lobby", "/watch"))
    (worker,) = person.context.service_workers
    assert worker.evaluate(CLICK, other.url) == [other.url]
    gone = person.page.url.replace("/lobby", "/r/gone")
    assert worker.evaluate(CLICK, gone) == [f"new {gone}"]


def test_boards_are_of_three_stuffs_and_the_volume_is_kept(visitor):
    person = visitor(color_scheme="dark")
    colour = "() => getComputedStyle(document.documentElement).getPropertyValue('--board')"
    open_menu = lambda: person.page.get_by_role("button", name="Language, appearance").click()  # noqa: E731
    seen = set()
    for stuff in ("Paper", "Cloth", "Wood"):
        open_menu()
        person.page.get_by_role("radio", name=stuff, exact=True).check(force=True)
        person.page.wait_for_selector(f'html[data-board="{stuff.lower()}"]' if stuff != "Wood" else "html:not([data-board=cloth], [data-board=paper])")
        seen.add(person.page.evaluate(colour))
        assert violations(person) == [], stuff
        person.page.keyboard.press("Escape")
    assert len(seen) == 3
    open_menu()
    person.page.get_by_role("radio", name="Cloth", exact=True).check(force=True)
    person.page.get_by_label("Volume").fill("20")
    person.go("/")
    soon(lambda: person.page.get_attribute("html", "data-board"), "cloth")
    open_menu()
    soon(person.page.get_by_label("Volume").input_value, "20")
    person.page.get_by_label("Volume").fill("0")
    soon(lambda: person.page.get_by_label("Volume").get_attribute("aria-valuetext"), "silent")
