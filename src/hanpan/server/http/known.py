"""What an address names, if there is such a thing; else 404, with what there is."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, HTTPException

from hanpan.rulebook import check_name


async def known_game(name: str) -> str:
    """The game that an address names."""
    try:
        return check_name(name)
    except ValueError as wrong:
        raise HTTPException(404, str(wrong)) from None


KnownGame = Annotated[str, Depends(known_game)]
