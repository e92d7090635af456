"""A program for test_bulk.py: a real Ray cluster on loopback, and what is done there. Prints what came of it as JSON."""

import json
import os
import subprocess
import sys

import ray
from deadly import Deadly

from hanpan.bots.workers import share_out

TRIES = 12  # where one machine runs many tests at once, several may be needed


def refused(*arguments):
    try:
        list(share_out(*arguments))
    except (ValueError, RuntimeError) as wrong:
        return str(wrong)


def begun():
    """A cluster of two processors; its address. Ray gives its own processes 30 seconds to start, which a busy machine does not always keep."""
    size = 80_000_000  # bytes, the least that it takes
    for left in reversed(range(TRIES)):
        try:
            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR", object_store_memory=size, _temp_dir=os.environ["HOME"])
            break
        except Exception:
            if not left:
                raise
            ray.shutdown()
    return ray.get_runtime_context().gcs_address


def main(folder):
    told = {"nobody there": refused(Deadly(folder, ()), [1], 0, "ray")}
    here = begun()
    command = [sys.executable, "-m", "hanpan.cli", "match", "tictactoe", "2", "random", "--games", "6", "--json", "--on", "ray"]
    for _ in range(TRIES):
        match = subprocess.run(command, env={**os.environ, "RAY_ADDRESS": here}, capture_output=True, text=True, check=False)
        if "no Ray cluster answers" not in match.stderr:
            break
    told["match"] = match.stdout, match.stderr
    told["squares"] = sorted(share_out(Deadly(folder, (3,)), list(range(8)), 0, "ray"))
    told["wrong"] = refused(Deadly(folder, ()), [-1], 0, "ray")
    told["address"] = here
    ray.shutdown()
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
