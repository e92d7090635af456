"""Whoever can't see the screen plays by keyboard and listens: the focus is never lost, and what happens is told."""

from visitors import Typist, mover_of, soon

FOCUSED = """() => {
    const on = document.activeElement;
    if (on.matches(".spot")) return "the board";
    return on.matches("body") ? "nowhere" : (on.getAttribute("aria-label") || on.innerText).trim();
}"""


def focused(person, wanted):
    """What has the focus now or soon, by its name; and it is not lost on the way."""
    soon(lambda: person.page.evaluate(FOCUSED), wanted)


def begin(person, game="tictactoe"):
    person.start(game, "Against the computer")
    person.page.wait_for_selector('.spot[aria-disabled="false"]', state="attached")


# --- what is pressed keeps the focus ---


def test_one_types_move_after_move(visitor):
    me = visitor(kind=Typist)
    begin(me)
    me.tab_to("Type a move")
    for ply in (0, 2):
        me.page.wait_for_selector(".typed input:not([readonly])")
        me.page.keyboard.type(me.view().legal()[0])
        me.page.keyboard.press("Enter")
        me.wait_for_ply(ply + 2)
        focused(me, "Type a move")
    assert me.page.input_value(".typed input") == ""


def test_a_button_that_waits_keeps_the_focus_and_does_nothing(visitor):
    me = visitor(kind=Typist)
    begin(me)
    me.press("Hint")
    me.heard("The computer's choice")
    focused(me, "Hint")
    me.press("Take back")  # nothing to take back yet
    focused(me, "Take back")
    me.tab_to("Type a move")
    me.page.keyboard.type("b2\n")
    me.wait_for_ply(2)
    me.press("Take back")
    soon(me.ply, 0)
    me.page.wait_for_selector(".board-line [aria-disabled=true]:has-text('Take back')")
    focused(me, "Take back")
    assert me.page.locator(".notice").count() == 0


def test_one_is_asked_back_aloud_before_one_resigns(visitor):
    me = visitor(kind=Typist)
    begin(me)
    for leave in ("Escape", "Tab Enter"):
        me.press("Resign")
        me.page.get_by_role("alertdialog", name="Resign this game?").wait_for()
        focused(me, "Yes, resign")
        for key in leave.split():
            me.page.keyboard.press(key)
        focused(me, "Resign")
        me.shows(0, "[role=alertdialog]")
    me.page.keyboard.down("Enter")
    focused(me, "Yes, resign")
    me.page.keyboard.down("Enter")  # the key is held, and says nothing new
    me.page.keyboard.up("Enter")
    assert not me.over()
    me.page.keyboard.press("Enter")
    me.page.wait_for_function("() => document.activeElement.matches('.result h2')")
    me.press("Play again")
    me.page.wait_for_selector(".result", state="detached")
    focused(me, "the board")


# --- what is pressed goes away ---


def test_at_a_table_the_focus_goes_on_to_the_next_thing(visitor):
    first, second = people = [visitor(kind=Typist) for _ in range(2)]
    room = first.new_room("tictactoe")
    for person in people:
        person.go(room)
    first.press("Sit down and play")
    focused(first, "Waiting for 1 more player")
    second.press("Sit down and play")
    for person in people:
        focused(person, "the board")
    first.press("Offer a draw")
    second.press("No, thanks")
    focused(second, "the board")
    first.page.get_by_text("plays on.").wait_for()
    focused(first, "Offer a draw")
    second.press("Offer a draw")
    first.press("Agree to a draw")
    for person in people:
        person.page.wait_for_function("() => document.activeElement.matches('.result h2, .board-line button')")
    second.press("Play again")
    focused(second, "Waiting for the others")
    first.press("Play again")
    for person in people:
        focused(person, "the board")


def test_another_form_to_log_in_begins_at_its_first_field(person):
    me = person(kind=Typist)
    me.go("/login")
    for way, title in (("I am new here", "Sign up by e-mail"), ("I forgot my password", "A new password")):
        me.press(way)
        me.page.get_by_role("heading", name=title).wait_for()
        me.page.wait_for_function("() => document.activeElement.matches('input[type=email]')")
    me.page.keyboard.type("zoe@example.org\n")
    me.page.get_by_role("heading", name="This server sends no mail").wait_for()
    me.page.wait_for_function("() => document.activeElement.matches('[role=status] button')")
    me.page.keyboard.press("Enter")
    me.page.wait_for_function("() => document.activeElement.matches('input[type=email]')")


