"""The page's TypeScript, run by Node within a Python test."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
sys.path.insert(0, str(ROOT / "tools"))

import node  # noqa: E402

_BUNDLE = """
import { build } from "esbuild";
const [entry, outfile] = process.argv.slice(1);
await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", logLevel: "warning" });
"""


def bundle(entry, folder):
    """A script of web/test and all that it imports, as one file in a folder."""
    made = Path(folder) / (Path(entry).stem + ".mjs")
    command = [*_node(), "--input-type=module", "--eval", _BUNDLE, str(WEB / "test" / entry), str(made)]
    subprocess.run(command, cwd=WEB, check=True, env=node.environment())
    return made


def run(script, given, timeout=600):
    """What a bundled script answers, as JSON, to what it is given."""
    command = [*_node(), str(script)]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, env=node.environment(), timeout=timeout, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


def _node():
    return [str(Path(node.folder() or "") / "node")]
