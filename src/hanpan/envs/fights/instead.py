"""Importing this puts `hanpan.envs.fights` in the place of `fights`, in this process and from here on: what was written for the original finds it here."""

from __future__ import annotations

import sys

_OURS = "hanpan.envs.fights"
_THEIRS = "fights"

for _name in [name for name in sys.modules if name == _THEIRS or name.startswith(f"{_THEIRS}.")]:
    del sys.modules[_name]  # what was imported of the original stays as it is where it was imported; nothing of it is found any more
for _name in [name for name in sys.modules if name == _OURS or name.startswith(f"{_OURS}.")]:
    sys.modules[_THEIRS + _name.removeprefix(_OURS)] = sys.modules[_name]
