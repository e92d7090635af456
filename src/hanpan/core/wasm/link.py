"""Making a WebAssembly module of the one object that LLVM emits.

A linker proper joins many objects and is eighty megabytes to be had; everything of ours is in one object already. What is left to do: give it a memory
with a stack, move its constants behind that stack, and say what is seen from outside. The formats: https://webassembly.github.io/spec/core/binary/ and
https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

STACK = 1 << 18  # bytes; it lies first, so that whoever needs more runs out of the memory and is stopped
PAGE = 1 << 16
NOTE = "hanpan"

_SEAL = "digest"
_SEALED = 3 + len(_SEAL) + 32  # bytes of a seal
_HEAD = b"\0asm\1\0\0\0"
_CUSTOM, _TYPE, _IMPORT, _FUNCTION, _TABLE, _MEMORY, _GLOBAL, _EXPORT, _START, _CODE, _DATA = 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11
_I32 = 0x7F
_EMPTY = re.compile(rb"\0{64,}")  # memory is zero from the beginning
_SYMBOLS, _IS_FUNCTION, _IS_DATA = 8, 0, 1
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40
# What a relocation is about. Functions, types and the stack pointer keep their numbers, since nothing is joined; only addresses move.
_UNMOVED = (0, 6, 7)  # function, type, global
_LEB_ADDRESS, _SLEB_ADDRESS, _I32_ADDRESS = _ADDRESSES = (3, 4, 5)


class Unlinkable(ValueError):
    """The object holds something that no rule should need; `wanted` is the name of what it wants from outside, if it is that."""

    wanted = ""


@dataclass(frozen=True)
class _Segment:
    start: int  # in the memory
    first: int  # of its bytes, in the section
    length: int


class _Reader:
    """Reads an object from front to back."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    @property
    def more(self) -> bool:
        return self.at < len(self.content)

    def byte(self) -> int:
        self.at += 1
        return self.content[self.at - 1]

    def bytes(self, length: int) -> bytes:
        self.at += length
        return self.content[self.at - length : self.at]

    def _number(self) -> tuple[int, int]:
        """A number (LEB128), and how many bits were written of it."""
        value = length = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << length
            length += 7
            if byte < 0x80:
                return value, length

    def unsigned(self) -> int:
        return self._number()[0]

    def signed(self) -> int:
        value, length = self._number()
        return value - (value >> (length - 1) << length)

    def text(self) -> str:
        return self.bytes(self.unsigned()).decode()

    def skip_limits(self) -> None:
        """How large something is at least, and perhaps at most."""
        bounded = self.unsigned() & 1
        for _ in range(1 + bounded):
            self.unsigned()


def _sections(content: bytes) -> Iterator[tuple[int, str, bytes]]:
    """The sections of an object or module: number, title of a custom one, content."""
    reader = _Reader(content[8:] if content[:8] == _HEAD else b"")
    while reader.more:
        try:
            number, length = reader.byte(), reader.unsigned()
            part = _Reader(reader.bytes(length))
            title = part.text() if number == _CUSTOM else ""
        except (IndexError, UnicodeDecodeError):
            raise Unlinkable("this is no WebAssembly, or only a piece of it") from None
        if len(part.content) != length:
            raise Unlinkable("this is no WebAssembly, or only a piece of it")
        yield number, title, part.content[part.at :]


def _unsigned(value: int) -> bytes:
    written = bytearray()
    while value >= 0x80:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value])


def _signed(value: int) -> bytes:
    written = bytearray()
    while not -0x40 <= value < 0x40:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value & 0x7F])


def _padded(value: int) -> bytes:
    """A number in the place that was kept for it: as long as any can be."""
    return bytes([value >> 7 * k & 0x7F | 0x80 for k in range(4)] + [value >> 28 & 0x7F])


def _section(number: int, content: bytes) -> bytes:
    return bytes([number]) + _unsigned(len(content)) + content


def _vector(items: Sequence[bytes]) -> bytes:
    return _unsigned(len(items)) + b"".join(items)


def _name(text: str) -> bytes:
    return _unsigned(len(text.encode())) + text.encode()


def _constant(value: int) -> bytes:
    return b"\x41" + _signed(value) + b"\x0b"


