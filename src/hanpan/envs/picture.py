"""An SVG picture as pixels."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from hanpan.core.extras import needed


def rgb_array(svg: str, width: int = 640) -> Any:
    """uint8 [height, width, 3]."""
    with needed("a picture in pixels", "hanpan[envs]"):
        import resvg_py
        from PIL import Image

    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width, background="white"))
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
