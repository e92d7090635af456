"""A program for test_bulk.py: a real Ray cluster on loopback, and what is done there. Prints what came of it as JSON."""

import json
import os
import subprocess
import sys

import ray
from deadly import Deadly

from hanpan.bots.workers import share_out


def refused(*arguments):
    try:
        list(share_out(*arguments))
    except (ValueError, RuntimeError) as wrong:
        return str(wrong)


def main(folder):
    told = {"nobody there": refused(Deadly(folder, ()), [1], 0, "ray")}
    size = 80_000_000  # bytes, the least that it takes
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR", object_store_memory=size, _temp_dir=os.environ["HOME"])
    here = ray.get_runtime_context().gcs_address
    command = [sys.executable, "-m", "hanpan.cli", "match", "tictactoe", "2", "random", "--games", "6", "--json", "--on", "ray"]
    match = subprocess.run(command, env={**os.environ, "RAY_ADDRESS": here}, capture_output=True, text=True, check=False)
    told["match"] = match.stdout, match.stderr
    told["squares"] = sorted(share_out(Deadly(folder, (3,)), list(range(8)), 0, "ray"))
    told["wrong"] = refused(Deadly(folder, ()), [-1], 0, "ray")
    told["address"] = here
    ray.shutdown()
    print(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
