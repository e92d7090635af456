"""Whether some single order of actions at each table explains everything that people sent, were answered and were told.

The order is the record that the server has in the end. Then nothing that was acknowledged or told may be missing from it, nothing may be in it that was not
sent, nobody may have been told anything else than it says, or less than before, and clocks and ratings must be where it leads. What was refused, or never
answered, may be in it or not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from hanpan.client.load.explained import FinalGame
from hanpan.client.load.history import Event

Turn = tuple[str, int]


@dataclass(frozen=True)
class Wrong:
    """Something that no order explains: its kind, a sentence, and the lines of the history that show it."""

    kind: str  # lost, doubled, unsent, early, other, backwards, stale, clock, rating, result, record
    game: str
    text: str
    events: tuple[Event, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}: game {self.game}, {self.text}" if self.game else f"{self.kind}: {self.text}"


@dataclass
class Verdict:
    """What a history is found to be."""

    counts: dict[str, int]
    wrong: list[Wrong] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether one order explains everything."""
        return not self.wrong

    def kinds(self) -> Counter[str]:
        """How often which kind of thing is wrong."""
        return Counter(wrong.kind for wrong in self.wrong)

    def json(self) -> dict[str, Any]:
        """As plain data."""
        wrong = [{"kind": each.kind, "game": each.game, "text": each.text, "events": list(each.events)} for each in self.wrong]
        return {"holds": self.holds, "counts": self.counts, "notes": self.notes, "wrong": wrong}


def check(history: Iterable[Event], truth: Iterable[Event] | None = None) -> Verdict:
    """The verdict on a history; `truth` (the lines `game` and `rating`, see `truth.fetch`) replaces what it ends with. ValueError if there is neither."""
    events = list(history)
    known = [event for event in (events if truth is None else truth) if event["e"] in ("game", "rating")]
    told_of = {event["game"] for event in events if event["e"] in ("answer", "saw", "over")}
    if told_of and not known:
        raise ValueError("it does not say what the server has in the end: the load was ended before that; --server or --database tell")
    games = {event["id"]: FinalGame(event) for event in known if event["e"] == "game"}
    games |= {id: FinalGame({"id": id}) for id in told_of - games.keys()}
    ratings = [event for event in known if event["e"] == "rating"]
    kinds = Counter(event["e"] for event in events)
    answers = Counter(bool(event["ok"]) for event in events if event["e"] == "answer")
    verdict = Verdict({
        "people": len({event["who"] for event in events if event["e"] == "connect"}), "connections": kinds["connect"], "games": len(games),
        "ended": sum(game.ended for game in games.values()), "actions": sum(len(game.actions) for game in games.values()), "sent": kinds["sent"],
        "acknowledged": answers[True], "refused": answers[False], "views": kinds["saw"], "rating changes": sum(len(line["steps"]) for line in ratings),
    })  # fmt: skip
    for game in games.values():
        verdict.wrong += _bad_record(game)
    verdict.wrong += _acknowledged(events, games)
    verdict.wrong += _recorded(events, games)
    verdict.wrong += _Views(games).look(events)
    verdict.wrong += _results(events, games)
    verdict.wrong += _ratings(events, games, ratings)
    if hidden := sum(game.there and not game.open and not game.wrong for game in games.values()):
        verdict.notes.append(f"{hidden} games with secrets still ran: of them only the length is known (--database tells all)")
    return verdict


# --- the record ---


def _bad_record(game: FinalGame) -> Iterator[Wrong]:
    if not game.there:
        yield Wrong("lost", game.id, "which people played, is not there")
    elif not game.open and game.wrong:
        yield Wrong("record", game.id, f"as it is stored, can't be: {game.wrong}")
    elif game.open:
        yield from (Wrong("clock", game.id, why) for why in game.bad_ledger())


def _acknowledged(events: list[Event], games: dict[str, FinalGame]) -> Iterator[Wrong]:
    """Every action that was acknowledged is recorded, with that ply."""
    for event in events:
        if event["e"] == "answer" and event["ok"]:
            game, ply, action = games[event["game"]], event["ply"], event["action"]
            if game.there and ply >= len(game.actions):
                yield Wrong("lost", game.id, f"ply {ply}: {action!r} was acknowledged, and the record has {len(game.actions)} actions", (event,))
            elif game.open and game.actions[ply] != action:
                yield Wrong("lost", game.id, f"ply {ply}: {action!r} was acknowledged, and the record has {game.actions[ply]!r}", (event,))


