"""Wall Go: which turns a computer player looks at first, learnt from the turns it preferred after long thought in games against itself.

Each table says how much likelier a turn is, in hundredths of a natural logarithm. Distances are steps over free edges, to the nearest piece,
the own ones up to 3 and the others' up to 7, where 7 is also what can't be reached. A wall's end touches if another wall or the rim meets it.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def _table(text: str, *shape: int) -> np.ndarray[Any, Any]:
    return np.array([int(number) for number in text.split()]).reshape(shape)


# By the others' distance to the last cell and to the cell behind the wall, and the wall's touching ends.
LAST = _table(
    """
       0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0
     131  125  171  -37  -58   25  -20  -18  -18    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0
       0    0    0   53   42   94  -52  -50   31  -10  -11  -12    0    0    0    0    0    0    0    0    0    0    0    0
       0    0    0    0    0    0   -3   -1   36  -12  -32   -1   -6    1  -42    0    0    0    0    0    0    0    0    0
       0    0    0    0    0    0    0    0    0  -29  -29  -28   25  -16   -2   15   35   -8    0    0    0    0    0    0
       0    0    0    0    0    0    0    0    0    0    0    0  -23  -43  -79  -11    2    6   34   45   14    0    0    0
       0    0    0    0    0    0    0    0    0    0    0    0    0    0    0  -18  -28 -110    2   -6    0   -4   53   15
       0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0   -4  -11  -82    5   10  -55
    """,
    8,
    8,
    3,
)

# By the others' distance to the first and to the last cell, and how many steps lie between.
WALK = _table(
    """
       0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0
       0    0    0  -12   94  -30    0   77 -101    0    0 -163    0    0    0    0    0    0    0    0    0    0    0    0
       0    0    0    0  149   10 -117   32  -75    0  -85  -66    0    0 -159    0    0    0    0    0    0    0    0    0
       0    0    0    0    0   92    0  141   24 -157   64  -12    0  -59  -20    0    0  -89    0    0    0    0    0    0
       0    0    0    0    0    0    0    0  103    0   99   88 -120   -7  -41    0 -106  -40    0    0 -104    0    0    0
       0    0    0    0    0    0    0    0    0    0    0  172    0   87   97  -88  -21  -33    0  -94   -2    0    0  -65
       0    0    0    0    0    0    0    0    0    0    0    0    0    0  185    0   75   54  -64    6  -43    0  -38  -39
       0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0  193    0   39  166  -32    0   37
    """,
    8,
    8,
    3,
)

# By the own and the others' distance to the cell behind the wall, and the touching ends.
BEHIND = _table(
    """
       0    0    0   10   38   47  -89  -26   48  -66   -5   17  -12   47   -4  -16   26    5   -5   12   22    2   23   33
      72   68  109  -13  -30   18  -43  -17   24  -39  -35  -30  -23  -44  -37   -8    1  -23   18   36   21   -9   50   42
      58   31   46   19   -6   27   19  -17   -9   42  -11   -7   16  -32  -26    1   -7  -36  -13  -15  -47   -3   -4  -41
       1   27   16   -1  -17   27   38   -9  -15   11  -21  -21   15  -30  -56    9  -12  -58   32   -5  -64   11   -6  -74
    """,
    4,
    8,
    3,
)

# By the own and the others' distance to the last cell, and the touching ends.
STAND = _table(
    """
       0    0    0  -36  -11   35  -86  -79   49  -35  -72  -50  -24  -57  -39   -7  -37  -44   -2   -8  -54    1   16  -48
       0    0    0  -37  -47    0  -90  -73  -61 -110  -72  -51  -62  -36  -66  -39  -41  -60  -12  -24  -58   -2  -26  -76
       0    0    0  146  107  144  167  133  124  124  112   94   97   82   68   47   82   45   -6   51   18    2   10  -14
       0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0    0
    """,
    4,
    8,
    3,
)

# By the free sides of the last cell and of the one behind the wall, and the touching ends.
ROOM = _table(
    """
       0    0    0    0    0    0    0    0    0    0    0    0    0    0    0
       0    0    0    0    0   10    0    0 -172    0    0 -204    0    0  -63
       0    0    0    0    0  135    0 -213  -51    0 -183 -135    0 -159 -164
       0    0    0    0    0  170    0   81   71    3   35    4  -66   38   -4
       0    0    0    0    0  156    0  169  109   71  121   44   27  120   48
    """,
    5,
    5,
    3,
)
