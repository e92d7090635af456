"""Compiled loops over any game's rules: random play and perft."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from hanpan.core.rule import CHANCE, OVER, below, rule
from hanpan.rulebook import rulebook


@cache
def random_ply(name: str) -> Callable[..., int]:
    """`random_ply(game)(first, s, i, out, rng)`: play one uniformly random legal action in s[i], chance and a new beginning included; 1 if a game had ended."""
    rules = rulebook(name).rules
    mover, legal, apply, chance = rules.mover, rules.legal, rules.apply, rules.chance

    @rule
    def play_one(first: Any, s: Any, i: int, out: Any, rng: Any) -> int:
        ended = 0
        while True:
            who = mover(s[i])
            if who == OVER:
                s[i] = first[0]
                ended = 1
            elif who == CHANCE:
                chance(s[i], rng)
            else:
                n = legal(s[i], out)
                apply(s[i], int(out[below(rng, n)]))
                return ended

    return play_one


@cache
def random_play(name: str) -> Callable[..., int]:
    """`random_play(game)(first, s, out, rng, plies)`: so many random plies in s[0], from `first` again whenever a game ends; how many ended."""
    play_one = random_ply(name)

    @rule
    def play_random(first: Any, s: Any, out: Any, rng: Any, plies: int) -> int:
        ended = 0
        for _ in range(plies):
            ended += play_one(first, s, 0, out, rng)
        return ended

    return play_random


@cache
def random_game(name: str) -> Callable[..., int]:
    """`random_game(game)(s, middle, out, rng, stop, most)`: play s[0] at random to its end; how many plies (at most `most`) it took.

    The position after `stop` plies is left in middle[0].
    """
    rules = rulebook(name).rules
    mover, legal, apply, chance = rules.mover, rules.legal, rules.apply, rules.chance

    @rule
    def play_to_the_end(s: Any, middle: Any, out: Any, rng: Any, stop: int, most: int) -> int:
        plies = 0
        while plies < most:
            who = mover(s[0])
            if who == OVER:
                return plies
            if who == CHANCE:
                chance(s[0], rng)
            else:
                apply(s[0], int(out[below(rng, legal(s[0], out))]))
                plies += 1
                if plies == stop:
                    middle[0] = s[0]
        return plies

    return play_to_the_end


@cache
def list_legal(name: str) -> Callable[..., int]:
    """`list_legal(game)(s, out, times)`: list the legal actions of one position again and again, for measuring."""
    legal = rulebook(name).rules.legal

    @rule
    def list_again(s: Any, out: Any, times: int) -> int:
        total = 0
        for _ in range(times):
            total += legal(s[0], out)
        return total

    return list_again


@cache
def perft(name: str) -> Callable[..., int]:
    """`perft(game)(stack, lists, left, rng, depth)`: how many lines of that many actions there are from stack[0].

    stack: depth+1 records; lists: depth+1 rows of actions; left: depth+1 integers. What chance decides on the way is drawn from rng.
    """
    rules = rulebook(name).rules
    mover, legal, apply, chance = rules.mover, rules.legal, rules.apply, rules.chance

    @rule
    def count_leaves(stack: Any, lists: Any, left: Any, rng: Any, depth: int) -> int:
        counts = 0
        level = 0
        entering = True  # left[level]: how many actions are still to be tried there
        while level >= 0:
            if entering:
                while mover(stack[level]) == CHANCE:
                    chance(stack[level], rng)
                left[level] = legal(stack[level], lists[level]) if mover(stack[level]) >= 0 else 0
                if level == depth - 1:
                    counts += left[level]
                    left[level] = 0
            if left[level] == 0:
                level -= 1
                entering = False
            else:
                left[level] -= 1
                stack[level + 1] = stack[level]
                apply(stack[level + 1], int(lists[level][left[level]]))
                level += 1
                entering = True
        return counts

    return count_leaves
