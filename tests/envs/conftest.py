"""What the tests of the environments share."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "server"))

from fixtures import server  # noqa: F401

collect_ignore = ["agents"]  # files that only run where there is a `fights`
