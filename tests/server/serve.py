"""A server in a process of its own, for the tests: DATA PORT [key=value …], the settings of `hanpan.server.settings.Settings`. Chance is that of `deals.py`."""

import json
import sys
from pathlib import Path

from deals import Deals

from hanpan.server.run import serve
from hanpan.server.settings import Settings

if __name__ == "__main__":
    data, port, *more = sys.argv[1:]
    settings = {key: json.loads(value) for key, _, value in (word.partition("=") for word in more)}
    serve(Settings(data=Path(data), port=int(port), **settings), luck=Deals())
