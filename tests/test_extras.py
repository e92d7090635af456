"""What is not installed is named, together with what to install."""

import os
import subprocess
import sys

WITHOUT = """
import sys
class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {gone!r}: raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Gone())
for door in {doors!r}:
    try:
        exec(door)
    except ImportError as missing:
        assert isinstance(missing, ValueError)
        print(missing)
    else:
        print("nothing is missing for", door)
"""

DOORS = {
    "import hanpan.envs; hanpan.envs.aec('tictactoe')": "hanpan.envs.aec needs pettingzoo: pip install 'hanpan[envs]'",
    "import hanpan.envs; hanpan.envs.room('http://127.0.0.1:1', game='tictactoe')": "hanpan.envs.room needs gymnasium: pip install 'hanpan[envs]'",
    "import hanpan.envs.vector": "hanpan.envs.vector needs gymnasium: pip install 'hanpan[envs]'",
    "import hanpan.envs.openspiel": "hanpan.envs.openspiel needs pyspiel: pip install 'hanpan[openspiel]'",
    "from hanpan.envs.picture import rgb_array; rgb_array('<svg/>')": "a picture in pixels needs resvg_py: pip install 'hanpan[envs]'",
    "from hanpan.envs.dataset import load; load('x.parquet')": "Parquet needs pyarrow: pip install 'hanpan[parquet]'",
    "import hanpan; hanpan.game('tictactoe').start().ascii()": "a drawing for terminals needs rich: pip install 'rich'",
}


GONE = ("pettingzoo", "gymnasium", "pyspiel", "resvg_py", "PIL", "pyarrow", "rich")


def test_whatever_is_missing_is_named():
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "HANPAN_INTERPRET": "1"}
    code = WITHOUT.format(gone=GONE, doors=list(DOORS))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment)
    assert done.stdout.splitlines() == list(DOORS.values()), done.stderr
