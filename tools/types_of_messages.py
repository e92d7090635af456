"""Writes web/src/net/types.ts from the server's messages and the scenes that they carry: python tools/types_of_messages.py [--check]

With --check nothing is written: where the file is not what it should be, that is said and the exit status is 1.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
import textwrap
import types
import typing
from pathlib import Path
from typing import Any

import typing_extensions
from pydantic.fields import FieldInfo

from hanpan.core import scene, words
from hanpan.server.protocol import messages

FILE = Path(__file__).resolve().parent.parent / "web" / "src" / "net" / "types.ts"
HEAD = "// Made by tools/types_of_messages.py from src/hanpan/server/protocol/messages.py and src/hanpan/core/scene.py: change those, then run it.\n"
UNIONS = ("Value", "Time")  # those that have a name
NAMES = {"Board": "BoardPlan", "Scene": "SentScene"}  # the page has a Board and a Scene of its own
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown", object: "unknown"}


class Writer:
    """Collects every type that is needed, in the order in which they are met."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}

    def type(self, hint: Any) -> str:
        """A Python type as TypeScript says it."""
        if hint in PLAIN:
            return PLAIN[hint]
        origin, arguments = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:  # what plain data is made from, or what there is to say about a field
            return self.type(arguments[0] if isinstance(arguments[1], FieldInfo) else arguments[1])
        if origin is typing.Literal:
            return " | ".join(f'"{value}"' for value in arguments)
        if origin in (list, tuple):
            inner = self.type(arguments[0])
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        if origin is dict:
            return f"Record<string, {self.type(arguments[1])}>"
        if origin in (types.UnionType, typing.Union):
            return self._union(arguments)
        if hint is words.Phrase:
            return self.type(messages.Phrase)
        self._interface(hint)
        return name_of(hint)

    def _union(self, arguments: tuple[Any, ...]) -> str:
        name = next((name for name in UNIONS if set(typing.get_args(getattr(messages, name))) <= set(arguments)), None)
        parts = arguments
        if name is not None:
            known = typing.get_args(getattr(messages, name))
            if name not in self.written:
                self.written[name] = ""
                self.written[name] = f"export type {name} = {' | '.join(dict.fromkeys(self.type(part) for part in known))};\n"
            parts = tuple(part for part in arguments if part not in known)
        return " | ".join(dict.fromkeys([*([name] if name else []), *(self.type(part) for part in parts)]))

    def _interface(self, kind: Any) -> None:
        if name_of(kind) in self.written:
            return
        self.written[name_of(kind)] = ""  # it may speak of itself
        lines = [f"  {name}{'?' if optional else ''}: {self.type(hint)};\n" for name, hint, optional in fields(kind)]
        self.written[name_of(kind)] = f"{about(kind)}export interface {name_of(kind)} {{\n{''.join(lines)}}}\n"


def name_of(kind: Any) -> str:
    """What the page calls it."""
    return NAMES.get(kind.__name__, str(kind.__name__))


def about(kind: Any) -> str:
    """What it is, as a comment."""
    lines = textwrap.wrap((inspect.getdoc(kind) or "").split("\n\n")[0], 150)
    return f"/** {lines[0]} */\n" if len(lines) == 1 else "/**\n" + "".join(f" * {line}\n" for line in lines) + " */\n"


def fields(kind: Any) -> typing.Iterator[tuple[str, Any, bool]]:
    """The fields of a message or of a part of a scene: name, type, whether it may be left out."""
    hints = typing.get_type_hints(kind, include_extras=True)
    if typing_extensions.is_typeddict(kind):
        for name, hint in hints.items():
            left_out = typing.get_origin(hint) is typing.NotRequired
            yield name, typing.get_args(hint)[0] if left_out else hint, left_out
        return
    for field in dataclasses.fields(kind):
        if kind is scene.Scene and field.name == "targets":
            continue  # only for pictures that are drawn here
        hint = given(hints[field.name])
        left_out = field.default is not dataclasses.MISSING or hint != hints[field.name] or (kind, field.name) == (scene.Scene, "board")
        yield field.name, hint, left_out


def given(hint: Any) -> Any:
    """The type of a field where it is given: what is empty is left out, not null."""
    if typing.get_origin(hint) not in (types.UnionType, typing.Union):
        return hint
    parts = [part for part in typing.get_args(hint) if part is not type(None)]
    return typing.Union[tuple(parts)]  # noqa: UP007


def made() -> str:
    """The whole file."""
    writer = Writer()
    for events in messages.OUTBOUND.values():
        for message in events.values():
            writer.type(message)
    return "\n".join([HEAD, *writer.written.values()])


def main(arguments: list[str]) -> int:
    """Write it, or compare."""
    wanted = made()
    if "--check" in arguments:
        if FILE.read_text("utf-8") != wanted:
            print("web/src/net/types.ts is not what the server's messages say: run python tools/types_of_messages.py", file=sys.stderr)
            return 1
        return 0
    FILE.write_text(wanted, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