def _recorded(events: list[Event], games: dict[str, FinalGame]) -> Iterator[Wrong]:
    """Every action that someone has played is one that they sent, for that ply."""
    persons = {event["who"]: event["person"] for event in events if event["e"] == "connect"}
    sent: dict[tuple[str, int], list[Event]] = defaultdict(list)
    by_action: dict[tuple[str, str, str], Event] = {}
    for event in events:
        if event["e"] == "sent":
            sent[event["game"], event["ply"]].append(event)
            by_action.setdefault((event["game"], persons[event["who"]], event["action"]), event)
    ours = set(persons.values())
    for game in games.values():
        for ply, row in enumerate(game.ledger if game.open else ()):
            who = None if row["seat"] is None or row["forced"] else game.people[row["seat"]]
            if who not in ours:
                continue
            action = game.actions[ply]
            if not any(event["action"] == action and persons[event["who"]] == who for event in sent[game.id, ply]):
                before = next((earlier for earlier in range(ply) if game.actions[earlier] == action and sent[game.id, earlier]), None)
                other = by_action.get((game.id, str(who), action)) or (sent[game.id, before][0] if before is not None else None)
                kind, more = ("doubled", f", but for ply {other['ply']}") if other else ("unsent", "")
                yield Wrong(kind, game.id, f"ply {ply}: {action!r} is recorded and was not sent{more}", (other,) if other else ())


# --- what people saw ---


class _Views:
    """Looks at what everyone was told, in the order in which they were told it."""

    def __init__(self, games: dict[str, FinalGame]) -> None:
        self._games = games
        self._seat: dict[str, int | None] = {}  # by label
        self._room: dict[str, str] = {}
        self._last: dict[str, Event] = {}  # the last view of each
        self._number: dict[str, int] = {}  # games in the order in which anybody heard of them
        self._known: dict[str, Event] = {}  # by room: how far anybody knows it to be
        self._least: dict[tuple[str, int], Event | None] = {}  # what a connection must be told first: how far it was known when it was asked for
        self._sent: set[Turn] = set()
        self._seen: Counter[str] = Counter()  # by game: the most that anybody has seen of it
        self._expected: dict[tuple[str, int, int | None, bool], str] = {}

    def look(self, events: list[Event]) -> Iterator[Wrong]:
        """All that is wrong."""
        for event in events:
            match event["e"]:
                case "connect":
                    self._seat[event["who"]], self._room[event["who"]] = event["seat"], event["room"]
                    self._least[event["who"], event["n"]] = self._known.get(event["room"])
                case "sent":
                    self._sent.add((event["game"], event["ply"]))
                case "answer" if event["ok"]:
                    self._know(event)
                case "saw":
                    yield from self._saw(event)

    def _saw(self, event: Event) -> Iterator[Wrong]:
        game, ply, who = self._games[event["game"]], event["ply"], event["who"]
        self._number.setdefault(game.id, len(self._number))
        least = self._least.pop((who, event["n"]), None)
        if least is not None and self._behind(event, least):
            yield Wrong("stale", game.id, f"{who} came in and was told ply {ply} when {_stood(least)} was known before they asked", (least, event))
        before = self._last.get(who)
        if before is not None and self._behind(event, before):
            yield Wrong("backwards", game.id, f"{who} was told ply {ply} after {_stood(before)}", (before, event))
        self._last[who] = event
        self._know(event)
        if game.there and ply > len(game.actions):
            yield Wrong("lost", game.id, f"{who} was told ply {ply}, and the record has {len(game.actions)} actions", (event,))
        elif game.open:
            yield from self._early(event, game)
            yield from self._differs(event, game)

    def _behind(self, event: Event, other: Event) -> bool:
        """Whether a view is older than what another line of the history knows."""
        if event["game"] != other["game"]:
            return self._number.get(event["game"], 0) < self._number.get(other["game"], 0)
        return _ply(event) < _ply(other) or (bool(other.get("over")) and not event.get("over"))

    def _know(self, event: Event) -> None:
        self._number.setdefault(event["game"], len(self._number))
        room = self._room[event["who"]]
        known = self._known.get(room)
        if known is None or self._behind(known, event):
            self._known[room] = event

    def _early(self, event: Event, game: FinalGame) -> Iterator[Wrong]:
        """Nobody sees an action before it was sent."""
        for ply in range(self._seen[game.id], event["ply"]):
            row = game.ledger[ply]
            if row["seat"] is not None and not row["forced"] and (game.id, ply) not in self._sent:
                yield Wrong("early", game.id, f"{event['who']} was told ply {ply} before anybody sent it", (event,))
        self._seen[game.id] = max(self._seen[game.id], event["ply"])

    def _differs(self, event: Event, game: FinalGame) -> Iterator[Wrong]:
        """What was told is what the record says, to whoever has these eyes."""
        ply, over = event["ply"], bool(event.get("over"))
        viewer = None if "position" in event else self._seat[event["who"]]
        told: list[str] = event.get("told", [])
        for number, action in enumerate(told, ply - len(told)):
            if number < 0 or action != (expected := self._told(game, number, viewer, over)):
                said = "nothing" if number < 0 else repr(expected)
                yield Wrong("other", game.id, f"{event['who']} was told {action!r} of ply {number}, and the record has {said}", (event,))
                break
        if "position" in event and event["position"] != game.position(ply):
            yield Wrong("other", game.id, f"{event['who']} was told another position of ply {ply} than the record leads to", (event,))
        if "sum" in event and event["sum"] != game.sum(ply, viewer):
            yield Wrong("other", game.id, f"{event['who']} was told another checksum of ply {ply} than the record leads to", (event,))
        if "clock" in event and (why := game.bad_clock(ply, event["clock"]["left"])):
            yield Wrong("clock", game.id, f"ply {ply}: {why}", (event,))

    def _told(self, game: FinalGame, ply: int, viewer: int | None, over: bool) -> str:
        key = game.id, ply, viewer, over
        if key not in self._expected:
            self._expected[key] = game.told(ply, viewer, over)
        return self._expected[key]


