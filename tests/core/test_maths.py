"""exp and log: near enough to the true ones, and the same bits everywhere."""

import hashlib
import math
import struct

from hypothesis import example, given
from hypothesis.strategies import floats

from hanpan.core.maths import exp, log
from hanpan.core.rule import plain


@given(floats(-600, 600))
@example(0.0)
@example(-600.0)
@example(600.0)
def test_exp_is_near_and_its_plain_twin_agrees(x):
    assert abs(exp(x) / math.exp(x) - 1) < 1e-8
    assert plain(exp)(x) == exp(x)


@given(floats(2**-1000, 1e300))
@example(1.0)
@example(2**-1000)
@example(math.nextafter(1.0, 0.0))
@example(math.nextafter(2.0, 0.0))
def test_log_is_near_and_its_plain_twin_agrees(x):
    assert abs(log(x) - math.log(x)) < 1e-8
    assert plain(log)(x) == log(x)


def test_far_out_exp_stays_within_bounds():
    assert exp(-601.0) == exp(-math.inf) == 0.0
    assert exp(601.0) == exp(math.inf) == exp(600.0)


def test_both_are_the_same_bits_on_every_machine():
    numbers = [(k - 5000) / 37 for k in range(10_000)]
    bits = b"".join(struct.pack("<2d", exp(x), log(abs(x) + 0.001)) for x in numbers)
    assert hashlib.sha256(bits).hexdigest()[:16] == "4f8888cbbe550fa7"