def link(thing: bytes, exports: Mapping[str, str], note: bytes = b"", start: str | None = None) -> bytes:
    """The module of an object. exports: the names seen from outside, each with that of the function; start: the function that runs when it is loaded.

    Exported besides: `memory`, and as `heap` the first address that is free. A note goes with the module, in a section named NOTE.
    """
    if thing[:8] != _HEAD:
        raise Unlinkable("this is no WebAssembly object")
    sections: dict[int, bytes] = {}
    order: list[int] = []
    custom: dict[str, bytes] = {}
    for number, title, content in _sections(thing):
        order.append(number)
        if number == _CUSTOM:
            custom[title] = content
        else:
            sections[number] = content
    _check_imports(sections.get(_IMPORT, b"\0"))
    if _GLOBAL in sections or _TABLE in sections:
        raise Unlinkable("the object brings a global or a table of its own")
    code, (data, places) = bytearray(sections[_CODE]), _constants(sections.get(_DATA, b"\0"))
    for kind, offset in _addresses(custom.get("reloc.CODE", b""), order, _CODE):
        _move(code, offset, kind)
    for kind, offset in _addresses(custom.get("reloc.DATA", b""), order, _DATA):  # they count from the section's beginning
        place = next(place for place in places if place.first <= offset < place.first + place.length)
        _move(data, place.start + offset - place.first, kind)
    functions = _functions(custom["linking"])
    heap = (STACK + len(data) + 15) // 16 * 16
    for inside in [*exports.values(), *([start] if start else [])]:
        if inside not in functions:
            raise Unlinkable(f"the object has no function {inside!r}")
    outside = [_name(seen) + b"\0" + _unsigned(functions[inside]) for seen, inside in exports.items()]
    outside += [_name("memory") + b"\2\0", _name("heap") + b"\3\1"]
    pages = -(-heap // PAGE)
    return b"".join(
        (
            _HEAD,
            _section(_TYPE, sections[_TYPE]),
            _section(_FUNCTION, sections[_FUNCTION]),
            _section(_MEMORY, _vector([b"\0" + _unsigned(pages)])),
            _section(_GLOBAL, _vector([bytes([_I32, 1]) + _constant(STACK), bytes([_I32, 0]) + _constant(heap)])),  # the stack's end, and where memory is free
            _section(_EXPORT, _vector(outside)),
            _section(_START, _unsigned(functions[start])) if start else b"",
            _section(_CODE, bytes(code)),
            _section(_DATA, _vector(list(_laid(bytes(data))))),
            _section(_CUSTOM, _name(NOTE) + note),
        )
    )


def _check_imports(content: bytes) -> None:
    """A memory and the stack pointer are what an object may want; nothing else is there for it."""
    reader = _Reader(content)
    for _ in range(reader.unsigned()):
        _, name, kind = reader.text(), reader.text(), reader.byte()
        if kind == 2:  # a memory
            reader.skip_limits()
        elif kind == 3 and name == "__stack_pointer":
            reader.bytes(2)
        elif kind == 1:  # a table of functions, which nothing of ours uses: a relocation that did would be refused
            reader.byte()
            reader.skip_limits()
        else:
            refused = Unlinkable(f"the object wants {name!r} from outside")
            refused.wanted = name
            raise refused


def _constants(content: bytes) -> tuple[bytearray, list[_Segment]]:
    """What lies in the memory from the beginning, all in one, and where each part of it was told."""
    reader, data, places = _Reader(content), bytearray(), []
    for _ in range(reader.unsigned()):
        if reader.unsigned() != 0 or reader.byte() != 0x41:
            raise Unlinkable("constants that do not lie at a fixed place")
        start = reader.signed()
        reader.byte()
        length = reader.unsigned()
        places.append(_Segment(start, reader.at, length))
        data += bytes(max(start - len(data), 0))
        data[start : start + length] = reader.bytes(length)
    return data, places


def _laid(data: bytes) -> Iterator[bytes]:
    """What lies behind the stack, without what is empty."""
    at = 0
    for gap in [*_EMPTY.finditer(data), None]:
        end = len(data) if gap is None else gap.start()
        if end > at:
            yield b"\0" + _constant(STACK + at) + _unsigned(end - at) + data[at:end]
        at = len(data) if gap is None else gap.end()


def _addresses(content: bytes, order: Sequence[int], wanted: int) -> list[tuple[int, int]]:
    """Where a section holds addresses, each with the way it is written."""
    if not content:
        return []
    reader = _Reader(content)
    if order[reader.unsigned()] != wanted:
        raise Unlinkable("relocations of another section")
    found = []
    for _ in range(reader.unsigned()):
        kind, offset = reader.byte(), reader.unsigned()
        reader.unsigned()
        if kind in _ADDRESSES:
            reader.signed()
            found.append((kind, offset))
        elif kind not in _UNMOVED:
            raise Unlinkable(f"a relocation of kind {kind}: the address of a function, or something newer than this linker")
    return found


def _move(content: bytearray, at: int, kind: int) -> None:
    """Move one address behind the stack."""
    if kind == _I32_ADDRESS:
        content[at : at + 4] = (int.from_bytes(content[at : at + 4], "little") + STACK).to_bytes(4, "little")
        return
    reader = _Reader(bytes(content[at : at + 5]))
    value = reader.unsigned() if kind == _LEB_ADDRESS else reader.signed()
    content[at : at + 5] = _padded(value + STACK)


def _functions(content: bytes) -> dict[str, int]:
    """The numbers of the functions that have a name to the outside."""
    reader = _Reader(content)
    if (version := reader.unsigned()) != 2:
        raise Unlinkable(f"the object's format has the version {version}, not 2")
    found: dict[str, int] = {}
    while reader.more:
        kind, part = reader.byte(), _Reader(reader.bytes(reader.unsigned()))
        if kind != _SYMBOLS:
            continue
        for _ in range(part.unsigned()):
            symbol, flags = part.byte(), part.unsigned()
            if symbol == _IS_DATA:
                part.text()
                if not flags & _UNDEFINED:
                    for _ in range(3):
                        part.unsigned()
            elif symbol == 3:  # a section
                part.unsigned()
            else:
                number = part.unsigned()
                if not flags & _UNDEFINED or flags & _EXPLICIT_NAME:
                    name = part.text()
                    if symbol == _IS_FUNCTION:
                        found[name] = number
    return found


def sealed(module: bytes) -> bytes:
    """The module with a digest of itself behind it, so that damage can be seen."""
    return module + _section(_CUSTOM, _name(_SEAL) + hashlib.sha256(module).digest())


def is_sealed(module: bytes) -> bool:
    """Whether it is as it was when it was sealed."""
    return sealed(module[:-_SEALED]) == module


def note(module: bytes) -> bytes:
    """The note that goes with a module; Unlinkable if there is none."""
    for number, title, content in _sections(module):
        if number == _CUSTOM and title == NOTE:
            return content
    raise Unlinkable("this is no module that Hanpan has made")
