"""The colours of every drawing, light and dark, and the second sign that each seat's colour always carries."""

from __future__ import annotations

from hanpan.core.reading import quoted

# name: (light, dark)
COLOURS: dict[str, tuple[str, str]] = {
    "paper": ("#f7f3ea", "#171a1f"),
    "card": ("#fffdf8", "#20242b"),
    "ink": ("#22252b", "#ece8de"),
    "ink-2": ("#5d6068", "#a3a49f"),
    "line": ("#ddd5c5", "#363b45"),
    "board": ("#e9d9b6", "#54422d"),
    "board-2": ("#e0cda3", "#4a3a28"),
    "grid": ("#b89f6c", "#8a6d48"),
    "cell": ("#f1e5c9", "#5f4930"),
    "accent": ("#1f5fa8", "#6fb1ff"),
    "tile-0": ("#dcb67c", "#6b5236"),
    "tile-1": ("#cfa263", "#5f4930"),
    "tile-2": ("#e5c592", "#755b3d"),
    "tile-3": ("#c2935a", "#54422d"),
    "seam": ("#8a6434", "#20160c"),
    "hole": ("#8d6a3c", "#2c2014"),
    "lacquer": ("#6b1f14", "#8e2b1f"),
    "lacquer-2": ("#93301f", "#f4c6ac"),
    "cloth": ("#ecd9c3", "#38271f"),
    "cloth-2": ("#d3b594", "#573d2f"),
    "koma": ("#ecd29a", "#d9bd85"),
    "koma-2": ("#d8b471", "#c2a063"),
    "koma-back": ("#b98d4f", "#8d6c3e"),
    "koma-edge": ("#5f451c", "#e8d3a6"),
    "koma-ink": ("#241a10", "#1c140c"),
    # seats; what is black or white has an edge of its own, everything else the common one
    "edge": ("#2b1710", "#f6e9dc"),
    "vermilion": ("#d1442f", "#e06a58"),
    "indigo": ("#2d4fa3", "#6f8fdd"),
    "jade": ("#12806a", "#35b196"),
    "ochre": ("#b07a00", "#d69f2a"),
    "black": ("#24262b", "#0d0e11"),
    "black-2": ("#5a5e68", "#4a4e58"),
    "black-edge": ("#111317", "#b4b5b0"),
    "white": ("#fbf9f3", "#f1ede3"),
    "white-2": ("#d9d3c4", "#c4beb0"),
    "white-edge": ("#4d493f", "#4d493f"),
    "red": ("#b3231b", "#d8483c"),
    "red-2": ("#ee7a63", "#ff9a86"),
}

# The same board of another stuff: what changes. Wood is the one above.
STUFFS: dict[str, dict[str, tuple[str, str]]] = {
    "paper": {
        "board": ("#f3ecdc", "#2a2f37"),
        "board-2": ("#ece3cf", "#252a31"),
        "grid": ("#b9ad93", "#5a6370"),
        "cell": ("#fbf6ea", "#323842"),
        "tile-0": ("#ece2cc", "#3d444f"),
        "tile-1": ("#e2d6bc", "#363c46"),
        "tile-2": ("#f4ecda", "#454d59"),
        "tile-3": ("#d8cbae", "#2f353e"),
        "seam": ("#8f8468", "#14171c"),
        "hole": ("#a4977a", "#1d2127"),
    },
    "cloth": {
        "board": ("#b5ccae", "#27442f"),
        "board-2": ("#a6c09f", "#213b29"),
        "grid": ("#789a72", "#4d7355"),
        "cell": ("#c6d9c0", "#2f5038"),
    },
}


def style(theme: str) -> str:
    """The palette as CSS custom properties."""
    if theme not in ("auto", "light", "dark"):
        raise ValueError(f"theme: {quoted(theme)} is not one of auto, light, dark")
    light, dark = ("".join(f"--{name}:{pair[i]};" for name, pair in COLOURS.items()) for i in (0, 1))
    if theme == "auto":
        return f".hanpan{{{light}}}@media (prefers-color-scheme:dark){{.hanpan{{{dark}}}}}"
    return f".hanpan{{{dark if theme == 'dark' else light}}}"
