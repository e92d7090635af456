"""The command line, for tests."""

import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from unittest.mock import patch

from hanpan.cli import main


def hanpan_cli(*words, given="", into=None):
    """The command in this process: what it said (into a file, if one is given), and its exit status. A process of its own would do the same, after some
    seconds."""
    out, err, status = into or StringIO(), StringIO(), 0
    with (
        patch.object(sys, "argv", ["hanpan", *words]),
        patch.object(sys, "stdin", StringIO(given)),
        patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1"}),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as left:
            status = left.code or 0
    return subprocess.CompletedProcess(words, status, None if into else out.getvalue(), err.getvalue())
