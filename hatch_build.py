"""The build hook of the package: the page and the demo games' pictures are built into it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "tools"))

import node
import page


class PageHook(BuildHookInterface):
    """Runs before a wheel is made, and before an editable install."""

    def dependencies(self) -> list[str]:
        """What the pictures are made with; and Node itself, where there is none."""
        return ["numpy>=2"] if node.folder() else ["numpy>=2", page.PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, and put what git ignores into the wheel."""
        page.build()
        page.stills()
        build_data["artifacts"] += ["src/hanpan/server/page/*", "src/hanpan/server/stills/*"]
