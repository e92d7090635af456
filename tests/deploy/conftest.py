"""The tests of the deploy folder start real servers."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "server"))

from fixtures import local_server, pytest_pyfunc_call  # noqa: F401
