"""Options that are texts of their own, over HTTP: reading one that was typed or pasted, and drawing one step by step by the rules."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request
from pydantic import Field

from hanpan.game import State, game, games
from hanpan.option import Option
from hanpan.refusal import IllegalAction
from hanpan.server.refused import Refused
from hanpan.server.session import house_of
from hanpan.server.web import replayed
from hanpan.server.wishes import Action, Wish, Word

router = APIRouter()
MOST_STEPS = 200


class ReadWish(Wish):
    """A text for an option."""

    value: Annotated[str, Field(max_length=4000)]


class DrawWish(Wish):
    """The steps so far; `clicks`: why can't the next one begin with pointing at these places?"""

    actions: Annotated[list[Action], Field(max_length=MOST_STEPS)] = []
    clicks: Annotated[list[Word], Field(max_length=8)] = []


@router.post("/api/games/{name}/options/{option}/read", summary="Whether a text can stand for an option, and what the game looks like then")
async def read_option(request: Request, name: str, option: str, wish: ReadWish) -> dict[str, Any]:
    """The text as it is kept, and the first picture; a refusal says in the reader's language what is wrong with it."""
    await _option(request, name, option)

    def read() -> dict[str, Any]:
        try:
            chosen = game(name, **{option: wish.value})
        except ValueError as wrong:
            raise _why(name, wrong) from None
        return {"value": chosen.options[option], "scene": chosen.start().view(None).scene().json()}

    return await replayed(request, read)


@router.post("/api/games/{name}/options/{option}/draw", summary="A text for an option, drawn step by step as players would lay it")
async def draw_option(request: Request, name: str, option: str, wish: DrawWish) -> dict[str, Any]:
    """The picture, the places of each step so far, the next steps with their places, and the text once it is whole; `why` answers `clicks`."""
    found = await _option(request, name, option)
    if not found.laid:
        raise HTTPException(404, f"{option}: is not drawn")

    def draw() -> dict[str, Any]:
        state = game(name, **{option: found.laid}).start()
        steps = []  # the places that each step has marked, so that one can be taken back by pointing at it
        for action in wish.actions:
            if _whole(state, option) is not None:
                raise HTTPException(422, f"{option}: is whole already")
            try:
                state = state.play(action)
            except IllegalAction as wrong:
                raise Refused.by_rules(wrong, state.game.book.package) from None
            steps.append([mark.place for mark in state.scene().look.marks if mark.kind == "last"])
        value = _whole(state, option)
        legal = state.legal() if value is None else []
        why = state.why_not(wish.clicks) if wish.clicks else None
        told = {"value": value, "steps": steps, "scene": state.scene().json(), "clicks": {action: list(state.clicks(action)) for action in legal}}
        return told | ({} if why is None else {"why": Refused.by_rules(why, state.game.book.package).json("")})

    return await replayed(request, draw)


def _whole(state: State, option: str) -> str | None:
    text: str | None = getattr(state.game.book.text, f"drawn_{option}")(state.record[0])
    return text


async def _option(request: Request, name: str, option: str) -> Option:
    if name in games():
        await house_of(request).game(name, {})  # its rules may have to be loaded
        for found in game(name).book.options:
            if found.name == option and found.free is not None:
                return found
    raise HTTPException(404, "no such option")


def _why(name: str, wrong: ValueError) -> Refused:
    """What is wrong with a value, in the game's words where the game says why."""
    cause: BaseException | None = wrong
    while cause is not None:
        if isinstance(cause, IllegalAction):
            return Refused.by_rules(cause, game(name).book.package)
        cause = cause.__cause__
    return Refused.because(wrong)