def _ply(event: Event) -> int:
    """How many actions a line of the history knows of."""
    ply: int = event["ply"]
    return ply + 1 if event["e"] == "answer" else ply


def _stood(event: Event) -> str:
    return f"ply {_ply(event)} of {event['game']}{' and its end' if event.get('over') else ''}"


# --- results and ratings ---


def _results(events: list[Event], games: dict[str, FinalGame]) -> Iterator[Wrong]:
    """Whoever was told an end was told the one that is stored."""
    for event in events:
        game = games.get(event["game"]) if event["e"] == "over" else None
        if game is None or not game.there:
            continue
        stored = None if game.result is None else {name: game.result[name] for name in ("winner", "scores", "reason")}
        if stored != {name: event[name] for name in ("winner", "scores", "reason")}:
            yield Wrong("result", game.id, f"{event['who']} was told an end, and stored is {stored or 'none'}", (event,))


def _ratings(events: list[Event], games: dict[str, FinalGame], ratings: list[Event]) -> Iterator[Wrong]:
    """Each game that counted moved the rating of each of its people once, and each rating is where its steps lead."""
    moved: dict[str, dict[str, list[float]]] = defaultdict(dict)
    for line in ratings:
        steps = _chained(line["steps"])
        times = Counter(step["game_id"] for step in steps)
        for step in steps:
            moved[step["game_id"]][line["person"]] = [step["before"], step["after"]]
        yield from (Wrong("rating", id, f"it moved the rating of {line['person']} {number} times", (line,)) for id, number in times.items() if number > 1)
        for one, other in pairwise(steps):
            if one["after"] != other["before"]:
                gap = f"{one['after']:g} after game {one['game_id']}, and {other['before']:g} before the next one that moved it"
                yield Wrong("rating", str(other["game_id"]), f"the rating of {line['person']} was {gap}", (one, other))
        if "value" in line and steps and (line["value"], line["games"]) != (steps[-1]["after"], len(steps)):
            stands = f"stands at {line['value']:g} after {line['games']} games, and its {len(steps)} steps lead to {steps[-1]['after']:g}"
            yield Wrong("rating", str(steps[-1]["game_id"]), f"the rating of {line['person']} {stands}", (line,))
    asked = {line["person"] for line in ratings}
    for game in games.values():
        yield from _moved_once(game, moved.get(game.id, {}), asked)
    for event in events:
        if event["e"] == "over" and games[event["game"]].there and asked.issuperset(event["ratings"]) and event["ratings"] != moved.get(event["game"], {}):
            text = f"{event['who']} was told that it moved ratings by {event['ratings']}, and stored is {moved.get(event['game'], {})}"
            yield Wrong("rating", event["game"], text, (event,))


def _moved_once(game: FinalGame, moved: dict[str, list[float]], asked: set[str]) -> Iterator[Wrong]:
    if not game.there or not asked.issuperset(who for who in game.people if who):
        return
    counts = game.ended and game.counted is not None
    people = {who for who in game.people if who} if counts else set()
    if moved.keys() != people:
        yield Wrong("rating", game.id, f"it moved the ratings of {sorted(moved) or 'nobody'}, and its people are {sorted(people) or 'none whom it counts for'}")
    elif game.rated and game.ended and not counts and (game.result or {}).get("reason") == "rules":
        yield Wrong("rating", game.id, "it is rated and ended by its rules, and moved nobody's rating")


def _chained(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The steps of a rating, each after the one that it goes on from: their times are those of several machines."""
    reached = {step["after"] for step in steps}
    left: list[dict[str, Any]] = list(steps)
    found: list[dict[str, Any]] = []
    while left:
        follows = (step for step in left if (step["before"] == found[-1]["after"] if found else step["before"] not in reached))
        step = next(follows, left[0])
        left.remove(step)
        found.append(step)
    return found
