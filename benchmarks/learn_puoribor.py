"""What judges Puoribor's positions (games/puoribor/learnt.py) and orders its actions (prior.py), learnt from games of the present player against itself.

    python benchmarks/learn_puoribor.py play games.jsonl [--games 1000] [--nodes 1500] [--seed 1] [--cores 0] [--on ray]
    python benchmarks/learn_puoribor.py fit games.jsonl [more.jsonl …] [--to weights.npz] [--epochs 8] [--rate 0.002] [--afresh]

`play` adds games to a file until there are so many; interrupted (Ctrl-C, or killed) it keeps what is finished, and the same command goes on. Every
second game is without rotation (Quoridor). Beside each position of a game stands one aside from it, one to three actions that a search would look at, as
a search sees most of its positions. `fit` reads such files and goes on from the present weights (with --afresh: from none), holds every 25th game back,
and says how well the present weights and the new ones judge those: the mean square error, and the area under the curve of who wins; and how high in their
lists the present order and the new one have what a search chose. Ctrl-C ends either part early, with the weights so far. A copy of them at
src/hanpan/games/puoribor/weights.npz makes them the player's; whether it plays better, a match must say.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from puoribor_prior import STEPS, Lists, compare_orders, learn_order, listed, one_list
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

import hanpan
from hanpan.bots.deepening import Deepening
from hanpan.bots.jsonl import JsonLines
from hanpan.bots.work import Each
from hanpan.bots.workers import share_out
from hanpan.core.seeds import derive
from hanpan.games.puoribor import learnt, race, rules, ways
from hanpan.games.puoribor.board import COLUMN, SIZE
from hanpan.rulebook import rulebook

# --- games ---

LONGEST = 180  # plies; whoever has not won by then teaches nothing
OPENING = 12  # random plies at the beginning, at most
STRAY = 0.04  # and how many later
OPEN = 900  # only beside a position that is worth less than this, to either seat, something else is looked at
MEGABYTES = 4
KIND = "self-play of Puoribor"


def finished(path: Path) -> list[dict[str, Any]]:
    """The games of a file. A line that is no such game is named."""
    games = []
    for game, where in JsonLines.read(path, KIND):
        try:
            right = len(game["actions"]) == len(game["values"]) and {type(game[key]) for key in ("number", "winner")} == {int}
        except (KeyError, TypeError):
            right = False
        if not right:
            raise ValueError(f"{where}: not a finished game")
        games.append(game)
    return games


def self_play(number: int, nodes: int, seed: int) -> dict[str, Any]:
    """One game: the numbers of the actions, and what a search said about each position before it (nothing while the plies were random), for the seat to act.

    Asides: the ply beside which they stand, the actions that lead there, what a search would play, and what it said.
    """
    dice = random.Random(derive(seed, number, "self-play"))
    record = hanpan.game("puoribor", rotation=number % 2 == 0, max_plies=LONGEST).start().record
    searcher, legal = Deepening("puoribor", MEGABYTES), rulebook("puoribor").actions_buffer()
    opening, actions, values, asides = dice.randrange(OPENING + 1), list[int](), list[int | None](), list[tuple[int, list[int], int, int]]()

    def search(position: Any) -> tuple[int, int]:
        *_, result = searcher.think(position, None, nodes, 64, 0, dice.getrandbits(32))
        return result.best, round(result.values[result.best])

    while rules.mover(record[0]) >= 0:
        action, value = -1, None
        if len(actions) >= opening:
            action, value = search(record)
            if abs(value) < OPEN:
                beside = record.copy()
                way = wander(beside, dice)
                if rules.mover(beside[0]) >= 0:
                    asides.append((len(actions), way, *search(beside)))
        if value is None or dice.random() < STRAY:
            listed = legal[: rules.legal(record[0], legal)].tolist()
            steps = [one for one in listed if one < rules.FLAT]
            action = dice.choice(steps if steps and dice.random() < 0.5 else listed)
        actions.append(action)
        values.append(value)
        rules.apply(record[0], action)
    return {"number": number, "winner": int(rules.winner(record[0])), "actions": actions, "values": values, "asides": asides}


def wander(record: Any, dice: random.Random) -> list[int]:
    """Play one to three actions that a search would look at: which."""
    way = list[int]()
    for _ in range(dice.choice((1, 1, 2, 2, 3))):
        if rules.mover(record[0]) < 0:
            break
        way.append(dice.choice(listed(record[0], dice.choice((1, 3, 6)))[0].tolist()))
        rules.apply(record[0], way[-1])
    return way


def play(path: Path, games: int, nodes: int, seed: int, cores: int, on: str | None = None) -> None:
    """Add games to the file until the first so many are there."""
    file = JsonLines(path, KIND, {"nodes": nodes, "seed": seed})
    done = {game["number"] for game in finished(path)}
    left = [number for number in range(games) if number not in done]
    one = partial(self_play, nodes=nodes, seed=seed)
    Deepening("puoribor", MEGABYTES)  # machine code is made once, not in every process
    added = 0
    with bar("games", games) as tell:
        tell(games - len(left))
        try:
            for game in share_out(Each(one), left, cores, on):
                file.append(game)
                added += 1
                tell(games - len(left) + added)
        except KeyboardInterrupt:
            pass
    print(f"{path}: {games - len(left) + added} of {games} games, {added} of them new")


@contextmanager
def bar(title: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar with an estimate of the time left; gives the function that moves it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, transient=True, speed_estimate_period=600, disable=not sys.stdout.isatty()) as progress:
        task = progress.add_task(title, total=total)
        yield lambda done: progress.update(task, completed=done)


# --- positions ---

EDGES = 144
ROWS = EDGES + learnt.MEETING_ROWS + (2 * SIZE - 1) ** 2
BUCKETS = 18
HELD_BACK = 25  # every so many games is held back
SEARCHED = 0.7  # how much of what is learnt is what the search said; the rest is who won
LOGIT = 200  # a value that means odds of e to one
CHUNK = 20_000


@dataclass(frozen=True)
class Positions:
    """Positions as the network sees them."""

    inputs: Any  # which rows count, as packed bits
    bucket: Any
    target: Any  # what the seat to act should expect
    won: Any  # whether it won
    held_back: Any

    def some(self, which: Any) -> Positions:
        """Those of some indices."""
        return Positions(self.inputs[which], self.bucket[which], self.target[which], self.won[which], self.held_back[which])

    def rows(self) -> Any:
        """The inputs, one to a column, as numbers."""
        return np.unpackbits(self.inputs, axis=1, count=ROWS).astype(np.float32)


def seen(records: Any, mine: Any, theirs: Any) -> tuple[Any, Any]:
    """The inputs of positions (0 or 1 for each row of the network) and their buckets: what learnt.judge looks up, for many at once."""
    n, every = len(records), np.arange(len(records))
    me = records["turn"].astype(np.int64)

    def edges(words: Any, columns: int, height: int) -> Any:
        x, y = np.arange(columns)[:, None], np.arange(height)
        bits = (words[:, x // 5] >> (COLUMN * (x % 5) + y)) & 1
        return np.where(me[:, None, None] == 0, bits, bits[:, :, ::-1]).reshape(n, -1)

    def cell(sites: Any) -> tuple[Any, Any]:
        x, y = sites // COLUMN, sites % COLUMN
        return x, np.where(me == 0, y, SIZE - 1 - y)

    pawn, hands = records["pawn"].astype(np.int64), np.minimum(records["hand"].astype(np.int64), learnt.MOST_HAND)
    (x, y), (other_x, other_y) = cell(pawn[every, me]), cell(pawn[every, 1 - me])
    hand, other, rotation = hands[every, me], hands[every, 1 - me], records["rotation"].astype(np.int64)
    bucket = 9 * rotation + 3 * ((hand > 0) * 1 + (hand > 3)) + (other > 0) + (other > 3)
    lead = np.clip(theirs - mine, -learnt.MOST_LEAD, learnt.MOST_LEAD) + learnt.MOST_LEAD
    inputs = np.zeros((n, ROWS), np.uint8)
    inputs[:, :72] = edges(records["h"], 9, 8)
    inputs[:, 72:EDGES] = edges(records["v"], 8, 9)
    for row in (
        learnt.PAWN_ROWS + SIZE * x + y,
        learnt.OTHER_ROWS + SIZE * other_x + other_y,
        learnt.WAY_ROWS + np.minimum(mine, learnt.FARTHEST),
        learnt.OTHER_WAY_ROWS + np.minimum(theirs, learnt.FARTHEST),
        learnt.HAND_ROWS + 11 * rotation + hand,
        learnt.OTHER_HAND_ROWS + 11 * rotation + other,
        learnt.BASE_ROWS + rotation,
        learnt.LEAD_ROWS + (2 * learnt.MOST_LEAD + 1) * bucket + lead,
        learnt.MEETING_ROWS + (2 * SIZE - 1) * (other_x - x + SIZE - 1) + other_y - y + SIZE - 1,
    ):
        inputs[every, EDGES + row] = 1
    return inputs, bucket


def mirror() -> Any:
    """For every row of the network the one that it is with left and right exchanged."""
    rows = np.arange(ROWS)
    wide = 2 * SIZE - 1
    for first, columns, height in ((0, 9, 8), (72, 8, 9), (EDGES, 9, 9), (EDGES + learnt.OTHER_ROWS, 9, 9), (EDGES + learnt.MEETING_ROWS, wide, wide)):
        part = slice(first, first + columns * height)
        rows[part] = rows[part].reshape(columns, height)[::-1].reshape(-1)
    return rows


@dataclass(frozen=True)
class Searched:
    """A position that was searched."""

    record: Any
    value: int
    best: int
    won: bool | None  # by the seat to act; None beside a game
    held_back: bool


def searched(game: dict[str, Any]) -> Iterator[Searched]:
    """The searched positions of a game that somebody won, and those beside it, less races that are decided and need no judge."""
    if game["winner"] < 0:
        return
    record, back = hanpan.game("puoribor", rotation=game["number"] % 2 == 0, max_plies=LONGEST).start().record, game["number"] // 2 % HELD_BACK == 0
    asides = {ply: aside for ply, *aside in game.get("asides", ())}
    for ply, (action, value) in enumerate(zip(game["actions"], game["values"], strict=True)):
        if value is not None and to_judge(record[0]):
            yield Searched(record.copy(), value, action, bool(record[0].turn == game["winner"]), back)
        if ply in asides:
            (way, best, worth), beside = asides[ply], record.copy()
            for one in way:
                rules.apply(beside[0], one)
            if to_judge(beside[0]):
                yield Searched(beside, worth, best, None, back)
        rules.apply(record[0], action)


def to_judge(s: Any) -> bool:
    """Whether a position needs a judge."""
    return bool(s.hand.any() and race.settled(s, 64) == 0)


def read(games: list[dict[str, Any]]) -> tuple[Positions, Lists, Lists]:
    """What is learnt from: positions; lists of actions to learn from, and those held back."""
    parts: list[tuple[Any, ...]] = []
    chunk: list[Searched] = []
    lists: tuple[list[Any], list[Any]] = ([], [])

    def put_away() -> None:
        mine, theirs = np.array([ways.both_lengths(one.record[0]) for one in chunk], np.int64).T
        inputs, bucket = seen(np.concatenate([one.record for one in chunk]), mine, theirs)
        said = chance(np.array([one.value for one in chunk], float))
        won = np.array([said[i] if one.won is None else one.won for i, one in enumerate(chunk)], float)  # beside a game nobody knows who would have won
        target = SEARCHED * said + (1 - SEARCHED) * won
        parts.append((np.packbits(inputs, axis=1), bucket, target.astype(np.float32), won > 0.5, np.array([one.held_back for one in chunk])))
        chunk.clear()

    with bar("reading", len(games)) as tell:
        for count, game in enumerate(games, 1):
            for one in searched(game):
                chunk.append(one)
                if (found := one_list(one.record[0], one.best)) is not None:
                    lists[one.held_back].append(found)
            if len(chunk) >= CHUNK:
                put_away()
            tell(count)
    if chunk:
        put_away()
    if not parts:
        raise ValueError("no position to learn from: nobody won, or everything was decided")
    return Positions(*(np.concatenate(part) for part in zip(*parts, strict=True))), Lists.of(lists[False]), Lists.of(lists[True])


def chance(value: Any) -> Any:
    """How probably a value wins."""
    return 1 / (1 + np.exp(-np.clip(value / LOGIT, -30, 30)))


# --- the network ---

# A hidden value has 16 bits: 80 edges and nine other inputs must not add up to more.
EDGE_MOST, ROW_MOST = 0.5, 2.2
OUT_UNIT = 64 * LOGIT


@dataclass(frozen=True)
class Weights:
    """The network in whole numbers, as it is kept in weights.npz, with the order of actions."""

    rows: Any
    out: Any
    prior: Any

    @classmethod
    def read(cls, path: Path) -> Weights:
        """The weights in a file."""
        with np.load(path) as file:
            return cls(file["rows"], file["out"], file["prior"])

    def write(self, path: Path) -> None:
        """Keep them in a file."""
        np.savez_compressed(path, rows=self.rows.astype(np.int16), out=self.out.astype(np.int32), prior=self.prior.astype(np.int16))

    def judge(self, inputs: Any, bucket: Any) -> Any:
        """What learnt.judge says with these weights, number for number."""
        hidden = np.clip(inputs.astype(np.float32) @ self.rows.astype(np.float32), 0, learnt.UNIT).astype(np.int64)
        out = self.out.astype(np.int64)[bucket]
        return (((hidden * hidden * out[:, :-1]).sum(1) >> 18) + out[:, -1]) >> 6


class Network:
    """The network in fractions, and one step of learning (Adam)."""

    def __init__(self, start: Weights | None, seed: int = 1) -> None:
        if start is None:
            dice = np.random.default_rng(seed)
            rows = dice.normal(0.1, 0.1, (ROWS, learnt.HIDDEN))
            out = np.hstack([dice.normal(0, 0.3, (1, learnt.HIDDEN)).repeat(BUCKETS, 0), np.zeros((BUCKETS, 1))])
        else:
            rows, out = start.rows / learnt.UNIT, start.out / OUT_UNIT
        self._parts = [rows.astype(np.float32), out.astype(np.float32)]
        self._means = [(np.zeros_like(part), np.zeros_like(part)) for part in self._parts]
        self._steps = 0

    def weights(self, order: Any) -> Weights:
        """The same in whole numbers, with an order of actions."""
        rows, out = self._parts
        return Weights(np.rint(rows * learnt.UNIT).astype(np.int16), np.rint(out * OUT_UNIT).astype(np.int32), order)

    def step(self, inputs: Any, bucket: Any, target: Any, rate: float) -> None:
        """Go a little towards what these positions are worth."""
        rows, out = self._parts
        hidden = inputs @ rows
        inside = np.clip(hidden, 0, 1)
        squares = np.hstack([inside * inside, np.ones((len(inputs), 1), np.float32)])
        wrong = (1 / (1 + np.exp(-np.einsum("ij,ij->i", squares, out[bucket]))) - target) / len(inputs)
        back = wrong[:, None] * out[bucket, :-1] * 2 * inside * (hidden < 1)
        member = (bucket[:, None] == np.arange(BUCKETS)).astype(np.float32)
        self._steps += 1
        for part, slope, (mean, square) in zip(self._parts, (inputs.T @ back, member.T @ (squares * wrong[:, None])), self._means, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            part -= rate * (mean / (1 - 0.9**self._steps)) / (np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8)
        np.clip(rows[:EDGES], -EDGE_MOST, EDGE_MOST, out=rows[:EDGES])
        np.clip(rows[EDGES:], -ROW_MOST, ROW_MOST, out=rows[EDGES:])


BATCH = 4096


def learn(network: Network, taught: Positions, epochs: int, rate: float) -> None:
    """Go through the positions so many times, every second one mirrored, with smaller and smaller steps. Ctrl-C ends it early."""
    dice, mirrored = np.random.default_rng(1), mirror()
    batches = -(-len(taught.target) // BATCH)
    with bar("fitting", epochs * batches) as tell:
        try:
            for epoch in range(epochs):
                order = dice.permutation(len(taught.target))
                for number in range(batches):
                    done = epoch * batches + number
                    batch = taught.some(order[number * BATCH : (number + 1) * BATCH])
                    inputs = batch.rows()
                    inputs[::2] = inputs[::2][:, mirrored]
                    network.step(inputs, batch.bucket, batch.target, rate * (0.01 + 0.495 * (1 + math.cos(math.pi * done / (epochs * batches)))))
                    tell(done + 1)
        except KeyboardInterrupt:
            print("ended early")


def order_of(lists: Lists, start: Any) -> Any:
    """An order of actions that these lists teach. Ctrl-C ends it early."""
    orders = [start]
    with bar("ordering", STEPS) as tell:
        try:
            for step, order in enumerate(learn_order(lists, start) if len(lists.sizes) else (), 1):
                orders[0] = order
                tell(step)
        except KeyboardInterrupt:
            print("ended early")
    return orders[0]


def area(score: Any, won: Any) -> float:
    """How often a position that was won is judged higher than one that was lost (equal: half)."""
    _, place, counts = np.unique(score, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    wins = int(won.sum())
    if not 0 < wins < len(won):
        return math.nan
    return float((ranks[won].sum() - wins * (wins + 1) / 2) / (wins * (len(won) - wins)))


def compare(old: Weights, new: Weights, held: Positions) -> Iterator[str]:
    """How well both judge positions that neither learnt from, a line for each kind of game."""
    for name, kind in (("Quoridor", held.bucket < BUCKETS // 2), ("Puoribor", held.bucket >= BUCKETS // 2)):
        some = held.some(kind)
        if len(some.target):
            inputs = some.rows()
            judged = [weights.judge(inputs, some.bucket) for weights in (old, new)]
            errors = [float(np.mean((chance(value) - some.target) ** 2)) for value in judged]
            areas = [area(value, some.won) for value in judged]
            yield f"{name:<10} {len(some.target):>9,}  {errors[0]:.4f} → {errors[1]:.4f}      {areas[0]:.3f} → {areas[1]:.3f}"


def fit(paths: list[Path], to: Path, epochs: int, rate: float, afresh: bool) -> None:
    """Learn from the games of some files, and keep the weights."""
    games = [game for path in paths for game in finished(path)]
    every, lists, held_lists = read(games)
    taught, held = every.some(~every.held_back), every.some(every.held_back)
    print(f"{len(taught.target):,} positions to learn from, {len(held.target):,} held back, of {len(games):,} games", flush=True)
    old = Weights.read(Path(learnt.__file__).parent / "weights.npz")
    network = Network(None if afresh else old)
    learn(network, taught, epochs, rate)
    new = network.weights(order_of(lists, np.zeros_like(old.prior) if afresh else old.prior))
    new.write(to)
    print("held back  positions  mean square error    area under the curve (present weights → new ones)")
    for line in compare(old, new, held):
        print(line)
    if len(held_lists.sizes):
        print(compare_orders(old.prior, new.prior, held_lists))
    print(f"weights: {to}")


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parts = parser.add_subparsers(dest="part", required=True)
    playing = parts.add_parser("play")
    playing.add_argument("file", type=Path)
    for name, usual in (("games", 1000), ("nodes", 1500), ("seed", 1), ("cores", 0)):
        playing.add_argument(f"--{name}", type=int, default=usual)
    playing.add_argument("--on", metavar="ray|ray://HOST:PORT")
    fitting = parts.add_parser("fit")
    fitting.add_argument("file", type=Path, nargs="+")
    fitting.add_argument("--to", type=Path, default=Path("weights.npz"))
    fitting.add_argument("--epochs", type=int, default=8)
    fitting.add_argument("--rate", type=float, default=0.002)
    fitting.add_argument("--afresh", action="store_true")
    args = parser.parse_args(words)
    try:
        if args.part == "play":
            play(args.file, args.games, args.nodes, args.seed, args.cores, args.on)
        else:
            fit(args.file, args.to, args.epochs, args.rate, args.afresh)
    except ValueError as wrong:
        parser.error(str(wrong))


if __name__ == "__main__":
    main()
