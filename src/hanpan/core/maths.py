"""exp and log as rules: the same bits on every machine.

What `math` offers is each machine's own C library, whose last bit differs from one to the next, and which does not exist in WebAssembly. These two calculate
with whole numbers, apart from single operations that IEEE 754 rounds the same everywhere (a product and a sum that one machine would
contract into one operation never stand together). `math.sqrt` is exact everywhere already.
"""

from __future__ import annotations

import math

import numpy as np

from hanpan.core.interpreted import plain
from hanpan.core.rule import rule

_BITS = 30  # of a fraction
_ONE = 1 << _BITS
_LOG2_E = 1.4426950408889634
_FURTHEST = 600.0  # exp beyond is nearly 0, or too large to calculate with


_POWERS_OF_2 = np.array([2.0**k for k in range(-1022, 1023)])
_SIXTEENTHS = np.array([round(2 ** (k / 16) * _ONE) for k in range(16)], np.int64)
_TAYLOR = np.array([round(math.log(2) ** n / math.factorial(n) * _ONE) for n in range(5, -1, -1)], np.int64)  # 2**x = Σ (x · ln 2)ⁿ / n!


@rule
def exp(x: float) -> float:
    """e to the power of x, from −600 to 600 (0 below, and no more than at 600 above), with a relative error of at most 1e-8.

    >>> abs(exp(1.0) / 2.718281828459045 - 1) < 1e-8, exp(0.0), exp(-1000.0)
    (True, 1.0, 0.0)
    """
    if x < -_FURTHEST:
        return 0.0
    fixed = math.floor(min(x, _FURTHEST) * _LOG2_E * 1073741824.0)  # the logarithm to base 2, with thirty bits after the point
    small = fixed & ((1 << (_BITS - 4)) - 1)
    total = int(_TAYLOR[0])
    for n in range(1, _TAYLOR.size):
        total = ((total * small) >> _BITS) + int(_TAYLOR[n])
    total = (total * int(_SIXTEENTHS[(fixed >> (_BITS - 4)) & 15])) >> _BITS
    return total * float(_POWERS_OF_2[(fixed >> _BITS) - _BITS + 1022])


_BEHIND = np.array([plain(exp)(-behind / 100.0) for behind in range(1000)])


@rule
def likely(behind: int) -> float:
    """How likely an action is beside the best one, whose rank is so much higher: e to the power of a hundredth of that less. From a table, as far as it goes.

    >>> likely(0), likely(100) == exp(-1.0), likely(5000) == exp(-50.0)
    (1.0, True, True)
    """
    return float(_BEHIND[behind]) if behind < _BEHIND.size else exp(-behind / 100.0)


_LN_2 = round(math.log(2) * (1 << 40))
_ODD = np.array([round(2.0 / n * _ONE) for n in range(21, 0, -2)], np.int64)  # ln((1 + z) / (1 − z)) = 2 · (z + z³/3 + z⁵/5 …)
_STEPS = np.array([512, 256, 128, 64, 32, 16, 8, 4, 2, 1], np.int64)


@rule
def log(x: float) -> float:
    """The natural logarithm of a number above 0 that is not smaller than 2**-1000, with an absolute error of at most 1e-8.

    >>> abs(log(10.0) - 2.302585092994046) < 1e-8, log(1.0)
    (True, 0.0)
    """
    twos = 0
    for i in range(_STEPS.size):
        step = int(_STEPS[i])
        if x >= _POWERS_OF_2[1022 + step]:
            x = x * float(_POWERS_OF_2[1022 - step])
            twos += step
        elif x * float(_POWERS_OF_2[1022 + step - 1]) < 1.0:
            x = x * float(_POWERS_OF_2[1022 + step])
            twos -= step
    z = int((x - 1.0) / (x + 1.0) * 1073741824.0)
    square = (z * z) >> _BITS
    total = 0
    for n in range(_ODD.size):
        total = ((total * square) >> _BITS) + int(_ODD[n])
    return (twos * _LN_2 + ((total * z) >> (_BITS - 10))) / 1099511627776.0