# --- what happens is told ---

NAME = "() => fetch('/api/guest', {method: 'POST'}).then((answer) => answer.json()).then((told) => told.person.name)"
TOLD = "() => document.querySelector('#page > .unseen[role=log]').textContent.trim()"


def told(person, wanted):
    """What is spoken now or soon."""
    soon(lambda: person.page.evaluate(TOLD), wanted)


def at_a_table(visitor, *actions):
    """Two who play this; whoever moves first comes first."""
    people = [visitor() for _ in range(2)]
    people[0].sit_down_with(people[1], game="tictactoe")
    if mover_of(people) is people[1]:
        people.reverse()
    for action in actions:
        mover = mover_of(people)
        mover.play(action, mover.view())
    return people


def test_the_last_action_is_told_with_what_came_of_it(visitor):
    winner, loser = at_a_table(visitor, "a1", "a2", "b1", "b2", "c1")
    name = winner.page.evaluate(NAME)
    told(loser, f"{name}: c1. You lost. {name}: three in a row.")
    told(winner, f"You won! {name}: three in a row.")


def test_a_refusal_is_told_as_often_as_it_is_given(visitor):
    me = visitor(kind=Typist)
    begin(me)
    me.point("b2")
    me.wait_for_ply(2)
    me.page.wait_for_selector('.spot[aria-disabled="false"]', state="attached")
    me.page.evaluate("""() => {
        window.refused = 0;
        const said = ({ target }) => (target.closest ? target : target.parentElement)?.closest(".prompt.bad");
        const look = (changes) => { if (changes.some(said)) window.refused++; };
        new MutationObserver(look).observe(document.querySelector(".prompt-row"), { subtree: true, childList: true, characterData: true });
    }""")
    for times in (1, 2, 3):
        me.point("b2")
        me.page.wait_for_function("(times) => window.refused >= times", arg=times)


# --- from page to page ---


def test_one_skips_to_the_content(visitor):
    me = visitor(kind=Typist)
    me.go("/lobby")
    me.page.keyboard.press("Tab")
    focused(me, "Skip to the content")
    me.page.keyboard.press("Enter")
    me.page.wait_for_function("() => document.activeElement.matches('main')")
    assert me.room == "/lobby"
    me.page.keyboard.press("Tab")
    assert me.page.evaluate("() => document.activeElement.closest('main') !== null")


def test_on_another_page_its_heading_has_the_focus(visitor):
    me = visitor(kind=Typist)
    me.go("/watch")
    focused(me, "nowhere")
    me.tab_to("Lobby")
    me.page.keyboard.press("Enter")
    me.page.wait_for_function("() => document.body.dataset.page === 'lobby' && document.activeElement.matches('main h1')")
    me.page.go_back()
    me.page.wait_for_function("() => document.body.dataset.page === 'watch' && document.activeElement.matches('main h1')")
    me.page.get_by_role("link", name="Lobby", exact=True).click()
    me.page.wait_for_function("() => document.body.dataset.page === 'lobby' && document.activeElement.matches('main h1')")
    assert not me.page.evaluate("() => document.activeElement.matches(':focus-visible')")  # who points sees nothing of it


def test_the_level_of_the_computer_has_a_name(visitor):
    visitor().page.get_by_role("slider", name="Level", exact=True).wait_for()


# --- what others say ---


def test_what_others_say_is_heard_whatever_is_open(visitor):
    me, other = at_a_table(visitor)
    name = other.page.evaluate(NAME)

    def say(person, text):
        person.page.get_by_label("Write a message").fill(text)
        person.page.keyboard.press("Enter")
        person.page.locator(".messages .own .msg", has_text=text).wait_for()

    other.page.get_by_role("tab", name="Chat").click()
    say(other, "Good luck!")
    told(me, f"{name}: Good luck!")
    me.page.get_by_role("tab", name="Chat 1 unread").click()
    log = me.page.get_by_role("log", name="Messages")
    log.get_by_text("Good luck!").wait_for()
    say(me, "Thanks")
    assert log.locator("li[aria-live=off]").all_inner_texts() == log.locator("li.own").all_inner_texts()  # one knows what one has written
    say(other, "Well played")
    log.get_by_text("Well played").wait_for()
    told(me, f"{name}: Good luck!")  # the list says the rest
