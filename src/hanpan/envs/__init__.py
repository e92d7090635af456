"""The research environment: the same rules for learning machines."""

from __future__ import annotations

from hanpan.envs.batch import Batch, batch

__all__ = ["Batch", "batch"]
